"""Chance that can be proved fair.

A game's chance comes from a 256-bit secret. Its SHA-256 commitment is published before the first
card, the secret after the last; then anybody can draw every outcome again. The n-th outcome is
drawn with HMAC-SHA256 keyed by the secret, over the number n: no outcome depends on how many
were asked for before, and nobody who lacks the secret can foresee one.

Whoever makes the secret could try several and keep the one whose deal suits. Where players add
nonces the deal therefore follows from the secret and the nonces together. Each player first pledges
a nonce with its SHA-256 and tells it only when the commitment and all pledges are published, so
that neither the host nor the last player chooses the deal.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

SECRET_BYTES = 32
NONCE_BYTES = 32
_LABEL = b"macaz chance 1"
_PLEDGE = b"macaz pledge 1"
_DEAL = b"macaz deal 1"


def pledge_of(nonce: bytes) -> str:
    """What a player publishes before the nonce itself, in hexadecimal."""
    return hashlib.sha256(_PLEDGE + nonce).hexdigest()


@dataclass(frozen=True, slots=True)
class Share:
    """What the player of one seat added to a deal, in hexadecimal.

    Without a pledge it is nothing; a pledge without a nonce was not kept in time.
    """

    pledge: str | None = None
    nonce: str | None = None

    @property
    def fits(self) -> bool:
        """Whether the nonce, where there is one, is the one that was pledged."""
        return self.nonce is None or pledge_of(bytes.fromhex(self.nonce)) == self.pledge


def deal_key(secret: bytes, shares: Sequence[Share]) -> bytes:
    """The key of a deal to which the players of these seats could add, in the order of the seats.

    One byte says of each seat whether it pledged nothing (0), did not tell its nonce (1), or told
    it (2); a nonce that was told follows.
    """
    mac = hmac.new(secret, _DEAL, hashlib.sha256)
    for share in shares:
        if share.nonce is not None:
            mac.update(b"\2" + bytes.fromhex(share.nonce))
        else:
            mac.update(b"\0" if share.pledge is None else b"\1")
    return mac.digest()


class Dealer:
    """Draws the chance of one game from its secret. `seed` is what it was made of, if seeded.

    `shares` is what each seat added; None where the secret alone decides.
    """

    def __init__(self, secret: bytes, shares: Sequence[Share] | None = None) -> None:
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
        if not all(share.fits for share in shares or ()):
            raise ValueError("a nonce is not the one that was pledged")
        self.secret = secret
        self.shares = None if shares is None else tuple(shares)
        self.seed: str | None = None
        key = secret if shares is None else deal_key(secret, shares)
        self._key = hmac.new(key, _LABEL, hashlib.sha256)

    @classmethod
    def random(cls) -> Dealer:
        """A dealer nobody can foresee."""
        return cls(secrets.token_bytes(SECRET_BYTES))

    @classmethod
    def seeded(cls, seed: int | str) -> Dealer:
        """A dealer that deals the same game again: for tests and studies, not for play.

        Whoever guesses the seed knows every card: such a game proves nothing, and its record has
        the seed instead of a commitment.
        """
        dealer = cls(hashlib.sha256(f"macaz seed {seed}".encode()).digest())
        dealer.seed = str(seed)
        return dealer

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret, in hexadecimal: publish it before the game."""
        return hashlib.sha256(self.secret).hexdigest()

    def draw(self, index: int, ways: int) -> int:
        """The way chance goes the index-th time, among so many equally likely ones.

        Numbers that would favour the low ways are rejected, and the next block is taken.
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
