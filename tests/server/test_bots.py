"""Bots in processes of their own: their decisions are the same, and their failures are isolated."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib.resources import files
from itertools import count
from pathlib import Path

import msgspec
import pytest
from tests.editions import MAIN

from macaz.bots import BOTS, make_bot
from macaz.edition import load_edition
from macaz.game import Game
from macaz.server.bots import Question, Thinkers, ThinkingFailed, Watch
from macaz.server.schedule import Priority

STRANGE = """
import ctypes, os, sys, time
from pathlib import Path
from macaz.bots.cancellation import check_cancelled
from macaz.game.moves import Start

class Bot:
    def __init__(self, seed):
        self.seed = seed

class Dreams(Bot):  # says so, and never decides
    def choose(self, view, legal):
        print("dreaming", flush=True)
        while True:
            time.sleep(60)

class Grips(Bot):  # as Dreams, with a grip on the interpreter that only the system can loosen
    def choose(self, view, legal):
        print("gripping", flush=True)
        ctypes.PyDLL(None).sleep(600)

class Waits(Bot):  # until the file that its seed names is there
    def choose(self, view, legal):
        while not Path(self.seed).exists():
            time.sleep(0.005)
        return legal[0]

class Heeds(Waits):  # as Waits, and stops when it is cancelled
    def choose(self, view, legal):
        while not Path(self.seed).exists():
            check_cancelled()
            time.sleep(0.005)
        return legal[0]

class Signs(Bot):  # leaves the number of its process in the file that its seed names
    def choose(self, view, legal):
        Path(self.seed).write_text(str(os.getpid()))
        return legal[-1]

class Chats(Bot):
    def choose(self, view, legal):
        print("good day", flush=True)
        os.write(1, b"good night")
        assert sys.stdin.read() == ""
        return legal[-1]

class Crashes(Bot):
    def choose(self, view, legal):
        os._exit(7)

class Leaves(Bot):
    def choose(self, view, legal):
        sys.exit()

class Cheats(Bot):
    def choose(self, view, legal):
        return Start(3)

class Fails(Bot):
    def choose(self, view, legal):
        raise KeyError("lost")
