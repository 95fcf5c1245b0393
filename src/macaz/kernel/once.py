"""Making a thing once in a process, however many threads ask for it first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from functools import cache, wraps
from typing import TypeVar

T = TypeVar("T")


def once(make: Callable[..., T]) -> Callable[..., T]:
    """As `functools.cache`, but no two threads make the same thing at the same time."""
    lock, kept = threading.RLock(), cache(make)

    @wraps(make)
    def call(*given: Hashable) -> T:
        with lock:
            return kept(*given)

    return call
