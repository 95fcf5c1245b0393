"""Columns of progress bars that several commands use."""

from __future__ import annotations

from rich.progress import ProgressColumn, Task
from rich.text import Text


class GamesRate(ProgressColumn):
    """Games per second."""

    def render(self, task: Task) -> Text:
        if not task.speed:
            return Text("")
        return Text(f"{task.speed:,.{0 if task.speed >= 100 else 1}f} games/s", style="cyan")


class Timed(ProgressColumn):
    """The time left, counted down also between steps, for few and long steps."""

    def __init__(self) -> None:
        super().__init__()
        self._at = (-1.0, 0.0)  # steps done at the last change, and the time they took

    def render(self, task: Task) -> Text:
        elapsed, total = task.elapsed or 0.0, task.total or 0.0
        if task.completed != self._at[0]:
            self._at = task.completed, elapsed
        done, taken = self._at
        if done <= 0:
            return Text("")
        left = max(0, round(taken * total / done - elapsed))
        return Text(f"{left // 60}:{left % 60:02} left", style="cyan")
