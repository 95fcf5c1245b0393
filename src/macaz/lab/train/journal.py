"""What a training writes down as it goes: a line an iteration, and the same for TensorBoard.

A training that goes on begins where its checkpoint was. What was written after that is of a network
that no longer exists, and is forgotten when the first iteration is told again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from macaz.bots.network import read_network
from macaz.lab.train.events import PATTERN, EventWriter
from macaz.lab.train.folder import LOG, NETWORK, RATINGS
from macaz.lab.train.lines import add_line, drop_from, read_lines

if TYPE_CHECKING:
    from macaz.lab.train.progress import Progress


class Line(msgspec.Struct, frozen=True):
    """An iteration in the log. All but the last two are those of `Progress`."""

    iteration: int
    seconds: float
    decisions: int
    games: int
    rate: float
    spent: dict[str, float]
    numbers: dict[str, float]  # those that are numbers: a loss of nothing is left out
    time: float  # in seconds since 1970
    device: str  # in words: what it was trained on

    @property
    def minutes(self) -> float:
        """How long it had been trained."""
        return self.seconds / 60


class Journal:
    """The log of a folder, open to add iterations. Use it in a `with`."""

    def __init__(self, folder: Path, *, device: str) -> None:
        self._folder, self._device = folder, device
        self._events: EventWriter | None = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        if self._events:
            self._events.close()

    def add(self, progress: Progress) -> None:
        """Write an iteration down."""
        if self._events is None:
            self._events = self._begin(progress.iteration)
        line = Line(
            iteration=progress.iteration,
            seconds=round(float(progress.seconds), 3),
            decisions=int(progress.decisions),
            games=int(progress.games),
            rate=round(float(progress.rate), 1),
            spent=_known(progress.spent),
            numbers=_known(progress.numbers),
            time=round(time.time(), 3),
            device=self._device,
        )
        add_line(self._folder / LOG, line)
        self._events.add(line.iteration, _scalars(line), at=line.time)

    def _begin(self, iteration: int) -> EventWriter:
        """Forget what comes from here on; the files of before say the rest."""
        for name in (LOG, RATINGS):
            drop_from(self._folder / name, iteration)
        resumed = any(self._folder.glob(PATTERN))
        return EventWriter(self._folder, first_step=iteration if resumed else None)


def read_log(folder: Path) -> list[Line]:
    """The iterations of a training."""
    return list(read_lines(folder / LOG, Line))


def log_of_network(folder: Path) -> list[Line]:
    """The iterations that the folder's network has learned from; all where there is none yet.

    A training that was killed has told of more than it saved.
    """
    log, path = read_log(folder), folder / NETWORK
    if not path.exists():
        return log
    learned = read_network(path).about.get("decisions", 0)
    return [line for line in log if line.decisions <= learned]


def _known(numbers: Mapping[str, float]) -> dict[str, float]:
    """Those that JSON can say, as Python's own: a learner may count with NumPy's."""
    return {name: float(value) for name, value in numbers.items() if math.isfinite(value)}


def _scalars(line: Line) -> dict[str, float]:
    """The numbers by the names under which TensorBoard groups them."""
    counts = {
        "progress/minutes": line.minutes,
        "progress/decisions": float(line.decisions),
        "progress/games": float(line.games),
        "progress/decisions a second": line.rate,
    }
    return counts | {f"seconds/{part}": s for part, s in line.spent.items()} | line.numbers
