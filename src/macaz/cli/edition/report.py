"""`macaz edition report`: how even a map is, and how bots play on it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from macaz.cli.options import BOTS, SEED, table_size
from macaz.cli.signals import stop_on_signal

if TYPE_CHECKING:
    from rich.console import Console

    from macaz.lab.maps.played import Played
    from macaz.lab.maps.report import Report


@click.command("report", short_help="Report how a map plays.")
@click.argument("name")
@click.option(
    "--games",
    "-n",
    type=click.IntRange(min=0),
    metavar="NUMBER",
    default=200,
    show_default=True,
    help="Games of bots; 0 to look at the map only.",
)
@click.option(
    "--players",
    "-p",
    type=int,
    metavar="NUMBER",
    help="Players at the table; by default 3, or as many as the map allows.",
)
@click.option(
    "--bots",
    type=BOTS,
    metavar="BOTS",
    default="planner",
    show_default=True,
    help="The bots that play, separated by commas; they take turns at the seats.",
)
@click.option("--seed", type=SEED, default="0", show_default=True, help="Play other games.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Games at the same time; by default one per core.",
)
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report as a page, with a picture of the board, too.",
)
def report_command(
    name: str,
    games: int,
    players: int | None,
    bots: tuple[str, ...],
    seed: int,
    workers: int | None,
    html: Path | None,
) -> None:
    """Report on the edition NAME, an id or the path of a file.

    Are its colours, regions and tickets balanced? How often do bots take each route and complete
    each ticket, and what wins? Ctrl-C and the signals TERM and HUP end the games early, and the
    report is about those that were finished.
    """
    from macaz.edition import load_edition
    from macaz.lab.maps.played import Played, play_games
    from macaz.lab.maps.report import report_on, write_page

    edition = load_edition(name)
    rules = edition.rules
    seats = players or min(rules.max_seats, max(rules.min_seats, 3))
    if not rules.min_seats <= seats <= rules.max_seats:
        raise click.ClickException(
            f"{edition.title} is for {table_size(rules)}, not {seats}: choose with --players."
        )
    if not bots:
        raise click.UsageError("Name a bot with --bots, as in --bots planner,conductor.")
    if html is not None and not html.parent.is_dir():
        raise click.ClickException(f"--html: there is no folder {html.parent}.")
    played = Played(edition, seats, bots, seed, games)
    status = _play(played, play_games, workers) if games else 0
    found = report_on(edition, played)
    _print(found)
    if html is not None:
        write_page(found, edition, html)
        click.echo(f"Wrote {html}", err=True)
    if status:
        click.echo(f"Stopped after {played.games} of {games} games.", err=True)
        sys.exit(status)


def _play(
    played: Played,
    play_games: Callable[[Played, int | None], Iterator[object]],
    workers: int | None,
) -> int:
    """Play the games; returns the exit status."""
    from macaz.cli.text import stderr

    with stop_on_signal(at_once=True) as stop:
        try:
            with _progress(stderr(), played.asked) as advance:
                for _ in play_games(played, workers):
                    advance()
        except KeyboardInterrupt:
            return stop.status
    return 0


@contextmanager
def _progress(console: Console, games: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar; nothing without a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from macaz.cli.bars import GamesRate, Timed

    columns = TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), GamesRate(), Timed()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("games", total=games)
        yield lambda: bar.advance(task)


def _print(report: Report) -> None:
    from rich.markup import escape

    from macaz.cli.text import new_table, stdout

    console = stdout()
    console.print(f"[bold]{escape(report.title)}[/]: {escape(report.lead)}\n")
    console.print("[bold]What stands out[/]")
    for remark in report.remarks or ("Nothing.",):
        console.print(f"- {remark}", markup=False)
    console.print()
    for section in report.sections:
        table = new_table(section.title, caption=section.note, caption_justify="left")
        for number, head in enumerate(section.heads):
            # Names take more lines on a narrow terminal; no number is cut.
            table.add_column(head, justify="right" if number else "left", no_wrap=number > 0)
        for row in section.rows:
            table.add_row(*map(escape, row))
        console.print(table)