"""
QUICK = tuple(name for name, kind in BOTS.items() if kind.limit is None)
NAMES = (
    *("Dreams", "Grips", "Waits", "Heeds", "Signs"),
    *("Chats", "Crashes", "Leaves", "Cheats", "Fails"),
)
EXTRA = {name.lower(): f"strange_bots:{name}" for name in NAMES}


@pytest.fixture(autouse=True)
def strange_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.joinpath("strange_bots.py").write_text(STRANGE, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)


def question(game: Game, bot: str, seed: str = "x", text: str | None = None) -> Question:
    seat = game.deciding[0]
    legal = tuple(game.legal_moves_of(seat).actions)
    name = game.edition.qualified_id
    return Question(name, text, game.seats, bytes(game.view(seat)), legal, bot, seed)


def with_thinkers(
    test: Callable[[Thinkers], Awaitable[None]],
    workers: int = 1,
    limit: float = 60.0,
    waiting: int = 100,
    watch: Watch | None = None,
) -> None:
    async def run() -> None:
        thinkers = Thinkers(workers=workers, limit=limit, waiting=waiting, watch=watch, extra=EXTRA)
        try:
            await test(thinkers)
        finally:
            await thinkers.close()

    asyncio.run(run())


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.005)


def names() -> list[str]:
    editions = [load_edition(name) for name in MAIN]
    return [
        name
        for edition in editions
        for name in (edition.id, *(f"{edition.id}+{o.name}" for o in edition.available_options))
    ]


def test_decisions_are_those_of_the_bot_itself():
    asked, due = [], []
    for name in names():
        game = Game(name, 2, seed=5)
        for turn in count():
            if game.over:
                break
            seat = game.deciding[0]
            legal = list(game.legal_moves_of(seat))
            bot = QUICK[turn // 3 % len(QUICK)]
            move = make_bot(bot, seed=f"{name} {turn}").choose(game.view(seat), legal)
            if turn % 3 == 0:
                asked.append(question(game, bot, f"{name} {turn}"))
                due.append(game.parse(move))
            game.push(move)
    seen: list[tuple[str, float]] = []

    class Seen(Watch):
        def thought(self, bot: str, seconds: float) -> None:
            seen.append((bot, seconds))

    async def run() -> None:
        thinkers = Thinkers(workers=2, limit=60.0, watch=Seen())
        assert await asyncio.gather(*map(thinkers.choose, asked)) == due
        await thinkers.close()

    asyncio.run(run())
    assert len(seen) == len(asked) > 100
    assert {name for name, _ in seen} == set(QUICK)
    assert all(seconds > 0 for _, seconds in seen)


def test_a_map_of_ones_own_travels_with_the_question(tmp_path):
    text = files("macaz").joinpath("editions/old-west.toml").read_text(encoding="utf-8")
    text = text.replace('id = "old-west"', 'id = "my-west"')
    path = tmp_path / "my-west.toml"
    path.write_text(text, encoding="utf-8")
    game = Game(f"{path}+alvin", 3, seed=1)
    path.unlink()

    async def test(thinkers: Thinkers) -> None:
        for _ in range(40):
            asked = question(game, "greedy", text=text)
            assert asked.edition_name == "my-west+alvin"
            seat = game.deciding[0]
            move = make_bot("greedy", seed="x").choose(
                game.view(seat), list(game.legal_moves_of(seat))
            )
            assert await thinkers.choose(asked) == game.parse(move)
            game.push(move)

    with_thinkers(test)


@pytest.mark.parametrize(
    ("bot", "reason", "words"),
    [
        ("dreams", "late", "'dreams' was stopped: it took longer than 3 seconds"),
        ("grips", "late", "'grips' was stopped"),
        ("crashes", "crashed", r"'crashes' ended its process \(exit status 7\)"),
        ("leaves", "raised", "'leaves' failed: .*SystemExit"),
        (
            "cheats",
            "illegal",
            r"'cheats' failed: .*chose Start\(city=3\), which is not legal here",
        ),
        ("fails", "raised", r"'fails' failed: .*strange_bots.py, line \d+: KeyError: 'lost'"),
        ("gredy", "raised", "Did you mean 'greedy'"),
    ],
)
def test_a_bad_bot_is_told_of_and_the_next_one_decides(bot, reason, words):
    game = Game("tiny", 2, seed=1)

    async def test(thinkers: Thinkers) -> None:
        with pytest.raises(ThinkingFailed, match=words) as failed:
            await thinkers.choose(question(game, bot))
        assert failed.value.reason == reason
        if bot == "fails":
            assert "strange_bots.py" in failed.value.__notes__[0]
        asked = question(game, "chats")
        assert await thinkers.choose(asked) == asked.legal[-1]

    with_thinkers(test, limit=3.0)


def test_what_cannot_be_read_is_told_of():
    game = Game("tiny", 2, seed=1)
    asked = question(game, "random")
    broken = Question("atlantis", None, 2, asked.view, asked.legal, "random", "x")

    async def test(thinkers: Thinkers) -> None:
        with pytest.raises(ThinkingFailed, match="there is no edition 'atlantis'"):
            await thinkers.choose(broken)

    with_thinkers(test)


@pytest.mark.parametrize(
    ("python", "words"),
    [
        ("/no/such/python", "no process for bots could be started .*No such file"),
        ("/usr/bin/false", r"a process for the bot 'random' did not start \(exit status 1\)"),
    ],
)
def test_a_process_that_does_not_start_is_told_of(python, words, monkeypatch):
    game = Game("tiny", 2, seed=1)
    asked = question(game, "random")

    async def test(thinkers: Thinkers) -> None:
        with monkeypatch.context() as changed:
            changed.setattr(sys, "executable", python)
            with pytest.raises(ThinkingFailed, match=words) as failed:
                await thinkers.choose(asked)
        assert failed.value.reason == "crashed"
        assert await thinkers.choose(asked) in asked.legal

    with_thinkers(test)


def test_a_hundred_bots_think_and_the_loop_goes_on(tmp_path):
    game = Game("europe", 5, seed=1)
    gate = tmp_path / "open"

    async def test(thinkers: Thinkers) -> None:
        asked = [question(game, "waits", str(gate)) for _ in range(100)]
        thoughts = [asyncio.ensure_future(thinkers.choose(one)) for one in asked]
        for _ in range(200):  # if the loop were blocked, none of this would end
            await asyncio.sleep(0.001)
        assert not any(thought.done() for thought in thoughts)
        gate.touch()
        assert set(await asyncio.gather(*thoughts)) == {asked[0].legal[0]}

    with_thinkers(test, workers=2)


def test_no_endless_queue(tmp_path):
    game = Game("tiny", 2, seed=1)
    gate = tmp_path / "open"
    done: list[int] = []
    watch = Noted()

    async def test(thinkers: Thinkers) -> None:
        async def ask(number: int) -> None:
            await thinkers.choose(question(game, "waits", str(gate)), Priority.BOTS)
            done.append(number)

        asking = [asyncio.ensure_future(ask(number)) for number in range(6)]
        await asyncio.sleep(0)
        with pytest.raises(ThinkingFailed, match="5 decisions are waiting") as failed:
            await ask(6)
        assert failed.value.reason == "busy"
        assert watch.drops == [Priority.BOTS]
        gate.touch()
        await asyncio.gather(*asking)
        await ask(7)

    with_thinkers(test, waiting=5, watch=watch)
    assert watch.drops == [Priority.BOTS]
    assert done == [0, 1, 2, 3, 4, 5, 7]


def test_one_person_does_not_fill_the_queue_for_others(tmp_path):
    game = Game("tiny", 2, seed=1)
    gate = tmp_path / "open"

    async def test(thinkers: Thinkers) -> None:
        async def ask(bot: str, person: str) -> str:
            try:
                asked = question(game, bot, str(gate))
                await thinkers.choose(asked, Priority.BOTS, (person,))
            except ThinkingFailed as error:
                return error.reason
            return "decided"

        many = [asyncio.ensure_future(ask("waits", "ana")) for _ in range(10)]
        await asyncio.sleep(0)
        assert await ask("greedy", "ion") == "decided"
        other = asyncio.ensure_future(ask("waits", "ion"))
        await asyncio.sleep(0)
        gate.touch()
        assert await other == "decided"
        assert sorted(await asyncio.gather(*many)) == ["busy"] * 5 + ["decided"] * 5

    with_thinkers(test, waiting=5)


class Noted(Watch):
    """Records the events of thinkers."""

    def __init__(self) -> None:
        self.counts: list[int] = []
        self.starts: list[Priority] = []
        self.drops: list[Priority] = []

    def waiting(self, by_priority: Mapping[Priority, int]) -> None:
        self.counts.append(sum(by_priority.values()))

    def started(self, priority: Priority, seconds: float) -> None:
        assert seconds >= 0
        self.starts.append(priority)

    def dropped(self, priority: Priority) -> None:
        self.drops.append(priority)


def test_quick_bots_do_not_wait_for_slow_ones_and_people_come_before_bots(tmp_path):
    game = Game("tiny", 2, seed=1)
    gate, watch = tmp_path / "open", Noted()

    async def test(thinkers: Thinkers) -> None:
        def ask(bot: str, priority: Priority, person: str) -> asyncio.Future[int]:
            asked = question(game, bot, str(gate))
            return asyncio.ensure_future(thinkers.choose(asked, priority, (person,)))

        slow = [ask("waits", Priority.BOTS, "ana") for _ in range(5)]
        await asyncio.sleep(0)
        people = ask("waits", Priority.PEOPLE, "ion")
        for bot in ("greedy", "expert", "greedy"):
            assert await ask(bot, Priority.BOTS, "zoe") >= 0, "although all slow processes are busy"
        assert not any(thought.done() for thought in (*slow, people))
        assert watch.counts[-1] == 5
        gate.touch()
        await asyncio.gather(people, *slow)
        assert watch.starts == [Priority.BOTS] * 4 + [Priority.PEOPLE] + [Priority.BOTS] * 4
        assert watch.counts[-1] == 0
        assert watch.drops == []

    with_thinkers(test, watch=watch)


def test_a_question_without_a_waiting_table_is_dropped_before_and_during_its_answer(tmp_path):
    game = Game("tiny", 2, seed=1)
    gate, note, watch = tmp_path / "open", tmp_path / "pid", Noted()

    async def test(thinkers: Thinkers) -> None:
        def ask(bot: str, seed: str) -> asyncio.Future[int]:
            return asyncio.ensure_future(thinkers.choose(question(game, bot, seed)))

        starting, waiting, last = (ask("waits", str(gate)) for _ in range(3))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        assert (len(watch.starts), len(watch.drops)) == (1, 1), "it was never started"
        starting.cancel()
        await until(lambda: len(watch.starts) == 2)
        assert len(watch.drops) == 2
        gate.touch()
        assert await last in question(game, "waits").legal

        # A bot that ignores the cancellation is ended with its process; the next question is
        # unaffected.
        await ask("signs", str(note))
        first = note.read_text()
        dreams = ask("dreams", "x")
        await until(lambda: any(worker.thinking for worker in thinkers._busy))
        dreams.cancel()
        await ask("signs", str(note))
        assert note.read_text() != first
        assert len(watch.drops) == 3

    with_thinkers(test, watch=watch)


def test_a_question_given_up_late_does_not_end_the_next_one(tmp_path):
    """The cancellation may reach the process when it already works on the next question."""
    game = Game("tiny", 2, seed=1)
    gate, last, note = tmp_path / "open", tmp_path / "last", tmp_path / "pid"
    held: list[Callable[[], object]] = []

    async def test(thinkers: Thinkers) -> None:
        await thinkers.choose(question(game, "signs", str(note)))
        first = note.read_text()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(thinkers._threads, "submit", lambda *call: held.append(partial(*call)))
            patch.setattr(thinkers, "_in_thread", asyncio.to_thread)
            dropped = asyncio.ensure_future(thinkers.choose(question(game, "waits", str(gate))))
            await until(lambda: any(worker.thinking for worker in thinkers._busy))
            dropped.cancel()
            await until(lambda: len(held) == 1)
            gate.touch()
            await until(lambda: not thinkers._busy)
        thought = asyncio.ensure_future(thinkers.choose(question(game, "heeds", str(last))))
        await until(lambda: any(worker.thinking for worker in thinkers._busy))
        held.pop()()
        await asyncio.wait([thought], timeout=0.5)  # then it would have been cancelled
        last.touch()
        assert await thought >= 0
        await thinkers.choose(question(game, "signs", str(note)))
        assert note.read_text() == first

    with_thinkers(test)


@pytest.mark.parametrize("bot", ["search:1000000", "expert:1000000"])
def test_our_own_bots_give_up_and_their_process_stays(bot, tmp_path):
    game = Game("usa", 2, seed=1)
    note = tmp_path / "pid"

    async def test(thinkers: Thinkers) -> None:
        await thinkers.choose(question(game, "signs", str(note)))
        first = note.read_text()
        for _ in range(3):
            thought = asyncio.ensure_future(thinkers.choose(question(game, bot)))
            await until(lambda: any(worker.thinking for worker in thinkers._busy))
            await asyncio.sleep(0.1)
            thought.cancel()
            await until(lambda: not thinkers._busy)
        await thinkers.choose(question(game, "signs", str(note)))
        assert note.read_text() == first
        assert await thinkers.choose(question(game, bot.replace("1000000", "5"))) >= 0

    with_thinkers(test)


def test_signals_for_the_server_do_not_end_a_process(tmp_path):
    game = Game("tiny", 2, seed=1)
    note = tmp_path / "pid"

    async def test(thinkers: Thinkers) -> None:
        found = []
        for _ in range(3):
            await thinkers.choose(question(game, "signs", str(note)))
            found.append(int(note.read_text()))
            for number in (signal.SIGINT, signal.SIGTERM):
                os.kill(found[-1], number)
        assert len(set(found)) == 1
        assert os.getpgid(found[0]) != os.getpgid(0)
        assert os.getpriority(os.PRIO_PROCESS, found[0]) > os.getpriority(os.PRIO_PROCESS, 0)

    with_thinkers(test)


def test_a_process_that_died_between_questions_is_replaced(tmp_path):
    game = Game("tiny", 2, seed=1)
    note = tmp_path / "pid"

    async def test(thinkers: Thinkers) -> None:
        await thinkers.choose(question(game, "signs", str(note)))
        os.kill(int(note.read_text()), signal.SIGKILL)
        await until(lambda: not thinkers._idle[0].alive)
        asked = question(game, "chats")
        assert await thinkers.choose(asked) == asked.legal[-1]

    with_thinkers(test)


def test_closing_ends_every_thought():
    game = Game("tiny", 2, seed=1)

    async def test(thinkers: Thinkers) -> None:
        await thinkers.choose(question(game, "random"))
        asked = [asyncio.ensure_future(thinkers.choose(question(game, "dreams"))) for _ in "abc"]
        await asyncio.sleep(0.1)
        await thinkers.close()
        for failed in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(failed, ThinkingFailed)
            assert failed.reason == "closed"
        with pytest.raises(ThinkingFailed, match="closing"):
            await thinkers.choose(question(game, "random"))

    with_thinkers(test, workers=2)


def test_nothing_is_started_before_it_is_needed():
    async def test(thinkers: Thinkers) -> None:
        assert not thinkers._idle

    with_thinkers(test)


SERVER = """
import asyncio, sys
import msgspec
from macaz.server.bots import Question, Thinkers

