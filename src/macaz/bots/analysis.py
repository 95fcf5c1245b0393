"""The result of analysing a position: an estimate for each move, and for each seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from macaz.game.moves import Move


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """The estimate for one move of the deciding seat."""

    move: Move
    playouts: int  # after this move
    chance: float  # of winning, 0 to 1; a shared win counts as its share
    margin: float  # points ahead of the best other seat at the end, on average
    prior: float  # the probability of the move before any playout


@dataclass(frozen=True, slots=True)
class Analysis:
    """The estimates for a position; `moves` has the best move first."""

    moves: tuple[MoveAnalysis, ...]
    chances: tuple[float, ...]  # of each seat to win, if the deciding seat plays the best move
    scores: tuple[float, ...]  # final points of each seat, on average, after the best move
    playouts: int  # in total

    @property
    def best(self) -> Move:
        """The move to play."""
        return self.moves[0].move
