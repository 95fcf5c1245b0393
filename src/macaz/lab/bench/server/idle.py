"""Measures the memory, tasks and timers of idle tables inside a server process."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

from macaz.server.app import application
from macaz.server.node import Node
from macaz.server.settings import Settings

WARM = 50  # tables that are loaded before anything is counted


class CountingLoop(asyncio.SelectorEventLoop):
    """An event loop that counts its pending timers."""

    def __init__(self) -> None:
        super().__init__()
        self._timers: weakref.WeakSet[asyncio.TimerHandle] = weakref.WeakSet()

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, **more: Any
    ) -> asyncio.TimerHandle:
        """Register the timer; `call_later` calls this, too."""
        timer = super().call_at(when, callback, *args, **more)
        self._timers.add(timer)
        return timer

    @property
    def timers(self) -> int:
        return sum(not timer.cancelled() for timer in self._timers)


async def count(database: str, names: list[str], loop: CountingLoop) -> dict[str, float]:
    """Load tables; returns what each of them adds on average."""
    settings = Settings(database=database, port=0, unload_after=86_400.0)
    async with application(settings) as app:
        node: Node = app.app.app.state.node
        before: list[int] = []
        for group in (names[:WARM], names[WARM:]):
            for name in group:
                await node.table(name)
            await _calm(node)
            if not before:
                tracemalloc.start()
                before = [0, len(asyncio.all_tasks()), loop.timers]
        after = [tracemalloc.get_traced_memory()[0], len(asyncio.all_tasks()), loop.timers]
        tracemalloc.stop()
    tables = len(names) - WARM
    grown = [(b - a) / tables for a, b in zip(before, after, strict=True)]
    return dict(zip(("bytes", "tasks", "timers"), grown, strict=True))


async def _calm(node: Node) -> None:
    """Wait for the tasks that a new table starts."""
    while node._tasks:
        await asyncio.sleep(0.05)
    gc.collect()


def main() -> None:
    """Print the results as JSON. Arguments: DATABASE, then the names of the tables."""
    loop = CountingLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        found = runner.run(count(sys.argv[1], sys.argv[2:], loop))
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
