"""Styles: the weights of the compiled players' decisions.

The numbers of `styles.toml` were tuned by games (`tools/tune_styles.py`), separately for each kind
of game, and for two or more seats. The weaker levels are the planner with handicaps.
"""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from macaz.bots.compiled import layout as at

if TYPE_CHECKING:
    from macaz.kernel.spec import Spec

Numbers = dict[str, float]
_KINDS = {"random": at.RANDOM, "racer": at.RACER, "playout": at.PLANNER, "planner": at.PLANNER}
_ALL = {"tickets": 60.0}
_IGNORING_OTHERS = {"contest": 0.0, "block": 0.0, "more": 40.0}
# By name: the style it derives from, and the changes.
_VARIANTS: dict[str, tuple[str, Numbers]] = {
    "random": ("random", {}),
    "racer": ("racer", {}),
    "planner": ("planner", {**_ALL, "exact": 1}),
    # For playouts: without the exact, slower planning.
    "playout": ("playout", _ALL),
    # Plans for one ticket at a time, spends cards at once, and ignores the other seats.
    "apprentice": (
        "planner",
        {"tickets": 1, "leisure": 12, "rate": 2.0, "card": 1.0, "least": 0.0, **_IGNORING_OTHERS},
    ),
    # Plans for two tickets, saves cards, and reacts late to the end of the game.
    "conductor": (
        "planner",
        {"tickets": 2, "leisure": 5, "rate": 3.0, "card": 1.8, "least": 1.0, **_IGNORING_OTHERS},
    ),
}
STYLES = tuple(_VARIANTS)


def kind_of_table(spec: Spec) -> str:
    """The kind of game, a key of `styles.toml`."""
    table = spec.table[0]
    game = "start" if table["start_city"] else "stations" if table["stations"] else "plain"
    return f"{game}-{'2' if spec.seats == 2 else 'more'}"


@cache
def _found() -> dict[str, dict[str, Numbers]]:
    text = files("macaz.bots").joinpath("styles.toml").read_text("utf-8")
    return tomllib.loads(text)


def numbers_of(name: str, kind: str) -> Numbers:
    """The numbers of a style at a kind of table."""
    base, changes = _VARIANTS[name]
    found = _found().get(base, {}).get(kind, {})
    return {"kind": _KINDS[base], **found, **changes}


def style_record(numbers: Numbers) -> np.ndarray:
    """A style as an array of one record, for the compiled players."""
    styles = np.zeros(1, at.dtypes["style"])
    for field, value in numbers.items():
        styles[0][field] = value
    return styles


@lru_cache(maxsize=256)
def style_of(name: str, spec: Spec) -> np.ndarray:
    """A style for a table."""
    return style_record(numbers_of(name, kind_of_table(spec)))
