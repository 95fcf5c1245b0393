"""Limits on the size, the time and the number of requests: uvicorn by itself has none."""

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


class HeadTooLong(Exception):  # noqa: N818 - reads as the habit of the house: IllegalMove
    """The head of a request is longer than `HEAD_BYTES`."""


class Heads(HttpToolsProtocol):
    """uvicorn's HTTP protocol with limits on a request's head, its time and on connections.

    A connection that becomes a WebSocket is no longer counted here: sockets have limits of their
    own.
    """

    def __init__(self, *args: Any, callers: Callers, **more: Any) -> None:
        super().__init__(*args, **more)
        self._callers, self._place = callers, ExitStack()
        # Bytes received since the last head, or piece of a body, and those in whole header fields.
        # The first limits a field that does not end, in the head or in the trailer of a body, the
        # second a head that comes in one piece.
        self._head = 0
        self._fields = 0
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
        """Parse what came, and refuse a head that is too long so far."""
        self._head += len(data)
        super().data_received(data)
        if self._head > HEAD_BYTES and not self.transport.is_closing():
            self._refuse_head()

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be parsed; uvicorn calls it for any error in a callback."""
        if self._fields > HEAD_BYTES:
            self._refuse_head()
        else:
            super().send_400_response(msg)

    def _refuse_head(self) -> None:
        words = b"The head of the request is too long."
        self.transport.write(
            b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain\r\n"
            b"content-length: %d\r\nconnection: close\r\n\r\n%s" % (len(words), words)
        )
        self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._fields = 0
        self._wait(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        """A part of the address was parsed."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header field was parsed, or a trailer after the body."""
        self._count(len(name) + len(value) + len(": \r\n"))
        super().on_header(name, value)

    def _count(self, size: int) -> None:
        self._fields += size
        if self._fields > HEAD_BYTES:
            raise HeadTooLong  # the parser stops, and the application never sees the request

    def on_headers_complete(self) -> None:
        """Its head has ended, and its body may follow."""
        self._wait(BODY_SECONDS)
        self._head = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body was parsed."""
        self._head = 0
        super().on_body(body)

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
        # websockets parses the head again, with limits of its own, and uvicorn would leave the
        # connection of one that it refuses open for ever.
        if not getattr(self.transport.get_protocol(), "handshake_initiated", False):
            self.send_400_response("The head of the request cannot be read.")

    def _wait(self, seconds: float) -> None:
        self._wait_no_more()
        # Aborted, not closed: that would first wait for whoever takes nothing of an answer either.
        self._late = self.loop.call_later(seconds, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
