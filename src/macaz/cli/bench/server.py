"""`macaz bench server`: measure the table server, beside a bare echo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from macaz.cli.bench.parts import bench_progress, check_folder, out_option, show
from macaz.cli.options import COUNT

if TYPE_CHECKING:
    pass

_SECONDS = click.FloatRange(0.1, 3600)


@click.command()
@click.option(
    "--tables",
    type=COUNT,
    metavar="NUMBER",
    default="1000",
    show_default=True,
    help="Tables of four in memory.",
)
@click.option(
    "--sockets",
    type=COUNT,
    metavar="NUMBER",
    default="2000",
    show_default=True,
    help="Open sockets; four at each table, as far as they go.",
)
@click.option(
    "--rate",
    type=COUNT,
    metavar="NUMBER",
    default="500",
    show_default=True,
    help="Actions a second, when paced.",
)
@click.option(
    "--seconds",
    type=_SECONDS,
    metavar="SECONDS",
    default=20,
    show_default=True,
    help="How long a round is paced.",
)
@click.option(
    "--full-seconds",
    type=_SECONDS,
    metavar="SECONDS",
    default=10,
    show_default=True,
    help="How long a round goes as fast as it can.",
)
@click.option(
    "--stored",
    type=COUNT,
    metavar="NUMBER",
    default="100k",
    show_default=True,
    help="Games that a start finds.",
)
@click.option(
    "--answers",
    type=COUNT,
    metavar="NUMBER",
    default="50",
    show_default=True,
    help="Decisions of each bot, alone and in a crowd.",
)
@click.option(
    "--rounds",
    type=COUNT,
    metavar="NUMBER",
    default="3",
    show_default=True,
    help="How often it is all measured.",
)
@click.option(
    "--postgres",
    metavar="URL",
    envvar="MACAZ_BENCH_POSTGRES",
    help="A PostgreSQL to measure, too; a database is made there for it, and dropped.",
)
@out_option("Write a page and all figures as JSON there.")
def server(
    tables: int,
    sockets: int,
    rate: int,
    seconds: float,
    full_seconds: float,
    stored: int,
    answers: int,
    rounds: int,
    postgres: str | None,
    out: Path | None,
) -> None:
    """Measure the table server on this machine, beside an echo on the same stack.

    People play at many tables over real sockets, at a given pace and as fast as they can, on two
    cores that the server shares with them. Then: how long a bot's answer takes while others make
    the server think as much as they can, what idle tables cost, and how long a start takes with
    many stored games. It needs some gigabytes for those, in the folder for temporary files.
    """
    from macaz.lab.bench.server import suite
    from macaz.lab.bench.server.report import RESULTS

    if out is not None:
        check_folder(out, RESULTS)
    settings = suite.Settings(
        tables=tables,
        sockets=sockets,
        rate=rate,
        seconds=seconds,
        full_seconds=full_seconds,
        rounds=rounds,
        stored=stored,
        answers=answers,
        postgres=postgres,
    )
    with bench_progress(rounds) as (prepare, begin, tell):
        report = suite.run(settings, prepare, begin, tell)
    from macaz.lab.bench.server.report import sheets, write

    show(report, sheets, write, out)
