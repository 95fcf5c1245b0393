"""`macaz bot check`: conforming programs pass, and every violation is found."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.bots.test_external import LOOP, SOUND

from macaz.bots import BOTS, Limit, close_bot, make_bot
from macaz.bots.protocol import check, dialogue
from macaz.bots.protocol.check import Checker, Result, all_editions, kinds_of
from macaz.cli.bot import bot as command
from macaz.game import Game

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes that can be polled")

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples" / "bots"
TIME = Limit(seconds=2)  # far more than the programs need, even on a slow machine
TITLES = Checker(["true"], TIME).titles


def node() -> str:
    """A Node.js to run the example with."""
    own = ROOT / ".tools" / "node" / "commands" / "node"
    found = shutil.which("node") or (str(own) if own.exists() else None)
    if found is None:
        pytest.skip("Node.js is not installed; 'make page' downloads it")
    return found


def python_example() -> list[str]:
    return [sys.executable, str(EXAMPLES / "railway.py")]


def node_example() -> list[str]:
    return [node(), str(EXAMPLES / "longhaul.js")]


def results(*words: str) -> dict[str, Result]:
    return {result.title: result for result in Checker(words, TIME).results()}


@pytest.fixture
def some_maps(monkeypatch):
    """Editions on which games are short."""
    some = [edition for edition in all_editions() if edition.id in ("tiny", "old-west")]
    monkeypatch.setattr(check, "all_editions", lambda: some)


def states(found: dict[str, Result]) -> dict[str, str]:
    return {title: result.state for title, result in found.items() if result.state != "passed"}


# -- programs that follow the protocol -------------------------------------------------------------


@pytest.mark.parametrize("example", [python_example, node_example])
def test_an_example_passes(example):
    found = results(*example())
    assert states(found) == {}
    assert tuple(found) == TITLES
    kinds = {kind for edition in all_editions() for kind in kinds_of(edition)}
    assert len(kinds) == 9
    told = found["decides whatever is to be decided"].detail
    assert {word for word in told.replace(",", "").split() if not word.isdecimal()} == kinds


def test_a_bot_of_ours_passes(some_maps):
    found = results(sys.executable, "-m", "macaz", "bot", "run", "greedy")
    assert states(found) == {}
    assert tuple(found) == TITLES


def test_the_bot_of_the_page_passes(some_maps, tmp_path):
    page = (ROOT / "docs" / "bot-protocol.md").read_text(encoding="utf-8")
    [_, code] = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    path = tmp_path / "first.py"
    path.write_text(code, encoding="utf-8")
    assert states(results(sys.executable, str(path))) == {}


def test_the_example_in_python_is_short():
    assert len((EXAMPLES / "railway.py").read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.parametrize("example", [python_example, node_example])
def test_an_example_plays_well_enough_to_beat_chance(example):
    words = example()
    bot = make_bot("cmd:" + " ".join(f"'{word}'" for word in words))
    wins = 0
    for seed in range(4):
        game, mine = Game("usa-classic", 2, seed=seed), seed % 2
        other = make_bot("random", seed=seed)
        while not game.over:
            seat = game.deciding[0]
            player = bot if seat == mine else other
            game.push(player.choose(game.view(seat), list(game.legal_moves_of(seat))), seat)
        assert game.outcome
        wins += game.outcome.winners == (mine,)
    close_bot(bot)
    assert wins >= 3


# -- programs that violate the protocol ------------------------------------------------------------

# Plays differently every second time it is started.
FICKLE = """
starts = open(sys.argv[0] + ".starts", "a")
starts.write("x")
starts.flush()

def go(p, l):
    say(f"move {p['legal'][starts.tell() % 2 - 1]['action']}")
