"""Whether a reason is true: worked out again, without the kernel."""

from __future__ import annotations

from math import comb, sqrt
from typing import Any

import numpy as np
from tests.help.reason_facts import Facts, Route

from macaz.edition.board import GRAY, LOCOMOTIVE
from macaz.game.moves import Choose, Claim, Keep, MoveAlvin, Start, Station, Take
from macaz.help.compiled.reason_codes import ENOUGH
from macaz.help.reasons import Reason


class Checker(Facts):
    """Checks the reasons for a move of a view's seat against another move, one method a code."""

    def holds(self, reason: Reason) -> bool:
        """Whether the reason is true."""
        check = getattr(self, "_" + reason.code.replace("-", "_"))
        return bool(check(reason))

    # -- claims ------------------------------------------------------------------------------------

    def _completes_ticket(self, r: Any) -> Any:
        assert r.route == self.route is not None
        right = r.amount == self.board.tickets[r.ticket].points and r.ticket in self.view.tickets
        only: frozenset[Route] = frozenset()
        before = self.spaces(r.ticket, only=only)
        return right and before != 0 and self.spaces(r.ticket, frozenset({r.route}), only=only) == 0

    def _serves_ticket(self, r: Any) -> Any:
        assert r.route == self.route is not None
        now = self.spaces(r.ticket)
        without = self.spaces(r.ticket, closed=self.closed_with(r.route))
        assert now is not None
        assert without is not None
        return self.on_way(r.route, r.ticket) and r.amount == without - now

    def _only_way(self, r: Any) -> Any:
        assert r.route == self.route is not None
        left = self.rules.stations - len(self.built)
        without = self.spaces(r.ticket, closed=self.closed_with(r.route), new=left)
        return self.on_way(r.route, r.ticket) and without is None

    def _needs_station(self, r: Any) -> Any:
        assert r.route == self.route is not None
        closed = self.closed_with(r.route)
        fewer = self.spaces(r.ticket, closed=closed, new=(r.amount or 0) - 1)
        return self.on_way(r.route, r.ticket) and (r.amount or 0) > 0 and fewer is None

    def _network(self, r: Any) -> Any:
        assert r.route == self.route is not None
        mine = self.network(self.own)
        routes = self.board.routes
        apart = {i for i, x in enumerate(routes) if not {x.a, x.b} & mine}
        now = self.spaces(r.ticket)
        touches = bool({routes[r.route].a, routes[r.route].b} & mine)
        only = frozenset(apart | {r.route})
        apart_now = now is not None and self.spaces(r.ticket, only=only) == now
        return touches and apart_now and self.on_way(r.route, r.ticket)

    def _contested(self, r: Any) -> Any:
        assert r.route == self.route is not None
        shares = self.taken(self.other, r.route)
        counted = sum(shares) if r.seat is None else shares[r.seat]
        return self.is_share(self.other, counted, r.share) and r.route in self.usable(self.seat)

    def _blocks(self, r: Any) -> Any:
        return self._contested(r)

    def _points(self, r: Any) -> Any:
        return r.route == self.route is not None and r.amount == self.points_of(self.seat, r.route)

    def _gives_points(self, r: Any) -> Any:
        route = self.claimed(self.instead)
        assert r.seat not in (None, self.seat)
        return r.route == route is not None and r.amount == self.points_of(r.seat, route)

    def _serves_none(self, r: Any) -> Any:
        assert r.route == self.claimed(self.instead) is not None
        for ticket in self.view.tickets:
            now, then = self.spaces(ticket), self.spaces(ticket, frozenset({r.route}))
            if ticket in self.ways and now and then is not None and then < now:
                return False
        return True

    def _captures_alvin(self, r: Any) -> Any:
        assert self.route is not None
        x = self.board.routes[self.route]
        here = r.city == self.view.alvin_city in (x.a, x.b)
        return here and self.view.alvin_holder != self.seat and r.amount == self.rules.alvin_points

    def _longest_path(self, r: Any) -> Any:
        return self.bonus(r, "longest", self.rules.longest_points)

    def _most_tickets(self, r: Any) -> Any:
        return self.bonus(r, "globetrotter", self.rules.globetrotter_points)

    def _alvin_held(self, r: Any) -> Any:
        return self.bonus(r, "alvin", self.rules.alvin_points)

    # -- time --------------------------------------------------------------------------------------

    def _ends_game(self, r: Any) -> Any:
        assert self.route is not None
        left = self.trains - self.board.routes[self.route].length
        return left <= self.rules.last_trains and not self.view.last_turns

    def _last_turn(self, r: Any) -> Any:
        return self.turns_of(self.seat) == 1 and self.view.turn == self.seat

    def mean_turns(self, amount: int | None) -> bool:
        turns = float(self.one["turns"] / self.one["tries"])
        return (
            int(self.one["tries"]) >= ENOUGH and amount is not None and abs(turns - amount) <= 0.5
        )

    def _few_turns(self, r: Any) -> Any:
        fewest = r.of == self.view.trains[r.seat] == min(self.view.trains)
        return self.mean_turns(r.amount) and fewest

    def _many_turns(self, r: Any) -> Any:
        return self.mean_turns(r.amount) and not self.view.last_turns

    # -- cards -------------------------------------------------------------------------------------

    def with_card(self, color: int | None) -> tuple[int, ...]:
        assert isinstance(self.move, Take)
        assert color == int(self.move.color)
        return tuple(n + (c == color) for c, n in enumerate(self.hand))

    def _can_pay(self, r: Any) -> Any:
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

    def _needed_card(self, r: Any) -> Any:
        x = self.board.routes[r.route]
        takes = x.locomotives if r.color == LOCOMOTIVE else x.length - x.locomotives
        fits = r.color == LOCOMOTIVE or x.color in (GRAY, r.color)
        fewer = self.short(r.route, self.with_card(r.color)) < self.short(r.route, self.hand)
        amounts = (r.amount, r.of) == (self.hand[r.color], takes)
        return fits and fewer and amounts and self.on_way(r.route, r.ticket)

    def _card_used(self, r: Any) -> Any:
        needed = self.one["needed"] / self.one["tries"]
        shown = [c for c, n in enumerate(self.view.row) if n and c not in (r.color, LOCOMOTIVE)]
        others = max((float(needed[c]) for c in shown), default=0.0)
        apart = r.share >= others + 0.1 - 1e-9
        return self.is_share(self.one, float(needed[r.color]), r.share) and apart

    def _no_face_up(self, r: Any) -> Any:
        first = self.view.phase == "turn"
        shown = {c for c, n in enumerate(self.view.row) if n and (c != LOCOMOTIVE or first)}
        missing = [i for i in self.lacking() if self.easiest(i) > 0]
        colors = {self.board.routes[i].color for i in missing}
        return bool(missing) and not shown & {*colors, LOCOMOTIVE} and GRAY not in colors

    def _cannot_pay(self, r: Any) -> Any:
        return bool(self.lacking()) and all(self.easiest(i) > 0 for i in self.lacking())

    def _few_cards(self, r: Any) -> Any:
        held = sum(self.hand)
        right = r.amount == self.spaces(r.ticket) and r.of == held and r.amount > held
        return right and r.ticket in self.view.tickets

    def _can_wait(self, r: Any) -> Any:
        assert r.route == self.claimed(self.instead) is not None
        right = self.is_share(self.one, sum(self.taken(self.one, r.route)), r.share)
        return right and self.on_way(r.route, r.ticket)

    def _keeps_cards(self, r: Any) -> Any:
        spent = self.price(self.instead)[r.color]
        right = r.amount == spent - self.price(self.move)[r.color] > 0
        if r.route is None:
            return right
        x = self.board.routes[r.route]
        takes = x.locomotives if r.color == LOCOMOTIVE else x.length - x.locomotives
        fits = r.color in (x.color, LOCOMOTIVE)
        return (
            right and fits and r.route in self.ways[r.ticket] and self.hand[r.color] - spent < takes
        )

    # -- tickets -----------------------------------------------------------------------------------

    def kept(self, move: Any) -> set[int]:
        return set(move.tickets) if isinstance(move, Keep | Choose) else set()

    def _ticket_ready(self, r: Any) -> Any:
        done = self.spaces(r.ticket, only=frozenset()) == 0
        return done and r.ticket in self.kept(self.move) and self.worth(r)

    def worth(self, r: Any) -> Any:
        return r.amount == self.board.tickets[r.ticket].points

    def done(self, line: np.void, ticket: int) -> float:
        return float(line["done"][ticket] / line["held"][ticket])

    def _ticket_fits(self, r: Any) -> Any:
        kept = r.ticket in self.kept(self.move)
        return (
            kept
            and self.worth(r)
            and self.is_share(self.one, self.done(self.one, r.ticket), r.share)
        )

    def _ticket_near(self, r: Any) -> Any:
        return r.ticket in self.kept(self.move) and r.amount == self.spaces(r.ticket)

    def _ticket_shared(self, r: Any) -> Any:
        way = frozenset(self.ways[r.other])
        mine = self.kept(self.move) | set(self.view.tickets)
        right = {r.ticket, r.other} <= mine and r.of == self.spaces(r.ticket)
        return right and r.amount == self.spaces(r.ticket, way)

    def _ticket_risk(self, r: Any) -> Any:
        kept = r.ticket in self.kept(self.instead) - self.kept(self.move)
        share = self.is_share(self.other, self.done(self.other, r.ticket), r.share)
        return kept and share and self.worth(r)

    def _ticket_lost(self, r: Any) -> Any:
        left = self.rules.stations - len(self.built)
        kept = r.ticket in self.kept(self.instead) - self.kept(self.move)
        return kept and self.worth(r) and self.spaces(r.ticket, new=left) is None

    def _all_done(self, r: Any) -> Any:
        open_ = [t for t in self.view.tickets if self.spaces(t, only=frozenset()) != 0]
        return not open_ and bool(self.view.tickets) and r.amount == self.trains

    def _ticket_odds(self, r: Any) -> Any:
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
        draws = self.rules.tunnel_cards
        first = min(draws, self.view.deck_size)
        odds = np.convolve(
            self.fitting(deck, color, first),
            self.fitting(np.array(self.view.discards), color, draws - first),
        )
        return float(odds[: spare + 1].sum()), spare

    def fitting(self, pile: np.ndarray, color: int, draws: int) -> list[float]:
        """The odds that so many cards of a pile have 0, 1, 2, … that count for a colour."""
        fits = int(pile[LOCOMOTIVE]) + (int(pile[color]) if color != LOCOMOTIVE else 0)
        total = int(pile.sum())
        draws = min(draws, total)
        ways = [comb(fits, n) * comb(total - fits, draws - n) for n in range(draws + 1)]
        return [n / comb(total, draws) for n in ways]

    def _tunnel_sure(self, r: Any) -> Any:
        return r.route == self.route and self.chance(self.move)[0] > 1 - 1e-9

    def _tunnel_odds(self, r: Any) -> Any:
        chance, spare = self.chance(self.move)
        return r.route == self.route and abs(chance - r.share) < 1e-9 and r.amount == spare

    def _tunnel_risk(self, r: Any) -> Any:
        chance, _ = self.chance(self.instead)
        return r.route == self.claimed(self.instead) and abs(1 - chance - r.share) < 1e-9

    # -- cities ------------------------------------------------------------------------------------

    def at_station(self, ticket: int, only: frozenset[Route] | None = None) -> int | None:
        assert isinstance(self.move, Station)
        return self.spaces(ticket, only=only, new=1, cities={self.move.city})

    def _station_completes(self, r: Any) -> Any:
        assert r.city == self.move.city
        before = self.spaces(r.ticket, only=frozenset())
        return before != 0 and self.at_station(r.ticket, frozenset()) == 0 and self.worth(r)

    def _station_nearer(self, r: Any) -> Any:
        assert r.city == self.move.city
        return r.of == self.spaces(r.ticket) and r.amount == self.at_station(r.ticket)

    def _station_needed(self, r: Any) -> Any:
        assert r.city == self.move.city
        return self.spaces(r.ticket) is None and r.amount == self.at_station(r.ticket)

    def _station_kept(self, r: Any) -> Any:
        return isinstance(self.instead, Station) and r.amount == self.rules.station_points

    def _start_tickets(self, r: Any) -> Any:
        assert isinstance(self.move, Start)
        ends = [{self.board.tickets[t].a, self.board.tickets[t].b} for t in self.view.tickets]
        return r.city == self.move.city and r.amount == sum(r.city in pair for pair in ends)

    def _start_nearer(self, r: Any) -> Any:
        there = self.spaces(r.ticket, root=self.instead.city)
        here = self.spaces(r.ticket, root=self.move.city)
        assert here is not None
        assert there is not None
        return (r.city, r.amount, r.of) == (self.move.city, here, there) and here < there

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

    def _marker(self, r: Any) -> Any:
        assert r.city == self.move.city
        return (r.amount, r.of) == self.open_at(r.city)

    def _marker_little(self, r: Any) -> Any:
        assert self.view.claiming is not None
        x = self.board.routes[self.view.claiming]
        marked = {c for p in range(self.view.seats) for c in self.view.marks_of(p)}
        ends = (
            {x.a, x.b} - marked - {self.board.city_index(self.rules.alvin_city)}
            if (self.rules.alvin_city)
            else {x.a, x.b} - marked
        )
        return r.amount == max(self.open_at(city)[0] for city in ends)

    def _alvin_safe(self, r: Any) -> Any:
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

    def _more_for_routes(self, r: Any) -> Any:
        return self.more(r.amount, self.one["routes"], self.other["routes"])

    def _more_for_tickets(self, r: Any) -> Any:
        return self.more(r.amount, self.one["tickets"], self.other["tickets"])

    def _less_for_other(self, r: Any) -> Any:
        assert r.seat not in (None, self.seat)
        return self.more(r.amount, -self.one["points"][r.seat], -self.other["points"][r.seat])
