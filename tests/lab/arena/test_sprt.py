"""The sequential test keeps its error rates, and stops early."""

from __future__ import annotations

import math

import numpy as np
import pytest

from macaz.errors import MacazError
from macaz.lab.arena.sprt import Sprt

pytestmark = pytest.mark.portable

RUNS = 120


def deal_averages(mean: float, seats: int, rng: np.random.Generator, count: int) -> np.ndarray:
    """Averages of the tested bot's share over the seats of deals, half of which favour it."""
    room = min(mean, 1 - mean) / 2
    chance = mean + room * rng.choice((-1, 1), count)
    return rng.binomial(seats, chance) / seats


@pytest.mark.parametrize(("p0", "p1", "seats"), [(0.5, 0.65, 2), (0.25, 0.35, 4), (0.8, 0.9, 2)])
@pytest.mark.parametrize("truth", ["p0", "p1"])
def test_its_errors_are_as_rare_as_promised_however_often_it_is_asked(p0, p1, seats, truth):
    rng = np.random.default_rng(1)
    wrong, deals = 0, []
    for _ in range(RUNS):
        test = Sprt(p0, p1)
        averages = deal_averages({"p0": p0, "p1": p1}[truth], seats, rng, 2000)
        at = 0
        while test.verdict == "go on":
            test.update(averages[at : at + 3])
            at += 3
        wrong += test.verdict == {"p0": "accept", "p1": "reject"}[truth]
        deals.append(test.deals)
    # 5 % are allowed; the rest is the random variation of so many runs.
    assert wrong / RUNS < 0.05 + 2.6 * math.sqrt(0.05 * 0.95 / RUNS)
    assert np.mean(deals) < 150


def test_smaller_risks_take_more_deals():
    averages = np.tile([1, 0.5, 0.5, 1, 0], 200)

    def deals(risk: float) -> int:
        test = Sprt(0.5, 0.6, risk, risk)
        for average in averages:
            if test.update([average]) != "go on":
                break
        assert test.verdict == "accept"
        return test.deals

    assert deals(0.05) < deals(0.01)


def test_few_deals_decide_nothing_even_if_all_are_the_same():
    for score in (0, 0.5, 1):
        assert Sprt(0.5, 0.55).update([score] * 5) == "go on"
    assert Sprt(0.5, 0.55).update([]) == "go on"


def test_all_alike_is_decided_in_the_end():
    assert Sprt(0.5, 0.55).update([1] * 100) == "accept"
    assert Sprt(0.5, 0.55).update([0.5] * 100) == "reject"
    assert Sprt(0.5, 0.55).update([0] * 100) == "reject"


def test_a_verdict_is_final():
    test = Sprt(0.5, 0.6)
    assert test.update([1] * 60) == "accept"
    assert test.update([0] * 1000) == "accept"


def test_at_once_or_one_by_one_it_knows_the_same():
    averages = [0.5, 1, 0, 0.5, 0.5, 1]
    at_once, one_by_one = Sprt(0.5, 0.55), Sprt(0.5, 0.55)
    at_once.update(averages)
    for average in averages:
        one_by_one.update([average])
    assert at_once.llr == one_by_one.llr
    assert at_once.deals == 6
    assert at_once.mean == pytest.approx(3.5 / 6)


def test_it_is_the_plain_test_where_deals_are_won_or_lost():
    test = Sprt(0.5, 0.6)
    test.update([1] * 600 + [0] * 400)
    plain = 600 * math.log(0.6 / 0.5) + 400 * math.log(0.4 / 0.5)
    assert test.llr == pytest.approx(plain, abs=0.05)


@pytest.mark.parametrize(
    "arguments", [(0.5, 0.5), (0.6, 0.5), (0, 0.5), (0.5, 1), (0.5, 0.6, 0), (0.5, 0.6, 0.05, 0.7)]
)
def test_senseless_tests_are_refused(arguments):
    with pytest.raises(MacazError, match="such as"):
        Sprt(*arguments)


@pytest.mark.parametrize("score", [-0.1, 1.5, math.nan])
def test_senseless_scores_are_refused(score):
    with pytest.raises(MacazError, match="from 0 to 1"):
        Sprt(0.5, 0.6).update([score])
