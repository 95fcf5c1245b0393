"""The random bot."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View


class RandomBot:
    """Chooses each legal move with the same probability."""

    def __init__(self, seed: int | str = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        return self._random.choice(legal)
