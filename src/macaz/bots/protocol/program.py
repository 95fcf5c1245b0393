"""A subprocess that exchanges lines over its standard input and output, with deadlines.

All pipes are non-blocking and served by the calling thread whenever it waits: it writes, reads, and
drains the standard error. So no pipe fills up, and a program that does not read cannot block us.
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

from macaz.bots.cancellation import check_cancelled
from macaz.bots.protocol.failure import BotFailed, Reason
from macaz.workers import start

MOST_OUTPUT = 8 * 2**20  # bytes that a program may write before it answers
CHUNK = 2**16
POLL = 0.1  # seconds between checks of the exit status: a child may keep the pipe open
GRACE = 2.0  # seconds to exit before it is killed
LOG_LINES = 12
LOG_BYTES = 4096


class Program:
    """A running program. No call lasts longer than its deadline, and `close` ends the program."""

    def __init__(self, command: Sequence[str]) -> None:
        self.name = shlex.join(command)
        if sys.platform == "win32":
            raise BotFailed("crashed", "external bots need Linux or macOS")
        pipe = subprocess.PIPE
        try:
            # Its children are killed with its process group.
            self._process = start(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        except OSError as error:
            why = error.strerror or str(error)
            raise BotFailed("crashed", f"{self.name}: cannot be started: {why}") from None
        # Also kills it when this object is collected or this process exits.
        self._finish = weakref.finalize(self, _kill, self._process, os.getpid())
        self._to, self._from, self._errors = (
            _nonblocking(stream)
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._selector = selectors.PollSelector()
        self._selector.register(self._from, selectors.EVENT_READ, Program._read)
        self._selector.register(self._errors, selectors.EVENT_READ, Program._read_errors)
        self._unsent, self._unread, self._log = bytearray(), bytearray(), bytearray()
        self._lines: deque[str] = deque()
        self._output_left = MOST_OUTPUT
        self._open = True

    @property
    def log(self) -> tuple[str, ...]:
        """The last lines of its standard error."""
        text = self._log.decode(errors="replace")
        return tuple(text.splitlines()[-LOG_LINES:])

    @property
    def exit_status(self) -> int | None:
        """The exit status; None while it runs."""
        return self._process.poll()

    def failed(self, reason: Reason, what: str) -> BotFailed:
        """A `BotFailed` for this program, with its log."""
        return BotFailed(reason, f"{self.name}: {what}", self.log)

    def send(self, *lines: str) -> None:
        """Queue lines, which are written while `receive` waits."""
        if not self._unsent and self._to.fileno() not in self._selector.get_map():
            self._selector.register(self._to, selectors.EVENT_WRITE, Program._write)
        self._unsent += "".join(f"{text}\n" for text in lines).encode()

    def ask(self, *lines: str) -> None:
        """Queue a request; output that came before it is discarded."""
        self._output_left = MOST_OUTPUT
        while self._open and self._serve_pipes(0):
            self._lines.clear()
        self._lines.clear()
        self.send(*lines)

    def receive(self, deadline: float) -> str | None:
        """The next line, or None at the deadline; `BotFailed` if the program has ended."""
        while not self._lines:
            check_cancelled()
            if not self._open:
                raise self._crash()
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            gone = self.exit_status is not None
            if not self._serve_pipes(min(left, POLL)) and gone:
                raise self._crash()
        return self._lines.popleft()

    def wait(self, deadline: float) -> list[str]:
        """The lines it writes until it exits; `BotFailed` if it has not by the deadline."""
        while self.exit_status is None:
            if time.monotonic() >= deadline:
                raise self.failed("timeout", "it has not exited")
            self._serve_pipes(POLL)
        while self._serve_pipes(0):
            pass
        written = list(self._lines)
        self._lines.clear()
        return written

    def end_input(self) -> None:
        """Close its standard input."""
        with suppress(KeyError):
            self._selector.unregister(self._to)
        self._to.close()

    def close(self) -> None:
        """Ask it to quit, then kill it and its children."""
        if not self._finish.alive:
            return
        with suppress(BotFailed):
            self._output_left = MOST_OUTPUT
            if not self._to.closed:
                self.send("quit")
            self.wait(time.monotonic() + GRACE)
        self.kill()

    def kill(self) -> None:
        """Kill it and its children."""
        self._selector.close()
        self._finish()

    def _serve_pipes(self, seconds: float) -> bool:
        """Wait for pipes that are ready and serve them; whether output was read."""
        read = False
        for key, _ in self._selector.select(seconds):
            work: Callable[[Program], bool] = key.data
            read = work(self) or read
        return read

    def _write(self) -> bool:
        try:
            del self._unsent[: os.write(self._to.fileno(), self._unsent[:CHUNK])]
        except BlockingIOError:
            return False
        except BrokenPipeError:
            self._unsent.clear()  # `receive` will report that it has ended
        if not self._unsent:
            self._selector.unregister(self._to)
        return False

    def _read(self) -> bool:
        data = os.read(self._from.fileno(), CHUNK)
        if not data:
            self._open = False
            self._selector.unregister(self._from)
            return False
        self._output_left -= len(data)
        if self._output_left < 0:
            raise self.failed("garbled", f"it wrote {MOST_OUTPUT // 2**20} MiB without an answer")
        self._unread += data
        if b"\n" in data:
            *whole, self._unread = self._unread.split(b"\n")
            try:
                self._lines += [text.decode().rstrip("\r") for text in whole]
            except UnicodeDecodeError:
                raise self.failed("garbled", "its output is not UTF-8") from None
        return True

    def _read_errors(self) -> bool:
        data = os.read(self._errors.fileno(), CHUNK)
        if not data:
            self._selector.unregister(self._errors)
        self._log += data
        del self._log[:-LOG_BYTES]
        return False

    def _crash(self) -> BotFailed:
        """The error for a program that has ended or closed its output."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(POLL * 5)
        with suppress(BotFailed):
            for _ in range(LOG_LINES):  # its last output may still be in the pipe
                self._serve_pipes(0)
        status = self.exit_status
        if status is None:
            return self.failed("crashed", "it closed its output")
        if status < 0:
            return self.failed("crashed", f"it was killed by {_signal_name(-status)}")
        return self.failed("crashed", f"it ended with exit status {status}")


def _nonblocking(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    return stream


def _kill(process: subprocess.Popen[bytes], owner: int) -> None:
    """Kill a program and its children, and close the pipes."""
    if os.getpid() != owner:
        return  # a forked process does not own the program
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
