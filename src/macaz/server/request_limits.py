"""Limits on the size and time of requests and the number of connections: uvicorn has none."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from macaz.server.limits import ConnectionLimit, network, within
from macaz.server.refusal import Refusal

if TYPE_CHECKING:
    from macaz.server.settings import Settings

HEAD_BYTES = 64 * 1024
HEAD_SECONDS = 30.0
BODY_SECONDS = 30.0


class HttpConnections:
    """Limits the connections of one address that are not WebSockets.

    Twice as many as WebSockets are allowed, as a browser opens several at a time. A trusted proxy
    may have any number, since it carries the requests of many people.
    """

    def __init__(self, settings: Settings) -> None:
        self._limit = ConnectionLimit(2 * settings.sockets_per_address)
        self._proxies = settings.trusted_proxies

    def one(self, address: str) -> AbstractContextManager[None]:
        """Count one while the context is open; raises `Refusal` if there are too many."""
        if within(address, self._proxies):
            return nullcontext()
        return self._limit.one(network(address))


class HeaderTooLarge(Exception):  # noqa: N818 - as `IllegalMove`
    """The head of a request is longer than `HEAD_BYTES`."""


class RequestLimits(HttpToolsProtocol):
    """uvicorn's HTTP protocol with limits on a request's head, its time and on connections.

    A connection that becomes a WebSocket is no longer counted here: those have their own limits.
    """

    def __init__(self, *args: Any, connections: HttpConnections, **more: Any) -> None:
        super().__init__(*args, **more)
        self._connections, self._counted = connections, ExitStack()
        # Bytes received since the last head, or piece of a body, and those in whole header fields.
        # The first limits a field that does not end, in the head or in the trailer of a body, the
        # second a head that comes in one piece.
        self._head = 0
        self._fields = 0
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer: a client may connect and send nothing at all."""
        super().connection_made(transport)
        self._start_timer(HEAD_SECONDS)
        try:
            self._counted.enter_context(
                self._connections.one(self.client[0] if self.client else "?")
            )
        except Refusal:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._counted.close()
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
        super().on_message_begin()
        self._fields = 0
        self._start_timer(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header field was parsed, or a trailer after the body."""
        self._count(len(name) + len(value) + len(": \r\n"))
        super().on_header(name, value)

    def _count(self, size: int) -> None:
        self._fields += size
        if self._fields > HEAD_BYTES:
            raise HeaderTooLarge  # the parser stops, and the application never sees the request

    def on_headers_complete(self) -> None:
        self._start_timer(BODY_SECONDS)
        self._head = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request has ended; what comes now is the head of the next."""
        self._stop_timer()
        self._head = 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the WebSocket protocol, which has its own limits."""
        self._stop_timer()
        self._counted.close()
        super().handle_websocket_upgrade()
        # websockets parses the head again, with limits of its own, and uvicorn would leave the
        # connection of a refused one open for ever.
        if not getattr(self.transport.get_protocol(), "handshake_initiated", False):
            self.send_400_response("The head of the request cannot be read.")

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        # Aborted, not closed: closing would first wait until the client has read the answer.
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
