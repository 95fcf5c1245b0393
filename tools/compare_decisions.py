"""Count the decisions of bots with a network that differ between kinds of processors.

A network is computed in single precision, and its sums are rounded otherwise by each kind of
processor. The same positions, of games between planners, are decided under each of the limits of
`portable.py`, and compared to what this processor decides without any.

    .venv/bin/python tools/compare_decisions.py learned 20        # games for each table
    .venv/bin/python tools/compare_decisions.py expert:100 1
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

from portable import Limits, limits

TABLES = [
    (edition, seats) for edition in ("usa-classic", "usa", "europe", "old-west") for seats in (2, 4)
]


def decide(bot_text: str, games: int) -> dict[str, list[str]]:
    """What a bot decides in each position of some games, by edition."""
    from macaz.bots import make_bot
    from macaz.game import Game

    found: dict[str, list[str]] = {}
    for edition, seats in TABLES:
        for number in range(games):
            game = Game(edition, seats, seed=number)
            players = [make_bot("planner", seed=seat) for seat in range(seats)]
            while not game.over:
                seat = game.deciding[0]
                view, legal = game.view(seat), list(game.legal_moves_of(seat))
                if len(legal) > 1:
                    asked = make_bot(bot_text, seed=number)
                    found.setdefault(edition, []).append(str(asked.choose(view, legal)))
                game.push(players[seat].choose(view, legal), seat)
    return found


def main() -> None:
    """Decide under each of the limits, and compare."""
    if sys.argv[1] == "--decide":
        print(json.dumps(decide(sys.argv[2], int(sys.argv[3]))))
        return
    first: dict[str, list[str]] = {}
    for limit in [Limits("This processor", {}), *limits()]:
        told = subprocess.run(
            [sys.executable, __file__, "--decide", *sys.argv[1:]],
            env=os.environ | limit.environment,
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        found: dict[str, list[str]] = json.loads(told)
        first = first or found
        print(limit.name)
        for edition, moves in found.items():
            others = sum(a != b for a, b in zip(first[edition], moves, strict=True))
            print(f"  {edition}: {others} of {len(moves):,} decided otherwise")


if __name__ == "__main__":
    main()
