"""What people are told, asked of the kernel: arrays of one state in, names and numbers out.

A state made from a view (`views.redacted_state`) gives a seat the same answers as the state itself.
"""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from macaz.kernel.compile import AUTO, Program, compiled, default_target
from macaz.kernel.engine import scratch
from macaz.kernel.help_entry import PRICE
from macaz.kernel.layout import (
    CARDS,
    LANES,
    LENGTHS,
    REASON_NAMES,
    TICKETS,
    WORD_BITS,
    WORDS,
    dtype_of,
)
from macaz.kernel.once import once

if TYPE_CHECKING:
    from collections.abc import Sequence

    from macaz.kernel.layout import WhyNot
    from macaz.kernel.spec import Spec

HELP = Program(
    what="help",
    entries=("macaz.kernel.help_entry",),
    modules=tuple(
        f"macaz.kernel.{name}"
        for name in ("ways", "stations", "tickets", "costs", "trail", "help_entry")
    ),
    arrays=(
        ("ways", np.dtype(np.int64), 1),
        ("views", dtype_of("view"), 1),
        ("rooms", dtype_of("world"), 1),
        ("networks", dtype_of("network"), 1),
        ("plans", dtype_of("plan"), 1),
        ("costs", dtype_of("cost"), 1),
    ),
)


class _Room(threading.local):
    """Records that the kernel takes without copying them, one set for each thread."""

    def __init__(self, target: str) -> None:
        zeros = compiled(HELP, target).zeros
        self.networks = zeros(1, dtype_of("network"))
        self.tallies = zeros(1, dtype_of("tally"))


@once
def _room(target: str) -> _Room:
    return _Room(target)


def why_now(states: np.ndarray, seat: int, target: str = AUTO) -> WhyNot:
    """Why a seat may decide nothing now: empty if it may."""
    code: int = compiled(HELP, target).reason_now(states, seat)
    return REASON_NAMES[code]


def why_not(spec: Spec, states: np.ndarray, seat: int, action: int, target: str = AUTO) -> WhyNot:
    """Why a seat may not take an action; empty if it may."""
    works = scratch(target).works
    code: int = compiled(HELP, target).reason_not(spec.table, states, works, seat, action)
    return REASON_NAMES[code]


class Reasons(NamedTuple):
    """Why a seat cannot choose the places of the map now, by number; empty where it can."""

    routes: tuple[WhyNot, ...]  # to claim one, whatever it would pay with
    cities: tuple[WhyNot, ...]  # to build there, to begin there, or to send Alvin there


def why_places(spec: Spec, states: np.ndarray, seat: int, target: str = AUTO) -> Reasons:
    """Why a seat cannot choose the routes and cities of the map now."""
    out = scratch(target).out
    compiled(HELP, target).list_reasons(spec.table, states, seat, out)
    names = [REASON_NAMES[code] for code in out[: LANES + len(spec.edition.board.cities)].tolist()]
    return Reasons(tuple(names[lane] for lane in spec.lane_of_route), tuple(names[LANES:]))


def free_lanes(spec: Spec, states: np.ndarray, seat: int, target: str = AUTO) -> np.ndarray:
    """The lanes that are not closed to a seat, as words of bits."""
    words = np.zeros(WORDS, np.int64)
    compiled(HELP, target).list_free(spec.table, states, seat, words)
    return words


def claimable_lanes(spec: Spec, states: np.ndarray, seat: int, target: str = AUTO) -> np.ndarray:
    """The lanes that a seat may claim if it can pay, as words of bits; none before its start."""
    words = np.zeros(WORDS, np.int64)
    compiled(HELP, target).list_claimable(spec.table, states, seat, words)
    return words


def usable_routes(spec: Spec, states: np.ndarray, seat: int, target: str = AUTO) -> set[int]:
    """The routes that a seat could still claim, its network and its cards aside."""
    words = np.zeros(WORDS, np.int64)
    compiled(HELP, target).list_usable(spec.table, states, seat, words)
    return routes_among(spec, words)


