"""The input columns of a network: which bytes of a row an edition uses, and their scales.

A row (`SENSE` in `macaz.bots.compiled.layout`) is large enough for any map; a network reads only
the bytes that its edition can set.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from macaz.bots.compiled import layout as of
from macaz.edition import Edition, EditionError, load_edition, reference
from macaz.kernel import layout as at
from macaz.kernel.spec import compile_spec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from macaz.kernel.layout import Field

# By field: a factor that brings typical values near 1; flags are not scaled.
_SCALES = {
    "last": 1 / 4,
    "turns": 1 / 32,
    "stock": 1 / 16,
    "deck": 1 / 32,
    "extra": 1 / 2,
    "paid_locos": 1 / 4,
    "plan_trains": 1 / 16,
    "plan_open": 1 / 4,
    "hand": 1 / 4,
    "row": 1 / 2,
    "discards": 1 / 8,
    "pool": 1 / 8,
    "want": 1 / 8,
    "trains": 1 / 16,
    "score": 1 / 32,
    "hand_size": 1 / 8,
    "tickets": 1 / 4,
    "marks_left": 1 / 2,
    "seen": 1 / 4,
    "missing": 1 / 4,
    "need": 1 / 16,
}


def columns_for(edition: Edition) -> tuple[np.ndarray, np.ndarray]:
    """The bytes of a row that an edition uses at any of its seat counts, and their scales.

    They are the same whichever options are chosen: one network serves all of them.
    """
    has = _Axes.of(edition)
    columns: list[int] = []
    scales: list[float] = []
    start = 0
    for field in of.SENSE:
        numbers = np.arange(int(np.prod(field.shape))).reshape(field.shape)
        for axis, there in enumerate(has.used(field)):
            numbers = np.take(numbers, there, axis)
        found = [] if field.name in has.without else (start + numbers).ravel().tolist()
        columns += found
        scales += [_SCALES.get(field.name, 1.0)] * len(found)
        start += int(np.prod(field.shape))
    return np.array(columns, np.int32), np.array(scales, np.float32)


class _Axes(NamedTuple):
    """The indices that an edition uses along each axis of a row's fields."""

    phases: list[int]
    seats: list[int]
    lanes: list[int]
    cities: list[int]
    tickets: list[int]
    offer: list[int]
    intents: list[int]
    without: frozenset[str]  # fields that are always zero

    @classmethod
    def of(cls, edition: Edition) -> _Axes:
        """For all variants of an edition."""
        rules = [variant.rules for variant in _variants(edition)]
        phases = {phase for some in rules for phase in some.phases}
        tunnels = any(route.kind == "tunnel" for route in edition.board.routes)
        tunnels &= "tunnel" in phases
        there = {
            "tunnel": tunnels,
            "station": "station" in phases,
            "marker": "marker" in phases,
            "start": "start-city" in phases,
            "alvin": "alvin" in phases,
            "return": any(some.return_order == "chosen" for some in rules),
            "parts": any("start-city" not in some.phases for some in rules),
        }
        there["mark"] = there["station"] or there["marker"] or there["start"]
        lanes = sorted(compile_spec(edition, edition.rules.min_seats).route_of_lane)
        cities = list(range(len(edition.board.cities)))
        offer = max(max(r.setup_tickets + r.setup_long, r.draw_tickets) for r in rules)
        intents = [of.I_TAKE + c for c in range(at.CARDS)]
        intents += [of.I_BLIND, of.I_TICKETS, of.I_PASS]
        intents += [of.I_KEEP + mask for mask in range(1 << offer)]
        if there["return"]:
            intents += [of.I_RETURN + i for i in range(offer)]
        if tunnels:
            most = max(r.tunnel_cards for r in rules)
            intents += [of.I_PAY + i for i in range(most + 1)] + [of.I_DECLINE]
        intents += [of.I_SKIP] if there["marker"] else []
        if there["mark"] or there["alvin"]:
            intents += [of.I_CITY + city for city in cities]
        intents += [of.I_LANE + lane for lane in lanes]
        needs = {at.START: "start", at.RETURN: "return", at.TUNNEL: "tunnel"}
        needs |= {at.MARK: "marker", at.ALVIN: "alvin"}
        return cls(
            phases=[i for i in range(of.DECIDED) if there.get(needs.get(at.CHOOSE + i, ""), True)],
            seats=list(range(max(r.max_seats for r in rules))),
            lanes=lanes,
            cities=cities,
            tickets=list(range(len(edition.board.tickets))),
            offer=list(range(offer)),
            intents=intents,
            without=frozenset(_absent(there)),
        )

    def used(self, field: Field) -> list[list[int]]:
        """The indices that are used along each axis of a field."""
        sizes = {
            at.CARDS: list(range(at.CARDS)),
            at.SEATS: self.seats,
            at.LANES: self.lanes,
            at.CITIES: self.cities,
            at.TICKETS: self.tickets,
            at.OFFER: self.offer,
            of.INTENTS: self.intents,
        }
        if field.name in ("phase", "spare"):
            return [self.phases if field.name == "phase" else []]
        return [sizes[size] for size in field.shape]


def _absent(there: Mapping[str, bool]) -> Iterable[str]:
    """The fields that are always zero."""
    if not there["parts"]:
        yield "joins"  # a network that grows from one city is always connected
    if not there["tunnel"]:
        yield from ("paid_color", "paid_locos", "extra")
    if not (there["tunnel"] or there["marker"] or there["alvin"]):
        yield "claiming"
    if not there["station"]:
        yield "borrowed"
    if not there["mark"]:
        yield from ("marks", "marks_left")
    if not there["alvin"]:
        yield from ("alvin", "alvin_holder")


def _variants(edition: Edition) -> list[Edition]:
    """The edition, and its variants without options and with each of them."""
    found = [edition]
    name = reference(edition)
    for options in [(), *((option.name,) for option in edition.available_options)]:
        if edition.available_options:
            try:
                found.append(load_edition(name, options))
            except EditionError:
                continue  # not from a file, or the option needs another one
    return found


def board_digest(edition: Edition) -> str:
    """A short hash of what the columns depend on: cities, routes and tickets."""
    board = edition.board
    lines = [f"city {city.name}" for city in board.cities]
    lines += [
        f"route {r.a} {r.b} {r.length} {r.color} {r.kind} {r.locomotives} {r.lane}"
        for r in board.routes
    ]
    lines += [f"ticket {t.a} {t.b} {t.points} {t.deck}" for t in board.tickets]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
