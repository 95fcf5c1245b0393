"""Bots that a host offers by name: classes and programs of the host's own."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.bots.test_external import LOOP, SOUND
from tests.server.harness import Client, play_on, serving, settings
from tests.server.test_bots import question, until

from macaz.game import Game
from macaz.server.bots import Thinkers, ThinkingFailed
from macaz.server.settings import SettingsError, check
from macaz.server.settings.check import problems_of
from macaz.server.settings.read import read_settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes that can be polled")

MINE = """
from macaz.game.moves import Decline

class Last:
    def choose(self, view, legal):
        return legal[-1]

class Cheats(Last):
    def choose(self, view, legal):
        return Decline()
"""
# Writes what it is asked into a file; thinks for ever while there is a file "slow".
PROGRAM = f"""{SOUND}
from pathlib import Path
here = Path(__file__).parent

def note(word):
    with here.joinpath("asked").open("a") as file:
        file.write(f"{{word}} {{os.getpid()}}\\n")

def newgame(game):
    note("newgame")
    say("ready")

def go(position, limit):
    note(f"go-{{limit['seconds']}}")
    while here.joinpath("slow").exists():
        time.sleep(0.01)
    say(f"move {{position['legal'][-1]['action']}}")
{LOOP}"""


@pytest.fixture
def bots(tmp_path: Path) -> dict[str, str]:
    tmp_path.joinpath("mine.py").write_text(MINE, encoding="utf-8")
    tmp_path.joinpath("program.py").write_text(PROGRAM, encoding="utf-8")
    return {
        "Iron Horse": f"'{sys.executable}' '{tmp_path}/program.py'",
        "mine": f"{tmp_path}/mine.py:Last",
        "rogue": f"{tmp_path}/mine.py:Cheats",
    }


def asked(folder: Path) -> list[list[str]]:
    return [line.split() for line in folder.joinpath("asked").read_text().splitlines()]


def test_people_play_against_them_and_only_by_name(tmp_path, bots, monkeypatch):
    monkeypatch.chdir(tmp_path)

    async def play(address: str) -> tuple[Any, Any, Any, list[Any]]:
        ana = await Client.new(address)
        offered = await ana.get("/bots")
        table = await ana.table("me", "Iron Horse", "mine")
        await play_on(ana, table, 0)
        info = await ana.get(f"/tables/{table}")
        watched = await ana.get(f"/tables/{table}/record")
        refused = []
        for bot in ("mine.py:Last", "python3 program.py", "cmd:python3 program.py", "sys:exit"):
            body = {"edition": "tiny", "seats": [{"kind": "person"}, {"kind": "bot", "bot": bot}]}
            refused.append((await ana.ask("POST", "/tables", body)).json())
        await ana.close()
        return offered, info, watched, refused

    with serving(settings(tmp_path, bots=bots)) as server:
        offered, info, record, refused = asyncio.run(play(server.address))
    assert offered[-3:] == [{"name": name, "character": "", "learned": False} for name in bots]
    assert [seat["name"] for seat in info["seats"]] == ["Ana", "Iron Horse", "Mine"]
    assert info["status"] == "finished"
    assert "mine.py" not in record
    assert "program.py" not in record
    assert {answer["code"] for answer in refused} == {"bad-value"}
    assert all(answer["message"].endswith("Iron Horse, mine, rogue.") for answer in refused)
    programs = {pid for _, pid in asked(tmp_path)}
    words = [word for word, _ in asked(tmp_path)]
    assert words.count("newgame") == len(programs), "once for a game"
    assert len(words) > 3 * len(programs), "a program decides more than once"


def stand_in_problems(folder: Path, stand_in: str) -> list[str]:
    chosen = settings(folder, bots={"mine": "random"}, stand_in=stand_in)
    return [problem for problem in problems_of(chosen) if problem.startswith("stand_in")]


def test_a_stand_in_may_be_one(tmp_path):
    for name in ("mine", "search:0.1s", "expert:0.1s"):
        assert stand_in_problems(tmp_path, name) == []


@pytest.mark.parametrize(
    "text",
    ["{}/mine.py:Last", "cmd:python3 mine.py", "sys:exit", "learned:{}/a.npz", "expert:1s:x"],
)
def test_a_stand_in_is_a_name(tmp_path, bots, text):
    """Players see it, and a class would be loaded into the server."""
    text = text.format(tmp_path)
    [problem] = stand_in_problems(tmp_path, text)
    assert problem == (
        f"stand_in: {text!r} is no name of a bot. To use a bot of your own, offer it in [bots], "
        "and write its name here."
    )


def with_program(test: Any, folder: Path, limit: str = "", bot_limit: float = 60.0) -> None:
    async def run() -> None:
        text = f"cmd:{limit}'{sys.executable}' '{folder}/program.py'"
        thinkers = Thinkers(workers=1, limit=bot_limit, extra={"mine": text})
        try:
            await test(thinkers)
        finally:
            await thinkers.close()

    asyncio.run(run())


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_program_is_stopped_dropped_and_ended(tmp_path, bots):
    """It has less than the time limit, so that it ends before the process that runs it."""
    slow, game = tmp_path / "slow", Game("tiny", 2, seed=1)
    mine = question(game, "mine")
    pids: list[int] = []

    def begun() -> bool:
        count = len([1 for word, _ in asked(tmp_path) if word.startswith("go")])
        return count > len(pids)

    async def test(thinkers: Thinkers) -> None:
        assert await thinkers.choose(mine) == mine.legal[-1]
        assert asked(tmp_path)[1][0] == "go-57.5"
        assert await thinkers.choose(mine) == mine.legal[-1]
        first = {int(pid) for _, pid in asked(tmp_path)}
        assert len(first) == 1, "it runs on"
        pids.extend([*first, *first])
        slow.touch()
        dropped = asyncio.create_task(thinkers.choose(mine))
        await until(begun)
        dropped.cancel()
        await until(lambda: not is_running(pids[0]))
        slow.unlink()
        pids.append(0)
        assert await thinkers.choose(mine) == mine.legal[-1], "it is started again"
        pids[-1] = int(asked(tmp_path)[-1][1])
        assert is_running(pids[-1])

    with_program(test, tmp_path)
    assert not is_running(pids[-1])


def test_a_program_that_is_late_is_killed_with_a_reason(tmp_path, bots):
    tmp_path.joinpath("slow").touch()
    mine = question(Game("tiny", 2, seed=1), "mine")

    async def test(thinkers: Thinkers) -> None:
        with pytest.raises(ThinkingFailed, match="no move after 0") as failed:
            await thinkers.choose(mine)
        assert failed.value.reason == "raised"

    with_program(test, tmp_path, "0.1s:")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(("bot_limit", "reason"), [(0.5, "late"), (60.0, "closed")])
def test_no_program_outlives_the_process_that_runs_it(tmp_path, bots, bot_limit, reason):
    """Where the time limit is too short to stop the program, and where the server is closed."""
    tmp_path.joinpath("slow").touch()
    mine = question(Game("tiny", 2, seed=1), "mine")

    async def test(thinkers: Thinkers) -> None:
        thought = asyncio.create_task(thinkers.choose(mine))
        if reason == "closed":
            file = tmp_path / "asked"
            await until(lambda: file.exists() and "go-" in file.read_text())
            await thinkers.close()
        with pytest.raises(ThinkingFailed) as failed:
            await thought
        assert failed.value.reason == reason

    with_program(test, tmp_path, bot_limit=bot_limit)
    assert not is_running(int(asked(tmp_path)[-1][1]))


def test_a_program_that_is_not_ready_is_not_started_again(tmp_path):
    """A second start would be part of the time limit."""
    spoiled = PROGRAM.replace('    say("ready")\n', "    sys.exit(3)\n")
    tmp_path.joinpath("program.py").write_text(spoiled, encoding="utf-8")

    async def test(thinkers: Thinkers) -> None:
        with pytest.raises(ThinkingFailed, match="it ended with exit status 3") as failed:
            await thinkers.choose(question(Game("tiny", 2, seed=1), "mine"))
        assert failed.value.reason == "raised"

    with_program(test, tmp_path)
    assert [word for word, _ in asked(tmp_path)] == ["newgame"]


def test_where_one_fails_another_decides(tmp_path, bots, caplog):
    async def play(address: str) -> Any:
        ana = await Client.new(address)
        table = await ana.table("me", "rogue")
        await play_on(ana, table, 0)
        info = await ana.get(f"/tables/{table}")
        await ana.close()
        return info

    with serving(settings(tmp_path, bots=bots)) as server:
        info = asyncio.run(play(server.address))
    assert info["status"] == "finished"
    assert "mine.py:Cheats: it chose Decline(), which is not legal here" in caplog.text


# -- the settings ----------------------------------------------------------------------------------


def test_they_are_read_from_a_file_and_from_a_text(tmp_path):
    file = tmp_path / "macaz.toml"
    file.write_text('[bots]\n"Iron Horse" = "python3 /srv/a.py"\nb = "/srv/b.py:B"\n', "utf-8")
    wanted = {"Iron Horse": "python3 /srv/a.py", "b": "/srv/b.py:B"}
    assert read_settings(file=file, environ={}).bots == wanted
    text = 'Iron Horse=python3 /srv/a.py, "b=/srv/b.py:B"'
    assert read_settings(environ={"MACAZ_BOTS": text}).bots == wanted
    assert read_settings({"bots": text}, environ={}).bots == wanted
    assert read_settings(environ={}).bots == {}


@pytest.mark.parametrize("text", ["mine", "=x", "a:b=x", "mine=", "a  b=x", "x" * 25 + "=y"])
def test_what_is_no_name_of_a_bot_is_refused(text):
    with pytest.raises(SettingsError, match="is not bots by names of up to 24 letters"):
        read_settings({"bots": text}, environ={})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a=x\nb=y", "it has a line break: write all bots in one line, with commas between."),
        ("a=x, a=y", "'a' is there twice: name each bot once."),
    ],
)
def test_what_cannot_be_read_is_explained(text, words):
    with pytest.raises(SettingsError, match=f"MACAZ_BOTS in the environment: {words}"):
        read_settings(environ={"MACAZ_BOTS": text})
    assert read_settings(environ={"MACAZ_BOTS": "a=x\n"}).bots == {"a": "x"}


def test_a_class_that_is_never_made_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(check, "MAKE_SECONDS", 0.5)
    tmp_path.joinpath("stuck.py").write_text("import time\ntime.sleep(600)\n", encoding="utf-8")
    text = f"{tmp_path}/stuck.py:Bot"
    told = problems_of(settings(tmp_path, bots={"stuck": text}))
    assert (
        "bots: stuck: it was not made after 0.5 seconds. Look for what its file or its constructor "
        f"waits for: macaz bot check {text}"
    ) in told


def test_what_cannot_play_is_told_before_the_start(tmp_path, bots):
    wrong = {
        "Greedy": "random",
        "lost": f"{tmp_path}/mine.py:Lost",
        "none": "no-such-program --fast",
        "fine": bots["mine"],
        "FINE": "search:1s",
    }
    told = [one for one in problems_of(settings(tmp_path, bots=wrong)) if one[:5] == "bots:"]
    assert told == [
        "bots: 'Greedy' is the name of a bot of Macaz: choose another.",
        f"bots: lost: there is no class 'Lost' in {tmp_path}/mine.py. Did you mean 'Last'? "
        f"There is: {tmp_path}/mine.py:Last, {tmp_path}/mine.py:Cheats.",
        "bots: none: there is no program 'no-such-program' that can be run. Write its path, or "
        "that of its interpreter before it, as in 'python3 mybot.py'.",
        "bots: 'FINE' is the name of another bot here: choose another.",
    ]
