"""A process that plays games: a job a line comes in, a result a line goes out, as JSON.

It is started by `macaz.lab.arena.process`, and ends when nobody can ask it any more. A decision
that takes too long ends it too: nothing less stops compiled code.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from struct import Struct
from typing import BinaryIO

import msgspec

from macaz.kernel import mixed
from macaz.lab.arena.result import GameResult
from macaz.lab.arena.work import Job, play

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
    for number in (signal.SIGINT, signal.SIGTERM):  # the parent handles them
        signal.signal(number, signal.SIG_IGN)
    # What a bot prints goes to the standard error, and what it reads is nothing.
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    lines: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(asked, lines, note), daemon=True).start()
    while True:
        wanted = msgspec.json.decode(lines.get(), type=Asked)
        mixed.use_native(wanted.native)
        watch.patience = wanted.job.patience
        result = play(wanted.job, watch)
        told.write(msgspec.json.encode(Answer(result, mixed.called())) + b"\n")
        told.flush()


def _listen(asked: BinaryIO, lines: SimpleQueue[bytes], note: Path) -> None:
    """Pass jobs on; when there can be no more, end, in the midst of a game too."""
    for line in asked:
        lines.put(line)
    with suppress(OSError):  # the parent may have been killed, and leave it behind
        note.unlink()
    os._exit(0)


if __name__ == "__main__":
    main()