def routes_among(spec: Spec, words: np.ndarray) -> set[int]:
    """The routes of lanes that are given as words of bits."""
    return {
        route
        for route, lane in enumerate(spec.lane_of_route)
        if int(words[lane // WORD_BITS]) >> (lane % WORD_BITS) & 1
    }


def keep_least(spec: Spec, states: np.ndarray, seat: int, target: str = AUTO) -> int:
    """How many of the tickets before a seat must be kept."""
    return int(compiled(HELP, target).least_to_keep(spec.table, states, seat))


class Price(NamedTuple):
    """What an action costs: cards of a colour, and locomotives."""

    color: int  # 8: locomotives only
    cards: int
    locomotives: int


def prices(
    spec: Spec, states: np.ndarray, actions: Sequence[int], target: str = AUTO
) -> list[Price]:
    """What some actions cost the seat whose turn it is."""
    out, numbers = scratch(target).out, np.zeros(PRICE * len(actions), np.int64)
    out[: len(actions)] = actions
    compiled(HELP, target).list_prices(spec.table, states, out, numbers)
    return [Price(*row) for row in numbers.reshape(-1, PRICE).tolist()]


def claim_points(spec: Spec, states: np.ndarray, seat: int, route: int, target: str = AUTO) -> int:
    """The points that a seat gets at once by claiming a route."""
    lane = spec.lane_of_route[route]
    return int(compiled(HELP, target).claim_points(spec.table, states, seat, lane))


class Tunnel(NamedTuple):
    """What a tunnel may cost that is tried with a colour (8: with locomotives only)."""

    color: int
    odds: tuple[Fraction, ...]  # that it costs 0, 1, 2, … extra cards
    payable: tuple[int, ...]  # by length of the route: extra cards that the hand could pay then


def tunnels(spec: Spec, states: np.ndarray, seat: int, target: str = AUTO) -> tuple[Tunnel, ...]:
    """For each colour with which a seat can try a tunnel now, what it may cost."""
    run = compiled(HELP, target)
    colors = int(run.colors_to_try(spec.table, states, seat))
    ways = np.zeros(spec.edition.rules.tunnel_cards + 1, np.int64)
    found = []
    for color in (c for c in range(CARDS) if colors >> c & 1):
        total = int(run.ways_to_cost(spec.table, states, seat, color, ways))
        odds = tuple(Fraction(n, total) for n in ways.tolist())
        payable = tuple(int(run.most_extra(states, seat, color, n)) for n in range(LENGTHS))
        found.append(Tunnel(color, odds, payable))
    return tuple(found)


def draw_world(
    spec: Spec, views: np.ndarray, words: np.ndarray, target: str = AUTO
) -> tuple[np.ndarray, int]:
    """A state drawn from those that give a view, by a stream that begins with four words.

    The number is 0, or one of the `NO_WORLD_…` of layout.py where there is no such state.
    """
    run = compiled(HELP, target)
    states, rooms = np.zeros(1, dtype_of("state")), np.zeros(1, dtype_of("world"))
    dice = np.zeros(1, dtype_of("dice"))
    dice["word"] = words
    return states, int(run.draw_world(spec.table, views, states, rooms, dice))


def station_rescues(
    spec: Spec, states: np.ndarray, seat: int, target: str = AUTO
) -> dict[int, tuple[int, ...]]:
    """By city where a seat may build a station now: the tickets that it would complete, if any."""
    works, out = scratch(target).works, scratch(target).out
    tallies = _room(default_target() if target == AUTO else target).tallies
    there = states.copy()  # the kernel tries stations on it
    n = compiled(HELP, target).station_rescues(spec.table, there, works, tallies, seat, out)
    found: dict[int, tuple[int, ...]] = {}
    for city, ticket in (divmod(pair, TICKETS) for pair in out[:n].tolist()):
        found[city] = (*found.get(city, ()), ticket)
    return found


def ticket_plans(spec: Spec, states: np.ndarray, seat: int, target: str = AUTO) -> np.ndarray:
    """How the tickets of a seat stand, and a cheapest way for each: a record of dtype "plan"."""
    room = _room(default_target() if target == AUTO else target)
    plans = np.zeros(1, dtype_of("plan"))
    there = states.copy()  # the kernel tries tickets on it
    compiled(HELP, target).plan_seat(
        spec.table, there, scratch(target).works, room.tallies, room.networks, plans, seat
    )
    return plans


def ticket_costs(spec: Spec, states: np.ndarray, seat: int, target: str = AUTO) -> np.ndarray:
    """What the open tickets of a seat still cost at the least: a record of dtype "cost"."""
    plans, costs = ticket_plans(spec, states, seat, target), np.zeros(1, dtype_of("cost"))
    compiled(HELP, target).cost_plan(spec.table, states, plans, costs, seat)
    return costs


def longest_trail(spec: Spec, states: np.ndarray, seat: int, target: str = AUTO) -> tuple[int, ...]:
    """The routes of a longest path of a seat, from one end to the other."""
    works, out = scratch(target).works, scratch(target).out
    there = states.copy()  # the kernel takes routes away from it
    n = compiled(HELP, target).list_trail(spec.table, there, works, seat, out)
    return tuple(out[:n].tolist())
