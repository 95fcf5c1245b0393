"""Macaz plays the Ticket to Ride family of railway games.

Names are loaded when first used, so that importing the package is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from macaz.edition import Edition, InvalidEdition, list_editions, load_edition
    from macaz.game import Game
    from macaz.moves import IllegalMove, InvalidMove
    from macaz.outcome import Outcome
    from macaz.view import View

__version__ = "0.1.0"

_HOME = {
    "Edition": "edition",
    "Game": "game",
    "IllegalMove": "moves",
    "InvalidEdition": "edition",
    "InvalidMove": "moves",
    "Outcome": "outcome",
    "View": "view",
    "list_editions": "edition",
    "load_edition": "edition",
}
__all__ = [
    "Edition",
    "Game",
    "IllegalMove",
    "InvalidEdition",
    "InvalidMove",
    "Outcome",
    "View",
    "list_editions",
    "load_edition",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"macaz.{_HOME[name]}"), name)
    raise AttributeError(f"module 'macaz' has no attribute {name!r}")
