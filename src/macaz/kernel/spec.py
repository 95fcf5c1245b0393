"""An edition and a number of seats, compiled to the tables the kernel reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from macaz.edition.board import GRAY, LOCOMOTIVE, Route
from macaz.kernel import layout as at

if TYPE_CHECKING:
    from collections.abc import Callable

    from macaz.edition import Edition

_SETUP_RETURN = {"bottom": at.RETURN_BOTTOM, "shuffled": at.RETURN_SHUFFLED, "out": at.RETURN_OUT}
_SCORERS = {
    "tickets": at.SCORE_TICKETS,
    "longest-path": at.SCORE_LONGEST,
    "stations": at.SCORE_STATIONS,
    "globetrotter": at.SCORE_GLOBETROTTER,
    "alvin": at.SCORE_ALVIN,
}
_TIES = {
    "tickets": at.TIE_TICKETS,
    "stations": at.TIE_STATIONS,
    "longest-path": at.TIE_LONGEST,
}


@dataclass(frozen=True, eq=False)
class Spec:
    """The rules of one table: the record for the kernel, and what maps its numbers to the board."""

    edition: Edition
    seats: int
    table: np.ndarray  # one record of dtype "spec"
    lane_of_route: tuple[int, ...]
    route_of_lane: dict[int, int]

    def __reduce__(self) -> tuple[Callable[[Edition, int], Spec], tuple[Edition, int]]:
        # Compiled again, or found: a process has one of each, and they are compared by identity.
        return compile_spec, (self.edition, self.seats)

    @property
    def actions(self) -> int:
        """How many action numbers there are."""
        return int(self.table["base"][0, -1])


@lru_cache(maxsize=64)
def compile_spec(edition: Edition, seats: int) -> Spec:
    """Compile an edition for a number of seats."""
    rules = edition.rules
    if not rules.min_seats <= seats <= rules.max_seats:
        raise ValueError(
            f"{edition.name} is for {rules.min_seats} to {rules.max_seats} players, not {seats}"
        )
    table = np.zeros(1, at.dtype_of("spec"))
    spec = table[0]
    _fill_rules(spec, edition, seats)
    lane_of_route = _place_lanes(edition.board.routes)
    _fill_lanes(spec, edition.board.routes, lane_of_route)
    claims = _fill_classes(spec, edition.board.routes, lane_of_route)
    for i, ticket in enumerate(edition.board.tickets):
        spec["ticket_a"][i] = ticket.a
        spec["ticket_b"][i] = ticket.b
        spec["ticket_points"][i] = ticket.points
        spec["ticket_long"][i] = ticket.deck == "long"
    _number_actions(spec, claims)
    return Spec(
        edition=edition,
        seats=seats,
        table=table,
        lane_of_route=tuple(lane_of_route),
        route_of_lane={lane: i for i, lane in enumerate(lane_of_route)},
    )


def _fill_rules(spec: np.void, edition: Edition, seats: int) -> None:
    rules = edition.rules
    board = edition.board
    phases = set(rules.phases)
    spec["seats"] = seats
    spec["cities"] = len(board.cities)
    spec["tickets"] = len(board.tickets)
    spec["hand_size"] = rules.hand
    spec["row_size"] = rules.row
    spec["row_locos"] = rules.row_locomotives
    spec["parallel"] = seats >= rules.parallel_from
    spec["setup_deal"] = rules.setup_tickets + rules.setup_long
    spec["setup_return"] = _SETUP_RETURN[rules.setup_return]
    spec["chosen_order"] = rules.return_order == "chosen"
    spec["stations"] = rules.stations if "station" in phases else 0
    spec["markers"] = rules.markers if "marker" in phases else 0
    spec["start_city"] = "start-city" in phases
    spec["controllers"] = "controllers" in rules.scorers
    spec["alvin_home"] = board.city_index(rules.alvin_city) if "alvin" in phases else -1
    spec["scorers"] = sum(_SCORERS.get(name, 0) for name in rules.scorers)
    spec["ties"][: len(rules.tie_breaks)] = [_TIES[name] for name in rules.tie_breaks]
    spec["cards"] = rules.cards
    spec["points"] = rules.route_points
    spec["steps"] = [
        sum(min(cards, x) << 7 * (x - 1) for x in range(1, at.LENGTHS))
        for cards in range(at.LENGTHS)
    ]
    for knob in (
        "trains last_trains setup_long setup_keep draw_tickets draw_keep tunnel_cards"
        " station_points marker_cards alvin_points longest_points globetrotter_points"
    ).split():
        spec[knob] = getattr(rules, knob)


def _place_lanes(routes: tuple[Route, ...]) -> list[int]:
    """Give every route its lane number: lanes of one pair share a bit in successive words."""
    pairs: dict[tuple[int, int], list[int]] = {}
    for i, route in enumerate(routes):
        pairs.setdefault((route.a, route.b), []).append(i)
    lanes = [-1] * len(routes)
    several = [pair for pair in pairs.values() if len(pair) > 1]
    for bit, pair in enumerate(several):
        for word, i in enumerate(pair):
            lanes[i] = word * at.WORD_BITS + bit
    taken = set(lanes)
    free = iter([lane for lane in range(at.LANES) if lane not in taken])
    for pair in pairs.values():
        if len(pair) == 1:
            lanes[pair[0]] = next(free)
    return lanes


def _bits(lanes: list[int]) -> list[int]:
    """Lanes as words of bits."""
    words = [0] * at.WORDS
    for lane in lanes:
        words[lane // at.WORD_BITS] |= 1 << (lane % at.WORD_BITS)
    return words


def _fill_lanes(spec: np.void, routes: tuple[Route, ...], lanes: list[int]) -> None:
    spec["lanes"] = _bits(lanes)
    ends = [(r.a, r.b) for r in routes]
    spec["multi"] = _bits([lanes[i] for i, pair in enumerate(ends) if ends.count(pair) > 1])
    for city in range(at.CITIES):
        spec["touch"][city] = _bits([lanes[i] for i, r in enumerate(routes) if city in (r.a, r.b)])
    for i, (route, lane) in enumerate(zip(routes, lanes, strict=True)):
        spec["lane_route"][lane] = i
        spec["lane_a"][lane] = route.a
        spec["lane_b"][lane] = route.b
        spec["lane_length"][lane] = route.length
        spec["lane_tunnel"][lane] = route.kind == "tunnel"
        spec["near"][lane] = spec["touch"][route.a] | spec["touch"][route.b]


def _fill_classes(spec: np.void, routes: tuple[Route, ...], lanes: list[int]) -> int:
    """Group lanes that cost the same, number every payment of every lane; returns how many."""
    classes: dict[tuple[int, int, int], list[int]] = {}
    for route, lane in zip(routes, lanes, strict=True):
        color = LOCOMOTIVE if route.color == GRAY else route.color
        classes.setdefault((color, route.length, route.locomotives), []).append(lane)
    colors_of = sorted(key[0] for key in classes)
    spec["first_class"] = np.searchsorted(colors_of, range(at.CARDS + 1))
    claim = 0
    for k, (color, length, locos) in enumerate(sorted(classes)):
        members = sorted(classes[color, length, locos])
        spec["class_mask"][k] = _bits(members)
        spec["class_base"][k] = claim
        spec["class_size"][k] = len(members)
        spec["class_length"][k] = length
        spec["class_color"][k] = color
        spec["class_locos"][k] = locos
        colors = range(at.COLORS) if color == LOCOMOTIVE else (color,)
        payments = [(c, paid) for c in colors for paid in range(locos, length)]
        for paid_color, paid_locos in [*payments, (LOCOMOTIVE, length)]:
            for lane in members:
                spec["claim_lane"][claim] = lane
                spec["claim_color"][claim] = paid_color
                spec["claim_locos"][claim] = paid_locos
                claim += 1
    return claim


def _number_actions(spec: np.void, claims: int) -> None:
    """Give each kind of action its range of numbers, none to kinds this table never meets."""
    cities = int(spec["cities"])
    tunnels = bool(spec["lane_tunnel"].any())
    sizes = [0] * at.KINDS
    sizes[at.A_TAKE] = at.CARDS
    sizes[at.A_BLIND] = sizes[at.A_TICKETS] = sizes[at.A_PASS] = 1
    sizes[at.A_KEEP] = 1 << int(spec["draw_tickets"])
    sizes[at.A_RETURN] = int(spec["draw_tickets"]) if spec["chosen_order"] else 0
    sizes[at.A_PAY] = int(spec["tunnel_cards"]) + 1 if tunnels else 0
    sizes[at.A_DECLINE] = int(tunnels)
    sizes[at.A_SKIP] = int(spec["markers"] > 0)
    sizes[at.A_CHOOSE] = int(spec["seats"]) << int(spec["setup_deal"])
    sizes[at.A_START] = cities if spec["start_city"] else 0
    sizes[at.A_ALVIN] = cities if spec["alvin_home"] >= 0 else 0
    sizes[at.A_MARK] = cities * at.PAYS if spec["markers"] > 0 else 0
    sizes[at.A_STATION] = cities * at.PAYS if spec["stations"] > 0 else 0
    sizes[at.A_CLAIM] = claims
    spec["base"] = np.concatenate([[0], np.cumsum(sizes)])
