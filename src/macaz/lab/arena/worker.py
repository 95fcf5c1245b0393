"""A process that plays games: a job a line comes in, a result a line goes out, as JSON.

It is started by `macaz.lab.arena.process`, and ends when nobody can ask it any more. A decision
that takes too long ends it too: nothing less stops compiled code.
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

NOTE = Struct("=bd")  # the seat that thinks, or -1, and since when
SLACK = 1.0  # seconds; the alarm is set again so rarely, since setting it costs more than a move


class Asked(msgspec.Struct):
    """A line that comes in: a game to play, and the entries of the kernel to call natively."""

    job: Job
    native: tuple[str, ...] = ()


class Answer(msgspec.Struct):
    """A line that goes out: the result, and the entries of the kernel that were called so far."""

    result: GameResult
    called: frozenset[str]


class Watch:
    """Notes who thinks where the parent can read it, and ends the process of who never stops."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._note = mmap.mmap(file.fileno(), NOTE.size)
        self._nowhere = Path(os.devnull).open("w")  # noqa: SIM115 - as long as the process
        self._set = 0.0
        self.patience = 0.0

    def __call__(self, seat: int) -> None:
        """A seat is asked, or nobody is: -1."""
        now = time.monotonic()
        NOTE.pack_into(self._note, 0, seat, now)
        if seat < 0:
            faulthandler.cancel_dump_traceback_later()
            self._set = 0.0
        elif now - self._set > SLACK:
            limit = self.patience + SLACK
            faulthandler.dump_traceback_later(limit, exit=True, file=self._nowhere)
            self._set = now


def main() -> None:
    """Play the games that standard input asks for, until it ends."""
    note = Path(sys.argv[1])
    watch = Watch(note)
    ignore_stops()
    parent = Parent()
    lines: SimpleQueue[bytes] = SimpleQueue()
    parent.listen(lines.put, partial(_end, note))
    while True:
        wanted = msgspec.json.decode(lines.get(), type=Asked)
        mixed.use_native(wanted.native)
        watch.patience = wanted.job.patience
        result = play(wanted.job, watch)
        parent.tell(msgspec.json.encode(Answer(result, mixed.called())))


def _end(note: Path) -> None:
    """There can be no more jobs: end, in the midst of a game too."""
    with suppress(OSError):  # the parent may have been killed, and leave it behind
        note.unlink()
    os._exit(0)


if __name__ == "__main__":
    main()
