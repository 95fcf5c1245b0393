"""Tell how well a network's forecasts of the win agree with how games ended.

    python tools/behaviour forecasts cup --bot learned

At every decision of the bot, in the games of a tournament, the network that comes with Macaz says
how large its share of the win will be. Of all decisions with about the same forecast: what it said
on average, and what share was won. Intervals of 95 % by resampling deals.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from figures import resampled
from macaz.bots.learned import evaluate
from macaz.bots.network import network_for
from macaz.edition import load_edition
from macaz.errors import MacazError
from macaz.game.record import load_record
from macaz.help.advice.past import decisions
from macaz.lab.arena.store import read_games, read_settings

STEPS = 5  # kinds of forecasts: up to 20 %, up to 40 %, and so on
RESAMPLES = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked for."""
    parser.add_argument("folder", type=Path, help="of a tournament")
    parser.add_argument("--bot", default="learned", help="whose decisions are looked at")


def run(asked: argparse.Namespace) -> None:
    """Print the table."""
    found = np.array([*forecasts(asked.folder, asked.bot)])
    if not len(found):
        raise MacazError(f"{asked.folder} has no games of {asked.bot} with their records.")
    said, won, deals = found.T
    print(f"{len(found):,} decisions of {asked.bot}, in {len(np.unique(deals)):,} deals")
    print("forecast     decisions    said    won")
    for step in range(STEPS):
        low, high = step / STEPS, (step + 1) / STEPS
        some = (said >= low) & ((said < high) | (step == STEPS - 1))
        if some.any():
            print(
                f"{low:4.0%}–{high:4.0%} {some.sum():12,} {said[some].mean():6.1%} "
                f"{share(won[some], deals[some])}"
            )
    print(f"mean square error {np.mean((said - won) ** 2):.3f}; ", end="")
    print(f"of the mean said each time {np.mean((won.mean() - won) ** 2):.3f}")


def forecasts(folder: Path, bot: str) -> Iterator[tuple[float, float, int]]:
    """For each decision what was said, what was won, and the deal."""
    edition = load_edition(read_settings(folder).edition)
    network = network_for(edition)
    if network is None:
        raise MacazError(f"no network comes with Macaz for {edition.title}.")
    for result in read_games(folder):
        if bot not in result.lineup or any(result.failures) or not result.record:
            continue
        game = load_record(result.record, edition=edition)
        for decision in decisions(game):
            if result.lineup[decision.seat] == bot:
                seen = evaluate(decision.view, network)
                yield seen.win, result.share(decision.seat), result.deal


def share(won: np.ndarray, deals: np.ndarray) -> str:
    """The share that was won, with its interval."""
    rng = np.random.default_rng(1)
    which = np.unique(deals, return_inverse=True)[1]
    sums = np.stack((np.bincount(which, won), np.bincount(which)), axis=1)
    drawn = resampled(sums, RESAMPLES, rng)
    if not len(drawn):  # of one deal
        return f"{won.mean():6.1%}"
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], (0.025, 0.975))
    return f"{won.mean():6.1%} ({low:.1%}–{high:.1%})"
