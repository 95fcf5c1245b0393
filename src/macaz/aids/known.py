"""The state as far as a seat knows it, for the kernel to judge."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from macaz.aids import StationAid, TunnelAid
from macaz.kernel import layout as at
from macaz.kernel.engine import engine_of
from macaz.kernel.help import Reasons, free_cities, tunnels, why_places
from macaz.kernel.views import redacted_state
from macaz.moves import Station, notation_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from macaz.moves import Move
    from macaz.view import View


class Settled:
    """What a seat would score for if the game ended now: its tickets, and what it would borrow."""

    def __init__(self, known: Known, states: np.ndarray) -> None:
        tally = known.engine.tally(states)
        lanes = tally["borrowed"][known.seat].tolist()[: len(known.view.marks_of(known.seat))]
        routes = known.view.spec.route_of_lane
        self.done = frozenset(np.flatnonzero(tally["done"] == 1).tolist())
        """The completed tickets."""
        self.borrowed = [None if lane < 0 else routes[lane] for lane in lanes]
        """By station, in order of building: the route it borrows."""


class Known:
    """A seat's view as a state: what it may not see is empty, which none of its own acts asks."""

    def __init__(self, view: View, seat: int) -> None:
        self.view, self.seat = view, seat
        self.engine = engine_of(view.spec)
        self._states = redacted_state(view.record)

    @cached_property
    def legal(self) -> list[Move]:
        """What the seat may do now."""
        choosing = self.view.phase == "choose"
        if not (self.seat in self.view.choosing if choosing else self._decides):
            return []
        notation = notation_of(self.view.spec)
        return [
            notation.move(action, self.view.offer)
            for action in self.engine.legal(self._states, self.seat)
        ]

    @property
    def free_cities(self) -> set[int]:
        """The cities where a station, marker or starting city may still be placed."""
        return free_cities(self.view.spec, self._states)

    @property
    def reasons(self) -> Reasons:
        """Why the seat cannot choose the places of the map now."""
        return why_places(self.view.spec, self._states, self.seat)

    @property
    def _decides(self) -> bool:
        return self.engine.actor(self._states) == self.seat

    @cached_property
    def settled(self) -> Settled:
        """What would count if the game ended now."""
        return Settled(self, self._states)

    def with_ticket(self, ticket: int) -> Settled:
        """The same if the seat held that ticket too."""
        states = self._states.copy()
        states["ticket"][0, ticket] = at.HELD + self.seat
        return Settled(self, states)

    def station_aids(self) -> tuple[StationAid, ...]:
        """Where a station may be built now and would complete a ticket (G1, G3)."""
        found = []
        for city in sorted({move.city for move in self.legal if isinstance(move, Station)}):
            states = self._states.copy()
            marks = states["marks"][0, self.seat]
            marks[len(self.view.marks_of(self.seat))] = city
            done = np.flatnonzero(self.engine.tally(states)["done"] == 1).tolist()
            if rescues := self._held(done) - self.settled.done:
                found.append(StationAid(city, tuple(sorted(rescues))))
        return tuple(found)

    def tunnel_aids(self) -> tuple[TunnelAid, ...]:
        """For each colour that a tunnel can be tried with now, what it may cost beside."""
        return tuple(
            TunnelAid(one.color, tuple(map(float, one.odds)), one.payable)
            for one in tunnels(self.view.spec, self._states, self.seat)
        )

    def _held(self, tickets: Iterable[int]) -> set[int]:
        return set(tickets) & set(self.view.tickets)
