"""Cancelling a computation whose result is no longer needed.

Bots that compute for long call `check_cancelled` regularly. There is one flag for the process:
it is used where a process computes one thing at a time, in `macaz.server.bot_worker`.
"""

from __future__ import annotations

import threading

_cancelled = threading.Event()


class Cancelled(BaseException):
    """The computation was cancelled. Not an `Exception`, as KeyboardInterrupt is none."""


def cancel() -> None:
    """Cancel the current computation, from any thread."""
    _cancelled.set()


def reset() -> None:
    """Clear the flag before a new computation."""
    _cancelled.clear()


def check_cancelled() -> None:
    """Raise `Cancelled` after `cancel`."""
    if _cancelled.is_set():
        raise Cancelled
