"""Planning aids, computed from a seat's view.

`tickets` has the state of each ticket and a cheapest path, `stations` what a station would
complete, `tunnels` the probabilities of extra cards, `routes` and `cities` why a place of the map
cannot be chosen now. Equal views have equal aids: they reveal nothing that is hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from macaz.kernel.layout import TicketState, WhyNot

if TYPE_CHECKING:
    from macaz.game.view import View


@dataclass(frozen=True, slots=True)
class TicketAid:
    """The state of a ticket, and a cheapest path to complete it."""

    ticket: int
    offered: bool  # the seat may keep or return it now
    state: TicketState  # done: if the game ended now; impossible: whatever the seats do
    spaces: int | None  # unclaimed spaces of the path; null if it is impossible
    stations: int  # stations that the path needs and that are not built
    way: tuple[int, ...]  # its routes, ascending: own, open and, by stations, others' ones


@dataclass(frozen=True, slots=True)
class StationAid:
    """The tickets that a station in a city would complete, by routes that others have now."""

    city: int
    rescues: tuple[int, ...]  # tickets


@dataclass(frozen=True, slots=True)
class TunnelAid:
    """The probabilities of extra cards for a tunnel paid with a colour (8: locomotives only)."""

    color: int
    odds: tuple[float, ...]  # that it costs 0, 1, 2, … extra cards
    payable: tuple[int, ...]  # by length of the route: extra cards that the hand could still pay


@dataclass(frozen=True, slots=True)
class Aids:
    """All aids for a seat."""

    tickets: tuple[TicketAid, ...]  # those held, then those offered
    stations: tuple[StationAid, ...]  # where one may be built now and would complete a ticket
    tunnels: tuple[TunnelAid, ...]  # by colour, if a tunnel can be tried with it now
    routes: tuple[WhyNot, ...]  # by route: why it cannot be claimed now; empty if it can
    cities: tuple[WhyNot, ...]  # by city: why it cannot be chosen to build, start or move Alvin


def aids_of(view: View) -> Aids:
    """The aids for the seat of a view; ValueError for a spectator."""
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
