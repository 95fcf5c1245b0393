"""The random bot: every legal move is as good as any other."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View


class RandomBot:
    """Does anything that is allowed."""

    def __init__(self, seed: int | str = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        """One of the legal moves, each as likely."""
        return self._random.choice(legal)
