"""Seeds that follow from what an analysis is about, so that it can be repeated anywhere."""

from __future__ import annotations

import hashlib


def seed_of(*parts: object) -> int:
    """A seed derived from these values."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
