"""What thinking about a position found: for each move how good it is, for each seat its chances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from macaz.game.moves import Move


@dataclass(frozen=True, slots=True)
class Line:
    """One move that was looked at, as the deciding seat's future after it."""

    move: Move
    playouts: int  # games played out after it; the more, the surer the rest
    chance: float  # of winning, 0 to 1; a shared win counts as its share
    margin: float  # points ahead of the best other seat at the end, on average
    prior: float  # how likely the move was thought to be the best before any playout


@dataclass(frozen=True, slots=True)
class Thought:
    """All that was found. The best move comes first."""

    lines: tuple[Line, ...]
    chances: tuple[float, ...]  # of each seat to win, when the deciding seat plays the best move
    scores: tuple[float, ...]  # final points of each seat, on average, likewise
    playouts: int  # in all

    @property
    def best(self) -> Move:
        """The move to play."""
        return self.lines[0].move
