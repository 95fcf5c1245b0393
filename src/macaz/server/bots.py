"""Bots think in processes of their own, off the event loop and under a limit.

However many bots think, and whatever they do meanwhile, a click waits for none of them. `schedule`
says in which order questions are answered.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeVar

import msgspec

from macaz.bots import BOTS
from macaz.errors import MacazError
from macaz.server.bot_worker import (
    READY,
    AdviceQuestion,
    Answer,
    AnyQuestion,
    Drop,
    JudgeQuestion,
    Question,
    Setup,
    Think,
)
from macaz.server.schedule import Asked, Length, Priority, Schedule
from macaz.server.settings import KNOBS
from macaz.workers import GRACE, Helper, command_of, core_count, environment

__all__ = ["AdviceQuestion", "JudgeQuestion", "Question", "Thinkers", "ThinkingFailed"]

T = TypeVar("T")
Reason = Literal["busy", "closed", "crashed", "dropped", "illegal", "late", "raised"]
SHORT_SECONDS = 0.5  # of bots that need not wait for those who think longer
START_LIMIT = 60.0  # seconds until a process is ready, on a slow and busy machine


class ThinkingFailed(MacazError):  # noqa: N818 - reads as the habit of the house: IllegalMove
    """A bot has not decided; `reason` says why in a word."""

    def __init__(self, reason: Reason, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class Thinkers:
    """Processes that decide for bots and work out advice, started when they are first needed.

    `workers` is how many long questions are answered at the same time (`Schedule` says how many
    others), `limit` how many seconds a decision may take, `waiting` how many questions of each
    length may wait for their turn. `watch` is told what happens. `extra` names more bots and their
    places, as in `macaz.bots.BOTS`.
    """

    def __init__(
        self,
        *,
        workers: int,
        limit: float,
        waiting: int = 1000,
        watch: Watch | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> None:
        self._limit, self._watch = limit, watch or Watch()
        self._setup = Setup(limit, dict(extra or {}))
        self._schedule: Schedule[_Thought] = Schedule(workers)
        self._most = waiting
        # One waits for each process; others end processes and drop questions.
        self._threads = ThreadPoolExecutor(2 * (workers + 2), "thinker")
        self._tasks: set[asyncio.Task[None]] = set()
        self._busy: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._closed = False

    async def choose(
        self,
        question: Question,
        priority: Priority = Priority.PEOPLE,
        people: tuple[str, ...] = (),
    ) -> int:
        """The action that the bot decides on, one of the legal ones; or `ThinkingFailed`.

        A caller that is cancelled drops the question, whether it is being thought about or not.
        """
        return (await self._answer(question, priority, people)).action

    async def find(
        self,
        question: AdviceQuestion | JudgeQuestion,
        priority: Priority,
        people: tuple[str, ...],
    ) -> bytes:
        """What is found about a position, as JSON; otherwise as `choose`."""
        return (await self._answer(question, priority, people)).found

    async def _answer(
        self, question: AnyQuestion, priority: Priority, people: tuple[str, ...]
    ) -> Answer:
        self._check_open()
        thought = _Thought(question)
        asked = self._schedule.add(thought, priority, length_of(question), people)
        self._watch.waiting(self._schedule.waiting())
        self._start_more()
        if (spare := self._schedule.too_many(asked.length, self._most)) is not None:
            self._schedule.drop(spare)
            message = f"{self._most} decisions are waiting for a bot already"
            spare.question.fail(ThinkingFailed("busy", message))
            self._watch.dropped(spare.priority)
            self._watch.waiting(self._schedule.waiting())
        try:
            return await thought.answered
        except asyncio.CancelledError:
            self._drop(asked)
            raise

    def _start_more(self) -> None:
        """Begin to answer what may be answered now."""
        while (asked := self._schedule.start()) is not None:
            thought = asked.question
            self._watch.started(asked.priority, time.perf_counter() - thought.asked_at)
            thought.task = asyncio.create_task(self._think(asked))
            self._tasks.add(thought.task)
            thought.task.add_done_callback(self._tasks.discard)
        self._watch.waiting(self._schedule.waiting())

    def _drop(self, asked: Asked[_Thought]) -> None:
        """Nobody waits for an answer any more."""
        thought = asked.question
        if self._schedule.drop(asked):
            self._watch.dropped(asked.priority)
            self._watch.waiting(self._schedule.waiting())
        elif thought.task is not None and not thought.task.done():
            self._watch.dropped(asked.priority)
            if thought.worker is not None and thought.worker.thinking:
                self._give_up(thought.worker, thought.task)

    def _give_up(self, worker: _Worker, task: asyncio.Task[None]) -> None:
        """Let a process end its thought; one that does not listen is ended."""
        self._threads.submit(worker.drop, worker.number)
        kill = asyncio.get_running_loop().call_later(GRACE, worker.kill)
        task.add_done_callback(lambda _: kill.cancel())

    async def close(self) -> None:
        """End all processes; who still waits for a decision gets `ThinkingFailed`."""
        self._closed = True
        for worker in self._busy:
            worker.kill()
        # Each that ends lets others begin, which then find that this is closed.
        while self._tasks:
            await asyncio.wait(self._tasks)
        await asyncio.gather(*(self._in_thread(worker.end) for worker in self._idle))
        self._idle.clear()
        await asyncio.to_thread(self._threads.shutdown)

    async def _think(self, asked: Asked[_Thought]) -> None:
        """Answer a question whose turn has come, and let the next one begin."""
        thought = asked.question
        try:
            answer = await self._ask_a_worker(thought)
        except Exception as error:
            thought.fail(error)
        else:
            thought.succeed(answer)
        finally:
            thought.worker = None
            self._schedule.end(asked)
            self._start_more()

    async def _ask_a_worker(self, thought: _Thought) -> Answer:
        worker = thought.worker = await self._worker()
        self._busy.add(worker)
        try:
            await self._make_ready(worker, thought.question)
            if thought.answered.cancelled() and thought.task is not None:
                self._give_up(worker, thought.task)  # before, it could not be dropped
            answer = await self._ask(worker, thought.question)
        except BaseException:
            worker.kill()
            self._threads.submit(worker.end)
            raise
        finally:
            self._busy.discard(worker)
        self._idle.append(worker)
        if answer.failure:
            raise _failure(thought.question.thinker, answer)
        return answer

    def _cores(self) -> int:
        """How many cores a thought may use: those that no other thought could use."""
        return max(1, core_count() // max(1, self._schedule.running + len(self._schedule)))

    async def _worker(self) -> _Worker:
        """A process that is free, or else a new one."""
        self._check_open()
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            self._threads.submit(worker.end)
        # In a thread, as all that concerns a process: starting one may take its time.
        try:
            return await self._in_thread(_Worker, self._setup)
        except OSError as error:  # no memory, no more files or processes allowed
            raise self._died(f"no process for bots could be started ({error})") from None

    async def _make_ready(self, worker: _Worker, question: AnyQuestion) -> None:
        """The process has started, and has what this bot needs; neither counts as thinking."""
        self._check_open()  # it may have been closed while the process was started
        bot = question.thinker
        try:
            async with asyncio.timeout(START_LIMIT):
                if not worker.ready:
                    await self._in_thread(worker.wait_ready)
                await self._in_thread(worker.put, question, self._cores())
        except TimeoutError:
            why = f"it was not ready after {START_LIMIT:g} seconds"
        except EOFError as error:
            why = f"exit status {error}"
        else:
            return
        raise self._died(f"a process for the bot {bot!r} did not start ({why})")

    async def _ask(self, worker: _Worker, question: AnyQuestion) -> Answer:
        bot = question.thinker
        began = time.perf_counter()
        try:
            async with asyncio.timeout(self._limit):
                return await self._in_thread(worker.answer)
        except TimeoutError:
            message = f"the bot {bot!r} was stopped: it took longer than {self._limit:g} seconds"
            raise ThinkingFailed("late", message) from None
        except EOFError as error:
            why = f"the bot {bot!r} ended its process (exit status {error})"
            raise self._died(why) from None
        finally:
            self._watch.thought(bot, time.perf_counter() - began)

    async def _in_thread(self, call: Callable[..., T], *args: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *args)

    def _check_open(self) -> None:
        if self._closed:
            raise ThinkingFailed("closed", "the server is closing: bots decide no more")

    def _died(self, message: str) -> ThinkingFailed:
        self._check_open()
        return ThinkingFailed("crashed", message)


class Watch:
    """What is told of all thinking; by default nobody listens."""

    def waiting(self, by_priority: Mapping[Priority, int]) -> None:
        """So many questions wait for their turn."""

    def started(self, priority: Priority, seconds: float) -> None:
        """A question's turn has come after so many seconds."""

    def thought(self, bot: str, seconds: float) -> None:
        """A bot has thought so long about a decision."""

    def dropped(self, priority: Priority) -> None:
        """A question was given up: no one waited for its answer, or too many questions waited."""


