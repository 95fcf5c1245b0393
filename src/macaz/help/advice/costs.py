"""The cost of each open ticket in cards and turns: a lower bound, for one ticket at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from macaz.help.advice import TicketCost
from macaz.kernel import help as told
from macaz.kernel.views import redacted_state

if TYPE_CHECKING:
    from macaz.game.view import View
    from macaz.help.aids import TicketAid


def ticket_costs(view: View, tickets: Iterable[TicketAid]) -> tuple[TicketCost, ...]:
    """The costs of the tickets that are open."""
    assert view.seat is not None, "a spectator has no tickets"
    [cost] = told.ticket_costs(view.spec, redacted_state(view.record), view.seat)
    return tuple(
        TicketCost(
            ticket=aid.ticket,
            missing=tuple(cost["missing"][aid.ticket].tolist()),
            any_color=int(cost["any_color"][aid.ticket]),
            claims=int(cost["claims"][aid.ticket]),
            tunnels=int(cost["tunnels"][aid.ticket]),
            stations=int(cost["stations"][aid.ticket]),
            cards=int(cost["cards"][aid.ticket]),
            turns=int(cost["turns"][aid.ticket]),
        )
        for aid in tickets
        if aid.state == "open"
    )
