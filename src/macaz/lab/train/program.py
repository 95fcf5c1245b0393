"""Declares the compiled part of the training and its arrays."""

from __future__ import annotations

import numpy as np

from macaz.bots.compiled import layout as at
from macaz.bots.compiled.program import DECIDING_MODULES, ENDING_MODULES, SENSING_MODULES
from macaz.kernel.compile import Program
from macaz.lab.train.compiled.lessons import LessonArrays

# Tables of the exact planner: too large for a GPU thread, and the training never uses them.
_EXACT = ("tree", "back", "stack_part", "stack_city", "stack_group", "forest", "part", "split")
GPU_MIND = tuple(field for field in at.MIND if field.name not in _EXACT)

PROGRAM = Program(
    what="lessons",
    entries=("macaz.lab.train.compiled.entry",),
    modules=(
        *DECIDING_MODULES,
        *ENDING_MODULES,
        *SENSING_MODULES,
        "macaz.lab.train.compiled.lessons",
        "macaz.lab.train.compiled.entry",
    ),
    arrays=(
        ("guides", at.dtypes["guide"], 1),
        ("styles", at.dtypes["style"], 1),
        ("minds", at.dtypes["mind"], 1),
        ("numbers", np.dtype(np.int64), 1),
        ("deciders", np.dtype(np.int8), 1),
        ("players", np.dtype(np.int8), 2),
        ("scripts", np.dtype(np.int32), 1),
        ("legal", np.dtype(np.int64), 2),
        ("wishes", np.dtype(np.float32), 2),
        ("intents", np.dtype(np.int16), 1),
        ("colors", np.dtype(np.int8), 1),
        ("payable", np.dtype(np.int16), 1),
        ("shares", np.dtype(np.float32), 2),
        ("scores", np.dtype(np.int16), 2),
        ("ended", np.dtype(np.bool_), 1),
        ("rows", at.dtypes["sense"], 1),
        ("row_words", np.dtype(np.int64), 2),
    ),
    groups=(("lessons", LessonArrays),),
    no_gpu=("macaz.bots.compiled.steiner.plan_forest",),
)
