"""The rewards of a finished game for each seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from macaz.game.outcome import Outcome

Reward = Callable[["Outcome"], tuple[float, ...]]


def win(outcome: Outcome) -> tuple[float, ...]:
    """The share of the win minus an even share; zero-sum."""
    seats, winners = len(outcome.seats), outcome.winners
    return tuple((p in winners) / len(winners) - 1 / seats for p in range(seats))


def score(outcome: Outcome) -> tuple[float, ...]:
    """The final points."""
    return tuple(float(total) for total in outcome.totals)


def margin(outcome: Outcome) -> tuple[float, ...]:
    """The final points minus those of the best other seat."""
    totals = outcome.totals
    others = (totals[:seat] + totals[seat + 1 :] for seat in range(len(totals)))
    return tuple(float(mine - max(rest)) for mine, rest in zip(totals, others, strict=True))


REWARDS: dict[str, Reward] = {"win": win, "score": score, "margin": margin}
