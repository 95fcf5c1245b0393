"""Print the share of wins of each bot over several tournaments together.

    python tools/behaviour pool cup-europe cup-usa

Every game has the same weight. The 95 % intervals are by bootstrap over the deals of all of them.
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
    """Declare the arguments of the command."""
    parser.add_argument("folders", type=Path, nargs="+", help="folders of tournaments")


def run(args: argparse.Namespace) -> None:
    """Print a line for each bot, the best first."""
    found = pooled(args.folders)
    for bot, sums in sorted(
        found.items(), key=lambda one: -one[1][:, 0].sum() / one[1][:, 1].sum()
    ):
        won, games = sums.sum(axis=0)
        line = f"{bot:16} {games:6,.0f} games {won / games:6.1%}"
        drawn = resampled(sums, RESAMPLES, np.random.default_rng(1))
        if len(drawn):
            low, high = np.quantile(drawn[:, 0] / drawn[:, 1], (0.025, 0.975))
            line += f" ({low:.1%}–{high:.1%})"
        print(line)


def pooled(folders: list[Path]) -> dict[str, np.ndarray]:
    """For each bot, a row for each deal: its shares of the win, and its number of games."""
    found: dict[str, dict[tuple[Path, int], list[float]]] = {}
    for folder in folders:
        for game in read_games(folder):
            for seat, bot in enumerate(game.lineup):
                row = found.setdefault(bot, {}).setdefault((folder, game.deal), [0.0, 0.0])
                row[0] += game.share(seat)
                row[1] += 1
    if not found:
        raise MacazError("these folders contain no finished games.")
    return {bot: np.array(list(rows.values())) for bot, rows in found.items()}
