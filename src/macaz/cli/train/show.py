"""The output of `macaz train`: progress bar and ratings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.text import Text

from macaz.cli.text import new_table, plural, stdout

if TYPE_CHECKING:
    from rich.console import Console

    from macaz.lab.train.progress import Progress as Trained
    from macaz.lab.train.ratings import Rating

LINE_INTERVAL = 60.0  # seconds between two lines without a terminal


class Show:
    """A progress bar, or a line a minute without a terminal. Use it in a `with`."""

    def __init__(self, console: Console, minutes: float) -> None:
        self._console, self._minutes = console, minutes
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._printed = -LINE_INTERVAL

    def __enter__(self) -> Show:
        if self._console.is_terminal:
            self._bar = Progress(
                BarColumn(bar_width=24),
                TextColumn("{task.description}", markup=False),
                console=self._console,
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("compiling the games", total=60 * self._minutes)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def update(self, progress: Trained) -> None:
        line = in_words(progress, self._minutes)
        if self._bar and self._task is not None:
            self._bar.update(self._task, completed=progress.seconds, description=line)
        elif progress.seconds >= self._printed + LINE_INTERVAL:
            self._printed = progress.seconds
            self._console.print(Text(line), soft_wrap=True)


def in_words(progress: Trained, minutes: float) -> str:
    """An iteration in one line: progress, speed, shares of wins, entropy."""
    from macaz.lab.train.plots import short
    from macaz.lab.train.progress import win_shares

    parts = [
        f"{short(progress.games)} games",
        f"{short(progress.rate)} decisions/s",
        f"{max(0.0, minutes - progress.seconds / 60):.1f} min left",
    ]
    shares = win_shares(progress.numbers)
    parts += [f"{name} {100 * share:.0f} %" for name, share in shares.items()]
    for name, value in progress.numbers.items():
        if name.rpartition("/")[2] == "entropy":
            parts.append(f"entropy {value:.2f}")
    return " · ".join(parts)


def print_ratings(ratings: Iterable[Rating]) -> None:
    """Print a row for each opponent."""
    table = new_table()
    table.add_column("against")
    for heading in ("seats", "wins", "95 %", "games", "minutes trained"):
        table.add_column(heading, justify="right")
    remarks = []
    for rating in ratings:
        table.add_row(
            Text(rating.opponent),
            str(rating.players),
            f"{100 * rating.share:.1f} %",
            f"{100 * rating.low:.1f}–{100 * rating.high:.1f} %",
            f"{rating.games:,}",
            f"{rating.minutes:,.1f}",
        )
        for who, times in (
            ("the network", rating.failures),
            (rating.opponent, rating.opponent_failures),
        ):
            if times:
                games = plural(times, "game")
                remarks.append(f"Against {rating.against}: {who} failed in {games}, and lost.")
    console = stdout()
    console.print(table)
    for remark in remarks:
        console.print(Text(remark), soft_wrap=True)
