"""Variants are data: rules with other numbers, against the reference.

Editions made from the shipped ones by changing knobs at random within what the
checker allows: few cards, long rows, other decks and minimums, tunnels and stations anywhere.
"""

import random
from dataclasses import replace
from typing import Any

import pytest
from tests.kernel.test_against_reference import TEMPERS, play

from macaz.edition import Edition, load_edition

BASES = ("tiny", "usa", "europe", "old-west+alvin")


def variant(seed: int) -> tuple[Edition, int]:
    """An edition with some of its knobs changed, and a number of seats."""
    rng = random.Random(seed)
    edition = load_edition(BASES[seed % len(BASES)])
    rules = edition.rules
    seats = rng.randint(rules.min_seats, rules.max_seats)
    hand, row = rng.randint(1, 4), rng.randint(1, 6)
    fewest = -(-(hand * seats + row) // 9)
    setup, draw = rng.randint(1, 3), rng.randint(1, 5)
    changed: dict[str, Any] = {
        "cards": tuple(max(fewest, rng.choice((n, n // 2, 4))) for n in rules.cards),
        "hand": hand,
        "row": row,
        "row_locomotives": rng.randint(1, 6),
        "trains": rng.randint(9, rules.trains) if rules.trains > 9 else rules.trains,
        "last_trains": rng.randint(0, 3),
        "parallel_from": rng.randint(2, 7),
        "setup_tickets": setup if len(edition.board.tickets) >= setup * seats else 1,
        "setup_keep": 1,
        "setup_return": rng.choice(("bottom", "shuffled", "out")),
        "draw_tickets": draw,
        "draw_keep": rng.randint(1, draw),
        "return_order": rng.choice(("chosen", "dealt")),
        "tunnel_cards": rng.randint(0, 5),
        "station_points": rng.randint(0, 9),
        "marker_cards": rng.randint(1, 3),
        "alvin_points": rng.randint(0, 20),
        "longest_points": rng.choice((0, 10)),
        "globetrotter_points": rng.choice((0, 15)),
    }
    if seats > 3 and edition.id == "tiny":
        changed["setup_tickets"] = 1
    return replace(edition, rules=replace(rules, **changed)), seats


@pytest.mark.parametrize("seed", range(48))
def test_a_variant_plays_as_the_reference_does(seed: int) -> None:
    edition, seats = variant(seed)
    temper = list(TEMPERS)[seed // 4 % len(TEMPERS)]
    play(edition, seats, seed, temper, "plain" if seed % 2 else "cpu")
