"""Make the golden records again: `python -m tests.golden.make`.

Each is a game of random moves, with a seed of its own. A change of the rules changes them, and
the difference shows in review what the change does to whole games.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.editions import MAIN

from macaz.edition import load_edition
from macaz.game import Game
from macaz.game.record import dump_record

FOLDER = Path(__file__).parent
NAMES = ("Ana", "Bogdan", "Cristina", "Dan", "Elena", "Florin")


class Case(NamedTuple):
    """One golden record."""

    edition: str
    seats: int
    what: str  # "finished", or "stopped" in the middle, with a first seat that was agreed on

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return FOLDER / f"{self.edition}-{self.seats}-{self.what}.macaz"


def cases() -> Iterator[Case]:
    """Every main edition, plain and with each of its options, for several numbers of seats."""
    for name in MAIN:
        edition = load_edition(name)
        rules = edition.rules
        middle = (rules.min_seats + rules.max_seats) // 2
        for option in ("", *(f"+{o.name}" for o in edition.available_options)):
            for seats in sorted({rules.min_seats, middle, rules.max_seats}):
                yield Case(name + option, seats, "finished")
            yield Case(name + option, rules.min_seats, "stopped")


def play(game: Game, rng: random.Random, most: int = 100_000) -> Game:
    """Random moves, with every kind of move equally likely, so that games are varied."""
    for _ in range(most):
        if game.over:
            break
        seat = rng.choice(game.deciding)
        kinds: dict[int, list[int]] = {}
        for action in game.legal_moves_of(seat).actions:
            kinds.setdefault(game.notation.kind(action), []).append(action)
        game.push(rng.choice(kinds[rng.choice(sorted(kinds))]))
    return game


def make(case: Case) -> str:
    """The text of a golden record."""
    key = f"{case.edition} {case.seats} {case.what}"
    stopped = case.what == "stopped"
    game = Game(
        case.edition,
        case.seats,
        seed=f"golden {key}",
        first=1 if stopped else None,
        names=NAMES[: case.seats],
        target="plain",
    )
    play(game, random.Random(key), 12 if stopped else 100_000)
    return dump_record(game)


def main() -> None:
    """Write all records, and remove those that are no longer made."""
    made = {case.path: make(case) for case in cases()}
    for path in FOLDER.glob("*.macaz"):
        if path not in made:
            path.unlink()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
