"""A minimal WebSocket client, cheap because it shares the cores with the measured server.

It supports what the server sends: unfragmented text messages, pings, and a close.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
# A client must mask its messages. A mask of zeros leaves them unchanged.
_MASK = b"\0\0\0\0"
# Any 16 bytes; the response to them is not checked.
_KEY = "bWFjYXogYmVuY2ggMDAwMA=="


def frame(payload: bytes, kind: int = _TEXT) -> bytes:
    """A message as a WebSocket frame."""
    size = len(payload)
    if size < 126:
        return bytes((0x80 | kind, 0x80 | size)) + _MASK + payload
    return bytes((0x80 | kind, 0x80 | 126)) + size.to_bytes(2) + _MASK + payload


class Socket(asyncio.Protocol):
    """One connection; calls `hear` with every message, and `lost` if the connection fails."""

    def __init__(self, hear: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self._hear, self._lost = hear, lost
        self._rest = b""
        self._transport: asyncio.Transport | None = None
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._closing = False

    async def open(self, address: str, path: str, token: str) -> None:
        """Connect with a token."""
        place = urlsplit(address)
        await asyncio.get_running_loop().create_connection(
            lambda: self, place.hostname or "", place.port or 80
        )
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {place.netloc}",
            f"Authorization: Bearer {token}",
            *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
            f"Sec-WebSocket-Key: {_KEY}",
        ]
        self._write("\r\n".join([*lines, "\r\n"]).encode())
        await self._opened

    def send(self, payload: bytes) -> None:
        self._write(frame(payload))

    def close(self) -> None:
        self._closing = True
        if self._transport is not None:
            self._transport.abort()

    def _write(self, data: bytes) -> None:
        assert self._transport is not None, "not connected"
        self._transport.write(data)

    # -- what asyncio calls -------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(str(exc or "the connection was closed"))

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        if not self._opened.done():
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self._fail(f"refused: {head.partition(bytes([13]))[0].decode()} {data.decode()}")
                return
            self._opened.set_result(None)
        self._rest = self._take_frames(data)

    def _take_frames(self, data: bytes) -> bytes:
        """Handle every complete frame; returns the remaining bytes."""
        at, end = 0, len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size >= 126:
                start += 2 if size == 126 else 8
                size = int.from_bytes(data[at + 2 : start])
            if start + size > end:
                break
            payload = data[start : start + size]
            kind, at = data[at] & 15, start + size
            if kind == _TEXT:
                self._hear(payload)
            elif kind == _PING:
                self._write(frame(payload, _PONG))
            elif kind == _CLOSE:
                self._fail(f"closed by the server: {payload[2:].decode()}")
        return data[at:]

    def _fail(self, why: str) -> None:
        if self._closing:
            return
        self._closing = True
        if not self._opened.done():
            self._opened.set_exception(ConnectionError(why))
        self._lost(why)
