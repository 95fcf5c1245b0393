"""The progress of a training, reported after each iteration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

WINS = "wins/"  # prefix of a share of wins: wins/greedy


class Progress(NamedTuple):
    """One iteration; the first four fields count from the beginning of the training."""

    iteration: int  # from 1
    seconds: float
    decisions: int
    games: int
    rate: float  # decisions a second, in this iteration
    spent: dict[str, float]  # seconds of this iteration by part: games, network, learning, other
    numbers: dict[str, float]  # loss, entropy, kl, wins/greedy, …


def win_shares(numbers: Mapping[str, float]) -> dict[str, float]:
    """The share of the wins against each opponent, among the numbers of a training."""
    return {
        name.removeprefix(WINS): value for name, value in numbers.items() if name.startswith(WINS)
    }
