"""`macaz simulate`: play many random games and print statistics."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from macaz.cli import fail
from macaz.cli.options import COUNT, SEED, THREADS, edition_option, table_size
from macaz.cli.signals import stop_on_signal

if TYPE_CHECKING:
    from rich.console import Console

    from macaz.edition import Edition
    from macaz.lab.simulate import Summary

_PART_NAMES = {
    "longest": "longest path",
    "globetrotter": "most tickets",
    "alvin": "Alvin",
}


@click.command()
@edition_option
@click.option("--players", "-p", type=int, default=2, show_default=True, help="Number of players.")
@click.option(
    "--games",
    "-n",
    type=COUNT,
    metavar="NUMBER",
    default="10k",
    show_default=True,
    help="Number of games: 5000, 10k, 1e6, 1M.",
)
@click.option(
    "--seed",
    type=SEED,
    metavar="NUMBER",
    help="Repeat the games of an earlier run; by default a new seed is chosen and shown.",
)
@click.option(
    "--workers",
    type=THREADS,
    metavar="NUMBER",
    help="Number of threads; by default one per core.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a row for each game into this .parquet file.",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw a figure into this file: .png, .svg or .pdf.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def simulate(
    edition_name: str,
    players: int,
    games: int,
    seed: int | None,
    workers: int | None,
    out: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Play many random games, on all cores, and summarise them.

    Every move is chosen at random among the legal ones, and seat 1 begins. Ctrl-C and the signals
    TERM and HUP end it early and keep the results so far.
    """
    from macaz.edition import load_edition

    edition = load_edition(edition_name)
    rules = edition.rules
    if not rules.min_seats <= players <= rules.max_seats:
        raise click.ClickException(
            f"{edition.title} is for {table_size(rules)}, not {players}: choose with --players."
        )
    if seed is None:
        import secrets

        seed = secrets.randbelow(2**32)
    _check_outputs(out, plot)
    summary, status = _run(edition, players, games, seed, workers, out)
    if not summary.games:
        fail("stopped before the first game was finished.", status)
    _report(summary, as_json)
    if plot is not None:
        from macaz.lab.simulate.plot import draw

        draw(summary, plot)
    _print_files_and_rate(summary, out, plot)
    if summary.stopped:
        sys.exit(status)


def _check_outputs(out: Path | None, plot: Path | None) -> None:
    """Fail before the simulation if a file cannot be written."""
    from macaz.errors import MissingExtra
    from macaz.lab.figures import check_picture
    from macaz.lab.parquet import check_writable, need_pyarrow

    def run_checks(path: Path | None, option: str, *checks: Callable[[Path], Any]) -> None:
        try:
            for check in checks if path is not None else ():
                check(path)  # type: ignore[arg-type]  # mypy does not see the condition
        except MissingExtra as error:
            raise click.ClickException(str(error)) from error
        except ValueError as error:
            raise click.ClickException(f"{option}: {error}.") from error
        except OSError as error:
            why = error.strerror or str(error)
            raise click.ClickException(
                f"{option}: cannot write {str(path)!r}, because {why[:1].lower()}{why[1:]}. "
                "Choose another file."
            ) from error

    def check_ending(path: Path) -> None:
        if path.suffix.lower() != ".parquet":
            raise ValueError(f"the name of the file ends in .parquet, not {path.name!r}")

    run_checks(out, "--out", lambda _: need_pyarrow(), check_writable, check_ending)
    run_checks(plot, "--plot", check_picture)


def _run(
    edition: Edition, players: int, games: int, seed: int, workers: int | None, out: Path | None
) -> tuple[Summary, int]:
    """Simulate; returns the summary, and the exit status for an early stop."""
    from macaz.cli.text import stderr
    from macaz.lab.simulate import simulate as run

    console = stderr()
    with stop_on_signal() as stop, _progress(console, games) as advance:
        summary = run(
            edition,
            players,
            games,
            seed,
            workers=workers,
            out=out,
            progress=advance,
            stop=stop,
        )
    return summary, stop.status


