"""Random games a second: in the kernel on one core and on all, and driven from Python."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np

from macaz.edition import load_edition
from macaz.kernel import cpu
from macaz.kernel.compile import bulk_target, kernel
from macaz.kernel.engine import scratch
from macaz.kernel.spec import Spec, compile_spec
from macaz.lab.bench.measure import Job
from macaz.workers import core_count

TABLES = (
    *(("usa-classic", seats) for seats in (2, 3, 4, 5)),
    ("usa", 2),
    *(("europe", seats) for seats in (2, 3, 4, 5)),
    *(("old-west", seats) for seats in (2, 3, 4, 5, 6)),
    ("old-west+alvin", 2),
    ("tiny", 2),
)
DRIVEN = (("usa-classic", 2), ("usa-classic", 4))
_TARGET = "MACAZ_TARGET"
Run = Callable[[], dict[str, float]]


@contextmanager
def on(target: str) -> Iterator[None]:
    """Run the kernel on a target inside the `with`."""
    before = os.environ.get(_TARGET)
    os.environ[_TARGET] = target
    try:
        yield
    finally:
        del os.environ[_TARGET]
        if before is not None:
            os.environ[_TARGET] = before


def job_on(target: str, group: str, name: str, run: Run, **about: object) -> Job:
    """A job that runs on a target."""

    def measure() -> dict[str, float]:
        with on(target):
            return run()

    job = Job(group, name, measure)
    job.about = {**about, "target": target}
    return job


def game_jobs(seconds: float) -> list[Job]:
    """A job for each table, on the target for games in bulk."""
    target = bulk_target()
    jobs = []
    for name, seats in TABLES:
        spec = compile_spec(load_edition(name), seats)
        about = {"edition": name, "players": seats}
        for group, play in (("one core", one_core), ("all cores", all_cores)):
            run = partial(play, spec, seconds)
            jobs.append(job_on(target, group, f"{name} {seats}", run, **about))
    return jobs


def driven_jobs(seconds: float) -> list[Job]:
    """Jobs that play from a Python loop, one decision a call, on the same target."""
    target = bulk_target()
    jobs = []
    for name, seats in DRIVEN:
        spec = compile_spec(load_edition(name), seats)
        run = partial(from_python, spec, seconds)
        about = {"edition": name, "players": seats}
        jobs.append(job_on(target, "from Python", f"{name} {seats}", run, **about))
    return jobs


def one_core(spec: Spec, seconds: float) -> dict[str, float]:
    """Whole games in the kernel, in one thread."""
    games = _enough(spec, seconds)
    return _rates(lambda: _play(spec, games))


def _play(spec: Spec, games: int) -> list[cpu.Batch]:
    return [
        cpu.play_batch(spec, start, min(cpu.BATCH, games - start), seed=1)
        for start in range(0, games, cpu.BATCH)
    ]


def all_cores(spec: Spec, seconds: float) -> dict[str, float]:
    """Whole games in the kernel, in a thread for each core."""
    cores = core_count()
    games = cores * _enough(spec, seconds)
    batch = max(1, min(cpu.BATCH, games // (16 * cores)))
    return _rates(lambda: list(cpu.random_games(spec, games, seed=1, batch=batch)))


def _enough(spec: Spec, seconds: float) -> int:
    """The number of games that take one core about `seconds`."""
    _play(spec, 1)  # the first call compiles or loads
    games = 1
    while True:
        began = time.perf_counter()
        _play(spec, games)
        elapsed = time.perf_counter() - began
        if elapsed > 0.1 * seconds:
            return max(games, int(games * seconds / elapsed))
        games *= 4


def _rates(play: Callable[[], list[cpu.Batch]]) -> dict[str, float]:
    began = time.perf_counter()
    batches = play()
    elapsed = time.perf_counter() - began
    return {
        "games/s": sum(map(len, batches)) / elapsed,
        "decisions/s": sum(int(b.lengths.sum()) for b in batches) / elapsed,
    }


def from_python(spec: Spec, seconds: float) -> dict[str, float]:
    """Games driven by a loop in Python that picks each of the decisions itself."""
    rules, own = kernel(), scratch()
    new_game, choose_nth = rules.new_game, rules.choose_nth
    table, draw = spec.table, random.Random(1).random
    states, dice, works = own.states, own.dice, own.works
    dice["word"] = np.random.default_rng(1).integers(1, 2**32, (1, 4))
    new_game(table, states, 0, -1)
    choose_nth(table, states, 0, works, dice, -1)  # the first call compiles or loads
    games = decisions = 0
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds or not games:
        new_game(table, states, 0, -1)
        choices = choose_nth(table, states, 0, works, dice, -1)
        while choices:
            choices = choose_nth(table, states, 0, works, dice, int(draw() * choices))
            decisions += 1
        games += 1
    return {"games/s": games / elapsed, "decisions/s": decisions / elapsed}
