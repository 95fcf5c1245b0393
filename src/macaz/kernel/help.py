"""What people are told, asked of the kernel: arrays of one state in, names and numbers out.

A state made from a view (`views.redacted_state`) gives a seat the same answers as the state itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from macaz.kernel.compile import AUTO, Program, compiled
from macaz.kernel.engine import scratch
from macaz.kernel.layout import LANES, REASON_NAMES

if TYPE_CHECKING:
    import numpy as np

    from macaz.kernel.layout import WhyNot
    from macaz.kernel.spec import Spec

HELP = Program(
    what="help",
    entries=("macaz.kernel.help_entry",),
    modules=("macaz.kernel.help_entry",),
)


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
