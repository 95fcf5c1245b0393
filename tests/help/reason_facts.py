"""Facts of a position, worked out from the view and the counts of tries, without the kernel.

Ways are found by a search over cities, points by the rules of the edition. Only which of several
cheapest ways is meant is taken from the aids, which have tests of their own.
"""

from __future__ import annotations

from functools import cached_property
from heapq import heappop, heappush
from typing import Any

import numpy as np

from macaz.edition.board import GRAY, LOCOMOTIVE
from macaz.game.moves import (
    Claim,
    Mark,
    PayTunnel,
    Station,
    notation_of,
)
from macaz.game.view import View
from macaz.help.aids import aids_of
from macaz.help.compiled.reason_codes import ENOUGH

Route = int


class Facts:
    """Facts about a move of a view's seat and another move."""

    def __init__(self, view: View, one: np.void, other: np.void) -> None:
        assert view.seat is not None
        self.view, self.seat, self.one, self.other = view, view.seat, one, other
        self.board, self.rules = view.edition.board, view.edition.rules
        notation = notation_of(view.spec)
        self.move: Any = notation.move(int(one["action"]), view.offer)
        self.instead: Any = notation.move(int(other["action"]), view.offer)
        self.own = frozenset(view.routes_of(self.seat))
        self.trains = view.trains[self.seat]
        self.hand = view.hand_of(self.seat)

    # -- ways --------------------------------------------------------------------------------------

    def claimed(self, move: Any) -> Route | None:
        if isinstance(move, Claim):
            return move.route
        return self.view.claiming if isinstance(move, PayTunnel) else None

    @property
    def route(self) -> Route | None:
        return self.claimed(self.move)

    def closed_with(self, route: Route) -> frozenset[Route]:
        """What is closed to the seat if another one claims a route (C7)."""
        if self.view.seats < self.rules.parallel_from:
            return frozenset(self.board.pair_lanes(route))
        return frozenset({route})

    def usable(self, seat: int, own: frozenset[Route] | None = None) -> frozenset[Route]:
        """What a seat may still claim, cards and networks aside (C3, C4, C7)."""
        found = set()
        for i, route in enumerate(self.board.routes):
            taken = [self.view.owners[j] for j in self.board.pair_lanes(i)]
            owners = {owner for owner in taken if owner is not None}
            shut = seat in owners or (owners and self.view.seats < self.rules.parallel_from)
            if self.view.owners[i] is None and not shut and route.length <= self.view.trains[seat]:
                found.add(i)
        if own is not None:
            pairs = {j for i in own for j in self.board.pair_lanes(i)}
            found -= pairs
        return frozenset(found)

    def far(
        self, starts: set[int], cost: dict[Route, int], lent: frozenset[Route], most: int
    ) -> Any:
        """The spaces that are missing to each city, with so many lent routes at most."""
        best: dict[tuple[int, int], int] = {}
        heap = [(0, city, 0) for city in starts]
        while heap:
            spaces, city, used = heappop(heap)
            if best.get((city, used), 10_000) <= spaces:
                continue
            best[city, used] = spaces
            for i, route in enumerate(self.board.routes):
                if city in (route.a, route.b):
                    end = route.a + route.b - city
                    if i in cost:
                        heappush(heap, (spaces + cost[i], end, used))
                    elif i in lent and used < most:
                        heappush(heap, (spaces, end, used + 1))
        found: dict[int, int] = {}
        for (city, _), spaces in best.items():
            found[city] = min(spaces, found.get(city, 10_000))
        return found

    @property
    def built(self) -> set[int]:
        return set(self.view.marks_of(self.seat)) if self.rules.stations else set()

    def lendable(self, cities: set[int] | None) -> frozenset[Route]:
        """Routes of others that end in some cities, or anywhere."""
        return frozenset(
            i
            for i, route in enumerate(self.board.routes)
            if self.view.owners[i] not in (None, self.seat)
            and (cities is None or {route.a, route.b} & cities)
        )

    def spaces(
        self,
        ticket: int,
        more: frozenset[Route] = frozenset(),
        closed: frozenset[Route] = frozenset(),
        only: frozenset[Route] | None = None,
        *,
        new: int = 0,
        cities: set[int] | None = None,
        root: int | None = None,
    ) -> int | None:
        """The spaces that a ticket lacks after the seat claimed `more`; None if it is impossible.

        `new` stations may stand in any of `cities`, or anywhere.
        """
        own = self.own | more
        trains = self.trains - sum(self.board.routes[i].length for i in more)
        open_ = self.usable(self.seat, own) - closed
        if only is not None:
            open_ &= only
        cost = dict.fromkeys(own, 0) | {i: self.board.routes[i].length for i in open_ - own}
        a, b = self.board.tickets[ticket].a, self.board.tickets[ticket].b
        lent = self.lendable(self.built)
        most = len(self.built)
        if new:
            lent |= self.lendable(cities)
            most += new
        first = self.far({a}, cost, lent, most)
        if "start-city" in self.rules.phases:
            last = self.far({b}, cost, lent, most)
            begun = bool(self.own or self.view.marks_of(self.seat))
            roots = self.network(self.own if begun else own) if root is None else {root}
            near = self.far(roots, cost, lent, most)
            sums = [first[c] + last[c] + near[c] for c in first if c in last and c in near]
            found = min(sums, default=10_000)
        else:
            found = first.get(b, 10_000)
        return found if found <= trains else None

    def network(self, own: frozenset[Route]) -> set[int]:
        """The cities of a seat's network; all free ones before it has a start (W2)."""
        found = set(self.view.marks_of(self.seat)[:1])
        for i in own:
            found |= {self.board.routes[i].a, self.board.routes[i].b}
        marked = {c for p in range(self.view.seats) for c in self.view.marks_of(p)}
        return found or set(range(len(self.board.cities))) - marked

    def saves(self, route: Route, ticket: int) -> int:
        """How many spaces of a ticket's way a claim saves beyond its own: 0 on a cheapest way."""
        now, then = self.spaces(ticket), self.spaces(ticket, frozenset({route}))
        assert now is not None
        assert then is not None
        return self.board.routes[route].length - (now - then)

    def on_way(self, route: Route, ticket: int) -> bool:
        return ticket in self.view.tickets and self.saves(route, ticket) == 0

    @cached_property
    def ways(self) -> dict[int, tuple[int, ...]]:
        """By ticket that is open: the routes that a cheapest way lacks."""
        return {
            aid.ticket: tuple(i for i in aid.way if self.view.owners[i] is None)
            for aid in aids_of(self.view).tickets
            if aid.state == "open"
        }

    def lacking(self) -> set[Route]:
        return {i for t, way in self.ways.items() if t in self.view.tickets for i in way}

    # -- cards -------------------------------------------------------------------------------------

    def short(self, route: Route, hand: tuple[int, ...]) -> int:
        """The fewest cards that a hand lacks for a route (C1, C2, F1)."""
        r = self.board.routes[route]
        best = 100
        for color in range(LOCOMOTIVE) if r.color == GRAY else [r.color]:
            for locos in range(r.locomotives, r.length + 1):
                lack = max(0, locos - hand[LOCOMOTIVE])
                best = min(best, lack + max(0, r.length - locos - hand[color]))
        return best

    def easiest(self, route: Route) -> int:
        """The same for the route or an open one beside it of the same length."""
        mine = self.usable(self.seat)
        lanes = [i for i in self.board.pair_lanes(route) if i in mine or i == route]
        length = self.board.routes[route].length
        return min(self.short(i, self.hand) for i in lanes if self.board.routes[i].length == length)

    def price(self, move: Any) -> list[int]:
        """The cards that a move spends, by kind."""
        found = [0] * (LOCOMOTIVE + 1)
        if isinstance(move, Claim):
            locos, color = move.locomotives, int(move.color)
            cards = self.board.routes[move.route].length - locos
        elif isinstance(move, Station | Mark):
            cost = self.rules.marker_cards
            if isinstance(move, Station):
                cost = len(self.view.marks_of(self.seat)) + 1
            color = int(move.color)
            locos = cost if color == LOCOMOTIVE else move.locomotives
            cards = cost - locos
        elif isinstance(move, PayTunnel):
            locos, color = move.locomotives, next(c for c, n in enumerate(self.view.laid) if n)
            cards = self.view.extra - locos
        else:
            return found
        if color != LOCOMOTIVE:
            found[color] += cards
        found[LOCOMOTIVE] += locos
        return found

    # -- counts ------------------------------------------------------------------------------------

    def taken(self, line: np.void, route: Route) -> list[float]:
        """By seat: the share of tries in which it soon took a route, or closed it."""
        spec = self.view.spec
        lanes = [spec.lane_of_route[i] for i in self.closed_with(route)]
        shares = [float(line["soon"][p, lanes].sum() / line["tries"]) for p in range(spec.seats)]
        shares[self.seat] = 0.0
        return shares

    def is_share(self, line: np.void, counted: float, share: float | None) -> bool:
        return int(line["tries"]) >= ENOUGH and share is not None and abs(counted - share) < 1e-9

    def bonus(self, reason: Any, name: str, points: int) -> bool:
        one = float(self.one[name] / (points * self.one["tries"]))
        other = float(self.other[name] / (points * self.other["tries"]))
        return (
            self.is_share(self.one, one, reason.share)
            and self.is_share(self.other, other, reason.instead)
            and one > other
        )

    def points_of(self, seat: int, route: Route) -> int:
        """What a seat gets when the own one claims a route (C5, W4, W5)."""
        r = self.board.routes[route]
        points = self.rules.route_points[r.length]
        if "controllers" in self.rules.scorers:
            ends = [
                p for p in range(self.view.seats) for c in self.view.marks_of(p) if c in (r.a, r.b)
            ]
            if ends:
                return points * ends.count(seat)
        return points if seat == self.seat else 0

    def turns_of(self, seat: int) -> int | None:
        """The turns that a seat still has in the last round, this one included; else None."""
        view = self.view
        if not view.last_turns:
            return None
        return [(view.turn + i) % view.seats for i in range(view.last_turns)].count(seat)
