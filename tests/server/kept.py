"""Processes of bots that outlive the server of one test and serve that of the next.

To start one takes longer than most tests. What it answers does not depend on earlier questions.
"""

from __future__ import annotations

import os
from pathlib import Path

from macaz.server.bot_worker import Setup
from macaz.server.bots import _Worker

Kind = tuple[float, Path, frozenset[tuple[str, str]]]  # what a process inherits


class KeptWorkers:
    """Use it as `bots._Worker`. Processes with bots of a host's own are not kept."""

    def __init__(self) -> None:
        self._idle: dict[Kind, list[_Kept]] = {}

    def __call__(self, setup: Setup) -> _Worker:
        """A process that served before, or else a new one."""
        if setup.extra:
            return _Worker(setup)
        inherited = ((k, v) for k, v in os.environ.items() if not k.startswith("PYTEST_"))
        idle = self._idle.setdefault((setup.limit, Path.cwd(), frozenset(inherited)), [])
        while idle:
            worker = idle.pop()
            if worker.alive:
                return worker
            worker.leave()
        return _Kept(setup, idle)

    def close(self) -> None:
        """End all."""
        workers = [worker for idle in self._idle.values() for worker in idle]
        self._idle.clear()
        for worker in workers:
            worker.let_end()
        for worker in workers:
            worker.leave()


class _Kept(_Worker):
    def __init__(self, setup: Setup, idle: list[_Kept]) -> None:
        super().__init__(setup)
        self._idle, self._killed = idle, False

    def kill(self) -> None:
        self._killed = True
        super().kill()

    def end(self) -> int:
        """Keep it, if it waits for a question."""
        if self._killed or self.stopped or self.thinking or not (self.ready and self.alive):
            return self.leave()
        self._idle.append(self)
        return 0

    def leave(self) -> int:
        """End it indeed."""
        return super().end()
