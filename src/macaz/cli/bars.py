"""Parts of progress bars that several commands show."""

from __future__ import annotations

from rich.progress import ProgressColumn, Task
from rich.text import Text


class GamesRate(ProgressColumn):
    """Games in a second."""

    def render(self, task: Task) -> Text:
        """The rate, with a decimal where games are slow."""
        if not task.speed:
            return Text("")
        return Text(f"{task.speed:,.{0 if task.speed >= 100 else 1}f} games/s", style="cyan")
