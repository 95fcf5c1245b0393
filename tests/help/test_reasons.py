"""Reasons for moves: the right ones in known positions, and in no position a false one."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.editions import MAIN, OWN
from tests.help.reason_check import Checker
from tests.help.reason_positions import SEAT, Posed, all_posed, posed

from macaz.bots import make_bot
from macaz.bots.styled import StyledBot
from macaz.edition import load_edition
from macaz.game import Game
from macaz.game.fair import Dealer
from macaz.game.view import View
from macaz.game.worlds import sample_world
from macaz.help.advice.reason_words import SENTENCES, sentence
from macaz.help.advice.reasons import reasons_of
from macaz.help.comparison import Comparison
from macaz.help.compiled.reason_codes import REASON_CODES, REASONS
from macaz.help.reasons import Reason

CHUNKS = 3  # of tries
SHOWN = 2  # reasons that the page shows of a move
POSED = dict(all_posed())
DOCS = Path(__file__).parents[2] / "docs" / "advice.md"
ENGLISH = Path(__file__).parents[2] / "web" / "src" / "words" / "en" / "reasons.json"
PLAYED = (
    *(("usa-classic", 3, 1), ("usa", 4, 2), ("europe", 2, 3), ("europe", 4, 5)),
    *(("old-west+alvin", 3, 3), ("old-west", 2, 6), ("romania", 3, 7)),
)
EACH = 8  # positions of a game
HOW = {"contested": "another seat was about to take", "blocks": "only another seat wants"}


def compared(view: View, one: int, other: int, chunks: int = CHUNKS) -> Comparison:
    found = Comparison(view, only=(one, other), seed=1)
    found.run(chunks)
    return found


def fits(reason: Reason, wanted: dict[str, Any]) -> bool:
    return all(getattr(reason, key) == value for key, value in wanted.items())


def untrue(found: Comparison, reasons: tuple[Reason, ...]) -> list[Reason]:
    """The reasons for the first of two moves that are false."""
    checker = Checker(found.view, found.lines[0], found.lines[1])
    return [reason for reason in reasons if not checker.holds(reason)]


@cache
def known(name: str) -> tuple[Comparison, tuple[Reason, ...]]:
    position = posed(name, POSED[name])
    found = compared(position.game.view(SEAT), position.move, position.than)
    return found, reasons_of(found, 0, 1)


@pytest.mark.parametrize("name", POSED)
def test_the_right_reasons_are_given_and_no_false_one(name):
    position = posed(name, POSED[name])
    found, reasons = known(name)
    assert position.given, "the position does not say what is to be given"
    for wanted in position.given:
        assert any(fits(reason, wanted) for reason in reasons), (wanted, reasons)
    shown = [fits(reason, wanted) for reason in reasons[:SHOWN] for wanted in position.given]
    assert any(shown), "the page does not show the right reason"
    assert not {reason.code for reason in reasons}.intersection(position.never)
    assert untrue(found, reasons) == []
    assert len(reasons) <= REASONS
    for reason in reasons:
        words = sentence(reason, found.view.edition.board, ["Ana", "Ben", "Ion", "Eva", "Dan"])
        assert words.endswith(".")
        assert not set("{}").intersection(words)


def test_there_are_positions_of_all_editions_and_of_every_reason():
    editions = Counter(entry["edition"] for entry in POSED.values())
    assert len(POSED) >= 60
    assert all(editions[name] > 1 for name in (*MAIN, *OWN, "old-west+alvin"))
    wanted = {reason["code"] for entry in POSED.values() for reason in entry["given"]}
    assert wanted == set(REASON_CODES)
    page = DOCS.read_text(encoding="utf-8")
    assert f"has {len(POSED)} positions of all editions" in page


def moments(edition: str, seats: int, seed: int) -> Iterator[tuple[View, int, int]]:
    """Decisions of a game of bots, each with two moves of different kinds, where there are such."""
    chance, game = random.Random(seed), Game(edition, seats, seed=seed)
    bots = [make_bot(chance.choice(["planner", "greedy"]), seed=seat) for seat in range(seats)]
    while not game.over:
        seat = game.deciding[0]
        moves = list(game.legal_moves_of(seat))
        view = game.view(seat)
        chosen = bots[seat].choose(view, moves)
        other = chance.choice(list({type(move): move for move in moves}.values()))
        if other != chosen and chance.random() < 0.15:
            action = game.notation.action
            yield view, action(chosen, view.offer), action(other, view.offer)
        game.push(chosen, seat)


@pytest.mark.parametrize(("edition", "seats", "seed"), PLAYED)
def test_no_reason_is_false_in_a_game_of_bots(edition, seats, seed):
    for view, one, other in islice(moments(edition, seats, seed), EACH):
        found = compared(view, one, other, 2)
        assert untrue(found, reasons_of(found, 0, 1)) == []


class PlayoutBot(StyledBot):
    style = "playout"


def taken_by_hand(position: Posed, route: int, games: int) -> float:
    """The share of games after the other move in which seat 1 takes a route within two turns."""
    view, taken = position.game.view(SEAT), 0
    rng, bot = np.random.default_rng(5), PlayoutBot()
    for number in range(games):
        state = sample_world(view, rng)
        game = Game.from_state(view.edition, view.seats, state, dealer=Dealer.seeded(number))
        game.push(game.notation.move(position.than, view.offer))
        turns, was = 0, SEAT  # later turns of the own seat
        while not game.over and turns < 2:
            seat = game.deciding[0]
            turns += was != seat == SEAT
            if turns < 2:
                game.push(bot.choose(game.view(seat), list(game.legal_moves)))
            was = seat
        taken += route in game.view(None).routes_of(1)
    return taken / games


@pytest.mark.parametrize("code", ["contested", "blocks"])
def test_a_share_is_that_of_games_played_one_by_one(code):
    name = f"usa-classic: a route that {HOW[code]}"
    position = posed(name, POSED[name])
    found = compared(position.game.view(SEAT), position.move, position.than, 10)
    [reason] = [reason for reason in reasons_of(found, 0, 1) if reason.code == code]
    assert reason.route is not None
    assert reason.share is not None
    games = 100
    share = taken_by_hand(position, reason.route, games)
    error = sqrt(0.25 / games + 0.25 / int(found.lines["tries"][1]))
    assert abs(share - reason.share) < 3 * error


def test_a_share_needs_enough_tries():
    found, reasons = known("usa-classic: a route that another seat was about to take")
    assert any(reason.share is not None for reason in reasons)
    one, other = found.lines["action"].tolist()
    few = compared(found.view, one, other, 1)
    told = reasons_of(few, 0, 1)
    assert told
    assert all(reason.share is None and reason.code != "few-turns" for reason in told)


def test_without_another_move_the_best_other_one_is_compared():
    name = "usa-classic: a card rather than a route that nothing needs"
    found, reasons = known(name)
    assert reasons_of(found, 0) == reasons


@pytest.mark.parametrize("name", list(POSED)[::10])
def test_plain_python_finds_the_same_reasons(name):
    found, reasons = known(name)
    assert reasons_of(found, 0, 1, "plain") == reasons


def test_a_spectator_is_given_no_reasons():
    game = Game("tiny", 2, seed=1)
    found = Comparison(game.view(None), seed=1)
    found.run()
    assert reasons_of(found, 0) == ()


def test_the_sentences_are_those_of_the_page():
    page = json.loads(ENGLISH.read_text(encoding="utf-8"))
    because = {
        key.removeprefix("because."): text
        for key, text in page.items()
        if key.startswith("because.")
    }
    assert because == SENTENCES
    assert {key.partition(".")[0] for key in SENTENCES} == set(REASON_CODES)


def test_every_reason_is_documented():
    page = DOCS.read_text(encoding="utf-8")
    assert [code for code in REASON_CODES if f"`{code}`" not in page] == []


def test_a_reason_as_a_sentence():
    board = load_edition("usa-classic").board
    one = Reason("keeps-cards", color=2, amount=1)
    assert sentence(one, board, ["Ana", "Ben"]) == "It keeps 1 orange card in hand."
    other = Reason("can-pay", color=2, route=0, ticket=0)
    assert sentence(other, board, ["Ana", "Ben"]).startswith("With an orange card, ")
