"""Macaz plays the Ticket to Ride family of railway games.

Names are loaded when first used, so that importing the package is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from macaz.edition import Edition, InvalidEdition, list_editions, load_edition
    from macaz.errors import MacazError
    from macaz.fair import Dealer
    from macaz.game import Game
    from macaz.moves import IllegalMove, InvalidMove
    from macaz.outcome import Outcome
    from macaz.position import dump_position, load_position
    from macaz.record import dump_record, load_record, open_record, save_record
    from macaz.view import View
    from macaz.worlds import sample_world

__version__ = "0.1.0"

_HOME = {
    "Dealer": "fair",
    "Edition": "edition",
    "Game": "game",
    "IllegalMove": "moves",
    "InvalidEdition": "edition",
    "InvalidMove": "moves",
    "MacazError": "errors",
    "Outcome": "outcome",
    "View": "view",
    "dump_position": "position",
    "dump_record": "record",
    "list_editions": "edition",
    "load_edition": "edition",
    "load_position": "position",
    "load_record": "record",
    "open_record": "record",
    "sample_world": "worlds",
    "save_record": "record",
}
__all__ = [
    "Dealer",
    "Edition",
    "Game",
    "IllegalMove",
    "InvalidEdition",
    "InvalidMove",
    "MacazError",
    "Outcome",
    "View",
    "dump_position",
    "dump_record",
    "list_editions",
    "load_edition",
    "load_position",
    "load_record",
    "open_record",
    "sample_world",
    "save_record",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"macaz.{_HOME[name]}"), name)
    raise AttributeError(f"module 'macaz' has no attribute {name!r}")
