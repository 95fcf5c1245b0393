"""The messages about a table that nodes send each other over the bus."""

from __future__ import annotations

import msgspec


class News(msgspec.Struct, frozen=True, tag="news"):
    """An entry that a node committed."""

    version: int
    at: int
    body: msgspec.Raw
    nonce: str | None = None


class Passing(msgspec.Struct, frozen=True, tag="passing"):
    """A message for all listeners that is not stored. `seat` is its sender, who may be muted."""

    message: msgspec.Raw
    seat: int | None = None


class Recheck(msgspec.Struct, frozen=True, tag="recheck"):
    """Some spectators may no longer watch: each node checks its own."""


_decoder: msgspec.json.Decoder[News | Passing | Recheck] = msgspec.json.Decoder(
    News | Passing | Recheck
)


def decode_news(message: bytes) -> News | Passing | Recheck:
    return _decoder.decode(message)
