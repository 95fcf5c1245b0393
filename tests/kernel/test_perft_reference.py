"""The counts of the cases in `perft`, by the reference implementation and by calculation."""

from __future__ import annotations

from itertools import product
from math import perm

import pytest
from tests.perft import CASES, Case, Ply, perft, script

BY_NAME = {case.name: case for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_counts(case: Case) -> None:
    assert perft(case.reference, case.depth) == list(case.counts)


def test_hands_are_dealt_in_every_order_the_cards_allow() -> None:
    stock = {"blue": 4, "green": 4, "red": 4, "locomotive": 2}
    for ply, count in enumerate(BY_NAME["deal-2"].counts):
        deals = product(stock, repeat=ply)
        possible = sum(all(deal.count(card) <= stock[card] for card in stock) for deal in deals)
        assert count == Ply(chance=possible)


def test_tickets_are_dealt_and_chosen_in_every_way() -> None:
    counts = BY_NAME["tickets-2"].counts
    assert counts[:4] == tuple(Ply(chance=perm(6, ply)) for ply in range(4))
    # Of two tickets, three choices keep at least one, independently for each seat.
    assert counts[4:] == tuple(Ply(decision=perm(6, 4) * 3**seats) for seats in range(3))


def test_whole_trees_end_everywhere() -> None:
    for case in CASES:
        if case.depth is None:
            plies = case.counts
            assert plies[-1].chance == plies[-1].decision == 0
            assert sum(ply.over for ply in plies) > 0


def test_a_branch_counts_as_much_as_the_plies_below_it() -> None:
    start = BY_NAME["late-2"].reference()
    whole = perft(start)
    branches = [perft(start.play(move)) for move in start.moves()]
    for ply in range(1, len(whole)):
        below = [branch[ply - 1] for branch in branches if len(branch) >= ply]
        assert whole[ply] == Ply(*map(sum, zip(*below, strict=True)))


def test_counting_changes_nothing() -> None:
    start = BY_NAME["play-2"].reference()
    assert perft(start, 3) == perft(start, 3)


def test_words() -> None:
    assert script("first:1 blind choose:1:0+3 keep:2 claim:3:7:0") == (
        ("first", 1),
        ("blind",),
        ("choose", 1, frozenset({0, 3})),
        ("keep", frozenset({2})),
        ("claim", 3, 7, 0),
    )
