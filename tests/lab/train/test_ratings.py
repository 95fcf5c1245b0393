"""A network is rated during its training: one at a time, the newest, with no process left."""

from __future__ import annotations

import msgspec
import pytest
from tests.lab.train.runs import mark, progress_after

from macaz.lab.arena.settings import ArenaError
from macaz.lab.train.folder import NETWORK
from macaz.lab.train.rater import ERROR_LOG, RATED, Rater
from macaz.lab.train.ratings import Match, rate_network, read_ratings

MATCH = Match(bot="greedy", edition="tiny", players=2, games=4, opponents=("random",))


def write_network(folder, content: bytes) -> None:
    fresh = folder / "fresh"
    fresh.write_bytes(content)
    fresh.replace(folder / NETWORK)


def test_a_bot_is_rated_against_each_opponent():
    match = msgspec.structs.replace(MATCH, opponents=("random", "planner"), games=8)
    one, other = rate_network(match, mark(30))
    assert (one.opponent, other.opponent) == ("random", "planner")
    assert (one.iteration, one.decisions, one.trained_games, one.minutes) == (30, 30000, 300, 0.5)
    assert (one.games, one.players, one.failures, one.opponent_failures) == (8, 2, 0, 0)
    assert 0 <= one.low <= one.share <= one.high <= 1
    assert one.share > 0.5
    assert (one, other) == tuple(rate_network(match, mark(30))), "the same deals again"


def test_larger_tables_are_shared_by_two_bots():
    [found] = rate_network(msgspec.structs.replace(MATCH, players=3, games=60), mark(1))
    assert found.against == "random, 3 seats"
    assert found.share > 0.5


@pytest.mark.parametrize("change", [{"bot": "gredy"}, {"opponents": ("gredy",)}, {"players": 9}])
def test_a_match_that_cannot_be_played_is_an_error(change):
    with pytest.raises(ArenaError):
        list(rate_network(msgspec.structs.replace(MATCH, **change), mark(1)))


def test_the_newest_network_is_rated_when_there_is_time(tmp_path):
    write_network(tmp_path, b"of before")
    with Rater(tmp_path, MATCH, minutes=0) as rater:
        rater.update(progress_after(1))
        assert not rater.busy, "an earlier network is not rated again"
        write_network(tmp_path, b"of 1")
        rater.update(progress_after(2))
        assert rater.busy
        for iteration in (3, 4):
            rater.update(progress_after(iteration))
            write_network(tmp_path, b"of %d" % iteration)
        assert (tmp_path / RATED).read_bytes() == b"of 1", "one at a time"
        for _ in rater.finish():
            pass
        assert (tmp_path / RATED).read_bytes() == b"of 4"
        assert rater.trouble == ""
    assert [one.iteration for one in read_ratings(tmp_path)] == [1, 4]
    assert not (tmp_path / RATED).exists()
    assert not (tmp_path / ERROR_LOG).exists()


def test_a_network_of_before_is_not_rated_where_nothing_was_learned(tmp_path):
    write_network(tmp_path, b"of before")
    with Rater(tmp_path, MATCH, minutes=0) as rater:
        assert list(rater.finish()) == []
    assert read_ratings(tmp_path) == []


def test_it_is_not_rated_too_often(tmp_path):
    with Rater(tmp_path, MATCH, minutes=0.5) as rater:
        begun = []
        for iteration in (1, 20, 32):
            write_network(tmp_path, b"%d" % iteration)
            before = rater._process
            rater.update(progress_after(iteration))
            begun.append(rater._process is not before)
            if rater._process:
                rater._process.wait()
    assert begun == [True, False, True]


def test_what_is_under_way_is_given_up(tmp_path):
    long = msgspec.structs.replace(MATCH, games=10**6)
    with Rater(tmp_path, long, minutes=0) as rater:
        write_network(tmp_path, b"a network")
        rater.update(progress_after(1))
        assert rater.busy
    assert not rater.busy
    assert read_ratings(tmp_path) == []


def test_a_rating_that_fails_says_why_and_the_next_is_tried(tmp_path):
    with Rater(tmp_path, msgspec.structs.replace(MATCH, bot="gredy"), minutes=0) as rater:
        write_network(tmp_path, b"a network")
        rater.update(progress_after(1))
        for _ in rater.finish():
            pass
        assert "greedy" in rater.trouble
        write_network(tmp_path, b"another")
        rater.update(progress_after(2))
        assert rater.busy
