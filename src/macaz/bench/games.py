"""Random games a second: in the kernel on one core and on all, and driven from Python."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np

from macaz.bench.measure import Job
from macaz.edition import load_edition
from macaz.kernel import cpu
from macaz.kernel.compile import kernel
from macaz.kernel.layout import dtype_of
from macaz.kernel.spec import Spec, compile_spec

TABLES = (
    *(("usa-classic", seats) for seats in (2, 3, 4, 5)),
    ("usa", 2),
    *(("europe", seats) for seats in (2, 3, 4, 5)),
    *(("old-west", seats) for seats in (2, 3, 4, 5, 6)),
    ("old-west+alvin", 2),
    ("tiny", 2),
)
DRIVEN = (("usa-classic", 2), ("usa-classic", 4))


def game_jobs(seconds: float) -> list[Job]:
    """A job for each table."""
    jobs = []
    for name, seats in TABLES:
        spec = compile_spec(load_edition(name), seats)
        about = {"edition": name, "players": seats}
        for group, run in (("one core", one_core), ("all cores", all_cores)):
            job = Job(group, f"{name} {seats}", lambda s=spec, r=run: r(s, seconds))  # type: ignore[misc]
            job.about = about
            jobs.append(job)
    return jobs


def driven_jobs(seconds: float) -> list[Job]:
    """Jobs that play from a Python loop, one decision a call."""
    jobs = []
    for name, seats in DRIVEN:
        spec = compile_spec(load_edition(name), seats)
        job = Job("from Python", f"{name} {seats}", lambda s=spec: from_python(s, seconds))  # type: ignore[misc]
        job.about = {"edition": name, "players": seats}
        jobs.append(job)
    return jobs


def one_core(spec: Spec, seconds: float) -> dict[str, float]:
    """Whole games in the kernel, in one thread."""
    games = _enough(spec, seconds)
    return _rates(lambda: [cpu.play_batch(spec, 0, games, seed=1)])


def all_cores(spec: Spec, seconds: float) -> dict[str, float]:
    """Whole games in the kernel, in a thread for each core."""
    cores = cpu.core_count()
    games = cores * _enough(spec, seconds)
    batch = max(1, games // (16 * cores))
    return _rates(lambda: list(cpu.random_games(spec, games, seed=1, batch=batch)))


def _enough(spec: Spec, seconds: float) -> int:
    """How many games take one core about so long."""
    games = 32
    while True:
        began = time.perf_counter()
        cpu.play_batch(spec, 0, games, seed=2)
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
    rules = kernel("cpu")
    new_game, choose_nth = rules.new_game, rules.choose_nth
    table, draw = spec.table, random.Random(1).random
    states = np.zeros(1, dtype_of("state"))
    dice = np.zeros(1, dtype_of("dice"))
    works = np.zeros(1, dtype_of("work"))
    dice["word"] = np.random.default_rng(1).integers(1, 2**32, (1, 4))
    new_game(table, states, 0, -1)
    choose_nth(table, states, 0, works, dice, -1)  # the first call of each sets it up
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