"""
SPOILED = {
    "says hello": ("def hello(): say('bot {\"protocol\": 2}')", "has no name"),
    "sits down at every table": (
        "def newgame(game):\n    assert game['seats'] < 6\n    say('ready')",
        "AssertionError",
    ),
    "ignores what it does not know": (
        "def newgame(game):\n    assert 'tomorrow' not in game\n    say('ready')",
        "AssertionError",
    ),
    "decides whatever is to be decided": (
        "def go(p, l):\n    marking = p['view']['phase'] == 'mark'\n"
        "    say('move blind' if marking else first(p))",
        "it answered 'blind'",
    ),
    "plays whole games": (
        "def go(p, l):\n    assert not p['view']['last_turns']\n    say(first(p))",
        "AssertionError",
    ),
    "keeps to its time": (
        "def go(p, l):\n    time.sleep(0.5 * (p['view']['phase'] == 'alvin'))\n    say(first(p))",
        "took longer than",
    ),
    "stops when it is told to": (
        "def go(p, l):\n    time.sleep(60 * (l.get('seconds', 0) > 20))\n    say(first(p))",
        "after stop",
    ),
    "answers once": (
        "def go(p, l):\n    say(first(p))\n    if len(p['view']['seats']) == 2: say('ready')",
        "was not asked for",
    ),
    "decides the same from the same seed": (FICKLE, "cannot be repeated"),
    "ends on quit, and says no more": (
        "import atexit\natexit.register(lambda: say('bye'))",
        "after quit it wrote 'bye'",
    ),
    "ends when its input does": (
        "class Forever:\n    def __iter__(self):\n        yield from real\n        time.sleep(60)\n"
        "real = sys.stdin\nsys.stdin = Forever()",
        "it has not exited",
    ),
}
DOUBTS = ("keeps to its time", "decides the same from the same seed")


@pytest.mark.parametrize("title", SPOILED)
def test_what_breaks_it_is_found(some_maps, monkeypatch, tmp_path, title):
    spoiled, words = SPOILED[title]
    path = tmp_path / "bot.py"
    path.write_text(f"{SOUND}\n{spoiled}\n{LOOP}", encoding="utf-8")
    slow = title == "keeps to its time"
    checker = Checker([sys.executable, str(path)], Limit(seconds=0.1) if slow else TIME)
    if slow:  # measured on the decisions of an earlier check
        assert checker.run("decides whatever is to be decided").state == "passed"
    if words in ("after stop", "it has not exited"):  # a short wait for what never comes
        monkeypatch.setattr(dialogue, "GRACE", 0.3)
        monkeypatch.setattr(check, "GRACE", 0.3)
    result = checker.run(title)
    checker.close()
    assert result.state == ("doubtful" if title in DOUBTS else "failed")
    assert words in result.detail


def test_every_test_can_be_failed():
    assert tuple(SPOILED) == TITLES


# -- the command -----------------------------------------------------------------------------------


def run(*arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "macaz", "bot", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_command_says_what_is_wrong(some_maps, tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(SOUND + "def go(p, l): say('move up')" + LOOP, encoding="utf-8")
    result = CliRunner().invoke(command, ["check", f"'{sys.executable}' '{path}'"])
    assert result.exit_code == 1
    assert "✓ says hello: test by us" in result.output
    assert "✗ plays whole games" in result.output
    assert "not a move: 'up'" in result.output
    assert "It breaks the protocol: " in result.output


def test_the_command_passes_what_is_right(some_maps, tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(SOUND + FICKLE + LOOP, encoding="utf-8")
    result = CliRunner().invoke(command, ["check", f"'{sys.executable}' '{path}'", "--limit", "5s"])
    assert result.exit_code == 0, result.output
    assert "! decides the same from the same seed" in result.output
    assert result.output.endswith("It keeps to the protocol, with 1 point to look at.\n")


def test_a_command_that_is_none_is_an_error():
    assert run("check", "no-such-program --fast") == (
        2,
        "macaz: there is no program 'no-such-program' that can be run. Write its path, or that of "
        "its interpreter before it, as in 'python3 mybot.py'.\n",
    )
    status, said = run("run", "plannner")
    assert status == 2
    assert "Did you mean 'planner'?" in said


def test_the_list_has_all_bots():
    result = CliRunner().invoke(command, ["list"])
    assert result.exit_code == 0
    assert [name for name in BOTS if name not in result.output] == []