class _Thought:
    """A question with the one who waits for its answer."""

    def __init__(self, question: AnyQuestion) -> None:
        self.question = question
        self.asked_at = time.perf_counter()
        self.answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.task: asyncio.Task[None] | None = None
        self.worker: _Worker | None = None

    def succeed(self, answer: Answer) -> None:
        if not self.answered.done():  # whoever waited may have gone
            self.answered.set_result(answer)

    def fail(self, error: Exception) -> None:
        if not self.answered.done():
            self.answered.set_exception(error)


def length_of(question: AnyQuestion) -> Length:
    """About how long a question takes; what nobody knows may take long."""
    kind = BOTS.get(question.bot) if isinstance(question, Question) else None
    if kind is None:
        return Length.LONG
    # On a map of somebody's own there is no network: such bots play the game to its end there.
    if kind.limit is None and not (kind.network and question.edition_text):
        return Length.QUICK
    seconds = kind.limit.seconds if kind.limit else None
    return Length.LONG if seconds is not None and seconds > SHORT_SECONDS else Length.SHORT


def _failure(bot: str, answer: Answer) -> ThinkingFailed:
    if answer.failure == "dropped":
        return ThinkingFailed("dropped", f"nobody waits for the bot {bot!r} any more")
    if answer.failure == "illegal":
        return ThinkingFailed("illegal", f"the bot {bot!r} chose {answer.message}, not legal here")
    error = ThinkingFailed("raised", f"the bot {bot!r} failed: {answer.message}")
    error.add_note(answer.trace)
    return error


