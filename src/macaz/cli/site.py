"""`macaz site`: write a static site, where games are played without a server."""

from __future__ import annotations

from pathlib import Path

import click

from macaz.server.settings import KNOBS


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--editions",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help=KNOBS["editions"].doc,
)
def site(folder: Path, editions: Path | None) -> None:
    """Write a static site into FOLDER: the page, and all that games in the browser need.

    Any host that serves files serves it, under any path; `python -m http.server` does too. People
    play against bots or with friends on one screen. A site that was written before is replaced;
    another folder that is not empty is left alone.
    """
    from macaz.server.editions import Catalog
    from macaz.server.site import write_site

    size = write_site(
        folder, Catalog(editions), lambda part: click.echo(f"Writing {part}", err=True)
    )
    click.echo(f"{folder} has the site: {size / 1e6:.1f} MB.", err=True)
