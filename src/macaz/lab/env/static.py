"""What of a table does not change during a game: its lanes, its tickets, and what actions mean.

An observation says who has claimed lane 17; these tables say where lane 17 is and what it costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from macaz.kernel import layout as at
from macaz.kernel.layout import Field, dtype_from

if TYPE_CHECKING:
    from macaz.kernel.spec import Spec

LANE: tuple[Field, ...] = (
    Field("route", "i2", (), "its number on the edition's board; -1: there is no such lane"),
    Field("a", "i1", (), "a city; -1: no lane"),
    Field("b", "i1", (), "its other city; -1: no lane"),
    Field("length", "i1", (), "its spaces"),
    Field("color", "i1", (), "its colour; 8: gray; -1: no lane"),
    Field("locos", "i1", (), "its locomotive symbols"),
    Field("tunnel", "i1", (), "1 for a tunnel"),
    Field("points", "i1", (), "points for claiming it"),
)
TICKET: tuple[Field, ...] = (
    Field("a", "i1", (), "a city; -1: there is no such ticket"),
    Field("b", "i1", (), "its other city; -1: no ticket"),
    Field("points", "i1", (), "its value"),
    Field("long", "i1", (), "1 for a long ticket"),
)
ACTION: tuple[Field, ...] = (
    Field("kind", "i1", (), "what it does, by number of the kind of action"),
    Field("seat", "i1", (), "whose choice of setup tickets it is; else -1"),
    Field("places", "i1", (), "of a choice of tickets: the places of the offer, as bits; else 0"),
    Field("city", "i1", (), "where something is placed; else -1"),
    Field("lane", "i2", (), "the lane that is claimed; else -1"),
    Field("color", "i1", (), "the colour that is taken or paid; 8: locomotives only; else -1"),
    Field("locos", "i1", (), "the locomotives that are paid with it"),
)


@dataclass(frozen=True, slots=True, eq=False)
class StaticFeatures:
    """Three tables, as arrays of records: `lanes["length"][17]`."""

    lanes: np.ndarray  # by lane, LANES of them
    tickets: np.ndarray  # by ticket, TICKETS of them
    actions: np.ndarray  # by action number


def static_features(spec: Spec) -> StaticFeatures:
    """The tables of an edition at a number of seats."""
    return StaticFeatures(_lanes(spec), _tickets(spec), _actions(spec))


def _lanes(spec: Spec) -> np.ndarray:
    table = spec.table[0]
    lanes = np.zeros(at.LANES, dtype_from(LANE))
    for name in ("route", "a", "b", "color"):
        lanes[name] = -1
    for lane, route in spec.route_of_lane.items():
        lanes["route"][lane] = route
        for name in ("a", "b", "length", "tunnel"):
            lanes[name][lane] = table[f"lane_{name}"][lane]
    lanes["points"] = table["points"][lanes["length"]]
    for k in range(table["first_class"][at.CARDS]):
        bits = table["class_mask"][k][:, None] >> np.arange(at.WORD_BITS) & 1
        members = np.flatnonzero(bits)
        for name in ("color", "locos"):
            lanes[name][members] = table[f"class_{name}"][k]
    return lanes


def _tickets(spec: Spec) -> np.ndarray:
    tickets = np.zeros(at.TICKETS, dtype_from(TICKET))
    count = len(spec.edition.board.tickets)
    for name in ("a", "b", "points", "long"):
        tickets[name] = spec.table[f"ticket_{name}"][0]
    tickets["a"][count:] = tickets["b"][count:] = -1
    return tickets


def _actions(spec: Spec) -> np.ndarray:
    table = spec.table[0]
    actions = np.zeros(spec.actions, dtype_from(ACTION))
    for name in ("seat", "city", "lane", "color"):
        actions[name] = -1
    for kind in range(at.KINDS):
        rows = actions[table["base"][kind] : table["base"][kind + 1]]
        rows["kind"] = kind
        _fill_actions(rows, kind, np.arange(len(rows)), table)
    return actions


def _fill_actions(rows: np.ndarray, kind: int, i: np.ndarray, table: np.void) -> None:
    """The actions of one kind, which number them from 0."""
    if kind == at.A_TAKE:
        rows["color"] = i
    elif kind == at.A_KEEP:
        rows["places"] = i
    elif kind == at.A_RETURN:
        rows["places"] = 1 << i
    elif kind == at.A_PAY:
        rows["locos"] = i
    elif kind == at.A_CHOOSE:
        rows["seat"] = i >> table["setup_deal"]
        rows["places"] = i & ((1 << table["setup_deal"]) - 1)
    elif kind in (at.A_START, at.A_ALVIN):
        rows["city"] = i
    elif kind in (at.A_MARK, at.A_STATION):
        # Only a number with a colour says how many locomotives are in its place.
        pay = i % at.PAYS
        rows["city"] = i // at.PAYS
        rows["color"] = pay // at.PAY_LOCOS
        rows["locos"] = np.where(pay == at.PAYS - 1, 0, pay % at.PAY_LOCOS)
    elif kind == at.A_CLAIM:
        for name in ("lane", "color", "locos"):
            rows[name] = table[f"claim_{name}"][: len(i)]
