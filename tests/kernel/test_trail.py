"""The longest path as routes: connected, and as long as the kernel says."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.arrange import make_edition

from macaz.game import Game
from macaz.kernel.engine import engine_of
from macaz.kernel.help import longest_trail
from macaz.kernel.layout import dtype_of
from macaz.kernel.spec import compile_spec

pytestmark = pytest.mark.rule("E3")
# Routes as pairs of cities, each a space longer than the one before.
NETWORKS = {
    "none": [],
    "one": ["ab"],
    "a line in disorder": ["cd", "ab", "bc"],
    "a circuit": ["ab", "bc", "ca"],
    "a circuit with a tail": ["ab", "bc", "ca", "cd"],
    "a star": ["ax", "bx", "cx", "dx"],
    "two circuits in a city": ["ab", "bc", "ca", "ad", "de", "ea"],
    "two networks": ["ab", "bc", "xy", "yz"],
    "four cities, all connected": ["ab", "ac", "ad", "bc", "bd", "cd"],
}


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
            trail = longest_trail(game.spec, game.state, seat)
            routes = [game.edition.board.routes[r] for r in trail]
            assert sum(route.length for route in routes) == game.engine.longest_path(
                game.state, seat
            )
            assert len(set(trail)) == len(trail)
            assert set(trail) <= set(game.view(None).routes_of(seat))
            assert _walkable([(route.a, route.b) for route in routes])


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("target", ["plain", "wasm"])
def test_networks_of_every_shape(name: str, target: str) -> None:
    spare = [("zy", "zz", 1)]  # there is no map without routes; a board has them in order
    routes = [(ends[0], ends[1], 1 + n) for n, ends in enumerate(NETWORKS[name])]
    spec = compile_spec(make_edition([*routes, *spare]), 2)
    states = np.zeros(1, dtype_of("state"))
    for lane in spec.lane_of_route[: len(routes)]:
        states["claimed"][0, 0, lane // 60] |= 1 << (lane % 60)
    before = states.copy()
    trail = longest_trail(spec, states, 0, target)
    assert states == before
    assert len(set(trail)) == len(trail)
    walked = [spec.edition.board.routes[route] for route in trail]
    assert sum(route.length for route in walked) == engine_of(spec).longest_path(states, 0)
    assert _walkable([(route.a, route.b) for route in walked])


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
