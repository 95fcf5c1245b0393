"""Measure the processor time of advice during a game, and of the review after it.

python bench/advice.py [--edition usa-classic] [--seats 2] [--effort 400]
"""

from __future__ import annotations

import argparse
import statistics
import time

from macaz.bots import Limit, make_bot, make_ready
from macaz.game import Game
from macaz.help.advice import advise, review


def main() -> None:
    """Play a game of planners with advice at every tenth decision, then review it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edition", default="usa-classic")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--effort", type=int, default=400)
    args = parser.parse_args()
    make_ready("planner")
    limit = Limit(effort=args.effort)
    game = Game(args.edition, args.seats, seed=1)
    bot = make_bot("planner")
    deciding, waiting, planner = [], [], []
    decisions = 0
    while not game.over:
        seat = game.deciding[0]
        view, legal = game.view(seat), list(game.legal_moves_of(seat))
        if decisions % 10 == 0:
            began = time.process_time()
            advise(view, legal, limit=limit)
            deciding.append(time.process_time() - began)
            began = time.process_time()
            advise(game.view((seat + 1) % args.seats), limit=limit)
            waiting.append(time.process_time() - began)
        began = time.process_time()
        move = bot.choose(view, legal)
        planner.append(time.process_time() - began)
        game.push(move, seat)
        decisions += 1
    for what, seconds in (("to a seat that decides", deciding), ("to one that waits", waiting)):
        median, most = statistics.median(seconds), max(seconds)
        print(f"advice {what}, effort {args.effort}: {median:.3f} s (at most {most:.3f} s)")
    median, most = statistics.median(planner), max(planner)
    print(f"a decision of the planner: {1000 * median:.2f} ms (at most {1000 * most:.2f} ms)")
    began = time.process_time()
    review(game, limit=limit, seats=[0])
    print(f"review of one seat of {decisions} decisions: {time.process_time() - began:.1f} s")


if __name__ == "__main__":
    main()
