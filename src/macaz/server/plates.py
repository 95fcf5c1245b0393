"""Drawn boards, each computed once and kept as it is sent."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

from macaz.server import wire

if TYPE_CHECKING:
    from macaz.edition import Edition

KEPT = 16  # boards, of some hundred kilobytes


class Plates:
    """Finds the drawing of an edition's board."""

    def __init__(self) -> None:
        self._made: OrderedDict[str, asyncio.Task[bytes]] = OrderedDict()

    async def of(self, edition: Edition) -> bytes:
        """The plate of an edition as JSON."""
        name = edition.fingerprint
        if name not in self._made:
            self._made[name] = asyncio.create_task(asyncio.to_thread(_draw, edition))
        self._made.move_to_end(name)
        if len(self._made) > KEPT:
            self._made.popitem(last=False)
        try:
            # Several may wait for it; one that is cancelled must not cancel it for the others.
            return await asyncio.shield(self._made[name])
        except Exception:
            self._made.pop(name, None)
            raise


def _draw(edition: Edition) -> bytes:
    from macaz.draw.plates import plate_of  # a server that draws no board need not load it

    return wire.encode(plate_of(edition))
