"""What reasons are found with, and how one is added."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from macaz.help.compiled.reason_codes import CANDIDATES, ENOUGH
from macaz.kernel.bits import lowest
from macaz.kernel.layout import (
    A_CLAIM,
    A_PAY,
    HELD,
    TICKET_OPEN,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.legal import kind_of
from macaz.kernel.table import lanes_beside, lanes_closing, marks_used

NOW = 0  # of `states` and `plans`: as it is
THEN = 1  # after the line's move
ELSE = 2  # after the other move
SLOTS = 3


class Study(NamedTuple):
    """The position, what would follow from two moves, and the reasons found."""

    states: np.ndarray
    works: np.ndarray
    tallies: np.ndarray
    networks: np.ndarray
    plans: np.ndarray
    ways: np.ndarray  # draws of a tunnel, by extra cards
    reasons: np.ndarray  # one more than are weighed, to exchange two


def forget_reasons(study):
    """No reasons so far."""
    for k in range(CANDIDATES):
        study.reasons[k].code = 0


def add_reason(study, code, weight):
    """A reason with its code and weight only; returns its number.

    The last place is for all that find no other.
    """
    k = 0
    while k < CANDIDATES - 1 and study.reasons[k].code != 0:
        k += 1
    reason = study.reasons[k]
    reason.weight = weight
    reason.share = -1.0
    reason.instead = -1.0
    reason.code = code
    reason.route = -1
    reason.amount = -1
    reason.of = -1
    reason.ticket = -1
    reason.other = -1
    reason.seat = -1
    reason.color = -1
    reason.city = -1
    return k


def lane_of(spec, s, a):
    """The lane that an action claims, or -1: at once, as a tunnel, or by paying for one."""
    kind = kind_of(spec, a)
    if kind == A_CLAIM:
        return spec.claim_lane[a - spec.base[A_CLAIM]] + 0
    if kind == A_PAY:
        return s.lane + 0
    return -1


def by_hope(spec, s, plan, t):
    """Whether the way of a ticket borrows lanes that others have not claimed yet."""
    spaces = 0
    for v in range(WORDS):
        rest = plan.way[t, v] & free_of_all(spec, s, v)
        while rest != 0:
            spaces += spec.lane_length[v * WORD_BITS + lowest(rest)]
            rest &= rest - 1
    return spaces != plan.spaces[t]


def has_built(spec, s, seat):
    """Whether a seat has a station, which may lend one route or another."""
    return spec.stations > 0 and marks_used(s, seat) > 0


def is_wanted(s, seat, plan, t):
    """Whether a ticket is held, not completed and still possible."""
    return s.ticket[t] == HELD + seat and plan.state[t] == TICKET_OPEN


def is_open(spec, s, seat, plan, t):
    """Whether a ticket is held, not completed, and possible without a new station."""
    if not is_wanted(s, seat, plan, t) or plan.stations[t] > 0:
        return False
    return not by_hope(spec, s, plan, t)


def is_enough(line):
    """Whether a line has tries from which shares are told."""
    return line.tries >= ENOUGH


def same_lanes(spec, lane, other):
    """Whether two lanes are one, or join the same cities."""
    if lane == other:
        return True
    b0, b1, b2 = lanes_beside(spec, lane)
    word = b0
    if other // WORD_BITS == 1:
        word = b1
    elif other // WORD_BITS == 2:
        word = b2
    return (word >> (other % WORD_BITS)) & 1 == 1


def close_lane(spec, q, lane):
    """Take a lane from what the seat can still claim, and those that close with it (C7)."""
    q.claimable[lane // WORD_BITS] &= ~(1 << (lane % WORD_BITS))
    b0, b1, b2 = lanes_closing(spec, lane)
    q.claimable[0] &= ~b0
    q.claimable[1] &= ~b1
    q.claimable[2] &= ~b2


def free_of_all(spec, s, v):
    """A word of the lanes that no seat has."""
    word = spec.lanes[v] + 0
    for p in range(spec.seats):
        word &= ~s.claimed[p, v]
    return word


def build_way(spec, s, seat, plan, t):
    """Give a seat the lanes that the way of a ticket lacks, and take its trains."""
    for v in range(WORDS):
        s.claimed[seat, v] |= plan.way[t, v] & free_of_all(spec, s, v)
    s.trains[seat] -= plan.spaces[t]
