"""Games of the arena: the same on every executor, whatever the bots do."""

from __future__ import annotations

from contextlib import closing
from itertools import islice

import msgspec
import pytest
from tests.lab.arena.bad_bots import BAD, teach_processes

from macaz.bots import BOTS, Kind
from macaz.bots.random import RandomBot
from macaz.edition import load_edition
from macaz.game import Game
from macaz.game.record import load_record
from macaz.lab.arena.local import run_local
from macaz.lab.arena.result import GameResult
from macaz.lab.arena.settings import ArenaError, Settings
from macaz.lab.arena.store import Store
from macaz.lab.arena.tournament import Tournament, check, try_out
from macaz.lab.arena.work import Job, Map, Moves, play

TINY = load_edition("tiny")


def job(*lineup: str, deal: int = 0, seed: int = 1, patience: float = 60.0) -> Job:
    return Job(Map.of(TINY), seed, deal, lineup, record=True, patience=patience)


def untimed(result: GameResult) -> GameResult:
    return msgspec.structs.replace(result, seconds=(), slowest=())


@pytest.fixture
def bad_bots(monkeypatch):
    for name, place in BAD.items():
        monkeypatch.setitem(BOTS, name, Kind(f"tests.lab.arena.{place}", ""))


# -- one game --------------------------------------------------------------------------------------


def test_a_result_tells_the_game_of_its_record():
    result = play(job("greedy", "random", deal=3))
    game = load_record(result.record)
    assert game.outcome is not None
    assert result.scores == game.outcome.totals
    assert result.winners == game.outcome.winners
    assert result.first == 1
    assert result.failures == ("", "")
    steps = [step for step in game.history if step.seat is not None]
    assert result.decisions == tuple(sum(s.seat == seat for s in steps) for seat in range(2))
    assert f"end after {sum(result.turns)} turns" in result.record
    assert result.tickets_kept == tuple(len(s.tickets) for s in game.outcome.seats)
    assert result.tickets_done == tuple(s.completed for s in game.outcome.seats)
    assert all(0 < slow <= all_ for slow, all_ in zip(result.slowest, result.seconds, strict=True))


def test_the_same_game_is_played_again():
    assert untimed(play(job("greedy", "random"))) == untimed(play(job("greedy", "random")))


@pytest.mark.parametrize("other", [{"deal": 2}, {"seed": 2}])
def test_another_deal_is_another_game(other):
    assert play(job("greedy", "random")).record != play(job("greedy", "random", **other)).record


def test_a_deal_is_the_same_for_all_lineups():
    def dealt(*lineup: str) -> list[int]:
        """The outcomes of chance before the first turn."""
        history = load_record(play(job(*lineup, deal=5)).record).history
        first = next(i for i, step in enumerate(history) if step.seat is not None)
        return [step.number for step in history[:first]]

    assert dealt("greedy", "random") == dealt("random", "greedy") == dealt("random", "random")


def test_two_seats_of_a_bot_do_not_think_alike():
    game = load_record(play(job("random", "random")).record)
    moves = [[s.number for s in game.history if s.seat == seat] for seat in range(2)]
    assert moves[0] != moves[1]


def test_setup_tickets_are_chosen_without_seeing_the_others(monkeypatch):
    class Looks(RandomBot):
        def choose(self, view, legal):
            if view.phase == "choose":
                seen.append(view.choosing)
            return super().choose(view, legal)

    seen: list[frozenset[int]] = []
    monkeypatch.setattr("tests.lab.arena.bad_bots.Raises", Looks)
    monkeypatch.setitem(BOTS, "looks", Kind("tests.lab.arena.bad_bots:Raises", ""))
    play(job("looks", "looks"))
    assert seen == [frozenset({0, 1})] * 2


def test_a_map_of_ones_own_travels_with_its_text(tmp_path):
    from macaz.edition import edition_text

    path = tmp_path / "mine.toml"
    path.write_text(edition_text(TINY), encoding="utf-8")
    board = Map.of(load_edition(str(path)))
    path.unlink()
    sent = msgspec.json.decode(msgspec.json.encode(board), type=Map)
    result = play(Job(sent, 1, 0, ("greedy", "random"), record=True, patience=60.0))
    assert result.scores == play(job("greedy", "random")).scores
    assert "file: mine.toml" in result.record


def test_moves_are_those_of_the_game():
    game = Game("usa-classic", 2, seed=1, first=0)
    while game.turn is not None and len(game.history) < 60:
        legal = list(game.legal_moves_of(game.turn))
        lazy = Moves(game, game.turn)
        assert [lazy[i] for i in range(len(lazy))] == legal
        assert lazy[-1] == legal[-1]
        assert legal[0] in lazy
        assert list(lazy) == lazy[:] == legal
        assert lazy[0] is lazy[0]
        game.push(legal[len(game.history) % len(legal)], game.turn)


