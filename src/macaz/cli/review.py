"""`macaz review`: the story of a recorded game, as text, a page or JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from macaz.cli.options import SEED
from macaz.help import THOROUGH

if TYPE_CHECKING:
    from macaz.bots import Limit
    from macaz.game import Game
    from macaz.help.advice import Review


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--effort",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    default=THOROUGH.effort,
    show_default=True,
    help="Tries of each compared move; more of them find smaller mistakes.",
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
    help="Seed of the tries; the same seed and effort give the same review.",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the chances of winning into this file: .png, .svg or .pdf.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the review as a page that needs no other files.",
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
    html: Path | None,
    as_json: bool,
    edition: str | None,
) -> None:
    """Tell the story of a finished game: chances, turning points, mistakes and tickets.

    Every decision is compared with better moves from what the seat knew then. A difference below
    the noise of the tries is not a mistake. Ctrl-C ends it with what was found until then.
    """
    from macaz.bots import Limit
    from macaz.game.outcome import NotOver
    from macaz.game.record import RecordError, open_record
    from macaz.game.record.text import labels

    _check_files(plot, html)
    try:
        game = open_record(file, edition=edition)
    except RecordError as error:
        raise click.ClickException(f"{file}: {error}") from None
    if seats and max(seats) > game.seats:
        raise click.BadParameter(f"there is no seat {max(seats)} at a table of {game.seats}")
    chosen = sorted({seat - 1 for seat in seats}) or list(range(game.seats))
    try:
        found, missing = _reviewed(game, Limit(effort=effort), seed, chosen)
    except NotOver as error:
        raise click.ClickException(f"{file}: {error}") from None
    names = labels(game.names)  # with control characters escaped
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(found))
    else:
        from macaz.cli.review_text import show

        show(game, found, names, most, file)
    if plot is not None:
        from macaz.lab.review_plot import draw

        draw(game, found, plot)
        click.echo(f"Drawn: {plot}", err=True)
    if html is not None:
        from macaz.lab.review_page import write_page

        note = f"Tries of each compared move: {effort}, seed {seed}. ± is the standard error."
        write_page(game, found, names, note, html)
        click.echo(f"Written: {html}", err=True)
    if missing:
        raise click.ClickException(f"stopped: {missing} decisions were not judged.")


def _reviewed(game: Game, limit: Limit, seed: int, seats: list[int]) -> tuple[Review, int]:
    """The review, and how many decisions were not judged because it was interrupted."""
    from macaz.help.advice.past import Judgement, decisions, judgements, sum_up

    made = decisions(game)
    found: list[Judgement | None] = [None] * len(made)
    done = 0
    with _progress() as advance, suppress(KeyboardInterrupt):
        for ply, judgement in judgements(made, limit, seed, seats):
            found[ply] = judgement
            done += 1
            advance(done, len(made))
    return sum_up(game, made, found, seats), len(made) - done


def _check_files(plot: Path | None, html: Path | None) -> None:
    """Fail before the review if its files cannot be written."""
    from macaz.lab.figures import check_picture
    from macaz.lab.parquet import check_writable

    if plot is not None:
        try:
            check_picture(plot)
        except ValueError as error:
            raise click.ClickException(f"--plot: {error}.") from error
    if html is not None:
        try:
            check_writable(html)
        except OSError as error:
            raise click.ClickException(f"--html: {error}.") from error


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
