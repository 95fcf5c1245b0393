"""Tell what share of the wins each bot has over several tournaments together.

    python tools/behaviour pool cup-europe cup-usa

Every game counts alike; intervals of 95 % by resampling whole deals of all the tournaments.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from figures import resampled
from macaz.errors import MacazError
from macaz.lab.arena.store import read_games

RESAMPLES = 2000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked for."""
    parser.add_argument("folders", type=Path, nargs="+", help="of tournaments")


def run(asked: argparse.Namespace) -> None:
    """Print a line a bot, the best first."""
    found = pooled(asked.folders)
    for bot, sums in sorted(
        found.items(), key=lambda one: -one[1][:, 0].sum() / one[1][:, 1].sum()
    ):
        won, games = sums.sum(axis=0)
        told = f"{bot:16} {games:6,.0f} games {won / games:6.1%}"
        drawn = resampled(sums, RESAMPLES, np.random.default_rng(1))
        if len(drawn):
            low, high = np.quantile(drawn[:, 0] / drawn[:, 1], (0.025, 0.975))
            told += f" ({low:.1%}–{high:.1%})"
        print(told)


def pooled(folders: list[Path]) -> dict[str, np.ndarray]:
    """For each bot what it won and its games: a row a deal."""
    found: dict[str, dict[tuple[Path, int], list[float]]] = {}
    for folder in folders:
        for game in read_games(folder):
            for seat, bot in enumerate(game.lineup):
                row = found.setdefault(bot, {}).setdefault((folder, game.deal), [0.0, 0.0])
                row[0] += game.share(seat)
                row[1] += 1
    if not found:
        raise MacazError("no games have been played there.")
    return {bot: np.array(list(rows.values())) for bot, rows in found.items()}
