"""Play a bot on WebAssembly against a bot on native code, at two seats, and count who wins.

    .venv/bin/python tools/compare_targets.py search:0.3s usa-classic 80
    .venv/bin/python tools/compare_targets.py search:0.5s,search:0.3s europe 60

The bots of the second form are the one on WebAssembly and the one on native code. Every deal is
played from both seats, each game on one core, as many games at once as there are cores.
"""

from __future__ import annotations

import multiprocessing
import os
import sys

import numpy as np

from macaz.bots import make_bot
from macaz.bots.compiled.program import PLAYERS, working_memory
from macaz.cli.native import compile_parts
from macaz.game import Game
from macaz.kernel.native_code import parts
from macaz.workers import core_count

TARGETS = ("wasm", "cpu")
RESAMPLES = 4000


def play(job: tuple[tuple[str, str], str, int, int]) -> tuple[int, float]:
    """One game: its deal, and the share of the win of the bot on WebAssembly."""
    texts, edition, deal, seat = job
    os.environ |= {"MACAZ_CORES": "1", "MACAZ_TARGET": "wasm"}
    _ = working_memory().nodes  # in the memory of WebAssembly, which native code can use too
    game = Game(edition, 2, seed=deal, first=0)
    targets = [TARGETS[(number + seat) % 2] for number in range(2)]
    bots = [
        make_bot(texts[TARGETS.index(target)], seed=f"{deal} {number} {seat}")
        for number, target in enumerate(targets)
    ]
    while not game.over:
        at = game.deciding[0]
        os.environ["MACAZ_TARGET"] = targets[at]
        move = bots[at].choose(game.view(at), list(game.legal_moves_of(at)))
        os.environ["MACAZ_TARGET"] = "wasm"
        game.push(move, at)
    winners = game.outcome.winners
    return deal, (targets.index("wasm") in winners) / len(winners)


def main() -> None:
    """Play, and print the share of wins with its interval of 95 %."""
    bots, edition, deals = sys.argv[1].split(","), sys.argv[2], int(sys.argv[3])
    texts = (bots[0], bots[-1])
    compile_parts(parts(PLAYERS))  # now, not by each process
    jobs = [(texts, edition, deal, seat) for deal in range(1, deals + 1) for seat in (0, 1)]
    sums = np.zeros((deals, 2))
    with multiprocessing.get_context("spawn").Pool(core_count()) as pool:
        for done, (deal, share) in enumerate(pool.imap_unordered(play, jobs), 1):
            sums[deal - 1] += share, 1
            print(f"\r{done} of {len(jobs)} games", end="", file=sys.stderr)
    even = np.full(deals, 1 / deals)
    drawn = np.random.default_rng(1).multinomial(deals, even, RESAMPLES) @ sums
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], (0.025, 0.975))
    won = sums[:, 0].sum() / sums[:, 1].sum()
    print(f"\rWebAssembly wins {won:.1%} ({low:.1%} to {high:.1%}) of {len(jobs)} games")


if __name__ == "__main__":
    main()