class _Worker(Helper):
    """A process that thinks."""

    def __init__(self, setup: Setup) -> None:
        told = msgspec.json.encode(setup).decode()
        # A bot needs none of the server's secrets, which may stand in its environment.
        secrets = (knob.variable for knob in KNOBS.values())
        super().__init__(command_of("macaz.server.bot_worker", told), environment(without=secrets))
        self.ready = False
        self.asked: AnyQuestion | None = None  # that it thinks about, or did last
        self.thinking = False
        self.number = 0  # of the last question

    def wait_ready(self) -> None:
        """Return when it can be asked, or begins to think about what it was asked."""
        self.ready = self.read() == READY

    def put(self, question: AnyQuestion, cores: int) -> None:
        """Ask, and return when it begins to think; `EOFError` where the process ends instead."""
        self.asked = question
        self.number += 1
        self.say(msgspec.json.encode(Think(self.number, cores, question)))
        self.wait_ready()
        self.thinking = True

    def drop(self, number: int) -> None:
        """Give a question up: its answer then comes at once, as a failure.

        Nothing happens if it is not the last question any more.
        """
        self.say(msgspec.json.encode(Drop(number)))

    def answer(self) -> Answer:
        """Its answer; `EOFError` where the process ends instead."""
        line = self.read()
        self.thinking = False
        return msgspec.json.decode(line, type=Answer)
