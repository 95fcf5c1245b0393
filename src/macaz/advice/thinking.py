"""Where advice gets its thoughts from: the one place that knows the search."""

from __future__ import annotations

import hashlib
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from macaz.bots import Limit
    from macaz.bots.thought import Thought
    from macaz.moves import Move
    from macaz.view import View


def think(view: View, legal: Sequence[Move], limit: Limit, seed: int) -> Thought:
    """What the search finds about these moves of the seat of a view."""
    from macaz.bots import search

    return search.think(view, legal, limit=limit, seed=seed)


def chances(view: View, limit: Limit, seed: int, after: Move | None = None) -> Thought:
    """How a game stands, as a seat or a spectator can know it; or after a move of the seat."""
    from macaz.bots import search

    return search.chances(view, limit=limit, seed=seed, after=after)


def seed_of(*parts: object) -> int:
    """A seed that only these have."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def error_of(chance: float, playouts: int) -> float:
    """The standard error of a share of wins.

    As if one more game had been won and one more lost: a few games without a win prove little.
    """
    softened = (chance * playouts + 1) / (playouts + 2)
    return sqrt(softened * (1 - softened) / (playouts + 2))
