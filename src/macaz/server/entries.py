"""The log of a table: everything that ever changed it, one numbered entry after the other.

A table is its terms and the fold of its log; there are no snapshots. An entry is committed under
(table, version), so that two nodes never both succeed with the same number. The store keeps
entries as JSON and does not look inside.
"""

from __future__ import annotations

import msgspec

from macaz.server.wire import Color, Reason


class Entry(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Something that changed a table."""


class Sat(Entry, frozen=True, tag="sat"):
    """A person took a seat: an empty one, their own from a stand-in, or one moved over."""

    seat: int
    person: str
    name: str
    color: Color
    pledge: str | None = None  # of the nonce that their client adds to the deal
    network: str = ""  # at a listed table: a keyed hash of the address it was taken from


class Left(Entry, frozen=True, tag="left"):
    """A seat became free again, before the game."""

    seat: int


class StoodIn(Entry, frozen=True, tag="stood-in"):
    """A bot plays for the person of a seat, until they come back."""

    seat: int
    bot: str
    reason: Reason


class CameBack(Entry, frozen=True, tag="came-back"):
    """The person of a seat plays it again."""

    seat: int


class Announced(Entry, frozen=True, tag="announced"):
    """The terms of the game were published, the commitment to its deals among them."""

    text: str
    # By seat, from now on fixed. None where the secret alone decides: at tables with a seed, and at
    # those whose terms were announced before players could add to the deal.
    pledges: tuple[str | None, ...] | None = None


class NonceAdded(Entry, frozen=True, tag="nonce-added"):
    """A person revealed the nonce that was pledged for these seats."""

    seats: tuple[int, ...]
    nonce: str


class Dealt(Entry, frozen=True, tag="dealt"):
    """The game began: outcomes of chance up to the first decision."""

    chances: tuple[int, ...]


class Acted(Entry, frozen=True, tag="acted"):
    """A seat decided; the outcomes of chance that followed, up to the next decision."""

    seat: int
    action: int
    chances: tuple[int, ...] = ()
    bot: str = ""  # the bot that decided, or none


class TakebackAsked(Entry, frozen=True, tag="takeback-asked"):
    """A person asks the others to let them take a decision back: the one with that version."""

    seat: int
    version: int


class TakebackAccepted(Entry, frozen=True, tag="takeback-accepted"):
    """The person of a seat agrees; others are still asked."""

    seat: int


class TakebackRefused(Entry, frozen=True, tag="takeback-refused"):
    """The person of a seat does not agree: the decision stays."""

    seat: int


class TakenBack(Entry, frozen=True, tag="taken-back"):
    """The last decisions were taken back: one of this seat, and the answers of bots to it."""

    seat: int
    version: int  # of the first of them
    decisions: int


class Resigned(Entry, frozen=True, tag="resigned"):
    """The person of a seat resigned: a bot plays it from now on, or the game ended."""

    seat: int
    bot: str
    ends: bool


class Closed(Entry, frozen=True, tag="closed"):
    """The table was closed before its end."""


AnyEntry = (
    Sat
    | Left
    | StoodIn
    | CameBack
    | Announced
    | NonceAdded
    | Dealt
    | Acted
    | TakebackAsked
    | TakebackAccepted
    | TakebackRefused
    | TakenBack
    | Resigned
    | Closed
)

_decoder: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)
_encoder = msgspec.json.Encoder()


def encode_entry(entry: AnyEntry) -> bytes:
    return _encoder.encode(entry)


def decode_entry(body: bytes) -> AnyEntry:
    return _decoder.decode(body)
