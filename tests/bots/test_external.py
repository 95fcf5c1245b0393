"""External bots, working and broken: no call hangs, and no process is left behind."""

from __future__ import annotations

import asyncio
import gc
import os
import pickle
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.server.harness import Client, serving, settings

from macaz.bots import Limit, UnknownBot, bot_problem, close_bot, make_bot
from macaz.bots.external import BotFailed, ExternalBot
from macaz.bots.protocol import dialogue, program
from macaz.game import Game
from macaz.game.moves import Move

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes that can be polled")

# A bot that follows the protocol; the tests below break a part of it.
SOUND = """
import json, os, subprocess, sys, time

def say(text):
    print(text, flush=True)

def hello():
    say('bot {"name": "test", "author": "us", "protocol": 2}')

def newgame(game):
    say("ready")

def first(position):
    return f"move {position['legal'][0]['action']}"

def go(position, limit):
    say(first(position))

def stop():
    pass
"""
LOOP = """
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "macaz":
        hello()
    elif word == "newgame":
        newgame(json.loads(rest))
    elif word == "position":
        position = json.loads(rest)
    elif word == "go":
        go(position, json.loads(rest))
    elif word == "stop":
        stop()
    elif word == "quit":
        break
"""


class Programs:
    """Makes bots from scripts, and finds the processes and files that they leave behind."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: list[ExternalBot] = []

    def bot(self, spoiled: str = "", *, limit: str = "", seed: int | str = 0) -> ExternalBot:
        """A bot with a part of it broken."""
        path = self.folder / f"bot {len(self.made)}.py"  # a name that must be quoted
        path.write_text(SOUND + textwrap.dedent(spoiled) + LOOP, encoding="utf-8")
        made = ExternalBot(f"{limit}'{sys.executable}' '{path}'", seed)
        self.made.append(made)
        return made

    def note(self, name: str) -> str:
        """What a script has written there."""
        return (self.folder / name).read_text(encoding="utf-8")


def open_files() -> set[str]:
    return {path.name for path in Path("/dev/fd").iterdir()}


def children() -> str:
    """The processes that the test has started and that still exist, zombies included."""
    asked = ["ps", "-eo", "ppid=,pid=,args="]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    rows = [row.split(None, 2) for row in done.stdout.splitlines()]
    mine = [row for row in rows if row[0] == str(os.getpid()) and row[2] != " ".join(asked)]
    return "\n".join(" ".join(row) for row in mine)


def is_gone(process: int) -> bool:
    """Whether a process that is not a child of the test has ended, possibly as a zombie."""
    asked = ["ps", "-o", "stat=", "-p", str(process)]
    state = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return state in ("", "Z")


@pytest.fixture
def programs(tmp_path, monkeypatch) -> Iterator[Programs]:
    """Scripts as bots; afterwards checks that no process or file of theirs is left."""
    monkeypatch.setattr(dialogue, "HELLO_SECONDS", 5.0)
    monkeypatch.setattr(dialogue, "GRACE", 0.3)
    monkeypatch.chdir(tmp_path)
    Game("tiny", 2, seed=1)  # files that the kernel opens are not counted as the bot's
    before, family = open_files(), children()
    made = Programs(tmp_path)
    yield made
    for bot in made.made:
        bot.close()
        bot.close()
    assert open_files() == before
    assert children() == family


def decide(bot: ExternalBot, game: Game | None = None) -> Move:
    game = game or Game("tiny", 2, seed=1)
    seat = game.deciding[0]
    return bot.choose(game.view(seat), list(game.legal_moves_of(seat)))


def failure(bot: ExternalBot, game: Game | None = None) -> BotFailed:
    with pytest.raises(BotFailed) as caught:
        decide(bot, game)
    return caught.value


def play(bot: ExternalBot, game: Game, seat: int = 0) -> Game:
    others = make_bot("random", seed=1)
    while not game.over:
        turn = game.deciding[0]
        chosen = bot if turn == seat else others
        game.push(chosen.choose(game.view(turn), list(game.legal_moves_of(turn))), turn)
    return game


# -- programs that play ----------------------------------------------------------------------------


def test_it_plays(programs):
    bot = programs.bot("""
    def newgame(game):
        with open("games", "a") as file:
            print(os.getpid(), game["seed"], game["seat"], game["seats"], file=file)
        say("ready")
    """)
    bot.seed = "mine"
    for seed in range(2):
        assert play(bot, Game("tiny", 2, seed=seed)).outcome
    bot.seed = 7
    assert play(bot, Game("tiny", 3, seed=3), seat=2).outcome
    lines = [line.split(None, 1) for line in programs.note("games").splitlines()]
    assert [rest for _, rest in lines] == ["mine 0 2", "mine 0 2", "7 2 3"]
    assert len({process for process, _ in lines}) == 1  # one program for all games


def test_one_of_ours_decides_the_same_as_a_program():
    """On a map that the program knows only from the message."""
    command = f"'{sys.executable}' -m macaz bot run greedy"
    games = []
    for text in ("greedy", f"cmd:{command}"):
        bot = make_bot(text, seed="the same")
        game = Game("europe", 2, seed=3)
        while not game.over and len(game.history) < 150:
            seat = game.deciding[0]
            view, legal = game.view(seat), list(game.legal_moves_of(seat))
            game.push(bot.choose(view, legal) if seat == 0 else legal[-1], seat)
        close_bot(bot)
        games.append([step.number for step in game.history])
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("limit", "told"),
    [("", "{}"), ("0.5s:", '{"seconds": 0.5}'), ("400:", '{"effort": 400}')],
)
def test_it_is_told_how_long_to_think(programs, limit, told):
    bot = programs.bot(
        """
    def go(position, limit):
        open("limit", "w").write(json.dumps(limit))
        say(first(position))
    """,
        limit=limit,
    )
    decide(bot)
    assert programs.note("limit") == told


def test_a_sloppy_answer_is_understood(programs):
    """Case, accents and the dash do not matter; other output is ignored."""
    bot = programs.bot("""
    def go(position, limit):
        say("")
        say("info thinking")
        say("moves are hard")
        print("a log line", file=sys.stderr)
        say("  move   keep brasov-BUCURESTI 4, pitesti - ploiesti 3\\r")
        say("move blind")  # not asked for
    """)
    game = Game("tiny", 2, seed=7)
    move = decide(bot, game)
    assert game.text(move) == "keep Brașov–București 4, Pitești–Ploiești 3"
    time.sleep(0.2)
    assert decide(bot, game) == move  # extra output is not taken for the next answer


def test_late_answers_count_until_it_is_ended(programs):
    """A program that decides only after `stop` is well-behaved."""
    bot = programs.bot(
        """
    def go(position, limit):
        now.append(first(position))

    def stop():
        say(now.pop())

    now = []
    """,
        limit="0.1s:",
    )
    assert play(bot, Game("tiny", 2, seed=1)).outcome


def test_much_may_be_said_on_both_sides(programs):
    """More than a pipe holds, before the program reads and before it answers."""
    bot = programs.bot("""
    def hello():
        print("x" * 1_000_000, file=sys.stderr)
        say("info " + "x" * 1_000_000)
        say('bot {"name": "test", "protocol": 2}')

    def go(position, limit):
        for _ in range(1000):
            say("info " + "y" * 1000)
            print("z" * 1000, file=sys.stderr)
        say(first(position))
    """)
    for _ in range(3):
        decide(bot, Game("europe", 5, seed=1))


# -- programs that violate the protocol ------------------------------------------------------------

NEVER = "time.sleep(3600)"
BAD: dict[str, tuple[str, str, str]] = {
    "crashes at the start": ("1 / 0", "crashed", "exit status 1"),
    "ends at the start": ("sys.exit(0)", "crashed", "exit status 0"),
    "says nothing": (f"def hello(): {NEVER}", "timeout", "no 'bot' after 0.5 seconds"),
    "says no JSON": ("def hello(): say('bot {]')", "garbled", "its hello is invalid"),
    "says no object": ("def hello(): say('bot [1]')", "garbled", "not a JSON object"),
    "says another protocol": (
        "def hello(): say('bot {\"protocol\": 1}')",
        "garbled",
        "it uses protocol 1, not 2",
    ),
    "ends after hello": ("def newgame(game): sys.exit(3)", "crashed", "exit status 3"),
    "is never ready": (f"def newgame(game): {NEVER}", "timeout", "no 'ready' after 0.5 seconds"),
    "crashes in the middle": ("def go(position, limit): 1 / 0", "crashed", "exit status 1"),
    "is killed": ("def go(position, limit): os.kill(os.getpid(), 9)", "crashed", "SIGKILL"),
    "never answers": (f"def go(position, limit): {NEVER}", "timeout", "seconds after stop"),
    "answers nonsense": ("def go(p, l): say('move up')", "illegal", "not a move: 'up'"),
    "answers nothing": ("def go(p, l): say('move')", "illegal", "not a move: ''"),
    "answers at length": (
        "def go(p, l): say('move ' + 'x' * 10**6)",
        "illegal",
        "1000000 characters",
    ),
    "answers illegally": ("def go(p, l): say('move blind')", "illegal", "not legal here"),
    "answers for another seat": (
        "def go(p, l): say('move keep Pitești–Sinaia 4')",
        "illegal",
        "it answered 'keep Pitești–Sinaia 4'",
    ),
    "says garbage": (
        "def go(p, l): os.write(1, bytes(range(128, 256)) + b'\\n')",
        "garbled",
        "not UTF-8",
    ),
    "floods with lines": (
        "def go(p, l):\n    while True: say('info ' + 'x' * 10000)",
        "garbled",
        "8 MiB",
    ),
    "floods with one line": (
        "def go(p, l):\n    while True: os.write(1, b'x' * 10000)",
        "garbled",
        "8 MiB",
    ),
    "floods its errors": (
        "def go(p, l):\n    while True: os.write(2, b'x' * 10000)",
        "timeout",
        "no move after",
    ),
    "closes its output": (f"def go(p, l):\n    os.close(1); {NEVER}", "crashed", "closed its out"),
    "closes its input": (f"def go(p, l):\n    os.close(0); {NEVER}", "timeout", "no move after"),
    "leaves its group": (
        f"def go(p, l):\n    os.setpgid(0, os.getpgid(os.getppid())); {NEVER}",
        "timeout",
        "no move after",
    ),
    "leaves a child with its pipes": (
        "def go(p, l):\n    subprocess.Popen(['sleep', '3600']); sys.exit(5)",
        "crashed",
        "exit status 5",
    ),
    "leaves a child of another group": (
        # It exits by itself: a process that leaves its group cannot be found.
        "def go(p, l):\n    subprocess.Popen(['sleep', '2'], start_new_session=True); sys.exit(6)",
        "crashed",
        "exit status 6",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_one_that(programs, monkeypatch, what):
    if "0.5 seconds" in BAD[what][2]:
        monkeypatch.setattr(dialogue, "HELLO_SECONDS", 0.5)
        monkeypatch.setattr(dialogue, "READY_SECONDS", 0.5)
    spoiled, reason, words = BAD[what]
    error = failure(programs.bot(spoiled, limit="0.2s:"))
    assert error.reason == reason
    assert words in str(error)
    assert len(str(error)) < 5000


def test_its_last_errors_are_told(programs):
    error = failure(programs.bot("for i in range(100): print('line', i, file=sys.stderr)\n1 / 0"))
    assert error.log[-1] == "ZeroDivisionError: division by zero"
    assert "line 99" in error.log
    assert "line 1" not in error.log
    assert str(error).endswith("ZeroDivisionError: division by zero")
    again = pickle.loads(pickle.dumps(error))
    assert (again.reason, again.log, str(again)) == (error.reason, error.log, str(error))


def test_one_that_failed_is_started_again(programs):
    bot = programs.bot("""
    def go(position, limit):
        if not os.path.exists("failed"):
            open("failed", "w").close()
            sys.exit(1)
        say(first(position))
    """)
    assert failure(bot).reason == "crashed"
    decide(bot)


def test_one_that_does_not_listen_is_given_up(programs):
    """Input that a program does not read fills the pipe, and must not block the caller."""
    bot = programs.bot(f"def newgame(game): say('ready'); {NEVER}", limit="0.2s:")
    assert failure(bot, Game("europe", 5, seed=1)).reason == "timeout"


def test_one_that_does_not_end_is_ended(programs, monkeypatch):
    monkeypatch.setattr(program, "GRACE", 0.2)
    bot = programs.bot("""
    import atexit, signal
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    atexit.register(time.sleep, 3600)
    """)
    decide(bot)
    bot.close()  # the fixture checks that the process is gone


@pytest.mark.parametrize("end", ["sys.exit(1)", "say(first(position))"])
def test_its_children_end_with_it(programs, end):
    bot = programs.bot(f"""
    def go(position, limit):
        child = subprocess.Popen(["sleep", "3600"])
        open("child", "w").write(str(child.pid))
        {end}
    """)
    with suppress(BotFailed):
        decide(bot)
    bot.close()
    child = int(programs.note("child"))
    for _ in range(100):
        if is_gone(child):
            break
        time.sleep(0.05)
    assert is_gone(child)


def test_one_that_is_forgotten_ends(programs):
    decide(programs.bot())
    programs.made.clear()
    gc.collect()  # the fixture checks that the process is gone


def test_one_ends_with_a_process_of_ours_that_forgets_it(programs):
    programs.bot("open('pid', 'w').write(str(os.getpid()))")
    code = f"""
