"""Chance that can be proved fair.

A game's chance comes from a 256-bit secret. Its SHA-256 commitment is published before the first
card, the secret after the last; then anybody can draw every outcome again. The n-th outcome is
drawn with HMAC-SHA256 keyed by the secret, over the number n: no outcome depends on how many
were asked for before, and nobody who lacks the secret can foresee one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

SECRET_BYTES = 32
_LABEL = b"macaz chance 1"


class Dealer:
    """Draws the chance of one game from its secret. `seed` is what it was made of, if seeded."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
        self.secret = secret
        self.seed: str | None = None
        self._key = hmac.new(secret, _LABEL, hashlib.sha256)

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
