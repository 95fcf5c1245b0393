"""`macaz warm`: compile native code ahead of time."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from macaz.kernel.compile import Program

PROGRAMS = {
    "rules": "macaz.kernel.compile:KERNEL",
    "views": "macaz.kernel.views:VIEWS",
    "help": "macaz.kernel.help:HELP",
    "players": "macaz.bots.compiled.program:PLAYERS",
    "analysis": "macaz.help.compiled.program:ADVICE",
    "environments": "macaz.lab.env.program:PROGRAM",
    "lessons": "macaz.lab.train.program:PROGRAM",
}


@click.command()
@click.argument("what", nargs=-1, type=click.Choice(list(PROGRAMS)), metavar="[WHAT]...")
def warm(what: tuple[str, ...]) -> None:
    """Compile native code ahead of time, so that no command waits for it.

    WHAT is any of rules, views, help, players, analysis, environments and lessons (the games of
    `macaz train`); by default all. It needs the extra native. Parts that are compiled already are
    kept, also after an interruption.
    """
    from macaz.cli.native import compile_parts
    from macaz.cli.text import plural
    from macaz.errors import MissingExtra
    from macaz.kernel.native_code import cache_base, parts

    if find_spec("numba") is None:
        raise MissingExtra("numba", "native code", "native")
    base = cache_base()
    if base is None:
        raise click.ClickException(
            "native code cannot be kept: set MACAZ_CACHE_DIR to a folder that can be written."
        )
    wanted = [part for name in what or PROGRAMS for part in parts(_program(name))]
    done = compile_parts(wanted)
    click.echo(f"{plural(len(wanted), 'part')} ready in {base}, {done} of them new.", err=True)


def _program(name: str) -> Program:
    module, _, attribute = PROGRAMS[name].partition(":")
    found: Program = getattr(import_module(module), attribute)
    return found
