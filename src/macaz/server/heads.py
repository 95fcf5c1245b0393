"""Requests within limits: uvicorn by itself reads one without end, for ever, from anybody."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from macaz.server.limits import Room, network, within
from macaz.server.refusal import Refusal

if TYPE_CHECKING:
    from macaz.server.settings import Settings

HEAD_BYTES = 64 * 1024
HEAD_SECONDS = 30.0
BODY_SECONDS = 30.0


class Callers:
    """How many connections one address may have that are no sockets.

    Twice as many as sockets, as a browser opens several at a time. A trusted proxy, through which
    everybody comes, may have any number.
    """

    def __init__(self, settings: Settings) -> None:
        self._room = Room(2 * settings.sockets_per_address)
        self._proxies = settings.trusted_proxies

    def one(self, address: str) -> AbstractContextManager[None]:
        """Take a place while inside, or be refused."""
        if within(address, self._proxies):
            return nullcontext()
        return self._room.one(network(address))


class Heads(HttpToolsProtocol):
    """uvicorn's reader of requests; whoever writes too long or too slowly is cut off.

    So is whoever opens too many connections. One that becomes a WebSocket is no longer counted
    here: sockets have limits of their own.
    """

    def __init__(self, *args: Any, callers: Callers, **more: Any) -> None:
        super().__init__(*args, **more)
        self._callers, self._place = callers, ExitStack()
        self._head: int | None = 0  # bytes of the head so far; None while a body follows
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there, and may say nothing at all."""
        super().connection_made(transport)
        self._wait(HEAD_SECONDS)
        try:
            self._place.enter_context(self._callers.one(self.client[0] if self.client else "?"))
        except Refusal:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has gone."""
        self._wait_no_more()
        self._place.close()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, unless that was too much."""
        if self._head is not None:
            self._head += len(data)
        super().data_received(data)
        if self._head is not None and self._head > HEAD_BYTES:
            self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._head = self._head or 0
        self._wait(HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        """Its head has ended, and its body may follow."""
        self._wait(BODY_SECONDS)
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """It has ended; what comes now is the head of the next."""
        self._wait_no_more()
        self._head = 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """It is a WebSocket from now on, which others read and count."""
        self._wait_no_more()
        self._place.close()
        super().handle_websocket_upgrade()

    def _wait(self, seconds: float) -> None:
        self._wait_no_more()
        # Aborted, not closed: that would first wait for whoever takes nothing of an answer either.
        self._late = self.loop.call_later(seconds, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
