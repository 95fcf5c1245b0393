"""Giving up a thought that nobody waits for. Players that think for long look here as they go on.

There is one thought at a time in a process that is told to give up: see `macaz.server.bot_worker`.
"""

from __future__ import annotations

import threading

_given_up = threading.Event()


class GivenUp(BaseException):
    """Nobody waits for what was being thought about. As KeyboardInterrupt, it is no error."""


def give_up() -> None:
    """Let what is being thought about end, from any thread."""
    _given_up.set()


def begin() -> None:
    """Think about something else from now on."""
    _given_up.clear()


def check() -> None:
    """Raise `GivenUp` if nobody waits any more."""
    if _given_up.is_set():
        raise GivenUp
