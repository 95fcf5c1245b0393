"""What can be played, and against whom."""

from __future__ import annotations

from litestar import get

from macaz.bots import BOTS
from macaz.server import wire
from macaz.server.api.common import (
    EditionPath,
    Here,
    common,
)
from macaz.server.editions import map_of
from macaz.server.refusal import Refusal, not_found


@get("/editions", tags=["editions"], summary="What can be played", **common)
async def editions(node: Here) -> list[wire.EditionLine]:
    """All editions of this server."""
    return list(node.editions.shelf())


@get("/editions/{name:str}", tags=["editions"], summary="A map and its rules", **common)
async def edition(node: Here, name: EditionPath) -> wire.Map:
    """Cities, routes, tickets and rules, in the order of their numbers."""
    try:
        return map_of(node.editions.find(name))
    except Refusal as refusal:
        raise not_found(refusal.message) from refusal


@get("/bots", tags=["editions"], summary="Whom to play against", **common)
async def bots() -> list[wire.BotInfo]:
    """All bots of this server."""
    return [wire.BotInfo(name, kind.character) for name, kind in BOTS.items()]
