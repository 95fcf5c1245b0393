"""A process that plays games, as seen from outside: it may die, the game is played all the same."""

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
from macaz.lab.arena.worker import NOTE, Answer, Asked
from macaz.workers import CORES, Helper, command_of, environment

if TYPE_CHECKING:
    from macaz.kernel.mixed import Beside
    from macaz.lab.arena.result import GameResult

TRIES = 3  # a process may be killed by others; who dies every time has itself to blame


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
        self._helper: Helper | None = None
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
        helper = self._helper = self._helper or self._start()
        if self._closed:  # while it was being started
            helper.kill()
        native = self._beside.ready() if self._beside else ()
        helper.say(msgspec.json.encode(Asked(job, native)))
        try:
            answer = msgspec.json.decode(helper.read(), type=Answer)
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
        NOTE.pack_into(self._note, 0, -1, 0.0)
        native = self._beside.environment if self._beside else {}
        # A game has one core: bots need no threads for the others either.
        return Helper(
            command_of("macaz.lab.arena.worker", str(self._path)),
            environment({CORES: "1", **native}),
        )

    def close(self) -> None:
        """End the process, in the midst of a game too; `play` then raises `Closed`."""
        self._closed = True
        if helper := self._helper:
            helper.kill()

    def forget(self) -> None:
        """Leave nothing behind, when `play` is not called any more."""
        self.close()
        if self._helper:
            self._helper.end()
        self._note.close()
        self._path.unlink(missing_ok=True)


def _blame(job: Job, seat: int, why: str) -> Job:
    blamed = list(job.blamed or ("",) * len(job.lineup))
    blamed[seat] = why
    return msgspec.structs.replace(job, blamed=tuple(blamed))
