"""The types that the repositories take and return."""

from __future__ import annotations

from typing import Literal

import msgspec

Status = Literal["waiting", "running", "finished", "closed"]
LinkKind = Literal["join", "seat", "watch"]
Cursor = tuple[int, str]  # (created_at, id) of the last game of the page before


class PersonRow(msgspec.Struct, frozen=True):
    """A person who plays, watches or hosts."""

    id: str
    name: str
    color: str
    created_at: int


class TokenRow(msgspec.Struct, frozen=True):
    """A personal token of an API client; only its SHA-256 is known."""

    id: str
    person_id: str
    digest: str
    label: str
    created_at: int
    used_at: int | None
    revoked_at: int | None


class SessionRow(msgspec.Struct, frozen=True):
    """A browser that is signed in; only the SHA-256 of its cookie is known."""

    id: str
    person_id: str
    digest: str
    label: str
    created_at: int
    used_at: int
    ended_at: int | None


class SubscriptionRow(msgspec.Struct, frozen=True):
    """Where a browser takes notices: an address of its push service, and the keys to encrypt."""

    session_id: str
    person_id: str
    endpoint: str
    p256dh: str
    auth: str
    language: str
    created_at: int


class EditionRow(msgspec.Struct, frozen=True):
    """An edition that was played, as its file had it."""

    fingerprint: str
    id: str
    text: str


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """A game without its log. `terms` and `summary` mean nothing to the store.

    `end_shown_at` is when those without a seat may know that it ended, and `listed_from` when those
    may know of it; null: at once. `imported` is a digest of a game that was played in a browser,
    and of the person who sent it; null: a game of this server.
    """

    id: str
    edition: str
    fingerprint: str
    seats: int
    terms: bytes
    secret: bytes
    seed: str | None = None
    host: str
    listed: bool
    status: Status = "waiting"
    wake_at: int | None = None
    created_at: int
    updated_at: int
    finished_at: int | None = None
    end_shown_at: int | None = None
    listed_from: int | None = None
    previous: str | None = None
    summary: str | None = None
    seen_at: int | None = None
    imported: str | None = None
    notice_at: int | None = None

    @property
    def used_at(self) -> int:
        """When it last changed or, more or less, was open."""
        return max(self.updated_at, self.seen_at or 0)

    @property
    def cursor(self) -> Cursor:
        """Where the page after this game begins."""
        return self.created_at, self.id


class PlayedRow(msgspec.Struct, frozen=True):
    """A finished game, and a seat of a person in it."""

    id: str
    edition: str
    seats: int
    finished_at: int
    summary: str
    seat: int
    imported: str | None


class EntryRow(msgspec.Struct, frozen=True):
    """One entry of a game's log."""

    version: int
    nonce: str | None
    at: int
    body: bytes


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """The next entry of a game, and what it makes of the game; all of it or nothing is written.

    `finished_at`, `end_shown_at` and `summary` stay as they are unless given. `seat` is a seat and
    the person who now has it, or None. `link` is the id of a link to the game that is used up
    by it. A stored `notice_at` that has passed stays: what was due then has yet to be told.
    """

    game: str
    version: int
    body: bytes
    nonce: str | None
    at: int
    status: Status
    wake_at: int | None
    notice_at: int | None = None
    finished_at: int | None = None
    end_shown_at: int | None = None
    summary: str | None = None
    seat: tuple[int, str | None] | None = None
    link: str | None = None


class LinkRow(msgspec.Struct, frozen=True):
    """A link to a table; only the SHA-256 of its secret part is known."""

    id: str
    digest: str
    game_id: str
    kind: LinkKind
    seat: int | None
    created_by: str
    created_at: int
    used_at: int | None
    revoked_at: int | None
