"""The log of a training: one JSON line per iteration, and the same as TensorBoard events.

A resumed training continues from its checkpoint. Lines written after that checkpoint belong to a
network that was lost; they are dropped when the first resumed iteration is logged.
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
    """An iteration in the log: the fields of `Progress`, and when and where it ran."""

    iteration: int
    seconds: float
    decisions: int
    games: int
    rate: float
    spent: dict[str, float]
    numbers: dict[str, float]  # finite ones only: JSON has no NaN
    time: float  # Unix time, in seconds
    device: str  # name of the GPU or CPU

    @property
    def minutes(self) -> float:
        """Training time so far."""
        return self.seconds / 60


class Journal:
    """The log of a training folder, open for appending. Use it in a `with`."""

    def __init__(self, folder: Path, *, device: str) -> None:
        self._folder, self._device = folder, device
        self._events: EventWriter | None = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        if self._events:
            self._events.close()

    def add(self, progress: Progress) -> None:
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
        """Drop this iteration and later ones from the files; open a new event file."""
        for name in (LOG, RATINGS):
            drop_from(self._folder / name, iteration)
        resumed = any(self._folder.glob(PATTERN))
        return EventWriter(self._folder, first_step=iteration if resumed else None)


def read_log(folder: Path) -> list[Line]:
    return list(read_lines(folder / LOG, Line))


def log_of_network(folder: Path) -> list[Line]:
    """The iterations that the saved network has learned from; all if none is saved yet.

    A training that was killed has logged more iterations than it saved.
    """
    log, path = read_log(folder), folder / NETWORK
    if not path.exists():
        return log
    learned = read_network(path).about.get("decisions", 0)
    return [line for line in log if line.decisions <= learned]


def _known(numbers: Mapping[str, float]) -> dict[str, float]:
    """The finite numbers, as Python floats: some are NumPy scalars."""
    return {name: float(value) for name, value in numbers.items() if math.isfinite(value)}


def _scalars(line: Line) -> dict[str, float]:
    """The numbers with the prefixes by which TensorBoard groups them."""
    counts = {
        "progress/minutes": line.minutes,
        "progress/decisions": float(line.decisions),
        "progress/games": float(line.games),
        "progress/decisions a second": line.rate,
    }
    return counts | {f"seconds/{part}": s for part, s in line.spent.items()} | line.numbers
