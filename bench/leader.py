"""Does the move that leads a comparison play as well as the search, with as many games played out?

    python bench/leader.py --edition europe --seats 4 --deals 100 --effort 200

Each deal is played once for each seat: the leader's mover sits there, the search everywhere else.
The share of the win that an equal player gets is one in so many seats.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from macaz.bots import Limit, make_bot

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View


class LeaderBot:
    """Plays the move that leads a comparison."""

    def __init__(self, seed: int, limit: Limit) -> None:
        self._random = random.Random(seed)
        self._limit = limit

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        """The move with the best chance."""
        from macaz.game.moves import notation_of
        from macaz.help.comparison import compare

        if len(legal) == 1:
            return legal[0]
        found = compare(view, legal, limit=self._limit, seed=self._random.getrandbits(31))
        return notation_of(view.spec).move(int(found.leader["action"]), view.offer)


def share_of(job: tuple[str, int, int, int, int, str]) -> tuple[int, float, float]:
    """Play a deal with the leader's mover in a seat: its share of the win, and its margin."""
    from macaz.game import Game

    edition, seats, deal, seat, effort, other = job
    game = Game(edition, seats, seed=deal)
    bots = [make_bot(other, seed=deal * seats + n) for n in range(seats)]
    bots[seat] = LeaderBot(deal * seats + seat, Limit(effort=effort))
    while not game.over:
        who = game.deciding[0]
        game.push(bots[who].choose(game.view(who), list(game.legal_moves_of(who))), who)
    assert game.outcome is not None
    winners, totals = game.outcome.winners, game.outcome.totals
    margin = totals[seat] - max(total for n, total in enumerate(totals) if n != seat)
    return deal, (seat in winners) / len(winners), margin


def main() -> None:
    """Play all deals, and print the share with its standard error."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edition", default="usa-classic")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--effort", type=int, default=200)
    parser.add_argument("--against", help="default: the search with the same effort")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    args = parser.parse_args()
    other = args.against or f"search:{args.effort}"
    jobs = [
        (args.edition, args.seats, deal, seat, args.effort, other)
        for deal in range(args.deals)
        for seat in range(args.seats)
    ]
    shares, margins = np.zeros(args.deals), np.zeros(args.deals)
    with multiprocessing.get_context("spawn").Pool(args.processes) as pool:
        for deal, won, margin in pool.imap_unordered(share_of, jobs):
            shares[deal] += won / args.seats
            margins[deal] += margin / args.seats
    root = args.deals**0.5
    print(
        f"{args.edition}, {args.seats} seats, effort {args.effort}, against {other}: "
        f"{len(jobs)} games, share {shares.mean():.1%} ± {shares.std() / root:.1%} "
        f"(equal: {1 / args.seats:.1%}), margin {margins.mean():+.1f} ± {margins.std() / root:.1f}"
    )


if __name__ == "__main__":
    main()
