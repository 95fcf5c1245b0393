"""`macaz bench server`: measure the table server, and an echo server for comparison."""

from __future__ import annotations

from pathlib import Path

import click

from macaz.cli.bench.parts import bench_progress, check_folder, out_option, show
from macaz.cli.options import COUNT

_SECONDS = click.FloatRange(0.1, 3600)


@click.command()
@click.option(
    "--tables",
    type=COUNT,
    metavar="NUMBER",
    default="1000",
    show_default=True,
    help="Tables of four players in memory.",
)
@click.option(
    "--sockets",
    type=COUNT,
    metavar="NUMBER",
    default="2000",
    show_default=True,
    help="Open sockets; four at each table, until they are used up.",
)
@click.option(
    "--rate",
    type=COUNT,
    metavar="NUMBER",
    default="500",
    show_default=True,
    help="Actions a second in the paced phase.",
)
@click.option(
    "--seconds",
    type=_SECONDS,
    metavar="SECONDS",
    default=20,
    show_default=True,
    help="Length of the paced phase in a round.",
)
@click.option(
    "--full-seconds",
    type=_SECONDS,
    metavar="SECONDS",
    default=10,
    show_default=True,
    help="Length of the phase at full speed in a round.",
)
@click.option(
    "--stored",
    type=COUNT,
    metavar="NUMBER",
    default="100k",
    show_default=True,
    help="Stored games when the server starts.",
)
@click.option(
    "--answers",
    type=COUNT,
    metavar="NUMBER",
    default="50",
    show_default=True,
    help="Decisions to measure of each bot, on an idle and on a loaded server.",
)
@click.option(
    "--rounds",
    type=COUNT,
    metavar="NUMBER",
    default="3",
    show_default=True,
    help="Rounds of measurements.",
)
@click.option(
    "--postgres",
    metavar="URL",
    envvar="MACAZ_BENCH_POSTGRES",
    help="Measure this PostgreSQL, too; a database is created there, and dropped.",
)
@out_option("Write a page and all results as JSON into this folder.")
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
    """Measure the table server on this machine, and an echo server for comparison.

    Simulated people play at many tables over real sockets, at a given pace and as fast as possible,
    on two cores that they share with the server. It also measures the response time of bots on an
    idle and on a loaded server, the cost of idle tables, and the start with many stored games,
    which needs some gigabytes in the temporary folder.
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
    with bench_progress(rounds) as (prepare, begin, progress):
        report = suite.run(settings, prepare, begin, progress)
    from macaz.lab.bench.server.report import sheets, write

    show(report, sheets, write, out)
