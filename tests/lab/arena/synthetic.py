"""Synthetic results of games, generated from known strengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from macaz.lab.arena.result import GameResult


def result(
    deal: int,
    lineup: Sequence[str],
    winners: Sequence[int],
    *,
    first: int = 0,
    scores: Sequence[int] | None = None,
    failures: Sequence[str] | None = None,
) -> GameResult:
    """A game; irrelevant fields are the same for every seat."""
    seats = len(lineup)
    if scores is None:
        scores = [100 if seat in winners else 80 for seat in range(seats)]
    return GameResult(
        deal=deal,
        lineup=tuple(lineup),
        first=first,
        scores=tuple(scores),
        winners=tuple(winners),
        decisions=(50,) * seats,
        turns=(40,) * seats,
        seconds=(0.5,) * seats,
        slowest=(0.1,) * seats,
        tickets_kept=(4,) * seats,
        tickets_done=(3,) * seats,
        failures=tuple(failures or [""] * seats),
    )


def tournament(
    strengths: Mapping[str, float],
    seats: int,
    deals: int,
    rng: np.random.Generator,
    *,
    beginning: float = 0.0,
    shared_luck: bool = False,
) -> list[GameResult]:
    """Every choice of bots, in every rotation, on each deal; the first seat rotates.

    A bot wins with a chance proportional to exp(strength), `beginning` being added for the seat
    that begins. With shared luck one throw decides all rotations of a lineup on a deal, so
    these games are far from independent, though the chance of each is the same as without.
    """
    games = []
    for deal in range(deals):
        first = deal % seats
        for bots in combinations(strengths, seats):
            luck = rng.random()
            for turned in range(seats):
                lineup = bots[turned:] + bots[:turned]
                weight = np.exp([strengths[bot] for bot in lineup])
                weight[first] *= np.exp(beginning)
                order = sorted(range(seats), key=lambda seat: lineup[seat])
                chance = np.cumsum(weight[order]) / weight.sum()
                winner = order[int(np.searchsorted(chance, luck))]
                games.append(result(deal, lineup, [winner], first=first))
                if not shared_luck:
                    luck = rng.random()
    return games
