"""`macaz bench start`: measure the start with empty caches."""

from __future__ import annotations

from pathlib import Path

import click

from macaz.cli.bench.parts import bench_progress, check_folder, out_option, show
from macaz.cli.options import COUNT


@click.command()
@click.option(
    "--rounds",
    type=COUNT,
    metavar="NUMBER",
    default="3",
    show_default=True,
    help="Rounds of measurements.",
)
@click.option(
    "--bots", metavar="LIST", help="Measure these bots, as in greedy,expert.  [default: all]"
)
@click.option("--no-install", is_flag=True, help="Leave out the installation.")
@out_option("Write a page and all results as JSON into this folder.")
def start(rounds: int, bots: str | None, no_install: bool, out: Path | None) -> None:
    """Measure the waiting times of a first start, with an empty home and cache.

    It measures the time until the page answers, a table is open, and each bot has made its first
    move, on an idle machine and with a busy process on each core; the time to import the package;
    and an installation, which needs a checkout of Macaz, and the network the first time.
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
        with bench_progress(rounds) as (prepare, begin, progress):
            report = suite.run(settings, prepare, begin, progress)
    except Skipped as why:
        raise click.ClickException(f"This cannot be measured: {why}") from why
    from macaz.lab.bench.start.report import sheets, write

    show(report, sheets, write, out)
