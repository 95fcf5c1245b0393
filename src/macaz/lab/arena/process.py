"""Runs a worker process that plays games, and replays a game when the process dies."""

from __future__ import annotations

import mmap
import os
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from macaz.lab.arena.settings import ArenaError
from macaz.lab.arena.work import Job
from macaz.lab.arena.worker import STATUS, Request, Response
from macaz.workers import CORES, Helper, command_of, environment

if TYPE_CHECKING:
    from macaz.kernel.mixed import Beside
    from macaz.lab.arena.result import GameResult

TRIES = 3  # deaths of the process during decisions of one seat, until its bot is replaced


class Closed(BaseException):
    """The player was closed during a game. Not an error."""


class Player:
    """Plays games one after another in a separate process. Not thread-safe, except `close`.

    With `beside`, the process switches to native code once parts of the kernel are compiled.
    """

    def __init__(self, beside: Beside | None = None) -> None:
        self._beside = beside
        handle, path = tempfile.mkstemp(prefix="macaz-arena-")
        os.write(handle, STATUS.pack(-1, 0.0))
        self._status = mmap.mmap(handle, STATUS.size)
        os.close(handle)
        self._path = Path(path)
        self._helper: Helper | None = None
        self._closed = False

    def play(self, job: Job) -> GameResult:
        """Play a game; replay it if the process dies.

        If a bot takes too long, or the process dies in its decisions `TRIES` times, a stand-in
        plays its seat, and the result says why.
        """
        deaths: Counter[int] = Counter()
        while True:
            try:
                return self._ask(job)
            except EOFError as error:
                status = error.args[0]
            seat, since = STATUS.unpack_from(self._status)
            deaths[seat] += 1
            if seat >= 0 and time.monotonic() - since >= job.patience:
                job = _replace_bot(job, seat, f"late: no decision within {job.patience:g} s")
            elif seat >= 0 and deaths[seat] == TRIES:
                job = _replace_bot(job, seat, f"crash: its process ended ({status}) {TRIES} times")
            elif seat < 0 and deaths[seat] == TRIES:
                raise ArenaError(
                    f"a process that plays games ended {TRIES} times (exit status {status}), and "
                    f"no bot was thinking: deal {job.deal} of {', '.join(job.lineup)}. "
                    "See its output above, fix the cause, and run the same command again."
                )

    def _ask(self, job: Job) -> GameResult:
        """One attempt; EOFError, with the exit status, where the process ends."""
        helper = self._helper = self._helper or self._start()
        if self._closed:  # while it was being started
            helper.kill()
        native = self._beside.ready() if self._beside else ()
        helper.say(msgspec.json.encode(Request(job, native)))
        try:
            answer = msgspec.json.decode(helper.read(), type=Response)
        except EOFError:
            self._helper = None
            helper.end()
            if self._closed:
                raise Closed from None
            raise
        if self._beside:
            self._beside.called(answer.called)
        return answer.result

    def _start(self) -> Helper:
        STATUS.pack_into(self._status, 0, -1, 0.0)
        native = self._beside.environment if self._beside else {}
        # One core for each game, so a bot should not start threads.
        return Helper(
            command_of("macaz.lab.arena.worker", str(self._path)),
            environment({CORES: "1", **native}),
        )

    def close(self) -> None:
        """End the process, even during a game; `play` then raises `Closed`."""
        self._closed = True
        if helper := self._helper:
            helper.kill()

    def clean_up(self) -> None:
        """End the process and delete its file; call it after the last `play`."""
        self.close()
        if self._helper:
            self._helper.end()
        self._status.close()
        self._path.unlink(missing_ok=True)


def _replace_bot(job: Job, seat: int, why: str) -> Job:
    replaced = list(job.replaced or ("",) * len(job.lineup))
    replaced[seat] = why
    return msgspec.structs.replace(job, replaced=tuple(replaced))
