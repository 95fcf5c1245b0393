"""Who somebody is: a signed cookie for people, a token for programs. There are no accounts."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, Signer

from macaz.server.names import BLANK, can_be_seen
from macaz.server.refusal import Refusal
from macaz.server.store.rows import PersonRow
from macaz.server.store.trouble import Unavailable

if TYPE_CHECKING:
    from macaz.server.clock import Clock
    from macaz.server.store.store import Store

COOKIE_DAYS = 400  # the most that browsers grant
TOKEN_PREFIX = "macaz_"
TOKEN_NOTED_MS = 3_600_000  # how often the use of a token is written down


def digest(secret: str) -> str:
    """What the store keeps of a token or a link: whoever reads it there cannot use it."""
    return hashlib.sha256(secret.encode()).hexdigest()


class People:
    """Tells people apart."""

    def __init__(self, store: Store, key: str, clock: Clock, *, secure: bool) -> None:
        self._store, self._clock = store, clock
        self._signer = Signer(key, salt="macaz person", digest_method=hashlib.sha256)
        self._secure = secure
        # A browser gives a cookie of this prefix to nobody but this very site, over https.
        self.cookie_name = "__Host-macaz" if secure else "macaz"

    def cookie(self, person: str) -> str:
        """The header that makes a browser somebody."""
        value = self._signer.sign(person).decode()
        parts = [f"{self.cookie_name}={value}", "Path=/", f"Max-Age={COOKIE_DAYS * 86_400}"]
        return "; ".join([*parts, "HttpOnly", "SameSite=Lax", *(["Secure"] * self._secure)])

    def no_cookie(self) -> str:
        """The header that makes a browser nobody again."""
        gone = [f"{self.cookie_name}=", "Path=/", "Max-Age=0", "HttpOnly", "SameSite=Lax"]
        return "; ".join([*gone, *(["Secure"] * self._secure)])

    async def add(self, name: str, color: str) -> PersonRow:
        """Somebody new."""
        return await self._store.add_person(secrets.token_urlsafe(12), one_line(name), color)

    async def add_token(self, person: str, label: str) -> tuple[str, str]:
        """A token for a program: its id, and the secret that is never shown again."""
        secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
        row = await self._store.add_token(
            secrets.token_urlsafe(9), person, digest(secret), one_line(label)
        )
        return row.id, secret

    async def who(self, headers: Mapping[str, str]) -> PersonRow | None:
        """Whoever the token or the cookie of a request says; None for a stranger."""
        kind, _, secret = headers.get("authorization", "").partition(" ")
        try:
            if kind:
                return await self._of_token(secret.strip()) if kind.lower() == "bearer" else None
            return await self._of_cookie(headers.get("cookie", ""))
        except Unavailable as error:
            raise Refusal("storage", "Nobody can be recognised now. Try again.") from error

    async def _of_token(self, secret: str) -> PersonRow | None:
        token = await self._store.token_by_digest(digest(secret))
        if token is None or token.revoked_at is not None:
            return None
        now = self._clock.now()
        if token.used_at is None or now - token.used_at > TOKEN_NOTED_MS:
            await self._store.use_token(token.id)
        return await self._store.person(token.person_id)

    async def _of_cookie(self, header: str) -> PersonRow | None:
        # By hand: Python's own reader gives up at the first cookie of another site it dislikes.
        pairs = (part.strip().partition("=") for part in header.split(";"))
        values = [value for name, _, value in pairs if name == self.cookie_name]
        try:
            return await self._store.person(self._signer.unsign(values[0]).decode())
        except (IndexError, BadSignature, UnicodeDecodeError):
            return None


def one_line(text: str) -> str:
    """A name as it is shown: no line breaks, nothing invisible, nothing that turns text around."""
    shown = " ".join(
        "".join(c if c.isprintable() and c not in BLANK else " " for c in text).split()
    )
    if not can_be_seen(shown):
        raise Refusal("bad-value", "A name needs at least one letter that can be seen.")
    return shown
