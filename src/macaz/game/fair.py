"""Verifiable randomness: chance outcomes that can be proved fair after the game.

All chance outcomes of a game derive from a 256-bit secret. Its SHA-256 commitment is published
before the first card, the secret after the game; then every outcome can be recomputed. The n-th
outcome is HMAC-SHA256 of the number n, keyed with the secret: it does not depend on the outcomes
before it, and cannot be predicted without the secret.

The host, who creates the secret, could try several secrets and keep the one with the best deal. To
rule that out, players can contribute nonces: then the key is not the secret alone, but derives from
the secret and the nonces. Each player first publishes the SHA-256 of a nonce (a pledge), and the
nonce only after the commitment and all pledges are published, so that neither the host nor the last
player can choose the deal.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

SECRET_BYTES = 32
NONCE_BYTES = 32

# Prefixes of what is hashed, so that a hash made for one purpose is never valid for another.
_CHANCE = b"macaz chance 1"
_PLEDGE = b"macaz pledge 1"
_DEAL = b"macaz deal 1"


def pledge_of(nonce: bytes) -> str:
    """The hash that a player publishes before the nonce itself, in hexadecimal."""
    return hashlib.sha256(_PLEDGE + nonce).hexdigest()


@dataclass(frozen=True, slots=True)
class Share:
    """The contribution of one seat's player to a deal, in hexadecimal.

    Both fields are None if the player made none. There is a pledge without a nonce if the player
    did not publish the nonce in time.
    """

    pledge: str | None = None
    nonce: str | None = None

    @property
    def matches_pledge(self) -> bool:
        """Whether the nonce matches the pledge; also true if there is no nonce."""
        return self.nonce is None or pledge_of(bytes.fromhex(self.nonce)) == self.pledge


def deal_key(secret: bytes, shares: Sequence[Share]) -> bytes:
    """The key of a deal with these contributions, in the order of the seats.

    HMAC-SHA256 over one byte for each seat: 0 if it pledged nothing, 1 if it did not publish its
    nonce, 2 if it did, followed by the nonce.
    """
    mac = hmac.new(secret, _DEAL, hashlib.sha256)
    for share in shares:
        if share.nonce is not None:
            mac.update(b"\2" + bytes.fromhex(share.nonce))
        else:
            mac.update(b"\0" if share.pledge is None else b"\1")
    return mac.digest()


class Dealer:
    """Draws the chance outcomes of one game from its secret.

    `shares` are the contributions of the seats; None if the key is the secret alone. `seed` is
    None unless the dealer was made by `seeded`.
    """

    def __init__(self, secret: bytes, shares: Sequence[Share] | None = None) -> None:
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
        if not all(share.matches_pledge for share in shares or ()):
            raise ValueError("a nonce is not the one that was pledged")
        self.secret = secret
        self.shares = None if shares is None else tuple(shares)
        self.seed: str | None = None
        key = secret if shares is None else deal_key(secret, shares)
        self._key = hmac.new(key, _CHANCE, hashlib.sha256)

    @classmethod
    def random(cls) -> Dealer:
        """A dealer with a new random secret."""
        return cls(secrets.token_bytes(SECRET_BYTES))

    @classmethod
    def seeded(cls, seed: int | str) -> Dealer:
        """A dealer whose secret derives from a seed, for reproducible games in tests and studies.

        A seed can be guessed, so such a game is no proof of fairness; its record contains the
        seed instead of a commitment.
        """
        dealer = cls(hashlib.sha256(f"macaz seed {seed}".encode()).digest())
        dealer.seed = str(seed)
        return dealer

    def __eq__(self, other: object) -> bool:
        """Whether it draws the same outcomes, and records contain the same about it."""
        if not isinstance(other, Dealer):
            return NotImplemented
        return self.__getstate__() == other.__getstate__()

    def __hash__(self) -> int:
        return hash(self.secret)

    def __getstate__(self) -> tuple[bytes, tuple[Share, ...] | None, str | None]:
        return self.secret, self.shares, self.seed

    def __setstate__(self, kept: tuple[bytes, tuple[Share, ...] | None, str | None]) -> None:
        secret, shares, seed = kept
        Dealer.__init__(self, secret, shares)
        self.seed = seed

    def __repr__(self) -> str:
        return f"<Dealer committed to {self.commitment[:16]}…>"

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret, in hexadecimal: publish it before the game."""
        return hashlib.sha256(self.secret).hexdigest()

    def draw(self, index: int, ways: int) -> int:
        """The index-th chance outcome: a uniform number below `ways`.

        Values that would cause modulo bias are rejected, and the next ones are used.
        """
        if not 0 < ways <= 1 << 64:
            raise ValueError(f"chance has 1 to 2^64 ways, not {ways}")
        limit = (1 << 64) - (1 << 64) % ways
        block = 0
        while True:
            mac = self._key.copy()
            mac.update(index.to_bytes(8, "big") + block.to_bytes(4, "big"))
            digest = mac.digest()
            for i in range(0, len(digest), 8):
                number = int.from_bytes(digest[i : i + 8], "big")
                if number < limit:
                    return number % ways
            block += 1
