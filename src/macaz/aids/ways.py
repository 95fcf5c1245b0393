"""Cheapest ways over routes, by one number a way.

A way's price is the sum of its routes' prices, and no two ways have the same: first it counts the
spaces that are missing, then the routes, and last it prefers routes of lower numbers.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from macaz.board import Board

_COUNT_BITS = 9  # more than the routes of any board


class Way(NamedTuple):
    """Routes, and what they cost."""

    price: int
    routes: frozenset[int]


class Network:
    """Routes to go by: those that cost nothing, those to claim, and those that stations borrow.

    Each station can be used once, for one route that ends in its city. With `claims`, no more than
    so many routes may be claimed. A node is a city with what has been used up on the way to it.
    """

    def __init__(
        self,
        board: Board,
        *,
        free: Iterable[int] = (),
        open_: Iterable[int] = (),
        claims: int | None = None,
        stations: Sequence[int] = (),
        lent: Collection[int] = (),
    ) -> None:
        self._board, self._cities = board, len(board.cities)
        self._layers = 1 if claims is None else claims + 1
        self._count = self._layers << len(stations)
        self._arcs: list[list[tuple[int, int, int]]] = [
            [] for _ in range(self._count * self._cities)
        ]
        for route in free:
            for layer in range(self._count):
                self._join(route, 0, layer, layer)
        for route in open_:
            for layer in range(self._count):
                if claims is None:
                    self._join(route, board.routes[route].length, layer, layer)
                elif layer % self._layers < claims:
                    self._join(route, board.routes[route].length, layer, layer + 1)
        for i, city in enumerate(stations):
            here = [r for r in lent if city in (board.routes[r].a, board.routes[r].b)]
            unused = [layer for layer in range(self._count) if not layer // self._layers >> i & 1]
            for layer in unused:
                for route in here:
                    self._join(route, 0, layer, layer + (self._layers << i))

    def _join(self, route: int, spaces: int, before: int, after: int) -> None:
        price = _price(self._board, route, spaces)
        ends = self._board.routes[route]
        before, after = before * self._cities, after * self._cities
        self._arcs[before + ends.a].append((after + ends.b, route, price))
        self._arcs[before + ends.b].append((after + ends.a, route, price))

    def way(self, start: int, end: int) -> Way | None:
        """The cheapest way between two cities."""
        return self.reach([start], end).way(end)

    def reach(self, starts: Iterable[int], end: int | None = None) -> Reach:
        """The cheapest ways from the nearest of some cities to all others, or to `end`."""
        best = dict.fromkeys(starts, 0)
        came: dict[int, tuple[int, int]] = {}
        nodes: dict[int, int] = {}
        heap = [(0, node) for node in best]
        while heap:
            far, node = heapq.heappop(heap)
            if far > best[node]:
                continue
            city = node % self._cities
            nodes.setdefault(city, node)
            if city == end:
                break
            for other, route, price in self._arcs[node]:
                further = far + price
                if other not in best or further < best[other]:
                    best[other] = further
                    came[other] = (node, route)
                    heapq.heappush(heap, (further, other))
        return Reach(best, came, nodes)


class Reach:
    """What can be reached from somewhere."""

    def __init__(
        self, best: dict[int, int], came: dict[int, tuple[int, int]], nodes: dict[int, int]
    ) -> None:
        self._came = came
        self._nodes = nodes  # of each city the one that was reached first, and so the cheapest
        self.prices = {city: best[node] for city, node in nodes.items()}
        """By city: what the cheapest way costs."""

    def way(self, city: int) -> Way | None:
        """The cheapest way to a city."""
        if city not in self._nodes:
            return None
        node, routes = self._nodes[city], []
        while node in self._came:
            node, route = self._came[node]
            routes.append(route)
        return Way(self.prices[city], frozenset(routes))


def spaces_of(board: Board, way: Way) -> int:
    """How many spaces of a way are missing."""
    return way.price >> len(board.routes) + _COUNT_BITS


def _price(board: Board, route: int, spaces: int) -> int:
    count = len(board.routes)
    return (spaces << count + _COUNT_BITS) + (1 << count) - (1 << count - 1 - route)
