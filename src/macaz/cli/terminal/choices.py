"""Groups the legal moves of a decision for display."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from macaz.bots.chart import Chart
from macaz.game.moves import (
    Blind,
    Choose,
    Claim,
    Decline,
    DrawTickets,
    Keep,
    Mark,
    MoveAlvin,
    Pass,
    PayTunnel,
    Return,
    SkipMarker,
    Start,
    Station,
    Take,
)

if TYPE_CHECKING:
    from macaz.cli.terminal.show import Screen
    from macaz.game.moves import Move


@dataclass
class Choice:
    """One choice: its text and its moves, several if the payment is still open."""

    text: str
    moves: list[Move] = field(default_factory=list)
    route: int | None = None
    city: int | None = None
    wanted: bool = False
    ask: str = ""


ASK_STATION = Choice("build a station", ask="A station in which city? ")


def groups(screen: Screen, legal: Sequence[Move]) -> list[tuple[str, list[Choice]]]:
    """The non-empty groups, each with its label."""
    if isinstance(legal[0], Choose | Keep):
        return [("Offered", _offered(screen))]
    found = {
        "Cards": _cards(screen, legal),
        "Routes": _routes(screen, legal),
        "Stations": _cities(screen, [m for m in legal if isinstance(m, Station)], "station in"),
        "Marker": _cities(screen, [m for m in legal if isinstance(m, Mark)], "marker on"),
        "Tickets": [Choice("draw tickets", [m]) for m in legal if isinstance(m, DrawTickets)],
        "Start": _places(screen, [m for m in legal if isinstance(m, Start)]),
        "Alvin": _places(screen, [m for m in legal if isinstance(m, MoveAlvin)]),
        "Under": [Choice(screen.ticket(m.ticket), [m]) for m in legal if isinstance(m, Return)],
        "Tunnel": _tunnel(screen, legal),
        "Or": [Choice("no marker", [m]) for m in legal if isinstance(m, SkipMarker)]
        + [Choice("pass: nothing else can be done", [m]) for m in legal if isinstance(m, Pass)],
    }
    return [(label, choices) for label, choices in found.items() if choices]


def _offered(screen: Screen) -> list[Choice]:
    view = screen.game.view(screen.me)
    chart = Chart(view, screen.me)
    found = []
    for t in view.offer:
        ticket = screen.board.tickets[t]
        way = chart.way([ticket.a], ticket.b, set())
        cars = sum(screen.board.routes[i].length for i in way or ())
        need = "no way left" if way is None else f"{cars} trains" if cars else "done already"
        found.append(Choice(f"{screen.ticket(t)} [dim]({need})[/]"))
    return found


def _cards(screen: Screen, legal: Sequence[Move]) -> list[Choice]:
    # The deck first, so that it has the same number for both cards of a turn.
    blind = [Choice("from the deck", [m]) for m in legal if isinstance(m, Blind)]
    return blind + [Choice(screen.card(m.color), [m]) for m in legal if isinstance(m, Take)]


def _routes(screen: Screen, legal: Sequence[Move]) -> list[Choice]:
    """Routes on a cheapest way for the player's tickets first, then long ones first."""
    moves: dict[int, list[Move]] = {}
    shown: dict[tuple[int, int, int], int] = {}
    for move in legal:
        if isinstance(move, Claim):
            r = screen.board.routes[move.route]
            # Of two equal lanes, list one.
            if shown.setdefault((r.a, r.b, r.color), move.route) == move.route:
                moves.setdefault(move.route, []).append(move)
    if not moves:
        return []
    view = screen.game.view(screen.me)
    plan = Chart(view, screen.me).plan(view.tickets, view.trains[screen.me])
    ways = {(screen.board.routes[i].a, screen.board.routes[i].b) for i in plan.routes}
    wanted = {i for i in moves if (screen.board.routes[i].a, screen.board.routes[i].b) in ways}
    lengths = {i: screen.board.routes[i].length for i in moves}
    return [
        Choice(f"{screen.route(i)}{' *' * (i in wanted)}", moves[i], route=i, wanted=i in wanted)
        for i in sorted(moves, key=lambda i: (i not in wanted, -lengths[i], i))
    ]


def _cities(screen: Screen, moves: Sequence[Station | Mark], what: str) -> list[Choice]:
    """A choice for each city; the payment is asked afterwards."""
    found: dict[int, Choice] = {}
    for move in moves:
        name = screen.game.notation.city_label(move.city)
        found.setdefault(move.city, Choice(f"{what} {name}", city=move.city)).moves.append(move)
    return list(found.values())


def _places(screen: Screen, moves: Sequence[Start | MoveAlvin]) -> list[Choice]:
    """Cities, those of the player's tickets first."""
    view = screen.game.view(screen.me)
    ends = {c for t in view.tickets for c in (screen.board.tickets[t].a, screen.board.tickets[t].b)}
    return [
        Choice(
            screen.game.notation.city_label(m.city) + " *" * (m.city in ends),
            [m],
            city=m.city,
            wanted=m.city in ends,
        )
        for m in sorted(moves, key=lambda m: (m.city not in ends, m.city))
    ]


def _tunnel(screen: Screen, legal: Sequence[Move]) -> list[Choice]:
    pays = [Choice(f"pay {screen.payment(m)} more", [m]) for m in legal if isinstance(m, PayTunnel)]
    return pays + [
        Choice("give it up and take your cards back", [m]) for m in legal if isinstance(m, Decline)
    ]
