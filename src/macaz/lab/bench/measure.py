"""Runs measurements in interleaved rounds, so that noise is spread over all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Spread:
    """The median, minimum and maximum of some measurements."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> Spread:
        return cls(statistics.median(samples), min(samples), max(samples))


@dataclass(slots=True)
class Job:
    """One measurement. `run` returns a number for each unit; it may raise `Skipped`."""

    group: str
    name: str
    run: Callable[[], dict[str, float]]
    once: bool = False  # too slow to repeat
    samples: dict[str, list[float]] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)
    skipped: str = ""  # why it cannot be measured

    def spread(self, unit: str) -> Spread:
        return Spread.of(self.samples[unit])

    def ratio(self, other: Job, unit: str) -> Spread:
        """The ratio to another job, computed in each round."""
        pairs = zip(self.samples[unit], other.samples[unit], strict=True)
        return Spread.of([mine / theirs for mine, theirs in pairs])

    def to_dict(self) -> dict[str, Any]:
        """All samples, for JSON."""
        figures = {
            unit: {"median": s.median, "min": s.low, "max": s.high, "samples": self.samples[unit]}
            for unit in self.samples
            for s in [self.spread(unit)]
        }
        return {"group": self.group, "name": self.name, **self.about, "figures": figures}


@dataclass(slots=True)
class Measured:
    """The finished jobs of a suite, and notes about them."""

    machine: dict[str, str]
    jobs: list[Job]
    notes: list[str] = field(default_factory=list, kw_only=True)

    def group(self, name: str) -> list[Job]:
        return [job for job in self.jobs if job.group == name]

    def find(self, group: str, name: str) -> Job | None:
        return next((job for job in self.group(group) if job.name == name), None)


class Skipped(Exception):  # noqa: N818 - not an error
    """This cannot be measured here; the message says why."""


def run_rounds(
    jobs: Sequence[Job], rounds: int, report: Callable[[int, Job], None] = lambda r, j: None
) -> list[Job]:
    """Run all jobs in each round; returns those that could be measured."""
    for number in range(rounds):
        for job in jobs:
            if job.skipped or (job.once and number):
                continue
            report(number, job)
            try:
                for unit, figure in job.run().items():
                    job.samples.setdefault(unit, []).append(figure)
            except Skipped as why:
                job.skipped = str(why)
    return [job for job in jobs if not job.skipped]


def time_calls(call: Callable[[], Any], calls: int, seconds: float) -> float:
    """Microseconds per call, where one `call()` makes `calls` of them; takes about `seconds`."""
    done = 0
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds or not done:
        call()
        done += 1
    return 1e6 * elapsed / (done * calls)
