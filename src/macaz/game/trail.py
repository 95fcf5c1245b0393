"""The routes of a longest path, in order; the kernel computes only its length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macaz.kernel.layout import WORD_BITS

if TYPE_CHECKING:
    from macaz.game import Game


def longest_trail(game: Game, seat: int) -> tuple[int, ...]:
    """The routes of a longest path of a seat, from one end to the other.

    Every route whose removal does not shorten the longest path is removed; one path remains.
    """
    engine, states = game.engine, game.state.copy()
    length = engine.longest_path(states, seat)
    claimed = states["claimed"][0, seat]
    kept = []
    for route in game.view(None).routes_of(seat):
        word, bit = divmod(game.spec.lane_of_route[route], WORD_BITS)
        claimed[word] ^= 1 << bit
        if engine.longest_path(states, seat) < length:
            claimed[word] ^= 1 << bit
            kept.append(route)
    return _eulerian_trail(game, kept)


def _eulerian_trail(game: Game, routes: list[int]) -> tuple[int, ...]:
    """The routes in the order of a trail that uses each of them once (Hierholzer)."""
    board = game.edition.board
    ends = {route: (board.routes[route].a, board.routes[route].b) for route in routes}
    at: dict[int, list[int]] = {}
    for route, pair in ends.items():
        for city in pair:
            at.setdefault(city, []).append(route)
    if not at:
        return ()
    start = next((city for city, here in at.items() if len(here) % 2), next(iter(at)))
    left = set(routes)
    stack: list[tuple[int, int | None]] = [(start, None)]
    walk: list[int] = []
    while stack:
        city, came_by = stack[-1]
        onward = next((r for r in at[city] if r in left), None)
        if onward is not None:
            left.remove(onward)
            a, b = ends[onward]
            stack.append((b if city == a else a, onward))
        else:
            stack.pop()
            if came_by is not None:
                walk.append(came_by)
    return tuple(reversed(walk))
