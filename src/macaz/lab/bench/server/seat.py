"""A client that plays one seat through a WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import msgspec

from macaz.lab.bench.measure import Skipped
from macaz.lab.bench.server.client import Socket

# While all seats choose tickets, an entry of another seat may request a decision again before the
# first one has arrived; the server then refuses one of the two.
PASSED = ("stale", "not-your-turn")


class Seat:
    """A seat that receives all entries since the table was created."""

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
                raise Skipped(f"a client failed: {heard['message']}")
            if heard["type"] == "update":
                return heard

    def act(self, update: dict[str, Any]) -> None:
        """Send the first legal action after an entry."""
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
    """Connect to a seat for the duration of the `with`."""
    found = Seat()
    await found._socket.open(address, "/api/v1/socket", token)
    found._send({"type": "hello", "table": table, "seat": seat, "after": 0})
    try:
        yield found
    finally:
        found._socket.close()
