"""`macaz bench page`: measure the page in a real browser, beside an empty one."""

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
    help="How often it is all measured.",
)
@click.option(
    "--chromium",
    metavar="PATH",
    envvar="MACAZ_CHROMIUM",
    help="The browser; by default the first Chromium or Chrome that is found.",
)
def page(rounds: int, chromium: str | None) -> None:
    """Measure the page in a real browser on this machine, beside an empty page.

    How long a browser that was never here takes until the first decision can be made, how many
    frames a second it draws while the map is dragged, and how much a first visit loads.
    """
    from macaz.cli.text import plural, stdout
    from macaz.lab.bench.measure import Skipped
    from macaz.lab.bench.page import run, sheets

    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = chromium or next(filter(None, map(shutil.which, names)), None)
    if found is None or not os.access(found, os.X_OK):
        raise click.ClickException("There is no Chromium here. Name one with --chromium PATH.")
    try:
        measured = run(rounds, found)
    except Skipped as why:
        raise click.ClickException(f"This cannot be measured: {why}.") from why
    console = stdout()
    for sheet in sheets(measured):
        print_sheet(console, sheet)
    console.print(f"Median of {plural(rounds, 'round')}; in brackets the least and the greatest.")
