"""One seat at a table, played through a socket, message by message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import msgspec

from macaz.lab.bench.measure import Skipped
from macaz.lab.bench.server.client import Socket

# While all choose tickets, another's entry may ask again before the answer has arrived: of the two
# answers one is refused.
PASSED = ("stale", "not-your-turn")


class Seat:
    """Whoever sits there hears of everything since the table was made."""

    def __init__(self) -> None:
        self._news: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._nonces = count(1)
        self._socket = Socket(
            lambda message: self._news.put_nowait(msgspec.json.decode(message)),
            lambda why: self._news.put_nowait({"type": "lost", "message": why}),
        )

    async def update(self) -> dict[str, Any]:
        """The next entry of the table's log."""
        while True:
            heard = await self._news.get()
            if heard["type"] == "refused" and heard["code"] in PASSED:
                continue
            if heard["type"] in ("refused", "lost"):
                raise Skipped(f"a player was let down: {heard['message']}")
            if heard["type"] == "update":
                return heard

    def act(self, update: dict[str, Any]) -> None:
        """Do the first thing that is allowed after an entry."""
        act = {"type": "act", "action": update["legal"][0]["action"]}
        act |= {"version": update["version"], "nonce": str(next(self._nonces))}
        self._send(act)

    def _send(self, message: dict[str, Any]) -> None:
        self._socket.send(msgspec.json.encode(message))


def is_over(update: dict[str, Any]) -> bool:
    """Whether the game ended with an entry."""
    return update["situation"] is not None and not update["deciding"]


@asynccontextmanager
async def seated(address: str, token: str, table: str, seat: int = 0) -> AsyncIterator[Seat]:
    """A seat of somebody's, connected while inside."""
    found = Seat()
    await found._socket.open(address, "/api/v1/socket", token)
    found._send({"type": "hello", "table": table, "seat": seat, "after": 0})
    try:
        yield found
    finally:
        found._socket.close()
