"""How each ticket stands, and a cheapest way to complete it (K3, C3, C7, G3, W2, E1)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from macaz.aids import TicketAid
from macaz.aids.rescue import Rescue, distances
from macaz.aids.ways import Network, Way, spaces_of
from macaz.chart import Chart

if TYPE_CHECKING:
    import numpy as np

    from macaz.aids.known import Known
    from macaz.kernel.help import Settled

_MID_CLAIM = ("tunnel", "deal-tunnel")


def ticket_aids(known: Known) -> tuple[TicketAid, ...]:
    """The tickets that the seat holds, then those that it is offered, each looked at by itself."""
    plans = _Plans(known)
    held = [plans.aid(t, known.settled, offered=False) for t in known.view.tickets]
    offered = [plans.aid(t, known.with_ticket(t), offered=True) for t in known.view.offer]
    return (*held, *offered)


class _Plans:
    """What a seat can still do for its tickets."""

    def __init__(self, known: Known) -> None:
        self._known, self.view, self.seat = known, known.view, known.seat
        self.chart = Chart(self.view, self.seat)
        self.board, self.rules = self.view.edition.board, self.view.edition.rules
        self.trains = self.view.trains[self.seat]
        self.built = self.view.marks_of(self.seat) if "station" in self.rules.phases else ()
        self._networks: dict[tuple[int | None, ...], Network] = {}
        self._rescues: dict[frozenset[int], Rescue] = {}

    def aid(self, ticket: int, settled: Settled, *, offered: bool) -> TicketAid:
        """How a ticket stands."""
        a, b = self.board.tickets[ticket].a, self.board.tickets[ticket].b
        if ticket in settled.done:
            lent = [route for route in settled.borrowed if route is not None]
            way = Network(self.board, free={*self.chart.mine, *lent}).way(a, b)
            assert way is not None, "what is done is connected"
            return TicketAid(ticket, offered, "done", 0, 0, tuple(sorted(way.routes)))
        found = None if self.view.over else self._way(a, b, settled)
        if found is None:
            return TicketAid(ticket, offered, "impossible", None, 0, ())
        way, stations = found
        spaces = spaces_of(self.board, way)
        return TicketAid(ticket, offered, "open", spaces, stations, tuple(sorted(way.routes)))

    def _way(self, a: int, b: int, settled: Settled) -> tuple[Way, int] | None:
        """A way that the trains suffice for, and how many new stations it needs."""
        way = self._grown(a, b) if self.chart.grows else self._network(settled).way(a, b)
        if (payable := self._payable(way)) is not None:
            return payable, 0
        return self._rescued(a, b) if "station" in self.rules.phases else None

    def _payable(self, way: Way | None) -> Way | None:
        """A way, if the trains suffice for it."""
        return way if way is None or spaces_of(self.board, way) <= self.trains else None

    # -- what is left to do ------------------------------------------------------------------

    @cached_property
    def last_turns(self) -> frozenset[int] | None:
        """The seats that have a turn left, in the last round; None before it (E1)."""
        view, count = self.view, self.view.seats
        if view.last_turns:
            return frozenset((view.turn + i) % count for i in range(view.last_turns))
        ending = self._known.ends_soon
        if ending and view.phase not in ("turn", *_MID_CLAIM):  # it begins after this turn
            return frozenset(range(count))
        return None

    def acts_of(self, seat: int) -> int | None:
        """How many routes or stations a seat can still take or build; None: any number."""
        if self.last_turns is None:
            return None
        view = self.view
        under_way = view.turn == seat and view.phase not in ("turn", *_MID_CLAIM)
        return int(seat in self.last_turns and not (under_way and view.last_turns))

    def open_to(self, seat: int) -> set[int]:
        """The routes that a seat can still claim."""
        acts = self.acts_of(seat)
        found = Chart(self.view, seat).open if acts != 0 else set()
        return found & {self.view.claiming} if acts and self._in_tunnel(seat) else found

    def _in_tunnel(self, seat: int) -> bool:
        """Whether a seat has yet to pay for a tunnel that it has tried."""
        return self.view.turn == seat and self.view.phase in _MID_CLAIM

    @cached_property
    def acts(self) -> int | None:
        """How much this seat can still do."""
        return self.acts_of(self.seat)

    @cached_property
    def open(self) -> set[int]:
        """The routes that this seat can still claim."""
        return self.open_to(self.seat)

    # -- ways by claims ----------------------------------------------------------------------

    def _network(self, settled: Settled) -> Network:
        """Own routes and open ones, and what stations lend that have nothing better to do."""
        key = tuple(settled.borrowed)
        if key not in self._networks:
            pairs = zip(self.built, settled.borrowed, strict=True)
            self._networks[key] = Network(
                self.board,
                free={*self.chart.mine, *(route for route in key if route is not None)},
                open_=self.open,
                claims=self.acts,
                stations=[city for city, route in pairs if route is None],
                lent=self._taken,
            )
        return self._networks[key]

    def _grown(self, a: int, b: int) -> Way | None:
        """Own routes and open ones where all must hang together, from the starting city on (W2)."""
        roots = self.chart.network or self._sites
        if self.acts is not None:
            return self._grown_once(a, b)
        network = Network(self.board, free=self.chart.mine, open_=self.open)
        parts = [network.reach(cities) for cities in (roots, [a], [b])]
        # Three ends of a tree meet in one city.
        sums = [
            (sum(part.prices[city] for part in parts), city)
            for city in range(len(self.board.cities))
            if all(city in part.prices for part in parts)
        ]
        if not sums:
            return None
        price, city = min(sums)
        ways = [way for part in parts if (way := part.way(city)) is not None]
        return Way(price, frozenset().union(*(way.routes for way in ways)))

    def _grown_once(self, a: int, b: int) -> Way | None:
        """With one claim: a route that leaves the network and makes it reach both cities."""
        found = []
        for route in self.open:
            ends = {self.board.routes[route].a, self.board.routes[route].b}
            if ends & self.chart.network and {a, b} <= ends | self.chart.network:
                one = Network(self.board, free=self.chart.mine, open_=[route])
                found.append(one.way(a, b))
        return min((way for way in found if way is not None), default=None)

    # -- ways by stations --------------------------------------------------------------------

    @cached_property
    def _taken(self) -> set[int]:
        """The routes that others have."""
        owners = self.view.owners
        return {i for i, owner in enumerate(owners) if owner not in (None, self.seat)}

    @cached_property
    def _hoped(self) -> set[int]:
        """The open routes that somebody else could still claim."""
        others = [seat for seat in range(self.view.seats) if seat != self.seat]
        return set().union(*(self.open_to(seat) for seat in others))

    @cached_property
    def _sites(self) -> set[int]:
        """The cities where a station may stand, or a seat begin (G1, S7, A1)."""
        return self._known.free_cities

    def _rescued(self, a: int, b: int) -> tuple[Way, int] | None:
        """A way by stations: with routes that others have, or at worst could still claim."""
        for lent in (self._taken, self._taken | self._hoped):
            way = self._payable(self._lent(a, b, self.built, lent)) if self.built else None
            if way is not None:
                return way, 0
            new = self._rescue(frozenset(lent)).stations(a, b) if self._left else None
            if new is not None:
                way = self._lent(a, b, (*self.built, *new), lent)
                assert way is not None, "these stations suffice"
                return way, len(new)
        return None

    def _lent(self, a: int, b: int, stations: tuple[int, ...], lent: set[int]) -> Way | None:
        """The cheapest way if all these stations stood, whatever they lend for other tickets."""
        building = len(stations) > len(self.built)
        return Network(
            self.board,
            free=self.chart.mine,
            open_=self._while_building if building else self.open,
            claims=None if building else self.acts,
            stations=stations,
            lent=lent,
        ).way(a, b)

    def _rescue(self, lent: frozenset[int]) -> Rescue:
        if lent not in self._rescues:
            self._rescues[lent] = Rescue(
                self.board,
                self._far,
                lent,
                built=self.built,
                sites=self._sites,
                left=self._left,
                most=self.trains,
            )
        return self._rescues[lent]

    @cached_property
    def _far(self) -> np.ndarray:
        return distances(self.board, self.chart.mine, self._while_building)

    @cached_property
    def _while_building(self) -> set[int]:
        """The routes that it can claim beside building stations: none with its last turn."""
        return self.open if self.acts is None else set()

    @cached_property
    def _left(self) -> int:
        """How many stations it can still build."""
        left = self.rules.stations - len(self.built)
        if self.acts is None:
            return left
        return 0 if self._in_tunnel(self.seat) else min(left, self.acts)
