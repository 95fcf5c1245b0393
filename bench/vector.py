"""Measure the vector environment with observations and masks; on a GPU, check it first.

PYTHONPATH=src python bench/vector.py [--target cpu] [--seconds S] [--out FILE.json]
PYTHONPATH=src python bench/vector.py --target cuda [--check N] [--budget S] [--out FILE.json]

The check steps the same games on the processor and on the GPU, and compares every observation,
mask and reward, byte for byte, over whole games.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from macaz.edition import load_edition
from macaz.kernel import cpu, gpu
from macaz.kernel.spec import compile_spec
from macaz.lab.env.vector import VectorEnv

SEED = 20_241
SPEED = (("usa-classic", 2), ("usa-classic", 4), ("europe", 2), ("europe", 4), ("old-west", 4))
CHECKED = (
    ("tiny", 2),
    ("usa-classic", 2),
    ("usa", 4),
    ("europe", 3),
    ("europe", 5),
    ("old-west", 2),
    ("old-west+alvin", 6),
)
CPU_GAMES = (256, 1024, 4096)
GPU_GAMES = tuple(1 << n for n in (12, 14, 16, 17, 18))
SHAPES: tuple[tuple[int, int | None], ...] = (  # block, registers
    (128, 64),
    (64, 64),
    (256, 64),
    (32, 64),
    (128, 96),
    (128, None),
)
COMPARED = ("observations", "masks", "deciders", "numbers", "rewards", "scores", "ended")


def say(*words: object) -> None:
    """A line of progress."""
    print(*words, flush=True)


def rate(work: float, samples: list[float]) -> dict[str, float]:
    """So much work in each of these times: the median a second, the slowest and the fastest."""
    rates = [work / s for s in samples]
    return {"median": statistics.median(rates), "low": min(rates), "high": max(rates)}


def tell(found: dict[str, float]) -> str:
    """A rate in words."""
    return f"{found['median']:,.0f} ({found['low']:,.0f}–{found['high']:,.0f})"


# -- on the processor --------------------------------------------------------------------------


def measure_cpu(name: str, seats: int, games: int, seconds: float) -> dict[str, Any]:
    """Decisions a second in one thread, by the clock and by the processor's own time."""
    env = VectorEnv(name, seats, games, seed=SEED)
    env.reset()
    for _ in range(100):  # so that the games are not in step any more
        env.step(env.sample_actions())
    spec = compile_spec(load_edition(name), seats)
    cpu.play_batch(spec, 0, 8, SEED)
    steps = max(4, int(0.1 * seconds * 500_000 / games))
    wall, own, drawn, kernel = [], [], [], []
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        stepping = stepping_own = drawing_own = 0.0
        for _ in range(steps):
            at_own = time.thread_time()
            actions = env.sample_actions()
            drawing_own += time.thread_time() - at_own
            at, at_own = time.perf_counter(), time.thread_time()
            env.step(actions)
            stepping += time.perf_counter() - at
            stepping_own += time.thread_time() - at_own
        wall.append(stepping)
        own.append(stepping_own)
        drawn.append(stepping_own + drawing_own)
        at = time.thread_time()
        batch = cpu.play_batch(spec, 0, 100, SEED)
        kernel.append((time.thread_time() - at) / int(batch.lengths.sum()))
    work = games * steps
    return {
        "edition": name,
        "seats": seats,
        "games": games,
        "decisions_per_s": rate(work, wall),
        "decisions_per_s_of_processor_time": rate(work, own),
        "decisions_per_s_of_processor_time_with_random_actions": rate(work, drawn),
        "kernel_decisions_per_s_of_processor_time": rate(1, kernel),
    }


def run_cpu(args: argparse.Namespace, report: dict[str, Any]) -> None:
    """All tables."""
    rows = report["tables"] = []
    for name, seats in SPEED:
        for games in CPU_GAMES:
            row = measure_cpu(name, seats, games, args.seconds)
            rows.append(row)
            say(
                f"{name} {seats}, {games} games: {tell(row['decisions_per_s'])} decisions/s;"
                f" of processor time {tell(row['decisions_per_s_of_processor_time'])};"
                f" with random actions"
                f" {tell(row['decisions_per_s_of_processor_time_with_random_actions'])};"
                f" the kernel alone {tell(row['kernel_decisions_per_s_of_processor_time'])}"
            )


# -- on a GPU ----------------------------------------------------------------------------------


def bytes_of(env: VectorEnv) -> dict[str, np.ndarray]:
    """What an environment shows, on this side."""
    arrays = {name: getattr(env.games, name) for name in COMPARED}
    return {n: a.copy_to_host() if hasattr(a, "copy_to_host") else a for n, a in arrays.items()}


def compare(ours: VectorEnv, theirs: VectorEnv, when: str) -> None:
    """Raise where a byte differs, saying where."""
    mine, yours = bytes_of(ours), bytes_of(theirs)
    for name in COMPARED:
        if mine[name].tobytes() != yours[name].tobytes():
            at = np.argwhere(mine[name] != yours[name])[0].tolist()
            raise AssertionError(
                f"{name} differ {when}, first at {at}: CPU {mine[name][tuple(at)]},"
                f" GPU {yours[name][tuple(at)]}"
            )


