"""The test for blocking on purpose, with numbers counted by hand on a small map."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.tools.towns import finished, position

from blocking import Spare, elsewhere, spare_claims, times
from facts import facts_of

TOOL = Path(__file__).parents[2] / "tools" / "behaviour"


def first_claim(move: str, deal: int = 0) -> Spare:
    """The `Spare` of a claim that seat 0 makes now."""
    game = position()
    game.push(move)
    game = finished(game)
    return spare_claims(game, facts_of(game), 0, deal)[0]


def test_a_claim_is_compared_with_all_lanes_of_its_length():
    block = first_claim("claim B–C red 2")
    # A–B, B–C and C–D have this length, and seat 0 does not need them; seat 1 needs the first two.
    assert len(block.alike) == 3
    assert block.hit(block.needed) == 1
    assert block.chance(block.needed) == pytest.approx(2 / 3)
    assert block.hit(frozenset()) == block.chance(frozenset()) == 0
    harmless = first_claim("claim C–D red 2")
    assert harmless.alike == block.alike
    assert harmless.hit(harmless.needed) == 0
    assert harmless.chance(harmless.needed) == pytest.approx(2 / 3)


def test_needs_from_other_games_are_those_of_other_deals_at_about_the_same_turn():
    block = first_claim("claim B–C red 2")
    rng = np.random.default_rng(1)
    spare = Spare
    same_deal = spare(block.deal, block.turn, block.lane, block.alike, block.shut, block.needed)
    much_later = spare(7, block.turn + 5, block.lane, block.alike, block.shut, block.needed)
    assert elsewhere(block, [block, same_deal, much_later], rng) == (0, 0)
    nothing = spare(8, block.turn + 4, block.lane, block.alike, block.shut, frozenset())
    assert elsewhere(block, [block, nothing], rng) == (0, 0)
    all_three = spare(9, block.turn - 1, block.lane, block.alike, block.shut, block.shut)
    assert elsewhere(block, [block, all_three], rng) == (1, 1)


def test_a_ratio_has_an_interval_over_whole_deals():
    claims = [first_claim("claim B–C red 2", deal) for deal in (0, 0, 1, 1)]
    rng = np.random.default_rng(1)
    even = np.array([(1.0, 0.5)] * 4)
    assert times(claims, even, rng) == "2.00 (2.00–2.00)"
    # One deal with blocks and one without: the bootstrap may draw either of them twice.
    uneven = np.array([(1.0, 0.5)] * 2 + [(0.0, 0.5)] * 2)
    assert times(claims, uneven, rng) == "1.00 (0.00–2.00)"
    assert times(claims, np.hstack((even, even / 2)), rng) == "1.00 (1.00–1.00)"
    # Deals with a chance of 0 do not change the ratio.
    half = np.array([(1.0, 0.5)] * 2 + [(0.0, 0.0)] * 2)
    assert times(claims, half, rng) == "2.00 (2.00–2.00)"


def test_the_command_prints_the_ratios_of_a_tournament(tmp_path):
    play = [sys.executable, "-m", "macaz", "arena", "--bots", "racer,planner", "--games", "8"]
    cup = str(tmp_path / "cup")
    subprocess.run([*play, "--seed", "1", "--out", cup], check=True, capture_output=True)
    command = [sys.executable, str(TOOL), "blocking", cup, "--bots"]
    printed = subprocess.run(
        [*command, "racer,planner"], check=True, capture_output=True, text=True
    ).stdout
    figure = r"\d+\.\d\d \(\d+\.\d\d–\d+\.\d\d\)"
    assert re.fullmatch(
        r"\d+ claims that racer did not need\n"
        rf"  took what planner needed: {figure} times chance, as long\n"
        rf"  what it needed in other games: {figure}\n"
        rf"  the first over the second: {figure}\n",
        printed,
    )
    wrong = subprocess.run([*command, "racer,greedy"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert "has no games of racer and greedy at two seats" in wrong.stderr
    assert "Traceback" not in wrong.stderr
