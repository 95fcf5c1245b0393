"""`macaz terminal`: play a game against bots in the terminal."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from macaz.cli.options import BOTS, SEED, edition_option, program

DEFAULT_BOT = "greedy"


@click.command()
@edition_option
@click.option("--players", "-p", type=int, help="Number of players, including you.  [default: 2]")
@click.option(
    "--bots",
    "-b",
    type=BOTS,
    default=DEFAULT_BOT,
    show_default=True,
    metavar="BOTS",
    help="Your opponents, separated by commas: planner,search:0.1s,my_bot.py:MyBot. "
    "The last one plays all remaining seats.",
)
@click.option("--seed", type=SEED, metavar="NUMBER", help="Deal the same cards again.")
@click.option("--name", default="You", show_default=True, help="Your name.")
@click.option(
    "--record",
    "record",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Save the record of the game to this file after every decision.",
)
@click.option(
    "--continue",
    "resume",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Continue a saved game.",
)
def terminal(
    edition_name: str,
    players: int | None,
    bots: tuple[str, ...],
    seed: int | None,
    name: str,
    record: Path | None,
    resume: Path | None,
) -> None:
    """Play a game in the terminal, against bots.

    Type ? in the game for help. Ctrl-C and Ctrl-D save and leave it; --continue resumes it.
    """
    from macaz.cli.terminal.begin import check_bots, new_game, resumed
    from macaz.cli.terminal.session import Session
    from macaz.cli.text import stdout

    check_bots(bots)
    if record is not None and record != resume and record.exists():
        again = f"{program()} terminal --continue {shlex.quote(str(record))}"
        raise click.ClickException(f"{record} exists already. Name another file, or: {again}")
    if resume is not None:
        edition = edition_name if _given("edition_name") else None
        game, opponents = resumed(resume, edition, bots if _given("bots") else ())
        record = record or resume
    else:
        game, opponents = new_game(edition_name, players, bots, seed, name)
    sys.exit(Session(stdout(), game, opponents, record, seed).run())


def _given(option: str) -> bool:
    """Whether an option is on the command line, not only by its default."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE
