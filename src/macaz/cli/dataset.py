"""`macaz dataset`: write games of bots, or recorded ones, as Parquet files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from macaz.cli.options import BOTS, COUNT, SEED, THREADS, edition_option, table_size
from macaz.cli.signals import stop_on_signal

if TYPE_CHECKING:
    from macaz.lab.dataset.sources import Source


@click.command()
@click.option(
    "--bots",
    type=BOTS,
    metavar="BOTS",
    default="greedy",
    show_default=True,
    help="The bots, separated by commas: planner,greedy. They rotate over the seats.",
)
@edition_option
@click.option("--players", "-p", type=int, default=2, show_default=True, help="Number of players.")
@click.option(
    "--games",
    "-n",
    type=COUNT,
    metavar="NUMBER",
    default="1000",
    show_default=True,
    help="Number of games: 5000, 10k, 1e6.",
)
@click.option(
    "--seed",
    type=SEED,
    metavar="NUMBER",
    help="Repeat the games of an earlier run; by default a new seed is chosen and shown.",
)
@click.option(
    "--from",
    "path",
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH",
    help="Read recorded games instead: a .macaz file, a folder of them, or a folder of the arena.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    required=True,
    help="Write games.parquet and decisions.parquet into this folder.",
)
@click.option(
    "--decisions/--games-only",
    default=True,
    help="Write decisions.parquet, too, with a row for each decision; this is the default.",
)
@click.option(
    "--workers",
    type=THREADS,
    metavar="NUMBER",
    help="Number of processes; by default one per core.",
)
def dataset(
    bots: tuple[str, ...],
    edition_name: str,
    players: int,
    games: int,
    seed: int | None,
    path: Path | None,
    out: Path,
    decisions: bool,
    workers: int | None,
) -> None:
    """Write games of bots, or recorded ones, as Parquet files for machine learning.

    One file has a row for each game, the other a row for each decision: what the seat saw, its
    legal actions, the action it chose, and its result. Ctrl-C ends early and keeps the games so
    far.
    """
    from macaz.cli.text import plural
    from macaz.lab.dataset.write import write_dataset
    from macaz.lab.parquet import need_pyarrow

    need_pyarrow()
    sources: Iterator[Source]
    if path is not None:
        _check_only_records()
        from macaz.lab.dataset.sources import records

        sources, total, again = records(path), None, ""
    else:
        if seed is None:
            import secrets

            seed = secrets.randbelow(2**32)
        sources = _matches(bots, edition_name, players, games, seed)
        total, again = games, f"; repeat with --seed {seed}"
    with stop_on_signal() as stop, _progress(total) as advance:
        written = write_dataset(
            sources, out, decisions=decisions, workers=workers, progress=advance, stop=stop
        )
    rows = f" and {plural(written.decisions, 'decision')}" if decisions else ""
    click.echo(f"Wrote {plural(written.games, 'game')}{rows} to {out}{again}", err=True)
    if written.unfinished:
        click.echo(f"Left out {plural(written.unfinished, 'unfinished game')}", err=True)
    if stop.is_set():
        sys.exit(stop.status)


def _check_only_records() -> None:
    """Reject options that have no meaning for recorded games."""
    context = click.get_current_context()
    given = click.core.ParameterSource.COMMANDLINE
    for name in ("bots", "edition_name", "players", "games", "seed"):
        if context.get_parameter_source(name) == given:
            flag = name.removesuffix("_name")
            raise click.ClickException(f"--from takes games as they are: leave out --{flag}.")


def _matches(
    bots: tuple[str, ...], edition_name: str, players: int, games: int, seed: int
) -> Iterator[Source]:
    from macaz.bots import bot_problem
    from macaz.edition import load_edition
    from macaz.lab.dataset.sources import matches

    edition = load_edition(edition_name)
    rules = edition.rules
    if not rules.min_seats <= players <= rules.max_seats:
        raise click.ClickException(
            f"{edition.title} is for {table_size(rules)}, not {players}: choose with --players."
        )
    if not bots:
        raise click.ClickException("--bots is empty: name the bots, as in --bots greedy.")
    for bot in bots:
        if problem := bot_problem(bot):
            raise click.ClickException(f"--bots: {problem}")
    return matches(edition, players, bots, games, seed)


@contextmanager
def _progress(games: int | None) -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar with the time left; nothing without a terminal."""
    from macaz.cli.text import stderr

    console = stderr()
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

    columns = (
        TextColumn("Writing games"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("left"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("games", total=games)
        yield lambda done: bar.advance(task, done)
