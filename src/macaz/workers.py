"""Helper processes: how one is started, asked, stopped and ended; and how many cores there are.

A helper is a program of ours in a process of its own: it is asked on its standard input and
answers on its standard output, a line each way. It has a process group of its own, so that Ctrl-C
reaches its parent alone, and it ends when its standard input is closed: a parent that is killed
leaves no process behind.

`Helper` is a process as its parent sees it, `Parent` the reverse. `docs/decisions.md` says which
processes are started in other ways, and why.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from macaz.errors import MacazError

GRACE = 1.0  # seconds that a helper has to end by itself
# A helper works on one core: the libraries need no threads for the others.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
CORES = "MACAZ_CORES"  # the variable that says how many cores a process may use
STOPS = (signal.SIGINT, signal.SIGTERM)


def core_count() -> int:
    """How many cores this process may use: what MACAZ_CORES says, or all that it is given."""
    if told := os.environ.get(CORES):
        if not told.isdecimal() or int(told) < 1:
            raise MacazError(f"{CORES} is how many cores to use, 1 or more, not {told!r}")
        return int(told)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# -- the parent's side -----------------------------------------------------------------------------


def start(command: Sequence[str], *, idle: bool = False, **options: Any) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own; `options` are those of `Popen`.

    A group and not a session: Linux would give a session a share of the processor that no low
    priority makes smaller. `idle` is the lowest priority on Windows, where a process cannot lower
    its own as `stand_back` does elsewhere.
    """
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
        if idle:
            flags |= subprocess.IDLE_PRIORITY_CLASS
        return subprocess.Popen(command, creationflags=flags, **options)
    return subprocess.Popen(command, process_group=0, **options)


def command_of(module: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a module; none is imported from the current folder."""
    return (sys.executable, "-P", "-m", module, *arguments)


def environment(
    more: Mapping[str, str] | None = None, *, without: Iterable[str] = ()
) -> dict[str, str]:
    """The environment of a helper: this one, on one thread, without some names, with others."""
    hidden = frozenset(without)
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return {**kept, **ONE_THREAD, **(more or {})}


class Helper:
    """A helper process. For one thread, but for `say`, `send`, `alive`, `let_end` and `kill`.

    `stdout` and `stderr` are as for `Popen`: with another `stdout` it gives no answers.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        stdout: int | None = subprocess.PIPE,
        stderr: IO[bytes] | None = None,
        idle: bool = False,
    ) -> None:
        pipe = subprocess.PIPE
        self._process = start(
            command, idle=idle, stdin=pipe, stdout=stdout, stderr=stderr, env=environment
        )
        self._saying = threading.Lock()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    @property
    def status(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._process.poll()

    def say(self, line: bytes) -> None:
        """Say a line, which has no line break. If the process has ended, `read` will show it."""
        self.send(line + b"\n")

    def send(self, data: bytes) -> None:
        """The same for any bytes, as they are."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError, ValueError), self._saying:  # ended, or closed by `end`
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def read(self) -> bytes:
        """Its next line, without the line break; where it ends, `EOFError` with the exit status."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError(self._wait_or_kill())
        return line.removesuffix(b"\n")

    def wait(self, seconds: float | None = None) -> int | None:
        """Its exit status, when it has ended; None if it has not after so many seconds."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """End it now, whatever it does."""
        self._process.kill()

    def let_end(self) -> None:
        """Close its input, at which it ends by itself."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()

    def end(self) -> int:
        """Let it end, kill it if it does not, and leave nothing of it; its exit status."""
        self.let_end()
        status = self._wait_or_kill()
        if self._process.stdout is not None:
            self._process.stdout.close()
        return status

    def _wait_or_kill(self) -> int:
        status = self.wait(2 * GRACE)
        if status is None:
            self.kill()
            status = self._process.wait()
        return status


# -- the helper's side -----------------------------------------------------------------------------


class Parent:
    """The parent of this process: lines come from it and go to it.

    From now on what is printed goes to the standard error, and what is read is nothing.
    """

    def __init__(self) -> None:
        self._from, self._to = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        with Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)

    def tell(self, line: bytes) -> None:
        """Say a line, which has no line break; nothing happens where the parent is gone."""
        with suppress(BrokenPipeError):
            self._to.write(line + b"\n")
            self._to.flush()

    def listen(self, heard: Callable[[bytes], None], gone: Callable[[], None]) -> None:
        """Pass on each line that comes, in a thread, and then that no more can come."""

        def run() -> None:
            for line in self._from:
                heard(line)
            gone()

        threading.Thread(target=run, daemon=True).start()


def end_with_parent(status: int) -> None:
    """End this process, in a thread, when its standard input is closed.

    For one that is asked nothing any more, and may end by itself: Python cannot go down while a
    thread waits in `sys.stdin`, or in any other buffered file.
    """

    def watch() -> None:
        while os.read(0, 1):
            pass
        os._exit(status)

    threading.Thread(target=watch, daemon=True).start()


def ignore_stops() -> None:
    """Leave it to the parent what INT and TERM mean: they are often sent to many processes."""
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)


def stop_at_once() -> None:
    """Let INT and TERM end this process at once, in compiled code too, whatever it inherited."""
    for number in STOPS:
        signal.signal(number, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def stand_back(niceness: int) -> None:
    """Let others use the processor first, where the system can."""
    if hasattr(os, "nice"):
        os.nice(niceness)
