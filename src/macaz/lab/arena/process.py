"""Runs a worker process that plays games, and replays a game when the process dies."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

from macaz.lab.arena.settings import ArenaError
from macaz.lab.arena.work import Job
from macaz.lab.arena.worker import STATUS, Request, Response

if TYPE_CHECKING:
    from macaz.kernel.mixed import Beside
    from macaz.lab.arena.result import GameResult

TRIES = 3  # deaths of the process during decisions of one seat, until its bot is replaced
# A game uses one core, so bots and libraries get one thread.
ONE_THREAD = {
    "MACAZ_CORES": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
}


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
        self._process: subprocess.Popen[bytes] | None = None
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
        """Send a job and wait for the result; EOFError with the exit status if the process ends."""
        process = self._process = self._process or self._start()
        if self._closed:  # during the start
            process.kill()
        to, answers = _pipes(process)
        try:
            native = self._beside.ready() if self._beside else ()
            to.write(msgspec.json.encode(Request(job, native)) + b"\n")
            to.flush()
            line = answers.readline()
        except BrokenPipeError:
            line = b""
        if not line.endswith(b"\n"):
            self._process = None
            _end(process)
            if self._closed:
                raise Closed
            raise EOFError(process.returncode)
        answer = msgspec.json.decode(line, type=Response)
        if self._beside:
            self._beside.called(answer.called)
        return answer.result

    def _start(self) -> subprocess.Popen[bytes]:
        STATUS.pack_into(self._status, 0, -1, 0.0)
        command = [sys.executable, "-P", "-m", "macaz.lab.arena.worker", str(self._path)]
        native = self._beside.environment if self._beside else {}
        environment, pipe = {**os.environ, **ONE_THREAD, **native}, subprocess.PIPE
        # A separate process group, so that Ctrl-C reaches the parent only.
        if sys.platform == "win32":
            apart = subprocess.CREATE_NEW_PROCESS_GROUP
            return subprocess.Popen(
                command, stdin=pipe, stdout=pipe, env=environment, creationflags=apart
            )
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, process_group=0)

    def close(self) -> None:
        """End the process, even during a game; `play` then raises `Closed`."""
        self._closed = True
        if process := self._process:
            process.kill()

    def clean_up(self) -> None:
        """End the process and delete its file; call it after the last `play`."""
        self.close()
        if self._process:
            _end(self._process)
        self._status.close()
        self._path.unlink(missing_ok=True)


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in _pipes(process):
        with suppress(BrokenPipeError):
            pipe.close()
    process.wait()


def _replace_bot(job: Job, seat: int, why: str) -> Job:
    replaced = list(job.replaced or ("",) * len(job.lineup))
    replaced[seat] = why
    return msgspec.structs.replace(job, replaced=tuple(replaced))