def check(name: str, seats: int, games: int) -> int:
    """Step games on both until each place has finished one; returns the steps."""
    ours = VectorEnv(name, seats, games, seed=SEED)
    theirs = VectorEnv(name, seats, games, seed=SEED, target="cuda")
    ours.reset()
    theirs.reset()
    finished = np.zeros(games, bool)
    steps = 0
    while not finished.all():
        compare(ours, theirs, f"after step {steps}")
        actions = ours.sample_actions()
        drawn = theirs.sample_actions().copy_to_host()
        if drawn.tobytes() != actions.tobytes():
            raise AssertionError(f"random actions differ after step {steps}")
        finished |= ours.step(actions)[2]
        theirs.step(actions)
        steps += 1
    if ours.games.states.tobytes() != theirs.games.states.tobytes():
        raise AssertionError("states differ at the end")
    before = theirs.games.observations.copy_to_host()
    try:
        theirs.step(np.full(games, ours.table.actions))
    except ValueError:
        pass
    else:
        raise AssertionError("an illegal action was taken")
    if theirs.games.observations.copy_to_host().tobytes() != before.tobytes():
        raise AssertionError("an illegal action moved a game")
    return steps


def run_checks(args: argparse.Namespace, report: dict[str, Any]) -> None:
    """Every table that is checked."""
    rows = report["checks"] = []
    for name, seats in CHECKED:
        began = time.perf_counter()
        row: dict[str, Any] = {"edition": name, "seats": seats, "games": args.check}
        try:
            row["steps"] = check(name, seats, args.check)
        except Exception as error:
            row["failed"] = f"{type(error).__name__}: {str(error)[:500]}"
            if not isinstance(error, AssertionError):
                traceback.print_exc()
        row["seconds"] = round(time.perf_counter() - began, 1)
        rows.append(row)
        say("check", row)


def measure_gpu(
    name: str, seats: int, games: int, shape: tuple[int, int | None], repeats: int = 5
) -> dict[str, Any]:
    """Decisions a second of one shape of launch; also of each kernel by itself."""
    from numba import cuda

    from macaz.lab.env.vector_cuda import CudaGames

    block, registers = shape
    began = time.perf_counter()
    spec = compile_spec(load_edition(name), seats)
    there = CudaGames(spec, games, -1, 0, block=block, registers=registers)
    there.restart(SEED)
    for _ in range(100):  # so that the games are not in step any more
        there.sample()
        there.step(there.actions)
    cuda.synchronize()
    warm = time.perf_counter() - began
    steps = max(5, min(50, (1 << 21) // games))

    def timed(call: Callable[[], object]) -> list[float]:
        samples = []
        for _ in range(repeats):
            at = time.perf_counter()
            for _ in range(steps):
                call()
            cuda.synchronize()
            samples.append(time.perf_counter() - at)
        return samples

    def both() -> None:
        there.sample()
        if there.step(there.actions):
            raise AssertionError("a random action was not legal")

    whole = timed(both)
    drawing = timed(there.sample)
    there.sample()
    work = games * steps
    drawn = rate(work, drawing)
    found = rate(work, whole)
    return {
        "edition": name,
        "seats": seats,
        "games": games,
        "block": block,
        "registers": registers,
        "warm_up_s": round(warm, 1),
        "decisions_per_s_with_random_actions": found,
        "decisions_per_s": 1 / (1 / found["median"] - 1 / drawn["median"]),
        "bytes_shown_per_decision": there.observations.shape[1] + there.masks.shape[1],
    }


def tell_gpu(row: dict[str, Any]) -> str:
    """One measurement in a line."""
    return (
        f"{row['edition']} {row['seats']}, {row['games']} games, block {row['block']},"
        f" registers {row['registers'] or 'free'}: {row['decisions_per_s']:,.0f} decisions/s;"
        f" with random actions {tell(row['decisions_per_s_with_random_actions'])};"
        f" warm-up {row['warm_up_s']} s"
    )


def run_gpu(args: argparse.Namespace, report: dict[str, Any], keep: Callable[[], None]) -> None:
    """Numbers of games, the tables, then the shapes of launches that cost a compilation each."""
    began = time.perf_counter()

    def measured(rows: list[dict[str, Any]], *what: Any) -> dict[str, Any] | None:
        if time.perf_counter() - began > args.budget:
            say("left out, for want of time:", what)
            return None
        try:
            row = measure_gpu(*what)
        except Exception as error:
            say(what, f"FAILED: {type(error).__name__}: {str(error)[:300]}")
            traceback.print_exc()
            return None
        rows.append(row)
        say(tell_gpu(row))
        keep()
        return row

    sizes: list[dict[str, Any]] = []
    report["sizes"] = sizes
    for games in GPU_GAMES:
        measured(sizes, "usa-classic", 2, games, SHAPES[0])
    best = max(sizes, key=lambda row: row["decisions_per_s"])["games"] if sizes else 1 << 16
    tables: list[dict[str, Any]] = []
    report["tables"] = tables
    for name, seats in SPEED:
        measured(tables, name, seats, best, SHAPES[0])
    shapes: list[dict[str, Any]] = []
    report["shapes"] = shapes
    for shape in SHAPES:
        measured(shapes, "usa-classic", 2, best, shape)
        measured(shapes, "europe", 4, best, shape)


def main() -> int:
    """Check, measure, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--target", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--check", type=int, default=256, help="games compared on a GPU; 0: none")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each table, on the CPU")
    parser.add_argument("--budget", type=float, default=90.0, help="seconds of measuring, GPU")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    report: dict[str, Any] = {"target": args.target, "numpy": np.__version__}

    def keep() -> None:
        if args.out:
            args.out.write_text(json.dumps(report, indent=1))

    if args.target == "cpu":
        run_cpu(args, report)
        keep()
        return 0
    problem = gpu.gpu_problem()
    if problem:
        say(problem)
        return 2
    report["device"] = gpu.device_name()
    say(report)
    if args.check:
        run_checks(args, report)
        keep()
    run_gpu(args, report, keep)
    keep()
    checks = report.get("checks", [])
    bad = [row for row in checks if "failed" in row]
    say(f"{len(checks) - len(bad)} of {len(checks)} tables show the same on GPU and CPU.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
