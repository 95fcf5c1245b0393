"""Railway games of the Ticket to Ride family: their rules, bots, a server, and tools for research.

The public names are imported on first use, so that importing the package is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from macaz.bots import Bot, make_bot
    from macaz.bots.protocol.runner import serve_bot
    from macaz.edition import Edition, InvalidEdition, list_editions, load_edition
    from macaz.edition.board import Color
    from macaz.errors import MacazError
    from macaz.game import Game
    from macaz.game.fair import Dealer
    from macaz.game.moves import IllegalMove, InvalidMove
    from macaz.game.outcome import Outcome
    from macaz.game.position import dump_position, load_position
    from macaz.game.record import dump_record, load_record, open_record, save_record
    from macaz.game.view import View
    from macaz.game.worlds import sample_world
    from macaz.help.advice import advise, review
    from macaz.help.aids import aids_of

__version__ = "0.1.0"

_MODULE_OF = {
    "Bot": "bots",
    "Color": "edition.board",
    "Dealer": "game.fair",
    "Edition": "edition",
    "Game": "game",
    "IllegalMove": "game.moves",
    "InvalidEdition": "edition",
    "InvalidMove": "game.moves",
    "MacazError": "errors",
    "Outcome": "game.outcome",
    "View": "game.view",
    "advise": "help.advice",
    "aids_of": "help.aids",
    "dump_position": "game.position",
    "dump_record": "game.record",
    "list_editions": "edition",
    "load_edition": "edition",
    "load_position": "game.position",
    "load_record": "game.record",
    "make_bot": "bots",
    "open_record": "game.record",
    "review": "help.advice",
    "sample_world": "game.worlds",
    "save_record": "game.record",
    "serve_bot": "bots.protocol.runner",
}
__all__ = [
    "Bot",
    "Color",
    "Dealer",
    "Edition",
    "Game",
    "IllegalMove",
    "InvalidEdition",
    "InvalidMove",
    "MacazError",
    "Outcome",
    "View",
    "advise",
    "aids_of",
    "dump_position",
    "dump_record",
    "list_editions",
    "load_edition",
    "load_position",
    "load_record",
    "make_bot",
    "open_record",
    "review",
    "sample_world",
    "save_record",
    "serve_bot",
]


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        return getattr(importlib.import_module(f"macaz.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module 'macaz' has no attribute {name!r}")
