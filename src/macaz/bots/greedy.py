"""The greedy bot: it claims the routes of a cheapest path for each of its tickets.

It makes a new plan for every decision, and ignores the plans of other seats.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from macaz.bots.chart import Chart, Plan
from macaz.edition.board import GRAY, LOCOMOTIVE, Route
from macaz.game.moves import (
    Blind,
    Choose,
    Claim,
    Decline,
    DrawTickets,
    Keep,
    Mark,
    MoveAlvin,
    PayTunnel,
    SkipMarker,
    Start,
    Station,
    Take,
)

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View

M = TypeVar("M")
ENOUGH_CARDS = 20  # in hand: from here on it spends cards freely
FEW_TRAINS = 5  # of any seat: from here on it plays for the end of the game
MANY_TRAINS = 12  # of every seat: only with more it draws new tickets


class GreedyBot:
    """Follows a cheapest path for its tickets."""

    def __init__(self, seed: int | str = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        if len(legal) == 1 or view.seat is None:
            return legal[0]
        chart = Chart(view, view.seat)
        first = legal[0]
        if isinstance(first, Choose | Keep):
            return self._keep(chart, [m for m in legal if isinstance(m, Choose | Keep)])
        if isinstance(first, Start):
            return self._start(chart, [m for m in legal if isinstance(m, Start)])
        if isinstance(first, MoveAlvin):
            moves = [m for m in legal if isinstance(m, MoveAlvin)]
            return self._best(moves, lambda m: -len(chart.edges[m.city]))
        return self._turn(chart, legal)

    def _best(self, moves: Sequence[M], worth: Callable[[M], float]) -> M:
        """The move of most worth; ties are broken at random."""
        return max(moves, key=lambda move: (worth(move), self._random.random()))

    def _keep(self, chart: Chart, moves: list[Choose | Keep]) -> Move:
        """The tickets whose plan has the highest value."""
        view = chart.view
        # Another seat may end the game before all own cars are used.
        cars = min(view.trains[chart.seat], min(view.trains) + 8)
        return self._best(moves, lambda m: chart.plan((*view.tickets, *m.tickets), cars).value)

    def _start(self, chart: Chart, moves: list[Start]) -> Move:
        """A city where tickets end, with many routes."""
        tickets = [chart.board.tickets[t] for t in chart.view.tickets]
        ends = [city for t in tickets for city in (t.a, t.b)]
        return self._best(moves, lambda m: ends.count(m.city) + len(chart.edges[m.city]) / 20)

    def _turn(self, chart: Chart, legal: Sequence[Move]) -> Move:
        """A claim if there is a good one, else a station, new tickets or cards."""
        view = chart.view
        plan = chart.plan(view.tickets, view.trains[chart.seat])
        need = _need(chart, plan)
        ending = view.last_turns > 0 or min(view.trains) <= FEW_TRAINS
        rich = ending or sum(chart.hand) >= ENOUGH_CARDS
        if view.phase == "tunnel":
            return _tunnel(legal)
        if view.phase == "mark":
            return self._mark(chart, legal, need)
        claims = [m for m in legal if isinstance(m, Claim)]
        move = self._claim(chart, plan, need, claims, rich)
        if move is None and (plan.hopeless or ending):
            move = _station(chart, [m for m in legal if isinstance(m, Station)])
        if move is None and not plan.routes and not ending:
            enough = min(view.trains) > MANY_TRAINS and not plan.hopeless
            move = DrawTickets() if enough and DrawTickets() in legal else None
        if move is None and (not plan.routes or ending):
            least = 1 if rich else 4
            good = [m for m in claims if chart.points(m.route) >= least]
            if good:
                move = self._best(good, lambda m: chart.points(m.route) - _price(chart, m, need))
        return move or self._draw(chart, legal, need)

    def _claim(
        self, chart: Chart, plan: Plan, need: list[int], claims: list[Claim], rich: bool
    ) -> Move | None:
        """The most useful route of the plan that can be paid, the long ones first."""
        routes = chart.board.routes
        pairs = {(routes[i].a, routes[i].b) for i in plan.routes}
        good = [
            m
            for m in claims
            if (routes[m.route].a, routes[m.route].b) in pairs
            and (rich or 2 * _spare(routes[m.route], m) <= routes[m.route].length)
        ]
        if not good:
            return None
        return self._best(good, lambda m: routes[m.route].length - _price(chart, m, need))

    def _mark(self, chart: Chart, legal: Sequence[Move], need: list[int]) -> Move:
        """A marker on a busy city, if cards can be spared."""
        good = [
            m
            for m in legal
            if isinstance(m, Mark)
            and m.color != LOCOMOTIVE
            and m.locomotives == 0
            and not need[m.color]
            and len(chart.edges[m.city]) > 3
        ]
        return self._best(good, lambda m: len(chart.edges[m.city])) if good else SkipMarker()

    def _draw(self, chart: Chart, legal: Sequence[Move], need: list[int]) -> Move:
        """A face-up card that is needed, else the top of the deck, else any other move."""
        takes = [m for m in legal if isinstance(m, Take)]
        wanted = [m for m in takes if m.color != LOCOMOTIVE and need[m.color]]
        if Take(LOCOMOTIVE) in takes and (
            need[LOCOMOTIVE] or (sum(need) and (sum(need) == 1 or not wanted))
        ):
            return Take(LOCOMOTIVE)
        if wanted:
            return self._best(wanted, lambda m: need[m.color])
        draws: list[Move] = [m for m in legal if isinstance(m, Blind)]
        draws = draws or [*takes] or [m for m in legal if isinstance(m, Claim)]
        return self._random.choice(draws or legal)


def _need(chart: Chart, plan: Plan) -> list[int]:
    """By colour: the cards missing for the plan, with the locomotives of ferries."""
    left, need = list(chart.hand), [0] * (LOCOMOTIVE + 1)
    for i in sorted(plan.routes, key=lambda i: (chart.board.routes[i].color == GRAY, i)):
        r = chart.board.routes[i]
        color = r.color
        if color == GRAY:
            color = max(range(LOCOMOTIVE), key=lambda c: left[c])
        for c, n in ((color, r.length - r.locomotives), (LOCOMOTIVE, r.locomotives)):
            need[c] += max(0, n - left[c])
            left[c] = max(0, left[c] - n)
    return need


def _spare(route: Route, move: Claim) -> int:
    """The locomotives a claim pays beyond those of a ferry."""
    locos = route.length if move.color == LOCOMOTIVE else move.locomotives
    return locos - route.locomotives


def _price(chart: Chart, move: Claim, need: list[int]) -> float:
    """The cost of a payment: locomotives, and colours that other routes of the plan need."""
    route = chart.board.routes[move.route]
    wanted = move.color != LOCOMOTIVE and route.color == GRAY and need[move.color] > 0
    return 1.5 * _spare(route, move) + 2.0 * wanted


def _tunnel(legal: Sequence[Move]) -> Move:
    """Pay with as few locomotives as possible."""
    pays = [m for m in legal if isinstance(m, PayTunnel)]
    return min(pays, key=lambda m: m.locomotives) if pays else Decline()


def _station(chart: Chart, moves: list[Station]) -> Move | None:
    """A station that completes a ticket by one route of another seat, if it is worth its points."""
    board, view = chart.board, chart.view
    group = list(range(len(board.cities)))
    for i in chart.mine | chart.borrowed:
        one, other = group[board.routes[i].a], group[board.routes[i].b]
        group = [other if g == one else g for g in group]
    saved: dict[int, int] = {}
    for i, r in enumerate(board.routes):
        if view.owners[i] in (None, chart.seat):
            continue
        gain = sum(
            2 * t.points
            for t in (board.tickets[n] for n in view.tickets)
            if group[t.a] != group[t.b] and {group[t.a], group[t.b]} == {group[r.a], group[r.b]}
        )
        for city in (r.a, r.b):
            saved[city] = max(saved.get(city, 0), gain)
    good = [m for m in moves if saved.get(m.city, 0) > chart.rules.station_points]
    if not good:
        return None
    return max(good, key=lambda m: (saved[m.city], m.color != LOCOMOTIVE, -m.locomotives))
