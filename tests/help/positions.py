"""Positions of games between planners, for tests of help with moves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from macaz.bots import make_bot
from macaz.game import Game
from macaz.game.moves import Move
from macaz.game.view import View

TABLES = (("tiny", 2), ("usa-classic", 2), ("usa", 3), ("europe", 4), ("old-west+alvin", 3))


class Position(NamedTuple):
    """A decision of a seat, as the seat knows it."""

    view: View
    legal: tuple[Move, ...]
    actions: tuple[int, ...]

    @property
    def seat(self) -> int:
        assert self.view.seat is not None
        return self.view.seat


def played(edition: str, seats: int, seed: int) -> Iterator[Game]:
    """A game of planners at each decision, to its end."""
    game, bot = Game(edition, seats, seed=seed), make_bot("planner")
    while not game.over:
        yield game
        seat = game.deciding[0]
        game.push(bot.choose(game.view(seat), list(game.legal_moves_of(seat))), seat)
    yield game


@cache
def positions(edition: str, seats: int, count: int, seed: int = 11) -> tuple[Position, ...]:
    """Decisions between several moves, spread over a game."""
    found = []
    for game in played(edition, seats, seed):
        if game.over:
            break
        seat = game.deciding[-1]
        legal = game.legal_moves_of(seat)
        if len(legal) > 1:
            found.append(Position(game.view(seat), tuple(legal), tuple(legal.actions)))
    step = len(found) / count
    return tuple(found[int(i * step)] for i in range(count))
