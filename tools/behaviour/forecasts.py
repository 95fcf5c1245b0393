"""Compare a network's forecasts of the win with the results of the games.

    python tools/behaviour forecasts cup --bot learned

At every decision of the bot, in the games of a tournament, the network of Macaz for that edition
forecasts the bot's share of the win. For decisions with similar forecasts, the table shows the mean
forecast and the share that was won. The 95 % intervals are by bootstrap over deals.
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

BINS = 5  # of forecasts: up to 20 %, up to 40 %, and so on
RESAMPLES = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("folder", type=Path, help="folder of a tournament")
    parser.add_argument("--bot", default="learned", help="the bot whose decisions are used")


def run(args: argparse.Namespace) -> None:
    """Print the table."""
    found = np.array([*forecasts(args.folder, args.bot)])
    if not len(found):
        raise MacazError(f"{args.folder} has no games of {args.bot} with their records.")
    forecast, won, deals = found.T
    print(f"{len(found):,} decisions of {args.bot}, in {len(np.unique(deals)):,} deals")
    print("forecast     decisions    mean    won")
    for bin_ in range(BINS):
        low, high = bin_ / BINS, (bin_ + 1) / BINS
        some = (forecast >= low) & ((forecast < high) | (bin_ == BINS - 1))
        if some.any():
            print(
                f"{low:4.0%}–{high:4.0%} {some.sum():12,} {forecast[some].mean():6.1%} "
                f"{share(won[some], deals[some])}"
            )
    print(f"mean square error {np.mean((forecast - won) ** 2):.3f}; ", end="")
    print(f"of a constant forecast, the mean result, {np.mean((won.mean() - won) ** 2):.3f}")


def forecasts(folder: Path, bot: str) -> Iterator[tuple[float, float, int]]:
    """For each decision: the forecast, the share of the win, and the deal."""
    edition = load_edition(read_settings(folder).edition)
    network = network_for(edition)
    if network is None:
        raise MacazError(f"Macaz has no network for {edition.title}.")
    for result in read_games(folder):
        if bot not in result.lineup or any(result.failures) or not result.record:
            continue
        game = load_record(result.record, edition=edition)
        for decision in decisions(game):
            if result.lineup[decision.seat] == bot:
                evaluation = evaluate(decision.view, network)
                yield evaluation.win, result.share(decision.seat), result.deal


def share(won: np.ndarray, deals: np.ndarray) -> str:
    """The share that was won, with its interval."""
    rng = np.random.default_rng(1)
    which = np.unique(deals, return_inverse=True)[1]
    sums = np.stack((np.bincount(which, won), np.bincount(which)), axis=1)
    drawn = resampled(sums, RESAMPLES, rng)
    if not len(drawn):  # one deal has no interval
        return f"{won.mean():6.1%}"
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], (0.025, 0.975))
    return f"{won.mean():6.1%} ({low:.1%}–{high:.1%})"
