"""`macaz bench page`: measure the page in a real browser."""

from __future__ import annotations

import os
import shutil

import click

from macaz.cli.bench.parts import print_sheet
from macaz.cli.options import COUNT


@click.command()
@click.option(
    "--rounds",
    type=COUNT,
    metavar="NUMBER",
    default="5",
    show_default=True,
    help="Rounds of measurements.",
)
@click.option(
    "--chromium",
    metavar="PATH",
    envvar="MACAZ_CHROMIUM",
    help="The browser; by default an installed Chromium or Chrome.",
)
def page(rounds: int, chromium: str | None) -> None:
    """Measure the page in a real browser on this machine, and an empty page for comparison.

    It measures the time until the first decision with an empty cache, of a game at the server and
    of one in the browser, also with a slowed processor; the frames a second while the map is
    dragged, and while bots move on a small screen with a slowed processor; the download sizes of a
    first visit and of a first game in the browser; how long bots think there; and the playouts a
    second of the search, beside other targets of the kernel.
    """
    from macaz.cli.text import plural, stdout
    from macaz.lab.bench.measure import Skipped
    from macaz.lab.bench.page import run, sheets

    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = chromium or next(filter(None, map(shutil.which, names)), None)
    if found is None or not os.access(found, os.X_OK):
        raise click.ClickException(
            "No Chromium or Chrome was found. Name one with --chromium PATH."
        )
    try:
        measured = run(rounds, found)
    except Skipped as why:
        raise click.ClickException(f"This cannot be measured: {why}.") from why
    console = stdout()
    for sheet in sheets(measured):
        print_sheet(console, sheet)
    console.print(f"Median of {plural(rounds, 'round')}; in brackets the minimum and the maximum.")
