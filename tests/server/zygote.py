"""A server process that starts at once, so that a test can kill it hundreds of times.

The zygote imports all large modules and compiles the kernel, once. On request it forks: the child
is a real process, and runs within milliseconds.

    with Zygote("tests.server.some_module:serve") as zygote:
        server = zygote.spawn(port=8000)
        server.kill()
        server = zygote.spawn(port=8000)
"""

from __future__ import annotations

import gc
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0  # seconds; the first start on a slow machine compiles the kernel


class Zygote:
    """The process that waits to be forked. `function` is named as "module:function"."""

    def __init__(self, function: str) -> None:
        self._channel, theirs = socket.socketpair()
        self._channel.settimeout(PATIENCE)
        self._answers = self._channel.makefile()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.server.zygote", function, str(theirs.fileno())],
                cwd=ROOT,
                # Threads of a numeric library would not survive a fork.
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is for the tests, which then end the servers
            )
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def spawn(self, **arguments: Any) -> Spawned:
        """Fork a child that calls the function with these arguments (of JSON), and then ends."""
        return Spawned(self, self.ask({"spawn": arguments}))

    def ask(self, request: dict[str, Any]) -> Any:
        """Send a request to the zygote; several threads may do so at the same time."""
        try:
            with self._lock:
                self._channel.sendall(json.dumps(request).encode() + b"\n")
                return json.loads(self._answers.readline())
        except (ConnectionError, json.JSONDecodeError) as error:
            raise RuntimeError("the zygote has ended; its error output says why") from error

    def close(self) -> None:
        """End the zygote and all children that still run."""
        try:
            self._answers.close()
            self._channel.close()
            self._process.wait(PATIENCE)
        finally:
            self._process.kill()
            self._process.wait()


class Spawned:
    """A child of the zygote."""

    def __init__(self, zygote: Zygote, pid: int) -> None:
        self._zygote = zygote
        self.pid = pid
        self._status: int | None = None

    def poll(self) -> int | None:
        """Its exit status, as in `subprocess` (minus the signal if killed); None if it runs."""
        if self._status is None:
            self._status = self._zygote.ask({"poll": self.pid})
        return self._status

    def wait(self, timeout: float = PATIENCE) -> int:
        """Return when it has ended."""
        deadline = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > deadline:
                raise TimeoutError(f"process {self.pid} still runs")
            time.sleep(0.002)
        return status

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, if it still runs."""
        # Until it is polled, an ended process keeps its number, so no other process gets the
        # signal.
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """`kill -9`; return when it is gone."""
        self.signal(signal.SIGKILL)
        self.wait()


def main(function: str, descriptor: int) -> None:
    """The zygote: fork and manage the children until the other side is gone."""
    module, _, name = function.partition(":")
    run = getattr(import_module(module), name)
    _warm_up()
    gc.collect()
    gc.freeze()  # no child looks for garbage in what they all share
    _refuse_threads()
    children: set[int] = set()
    with socket.socket(fileno=descriptor) as channel:
        for line in channel.makefile():
            match json.loads(line):
                case {"spawn": arguments}:
                    pid = os.fork()
                    if pid == 0:
                        os.close(descriptor)
                        _live(run, arguments)
                    children.add(pid)
                    answer: int | None = pid
                case {"poll": pid}:
                    ended, status = os.waitpid(pid, os.WNOHANG)
                    answer = os.waitstatus_to_exitcode(status) if ended else None
                    if ended:
                        children.discard(pid)
                case request:
                    raise ValueError(f"no such request: {request}")
            channel.sendall(json.dumps(answer).encode() + b"\n")
        for pid in children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _live(run: Any, arguments: dict[str, Any]) -> None:
    """Run a child. It never returns into the zygote's loop."""
    status = 1
    try:
        os.setsid()
        run(**arguments)
        status = 0
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else bool(leaving.code)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _warm_up() -> None:
    """Compile and load the kernel."""
    # Compiling, where nothing is cached yet, starts threads that stay: a child does it first.
    child = os.fork()
    if child == 0:
        _live(_play, {})
    os.waitpid(child, 0)
    _play()


def _play() -> None:
    """Play a tiny game to its end."""
    from macaz import Game

    game = Game("tiny", 2, seed=1)
    dice = random.Random(1)
    while not game.over:
        game.push(dice.choice(game.legal_moves.actions))


def _refuse_threads() -> None:
    """A fork keeps only the calling thread; locks that others hold would stay locked."""
    tasks = Path("/proc/self/task")
    count = len(list(tasks.iterdir())) if tasks.exists() else threading.active_count()
    if count != 1:
        raise RuntimeError(f"the zygote has {count} threads; what it imports must start none")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
