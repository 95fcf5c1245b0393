"""The WebAssembly module in V8, under Node: the same games and decisions, byte for byte."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.bots.test_players import decisions, lineup_of
from tests.calls import Caller
from tests.installs import ROOT
from tests.kernel.test_four_ways import TABLES

from macaz.bots.compiled import layout as of
from macaz.bots.compiled.program import guide_of, players
from macaz.bots.search import WEIGHTS
from macaz.bots.styled import known_state
from macaz.bots.styles import style_of
from macaz.edition import load_edition
from macaz.game.worlds import sample_world
from macaz.kernel.compile import kernel
from macaz.kernel.layout import SEATS, dtype_of
from macaz.kernel.spec import compile_spec
from macaz.kernel.wasm import MODULE

HOST = Path(__file__).with_name("node_host.mjs")
SEED = 1904
GAMES = 5  # of each table
SAMPLED = 2  # worlds of a search that are sampled exactly
EFFORT = 12  # playouts of a search


def in_node(story: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    path = folder / "story.json"
    path.write_text(json.dumps(story))
    return subprocess.run(
        [ROOT / "tools/node.sh", "node", HOST, MODULE, path],
        capture_output=True,
        text=True,
        check=False,
    )


def assert_agrees(story: dict[str, Any], folder: Path) -> None:
    calls = sum(len(scene["calls"]) for scene in story["scenes"])
    done = in_node(story, folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{len(story['scenes'])} scenes and {calls} calls agree\n"


# -- the rules ------------------------------------------------------------------------------------


def played(tables: list[tuple[str, int]], games: int) -> dict[str, Any]:
    """Whole games in plain Python, decision by decision."""
    lengths = dict.fromkeys(("specs", "states", "works", "tallies", "dice"), 1)
    caller = Caller(kernel("plain"), lengths, ("states", "dice", "tallies"))
    rng = np.random.default_rng(SEED)
    for name, seats in tables:
        spec = compile_spec(load_edition(name), seats)
        for game in range(games * 3 if name == "tiny" else games):
            caller.begin(f"{name}, {seats} seats, game {game}", specs=spec.table)
            caller.call("new_series_game", 0, SEED, game, -1)
            choices = caller.call("choose_nth", 0, -1)
            while choices:
                choices = caller.call("choose_nth", 0, int(rng.integers(choices)))
            caller.call("tally_up", 0)
    return caller.story()


@pytest.mark.slow
def test_whole_games_are_those_of_plain_python(tmp_path: Path) -> None:
    story = played(TABLES, GAMES)
    assert len(story["scenes"]) >= GAMES * len(TABLES)
    assert_agrees(story, tmp_path)


@pytest.mark.parametrize("what", ["checksum", "result", "integers"])
def test_a_difference_is_found(tmp_path: Path, what: str) -> None:
    story = played([("tiny", 2)], 1)
    calls = story["scenes"][1]["calls"]
    at = next(i for i, c in enumerate(calls) if i > 9 and c.integers[-1] > 0)
    wrong = {"checksum": calls[at].checksum ^ 1, "result": calls[at].result + 1, "integers": (0, 0)}
    calls[at] = calls[at]._replace(**{what: wrong[what]})
    done = in_node(story, tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"tiny, 2 seats, game 1, call {at}, choose_nth(0,")


# -- the players ----------------------------------------------------------------------------------


def decided(target: str, every: int) -> dict[str, Any]:
    """Decisions of players and searches at positions of whole games, on a target."""
    lengths = {"specs": 1, "guides": 1, "styles": SEATS, "states": 1, "worlds": 16, "works": 1}
    lengths |= {"minds": SEATS, "dice": 2, "tallies": 1, "nodes": 1024, "searches": 1}
    seen = ("minds", "dice", "tallies", "nodes", "searches", "worlds")
    caller = Caller(players(target), lengths, seen)
    for number, (name, seats) in enumerate(TABLES):
        for n, (game, seat) in enumerate(decisions(name, lineup_of(seats, number), number)):
            if (n + number) % every:
                continue
            spec, where = game.spec, f"{name}, {seats} seats, decision {n}"
            fixed = {"specs": spec.table, "guides": guide_of(spec)}
            dice = np.ones(2, dtype_of("dice"))
            for style in ("planner", "racer"):
                state = known_state(game.view(seat))
                styles = style_of(style, spec)
                caller.begin(f"{where}, {style}", **fixed, styles=styles, states=state, dice=dice)
                caller.call("choose_for", seat)
            rng = np.random.default_rng(n)
            worlds = np.concatenate([sample_world(game.view(seat), rng) for _ in range(SAMPLED)])
            dice["word"] = rng.integers(1, 1 << 32, (2, 4))
            searches = np.zeros(1, of.dtypes["search"])
            for weight, value in WEIGHTS.items():
                searches[weight] = value
            styles = np.repeat(style_of("playout", spec), SEATS)
            changing = {"styles": styles, "worlds": worlds, "dice": dice, "searches": searches}
            caller.begin(f"{where}, search", **fixed, **changing)
            caller.call("fill_worlds", SAMPLED, seat)
            caller.call("begin_search")
            caller.call("search_on", seat, of.SEARCHED, n, EFFORT)
            assert caller.at["searches"]["nodes"] < lengths["nodes"], "the tree is not full"
    return caller.story()


@pytest.mark.slow
def test_players_decide_as_they_do_from_python_and_as_native_code(tmp_path: Path) -> None:
    """Their decisions, their working memory, and the trees of their searches."""
    native, wasm = decided("cpu", 41), decided("wasm", 41)
    for scene, same in zip(native["scenes"], wasm["scenes"], strict=True):
        assert scene == same
    assert len(native["scenes"]) > 200
    assert_agrees(native, tmp_path)
