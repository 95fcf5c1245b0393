"""Ctrl-C and signals that end long work early, with the results so far."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from macaz.cli import INTERRUPTED

# What ends the work; the exit status is then 128 and the signal's number.
STOPS = ("SIGINT", "SIGTERM", "SIGHUP")


class Stop(threading.Event):
    """Whether to stop, and the exit status that goes with it."""

    status = INTERRUPTED


@contextmanager
def stop_on_signal(*, at_once: bool = False) -> Iterator[Stop]:
    """Let the first Ctrl-C or signal ask the work to stop; a second breaks it off.

    With `at_once`, for work that has to wait for others, each raises `KeyboardInterrupt`.
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
            if not os.isatty(terminal):  # it was closed, and writing to it would fail
                os.dup2(os.open(os.devnull, os.O_WRONLY), terminal)
        if at_once:
            raise KeyboardInterrupt

    known = [getattr(signal, name) for name in STOPS if hasattr(signal, name)]
    # A hangup that is ignored, as with nohup, stays so.
    hangup = getattr(signal, "SIGHUP", None)
    if hangup is not None and signal.getsignal(hangup) is signal.SIG_IGN:
        known.remove(hangup)
    before = {number: signal.signal(number, handle) for number in known}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
