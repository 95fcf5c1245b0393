"""A seat's board: the routes open to it, its network, and shortest paths for its tickets.

A `Chart` is computed from a view alone, for bots and for advice. A `Plan` has the routes that a
seat should claim for some tickets.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from macaz.edition.board import GRAY, LOCOMOTIVE
from macaz.kernel.help import claim_points, usable_routes
from macaz.kernel.views import redacted_state

if TYPE_CHECKING:
    import numpy as np

    from macaz.game.view import View

CAR_PRICE = 0.6  # ticket points that a train car costs: the time to play it


@dataclass
class Plan:
    """Routes to claim for some tickets, and which of these cannot be completed."""

    routes: set[int] = field(default_factory=set)
    cars: int = 0
    hopeless: list[int] = field(default_factory=list)
    value: float = 0.0


class Chart:
    """A seat's board: the routes it can use, and the cost of each."""

    def __init__(self, view: View, seat: int) -> None:
        self.view, self.seat = view, seat
        self.board, self.rules = view.edition.board, view.edition.rules
        self.hand = view.hand_of(seat)
        self.grows = "start-city" in self.rules.phases  # claims must touch the network (W2)

    @cached_property
    def _states(self) -> np.ndarray:
        return redacted_state(self.view.record)

    @cached_property
    def lanes(self) -> dict[tuple[int, int], list[int]]:
        """The routes of each pair of cities."""
        found: dict[tuple[int, int], list[int]] = {}
        for i, r in enumerate(self.board.routes):
            found.setdefault((r.a, r.b), []).append(i)
        return found

    @cached_property
    def open(self) -> set[int]:
        """The routes this seat could still claim, regardless of cards (C3, C7)."""
        return usable_routes(self.view.spec, self._states, self.seat)

    @cached_property
    def mine(self) -> set[int]:
        """The routes this seat has claimed."""
        return set(self.view.routes_of(self.seat))

    @cached_property
    def borrowed(self) -> set[int]:
        """All routes of others to cities with this seat's stations; each may use one (G3)."""
        if "station" not in self.rules.phases:
            return set()
        cities, owners = set(self.view.marks_of(self.seat)), self.view.owners
        return {
            i
            for i, r in enumerate(self.board.routes)
            if owners[i] not in (None, self.seat) and (r.a in cities or r.b in cities)
        }

    @cached_property
    def network(self) -> set[int]:
        """The cities on this seat's routes, and its starting city."""
        cities = {c for i in self.mine for c in (self.board.routes[i].a, self.board.routes[i].b)}
        return cities | set(self.view.marks_of(self.seat)[:1] if self.grows else ())

    @cached_property
    def edges(self) -> list[list[tuple[int, int]]]:
        """By city: the usable routes from it, each with its other end."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.board.cities]
        for i in self.open | self.mine | self.borrowed:
            r = self.board.routes[i]
            found[r.a].append((i, r.b))
            found[r.b].append((i, r.a))
        return found

    @cached_property
    def weight(self) -> dict[int, float]:
        """The cost of each usable route: its cars, and the cards missing for it."""
        weights: dict[int, float] = dict.fromkeys(self.mine | self.borrowed, 0.0)
        best = max(self.hand[:LOCOMOTIVE])
        for i in self.open:
            r = self.board.routes[i]
            have = best if r.color == GRAY else self.hand[r.color]
            missing = max(0, r.length - have) + r.locomotives + (r.kind == "tunnel")
            weights[i] = r.length + missing / 2
        return weights

    def way(self, start: Iterable[int], end: int, free: set[int]) -> list[int] | None:
        """The unclaimed routes of a cheapest path to a city (Dijkstra); None if there is none."""
        came: dict[int, tuple[int, int]] = {}
        best = dict.fromkeys(start, 0.0)
        heap = [(0.0, city) for city in best]
        while heap:
            far, city = heapq.heappop(heap)
            if far > best[city]:
                continue
            if city == end:
                break
            for route, other in self.edges[city]:
                further = far + (0.0 if route in free else self.weight[route])
                if further < best.get(other, 1e9):
                    best[other] = further
                    came[other] = (route, city)
                    heapq.heappush(heap, (further, other))
        if end not in best:
            return None
        routes = []
        while end in came:
            route, end = came[end]
            if route in self.open and route not in free:
                routes.append(route)
        return routes

    def plan(self, tickets: Iterable[int], cars: int) -> Plan:
        """The routes for these tickets with at most `cars`, the most valuable ticket first."""
        made = Plan()
        for t in sorted(tickets, key=lambda t: -self.board.tickets[t].points):
            ticket = self.board.tickets[t]
            ways: list[list[int] | None] = []
            if self.grows and self.network:
                ways.append(self.way(self.network, ticket.a, made.routes))
            free = made.routes | set(ways[0] or () if ways else ())
            ways.append(self.way([ticket.a], ticket.b, free))
            found = {route for way in ways for route in way or ()}
            cost = sum(self.board.routes[i].length for i in found)
            if None in ways or made.cars + cost > cars:
                made.hopeless.append(t)
                made.value -= ticket.points
            else:
                made.routes |= found
                made.cars += cost
                made.value += ticket.points - CAR_PRICE * cost
        return made

    def points(self, route: int) -> int:
        """The points this seat would score at once by claiming a route (C5, W4, A2)."""
        return claim_points(self.view.spec, self._states, self.seat, route)
