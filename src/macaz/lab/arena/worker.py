"""The worker process: reads jobs from standard input and writes results, as JSON Lines.

It is started by `macaz.lab.arena.process`, and ends at the end of its input. A decision that takes
too long ends it, too: compiled code cannot be stopped otherwise.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from struct import Struct

import msgspec

from macaz.kernel import mixed
from macaz.lab.arena.result import GameResult
from macaz.lab.arena.work import Job, play
from macaz.workers import Parent, ignore_stops

STATUS = Struct("=bd")  # the seat that is thinking, or -1, and since when (monotonic clock)
SLACK = 1.0  # seconds until the timer is set again, as setting it takes longer than a fast move


class Request(msgspec.Struct):
    """A line of input: a game to play, and the kernel entries to call natively."""

    job: Job
    native: tuple[str, ...] = ()


class Response(msgspec.Struct):
    """A line of output: the result, and the kernel entries that were called so far."""

    result: GameResult
    called: frozenset[str]


class Watch:
    """Shares with the parent which seat is thinking, and ends the process after the time limit."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._status = mmap.mmap(file.fileno(), STATUS.size)
        self._devnull = Path(os.devnull).open("w")  # noqa: SIM115 - open as long as the process runs
        self._set = 0.0
        self.patience = 0.0

    def __call__(self, seat: int) -> None:
        """Record the seat that is thinking; -1 for none."""
        now = time.monotonic()
        STATUS.pack_into(self._status, 0, seat, now)
        if seat < 0:
            faulthandler.cancel_dump_traceback_later()
            self._set = 0.0
        elif now - self._set > SLACK:
            limit = self.patience + SLACK
            faulthandler.dump_traceback_later(limit, exit=True, file=self._devnull)
            self._set = now


def main() -> None:
    """Play the games requested on standard input until it ends."""
    path = Path(sys.argv[1])
    watch = Watch(path)
    ignore_stops()
    parent = Parent()
    lines: SimpleQueue[bytes] = SimpleQueue()
    parent.listen(lines.put, partial(_end, path))
    while True:
        request = msgspec.json.decode(lines.get(), type=Request)
        mixed.use_native(request.native)
        watch.patience = request.job.patience
        result = play(request.job, watch)
        parent.tell(msgspec.json.encode(Response(result, mixed.called())))


def _end(path: Path) -> None:
    """Exit at the end of input, even during a game."""
    with suppress(OSError):  # left behind if the parent was killed
        path.unlink()
    os._exit(0)


if __name__ == "__main__":
    main()
