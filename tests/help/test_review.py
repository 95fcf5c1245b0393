"""Reviews of finished games: the story's arithmetic, fixed games, the command and its page."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from tests.help.test_advice import finished, moments, result

from macaz.bots import Limit
from macaz.cli import main
from macaz.game import Game
from macaz.game.data import MOVES
from macaz.game.moves import Blind, Claim, Move
from macaz.game.outcome import NotOver
from macaz.game.record import dump_record
from macaz.game.view import View
from macaz.game.worlds import sample_world
from macaz.help.advice import review
from macaz.help.advice.past import decisions, judge, sum_up
from macaz.help.advice.review_words import point_sentences, seat_story, ticket_line
from macaz.help.compiled import story_layout as at
from macaz.help.compiled.program import reviewing
from macaz.help.compiled.story import CLEAR, TAUGHT
from macaz.help.seeds import seed_of
from macaz.kernel.layout import SEATS

FEW = Limit(effort=16)
MUCH = Limit(effort=64)


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


# -- the arithmetic of the story -------------------------------------------------------------------


def made_up(seats: int, plies: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Verdicts on a game, and each seat's share of the win."""
    rng = np.random.default_rng(seed)
    verdicts = np.zeros(plies, at.dtypes["verdict"])
    verdicts["seat"] = np.arange(plies) % seats
    verdicts["turn"] = np.arange(plies) + 1
    verdicts["choices"], verdicts["searched"], verdicts["measured"] = 5, 4, 4
    verdicts["before"] = rng.uniform(0, 1, plies)
    verdicts["gap"] = rng.normal(0.02, 0.05, plies)
    verdicts["cost"] = np.maximum(verdicts["gap"], 0)
    verdicts["after"] = verdicts["before"] - verdicts["cost"]
    verdicts["error"], verdicts["doubt"], verdicts["stake"] = 0.02, 0.03, 0.08
    awards = np.zeros(SEATS)
    awards[rng.integers(seats)] = 1.0
    return verdicts, awards


