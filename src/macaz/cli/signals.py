"""Ctrl-C and signals: heard by every command, and by long work as a wish to end it early."""

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


def heard(*names: str) -> list[signal.Signals]:
    """Those of some signals that there are here, but for a hangup that is ignored: it stays so."""
    known = [getattr(signal, name) for name in names if hasattr(signal, name)]
    hangup = getattr(signal, "SIGHUP", None)
    return [n for n in known if n != hangup or signal.getsignal(n) is not signal.SIG_IGN]


def hear_signals() -> None:
    """Let Ctrl-C and TERM end this program, though whoever started it may have ignored them.

    A shell that runs a script starts what comes before `&` so, and some runners of jobs start
    everything so. A hangup that is ignored stays ignored: that is what nohup is for.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    # Python handles Ctrl-C only where it is not ignored.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):  # what was blocked is inherited too
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})


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

    before = {number: signal.signal(number, handle) for number in heard(*STOPS)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
