"""Declares the compiled part of the environments and its arrays."""

from __future__ import annotations

import numpy as np

from macaz.kernel.compile import Program
from macaz.kernel.observation import observation_dtype
from macaz.lab.env.compiled.games import Games

PROGRAM = Program(
    "environments",
    ("macaz.lab.env.compiled.entry",),
    (
        "macaz.kernel.observation",  # its largest number is compiled in
        *(f"macaz.lab.env.compiled.{name}" for name in ("observe", "mask", "games", "entry")),
    ),
    (
        ("numbers", np.dtype(np.int64), 1),
        ("deciders", np.dtype(np.int8), 1),
        ("actions", np.dtype(np.int32), 1),
        ("words", np.dtype(np.int64), 2),
        ("observations", observation_dtype(), 1),
        ("masks", np.dtype(np.int8), 2),
        ("rewards", np.dtype(np.float32), 2),
        ("scores", np.dtype(np.int16), 2),
        ("ended", np.dtype(np.bool_), 1),
    ),
    (("games", Games),),
)
