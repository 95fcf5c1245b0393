"""Bots of one's own: a class in a file or a module, everywhere that a bot is named."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from macaz import serve_bot
from macaz.bots import Limit, UnknownBot, bot_or_command, bot_problem, close_bot, make_bot
from macaz.bots.external import BotFailed
from macaz.bots.own import OwnBot
from macaz.bots.protocol import check
from macaz.bots.protocol.check import Checker, all_editions
from macaz.cli import main
from macaz.cli.bot import program_of
from macaz.cli.terminal.bots import bot_named, seat_names
from macaz.edition import load_edition
from macaz.game import Game
from macaz.lab.arena.store import read_results
from macaz.lab.arena.work import Job, Map, play

OWN = """\
from beside import pick  # a module in the same folder
from macaz.bots import Bot
from macaz.game.moves import Decline

class First:
    closed = False

    def choose(self, view, legal):
        return pick(legal)

    def close(self):
        self.closed = True

class Told(First):
    def __init__(self, seed, limit=None, depth=3):
        self.told = seed, limit, depth

class Passed(First):
    def __init__(self, *args, **kwargs):
        self.told = args, kwargs

class Breaks(First):
    def choose(self, view, legal):
        return pick(legal, view.nothing)  # line 24

class Leaves(First):
    def choose(self, view, legal):
        raise SystemExit("no more")

class Cheats(First):
    def choose(self, view, legal):
        return Decline()

class Typed(Bot):  # a protocol, which has a constructor of its own
    def choose(self, view, legal):
        return pick(legal)

class Mixed(Bot, Told):
    pass

class Dumb:
    pass

class Needy(First):
    def __init__(self, depth):
        pass

class Stillborn(First):
    def __init__(self):
        raise ValueError("not today")

def made(seed=0):
    return Told(seed, depth=9)

def unmade():
    return 7

number = 7

class Forgets(First):
    def choose(self, view, legal):
        pick(legal)
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    tmp_path.joinpath("own.py").write_text(OWN, encoding="utf-8")
    tmp_path.joinpath("beside.py").write_text("def pick(legal):\n    return legal[0]\n", "utf-8")
    yield tmp_path / "own.py"
    sys.modules.pop("beside", None)


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [*map(str, args)])


def decide(text: str) -> None:
    game = Game("tiny", 2, seed=1)
    make_bot(text).choose(game.view(0), list(game.legal_moves_of(0)))


# -- by its text -----------------------------------------------------------------------------------


def test_a_class_in_a_file_is_a_bot(own):
    game = Game("tiny", 2, seed=1)
    legal = list(game.legal_moves_of(0))
    for text in ("own.py:First", "./own.py:First", f"{own}:First"):
        assert make_bot(text).choose(game.view(0), legal) == legal[0]
    assert bot_problem("own.py:First") is None
    bot = make_bot("own.py:First")
    assert isinstance(bot, OwnBot)
    close_bot(bot)
    assert vars(bot.bot)["closed"]


def told(text: str) -> object:
    bot = make_bot(text, seed="x 1")
    assert isinstance(bot, OwnBot)
    return vars(bot.bot)["told"]


def test_it_gets_the_arguments_that_it_names(own):
    assert told("own.py:Told") == ("x 1", None, 3)
    assert told("own.py:Told:0.5s") == ("x 1", Limit(seconds=0.5), 3)
    assert told("own.py:Passed") == ((), {"seed": "x 1"})
    assert told("own.py:made") == ("x 1", None, 9)


def test_it_may_derive_from_the_protocol(own):
    for _ in "ab":  # the first object changes the class
        decide("own.py:Typed")
        assert told("own.py:Mixed") == ("x 1", None, 3)
    assert "takes no limit" in str(bot_problem("own.py:Typed:400"))


