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


class Here(msgspec.Struct, frozen=True, tag="here"):
    """Whom a node sees at the table."""

    node: str  # its id
    people: dict[str, str]  # the names of those who play, and of some who watch, by person
    more: int  # how many more watch
    left: dict[str, int]  # by person who plays, and is connected to no node: since when
    ask: bool = False  # whether the others are to answer with whom they see


AnyNews = News | Passing | Recheck | Here
_decoder: msgspec.json.Decoder[AnyNews] = msgspec.json.Decoder(AnyNews)


def decode_news(message: bytes) -> AnyNews:
    return _decoder.decode(message)
