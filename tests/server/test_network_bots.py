"""Bots with a network in worker processes: it is loaded before the clock starts, and once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from tests.networks import pretend_packaged

from macaz.bots import BOTS
from macaz.bots import network as of
from macaz.edition import edition_text, load_edition
from macaz.game import Game
from macaz.server import wire
from macaz.server.bot_worker import (
    AdviceQuestion,
    AnyQuestion,
    JudgeQuestion,
    Question,
    _make_ready,
    answer,
)
from macaz.server.editions import Catalog
from macaz.server.http import catalog
from macaz.server.settings import Settings


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return pretend_packaged(monkeypatch, tmp_path, ("europe",))


def questions(name: str) -> list[AnyQuestion]:
    """Questions about the same decision: of both kinds of bots, and for help, in this order."""
    game = Game(name, 2, seed=5)
    seat = game.deciding[0]
    asked = (name, None, 2, bytes(game.view(seat)), tuple(game.legal_moves_of(seat).actions))
    return [
        Question(*asked, "learned", "x"),
        Question(*asked, "expert", "x"),
        AdviceQuestion(*asked, effort=20, seed=1),
        JudgeQuestion(*asked, seat=seat, played=asked[-1][0], weigh=True, effort=20, seed=1),
    ]


@pytest.mark.parametrize("number", range(2))
def test_a_network_is_read_before_the_thinking_begins(networks, monkeypatch, number):
    asked = questions("europe")[number]
    _make_ready(asked)
    read = of.packaged_network.cache_info().misses
    assert read == 1
    found = answer(asked)
    assert found.failure == ""
    assert found.action in asked.legal or found.found
    assert of.packaged_network.cache_info().misses == read


def test_a_board_without_a_network_needs_none(networks):
    for asked in questions("usa-classic"):
        _make_ready(asked)
        assert answer(asked).failure == ""
    assert of.packaged_network.cache_info().misses == 0


def test_a_bot_that_plays_without_one_reads_none(networks):
    asked = msgspec.structs.replace(questions("europe")[0], bot="planner")
    _make_ready(asked)
    assert answer(asked).action in asked.legal
    assert of.packaged_network.cache_info().misses == 0


def test_a_broken_network_is_told_and_ends_no_process(networks):
    whole = (networks / "europe.npz").read_bytes()
    assert of.network_for(Game("europe", 2, seed=5).edition) is not None  # its board is known
    (networks / "europe.npz").write_bytes(whole[: len(whole) // 2])
    of.packaged_network.cache_clear()
    for asked in questions("europe")[:2]:
        _make_ready(asked)
        found = answer(asked)
        assert found.failure == "raised"
        assert "network" in found.message


def test_help_reads_no_network(networks):
    for asked in questions("europe")[2:]:
        _make_ready(asked)
        assert answer(asked).found
    assert of.packaged_network.cache_info().misses == 0


def test_a_server_says_which_boards_are_known_and_to_whom(networks, tmp_path):
    maps = tmp_path / "maps"
    maps.mkdir()
    own = edition_text(load_edition("europe")).replace('id = "europe"', 'id = "my-map"')
    (maps / "my-map.toml").write_text(own, encoding="utf-8")
    lines = {line.id: line.learned for line in Catalog(maps).shelf()}
    assert lines.pop("europe") is True
    assert set(lines) >= {"usa", "my-map"}
    assert not any(lines.values())
    asked: Any = catalog.bots.fn
    bots: list[wire.BotInfo] = asyncio.run(asked(SimpleNamespace(settings=Settings())))
    assert [bot.name for bot in bots] == list(BOTS)
    assert {bot.name for bot in bots if bot.learned} == {"learned", "expert"}
