"""`macaz serve`: run a server for many tables and people."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from macaz.server.settings import KNOBS

Command = Callable[..., None]


def _all_settings(command: Command) -> Command:
    """Add an option for every setting; `read_settings` parses the values."""
    for knob in reversed(KNOBS.values()):
        default = "" if knob.default == "none" else f"  [default: {knob.default}]"
        option = click.option(
            knob.flag, knob.name, metavar=knob.kind.metavar, help=knob.doc + default
        )
        command = option(command)
    return command


@click.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Read settings from this TOML file; by default from MACAZ_CONFIG.",
)
@click.option("--check", "only_check", is_flag=True, help="Check the settings, and do not start.")
@_all_settings
def serve(config: Path | None, only_check: bool, **options: Any) -> None:
    """Serve tables over the network.

    Every setting is an option, an environment variable such as MACAZ_PORT, and a key of the file;
    options override variables, and variables override the file. If settings are missing or wrong,
    the server prints all problems and does not start.
    """
    from macaz.server.settings.check import check
    from macaz.server.settings.read import read_settings

    settings = read_settings(options, file=config)
    check(settings)
    if only_check:
        click.echo("The settings are valid.")
        return
    from macaz.server.app import run

    try:
        run(settings, ready=lambda address: click.echo(f"Macaz serves at {address}", err=True))
    except KeyboardInterrupt:
        return  # the usual way to stop it by hand
