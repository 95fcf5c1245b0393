"""Measuring: jobs run in turn, round after round, so that a busy moment spoils no single one."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some measurements, and how far they lie apart."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> Spread:
        """The spread of these."""
        return cls(statistics.median(samples), min(samples), max(samples))


@dataclass(slots=True)
class Job:
    """One thing to measure. `run` gives a figure for each unit; it may raise `Skipped`."""

    group: str
    name: str
    run: Callable[[], dict[str, float]]
    once: bool = False  # too slow to repeat
    samples: dict[str, list[float]] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)
    trouble: str = ""

    def spread(self, unit: str) -> Spread:
        """What was found, in this unit."""
        return Spread.of(self.samples[unit])

    def ratio(self, other: Job, unit: str) -> Spread:
        """How many times the other's figure, round by round."""
        pairs = zip(self.samples[unit], other.samples[unit], strict=True)
        return Spread.of([mine / theirs for mine, theirs in pairs])

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        figures = {
            unit: {"median": s.median, "min": s.low, "max": s.high, "samples": self.samples[unit]}
            for unit in self.samples
            for s in [self.spread(unit)]
        }
        return {"group": self.group, "name": self.name, **self.about, "figures": figures}


@dataclass(slots=True)
class Measured:
    """The jobs of a suite, and what is to be said about them."""

    machine: dict[str, str]
    jobs: list[Job]
    notes: list[str] = field(default_factory=list, kw_only=True)

    def group(self, name: str) -> list[Job]:
        """The jobs of one group."""
        return [job for job in self.jobs if job.group == name]

    def find(self, group: str, name: str) -> Job | None:
        """One job."""
        return next((job for job in self.group(group) if job.name == name), None)


class Skipped(Exception):  # noqa: N818 - it is no error
    """This cannot be measured here; the text says why."""


def run_rounds(
    jobs: Sequence[Job], rounds: int, tell: Callable[[int, Job], None] = lambda r, j: None
) -> list[Job]:
    """Run all the jobs, `rounds` times over; those that can be measured."""
    for number in range(rounds):
        for job in jobs:
            if job.trouble or (job.once and number):
                continue
            tell(number, job)
            try:
                for unit, figure in job.run().items():
                    job.samples.setdefault(unit, []).append(figure)
            except Skipped as why:
                job.trouble = str(why)
    return [job for job in jobs if not job.trouble]


def time_calls(call: Callable[[], Any], calls: int, seconds: float) -> float:
    """Microseconds for each of the `calls` that one `call()` makes, over about so many seconds."""
    done = 0
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds or not done:
        call()
        done += 1
    return 1e6 * elapsed / (done * calls)