def told(
    verdicts: np.ndarray, awards: np.ndarray, seats: int, target: str = "plain"
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The curve, the story of each seat, and the turning points."""
    program = reviewing(target)
    curves = np.zeros((len(verdicts) + 1, SEATS))
    stories = np.zeros(SEATS, at.dtypes["story"])
    sums = np.zeros((at.SUMS, at.PHASES + 1))
    points = np.zeros(at.MOST_POINTS, at.dtypes["turning"])
    program.review_game(verdicts, awards, curves, stories, sums, seats, len(verdicts))
    count = program.review_points(verdicts, awards, points, -1, seats)
    return curves, stories, points[:count]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_deal_skill_and_luck_add_up_to_the_result(seats):
    verdicts, awards = made_up(seats, 60, seats)
    curves, stories, _ = told(verdicts, awards, seats)
    parts = stories["deal"] + stories["skill"] + stories["luck"]
    assert parts[:seats] == pytest.approx(awards[:seats] - 1 / seats)
    assert np.all(stories["skill"] <= 0)
    assert curves[-1, :seats] == pytest.approx(awards[:seats])
    assert np.all(stories["decisions"][:, at.ALL] == stories["decisions"][:, : at.PHASES].sum(1))
    assert np.all((stories["spared"] >= 0) & (stories["spared"] <= 1))


def test_seats_are_told_of_alike():
    seats = 3
    verdicts, awards = made_up(seats, 60, 8)
    _, stories, points = told(verdicts, awards, seats)
    moved, shares = verdicts.copy(), awards.copy()
    moved["seat"] = (verdicts["seat"] + 1) % seats
    shares[:seats] = np.roll(awards[:seats], 1)
    _, others, again = told(moved, shares, seats)
    assert others[:seats].tobytes() == np.roll(stories[:seats], 1).tobytes()
    assert [((p["seat"] + 1) % seats, p["ply"]) for p in points] == [
        (p["seat"], p["ply"]) for p in again
    ]


def test_turning_points_are_few_large_and_not_neighbours():
    seats = 4
    verdicts, awards = made_up(seats, 100, 3)
    _, _, points = told(verdicts, awards, seats)
    assert 3 <= len(points) <= 5
    weights = np.abs(points["change"]) * np.where(points["kind"] == at.COSTLY, TAUGHT, 1)
    assert weights.tolist() == sorted(weights, reverse=True)
    turns = sorted(verdicts["turn"][points["ply"]])
    assert min(np.diff(turns)) >= seats
    mistakes = points[points["kind"] == at.COSTLY]
    assert all(verdicts["cost"][p["ply"]] > CLEAR * 0.02 for p in mistakes)


def test_noise_is_no_turning_point_and_no_mistake():
    verdicts, awards = made_up(2, 40, 1)
    verdicts["before"] = verdicts["after"] = 0.5
    verdicts["cost"] = verdicts["gap"] = 0.02
    awards[:2] = 0.5
    _, stories, points = told(verdicts, awards, 2)
    assert len(points) == 0
    assert not stories["mistakes"].any()


def test_many_small_costs_count_together_and_noise_does_not():
    verdicts, awards = made_up(2, 80, 1)
    verdicts["error"] = 0.03
    verdicts["gap"] = 0.02  # each is within its noise
    _, stories, _ = told(verdicts, awards, 2)
    assert stories["skill"][:2] == pytest.approx([-0.8, -0.8], abs=0.1)
    verdicts["gap"] = 0.001
    _, stories, _ = told(verdicts, awards, 2)
    assert stories["skill"][:2].tolist() == [0, 0]
    assert stories["spared"][:2, at.ALL].tolist() == [1, 1]


def test_every_target_tells_the_same():
    verdicts, awards = made_up(3, 50, 5)
    found = [
        [part.tobytes() for part in told(verdicts, awards, 3, one)] for one in ("plain", "wasm")
    ]
    assert found[0] == found[1]


# -- a finished game -------------------------------------------------------------------------------


@pytest.mark.portable
def test_a_review_is_the_same_again_and_from_the_record():
    game = finished()
    found = review(game, limit=FEW)
    assert review(dump_record(game), limit=FEW) == found
    met = decisions(game)
    assert len(found.curve) == len(met) + 1
    assert found.curve[-1] == tuple(float(p in result(game).winners) for p in range(2))
    assert all(0 <= chance <= 1 for row in found.curve for chance in row)
    assert found.winners == result(game).winners
    # Where there was no choice, nothing is judged.
    assert [j.ply for j in found.judged] == [
        ply for ply, decision in enumerate(met) if len(decision.legal) > 1
    ]
    for seat in found.seats:
        mine = [j for j in found.judged if j.seat == seat.seat]
        assert seat.score == result(game).seats[seat.seat]
        assert (seat.name, seat.decisions) == (game.names[seat.seat], len(mine))
        assert seat.agreed == sum(j.played == j.best for j in mine)


def test_decisions_are_judged_one_by_one_in_any_order():
    game = finished()
    met = decisions(game)
    found = {
        ply: judge(met[ply], FEW, seed_of(7, ply), weigh=True) for ply in reversed(range(len(met)))
    }
    made = sum_up(game, met, [found[ply] for ply in range(len(met))], range(2))
    assert made == review(game, limit=FEW, seed=7)


def test_a_decision_is_judged_by_its_own_view_only():
    game = finished()
    for decision in decisions(game)[2::5]:
        states = sample_world(decision.view, np.random.default_rng(1))
        other = replace(decision, view=View.of(game.spec, states, decision.seat))
        assert judge(other, FEW, 3) == judge(decision, FEW, 3)


def test_only_the_seats_asked_for_are_judged_and_all_have_a_curve():
    game = finished()
    told: list[tuple[int, int]] = []
    found = review(game, limit=FEW, seats=[1], progress=lambda *at: told.append(at))
    assert {j.seat for j in found.judged} == {1}
    assert [seat.seat for seat in found.seats] == [1]
    count = len(found.curve) - 1
    assert told == [(done, count) for done in range(1, count + 1)]
    assert len({row[0] for row in found.curve[:-1]}) > 1


def test_a_game_that_goes_on_is_not_reviewed():
    with pytest.raises(NotOver, match="not over"):
        review(Game("tiny", 2, seed=1), limit=FEW)


def lucky(game: Game, seat: int, move: Move) -> float:
    """The chance to win after a move that ends the game, or nearly, by sampling worlds."""
    rng, won = np.random.default_rng(0), 0.0
    for _ in range(100):
        world = Game.from_state(
            game.edition, game.seats, sample_world(game.view(seat), rng), dealer="random"
        )
        world.push(move, seat)
        while not world.over:
            world.push(next(iter(world.legal_moves)))
        winners = result(world).winners
        won += (seat in winners) / len(winners)
    return won / 100


@cache
def blunder() -> tuple[str, int, float]:
    """The record of a game lost with its last move, the ply of that move, and what it cost."""
    for seed in range(200):
        for game in moments("tiny", 2, seed):
            if game.over or game.view(None).last_turns != 1 or game.view(None).phase != "turn":
                continue
            [seat] = game.deciding
            legal = list(game.legal_moves_of(seat))
            chances = {move: lucky(game, seat, move) for move in legal if isinstance(move, Claim)}
            if Blind() in legal and chances:
                cost = max(chances.values()) - lucky(game, seat, Blind())
                if cost > 0.7:
                    ply = sum(step.seat is not None for step in game.history)
                    game.push(Blind(), seat)
                    while not game.over:
                        game.push(next(iter(game.legal_moves)))
                    return dump_record(game), ply, cost
    raise AssertionError("no such game")


def test_a_move_that_lost_the_game_is_found_with_its_cost():
    record, ply, cost = blunder()
    found = review(record, limit=MUCH)
    worst = found.mistakes[0]
    assert worst.ply == ply
    assert worst.cost == pytest.approx(cost, abs=0.15)
    assert (type(worst.played), worst.played_text) == (MOVES[Blind], "blind")
    assert isinstance(worst.best, MOVES[Claim])
    assert worst.cost > CLEAR * worst.error
    assert all(0 < m.cost <= worst.cost for m in found.mistakes)
    loser = next(seat for seat in found.seats if seat.seat == worst.seat)
    assert loser.mistakes >= 1
    assert loser.lost >= worst.cost
    assert loser.accuracy is not None
    assert loser.accuracy < 100
    assert found.turning_points


# -- the command -----------------------------------------------------------------------------------


def test_the_command_lists_what_cost_most(tmp_path):
    record, ply, _ = blunder()
    file, picture = tmp_path / "game.txt", tmp_path / "curve.png"
    file.write_text(record, encoding="utf-8")
    page = tmp_path / "game.html"
    more = ("--plot", picture, "--html", page, "--most", 1)
    done = run("review", file, "--effort", 64, *more)
    assert done.exit_code == 0, done.output
    for words in ("Moves that cost most", "blind", "Turning points", "The first deal was"):
        assert words in done.output
    parser = HTMLParser()
    parser.feed(page.read_text(encoding="utf-8"))
    parser.close()
    assert "http" not in page.read_text(encoding="utf-8")
    assert picture.read_bytes().startswith(b"\x89PNG")
    told = json.loads(run("review", file, "--effort", 64, "--json", "--seat", 1).stdout)
    assert {j["seat"] for j in told["judged"]} == {0}
    assert len(told["curve"]) > ply


def test_the_command_says_what_it_cannot_review(tmp_path):
    game = Game("tiny", 2, seed=1)
    file = tmp_path / "game.txt"
    file.write_text(dump_record(game), encoding="utf-8")
    assert "not over" in run("review", file).output
    file.write_text(dump_record(finished()), encoding="utf-8")
    assert "no seat 3" in run("review", file, "--seat", 3).output
    assert "--plot" in run("review", file, "--plot", tmp_path / "curve.doc").output
    assert run("review", Path("nowhere")).exit_code == 2


def test_names_are_escaped_in_the_page(tmp_path):
    game = finished()
    game.names = ("<script>alert(1)</script>", "Ștefan & \u001b[31m")
    file, page = tmp_path / "game.txt", tmp_path / "game.html"
    file.write_text(dump_record(game), encoding="utf-8")
    done = run("review", file, "--effort", 16, "--html", page)
    assert done.exit_code == 0, done.output
    assert "\u001b" not in done.output
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "\u001b" not in text


# -- tickets and words -----------------------------------------------------------------------------


def test_every_ticket_has_a_fate():
    game = finished()
    found = review(game, limit=FEW)
    for seat in found.seats:
        held = {ticket.ticket for ticket in seat.tickets if ticket.fate != "dropped"}
        score = result(game).seats[seat.seat]
        assert held == {ticket.ticket for ticket in score.tickets}
        for ticket in seat.tickets:
            done = next(
                (one.completed for one in score.tickets if one.ticket == ticket.ticket), None
            )
            assert done is None or done == (ticket.fate == "completed") == ticket.joined
            assert ticket.joined or ticket.spaces is None or ticket.spaces > 0 or ticket.stations
            assert ticket_line(ticket).startswith(ticket.text)


def test_the_story_is_told_in_words():
    game = finished()
    found = review(game, limit=FEW)
    for seat in found.seats:
        sentence = seat_story(found, seat, seat.name)
        assert sentence.startswith(seat.name)
        assert ("won" in sentence) == (seat.seat in found.winners)
        flawless = seat_story(found, replace(seat, skill=0.0), seat.name)
        assert "no decision clearly cost anything" in flawless
    for point in found.turning_points:
        assert all(point_sentences(game, found, point, game.names))
