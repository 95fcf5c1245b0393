"""`macaz bench start`: measure how long a newcomer waits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from macaz.cli.bench.parts import bench_progress, check_folder, out_option, show
from macaz.cli.options import COUNT

if TYPE_CHECKING:
    pass


@click.command()
@click.option(
    "--rounds",
    type=COUNT,
    metavar="NUMBER",
    default="3",
    show_default=True,
    help="How often it is all measured.",
)
@click.option("--bots", metavar="LIST", help="Which bots move, as greedy,expert.  [default: all]")
@click.option("--no-install", is_flag=True, help="Leave out the install.")
@out_option("Write a page and all figures as JSON there.")
def start(rounds: int, bots: str | None, no_install: bool, out: Path | None) -> None:
    """Measure how long a newcomer waits, from an empty home and cache.

    Until the page answers, a table is opened, and each bot has moved for the first time, on a
    machine that is idle and with a busy process for each core; what importing the package takes;
    and an install, which needs a checkout of Macaz, and the network once.
    """
    from macaz.bots import BOTS
    from macaz.lab.bench.measure import Skipped
    from macaz.lab.bench.start import suite
    from macaz.lab.bench.start.report import RESULTS

    names = tuple(bots.split(",")) if bots else tuple(BOTS)
    if unknown := [name for name in names if name not in BOTS]:
        raise click.BadParameter(
            f"there is no bot {unknown[0]!r}. Known: {', '.join(BOTS)}.", param_hint="'--bots'"
        )
    if out is not None:
        check_folder(out, RESULTS)
    settings = suite.Settings(rounds=rounds, bots=names, with_install=not no_install)
    try:
        with bench_progress(rounds) as (prepare, begin, tell):
            report = suite.run(settings, prepare, begin, tell)
    except Skipped as why:
        raise click.ClickException(f"This cannot be measured: {why}") from why
    from macaz.lab.bench.start.report import sheets, write

    show(report, sheets, write, out)
