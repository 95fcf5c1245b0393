"""What `macaz bench start` measures, on an idle machine and on one whose cores are all busy."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from macaz.lab.bench import machine
from macaz.lab.bench.measure import Job, Measured, Skipped, run_rounds
from macaz.lab.bench.start import install
from macaz.lab.bench.start.newcomer import visit
from macaz.lab.bench.starts import time_process
from macaz.server.page import missing_page
from macaz.workers import core_count

RUNS = 5  # of each import, in a round
IDLE, BUSY = "idle", "all cores busy"
_GAME = "import macaz; macaz.Game('usa-classic', 2, seed=1)"


@dataclass(frozen=True, slots=True)
class Settings:
    """How much to measure."""

    rounds: int
    bots: tuple[str, ...]
    with_install: bool


@dataclass(slots=True)
class Report(Measured):
    """The results and the settings of a run."""

    settings: Settings

    def to_dict(self) -> dict[str, Any]:
        """Settings and results, for JSON."""
        return {
            "machine": self.machine,
            "settings": asdict(self.settings),
            "results": [job.to_dict() for job in self.jobs],
            "notes": self.notes,
        }


def run(
    settings: Settings,
    prepare: Callable[[str], None] = lambda text: None,
    begin: Callable[[int], None] = lambda total: None,
    report: Callable[[int, Job], None] = lambda number, job: None,
) -> Report:
    """Measure everything.

    The callbacks get what is being prepared, the number of measurements, and each one that begins.
    """
    if problem := missing_page():
        raise Skipped(problem)
    notes: list[str] = []
    measures: dict[str, Callable[[], dict[str, float]]] = {"imports": _imports}
    measures |= {bot: partial(visit, bot) for bot in settings.bots}
    jobs = [
        Job(load, what, partial(_under, load, measure))
        for what, measure in measures.items()
        for load in (IDLE, BUSY)
    ]
    if settings.with_install:
        prepare("an install, so that all packages are in the cache")
        try:
            install.prepare()
        except Skipped as why:
            notes.append(f"The install is left out: {why}.")
        else:
            jobs.append(Job("install", "install", install.measure))
    else:
        notes.append("The install is left out, as asked.")
    begin(settings.rounds * len(jobs))
    done = run_rounds(jobs, settings.rounds, report)
    notes += [f"{job.name}, {job.group}: left out: {job.skipped}." for job in jobs if job.skipped]
    return Report(machine.describe(), done, settings, notes=notes)


def _under(load: str, measure: Callable[[], dict[str, float]]) -> dict[str, float]:
    with busy(core_count()) if load == BUSY else nullcontext():
        return measure()


@contextmanager
def busy(cores: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Keep every core busy with a process inside the `with`."""
    command = [sys.executable, "-c", "while True: pass"]
    working = [subprocess.Popen(command) for _ in range(cores)]
    try:
        yield working
    finally:
        for process in working:
            process.kill()
            process.wait()


def _imports() -> dict[str, float]:
    """Median times of processes that import something and end."""
    samples: dict[str, list[float]] = {}
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory(prefix="macaz-") as folder:
            for name, code in (
                ("python s", "pass"),
                ("numpy s", "import numpy"),
                ("first s", _GAME),
                ("later s", _GAME),
            ):
                [seconds] = time_process(
                    [sys.executable, "-c", code], {"MACAZ_CACHE_DIR": folder}
                ).values()
                samples.setdefault(name, []).append(seconds)
    found = {name: statistics.median(times) for name, times in samples.items()}
    for name in ("first", "later"):
        found[f"{name} longer s"] = found[f"{name} s"] - found["numpy s"]
    return found
