"""The message `position`: a view and its legal moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from macaz.game.data import GameView, moves_data, view_data
from macaz.game.moves import notation_of
from macaz.game.position import setup_view
from macaz.game.position.read import FORMAT, FORMAT_KEY

if TYPE_CHECKING:
    from macaz.bots.protocol.lines import Data
    from macaz.game.moves import Move
    from macaz.game.view import View
    from macaz.kernel.spec import Spec


def position_message(view: View, legal: Sequence[Move]) -> Data:
    return {"view": view_data(view), "legal": moves_data(view, legal)}


def read_position(spec: Spec, data: Data) -> tuple[View, list[Move]]:
    """The view and the legal moves of a message: the inverse of `position_message`."""
    # Entries of later versions are ignored.
    known = msgspec.json.encode(msgspec.convert(data["view"], GameView, str_keys=True))
    view = setup_view({FORMAT_KEY: FORMAT} | msgspec.json.decode(known), edition=spec.edition)
    notation, offer = notation_of(spec), view.offer
    return view, [notation.move(move["action"], offer) for move in data["legal"]]
