"""A game described in sentences: they are correct, and the important moments are included."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from tests.tools.towns import finished, job, position

from facts import facts_of
from macaz.bots import Limit
from macaz.game import Game
from macaz.game.record import load_record, save_record
from macaz.help.advice import review
from macaz.lab.arena.work import play
from story import story_of

TOOL = Path(__file__).parents[2] / "tools" / "behaviour"


def sentences_after(game: Game, move: str) -> list[str]:
    """The sentences about a move that is made now."""
    game.push(move)
    first = story_of(finished(game), most=1000).moments[0]
    assert first.seat == 0
    return first.sentences


def test_a_block_is_described_with_its_consequence():
    assert sentences_after(position(), "claim B–C red 2") == [
        "Seat 1 takes B–C.",
        "Seat 2 needed it, for A–C (8); Seat 1 had no use for it itself. "
        "That ticket fails in the end.",
    ]


def test_a_route_that_both_need_is_described():
    game = position(tickets={0: ["B–D 12"], 1: ["A–C 8"]}, routes={0: ["C–D"]})
    assert sentences_after(game, "claim B–C red 2") == [
        "Seat 1 takes B–C and completes B–D (12).",
        "Seat 2 needed it too, for A–C (8). That ticket fails in the end.",
    ]


def test_a_claim_without_consequence_is_described_with_its_points():
    assert sentences_after(position(), "claim C–D red 2") == ["Seat 1 takes C–D for 2 points."]


def test_drawing_tickets_and_the_last_round_are_described():
    game = position(routes={0: ["X–Y"], 1: ["A–B"]}, score=(2, 2))
    [sentence] = sentences_after(game, "tickets")
    assert sentence.startswith(
        "Seat 1 draws tickets with 7 trains left, all its tickets completed, 5 points ahead, "
        "and keeps "
    )
    game = position(routes={0: ["C–D", "X–Y"]}, trains={0: 5, 1: 9}, score=(4, 0))
    assert sentences_after(game, "claim Y–Z red 3") == [
        "Seat 1 takes Y–Z for 4 points.",
        "Seat 1 begins the last round, leading 23 to −8 if all were counted now.",
    ]


@pytest.fixture(scope="module")
def game() -> Game:
    return load_record(play(job("usa-classic", ("planner", "conductor"), deal=4)).record)


def test_a_whole_game_is_described_in_order(game):
    judged = review(game, limit=Limit(effort=2))
    story = story_of(game, judged, most=10)
    outcome = game.outcome
    assert outcome is not None
    assert [m.turn for m in story.moments] == sorted(m.turn for m in story.moments)
    assert len(story.moments) == 10
    text = " ".join(sentence for moment in story.moments for sentence in moment.sentences)
    assert "begins the last round" in text, "it is always described"
    best = max(outcome.totals)
    assert f"wins with {best}" in story.result
    for seat, line in enumerate(story.setup):
        kept = len(re.findall(r"\(\d+\)", line.partition(", and returns")[0]))
        assert kept == facts_of(game).seats[seat].kept_setup
    # Exactly the completed tickets are described as completed.
    everything = story_of(game, most=1000)
    completed = {
        (moment.seat, name)
        for moment in everything.moments
        for sentence in moment.sentences
        if " and completes " in sentence and "another way" not in sentence
        for name in re.findall(r"([\w. é]+–[\w. é]+) \(\d+\)", sentence.partition(" completes ")[2])
    }
    board = game.edition.board
    for seat, score in enumerate(outcome.seats):
        for ticket in score.tickets:
            one = board.tickets[ticket.ticket]
            name = f"{board.cities[one.a].name}–{board.cities[one.b].name}"
            assert ((seat, name) in completed) is ticket.completed


def test_equal_names_get_numbers():
    record = play(job("tiny", ("random", "random"))).record
    assert story_of(load_record(record)).names == ("random (1)", "random (2)")


def test_the_page_is_written_from_records(game, tmp_path):
    save_record(tmp_path / "first.macaz", game)
    page = tmp_path / "games.md"
    command = [
        sys.executable,
        str(TOOL),
        "annotate",
        str(tmp_path / "first.macaz"),
        "--effort",
        "0",
    ]
    subprocess.run([*command, "--out", str(page)], check=True, capture_output=True)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Annotated games\n")
    assert "| planner" in text
    assert len(re.findall(r"^- \*\*Turn \d+\.\*\* ", text, re.MULTILINE)) == 10
    wrong = subprocess.run(
        [sys.executable, str(TOOL), "annotate"], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 1
    assert "name records" in wrong.stderr


def test_games_on_a_custom_map_are_described(tmp_path):
    own = tmp_path / "mine.toml"
    tiny = (files("macaz") / "editions" / "tiny.toml").read_text(encoding="utf-8")
    own.write_text(tiny.replace("Sinaia", "Predeal"), encoding="utf-8")
    page = tmp_path / "games.md"
    command = [
        sys.executable,
        str(TOOL),
        "annotate",
        "--bots",
        "greedy,greedy",
        "--edition",
        str(own),
    ]
    subprocess.run([*command, "--effort", "0", "--out", str(page)], check=True, capture_output=True)
    assert "Predeal" in page.read_text(encoding="utf-8")
