"""Aids for planning: what a seat could work out from its view, worked out for it.

`tickets` says how each ticket stands and shows a cheapest way, `stations` what a station would
complete, `tunnels` how likely a tunnel is to cost more, `routes` and `cities` why a place of the
map cannot be chosen now. All is computed from a view alone: nothing here is new to the seat, and
two games that it cannot tell apart give it the same aids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from macaz.kernel.layout import TicketState, WhyNot

if TYPE_CHECKING:
    from macaz.game.view import View


@dataclass(frozen=True, slots=True)
class TicketAid:
    """How a ticket stands, and a cheapest way to complete it."""

    ticket: int
    offered: bool  # it lies before the seat, to be kept or returned
    state: TicketState  # done: if the game ended now; impossible: whatever anybody does
    spaces: int | None  # how many spaces the way still lacks; null if it is impossible
    stations: int  # how many stations still to be built the way needs
    way: tuple[int, ...]  # its routes, ascending: own ones, open ones and, by stations, others'


@dataclass(frozen=True, slots=True)
class StationAid:
    """What a station in a city would complete, by the routes that others have there now."""

    city: int
    rescues: tuple[int, ...]  # tickets


@dataclass(frozen=True, slots=True)
class TunnelAid:
    """How likely a tunnel tried with a colour (8: with locomotives only) is to cost more."""

    color: int
    odds: tuple[float, ...]  # that it costs 0, 1, 2, … extra cards
    payable: tuple[int, ...]  # by length of the route: extra cards that the hand could pay then


@dataclass(frozen=True, slots=True)
class Aids:
    """All aids for a seat."""

    tickets: tuple[TicketAid, ...]  # those held, then those offered
    stations: tuple[StationAid, ...]  # where one may be built now and would complete a ticket
    tunnels: tuple[TunnelAid, ...]  # by colour, if a tunnel can be tried with it now
    routes: tuple[WhyNot, ...]  # by number: why it cannot be claimed now; empty if it can
    cities: tuple[WhyNot, ...]  # likewise: to build there, to begin there, to send Alvin there


def aids_of(view: View) -> Aids:
    """What helps the seat of a view to plan; ValueError for a spectator, who plans nothing."""
    from macaz.help.aids.known import Known

    if view.seat is None:
        raise ValueError("a spectator has nothing to plan")
    known = Known(view, view.seat)
    routes, cities = known.reasons
    return Aids(
        known.ticket_aids(),
        known.station_aids(),
        known.tunnel_aids(),
        routes,
        cities,
    )
