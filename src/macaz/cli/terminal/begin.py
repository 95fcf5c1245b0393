"""The game that `macaz terminal` begins with: a new one, or one that was saved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from macaz.cli.options import table_size

if TYPE_CHECKING:
    from macaz.game import Game

NAME_LENGTH = 20  # characters


def check_bots(bots: tuple[str, ...]) -> None:
    from macaz.bots import bot_problem

    if not bots:
        raise click.ClickException("--bots is empty: name the bots, as in --bots greedy.")
    for bot in bots:
        if problem := bot_problem(bot):
            raise click.ClickException(problem)


def new_game(
    edition_name: str, players: int | None, bots: tuple[str, ...], seed: int | None, name: str
) -> tuple[Game, dict[int, str]]:
    """A new game, and the bots by seat."""
    from macaz.cli.terminal.bots import bot_named, seat_names
    from macaz.edition import load_edition
    from macaz.game import Game

    edition = load_edition(edition_name)
    rules = edition.rules
    seats = players or len(bots) + 1
    if not rules.min_seats <= seats <= rules.max_seats:
        raise click.ClickException(
            f"{edition.title} is for {table_size(rules)}, not {seats}: choose with --players."
        )
    opponents = _seated(bots, range(1, seats))
    name = " ".join(name.split())
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        raise click.ClickException(f"--name: use 1 to {NAME_LENGTH} characters.")
    if bot_named(name):
        raise click.ClickException(f"--name: {name!r} is what a bot is called. Choose another.")
    names = [name, *seat_names(list(opponents.values()))]
    return Game(edition, seats, seed=seed, names=names), opponents


def _seated(bots: tuple[str, ...], seats: Sequence[int]) -> dict[int, str]:
    """The bots by seat; the last one gets all remaining seats."""
    if len(bots) > len(seats):
        raise click.ClickException(
            f"--bots names {len(bots)} bots, but {len(seats) + 1} players leave room for "
            f"{len(seats)}."
        )
    return dict(zip(seats, bots + bots[-1:] * (len(seats) - len(bots)), strict=True))


def resumed(path: Path, edition: str | None, bots: tuple[str, ...]) -> tuple[Game, dict[int, str]]:
    """A saved game, and the bots by seat: `bots`, or those that the record names."""
    from macaz.bots import COMMAND
    from macaz.cli.terminal.bots import bot_named, seat_names
    from macaz.game.record import RecordError, open_record

    try:
        game = open_record(path, edition=edition)
    except RecordError as error:
        raise click.ClickException(f"{path}: {error}") from error
    opponents = {seat: bot for seat, name in enumerate(game.names) if (bot := bot_named(name))}
    if len(opponents) != game.seats - 1:
        raise click.ClickException(
            f"{path}: this game is not one person against bots. Only those saved by "
            "'macaz terminal' can be continued."
        )
    if not game.over and (game.dealer is None or not game.deciding):
        raise click.ClickException(
            f"{path}: the record has no secret of the deal, so it cannot be continued."
        )
    if bots:
        opponents = _seated(bots, list(opponents))
        names = dict(zip(opponents, seat_names(list(opponents.values())), strict=True))
        game.names = tuple(names.get(seat, name) for seat, name in enumerate(game.names))
    elif COMMAND in opponents.values():
        raise click.ClickException(
            f"{path}: you played against a bot of your own, and the record does not say where it "
            "is. Say it with --bots, as in --bots my_bot.py:MyBot or --bots 'cmd:python3 mybot.py'."
        )
    return game, opponents
