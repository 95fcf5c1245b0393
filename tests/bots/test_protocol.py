"""The messages of the bot protocol: everything a seat sees, nothing else, as documented."""

from __future__ import annotations

import json
import re
import runpy
import time
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from macaz.bots import BOTS, Limit
from macaz.bots.protocol.check import all_editions
from macaz.bots.protocol.dialogue import go_message
from macaz.bots.protocol.lines import line, read_data, split
from macaz.bots.protocol.position import position_message, read_position
from macaz.bots.protocol.runner import BotRunner, Served, served_by_text
from macaz.bots.protocol.table import read_table, table_message
from macaz.bots.random import RandomBot
from macaz.edition.board import City, Route, Ticket
from macaz.game import Game
from macaz.game.moves import Move, notation_of
from macaz.game.view import View
from macaz.game.worlds import sample_world

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "bot-protocol.md").read_text(encoding="utf-8")
TOOL = "tools/make_bot_session.py"


def sent(data: dict[str, Any]) -> dict[str, Any]:
    """A message as the receiver decodes it."""
    word, rest = split(line("x", data))
    assert word == "x"
    return read_data(rest)


def positions(game: Game, seed: int = 0) -> Iterator[tuple[int, View, list[Move]]]:
    """Every decision of a random game: the seat, its view, its legal moves."""
    chance = RandomBot(seed)
    while not game.over:
        seat = game.deciding[-1]
        view, legal = game.view(seat), list(game.legal_moves_of(seat))
        yield seat, view, legal
        game.push(chance.choose(view, legal), seat)


@pytest.mark.parametrize("edition", all_editions(), ids=lambda e: e.qualified_id)
def test_a_position_says_all_that_a_seat_sees(edition):
    """A view that is sent and decoded is the same, byte for byte; and so are the moves."""
    game = Game(edition, edition.rules.max_seats, seed=1)
    spec = read_table(sent(table_message(game.spec, 0, "a seed")))
    assert spec.edition.fingerprint == edition.fingerprint
    assert spec.edition.qualified_id == edition.qualified_id
    for seat, view, legal in positions(game):
        data = sent(position_message(view, legal))
        again, moves = read_position(spec, data)
        assert data["view"]["seat"] == seat
        assert bytes(again) == bytes(view)
        assert moves == legal


def test_a_position_says_nothing_else():
    """Two worlds that a seat cannot tell apart are the same position to it."""
    rng, other = np.random.default_rng(1), 0
    for number, (seat, view, legal) in enumerate(positions(Game("europe", 3, seed=4))):
        if number % 20 == 0:
            world = Game.from_state("europe", 3, sample_world(view, rng))
            other += world.view(1 - seat % 2) != view
            assert position_message(world.view(seat), legal) == position_message(view, legal)
    assert other


def test_a_move_says_its_price():
    priced = set()
    for edition in ("europe", "old-west"):
        for seat, view, legal in positions(Game(edition, 5, seed=3)):
            told = sent(position_message(view, legal))["legal"]
            for move, data in zip(legal, told, strict=True):
                assert data["action"] == notation_of(view.spec).action(move, view.offer)
                if "cards" in data:
                    priced.add(data["type"])
                    paid = [0] * 9
                    paid[8] = data["locomotives"]
                    paid[data["color"]] += data["cards"]
                    assert all(p <= have for p, have in zip(paid, view.hand_of(seat), strict=True))
                    if data["type"] == "claim":
                        length = view.edition.board.routes[data["route"]].length
                        assert data["cards"] + data["locomotives"] == length
    assert priced == {"claim", "station", "pay-tunnel", "mark"}


def test_how_long_to_think():
    assert go_message(None) == {}
    assert go_message(Limit(seconds=0.5)) == {"seconds": 0.5}
    assert go_message(Limit(effort=400)) == {"effort": 400}


@pytest.mark.parametrize("text", ["[1]", "1", "{", "[" * 100_000])
def test_what_is_no_object_is_refused(text):
    with pytest.raises(ValueError, match=r"JSON object|Expecting|too deep"):
        read_data(text)


# -- a built-in bot --------------------------------------------------------------------------------


class Slow:
    """A bot that never decides."""

    def __init__(self, seed: int | str, limit: Limit) -> None:
        self.limit = limit

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        if self.limit != Limit(effort=1):  # the limit of the warm-up
            time.sleep(3600)
        return legal[0]


def ask(runner: BotRunner, *lines: str) -> list[bool]:
    return [runner.handle(text) for text in lines]


