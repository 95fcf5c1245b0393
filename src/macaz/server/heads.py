"""The head of a request, within limits: uvicorn by itself reads one without end, for ever."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES = 64 * 1024
HEAD_SECONDS = 30.0


class Heads(HttpToolsProtocol):
    """uvicorn's reader of requests; whoever writes too long or too slowly is cut off."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._head: int | None = 0  # bytes of the head so far; None while a body follows
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there, and may say nothing at all."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has gone."""
        self._wait_no_more()
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
        self._wait()

    def on_headers_complete(self) -> None:
        """Its head has ended."""
        self._wait_no_more()
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """It has ended; what comes now is the head of the next."""
        self._head = 0
        super().on_message_complete()

    def _wait(self) -> None:
        self._wait_no_more()
        self._late = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
