"""`macaz serve`: a server for many tables and people, set up by its host."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from macaz.server.settings import KNOBS

Command = Callable[..., None]


def _all_settings(command: Command) -> Command:
    """An option for every setting; what is typed is read where all settings are read."""
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
    help="A TOML file with settings; MACAZ_CONFIG in the environment names it too.",
)
@click.option("--check", "only_check", is_flag=True, help="Check the settings, and do not start.")
@_all_settings
def serve(config: Path | None, only_check: bool, **options: Any) -> None:
    """Serve tables to people elsewhere: the host's command.

    Every setting is an option here, a variable such as MACAZ_PORT in the environment, and a key of
    the file; the option is the strongest of them. It does not start half-configured, and says
    everything that is missing.
    """
    from macaz.server.settings.check import check
    from macaz.server.settings.read import read_settings

    settings = read_settings(options, file=config)
    check(settings)
    if only_check:
        click.echo("The settings can be used.")
        return
    from macaz.server.app import run

    try:
        run(settings, ready=lambda address: click.echo(f"Macaz serves at {address}", err=True))
    except KeyboardInterrupt:
        return  # the usual way to stop it by hand