def test_a_bot_of_ours_is_stopped(monkeypatch):
    """The bot's own decision is not available, so a quick one is sent."""
    kind = BOTS["greedy"]._replace(place=f"{__name__}:Slow", limit=Limit(seconds=1))
    monkeypatch.setitem(BOTS, "slow", kind)
    told: list[str] = []
    runner = BotRunner(served_by_text("slow"), told.append)
    game = Game("tiny", 2, seed=1)
    view, legal = game.view(0), list(game.legal_moves_of(0))
    newgame = line("newgame", table_message(game.spec, 0, 1))
    ask(runner, newgame, line("position", position_message(view, legal)), "go", "stop", "stop")
    ready, move = told
    assert ready == "ready"
    assert move in {f"move {game.text(m)}" for m in legal}


def test_bots_are_closed(monkeypatch):
    """All but one that is still deciding: those of the warm-up, of a past game, and the last."""
    made: list[Closes] = []

    class Closes(Slow):
        closed = 0

        def __init__(self, seed: int | str, limit: Limit | None) -> None:
            super().__init__(seed, limit or Limit())
            made.append(self)

        def choose(self, view: View, legal: Sequence[Move]) -> Move:
            return super().choose(view, legal) if self.limit == Limit(effort=9) else legal[0]

        def close(self) -> None:
            self.closed += 1

    monkeypatch.setattr("macaz.bots.protocol.runner.PATIENCE", 0.01)
    runner = BotRunner(Served("x", "", Closes, takes_limit=True), lambda _: None)
    game = Game("tiny", 2, seed=1)
    newgame = line("newgame", table_message(game.spec, 0, 1))
    position = line("position", position_message(game.view(0), list(game.legal_moves_of(0))))
    ask(runner, newgame, position, "go")
    assert [bot.closed for bot in made] == [1, 0]
    ask(runner, newgame, position, "go", line("go", {"effort": 9}), "stop")
    assert [bot.closed for bot in made] == [1, 1, 1, 0]
    ask(runner, newgame, position, "go")
    runner.close()
    assert [bot.closed for bot in made] == [1, 1, 1, 0, 1]


def test_what_it_does_not_know_it_ignores():
    told: list[str] = []
    runner = BotRunner(served_by_text("random"), told.append)
    assert ask(runner, "", "tomorrow", 'tomorrow {"a": 1}', "stop", "macaz 3 please") == [True] * 5
    assert told == ['bot {"name":"random","author":"Macaz","protocol":2}']
    assert ask(runner, "quit") == [False]


# -- the documentation -----------------------------------------------------------------------------


def rows(title: str) -> set[str]:
    """Every name in the first column of a section's table."""
    [part] = re.findall(rf"^#+ {title}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^\|(.+?)\|", part, re.MULTILINE)[2:]
    return {name for cell in lines for name in re.findall(r"`([^`]+)`", cell)}


def test_the_session_goes_as_it_is_told():
    page = runpy.run_path(str(ROOT / TOOL))["page"]()
    assert page == PAGE, f"stale; run: .venv/bin/python {TOOL}"


def test_every_entry_has_its_row():
    game = Game("tiny", 2, seed=1)
    table = table_message(game.spec, 0, 1)
    assert rows("The table") == set(table)
    position = sent(position_message(game.view(0), []))
    assert set(position) == {"view", "legal"}
    assert rows("The view") == set(position["view"])
    assert rows("The seats") == set(position["view"]["seats"][0])
    for kind in (City, Route, Ticket):
        assert all(f"`{item.name}`" in PAGE for item in fields(kind))


def test_every_move_has_its_row():
    seen: dict[str, set[str]] = {}
    for edition in ("usa", "europe", "old-west+alvin"):
        for _, view, legal in positions(Game(edition, 3, seed=1)):
            for data in sent(position_message(view, legal))["legal"]:
                seen.setdefault(data["type"], set()).update(data)
    told = rows("The moves")
    assert set(seen) | {"pass"} == told
    assert len(told) == len(get_args(Move))
    [part] = re.findall(r"^## The moves\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL)
    for kind, entries in seen.items():
        [row] = re.findall(rf"^\| `{kind}` \|.*$", part, re.MULTILINE)
        names = set(re.findall(r"`(\w+)`", row.split("|")[2]))
        assert names == entries - {"action", "type"}, kind


def test_the_examples_of_json_are_json():
    for text in re.findall(r"^(?:newgame|position|go|bot) (\{.*\})$", PAGE, re.MULTILINE):
        json.loads(text)
