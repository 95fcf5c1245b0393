"""Measure the vector environment with observations and masks; on a GPU, check it first.

PYTHONPATH=src python bench/vector.py [--target cpu] [--seconds S] [--out FILE.json]
PYTHONPATH=src python bench/vector.py --target cuda [--check N] [--budget S] [--out FILE.json]

The check steps the same games on the CPU and on the GPU, and compares every observation, mask and
reward, byte for byte, over whole games.
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


def log(*words: object) -> None:
    """Print a line at once."""
    print(*words, flush=True)


def rate(work: float, samples: list[float]) -> dict[str, float]:
    """Work per second, from the seconds of each sample: median, lowest and highest."""
    rates = [work / s for s in samples]
    return {"median": statistics.median(rates), "low": min(rates), "high": max(rates)}


def as_text(found: dict[str, float]) -> str:
    """A rate as text."""
    return f"{found['median']:,.0f} ({found['low']:,.0f}–{found['high']:,.0f})"


# -- on the CPU --------------------------------------------------------------------------------


def measure_cpu(name: str, seats: int, games: int, seconds: float) -> dict[str, Any]:
    """Decisions per second of one thread, in wall-clock time and in processor time."""
    env = VectorEnv(name, seats, games, seed=SEED)
    env.reset()
    for _ in range(100):  # so that the games are in different phases
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
    """Measure all tables on the CPU."""
    rows = report["tables"] = []
    for name, seats in SPEED:
        for games in CPU_GAMES:
            row = measure_cpu(name, seats, games, args.seconds)
            rows.append(row)
            log(
                f"{name} {seats}, {games} games: {as_text(row['decisions_per_s'])} decisions/s;"
                f" of processor time {as_text(row['decisions_per_s_of_processor_time'])};"
                f" with random actions"
                f" {as_text(row['decisions_per_s_of_processor_time_with_random_actions'])};"
                f" the kernel alone {as_text(row['kernel_decisions_per_s_of_processor_time'])}"
            )


# -- on a GPU ----------------------------------------------------------------------------------


def arrays_of(env: VectorEnv) -> dict[str, np.ndarray]:
    """The arrays of an environment, copied from the GPU if they are cuda_games."""
    arrays = {name: getattr(env.games, name) for name in COMPARED}
    return {n: a.copy_to_host() if hasattr(a, "copy_to_host") else a for n, a in arrays.items()}


def compare(ours: VectorEnv, theirs: VectorEnv, when: str) -> None:
    """Raise if a byte differs; the error has the first place."""
    mine, yours = arrays_of(ours), arrays_of(theirs)
    for name in COMPARED:
        if mine[name].tobytes() != yours[name].tobytes():
            at = np.argwhere(mine[name] != yours[name])[0].tolist()
            raise AssertionError(
                f"{name} differ {when}, first at {at}: CPU {mine[name][tuple(at)]},"
                f" GPU {yours[name][tuple(at)]}"
            )


def check(name: str, seats: int, games: int) -> int:
    """Step games on both until each slot has finished one; returns the steps."""
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
        raise AssertionError("an illegal action was accepted")
    if theirs.games.observations.copy_to_host().tobytes() != before.tobytes():
        raise AssertionError("an illegal action changed a game")
    return steps


def check_sharing(games: int) -> str:
    """Whether PyTorch shares the arrays on the GPU by DLPack; raises if it does not."""
    try:
        import torch
    except ImportError:
        return "left out: PyTorch is not installed"
    if not torch.cuda.is_available():
        return "left out: this PyTorch has no CUDA"
    env = VectorEnv("usa-classic", 2, games, seed=SEED, target="cuda")
    observations, infos = env.reset()
    arrays = {"observations": observations, **infos}
    arrays["rewards"], arrays["ended"] = env.step(env.sample_actions())[1:3]
    shared = {name: torch.from_dlpack(array) for name, array in arrays.items()}
    for _ in range(200):  # the tensors were made once, and have the new masks after every step
        env.step(torch.multinomial(shared["action_mask"].float(), 1).squeeze(1))
    for name, array in arrays.items():
        tensor, place = shared[name], array.__cuda_array_interface__["data"][0]
        if not tensor.is_cuda or tensor.data_ptr() != place:
            raise AssertionError(f"{name} were copied")
        if not np.array_equal(tensor.cpu().numpy(), array.copy_to_host()):
            raise AssertionError(f"{name} differ in PyTorch")
    del env, arrays, observations, infos
    if not torch.isfinite(shared["rewards"]).all():  # the memory lives as long as the tensors
        raise AssertionError("the memory was freed too early")
    return f"PyTorch {torch.__version__} shares {', '.join(shared)}"


def run_checks(args: argparse.Namespace, report: dict[str, Any]) -> None:
    """Check all tables of `CHECKED`, and that PyTorch shares the arrays."""
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
        log("check", row)
    try:
        report["dlpack"] = check_sharing(args.check)
    except Exception as error:
        report["dlpack"] = f"{type(error).__name__}: {str(error)[:500]}"
        rows.append({"failed": report["dlpack"]})
        traceback.print_exc()
    log("DLPack:", report["dlpack"])


def measure_gpu(
    name: str, seats: int, games: int, shape: tuple[int, int | None], repeats: int = 5
) -> dict[str, Any]:
    """Decisions per second with one shape (block size, registers), with and without sampling."""
    from numba import cuda

    from macaz.lab.env.vector_cuda import CudaGames

    block, registers = shape
    began = time.perf_counter()
    spec = compile_spec(load_edition(name), seats)
    cuda_games = CudaGames(spec, games, -1, 0, block=block, registers=registers)
    cuda_games.restart(SEED)
    for _ in range(100):  # so that the games are in different phases
        cuda_games.sample()
        cuda_games.step(cuda_games.actions)
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
        cuda_games.sample()
        if cuda_games.step(cuda_games.actions):
            raise AssertionError("a random action was not legal")

    whole = timed(both)
    drawing = timed(cuda_games.sample)
    cuda_games.sample()
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
        "bytes_shown_per_decision": cuda_games.observations.shape[1] + cuda_games.masks.shape[1],
    }


def gpu_row_as_text(row: dict[str, Any]) -> str:
    """A measurement as one line."""
    return (
        f"{row['edition']} {row['seats']}, {row['games']} games, block {row['block']},"
        f" registers {row['registers'] or 'free'}: {row['decisions_per_s']:,.0f} decisions/s;"
        f" with random actions {as_text(row['decisions_per_s_with_random_actions'])};"
        f" warm-up {row['warm_up_s']} s"
    )


def run_gpu(args: argparse.Namespace, report: dict[str, Any], keep: Callable[[], None]) -> None:
    """Measure numbers of games, then tables, then shapes, each of which has to be compiled."""
    began = time.perf_counter()

    def measured(rows: list[dict[str, Any]], *what: Any) -> dict[str, Any] | None:
        if time.perf_counter() - began > args.budget:
            log("left out, the time budget is used up:", what)
            return None
        try:
            row = measure_gpu(*what)
        except Exception as error:
            log(what, f"FAILED: {type(error).__name__}: {str(error)[:300]}")
            traceback.print_exc()
            return None
        rows.append(row)
        log(gpu_row_as_text(row))
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
    parser.add_argument(
        "--check", type=int, default=256, help="games compared on a GPU; 0: no check"
    )
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="seconds for each measurement on the CPU"
    )
    parser.add_argument(
        "--budget",
        type=float,
        default=90.0,
        help="seconds after which no further measurement begins, on a GPU",
    )
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
        log(problem)
        return 2
    report["device"] = gpu.device_name()
    log(report)
    if args.check:
        run_checks(args, report)
        keep()
    run_gpu(args, report, keep)
    keep()
    checks = report.get("checks", [])
    bad = [row for row in checks if "failed" in row]
    log(f"{len(checks) - len(bad)} of {len(checks)} tables are the same on GPU and CPU.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
