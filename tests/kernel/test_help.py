"""What is explained of a position: the same on WebAssembly and as plain Python, and right."""

from __future__ import annotations

from typing import Any

import pytest
from tests.amount import SPARSE
from tests.game.test_worlds import moments

from macaz import Game
from macaz.edition.board import LOCOMOTIVE
from macaz.game.moves import Claim, Payment
from macaz.kernel import help as told

TABLES = (("usa-classic", 2), ("europe", 3), ("old-west", 2), ("old-west+alvin", 4))


def facts(game: Game, seat: int, actions: list[int], target: str) -> dict[str, Any]:
    """The kernel's facts about a seat on a target."""
    spec, state = game.spec, game.state
    return {
        "free": told.free_lanes(spec, state, seat, target).tolist(),
        "claimable": told.claimable_lanes(spec, state, seat, target).tolist(),
        "keep": told.keep_least(spec, state, seat, target),
        "prices": told.prices(spec, state, actions, target),
        "trail": told.longest_trail(spec, state, seat, target),
        "costs": told.ticket_costs(spec, state, seat, target).tobytes(),
    }


def check(game: Game) -> None:
    for seat in range(game.seats):
        legal = list(game.legal_moves_of(seat))
        offer = game.view(seat).offer
        actions = [game.notation.action(move, offer) for move in legal]
        said = facts(game, seat, actions, "plain")
        assert said == facts(game, seat, actions, "wasm")
        for move, price in zip(legal, said["prices"], strict=True):
            if isinstance(move, Claim):
                length = game.edition.board.routes[move.route].length
                assert price.cards + price.locomotives == length
            elif not isinstance(move, Payment):
                assert price == (LOCOMOTIVE, 0, 0)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_targets_say_the_same(edition: str, seats: int) -> None:
    check(Game(edition, seats, seed=3))  # before there is a starting city
    for game in moments(edition, seats, 2, 0.02 if SPARSE else 0.05):
        check(game)
