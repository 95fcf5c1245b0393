"""A view as a state, for queries to the kernel."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from macaz.game.moves import notation_of
from macaz.game.view import routes_of
from macaz.help.aids import StationAid, TicketAid, TunnelAid
from macaz.kernel import layout as at
from macaz.kernel.engine import engine_of
from macaz.kernel.help import Reasons, station_rescues, ticket_plans, tunnels, why_places
from macaz.kernel.views import redacted_state

if TYPE_CHECKING:
    import numpy as np

    from macaz.game.moves import Move
    from macaz.game.view import View


class Known:
    """A seat's view as a state; hidden parts are empty, as its own moves do not depend on them."""

    def __init__(self, view: View, seat: int) -> None:
        self.view, self.seat = view, seat
        self.engine = engine_of(view.spec)
        self._states = redacted_state(view.record)

    @cached_property
    def legal(self) -> list[Move]:
        """The legal moves of the seat."""
        choosing = self.view.phase == "choose"
        if not (self.seat in self.view.choosing if choosing else self._decides):
            return []
        notation = notation_of(self.view.spec)
        return [
            notation.move(action, self.view.offer)
            for action in self.engine.legal(self._states, self.seat)
        ]

    @property
    def reasons(self) -> Reasons:
        """Why the seat cannot choose each route and city now."""
        return why_places(self.view.spec, self._states, self.seat)

    @property
    def _decides(self) -> bool:
        return self.engine.actor(self._states) == self.seat

    def ticket_aids(self) -> tuple[TicketAid, ...]:
        """The aids for the tickets that the seat holds, then for those it is offered."""
        [plan] = ticket_plans(self.view.spec, self._states, self.seat)
        return tuple(
            _ticket_aid(self.view, ticket, plan, offered=offered)
            for tickets, offered in ((self.view.tickets, False), (self.view.offer, True))
            for ticket in tickets
        )

    def station_aids(self) -> tuple[StationAid, ...]:
        """The cities where a station can be built now and would complete a ticket (G1, G3)."""
        found = station_rescues(self.view.spec, self._states, self.seat)
        return tuple(StationAid(city, tickets) for city, tickets in found.items())

    def tunnel_aids(self) -> tuple[TunnelAid, ...]:
        """The aid for each colour that a tunnel can be paid with now."""
        return tuple(
            TunnelAid(one.color, tuple(map(float, one.odds)), one.payable)
            for one in tunnels(self.view.spec, self._states, self.seat)
        )


def _ticket_aid(view: View, ticket: int, plan: np.void, *, offered: bool) -> TicketAid:
    state = at.TICKET_STATES[int(plan["state"][ticket]) - at.TICKET_DONE]
    return TicketAid(
        ticket,
        offered,
        state,
        None if state == "impossible" else int(plan["spaces"][ticket]),
        int(plan["stations"][ticket]),
        routes_of(view.spec, plan["way"][ticket]),
    )
