"""The longest path as routes: connected, and as long as the kernel says."""

from __future__ import annotations

import random

import pytest

from macaz.game import Game
from macaz.game.trail import longest_trail


@pytest.mark.parametrize("edition", ["usa-classic", "europe", "old-west", "tiny"])
def test_a_longest_trail_is_walkable_and_as_long_as_the_kernel_says(edition: str) -> None:
    for seed in range(12):
        game = Game(edition, 3 if edition != "tiny" else 2, seed=seed)
        chance = random.Random(seed)
        while game.outcome is None:
            seat = game.deciding[0]
            moves = [m for m in game.legal_moves_of(seat) if "claim" in type(m).__name__.lower()]
            game.push(chance.choice(moves or list(game.legal_moves_of(seat))), seat)
        for seat in range(game.seats):
            trail = longest_trail(game, seat)
            routes = [game.edition.board.routes[r] for r in trail]
            assert sum(route.length for route in routes) == game.engine.longest_path(
                game.state, seat
            )
            assert len(set(trail)) == len(trail)
            assert set(trail) <= set(game.view(None).routes_of(seat))
            assert _walkable([(route.a, route.b) for route in routes])


def _walkable(edges: list[tuple[int, int]]) -> bool:
    if not edges:
        return True

    def from_(city: int) -> bool:
        for a, b in edges:
            if city not in (a, b):
                return False
            city = b if city == a else a
        return True

    return any(from_(end) for end in edges[0])