from macaz.bots.external import ExternalBot
from macaz.game import Game
bot = ExternalBot("'{sys.executable}' 'bot 0.py'")
game = Game("tiny", 2, seed=1, target="plain")
bot.choose(game.view(0), list(game.legal_moves_of(0)))
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert is_gone(int(programs.note("pid")))


# -- commands --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cmd:", "there is no command"),
        ("cmd:   ", "there is no command"),
        ("cmd:0.5s:", "there is no command"),
        ("cmd:no-such-program x", "there is no program 'no-such-program'"),
        ("cmd:'unfinished", "No closing quotation"),
        ("cmd:0s:true", "'0s' is not a limit"),
        ("cmd:0:true", "'0' is not a limit"),
        ("cmd", "there is no bot 'cmd'"),
    ],
)
def test_a_command_that_cannot_be_used_is_refused(text, words):
    with pytest.raises(UnknownBot) as caught:
        make_bot(text)
    assert words in str(caught.value)
    assert bot_problem(text) == str(caught.value)


def test_a_file_that_is_no_program_is_refused(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text("print()", encoding="utf-8")
    assert "that can be run" in str(bot_problem(f"cmd:{path}"))
    path.chmod(0o755)  # nothing says which interpreter runs it
    path.write_text("\0", encoding="utf-8")
    error = failure(ExternalBot(str(path)))
    assert error.reason == "crashed"
    assert "cannot be started" in str(error)


def test_to_name_a_bot_starts_nothing(tmp_path):
    path = tmp_path / "started"
    bot = make_bot(f"cmd:0.5s:touch '{path}'")
    assert isinstance(bot, ExternalBot)
    assert (bot.limit, bot.command) == (Limit(seconds=0.5), ["touch", str(path)])
    assert bot_problem(f"cmd:touch '{path}'") is None
    assert not path.exists()


def test_no_shell_reads_a_command(tmp_path):
    path = tmp_path / "started"
    assert failure(ExternalBot(f"echo hello; touch '{path}'")).reason == "crashed"
    assert not path.exists()


def test_a_spectator_is_not_asked():
    game = Game("tiny", 2, seed=1)
    with pytest.raises(ValueError, match="spectator"):
        ExternalBot("true").choose(game.view(None), list(game.legal_moves_of(0)))


def test_players_cannot_make_a_server_start_a_program(tmp_path, monkeypatch):
    """The host may configure programs; players may not."""
    monkeypatch.chdir(tmp_path)
    person, program = {"kind": "person"}, {"kind": "bot", "bot": "cmd:touch started"}
    tables: list[dict[str, Any]] = [
        {"seats": [person, program]},
        {"seats": [person, person], "stand_in": program["bot"]},
    ]

    async def ask(address: str) -> list[str]:
        ana = await Client.new(address)
        answers = [await ana.ask("POST", "/tables", {"edition": "tiny", **t}) for t in tables]
        await ana.close()
        return [answer.json()["message"] for answer in answers]

    with serving(settings(tmp_path)) as server:
        said = asyncio.run(ask(server.address))
    assert all(message.startswith("There is no bot 'cmd:touch started'.") for message in said)
    assert not (tmp_path / "started").exists()
