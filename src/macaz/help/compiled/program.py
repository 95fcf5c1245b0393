"""The compiled analysis, ready to be called, and what the WebAssembly module holds in all."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from macaz.bots.compiled import layout as of
from macaz.bots.compiled.program import PLAYERS, Games
from macaz.game.compiled.program import POSITIONS
from macaz.help.compiled import layout as at
from macaz.help.compiled import story_layout
from macaz.help.compiled.reason_codes import CANDIDATES, reason_dtype
from macaz.help.compiled.study import SLOTS, Study
from macaz.kernel.compile import AUTO, KERNEL, Program, compiled
from macaz.kernel.engine import scratch
from macaz.kernel.help import HELP
from macaz.kernel.layout import LENGTHS, SEATS, dtype_of
from macaz.kernel.once import once
from macaz.kernel.views import VIEWS

_HERE = "macaz.help.compiled"
_MODULES = tuple(
    f"{_HERE}.{name}"
    for name in (
        *("layout", "compare", "rank", "entry"),
        *("study", "route_reasons", "card_reasons", "ticket_reasons", "city_reasons"),
        *("other_reasons", "try_reasons", "reasons", "reason_entry"),
    )
)

ADVICE = Program(
    what="analysis",
    entries=(f"{_HERE}.entry", f"{_HERE}.reason_entry"),
    modules=(*HELP.modules, *PLAYERS.modules, *_MODULES),
    arrays=(
        *PLAYERS.arrays,
        ("rooms", dtype_of("world"), 1),
        ("lines", at.dtypes["line"], 1),
        ("more", at.dtypes["line"], 1),
        ("trials", at.dtypes["trial"], 1),
        ("results", np.dtype(np.float32), 3),
        ("outcomes", np.dtype(np.float32), 3),
        ("networks", dtype_of("network"), 1),
        ("plans", dtype_of("plan"), 1),
        ("ways", np.dtype(np.int64), 1),
        ("reasons", reason_dtype, 1),
    ),
    groups=(("games", Games), ("study", Study)),
)
REVIEW = Program(
    what="review",
    entries=(f"{_HERE}.story_entry",),
    modules=tuple(f"{_HERE}.{name}" for name in ("layout", "story_layout", "story", "story_entry")),
    arrays=(
        ("lines", at.dtypes["line"], 1),
        ("verdicts", story_layout.dtypes["verdict"], 1),
        ("stories", story_layout.dtypes["story"], 1),
        ("turnings", story_layout.dtypes["turning"], 1),
        ("awards", np.dtype(np.float64), 1),
        ("curves", np.dtype(np.float64), 2),
        ("sums", np.dtype(np.float64), 2),
        ("actions", np.dtype(np.int64), 1),
    ),
)
# What the WebAssembly module holds: the rules, views, help for people, positions that are set up,
# the players, the analysis, reviews.
_PARTS = (KERNEL, VIEWS, HELP, POSITIONS, PLAYERS, ADVICE, REVIEW)
ALL = Program(
    what="module",
    entries=tuple(name for part in _PARTS for name in part.entries),
    modules=tuple(dict.fromkeys(name for part in _PARTS for name in part.modules)),
    arrays=tuple(array for part in _PARTS for array in part.arrays),
    groups=(*PLAYERS.groups, *ADVICE.groups),
)


def analysis(target: str = AUTO) -> Any:
    """The functions of the analysis, for a target."""
    return compiled(ADVICE, target)


def reviewing(target: str = AUTO) -> Any:
    """The functions of a review, for a target."""
    return compiled(REVIEW, target)


class WorkingMemory(threading.local):
    """What moves are compared on: each thread's own, used again for every chunk."""

    def __init__(self, target: str) -> None:
        zeros = analysis(target).zeros
        self.games = Games(
            states=zeros(1, dtype_of("state")),
            worlds=zeros(1, dtype_of("state")),
            minds=zeros(2 * SEATS, of.dtypes["mind"]),
            dice=zeros(2, dtype_of("dice")),
            works=scratch(target).works,
            tallies=zeros(1, dtype_of("tally")),
        )
        self.searches = zeros(1, of.dtypes["search"])
        self.positions = zeros(1, dtype_of("state"))
        self.views = zeros(1, dtype_of("view"))
        self.rooms = zeros(1, dtype_of("world"))
        self.trials = zeros(1, at.dtypes["trial"])
        self.lines = zeros(at.MOVES, at.dtypes["line"])
        self.results = zeros(at.MOVES * at.CHUNK * SEATS, np.float32)
        self.study = Study(
            states=zeros(SLOTS, dtype_of("state")),
            works=self.games.works,
            tallies=self.games.tallies,
            networks=zeros(1, dtype_of("network")),
            plans=zeros(SLOTS, dtype_of("plan")),
            ways=zeros(LENGTHS, np.int64),
            reasons=zeros(CANDIDATES + 1, reason_dtype),
        )


@once
def working_memory(target: str) -> WorkingMemory:
    """The working memory of the thread that uses it."""
    return WorkingMemory(target)
