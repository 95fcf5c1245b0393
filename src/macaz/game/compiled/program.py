"""Positions that are set up, ready to be called: drafts in, problems and records out."""

from __future__ import annotations

from typing import Any

import numpy as np

from macaz.game.compiled.layout import DRAFT, MOST_PROBLEMS, dtypes
from macaz.kernel.compile import AUTO, Program, compiled
from macaz.kernel.layout import dtype_of

_HERE = "macaz.game.compiled"
_MODULES = (
    *("layout", "problems", "complete", "check_cards", "check_board", "check_marks"),
    *("check_tickets", "check_phase", "entry"),
)
POSITIONS = Program(
    what="positions",
    entries=(f"{_HERE}.entry",),
    modules=tuple(f"{_HERE}.{name}" for name in _MODULES),
    arrays=(
        ("drafts", dtypes["draft"], 1),
        ("problems", dtypes["problem"], 1),
        ("views", dtype_of("view"), 1),
    ),
)
# Fields that follow from the rest unless a position says them, or that stand for nothing then.
_LEFT_OUT = (
    *("after", "turn", "drawn", "refreshed", "deck_size", "stock", "captured", "alvin_city"),
    *("trains", "score", "known", "ticket", "deck", "pool"),
    *("lane", "marks", "alvin_holder", "told_extra"),
)
assert set(_LEFT_OUT) <= {field.name for field in DRAFT}


def positions(target: str = AUTO) -> Any:
    """The functions that complete and check positions, for a target."""
    return compiled(POSITIONS, target)


def new_draft() -> np.ndarray:
    """An empty draft, in which all that can follow from the rest is left out."""
    drafts = np.zeros(1, dtypes["draft"])
    for name in _LEFT_OUT:
        drafts[name] = -1
    return drafts


def problems_of(spec: Any, drafts: np.ndarray, unsound: int = 0, target: str = AUTO) -> np.ndarray:
    """What is impossible in a completed draft: records of dtype "problem"."""
    problems = np.zeros(MOST_PROBLEMS, dtypes["problem"])
    states = np.zeros(1, dtype_of("state"))
    count = positions(target).check_draft(spec.table, drafts, states, problems, unsound)
    return problems[:count]
