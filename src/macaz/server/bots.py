"""Bots think in processes of their own, off the event loop and under a limit.

However many bots think, and whatever they do meanwhile, a click waits for none of them. Questions
are answered in the order they were asked, by as many processes as there are cores to spare.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import IO, Literal, TypeVar

import msgspec

from macaz.errors import MacazError
from macaz.server.bot_worker import (
    GRACE,
    READY,
    AdviceQuestion,
    Answer,
    AnyQuestion,
    JudgeQuestion,
    Question,
    Setup,
)
from macaz.server.settings import KNOBS

__all__ = ["AdviceQuestion", "JudgeQuestion", "Question", "Thinkers", "ThinkingFailed"]

T = TypeVar("T")
Reason = Literal["busy", "closed", "crashed", "illegal", "late", "raised"]
START_LIMIT = 60.0  # seconds until a process is ready, on a slow and busy machine
# A thought has one core: the libraries need no threads for the others.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


class ThinkingFailed(MacazError):  # noqa: N818 - reads as the habit of the house: IllegalMove
    """A bot has not decided; `reason` says why in a word."""

    def __init__(self, reason: Reason, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class Thinkers:
    """Processes that decide for bots, started when they are first needed.

    `limit` is how many seconds a decision may take, `waiting` how many questions may wait for
    their turn. `observe` is told each bot's name and the seconds it took. `extra` names more bots
    and their places, as in `macaz.bots.BOTS`.
    """

    def __init__(
        self,
        *,
        workers: int = max(1, (os.cpu_count() or 1) - 1),
        limit: float = 10.0,
        waiting: int = 1000,
        observe: Callable[[str, float], None] | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> None:
        self._limit, self._observe = limit, observe
        self._setup = Setup(limit, dict(extra or {}))
        self._free = asyncio.Semaphore(workers)  # first come, first served
        self._asking, self._most = 0, workers + waiting
        self._threads = ThreadPoolExecutor(workers, "thinker")
        self._thoughts: set[asyncio.Task[Answer]] = set()
        self._busy: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._closed = False

    async def choose(self, question: Question) -> int:
        """The action that the bot decides on, one of the legal ones; or `ThinkingFailed`.

        A caller may be cancelled: the bot then thinks to its end, and nobody hears of it.
        """
        return (await self._answer(question)).action

    async def find(self, question: AdviceQuestion | JudgeQuestion) -> bytes:
        """What is found about a position, as JSON; otherwise as `choose`."""
        return (await self._answer(question)).found

    async def _answer(self, question: AnyQuestion) -> Answer:
        if self._asking >= self._most:
            raise ThinkingFailed("busy", f"{self._asking} decisions are waiting for a bot already")
        self._asking += 1
        try:
            await self._free.acquire()
            thought = asyncio.create_task(self._think(question))
            self._thoughts.add(thought)
            thought.add_done_callback(self._thought)
            return await asyncio.shield(thought)
        finally:
            self._asking -= 1

    async def close(self) -> None:
        """End all processes; who still waits for a decision gets `ThinkingFailed`."""
        self._closed = True
        for worker in self._busy:
            worker.kill()
        while self._thoughts:
            await asyncio.wait(self._thoughts)
        await asyncio.gather(*(self._in_thread(worker.end) for worker in self._idle))
        self._idle.clear()
        await asyncio.to_thread(self._threads.shutdown)

    def _thought(self, thought: asyncio.Task[Answer]) -> None:
        self._thoughts.discard(thought)
        self._free.release()
        if not thought.cancelled():
            thought.exception()  # its caller may have gone: nobody is to blame for not hearing it

    async def _think(self, question: AnyQuestion) -> Answer:
        worker = await self._worker()
        self._busy.add(worker)
        try:
            answer = await self._ask(worker, question)
        except BaseException:
            worker.kill()
            self._threads.submit(worker.end)
            raise
        finally:
            self._busy.discard(worker)
        self._idle.append(worker)
        if answer.failure:
            raise _failure(question.thinker, answer)
        return answer

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
                await self._in_thread(worker.put, question)
        except TimeoutError:
            why = f"it was not ready after {START_LIMIT:g} seconds"
        except _Ended as error:
            why = str(error)
        else:
            return
        raise self._died(f"a process for the bot {bot!r} did not start ({why})")

    async def _ask(self, worker: _Worker, question: AnyQuestion) -> Answer:
        bot = question.thinker
        await self._make_ready(worker, question)
        began = time.perf_counter()
        try:
            async with asyncio.timeout(self._limit):
                return await self._in_thread(worker.answer)
        except TimeoutError:
            message = f"the bot {bot!r} was stopped: it took longer than {self._limit:g} seconds"
            raise ThinkingFailed("late", message) from None
        except _Ended as error:
            raise self._died(f"the bot {bot!r} ended its process ({error})") from None
        finally:
            if self._observe is not None:
                self._observe(bot, time.perf_counter() - began)

    async def _in_thread(self, call: Callable[..., T], *args: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *args)

    def _check_open(self) -> None:
        if self._closed:
            raise ThinkingFailed("closed", "the server is closing: bots decide no more")

    def _died(self, message: str) -> ThinkingFailed:
        self._check_open()
        return ThinkingFailed("crashed", message)


def _failure(bot: str, answer: Answer) -> ThinkingFailed:
    if answer.failure == "illegal":
        return ThinkingFailed("illegal", f"the bot {bot!r} chose {answer.message}, not legal here")
    error = ThinkingFailed("raised", f"the bot {bot!r} failed: {answer.message}")
    error.add_note(answer.trace)
    return error


class _Ended(Exception):  # noqa: N818
    """A process is no more."""


class _Worker:
    """A process that thinks, and how to speak with it: from a thread, but for `kill`."""

    def __init__(self, setup: Setup) -> None:
        told = msgspec.json.encode(setup).decode()
        command = [sys.executable, "-P", "-m", "macaz.server.bot_worker", told]
        # A bot needs none of the server's secrets, which may stand in its environment.
        hidden = {knob.variable for knob in KNOBS.values()}
        environment = {k: v for k, v in os.environ.items() if k not in hidden} | ONE_THREAD
        pipe = subprocess.PIPE
        # A process group of its own, since Ctrl-C is for the server alone.
        if sys.platform == "win32":
            apart = subprocess.CREATE_NEW_PROCESS_GROUP
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, env=environment, creationflags=apart
            )
        else:
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, env=environment, process_group=0
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to: IO[bytes] = self._process.stdin
        self._from: IO[bytes] = self._process.stdout
        self.ready = False

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def wait_ready(self) -> None:
        """Return when it can be asked, or begins to think about what it was asked."""
        self.ready = self._read() == READY

    def put(self, question: AnyQuestion) -> None:
        """Ask, and return when it begins to think; `_Ended` where the process ends instead."""
        with suppress(BrokenPipeError):  # then there is no answer either
            self._to.write(msgspec.json.encode(question) + b"\n")
            self._to.flush()
        self.wait_ready()

    def answer(self) -> Answer:
        """Its answer; `_Ended` where the process ends instead."""
        return msgspec.json.decode(self._read(), type=Answer)

    def _read(self) -> bytes:
        line = self._from.readline()
        if not line.endswith(b"\n"):
            raise _Ended(f"exit status {self._wait()}")
        return line

    def kill(self) -> None:
        """End it now, whatever it does."""
        self._process.kill()

    def end(self) -> None:
        """Let it end, and leave nothing of it."""
        with suppress(BrokenPipeError):
            self._to.close()
        self._wait()
        self._from.close()

    def _wait(self) -> int:
        try:
            return self._process.wait(2 * GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
