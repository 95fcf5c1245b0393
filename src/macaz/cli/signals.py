"""Signal handling: Ctrl-C, TERM and HUP end commands, or ask long work to stop early."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from macaz.cli import INTERRUPTED

# Signals that stop the work; the exit status is then 128 plus the number of the signal.
STOPS = ("SIGINT", "SIGTERM", "SIGHUP")


class Stop(threading.Event):
    """Whether to stop, and the exit status for it."""

    status = INTERRUPTED


def handled_signals(*names: str) -> list[signal.Signals]:
    """The signals that exist on this platform, without an ignored SIGHUP."""
    known = [getattr(signal, name) for name in names if hasattr(signal, name)]
    hangup = getattr(signal, "SIGHUP", None)
    return [n for n in known if n != hangup or signal.getsignal(n) is not signal.SIG_IGN]


def restore_signals() -> None:
    """Handle SIGINT and SIGTERM even if the parent process ignored or blocked them.

    Shell scripts start background jobs that way, and some job runners start all jobs that way. An
    ignored SIGHUP stays ignored, as nohup intends.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    # Python installs its handler only if SIGINT is not ignored.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):  # blocked signals are inherited, too
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})


@contextmanager
def stop_on_signal(*, at_once: bool = False) -> Iterator[Stop]:
    """Set the yielded `Stop` at the first signal; a second one interrupts the work.

    With `at_once`, for work that blocks, each signal raises `KeyboardInterrupt`.
    """
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    terminals = [stream.fileno() for stream in (sys.stdout, sys.stderr) if stream.isatty()]

    def handle(number: int, frame: Any) -> None:
        if stop.is_set() and not at_once:
            raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)
        stop.status = 128 + number
        stop.set()
        for terminal in terminals:
            if not os.isatty(terminal):  # it was closed, so writing to it would fail
                os.dup2(os.open(os.devnull, os.O_WRONLY), terminal)
        if at_once:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, handle) for number in handled_signals(*STOPS)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