# -- bots that fail --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("raises", "RuntimeError: no idea"),
        ("leaves", "SystemExit: 3"),
        ("cheats", "illegal: "),
        ("mumbles", "illegal: a move is"),
        ("unknown", "UnknownBot: there is no bot 'unknown'"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.usefixtures("bad_bots")
def test_a_bot_that_fails_loses_and_the_game_is_finished(bot, why, seat):
    lineup = ("random", bot) if seat else (bot, "random")
    for deal in range(4):
        result = play(job(*lineup, deal=deal))
        assert result.failures[seat].startswith(why)
        assert result.failures[1 - seat] == ""
        assert result.winners == (1 - seat,)
        assert load_record(result.record).over


@pytest.mark.usefixtures("bad_bots")
def test_where_all_fail_no_bot_wins():
    result = play(job("raises", "cheats"))
    assert result.winners == ()
    assert [result.share(seat) for seat in range(2)] == [0, 0]


@pytest.mark.usefixtures("bad_bots")
def test_a_bot_that_cannot_play_is_found_before_the_first_game():
    try_out("greedy", TINY, 2)
    with pytest.raises(ArenaError, match="the bot cheats cannot play Tiny"):
        try_out("cheats", TINY, 2)


# -- processes -------------------------------------------------------------------------------------


def test_processes_play_the_same_games_each_once_and_end_when_told(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    endless = (job("greedy", "random", deal=deal) for deal in range(10**9))
    with closing(run_local(endless, workers=2)) as results:
        found = sorted((next(results) for _ in range(8)), key=lambda result: result.deal)
        assert len(list(tmp_path.iterdir())) == 2, "a file for each process"
    assert not list(tmp_path.iterdir())
    assert len({result.deal for result in found}) == 8
    for result in found:
        assert untimed(result) == untimed(play(job("greedy", "random", deal=result.deal)))


def test_a_killed_process_costs_no_game_and_is_no_failure_of_a_bot(tmp_path, monkeypatch):
    teach_processes(monkeypatch, tmp_path)
    jobs = [job("random", "accident", deal=deal) for deal in range(4)]
    found = list(run_local(jobs, workers=1))
    assert (tmp_path / "accident").exists(), "the crash has happened"
    assert sorted(result.deal for result in found) == [0, 1, 2, 3]
    assert {result.failures for result in found} == {("", "")}


@pytest.mark.slow
def test_bots_that_hang_or_kill_their_process_lose(tmp_path, monkeypatch):
    teach_processes(monkeypatch, tmp_path)
    monkeypatch.setattr("macaz.lab.arena.process.TRIES", 2)
    edition = load_edition("usa-classic")
    lineup = ("dies", "random", "sleeps")
    result = next(run_local([Job(Map.of(edition), 1, 0, lineup, record=False, patience=1.0)], 1))
    assert result.failures[0].startswith("crash: its process ended (-9)")
    assert result.failures[1:] == ("", "late: no decision within 1 s")
    assert result.winners == (1,)


def test_a_mistake_of_ours_is_not_swallowed():
    jobs = [Job(Map("no-such-edition"), 1, 0, ("random", "random"), record=True, patience=60.0)]
    with pytest.raises(ArenaError, match="no bot was thinking"):
        list(run_local(jobs, workers=1))


# -- tournaments -----------------------------------------------------------------------------------

MATCH = Settings(
    edition="tiny",
    fingerprint=TINY.fingerprint,
    players=2,
    bots=("greedy", "random"),
    games=60,
    seed=1,
)


def here(jobs):
    """An executor without processes."""
    return (play(one) for one in jobs)


def test_it_goes_on_where_it_was(tmp_path):
    with Store(tmp_path, MATCH) as store:
        tournament = Tournament(store, TINY)
        played = tournament.play(here)
        first = [next(played) for _ in range(5)]
        played.close()
        assert store.results == first
    with Store(tmp_path, MATCH) as store:
        tournament = Tournament(store, TINY)
        assert tournament.left == 55
        assert tournament.total == 60
        list(tournament.play(here))
        whole = store.results
    assert len({(r.deal, r.lineup) for r in whole}) == len(whole) == 60
    with Store(tmp_path, MATCH) as store:
        assert not list(Tournament(store, TINY).play(here))


def test_a_result_that_comes_twice_counts_once(tmp_path):
    def stuttering(jobs):
        for one in jobs:
            yield play(one)
            yield play(one)

    with Store(tmp_path, MATCH) as store:
        assert len(list(Tournament(store, TINY).play(stuttering))) == 60
        assert len(store.results) == 60


def test_a_test_stops_when_it_is_decided_whatever_the_order(tmp_path):
    settings = msgspec.structs.replace(MATCH, sprt=(0.4, 0.6), games=400)

    def shuffled(jobs):
        """In groups of eight, each in reverse order."""
        while some := list(islice(jobs, 8)):
            yield from map(play, reversed(some))

    lengths = []
    for name, execute in (("a", here), ("b", shuffled)):
        with Store(tmp_path / name, settings) as store:
            tournament = Tournament(store, TINY)
            list(tournament.play(execute))
            assert tournament.verdict == "accept"
            lengths.append(len(store.results))
        with Store(tmp_path / name, settings) as store:
            again = Tournament(store, TINY)
            assert again.decided, "the decision is known when the tournament is resumed"
            assert not list(again.play(here))
    assert lengths[0] <= lengths[1] < lengths[0] + 8 < 400


def test_a_gauntlet_is_tested_too(tmp_path):
    settings = msgspec.structs.replace(
        MATCH, bots=("random", "greedy"), gauntlet=True, sprt=(0.4, 0.6), games=400
    )
    with Store(tmp_path, settings) as store:
        tournament = Tournament(store, TINY)
        list(tournament.play(here))
        assert tournament.verdict == "reject"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"bots": ("greedy", "greedy")}, "listed twice"),
        ({"bots": ("greedy",)}, "at least two bots"),
        ({"players": 9}, "players, not 9"),
        ({"bots": ("greedy", "random", "other"), "sprt": (0.5, 0.6)}, "--gauntlet BOT"),
        ({"sprt": (0.6, 0.5)}, "p0 < p1"),
        ({"bots": ("greedy", "gredy")}, "there is no bot 'gredy'"),
    ],
)
def test_a_tournament_that_makes_no_sense_is_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        check(msgspec.structs.replace(MATCH, **wrong), TINY)
