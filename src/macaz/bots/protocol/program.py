"""A program that was started, and lines to and from it: never longer than a deadline.

One thread does it all: it writes, reads and drains the standard error whenever it waits, so that
no pipe of a program that behaves fills up, and none of one that does not can block us.
"""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import sys
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

from macaz.bots.protocol.failure import BotFailed, Reason
from macaz.workers import start

ALLOWANCE = 8 * 2**20  # bytes that a program may say before it has answered
CHUNK = 2**16
LOOK = 0.1  # seconds between looks whether it still runs: a child of it may hold the pipe open
GRACE = 2.0  # seconds to end by itself
LOG_LINES = 12
LOG_BYTES = 4096


class Program:
    """A running program. Whatever it does, no call outlasts its deadline, and `close` ends it."""

    def __init__(self, command: Sequence[str]) -> None:
        self.name = shlex.join(command)
        if sys.platform == "win32":
            raise BotFailed("crashed", "bots that are programs need Linux or macOS")
        pipe = subprocess.PIPE
        try:
            # Its children end with its group.
            self._process = start(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        except OSError as error:
            why = error.strerror or str(error)
            raise BotFailed("crashed", f"{self.name}: cannot be started: {why}") from None
        # It ends with us, though nobody may have closed it.
        self._finish = weakref.finalize(self, _end, self._process, os.getpid())
        self._to, self._from, self._errors = (
            _unblocked(stream)
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._selector = selectors.PollSelector()
        self._selector.register(self._from, selectors.EVENT_READ, Program._read)
        self._selector.register(self._errors, selectors.EVENT_READ, Program._read_errors)
        self._unsent, self._unread, self._log = bytearray(), bytearray(), bytearray()
        self._lines: deque[str] = deque()
        self._allowance = ALLOWANCE
        self._open = True

    @property
    def log(self) -> tuple[str, ...]:
        """The last lines of its standard error."""
        text = self._log.decode(errors="replace")
        return tuple(text.splitlines()[-LOG_LINES:])

    @property
    def exit_status(self) -> int | None:
        """How it ended; None while it runs."""
        return self._process.poll()

    def failed(self, reason: Reason, what: str) -> BotFailed:
        """The error to raise."""
        return BotFailed(reason, f"{self.name}: {what}", self.log)

    def send(self, *lines: str) -> None:
        """Say something; it goes out while an answer is waited for."""
        if not self._unsent and self._to.fileno() not in self._selector.get_map():
            self._selector.register(self._to, selectors.EVENT_WRITE, Program._write)
        self._unsent += "".join(f"{text}\n" for text in lines).encode()

    def ask(self, *lines: str) -> None:
        """Say something to be answered; what came before it is no answer, and is dropped."""
        self._allowance = ALLOWANCE
        while self._open and self._pump(0):
            self._lines.clear()
        self._lines.clear()
        self.send(*lines)

    def receive(self, deadline: float) -> str | None:
        """Its next line, or None if none has come by then; `BotFailed` where none can come."""
        while not self._lines:
            if not self._open:
                raise self._crash()
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            gone = self.exit_status is not None
            if not self._pump(min(left, LOOK)) and gone:
                raise self._crash()
        return self._lines.popleft()

    def last_words(self, deadline: float) -> list[str]:
        """What it says until it ends; `BotFailed` if it has not by then."""
        while self.exit_status is None:
            if time.monotonic() >= deadline:
                raise self.failed("timeout", "it has not ended")
            self._pump(LOOK)
        while self._pump(0):
            pass
        said = list(self._lines)
        self._lines.clear()
        return said

    def end_input(self) -> None:
        """Close its standard input, as if we were gone."""
        with suppress(KeyError):
            self._selector.unregister(self._to)
        self._to.close()

    def close(self) -> None:
        """Tell it to end, and see to it that it does: it, and all that it has started."""
        if not self._finish.alive:
            return
        with suppress(BotFailed):
            self._allowance = ALLOWANCE
            if not self._to.closed:
                self.send("quit")
            self.last_words(time.monotonic() + GRACE)
        self.kill()

    def kill(self) -> None:
        """End it now: it, and all that it has started."""
        self._selector.close()
        self._finish()

    def _pump(self, seconds: float) -> bool:
        """Wait for something to do, and do it; whether it has said anything."""
        said = False
        for key, _ in self._selector.select(seconds):
            work: Callable[[Program], bool] = key.data
            said = work(self) or said
        return said

    def _write(self) -> bool:
        try:
            del self._unsent[: os.write(self._to.fileno(), self._unsent[:CHUNK])]
        except BlockingIOError:
            return False
        except BrokenPipeError:
            self._unsent.clear()  # nobody listens; that nothing is answered will show
        if not self._unsent:
            self._selector.unregister(self._to)
        return False

    def _read(self) -> bool:
        data = os.read(self._from.fileno(), CHUNK)
        if not data:
            self._open = False
            self._selector.unregister(self._from)
            return False
        self._allowance -= len(data)
        if self._allowance < 0:
            raise self.failed("garbled", f"it said {ALLOWANCE // 2**20} MiB and no answer")
        self._unread += data
        if b"\n" in data:
            *whole, self._unread = self._unread.split(b"\n")
            try:
                self._lines += [text.decode().rstrip("\r") for text in whole]
            except UnicodeDecodeError:
                raise self.failed("garbled", "it said something that is not UTF-8") from None
        return True

    def _read_errors(self) -> bool:
        data = os.read(self._errors.fileno(), CHUNK)
        if not data:
            self._selector.unregister(self._errors)
        self._log += data
        del self._log[:-LOG_BYTES]
        return False

    def _crash(self) -> BotFailed:
        """What to say of a program from which nothing can come any more."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LOOK * 5)
        with suppress(BotFailed):
            for _ in range(LOG_LINES):  # what it said last may still lie in the pipe
                self._pump(0)
        status = self.exit_status
        if status is None:
            return self.failed("crashed", "it closed its output")
        if status < 0:
            return self.failed("crashed", f"it was ended by {_signal_name(-status)}")
        return self.failed("crashed", f"it ended, with exit status {status}")


def _unblocked(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    return stream


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """End a program and its children, and leave nothing of it."""
    if os.getpid() != owner:
        return  # a fork of ours must not end what is not its own
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()  # it may have left its group
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