async def main():
    limit, extra, asked = msgspec.json.decode(sys.argv[1], type=tuple[float, dict, list[Question]])
    thinkers = Thinkers(workers=3, limit=limit, extra=extra)
    try:
        await asyncio.gather(*map(thinkers.choose, asked))
    finally:
        await thinkers.close()

try:
    asyncio.run(main())
except KeyboardInterrupt:
    sys.exit("stopped")
"""


@pytest.mark.parametrize(
    ("number", "bot", "limit", "last"),
    [
        (signal.SIGINT, "dreams", 600.0, "stopped\n"),
        (signal.SIGKILL, "dreams", 600.0, ""),
        # Only its own clock can end it, which must not happen before the server is killed.
        pytest.param(signal.SIGKILL, "grips", 5.0, "", marks=pytest.mark.slow),
    ],
)
def test_no_process_outlives_the_server(number, bot, limit, last):
    game = Game("tiny", 2, seed=1)
    asked = [question(game, name) for name in ("random", bot)]
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, msgspec.json.encode((limit, EXTRA, asked)).decode()],
        stderr=subprocess.PIPE,
        process_group=0,
        text=True,
    )
    with server:
        try:
            assert server.stderr is not None
            assert server.stderr.readline() in ("dreaming\n", "gripping\n")
            os.killpg(server.pid, number)
            # The pipe closes when the last process has closed it, including those of the bots.
            _, rest = server.communicate(timeout=60)
            assert rest == last
        finally:
            server.kill()
