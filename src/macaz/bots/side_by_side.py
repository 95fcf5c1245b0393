"""Parts of one thought on several cores: on threads that stay, each with room of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from macaz.workers import core_count

T = TypeVar("T")
U = TypeVar("U")


def side_by_side(work: Callable[[T], U], items: Sequence[T]) -> list[U]:
    """What comes of each item, in order; one alone needs no thread."""
    if len(items) == 1:
        return [work(items[0])]
    return list(_threads().map(work, items))


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max(core_count(), os.cpu_count() or 1), "macaz-bots")
