"""Ratings recover known strengths, and their intervals have the stated coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.lab.arena.synthetic import result, tournament

from macaz.errors import MacazError
from macaz.lab.arena.ratings import ELO, Estimate, Ratings, rate

pytestmark = pytest.mark.portable

STRENGTHS = {"strong": 0.8, "middle": 0.1, "weak": -0.9}


def elo(ratings: Ratings) -> dict[str, Estimate]:
    return {bot.name: bot.elo for bot in ratings.bots}


@pytest.mark.parametrize("seats", [2, 3])
def test_known_strengths_are_found(seats):
    games = tournament(STRENGTHS, seats, 3000 // seats, np.random.default_rng(1), beginning=0.3)
    ratings = rate(games, resamples=200, anchor="middle")
    assert [bot.name for bot in ratings.bots] == ["strong", "middle", "weak"]
    for name, estimate in elo(ratings).items():
        truth = ELO * (STRENGTHS[name] - STRENGTHS["middle"])
        assert estimate.value == pytest.approx(truth, abs=25)
        assert estimate.low <= estimate.value <= estimate.high
    begins, second, *_ = (place.elo for place in ratings.places)
    assert begins.value - second.value == pytest.approx(ELO * 0.3, abs=20)
    assert sum(place.wins.value for place in ratings.places) == pytest.approx(1)
    assert ratings.places[0].wins.low > 1 / seats


def test_a_pair_is_compared_the_same_way_at_a_larger_table():
    games = tournament({"a": 0.7, "b": 0.0, "c": 0.2}, 3, 1500, np.random.default_rng(2))
    share = rate(games, resamples=100).pairs["a", "b"].share
    assert share.value == pytest.approx(1 / (1 + math.exp(-0.7)), abs=0.03)


def test_a_bot_with_several_seats_is_not_counted_as_several_times_as_strong():
    rng = np.random.default_rng(3)
    games = [
        result(deal, lineup, [int(rng.integers(3))])
        for deal in range(900)
        for lineup in (("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a"))
    ]
    ratings = rate(games, resamples=100)
    assert ratings.pairs["a", "b"].share.value == pytest.approx(0.5, abs=0.03)
    assert elo(ratings)["a"].value == pytest.approx(elo(ratings)["b"].value, abs=25)


@pytest.mark.parametrize("shared_luck", [False, True])
def test_intervals_cover_the_truth_as_often_as_they_say(shared_luck):
    # With shared luck, resampling games instead of deals would cover far less.
    rng, runs, covered = np.random.default_rng(4), 100, {"elo": 0, "pair": 0, "place": 0}
    weights = np.exp([STRENGTHS["strong"], STRENGTHS["weak"]])
    begins = [strong * math.exp(0.2) for strong in weights]
    first = np.array([begins[0] / (begins[0] + weights[1]), begins[1] / (begins[1] + weights[0])])
    truth = {
        "elo": ELO * (STRENGTHS["strong"] - STRENGTHS["weak"]),
        "pair": (first[0] + 1 - first[1]) / 2,
        "place": first.mean(),
    }
    two = {name: STRENGTHS[name] for name in ("strong", "weak")}
    for _ in range(runs):
        games = tournament(two, 2, 60, rng, beginning=0.2, shared_luck=shared_luck)
        ratings = rate(games, resamples=200, anchor="weak")
        found = {
            "elo": elo(ratings)["strong"],
            "pair": ratings.pairs["strong", "weak"].share,
            "place": ratings.places[0].wins,
        }
        for kind, estimate in found.items():
            covered[kind] += estimate.low <= truth[kind] <= estimate.high
    for kind, times in covered.items():
        assert 0.88 <= times / runs <= 0.995, kind


def test_playing_the_same_deals_again_makes_nothing_more_certain():
    games = tournament(STRENGTHS, 2, 60, np.random.default_rng(5))
    once, twice = rate(games), rate(games * 2)
    for name, estimate in elo(once).items():
        again = elo(twice)[name]
        assert again.high - again.low == pytest.approx(estimate.high - estimate.low, rel=0.1)


def test_the_same_results_in_any_order_give_the_same_numbers():
    games = tournament(STRENGTHS, 2, 20, np.random.default_rng(6))
    shown = [
        (ratings.pairs, ratings.places, elo(ratings))
        for ratings in (rate(games), rate(games[::-1]), rate(games, seed=1))
    ]
    assert shown[0] == shown[1]
    assert shown[0] != shown[2]


def test_the_mean_of_the_ratings_is_zero_and_a_hopeless_bot_does_not_blur_it():
    games = tournament({"a": 0.3, "b": 0.0}, 2, 200, np.random.default_rng(7))
    for deal in range(200):
        for good in ("a", "b"):
            games += [result(deal, (good, "lost"), [0]), result(deal, ("lost", good), [1])]
    found = elo(rate(games))
    assert found["a"].high - found["a"].low < 60 < found["lost"].high - found["lost"].low
    assert abs(found["a"].value + found["b"].value) < 40
    even = tournament({"a": 0.3, "b": 0.0}, 2, 200, np.random.default_rng(7))
    assert sum(estimate.value for estimate in elo(rate(even)).values()) == pytest.approx(0)


def test_who_won_everything_has_a_finite_rating_and_an_honest_interval():
    games = [result(d, p, [p.index("a")]) for d in range(20) for p in (("a", "b"), ("b", "a"))]
    ratings = rate(games)
    share = ratings.pairs["a", "b"].share
    assert (share.value, share.high) == (1, 1)
    assert 0.75 < share.low < 0.95  # an exact interval for 20 of 20 begins at 0.83
    found = elo(ratings)
    assert 300 < found["a"].value < 2000
    assert found["b"].low < found["b"].high - 50


def test_draws_only():
    games = [result(d, p, [0, 1]) for d in range(30) for p in (("a", "b"), ("b", "a"))]
    ratings = rate(games)
    assert [bot.elo.value for bot in ratings.bots] == pytest.approx([0, 0])
    assert ratings.pairs["a", "b"].share.value == 0.5
    assert ratings.places[0].wins.value == 0.5


def test_one_bot_against_itself_tells_about_the_order_of_play_only():
    rng = np.random.default_rng(8)
    games = [result(d, ("a", "a"), [int(rng.random() > 0.6)]) for d in range(2000)]
    ratings = rate(games)
    assert [(bot.name, bot.elo.value, bot.games) for bot in ratings.bots] == [("a", 0, 4000)]
    assert not ratings.pairs
    assert ratings.places[0].wins.value == pytest.approx(0.6, abs=0.03)


def test_no_games():
    ratings = rate([])
    assert (ratings.games, ratings.bots, ratings.places) == (0, (), ())


def test_one_game():
    ratings = rate([result(0, ("a", "b"), [0])])
    best = ratings.bots[0]
    assert best.name == "a"
    assert best.elo.low < 0 < best.elo.high
    assert math.isnan(best.score.low)


def test_a_game_without_a_winner_is_lost_by_all():
    failures = ["crashed", "crashed"]
    ratings = rate([result(d, ("a", "b"), [], failures=failures) for d in range(5)])
    for bot in ratings.bots:
        assert (bot.wins.value, bot.failures) == (0, 5)
        assert bot.elo.value == pytest.approx(0)
    assert not ratings.pairs


def test_the_seat_that_begins_need_not_be_the_first_one():
    games = [result(d, ("a", "b"), [d % 2], first=d % 2) for d in range(50)]
    assert [place.wins.value for place in rate(games).places] == [1, 0]


def test_what_else_is_told_of_a_bot():
    games = [
        result(0, ("a", "b"), [0], scores=(120, 90)),
        result(0, ("b", "a"), [0], scores=(110, 100), failures=["", "too slow"]),
        result(1, ("a", "b"), [0], scores=(130, 70)),
    ]
    bot = next(bot for bot in rate(games).bots if bot.name == "a")
    assert bot.score.value == pytest.approx(350 / 3)
    assert sorted(bot.margins) == [-10, 30, 60]
    assert (bot.games, bot.failures, bot.turns) == (3, 1, 40)
    assert (bot.tickets_kept, bot.tickets_done) == (4, 3)
    assert bot.decision_ms == pytest.approx(10)
    assert bot.slowest_ms == pytest.approx(100)


def test_what_cannot_be_rated_is_said():
    mixed = [result(0, ("a", "b"), [0]), result(0, ("a", "b", "c"), [0])]
    with pytest.raises(MacazError, match="2 and 3 players"):
        rate(mixed)
    with pytest.raises(MacazError, match="no game has the bot 'z'"):
        rate(mixed[:1], anchor="z")
