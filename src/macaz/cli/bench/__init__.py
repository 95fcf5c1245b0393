"""`macaz bench`: measure Macaz, and other engines for comparison."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from macaz.cli.bench.page import page
from macaz.cli.bench.parts import bench_progress, check_folder, out_option, show
from macaz.cli.bench.server import server
from macaz.cli.bench.start import start
from macaz.cli.options import COUNT

if TYPE_CHECKING:
    from macaz.lab.bench.suite import Report, Settings

ROUNDS = 5


@click.group(invoke_without_command=True)
@click.pass_context
@click.option(
    "--rounds",
    type=COUNT,
    metavar="NUMBER",
    help=f"Rounds of measurements.  [default: {ROUNDS}]",
)
@click.option("--quick", is_flag=True, help="Run two short rounds, to see that it works.")
@click.option("--no-peers", is_flag=True, help="Leave out the other engines.")
@out_option("Write a page, a picture and all results as JSON into this folder.")
def bench(
    ctx: click.Context, rounds: int | None, quick: bool, no_peers: bool, out: Path | None
) -> None:
    """Measure Macaz, and other engines for comparison, on this machine.

    Each round measures everything once: games a second by edition and number of players; the same
    rules and players as native code, as WebAssembly and as plain Python; single calls; starting.
    The other engines need a checkout of Macaz, and the network for their first installation.
    """
    if ctx.invoked_subcommand is not None:
        return
    from macaz.lab.bench.report import RESULTS
    from macaz.lab.bench.suite import Settings

    if out is not None:
        _check_plot()
        check_folder(out, RESULTS)
    settings = (
        Settings.quick(rounds, not no_peers)
        if quick
        else Settings(rounds=rounds or ROUNDS, with_peers=not no_peers)
    )
    report = _measure(settings)
    from macaz.lab.bench.report import sheets, write

    show(report, sheets, write, out)


bench.add_command(page)
bench.add_command(server)
bench.add_command(start)


def _check_plot() -> None:
    """Fail before measuring if Matplotlib is missing."""
    from macaz.errors import MissingExtra
    from macaz.lab.figures import need_matplotlib

    try:
        need_matplotlib()
    except MissingExtra as error:
        raise click.ClickException(str(error)) from error


def _measure(settings: Settings) -> Report:
    from macaz.cli.native import compile_if_possible
    from macaz.lab.bench import suite
    from macaz.lab.bench.targets import NATIVE_ENTRIES

    compile_if_possible(NATIVE_ENTRIES)
    with bench_progress(settings.rounds) as (prepare, begin, report):
        return suite.run(settings, prepare, begin, report)
