"""The cost of each open ticket in cards and turns: a lower bound, for one ticket at a time.

It assumes that the whole hand is used for the cheapest path of the aids, every card drawn is
needed, no tunnel costs extra cards, and no other seat claims a route of the path.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from macaz.bots.chart import Chart
from macaz.edition.board import GRAY, LOCOMOTIVE
from macaz.help.advice import TicketCost

if TYPE_CHECKING:
    from macaz.game.view import View
    from macaz.help.aids import TicketAid

DRAWS = 2  # cards in a turn


class _Price(NamedTuple):
    """A way to pay: a number of cards of a colour, and of locomotives."""

    color: int
    cards: int
    locomotives: int


def ticket_costs(view: View, tickets: Iterable[TicketAid]) -> tuple[TicketCost, ...]:
    """The costs of the tickets that are open."""
    assert view.seat is not None, "a spectator has no tickets"
    chart = Chart(view, view.seat)
    return tuple(_cost(chart, aid) for aid in tickets if aid.state == "open")


def _cost(chart: Chart, aid: TicketAid) -> TicketCost:
    board, owners = chart.board, chart.view.owners
    claims = [i for i in aid.way if owners[i] is None]
    built = len(chart.view.marks_of(chart.seat))
    # The first station costs one card, the second two, … (G2).
    stations = [[_Price(GRAY, built + 1 + i, 0)] for i in range(aid.stations)]
    missing, any_ = _missing(chart.hand, [*(_prices(chart, i) for i in claims), *stations])
    cards = sum(missing) + any_
    return TicketCost(
        ticket=aid.ticket,
        missing=missing,
        any_color=any_,
        claims=len(claims),
        tunnels=sum(board.routes[i].kind == "tunnel" for i in claims),
        stations=aid.stations,
        cards=cards,
        turns=-(-cards // DRAWS) + len(claims) + aid.stations,
    )


def _prices(chart: Chart, route: int) -> list[_Price]:
    """The ways to pay for a route, then for open parallel lanes of the same length."""
    routes = chart.board.routes
    this = routes[route]
    beside = [routes[i] for i in chart.lanes[this.a, this.b] if i in chart.open and i != route]
    return [
        _Price(lane.color, lane.length - lane.locomotives, lane.locomotives)
        for lane in (this, *beside)
        if lane.length == this.length
    ]


def _missing(hand: Iterable[int], wanted: list[list[_Price]]) -> tuple[tuple[int, ...], int]:
    """The cards by kind that a hand lacks for everything wanted, and those of any colour.

    What can be paid with the fewest colours is paid first, then what is longest.
    """
    left = list(hand)
    missing, any_ = [0] * len(left), 0
    for prices in sorted(wanted, key=lambda p: (len(_colors(p)), -p[0].cards)):
        color, cards, locos = min(
            (
                (color, price.cards, price.locomotives)
                for price in prices
                for color in _colors([price])
            ),
            key=lambda way: (max(0, way[1] - left[way[0]]) + way[2], -left[way[0]]),
        )
        short = max(0, cards - left[color])
        if left[color] == 0 and len(_colors(prices)) == LOCOMOTIVE:
            any_ += short  # the hand has no card for it yet, so any colour is possible
        else:
            missing[color] += short
        left[color] -= cards - short
        missing[LOCOMOTIVE] += max(0, locos - left[LOCOMOTIVE])
        left[LOCOMOTIVE] = max(0, left[LOCOMOTIVE] - locos)
    # Locomotives that no ferry needs replace the colour with the most missing cards.
    for _ in range(left[LOCOMOTIVE]):
        scarcest = max(range(LOCOMOTIVE), key=lambda c: missing[c])
        if missing[scarcest]:
            missing[scarcest] -= 1
        elif any_:
            any_ -= 1
    return tuple(missing), any_


def _colors(prices: list[_Price]) -> set[int]:
    """The colours that can be paid with."""
    found = {price.color for price in prices}
    return set(range(LOCOMOTIVE)) if GRAY in found else found
