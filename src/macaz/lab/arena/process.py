"""A process that plays games, as seen from outside: it may die, the game is played all the same."""

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
from macaz.lab.arena.worker import NOTE, Answer, Asked

if TYPE_CHECKING:
    from macaz.kernel.mixed import Beside
    from macaz.lab.arena.result import GameResult

TRIES = 3  # a process may be killed by others; who dies every time has itself to blame
# A game has one core: neither bots nor libraries need threads for the others.
ONE_THREAD = {
    "MACAZ_CORES": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
}


class Closed(BaseException):
    """The player was closed while it played: no error, but the end of it."""


class Player:
    """Plays game after game in a process of its own. For one thread, but for `close`.

    With `beside` the process goes on natively when parts of the kernel are compiled.
    """

    def __init__(self, beside: Beside | None = None) -> None:
        self._beside = beside
        handle, path = tempfile.mkstemp(prefix="macaz-arena-")
        os.write(handle, NOTE.pack(-1, 0.0))
        self._note = mmap.mmap(handle, NOTE.size)
        os.close(handle)
        self._path = Path(path)
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def play(self, job: Job) -> GameResult:
        """The result of a game; it is played anew where the process dies in it.

        A bot that takes too long, or in whose thoughts the process dies every time, has its seat
        played by a stand-in, and the result says why.
        """
        deaths: Counter[int] = Counter()
        while True:
            try:
                return self._ask(job)
            except EOFError as error:
                status = error.args[0]
            seat, since = NOTE.unpack_from(self._note)
            deaths[seat] += 1
            if seat >= 0 and time.monotonic() - since >= job.patience:
                job = _blame(job, seat, f"late: no decision within {job.patience:g} s")
            elif seat >= 0 and deaths[seat] == TRIES:
                job = _blame(job, seat, f"crash: its process ended ({status}) {TRIES} times")
            elif seat < 0 and deaths[seat] == TRIES:
                raise ArenaError(
                    f"a process that plays games ended {TRIES} times (exit status {status}), and "
                    f"no bot was thinking: deal {job.deal} of {', '.join(job.lineup)}. "
                    "Look at what it wrote above, mend that, and give the same command again."
                )

    def _ask(self, job: Job) -> GameResult:
        """One attempt; EOFError, with the exit status, where the process ends."""
        process = self._process = self._process or self._start()
        if self._closed:  # while it was being started
            process.kill()
        to, answers = _pipes(process)
        try:
            native = self._beside.ready() if self._beside else ()
            to.write(msgspec.json.encode(Asked(job, native)) + b"\n")
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
        answer = msgspec.json.decode(line, type=Answer)
        if self._beside:
            self._beside.called(answer.called)
        return answer.result

    def _start(self) -> subprocess.Popen[bytes]:
        NOTE.pack_into(self._note, 0, -1, 0.0)
        command = [sys.executable, "-P", "-m", "macaz.lab.arena.worker", str(self._path)]
        native = self._beside.environment if self._beside else {}
        environment, pipe = {**os.environ, **ONE_THREAD, **native}, subprocess.PIPE
        # A process group of its own, since Ctrl-C is for the parent alone.
        if sys.platform == "win32":
            apart = subprocess.CREATE_NEW_PROCESS_GROUP
            return subprocess.Popen(
                command, stdin=pipe, stdout=pipe, env=environment, creationflags=apart
            )
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, process_group=0)

    def close(self) -> None:
        """End the process, in the midst of a game too; `play` then raises `Closed`."""
        self._closed = True
        if process := self._process:
            process.kill()

    def forget(self) -> None:
        """Leave nothing behind, when `play` is not called any more."""
        self.close()
        if self._process:
            _end(self._process)
        self._note.close()
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


def _blame(job: Job, seat: int, why: str) -> Job:
    blamed = list(job.blamed or ("",) * len(job.lineup))
    blamed[seat] = why
    return msgspec.structs.replace(job, blamed=tuple(blamed))
