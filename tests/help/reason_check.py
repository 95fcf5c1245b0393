"""Whether a reason is true: worked out again from the view and the counts, without the kernel.

Ways are found by a search over cities, odds by binomials, points by the rules of the edition. Only
which of several cheapest ways is meant is taken from the aids, which have tests of their own.
"""

from __future__ import annotations

from functools import cached_property
from heapq import heappop, heappush
from math import comb, sqrt
from typing import Any

import numpy as np

from macaz.edition.board import GRAY, LOCOMOTIVE
from macaz.game.moves import (
    Choose,
    Claim,
    Keep,
    Mark,
    MoveAlvin,
    PayTunnel,
    Start,
    Station,
    Take,
    notation_of,
)
from macaz.game.view import View
from macaz.help.aids import aids_of
from macaz.help.compiled.reason_codes import ENOUGH
from macaz.help.reasons import Reason

Route = int


class Checker:
    """Checks the reasons for a move of a view's seat against another move."""

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

    def holds(self, reason: Reason) -> bool:
        """Whether the reason is true."""
        check = getattr(self, "_" + reason.code.replace("-", "_"))
        return bool(check(reason))

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
            roots = self.network(own) if root is None else {root}
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

    def bonus(self, reason: Reason, name: str, points: int) -> bool:
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

    # -- claims ------------------------------------------------------------------------------------

    def _completes_ticket(self, r: Reason) -> bool:
        assert r.ticket is not None
        assert r.route == self.route is not None
        right = r.amount == self.board.tickets[r.ticket].points and r.ticket in self.view.tickets
        only: frozenset[Route] = frozenset()
        before = self.spaces(r.ticket, only=only)
        return right and before != 0 and self.spaces(r.ticket, frozenset({r.route}), only=only) == 0

    def _serves_ticket(self, r: Reason) -> bool:
        assert r.ticket is not None
        assert r.route == self.route is not None
        now = self.spaces(r.ticket)
        without = self.spaces(r.ticket, closed=self.closed_with(r.route))
        assert now is not None
        assert without is not None
        return self.on_way(r.route, r.ticket) and r.amount == without - now

    def _only_way(self, r: Reason) -> bool:
        assert r.ticket is not None
        assert r.route == self.route is not None
        left = self.rules.stations - len(self.built)
        without = self.spaces(r.ticket, closed=self.closed_with(r.route), new=left)
        return self.on_way(r.route, r.ticket) and without is None

    def _needs_station(self, r: Reason) -> bool:
        assert r.ticket is not None
        assert r.route == self.route is not None
        closed = self.closed_with(r.route)
        fewer = self.spaces(r.ticket, closed=closed, new=(r.amount or 0) - 1)
        return self.on_way(r.route, r.ticket) and (r.amount or 0) > 0 and fewer is None

    def _network(self, r: Reason) -> bool:
        assert r.ticket is not None
        assert r.route == self.route is not None
        mine = self.network(self.own)
        routes = self.board.routes
        apart = {i for i, x in enumerate(routes) if not {x.a, x.b} & mine}
        now = self.spaces(r.ticket)
        touches = bool({routes[r.route].a, routes[r.route].b} & mine)
        only = frozenset(apart | {r.route})
        return touches and now is not None and self.spaces(r.ticket, only=only) == now

    def _contested(self, r: Reason) -> bool:
        assert r.route == self.route is not None
        shares = self.taken(self.other, r.route)
        counted = sum(shares) if r.seat is None else shares[r.seat]
        return self.is_share(self.other, counted, r.share) and r.route in self.usable(self.seat)

    def _blocks(self, r: Reason) -> bool:
        return self._contested(r)

    def _points(self, r: Reason) -> bool:
        return r.route == self.route is not None and r.amount == self.points_of(self.seat, r.route)

    def _gives_points(self, r: Reason) -> bool:
        route = self.claimed(self.instead)
        assert r.seat not in (None, self.seat)
        return r.route == route is not None and r.amount == self.points_of(r.seat, route)

    def _serves_none(self, r: Reason) -> bool:
        assert r.route == self.claimed(self.instead) is not None
        for ticket in self.view.tickets:
            now, then = self.spaces(ticket), self.spaces(ticket, frozenset({r.route}))
            if ticket in self.ways and now and then is not None and then < now:
                return False
        return True

    def _captures_alvin(self, r: Reason) -> bool:
        assert self.route is not None
        x = self.board.routes[self.route]
        here = r.city == self.view.alvin_city in (x.a, x.b)
        return here and self.view.alvin_holder != self.seat and r.amount == self.rules.alvin_points

    def _longest_path(self, r: Reason) -> bool:
        return self.bonus(r, "longest", self.rules.longest_points)

    def _most_tickets(self, r: Reason) -> bool:
        return self.bonus(r, "globetrotter", self.rules.globetrotter_points)

    def _alvin_held(self, r: Reason) -> bool:
        return self.bonus(r, "alvin", self.rules.alvin_points)

    # -- time --------------------------------------------------------------------------------------

    def _ends_game(self, r: Reason) -> bool:
        assert self.route is not None
        left = self.trains - self.board.routes[self.route].length
        return left <= self.rules.last_trains and not self.view.last_turns

    def _last_turn(self, r: Reason) -> bool:
        return self.turns_of(self.seat) == 1 and self.view.turn == self.seat

    def mean_turns(self, amount: int | None) -> bool:
        turns = float(self.one["turns"] / self.one["tries"])
        return (
            int(self.one["tries"]) >= ENOUGH and amount is not None and abs(turns - amount) <= 0.5
        )

    def _few_turns(self, r: Reason) -> bool:
        assert r.seat is not None
        fewest = r.of == self.view.trains[r.seat] == min(self.view.trains)
        return self.mean_turns(r.amount) and fewest

    def _many_turns(self, r: Reason) -> bool:
        return self.mean_turns(r.amount) and not self.view.last_turns

    # -- cards -------------------------------------------------------------------------------------

    def with_card(self, color: int | None) -> tuple[int, ...]:
        assert isinstance(self.move, Take)
        assert color == int(self.move.color)
        return tuple(n + (c == color) for c, n in enumerate(self.hand))

    def _can_pay(self, r: Reason) -> bool:
        assert r.route is not None
        assert r.ticket is not None
        more = self.with_card(r.color)
        network = "start-city" not in self.rules.phases or bool(
            {self.board.routes[r.route].a, self.board.routes[r.route].b} & self.network(self.own)
        )
        pays = self.easiest(r.route) > 0 and self.short(r.route, more) == 0
        return (
            pays
            and network
            and r.route in self.usable(self.seat)
            and self.on_way(r.route, r.ticket)
        )

    def _needed_card(self, r: Reason) -> bool:
        assert r.route is not None
        assert r.ticket is not None
        assert r.color is not None
        x = self.board.routes[r.route]
        takes = x.locomotives if r.color == LOCOMOTIVE else x.length - x.locomotives
        fits = r.color == LOCOMOTIVE or x.color in (GRAY, r.color)
        fewer = self.short(r.route, self.with_card(r.color)) < self.short(r.route, self.hand)
        amounts = (r.amount, r.of) == (self.hand[r.color], takes)
        return fits and fewer and amounts and self.on_way(r.route, r.ticket)

    def _card_used(self, r: Reason) -> bool:
        return self.is_share(
            self.one, float(self.one["needed"][r.color] / self.one["tries"]), r.share
        )

    def _no_face_up(self, r: Reason) -> bool:
        first = self.view.phase == "turn"
        shown = {c for c, n in enumerate(self.view.row) if n and (c != LOCOMOTIVE or first)}
        missing = [i for i in self.lacking() if self.easiest(i) > 0]
        colors = {self.board.routes[i].color for i in missing}
        return bool(missing) and not shown & {*colors, LOCOMOTIVE} and GRAY not in colors

    def _cannot_pay(self, r: Reason) -> bool:
        return bool(self.lacking()) and all(self.easiest(i) > 0 for i in self.lacking())

    def _few_cards(self, r: Reason) -> bool:
        assert r.ticket is not None
        assert r.amount is not None
        held = sum(self.hand)
        return r.amount == self.spaces(r.ticket) and r.of == held and r.amount > held

    def _can_wait(self, r: Reason) -> bool:
        assert r.route == self.claimed(self.instead) is not None
        assert r.ticket is not None
        right = self.is_share(self.one, sum(self.taken(self.one, r.route)), r.share)
        return right and self.on_way(r.route, r.ticket)

    def _keeps_cards(self, r: Reason) -> bool:
        assert r.color is not None
        spent = self.price(self.instead)[r.color]
        right = r.amount == spent - self.price(self.move)[r.color] > 0
        if r.route is None:
            return right
        x = self.board.routes[r.route]
        takes = x.locomotives if r.color == LOCOMOTIVE else x.length - x.locomotives
        fits = r.color in (x.color, LOCOMOTIVE)
        assert r.ticket is not None
        return (
            right and fits and r.route in self.ways[r.ticket] and self.hand[r.color] - spent < takes
        )

    # -- tickets -----------------------------------------------------------------------------------

    def kept(self, move: Any) -> set[int]:
        return set(move.tickets) if isinstance(move, Keep | Choose) else set()

    def _ticket_ready(self, r: Reason) -> bool:
        assert r.ticket is not None
        done = self.spaces(r.ticket, only=frozenset()) == 0
        return done and r.ticket in self.kept(self.move) and self.worth(r)

    def worth(self, r: Reason) -> bool:
        assert r.ticket is not None
        return r.amount == self.board.tickets[r.ticket].points

    def done(self, line: np.void, ticket: int) -> float:
        return float(line["done"][ticket] / line["held"][ticket])

    def _ticket_fits(self, r: Reason) -> bool:
        assert r.ticket is not None
        kept = r.ticket in self.kept(self.move)
        return (
            kept
            and self.worth(r)
            and self.is_share(self.one, self.done(self.one, r.ticket), r.share)
        )

    def _ticket_near(self, r: Reason) -> bool:
        assert r.ticket is not None
        return r.ticket in self.kept(self.move) and r.amount == self.spaces(r.ticket)

    def _ticket_shared(self, r: Reason) -> bool:
        assert r.ticket is not None
        assert r.other is not None
        way = frozenset(self.ways[r.other])
        mine = self.kept(self.move) | set(self.view.tickets)
        right = {r.ticket, r.other} <= mine and r.of == self.spaces(r.ticket)
        return right and r.amount == self.spaces(r.ticket, way)

    def _ticket_risk(self, r: Reason) -> bool:
        assert r.ticket is not None
        kept = r.ticket in self.kept(self.instead) - self.kept(self.move)
        share = self.is_share(self.other, self.done(self.other, r.ticket), r.share)
        return kept and share and self.worth(r)

    def _ticket_lost(self, r: Reason) -> bool:
        assert r.ticket is not None
        left = self.rules.stations - len(self.built)
        kept = r.ticket in self.kept(self.instead) - self.kept(self.move)
        return kept and self.worth(r) and self.spaces(r.ticket, new=left) is None

    def _all_done(self, r: Reason) -> bool:
        open_ = [t for t in self.view.tickets if self.spaces(t, only=frozenset()) != 0]
        return not open_ and bool(self.view.tickets) and r.amount == self.trains

    def _ticket_odds(self, r: Reason) -> bool:
        assert r.ticket is not None
        one, other = self.done(self.one, r.ticket), self.done(self.other, r.ticket)
        error = sqrt(
            one * (1 - one) / self.one["tries"] + other * (1 - other) / self.other["tries"]
        )
        both = self.is_share(self.one, one, r.share) and self.is_share(self.other, other, r.instead)
        return both and one - other >= max(0.1, 2 * error) - 1e-9

    # -- tunnels -----------------------------------------------------------------------------------

    def chance(self, move: Any) -> tuple[float, int]:
        """How likely a tunnel can be paid that a move tries, and the cards to spare for it."""
        assert isinstance(move, Claim)
        assert self.board.routes[move.route].kind == "tunnel"
        spent = self.price(move)
        color = int(move.color)
        left = [n - k for n, k in zip(self.hand, spent, strict=True)]
        spare = left[LOCOMOTIVE] + (left[color] if color != LOCOMOTIVE else 0)
        known = np.array(self.view.row) + self.view.discards + self.hand
        for p in range(self.view.seats):
            if p != self.seat:
                known = known + self.view.seen(p)
        deck = np.minimum(np.array(self.rules.cards) - known, self.view.pool)
        fits = int(deck[LOCOMOTIVE]) + (int(deck[color]) if color != LOCOMOTIVE else 0)
        draws, total = self.rules.tunnel_cards, int(deck.sum())
        assert self.view.deck_size >= draws, "a deck too short is for the tests of the odds"
        good = sum(
            comb(fits, n) * comb(total - fits, draws - n) for n in range(min(spare, draws) + 1)
        )
        return good / comb(total, draws), spare

    def _tunnel_sure(self, r: Reason) -> bool:
        return r.route == self.route and self.chance(self.move)[0] == 1

    def _tunnel_odds(self, r: Reason) -> bool:
        chance, spare = self.chance(self.move)
        assert r.share is not None
        return r.route == self.route and abs(chance - r.share) < 1e-9 and r.amount == spare

    def _tunnel_risk(self, r: Reason) -> bool:
        assert r.share is not None
        chance, _ = self.chance(self.instead)
        return r.route == self.claimed(self.instead) and abs(1 - chance - r.share) < 1e-9

    # -- cities ------------------------------------------------------------------------------------

    def at_station(self, ticket: int, only: frozenset[Route] | None = None) -> int | None:
        assert isinstance(self.move, Station)
        return self.spaces(ticket, only=only, new=1, cities={self.move.city})

    def _station_completes(self, r: Reason) -> bool:
        assert r.ticket is not None
        assert r.city == self.move.city
        before = self.spaces(r.ticket, only=frozenset())
        return before != 0 and self.at_station(r.ticket, frozenset()) == 0 and self.worth(r)

    def _station_nearer(self, r: Reason) -> bool:
        assert r.ticket is not None
        assert r.city == self.move.city
        return r.of == self.spaces(r.ticket) and r.amount == self.at_station(r.ticket)

    def _station_needed(self, r: Reason) -> bool:
        assert r.ticket is not None
        assert r.city == self.move.city
        return self.spaces(r.ticket) is None and r.amount == self.at_station(r.ticket)

    def _station_kept(self, r: Reason) -> bool:
        return isinstance(self.instead, Station) and r.amount == self.rules.station_points

    def _start_tickets(self, r: Reason) -> bool:
        assert isinstance(self.move, Start)
        ends = [{self.board.tickets[t].a, self.board.tickets[t].b} for t in self.view.tickets]
        return r.city == self.move.city and r.amount == sum(r.city in pair for pair in ends)

    def _start_nearer(self, r: Reason) -> bool:
        assert r.ticket is not None
        there = self.spaces(r.ticket, root=self.instead.city)
        return r.amount == self.spaces(r.ticket, root=self.move.city) and r.of == there

    def open_at(self, city: int) -> tuple[int, int]:
        """The points of the routes at a city that others can still claim, and how many they are."""
        others = [self.usable(p) for p in range(self.view.seats) if p != self.seat]
        found = {
            i
            for i in frozenset().union(*others)
            if city in (self.board.routes[i].a, self.board.routes[i].b)
        }
        if self.view.seats < self.rules.parallel_from:
            found = {i for i in found if not set(self.board.pair_lanes(i)[: self.lane(i)]) & found}
        points = sum(self.rules.route_points[self.board.routes[i].length] for i in found)
        return points, len(found)

    def lane(self, route: Route) -> int:
        return self.board.pair_lanes(route).index(route)

    def _marker(self, r: Reason) -> bool:
        assert r.city == self.move.city
        return (r.amount, r.of) == self.open_at(r.city)

    def _marker_little(self, r: Reason) -> bool:
        assert self.view.claiming is not None
        x = self.board.routes[self.view.claiming]
        marked = {c for p in range(self.view.seats) for c in self.view.marks_of(p)}
        ends = (
            {x.a, x.b} - marked - {self.board.city_index(self.rules.alvin_city)}
            if (self.rules.alvin_city)
            else {x.a, x.b} - marked
        )
        return r.amount == max(self.open_at(city)[0] for city in ends)

    def _alvin_safe(self, r: Reason) -> bool:
        assert isinstance(self.move, MoveAlvin)
        assert r.city == self.move.city
        fewer = not isinstance(self.instead, MoveAlvin) or (
            self.open_at(self.instead.city)[1] > (r.amount or 0)
        )
        return fewer and r.amount == self.open_at(r.city)[1]

    # -- averages ----------------------------------------------------------------------------------

    def more(self, amount: int | None, one: float, other: float) -> bool:
        enough = min(self.one["tries"], self.other["tries"]) >= ENOUGH
        more = one / self.one["tries"] - other / self.other["tries"]
        return bool(enough and amount is not None and abs(more - amount) <= 0.5 + 1e-9)

    def _more_for_routes(self, r: Reason) -> bool:
        return self.more(r.amount, self.one["routes"], self.other["routes"])

    def _more_for_tickets(self, r: Reason) -> bool:
        return self.more(r.amount, self.one["tickets"], self.other["tickets"])

    def _less_for_other(self, r: Reason) -> bool:
        assert r.seat not in (None, self.seat)
        return self.more(r.amount, -self.one["points"][r.seat], -self.other["points"][r.seat])
