"""A view as the row of numbers that `macaz.kernel.observation` declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from macaz.errors import MacazError
from macaz.kernel import layout as at
from macaz.kernel.help import claimable_lanes
from macaz.kernel.observation import MOST, OBSERVATION_SIZE, observation_dtype
from macaz.kernel.views import redacted_state

if TYPE_CHECKING:
    from macaz.game.view import View
    from macaz.kernel.spec import Spec

_AS_IN_THE_VIEW = (
    *("last", "passes", "row", "refreshed", "discards", "pool"),
    *("revealed", "extra", "stock", "queue"),
)


def observe(view: View) -> np.ndarray:
    """The observation of a seat, as `OBSERVATION_SIZE` numbers of int8.

    While setup tickets are chosen, which all do at the same time, the other seats are shown as if
    none of them had chosen yet.
    """
    if view.seat is None:
        raise MacazError("a spectator has no observation: ask for a seat's view")
    spec, v = view.spec, view.record[0]
    row = np.zeros(OBSERVATION_SIZE, np.int8)
    o = row.view(observation_dtype())[0]
    clockwise = (view.seat + np.arange(spec.seats)) % spec.seats
    phase = int(v["phase"])
    o["phase"][phase] = 1
    _put_seats(o, v, spec, clockwise)
    if phase == at.CHOOSE:
        o["deciding"][1 : spec.seats] = 1
        o["tickets_held"][1:] = 0
        o["tickets_offered"][1 : spec.seats] = spec.table["setup_deal"][0]
    for name in _AS_IN_THE_VIEW:
        o[name] = v[name]
    o["hand"] = v["hand"][view.seat]
    o["unseen"] = view.unseen
    o["deck_size"] = min(int(v["deck_size"]), MOST)
    o["open"] = _as_flags(claimable_lanes(spec, redacted_state(view.record), view.seat))
    if v["lane"] >= 0:
        o["claiming"][v["lane"]] = 1
    if phase in (at.DEAL_TUNNEL, at.TUNNEL):
        o["paid_color"][v["paid_color"]] = 1
        o["paid_locos"] = v["paid_locos"]
    if v["alvin_city"] >= 0:
        o["alvin"][v["alvin_city"]] = 1
    _put_tickets(o, view)
    return row


def _put_seats(o: np.void, v: np.void, spec: Spec, clockwise: np.ndarray) -> None:
    """Fill in the fields of every seat."""
    here = slice(0, spec.seats)
    o["playing"][here] = 1
    deciding = {at.CHOOSE: int(v["choosing"]), at.OVER: 0}.get(
        int(v["phase"]), 1 << int(v["turn"]) if v["phase"] > at.LAST_CHANCE else 0
    )
    o["deciding"][here] = deciding >> clockwise & 1
    o["first"][here] = clockwise == v["first"]
    o["alvin_holder"][here] = clockwise == v["alvin_holder"]
    for name in ("seen", "trains"):
        o[name][here] = v[name][clockwise]
    o["hand_size"][here] = np.minimum(v["hand_size"][clockwise], MOST)
    o["score"][here] = np.stack(np.divmod(v["score"][clockwise], 10), axis=1)
    o["tickets_held"][here] = v["held"][clockwise]
    o["tickets_offered"][here] = v["offered"][clockwise]
    most = max(spec.table["stations"][0], spec.table["markers"][0])
    for p, seat in enumerate(clockwise):
        marks = v["marks"][seat]
        o["claimed"][p] = _as_flags(v["claimed"][seat])
        o["marks"][p, marks[marks >= 0]] = 1
        o["marks_left"][p] = max(0, most - np.count_nonzero(marks >= 0))


def _put_tickets(o: np.void, view: View) -> None:
    """Fill in what the observer knows of each ticket."""
    seat = int(view.record["seat"][0])
    places = view.record["ticket"][0, : len(view.edition.board.tickets)]
    offered = np.flatnonzero(places == at.OFFERED + seat)
    held = np.flatnonzero(places == at.HELD + seat)
    o["held"][held] = 1
    o["offered"][np.arange(len(offered)), offered] = 1
    gone = (places == at.IN_BUNDLE) | (places == at.IN_BOX) | (places >= at.QUEUE)
    chosen = (places >= at.RETURNED) & (places < at.IN_DECK)
    o["returned"][: len(places)] = gone | chosen
    with_a_seat = (places >= at.HELD) & (places < at.RETURNED)
    o["theirs"][: len(places)] = with_a_seat & (places % at.OFFERED != seat)
    group = _networks(view.spec, view.record["claimed"][0, seat])
    tickets = view.spec.table[0]
    for t in (*held, *offered):
        o["connected"][t] = group[tickets["ticket_a"][t]] == group[tickets["ticket_b"][t]]


def _as_flags(words: np.ndarray) -> np.ndarray:
    """A bit set of lanes as a 0 or 1 for each."""
    return (words[:, None] >> np.arange(at.WORD_BITS) & 1).reshape(at.LANES)


def _networks(spec: Spec, words: np.ndarray) -> list[int]:
    """For each city, the least of the cities that these lanes connect it to."""
    group = list(range(at.CITIES))
    table = spec.table[0]
    for lane in np.flatnonzero(_as_flags(words)):
        a, b = group[table["lane_a"][lane]], group[table["lane_b"][lane]]
        if a != b:
            group = [min(a, b) if g in (a, b) else g for g in group]
    return group
