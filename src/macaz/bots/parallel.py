"""Parts of one computation on several cores, in a thread pool.

Threads are enough, because compiled code runs without the interpreter's lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from macaz.workers import core_count

T = TypeVar("T")
U = TypeVar("U")


def parallel_map(work: Callable[[T], U], items: Sequence[T]) -> list[U]:
    """The results in the order of the items; a single item runs on the calling thread.

    `work` must not call `parallel_map` itself: it would wait for a thread of the same pool.
    """
    if len(items) == 1:
        return [work(items[0])]
    return list(_pool().map(work, items))


@cache
def _pool() -> ThreadPoolExecutor:
    # Kept for the life of the process: each thread has its own working memory, which is slow to
    # make (`program.working_memory`).
    return ThreadPoolExecutor(max(core_count(), os.cpu_count() or 1), "macaz-bots")
