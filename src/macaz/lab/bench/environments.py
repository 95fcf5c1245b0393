"""Decisions a second of the environments for learners, with observations and masks."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from macaz.errors import MissingExtra
from macaz.lab.bench.games import job_on, on
from macaz.lab.bench.measure import Job, Skipped
from macaz.lab.bench.targets import NATIVE

GROUP = "environments"
EDITION, PLAYERS = "usa", 2
GAMES = 256  # of the vector environment
UNIT = "decisions/s"
Loop = Callable[[], int]  # takes some decisions; returns how many


def environment_jobs(targets: Sequence[str], seconds: float) -> list[Job]:
    """A job for each environment and target; the vector environment is native code only."""
    loops: list[tuple[str, Callable[[], Loop], Sequence[str]]] = [
        (f"VectorEnv, {GAMES} games", vector, [t for t in targets if t == NATIVE]),
        ("PettingZoo", pettingzoo, targets),
        ("Gymnasium, against random", gymnasium, targets),
    ]
    return [
        job_on(target, GROUP, f"{name}, {target}", partial(_rate, make, seconds), environment=name)
        for name, make, where in loops
        for target in where
    ]


def prepare(targets: Sequence[str]) -> None:
    """Compile or load what the jobs call."""
    for job in environment_jobs(targets, 0):
        with on(job.about["target"]):
            try:
                job.run()
            except Skipped:
                continue  # the measurement will say why


def _rate(make: Callable[[], Loop], seconds: float) -> dict[str, float]:
    """Decisions a second of processor time."""
    try:
        loop = make()
    except MissingExtra as error:
        raise Skipped(str(error)) from error
    loop()
    done, began = 0, time.process_time()
    while (used := time.process_time() - began) < seconds or not done:
        done += loop()
    return {UNIT: done / used if used else 0.0}


def vector() -> Loop:
    """Random actions in many games, chosen by compiled code."""
    from macaz.lab.env.vector import VectorEnv

    env = VectorEnv(EDITION, PLAYERS, GAMES, seed=1)
    env.reset()

    def step() -> int:
        env.step(env.sample_actions())
        return GAMES

    return step


def pettingzoo() -> Loop:
    """A whole game of all seats, with random actions chosen from the masks in Python."""
    from macaz.lab.env.pettingzoo import env

    table, draw = env(EDITION, PLAYERS), random.Random(1).random
    table.reset(seed=1)

    def play() -> int:
        table.reset()
        decisions = 0
        for _ in table.agent_iter():
            seen, _, terminated, _, _ = table.last()
            if terminated:
                table.step(None)
            else:
                legal = np.flatnonzero(seen["action_mask"])
                table.step(legal[int(draw() * len(legal))])
                decisions += 1
        return decisions

    return play


def gymnasium() -> Loop:
    """A whole game of one seat against the random bot; only its own decisions count."""
    from macaz.lab.env.gymnasium import MacazEnv

    env, draw = MacazEnv(EDITION, PLAYERS, opponents="random"), random.Random(1).random
    env.reset(seed=1)

    def play() -> int:
        _, info = env.reset()
        decisions, over = 0, False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            _, _, over, _, info = env.step(legal[int(draw() * len(legal))])
            decisions += 1
        return decisions

    return play