@contextmanager
def _progress(console: Console, games: int) -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar with rate and time left; nothing without a terminal."""
    if not console.is_terminal:
        yield None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from macaz.cli.bars import GamesRate

    with Progress(
        TextColumn("Playing"),
        BarColumn(),
        MofNCompleteColumn(),
        GamesRate(),
        TextColumn("left"),
        TimeRemainingColumn(compact=True),
        console=console,
        transient=True,
    ) as bar:
        task = bar.add_task("games", total=games)
        yield lambda done: bar.advance(task, done)


def _report(summary: Summary, as_json: bool) -> None:
    if as_json:
        import json

        click.echo(json.dumps(summary.to_dict(), indent=2))
        return
    from macaz.cli.text import plural, stdout

    console = stdout()
    edition = summary.edition
    console.print(
        f"[bold]{edition.title}[/], {summary.seats} players, "
        f"{plural(summary.games, 'random game')}, seed {summary.seed}\n"
    )
    _print_seats(console, summary)
    _print_parts(console, summary)
    lengths = summary.lengths
    console.print(
        f"Decisions in a game: mean {lengths.mean:.1f}, median {lengths.quantile(0.5)}, "
        f"90 % from {lengths.quantile(0.05)} to {lengths.quantile(0.95)}"
    )
    tied = {name: count for name, count in summary.tie_counts.items() if count}
    clear = tied.pop("no tie", 0)
    if tied:
        shares = ", ".join(f"{100 * n / summary.games:.2f} % {name}" for name, n in tied.items())
        console.print(f"Equal best scores: {plural(summary.games - clear, 'game')} ({shares})")
    else:
        console.print("Equal best scores: none")


def _print_seats(console: Console, summary: Summary) -> None:
    from macaz.cli.text import new_table, signed

    table = new_table("Scores and wins")
    table.add_column("seat")
    for heading in ("mean score", "± 95 %", "deviation", "5 %", "median", "95 %", "wins", "95 %"):
        table.add_column(heading, justify="right")
    for seat, scores in enumerate(summary.scores):
        wins = summary.wins(seat)
        table.add_row(
            "1, begins" if seat == 0 else str(seat + 1),
            signed(scores.mean),
            f"{scores.margin:.1f}",
            f"{scores.deviation:.1f}",
            *(signed(scores.quantile(share), 0) for share in (0.05, 0.5, 0.95)),
            f"{100 * wins.share:.1f} %",
            f"{100 * wins.low:.1f}–{100 * wins.high:.1f} %",
        )
    console.print(table)


def _print_parts(console: Console, summary: Summary) -> None:
    from macaz.cli.text import new_table, signed

    table = new_table("Where the points come from (means)")
    table.add_column("seat")
    for part in summary.sums:
        table.add_column(_PART_NAMES.get(part, part), justify="right")
    table.add_column("tickets done", justify="right")
    table.add_column("path length", justify="right")
    means = {part: summary.mean_of(part) for part in summary.sums}
    for seat in range(summary.seats):
        table.add_row(
            str(seat + 1),
            *(signed(mean[seat]) for mean in means.values()),
            f"{summary.completed[seat].mean:.2f}",
            f"{summary.paths[seat].mean:.1f}",
        )
    console.print(table)


def _print_files_and_rate(summary: Summary, out: Path | None, plot: Path | None) -> None:
    from macaz.cli.text import plural

    if out is not None:
        click.echo(f"Wrote {plural(summary.games, 'game')} to {out}", err=True)
    if plot is not None:
        click.echo(f"Drew {plot}", err=True)
    rate = summary.games / max(summary.seconds, 1e-9)
    played = f"{plural(summary.games, 'game')} in {summary.seconds:.1f} s, {rate:,.0f} games/s"
    again = f"repeat with --seed {summary.seed}"
    if summary.stopped:
        click.echo(f"Stopped early: {played} of {summary.asked:,} asked for; {again}", err=True)
    else:
        click.echo(f"{played}; {again}", err=True)
