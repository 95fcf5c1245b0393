"""Runs bots in separate processes with a time limit, so that no request waits for a bot.

A *question* asks for a decision or for advice; `schedule` decides in which order questions are
answered, and `bot_worker` is what runs in a process.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeVar

import msgspec

from macaz.bots import BOTS, COMMAND
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
SHORT_SECONDS = 0.5  # bots with this time limit or less do not wait for slower bots
START_LIMIT = 60.0  # seconds until a process is ready, on a slow and busy machine


class ThinkingFailed(MacazError):  # noqa: N818 - named like IllegalMove
    """A question has no answer; `reason` says why, for programs."""

    def __init__(self, reason: Reason, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class Thinkers:
    """Processes that decide for bots and work out advice, started when they are first needed.

    `workers` is how many long questions are answered at the same time (`Schedule` adds some for
    shorter ones), `limit` how many seconds a decision may take, `waiting` how many questions of
    each length may be queued. The methods of `watch` are called for statistics. `extra` has the
    texts of more bots, by name.
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
        self._has_programs = any(
            text.startswith(f"{COMMAND}:") for text in self._setup.extra.values()
        )
        self._schedule: Schedule[_Pending] = Schedule(workers)
        self._max_waiting = waiting
        # One thread waits for each process; the others end processes, which may take a while, and
        # send `Drop`.
        self._threads = ThreadPoolExecutor(4 * (workers + 2), "thinker")
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
        """The action that the bot chooses, one of the legal ones; raises `ThinkingFailed`.

        Cancelling the call drops the question, even if a bot is already thinking about it.
        """
        return (await self._answer(question, priority, people)).action

    async def find(
        self,
        question: AdviceQuestion | JudgeQuestion,
        priority: Priority,
        people: tuple[str, ...],
    ) -> bytes:
        """Advice or a judgement about a position, as JSON; otherwise as `choose`."""
        return (await self._answer(question, priority, people)).found

    async def _answer(
        self, question: AnyQuestion, priority: Priority, people: tuple[str, ...]
    ) -> Answer:
        self._check_open()
        pending = _Pending(question)
        asked = self._schedule.add(pending, priority, length_of(question), people)
        self._watch.waiting(self._schedule.waiting())
        self._start_more()
        if (spare := self._schedule.too_many(asked.length, self._max_waiting)) is not None:
            self._schedule.drop(spare)
            message = f"{self._max_waiting} decisions are waiting for a bot already"
            spare.question.fail(ThinkingFailed("busy", message))
            self._watch.dropped(spare.priority)
            self._watch.waiting(self._schedule.waiting())
        try:
            return await pending.answered
        except asyncio.CancelledError:
            self._drop(asked)
            raise

    def _start_more(self) -> None:
        """Start the questions whose turn it is."""
        while (asked := self._schedule.start()) is not None:
            pending = asked.question
            self._watch.started(asked.priority, time.perf_counter() - pending.asked_at)
            pending.task = asyncio.create_task(self._think(asked))
            self._tasks.add(pending.task)
            pending.task.add_done_callback(self._tasks.discard)
        self._watch.waiting(self._schedule.waiting())

    def _drop(self, asked: Asked[_Pending]) -> None:
        """Remove a question from the queue, or stop answering it."""
        pending = asked.question
        if self._schedule.drop(asked):
            self._watch.dropped(asked.priority)
            self._watch.waiting(self._schedule.waiting())
        elif pending.task is not None and not pending.task.done():
            self._watch.dropped(asked.priority)
            if pending.worker is not None and pending.worker.thinking:
                self._give_up(pending.worker, pending.task)

    def _give_up(self, worker: _Worker, task: asyncio.Task[None]) -> None:
        """Ask a process to stop thinking; end it if it has not after `GRACE` seconds."""
        self._threads.submit(worker.drop, worker.number)
        stop = asyncio.get_running_loop().call_later(GRACE, self._stop, worker)
        task.add_done_callback(lambda _: stop.cancel())

    def _stop(self, worker: _Worker) -> None:
        """End a process that thinks; one that may run programs ends them first, and itself."""
        worker.stopped = True
        if not self._has_programs:
            worker.kill()
            return
        self._threads.submit(worker.let_end)
        asyncio.get_running_loop().call_later(2 * GRACE, worker.kill)

    async def close(self) -> None:
        """End all processes; questions without an answer fail with `ThinkingFailed`."""
        self._closed = True
        for worker in self._busy:
            self._stop(worker)
        # A task that ends starts the next question, which then fails because this is closed.
        while self._tasks:
            await asyncio.wait(self._tasks)
        await asyncio.gather(*(self._in_thread(worker.end) for worker in self._idle))
        self._idle.clear()
        await asyncio.to_thread(self._threads.shutdown)

    async def _think(self, asked: Asked[_Pending]) -> None:
        """Answer a question whose turn has come, then start the next one."""
        pending = asked.question
        try:
            answer = await self._ask_a_worker(pending)
        except Exception as error:
            pending.fail(error)
        else:
            pending.succeed(answer)
        finally:
            pending.worker = None
            self._schedule.end(asked)
            self._start_more()

    async def _ask_a_worker(self, pending: _Pending) -> Answer:
        worker = pending.worker = await self._worker()
        self._busy.add(worker)
        try:
            await self._make_ready(worker, pending.question)
            if pending.answered.cancelled() and pending.task is not None:
                self._give_up(worker, pending.task)  # dropped while the process was made ready
            answer = await self._ask(worker, pending.question)
        except BaseException:
            if not self._has_programs:
                worker.kill()
            self._threads.submit(worker.end)
            raise
        finally:
            self._busy.discard(worker)
        if worker.stopped:
            self._threads.submit(worker.end)
        else:
            self._idle.append(worker)
        if answer.failure:
            raise _failure(pending.question.thinker, answer)
        return answer

    def _cores(self) -> int:
        """How many cores one question may use: an equal share for all that run or wait."""
        return max(1, core_count() // max(1, self._schedule.running + len(self._schedule)))

    async def _worker(self) -> _Worker:
        """An idle process, or else a new one."""
        self._check_open()
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            self._threads.submit(worker.end)
        # In a thread, because starting a process may block.
        try:
            return await self._in_thread(_Worker, self._setup)
        except OSError as error:  # no memory, no more files or processes allowed
            raise self._died(f"no process for bots could be started ({error})") from None

    async def _make_ready(self, worker: _Worker, question: AnyQuestion) -> None:
        """Wait until the process has loaded what the bot needs; this is not in the time limit."""
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
    """Callbacks for statistics of questions; these do nothing."""

    def waiting(self, by_priority: Mapping[Priority, int]) -> None:
        """Questions that wait for their turn, by priority."""

    def started(self, priority: Priority, seconds: float) -> None:
        """A question was started after waiting for `seconds`."""

    def thought(self, bot: str, seconds: float) -> None:
        """A bot thought about a question for `seconds`."""

    def dropped(self, priority: Priority) -> None:
        """A question was dropped: its caller was cancelled, or too many questions waited."""


class _Pending:
    """A question, the future of its answer, and the process that works on it."""

    def __init__(self, question: AnyQuestion) -> None:
        self.question = question
        self.asked_at = time.perf_counter()
        self.answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.task: asyncio.Task[None] | None = None
        self.worker: _Worker | None = None

    def succeed(self, answer: Answer) -> None:
        if not self.answered.done():  # the caller may have been cancelled
            self.answered.set_result(answer)

    def fail(self, error: Exception) -> None:
        if not self.answered.done():
            self.answered.set_exception(error)


def length_of(question: AnyQuestion) -> Length:
    """About how long a question takes; an unknown bot may take long."""
    kind = BOTS.get(question.bot) if isinstance(question, Question) else None
    if kind is None:
        return Length.LONG
    # There is no network for a host's own map: such a bot then uses playouts, which are slower.
    if kind.limit is None and not (kind.network and question.edition_text):
        return Length.QUICK
    seconds = kind.limit.seconds if kind.limit else None
    return Length.LONG if seconds is not None and seconds > SHORT_SECONDS else Length.SHORT


def _failure(bot: str, answer: Answer) -> ThinkingFailed:
    if answer.failure == "dropped":
        return ThinkingFailed("dropped", f"the question to the bot {bot!r} was dropped")
    if answer.failure == "illegal":
        return ThinkingFailed("illegal", f"the bot {bot!r} failed: {answer.message}")
    error = ThinkingFailed("raised", f"the bot {bot!r} failed: {answer.message}")
    error.add_note(answer.trace)
    return error


class _Worker(Helper):
    """A process that thinks."""

    def __init__(self, setup: Setup) -> None:
        argument = msgspec.json.encode(setup).decode()
        # The settings in the environment may contain secrets, which a bot does not need.
        hidden = environment(without=(knob.variable for knob in KNOBS.values()))
        super().__init__(command_of("macaz.server.bot_worker", argument), hidden)
        self.ready = self.stopped = False
        self.question: AnyQuestion | None = None  # that it thinks about
        self.number = 0  # the number of the last question

    @property
    def thinking(self) -> bool:
        return self.question is not None

    def wait_ready(self) -> None:
        """Wait for `READY`: it has started, or begins to think about a question."""
        self.ready = self.read() == READY

    def put(self, question: AnyQuestion, cores: int) -> None:
        """Send a question, and wait until the bot thinks; `EOFError` if the process ends."""
        self.number += 1
        self.say(msgspec.json.encode(Think(self.number, cores, question)))
        self.wait_ready()
        self.question = question

    def drop(self, number: int) -> None:
        """Make the process answer a question at once, with the failure "dropped".

        If that question has been answered already, nothing happens.
        """
        self.say(msgspec.json.encode(Drop(number)))

    def answer(self) -> Answer:
        """Wait for the answer; `EOFError` if the process ends."""
        line = self.read()
        self.question = None
        return msgspec.json.decode(line, type=Answer)
