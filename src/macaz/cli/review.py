"""`macaz review`: find the mistakes of a recorded game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from macaz.cli.options import SEED
from macaz.help import THOROUGH

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from macaz.help.advice import Review

BARS = "▁▂▃▄▅▆▇█"
CURVE_WIDTH = 60


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--effort",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    default=THOROUGH.effort,
    show_default=True,
    help="Playouts for each decision; more of them find smaller mistakes.",
)
@click.option(
    "--seat",
    "seats",
    metavar="N",
    multiple=True,
    type=click.IntRange(min=1),
    help="Review this seat only; can be repeated. By default all seats.",
)
@click.option(
    "--most",
    metavar="N",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Number of mistakes to list, the costliest first.",
)
@click.option(
    "--seed",
    type=SEED,
    metavar="NUMBER",
    default="0",
    show_default=True,
    help="Seed of the playouts; the same seed and effort give the same review.",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the chances of winning into this file: .png, .svg or .pdf.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the review as JSON.")
@click.option(
    "--edition",
    metavar="NAME",
    help="The edition of the game, if the one that the record names is not found.",
)
def review(
    file: Path,
    effort: int,
    seats: tuple[int, ...],
    most: int,
    seed: int,
    plot: Path | None,
    as_json: bool,
    edition: str | None,
) -> None:
    """Find the moves of a finished game that cost most, and better ones.

    The strongest bot evaluates every decision with the information that the seat had. A difference
    below the noise of the playouts is not a mistake.
    """
    from macaz.bots import Limit
    from macaz.cli.text import stdout
    from macaz.game.record import RecordError, open_record
    from macaz.game.record.text import labels
    from macaz.help.advice import review as review_game

    _check_plot(plot)
    try:
        game = open_record(file, edition=edition)
    except RecordError as error:
        raise click.ClickException(f"{file}: {error}") from None
    if seats and max(seats) > game.seats:
        raise click.BadParameter(f"there is no seat {max(seats)} at a table of {game.seats}")
    chosen = sorted({seat - 1 for seat in seats}) or None
    with _progress() as advance:
        found = review_game(
            game, limit=Limit(effort=effort), seed=seed, seats=chosen, progress=advance
        )
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(found))
    else:
        console = stdout()
        names = labels(game.names)  # with control characters escaped
        console.print(_standings(found, names))
        if found.mistakes and most:
            console.print(_mistakes(found, names, most))
            console.print(f"See one of them: macaz replay {file} --turn N", style="dim")
        elif not found.mistakes:
            console.print("No move clearly cost anything.")
        console.print("\nChance of winning, as each seat could know it", style="bold")
        for line in _curves(found, names):
            console.print(line, soft_wrap=True)
    if plot is not None:
        from macaz.lab.review_plot import draw

        draw(game, found, plot)
        click.echo(f"Drawn: {plot}", err=True)


def _check_plot(plot: Path | None) -> None:
    """Fail before the review if the figure cannot be saved."""
    from macaz.lab.figures import check_picture

    if plot is not None:
        try:
            check_picture(plot)
        except ValueError as error:
            raise click.ClickException(f"--plot: {error}.") from error


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar of the reviewed decisions."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from macaz.cli.text import stderr

    columns = (TextColumn("Thinking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = stderr()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _standings(found: Review, names: Sequence[str]) -> Table:
    """The points of each seat by reason, and the quality of its decisions."""
    from rich.text import Text

    from macaz.cli.text import new_table, signed

    parts = {
        "routes": [s.score.routes for s in found.seats],
        "tickets": [s.score.ticket_points for s in found.seats],
        "longest": [s.score.longest_path for s in found.seats],
        "stations": [s.score.stations for s in found.seats],
        "most tickets": [s.score.globetrotter for s in found.seats],
        "Alvin": [s.score.alvin for s in found.seats],
    }
    shown = {name: row for name, row in parts.items() if any(row)}
    table = new_table()
    table.add_column("seat")
    for heading in (
        *shown,
        "final",
        "completed",
        "decisions",
        "agreed",
        "mistakes",
        "lost",
        "accuracy",
    ):
        table.add_column(heading, justify="right")
    for i, seat in enumerate(found.seats):
        accuracy = "–" if seat.accuracy is None else f"{100 * seat.accuracy:.0f} %"
        table.add_row(
            Text(names[seat.seat]),
            *(signed(row[i], 0) for row in shown.values()),
            signed(seat.score.total, 0) + " ★" * (seat.seat in found.winners),
            f"{seat.score.completed} of {len(seat.score.tickets)}",
            str(seat.decisions),
            str(seat.agreed),
            str(seat.mistakes),
            f"{100 * seat.lost:.0f} %",
            accuracy,
        )
    return table


def _mistakes(found: Review, names: Sequence[str], most: int) -> Table:
    """The costliest moves, with better ones."""
    from rich.text import Text

    from macaz.cli.text import new_table

    table = new_table("Moves that cost most")
    table.add_column("turn", justify="right")
    for heading in ("seat", "played", "better"):
        table.add_column(heading)
    for heading in ("chance", "instead of", "cost"):
        table.add_column(heading, justify="right")
    for mistake in found.mistakes[:most]:
        table.add_row(
            str(mistake.turn),
            Text(names[mistake.seat]),
            Text(mistake.played_text),
            Text(mistake.best_text),
            f"{100 * mistake.chance_played:.0f} %",
            f"{100 * mistake.chance_best:.0f} %",
            f"{100 * mistake.cost:.0f} ± {100 * mistake.error:.0f} %",
        )
    return table


def _curves(found: Review, names: Sequence[str]) -> Iterator[Text]:
    """A bar chart of the chance of winning for each seat, as text."""
    from rich.text import Text

    width = max(map(len, names))
    for seat, name in enumerate(names):
        values = _thinned([row[seat] for row in found.curve], CURVE_WIDTH)
        bars = "".join(BARS[min(len(BARS) - 1, int(value * len(BARS)))] for value in values)
        yield Text(f"{name:<{width}}  {bars}")


def _thinned(values: Sequence[float], most: int) -> list[float]:
    """At most `most` of the values, including the first and the last."""
    if len(values) <= most:
        return list(values)
    return [values[round(i * (len(values) - 1) / (most - 1))] for i in range(most)]
