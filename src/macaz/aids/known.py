"""The state as far as a seat knows it, for the kernel to judge."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from macaz.aids import StationAid, TunnelAid
from macaz.kernel import layout as at
from macaz.kernel.engine import engine_of
from macaz.kernel.help import (
    Reasons,
    Settled,
    few_trains,
    free_cities,
    settled,
    station_rescues,
    tunnels,
    why_places,
)
from macaz.kernel.views import redacted_state
from macaz.moves import notation_of

if TYPE_CHECKING:
    from macaz.moves import Move
    from macaz.view import View


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

    @cached_property
    def ends_soon(self) -> bool:
        """Whether the seat whose turn it is has so few trains that the last round begins."""
        return few_trains(self.view.spec, self._states, self.view.turn)

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
        return settled(self.view.spec, self._states, self.seat)

    def with_ticket(self, ticket: int) -> Settled:
        """The same if the seat held that ticket too."""
        states = self._states.copy()
        states["ticket"][0, ticket] = at.HELD + self.seat
        return settled(self.view.spec, states, self.seat)

    def station_aids(self) -> tuple[StationAid, ...]:
        """Where a station may be built now and would complete a ticket (G1, G3)."""
        found = station_rescues(self.view.spec, self._states, self.seat)
        return tuple(StationAid(city, tickets) for city, tickets in found.items())

    def tunnel_aids(self) -> tuple[TunnelAid, ...]:
        """For each colour that a tunnel can be tried with now, what it may cost beside."""
        return tuple(
            TunnelAid(one.color, tuple(map(float, one.odds)), one.payable)
            for one in tunnels(self.view.spec, self._states, self.seat)
        )
