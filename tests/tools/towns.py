"""A small map on which it is obvious which seat needs which route, and games on it."""

from __future__ import annotations

import random

from tests.arrange import arrange, make_edition

from macaz.game import Game
from macaz.game.fair import Dealer
from macaz.lab.arena.work import Job, Map

# A–B–C–D and X–Y–Z are not connected. In `position`, seat 1 needs A–B and B–C, seat 0 needs X–Y.
LINE = make_edition(
    [("A", "B", 2), ("B", "C", 2), ("C", "D", 2), ("X", "Y", 2), ("Y", "Z", 3)],
    [("A", "C", 8), ("X", "Y", 5), ("B", "D", 12), ("A", "B", 3)],
    trains=9,
    last_trains=2,
)


def position(**more: object) -> Game:
    """A position in which seat 0 is to move; `more` replaces arguments of `arrange`."""
    settings = {
        "hands": [{"red": 5}, {"blue": 4}],
        "tickets": {0: ["X–Y 5"], 1: ["A–C 8"]},
        "target": "cpu",
    }
    return arrange(LINE, 2, **(settings | more))  # type: ignore[arg-type]


def finished(game: Game, seed: int = 1) -> Game:
    """The game, continued to its end with random moves."""
    game.resume(Dealer.seeded(seed))
    rng = random.Random(seed)
    while (seat := game.turn) is not None:
        game.push(rng.choice(list(game.legal_moves_of(seat))))
    return game


def job(edition: str, lineup: tuple[str, ...], deal: int = 0) -> Job:
    """A game of the arena."""
    return Job(Map(edition), 1, deal, lineup, record=True, patience=60.0)
