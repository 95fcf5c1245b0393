"""Who a request comes from: a session for browsers, a token for programs. There are no accounts.

A session and a token are each a random secret that the client keeps; the store has its SHA-256.

Before there were sessions, the cookie was the person's id and a signature. Such a value becomes the
secret of a session when it is first used, so the browser keeps its cookie, and requests that it
sends at the same time all find the same session. That is done only for a person who never had a
session: a value whose session was ended never becomes one again.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from itsdangerous import BadSignature, Signer

from macaz.server.browsers import browser_name
from macaz.server.names import BLANK, can_be_seen
from macaz.server.refusal import Refusal
from macaz.server.store.rows import PersonRow
from macaz.server.store.trouble import Unavailable

if TYPE_CHECKING:
    from macaz.server.clock import Clock
    from macaz.server.store.store import Store

COOKIE_DAYS = 400  # the most that browsers grant
TOKEN_PREFIX = "macaz_"
NOTED_MS = 3_600_000  # how often the use of a session or a token is written down


def digest(secret: str) -> str:
    """The hash that the store has of a session, a token or a link, which cannot be used itself."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Identity(msgspec.Struct, frozen=True):
    """Who a request comes from, and by which session or token."""

    person: PersonRow
    credential: str  # the id of the session or token
    token: bool


class People:
    """Recognises people by their cookies and tokens."""

    def __init__(self, store: Store, key: str, clock: Clock, *, secure: bool) -> None:
        self._store, self._clock = store, clock
        self._signer = Signer(key, salt="macaz person", digest_method=hashlib.sha256)
        self._secure = secure
        # Browsers send a cookie of this prefix to this host only, over https.
        self.cookie_name = "__Host-macaz" if secure else "macaz"

    async def sign_in(self, person: str, headers: Mapping[str, str]) -> str:
        """Create a session; returns the `Set-Cookie` header for the browser."""
        secret = secrets.token_urlsafe(32)
        await self._store.credentials.add_session(
            _new_id(), person, digest(secret), _label(headers)
        )
        return self._set_cookie(secret, COOKIE_DAYS * 86_400)

    def renewed_cookie(self, headers: Mapping[str, str]) -> str:
        """The `Set-Cookie` header that makes the cookie of a request last from now on."""
        return self._set_cookie(self._cookie_of(headers), COOKIE_DAYS * 86_400)

    def no_cookie(self) -> str:
        """The `Set-Cookie` header that removes the cookie."""
        return self._set_cookie("", 0)

    def _set_cookie(self, value: str, seconds: int) -> str:
        parts = [f"{self.cookie_name}={value}", "Path=/", f"Max-Age={seconds}"]
        return "; ".join([*parts, "HttpOnly", "SameSite=Lax", *(["Secure"] * self._secure)])

    async def add(self, name: str, color: str) -> PersonRow:
        """Create a person."""
        return await self._store.people.add(secrets.token_urlsafe(12), one_line(name), color)

    async def add_token(self, person: str, label: str, *, by: str | None = None) -> tuple[str, str]:
        """A token for a program: its id, and the secret that is never shown again.

        `by` is the session or token that asks; it may have ended meanwhile.
        """
        name, secret = _new_id(), TOKEN_PREFIX + secrets.token_urlsafe(32)
        if not await self._store.credentials.add_token(
            name, person, digest(secret), one_line(label), by=by
        ):
            raise Refusal("unknown-person", "You have been signed out.")
        return name, secret

    async def identify(self, headers: Mapping[str, str]) -> Identity | None:
        """The person of the token, or else of the cookie, of a request; None if there is none."""
        kind, _, secret = headers.get("authorization", "").partition(" ")
        try:
            if kind:
                return await self._by_token(secret.strip()) if kind.lower() == "bearer" else None
            return await self._by_cookie(headers)
        except Unavailable as error:
            raise Refusal("storage", "You cannot be identified now. Try again.") from error

    async def _by_token(self, secret: str) -> Identity | None:
        token = await self._store.credentials.token_by_digest(digest(secret))
        if token is None:
            return None
        if token.used_at is None or self._is_to_note(token.used_at):
            with suppress(Unavailable):  # the time of last use is not essential
                await self._store.credentials.use_token(token.id)
        person = await self._store.people.get(token.person_id)
        return None if person is None else Identity(person, token.id, token=True)

    async def _by_cookie(self, headers: Mapping[str, str]) -> Identity | None:
        secret = self._cookie_of(headers)
        if not secret:
            return None
        found = await self._store.credentials.session_by_digest(digest(secret))
        if found is None and await self._adopt(secret, headers):
            found = await self._store.credentials.session_by_digest(digest(secret))
        if found is None:
            return None
        session, person = found
        if self._is_to_note(session.used_at):
            with suppress(Unavailable):
                await self._store.credentials.use_session(session.id)
        return Identity(person, session.id, token=False)

    async def _adopt(self, value: str, headers: Mapping[str, str]) -> bool:
        """Make a signed cookie of an older version a session; False if it is no such cookie."""
        try:
            person = self._signer.unsign(value).decode()
        except (BadSignature, UnicodeDecodeError):
            return False
        if await self._store.people.get(person) is None:
            return False
        await self._store.credentials.adopt_session(
            _new_id(), person, digest(value), _label(headers)
        )
        return True

    def _is_to_note(self, used_at: int) -> bool:
        return self._clock.now() - used_at > NOTED_MS

    def _cookie_of(self, headers: Mapping[str, str]) -> str:
        # Not with `http.cookies`, which stops at the first cookie that it cannot parse.
        pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
        return next((value for name, _, value in pairs if name == self.cookie_name), "")


def _new_id() -> str:
    """An id so long that logs hide it (see `redact`), though it opens nothing."""
    return secrets.token_urlsafe(18)


def _label(headers: Mapping[str, str]) -> str:
    return browser_name(headers.get("user-agent", ""))


def one_line(text: str) -> str:
    """A name as it is shown: no line breaks, nothing invisible, nothing that turns text around."""
    shown = " ".join(
        "".join(c if c.isprintable() and c not in BLANK else " " for c in text).split()
    )
    if not can_be_seen(shown):
        raise Refusal("bad-value", "A name needs at least one letter that can be seen.")
    return shown