@pytest.mark.parametrize("first", ["import helper\n", ""])
def test_two_folders_do_not_share_a_module(first, tmp_path, monkeypatch):
    """Whether the first bot has loaded its own, or the second would find it there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    bot = "class Bot:\n    def choose(self, view, legal): return legal[0]\n"
    for folder, text in (("v1", first), ("v2", "import helper\n")):
        Path(folder).mkdir()
        Path(folder, "helper.py").write_text("", encoding="utf-8")
        Path(folder, "bot.py").write_text(text + bot, encoding="utf-8")
    try:
        assert bot_problem("v1/bot.py:Bot") is None
        assert str(bot_problem("v2/bot.py:Bot")).startswith(
            "helper is in both v1 and v2, and a process loads one of them: rename one, or run"
        )
        Path("v2", "helper.py").rename(Path("v2", "own_helper.py"))
        Path("v2", "bot.py").write_text("import own_helper\n" + bot, encoding="utf-8")
        assert bot_problem("v2/bot.py:Bot") is None
    finally:
        for name in ("helper", "own_helper"):
            sys.modules.pop(name, None)


def test_a_class_in_a_module_is_a_bot():
    decide("macaz.bots.greedy:GreedyBot")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nowhere.py:First", "there is no file 'nowhere.py' to load a bot from."),
        ("own.py", "own.py is a file: name the class in it. There is: own.py:First, own.py:Told,"),
        ("own.py:", "name the class in it. There is: own.py:First"),
        ("own", "there is no bot 'own'. Name the class in own.py: own.py:MyBot."),
        ("own.py:400", "'400' is no name of a class: write own.py:MyBot."),
        ("own.py:Frist", "no class 'Frist' in own.py. Did you mean 'First'? There is: own.py:Fi"),
        ("own.py:Dumb", "own.py:Dumb is no bot: it has no method choose(self, view, legal)"),
        ("own.py:number", "own.py:number is no class, but 7."),
        ("own.py:Needy", "it needs the argument 'depth'. Give it a default"),
        ("own.py:Stillborn", "own.py:Stillborn: own.py, line 50: ValueError: not today"),
        ("own.py:unmade", "own.py:unmade made 7, which has no method choose."),
        ("own.py:First:400", "own.py:First takes no limit"),
        ("own.py:Told:fast", "'fast' is not a limit"),
        ("broken.py:Bot", "broken.py cannot be loaded: broken.py, line 2: SyntaxError"),
        ("failing.py:Bot", "failing.py cannot be loaded: failing.py, line 1: ModuleNotFoundError"),
        ("empty.py", "It has no class with a method choose(self, view, legal)."),
        ("beside:Bot", "there is no bot and no module 'beside'. Write the path of the file: "),
        ("macaz.nowhere:Bot", "there is no bot and no module 'macaz.nowhere'."),
        ("plannner:Bot", "there is no bot 'plannner'. Did you mean 'planner'?"),
    ],
)
def test_what_cannot_be_made_is_explained(own, text, words):
    own.with_name("broken.py").write_text("x = 1\ndef f(:\n", encoding="utf-8")
    own.with_name("failing.py").write_text("import no_such_module\n", encoding="utf-8")
    own.with_name("empty.py").write_text("", encoding="utf-8")
    with pytest.raises(UnknownBot) as error:
        make_bot(text)
    assert words in str(error.value)
    assert bot_problem(text) == str(error.value)


@pytest.mark.parametrize(
    ("text", "reason", "words"),
    [
        ("own.py:Breaks", "crashed", "own.py:Breaks: own.py, line 24: AttributeError: 'View' obj"),
        ("own.py:Leaves", "crashed", "SystemExit: no more"),
        ("own.py:Cheats", "illegal", "own.py:Cheats: it chose Decline(), which is not legal here"),
        ("own.py:Forgets", "illegal", "own.py:Forgets: choose returned no move"),
    ],
)
def test_a_failure_says_where(own, text, reason, words):
    with pytest.raises(BotFailed) as failed:
        decide(text)
    assert failed.value.reason == reason
    assert words in str(failed.value)


def test_any_other_text_is_a_command(own):
    for text in ("greedy", "search:1s", "own.py:First", "a.b:C", "cmd:x", "cmd:own.py:First"):
        assert bot_or_command(text) == text
    assert bot_or_command("own.py") == "own.py", "make_bot says what is missing"
    own.chmod(0o755)
    assert bot_or_command("own.py") == "cmd:own.py"
    assert bot_or_command("python3 own.py") == "cmd:python3 own.py"
    assert bot_or_command("/srv/mine --fast") == "cmd:/srv/mine --fast"


# -- where it plays --------------------------------------------------------------------------------


def test_it_plays_in_the_arena(own):
    """In another process, by a path that is relative to the current folder."""
    failed = run(
        *("arena", "--bots", "own.py:First,own.py:Breaks", "-e", "tiny", "-n", 2, "--seed", 1),
        *("--workers", 1, "--out", "cup"),
    )
    assert failed.exit_code == 2, "a bot that fails at once is told of before the tournament"
    assert "the bot own.py:Breaks cannot play Tiny: own.py:Breaks: own.py, line 24" in failed.stderr
    own.write_text(OWN.replace("view.nothing)", "*() if view.phase == 'choose' else view)"))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "macaz", "arena", "--bots", "own.py:First,own.py:Breaks"),
            *("-e", "tiny", "-n", "2", "--seed", "1", "--workers", "1", "--out", "cup"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = list(read_results(Path("cup")))
    assert len(results) == 2
    for result in results:
        seat = result.lineup.index("own.py:Breaks")
        assert re.match(r"BotFailed: own.py:Breaks: .*line 24: TypeError", result.failures[seat])
        assert result.failures[1 - seat] == ""
        assert result.winners == (1 - seat,)
    own.write_text(f"{OWN}# changed\n", encoding="utf-8")
    refused = run("arena", "--out", "cup")
    assert refused.exit_code == 2
    assert "cup has games of own.py:First as it was before its file was changed" in refused.stderr


def test_an_illegal_move_loses_the_game(own):
    board = Map.of(load_edition("tiny"))
    lineup = ("own.py:Cheats", "own.py:First")
    result = play(Job(board, 1, 0, lineup, record=False, patience=60.0))
    assert result.failures[0].startswith("BotFailed: own.py:Cheats: it chose Decline(), which is")
    assert result.winners == (1,)


def test_it_plays_for_datasets(own):
    pytest.importorskip("pyarrow")
    given = ("dataset", "-e", "tiny", "-n", 2, "--seed", 1, "--workers", 1, "--out", "rows")
    assert run(*given, "--bots", "own.py:First").exit_code == 0
    failed = run(*given, "--bots", "own.py:Breaks")
    assert failed.exit_code == 2
    assert "own.py:Breaks: own.py, line 24: AttributeError" in failed.stderr


def test_it_plays_in_the_terminal(own):
    given = (sys.executable, "-m", "macaz", "terminal", "-e", "tiny", "--seed", "1")
    done = subprocess.run(
        [*given, "--bots", "own.py:First", "--record", "game.macaz"],
        input="1\nquit\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "you against Program First bot." in done.stdout
    assert "own.py" not in Path("game.macaz").read_text(encoding="utf-8")
    assert "Say it with --bots" in run("terminal", "--continue", "game.macaz").stderr
    assert seat_names(["own.py:First", "own.py:First"])[1] == "Program First bot 2"
    assert bot_named("Program First bot 2") == bot_named("Program bot") == "cmd"


def test_it_is_checked(own, monkeypatch):
    monkeypatch.setattr(check, "all_editions", lambda: [load_edition("tiny")])
    done = run("bot", "check", "own.py:Told")
    assert done.exit_code == 0, done.output
    assert "✓ says hello: Told, after" in done.output
    assert run("bot", "check", "own.py:Frist").stderr.startswith("macaz: there is no class 'Frist'")
    own.write_text(OWN.replace("view.nothing)", "*() if view.phase == 'choose' else view)"))
    checker = Checker(program_of("own.py:Breaks"), Limit(seconds=2))
    result = checker.run("plays whole games")
    checker.close()
    assert result.state == "failed"
    assert "own.py, line 24: TypeError" in result.detail


# -- a bot to begin with ---------------------------------------------------------------------------


@pytest.fixture
def new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    done = run("bot", "new", "my_bot")
    assert done.exit_code == 0, done.output
    assert "macaz bot check my_bot.py:MyBot\n" in done.stdout
    assert "macaz arena --bots my_bot.py:MyBot,greedy --games 100\n" in done.stdout
    return tmp_path / "my_bot.py"


def test_a_new_bot_plays_every_map_and_beats_chance(new):
    won = 0.0
    for deal, edition in enumerate(all_editions()):
        lineup = ("my_bot.py:MyBot", "random")[:: 1 if deal % 2 else -1]
        result = play(Job(Map.of(edition), 1, deal, lineup, record=False, patience=60.0))
        assert result.failures == ("", "")
        won += result.share(lineup.index("my_bot.py:MyBot"))
    assert won >= len(all_editions()) - 1


def test_a_new_bot_is_a_program_that_keeps_to_the_protocol(new, monkeypatch):
    monkeypatch.setattr(check, "all_editions", lambda: [load_edition("tiny")])
    found = list(Checker([sys.executable, str(new)], Limit(seconds=2)).results())
    assert [result for result in found if result.state != "passed"] == []
    assert found[0].detail.startswith("MyBot, after")


def test_a_new_bot_replaces_no_file(new):
    before = new.read_bytes()
    done = run("bot", "new", "my_bot.py")
    assert done.exit_code == 2
    assert "my_bot.py is there already" in done.stderr
    assert new.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "cls"), [("rocket", "Rocket"), ("iron-horse", "IronHorse"), ("MyBot", "MyBot")]
)
def test_the_class_has_the_name_of_the_file(name, cls, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("bot", "new", name).exit_code == 0
    text = Path(f"{name}.py").read_text(encoding="utf-8")
    assert f"class {cls}:" in text
    assert f"macaz bot check {name}.py:{cls} " in text


@pytest.mark.parametrize(
    "name",
    [
        *("7up", "a__b", "my bot", "é", "x/"),
        *("none", "true", "chart", "claim", "draw_tickets", "station", "view", "sequence"),
        *("random", "macaz"),
    ],
)
def test_what_makes_no_class_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("bot", "new", name)
    assert done.exit_code == 2
    assert re.search("my_bot|such as (\\w+)_bot", done.stderr)
    assert not list(tmp_path.iterdir())


def test_serving_says_at_once_what_is_wrong():
    class Mute:
        pass

    with pytest.raises(UnknownBot, match="Mute is no bot"):
        serve_bot(Mute)


def test_a_class_says_who_it_is(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from macaz import serve_bot\n"
        "class Mine:\n    author = 'Ana'\n    def choose(self, view, legal): return legal[0]\n"
        "print('noise')\nserve_bot(Mine, name='Iron Horse')\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, str(path)], input="macaz 2\n", capture_output=True, text=True, check=True
    )
    word, _, data = done.stdout.splitlines()[-1].partition(" ")
    assert (word, json.loads(data)) == (
        "bot",
        {"name": "Iron Horse", "author": "Ana", "protocol": 2},
    )
