"""The characters of the compiled players: what their decisions weigh with.

The numbers were found by play: many games in the arena's compiled loop, and keeping what won.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from macaz.bots.compiled import layout as at

_RACER: dict[str, float] = {
    "kind": at.RACER,
    "rate": 5.31,
    "card": 2.28,
    "loco": 1.86,
    "draw": 0.878,
    "train": 0.3,
    "sure": 0.95,
    "slack": 0,
    "least": 1.802,
    "contest": 1,
    "network": 1.199,
    "block": 0,
    "more": 1e09,
    "eager": 2.569,
    "wild": 1.512,
    "hidden": 0.053,
    "marker": 0.2,
}
_PLANNER: dict[str, float] = {
    "kind": at.PLANNER,
    "rate": 4.542,
    "card": 3.241,
    "loco": 2.176,
    "draw": 0.358,
    "train": 0.222,
    "sure": 0.983,
    "slack": 4.089,
    "least": 3.622,
    "contest": 1.092,
    "network": 2.696,
    "block": 0,
    "more": 35.11,
    "eager": 3.144,
    "wild": 1.563,
    "hidden": 0.165,
    "marker": 0.2,
}

STYLES: dict[str, dict[str, float]] = {
    "random": {"kind": at.RANDOM},
    "racer": _RACER,
    "planner": _PLANNER,
}


@cache
def style_of(name: str) -> np.ndarray:
    """A style as the compiled players read it: an array of one record."""
    styles = np.zeros(1, at.dtypes["style"])
    for field, value in STYLES[name].items():
        styles[0][field] = value
    return styles
