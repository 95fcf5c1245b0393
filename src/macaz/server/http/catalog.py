"""What can be played, against whom, and at which address."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from litestar import MediaType, Response, get

from macaz.bots import BOTS
from macaz.edition import Edition
from macaz.server import wire
from macaz.server.editions import bot_info, map_of
from macaz.server.http.common import (
    Asked,
    EditionPath,
    Here,
    address_for_others,
    common,
)
from macaz.server.node import Node
from macaz.server.not_modified import COMPRESSED, etag_response
from macaz.server.qr import qr_code
from macaz.server.refusal import Refusal, not_found

_code = lru_cache(maxsize=16)(qr_code)  # strangers may ask, and a server has few addresses


@get("/editions", tags=["editions"], summary="What can be played", **common)
async def editions(node: Here) -> list[wire.EditionLine]:
    """All editions of this server."""
    return list(node.editions.shelf())


@get(
    "/editions/{name:str}",
    tags=["editions"],
    summary="A map and its rules",
    middleware=[COMPRESSED],
    **common,
)
async def edition(request: Asked, node: Here, name: EditionPath) -> Response[wire.Map]:
    """Cities, routes, tickets and rules, in the order of their numbers."""
    body = wire.encode(map_of(_find(node, name)))
    return etag_response(request, body, MediaType.JSON)


@get(
    "/editions/{name:str}/plate",
    tags=["editions"],
    summary="A drawn board",
    middleware=[COMPRESSED],
    **common,
)
async def plate(request: Asked, node: Here, name: EditionPath) -> Response[wire.Plate]:
    """Where cities, tracks and labels go, and the land below them, to draw it."""
    return etag_response(request, await node.plates.of(_find(node, name)), MediaType.JSON)


def _find(node: Node, name: str) -> Edition:
    try:
        return node.editions.find(name)
    except Refusal as refusal:
        raise not_found(refusal.message) from refusal


@get("/bots", tags=["editions"], summary="Whom to play against", **common)
async def bots(node: Here) -> list[wire.BotInfo]:
    """All bots of this server: those of Macaz, then the host's own, which have no character."""
    own = (wire.BotInfo(name, "", learned=False) for name in node.settings.bots)
    return [*map(bot_info, BOTS), *own]


@get("/address", tags=["editions"], summary="Where others open this page", **common)
async def address(request: Asked, node: Here) -> wire.Address:
    """The address for others, as far as this server can have one, and its QR code."""
    url = f"{await address_for_others(node, request)}/"
    return wire.Address(url, await asyncio.to_thread(_code, url), node.settings.lan)
