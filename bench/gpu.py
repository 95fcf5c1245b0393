"""Check the GPU against the CPU, byte for byte, and measure how fast it plays.

PYTHONPATH=src python bench/gpu.py [--check N] [--whole N] [--games N] [--out FILE.json]
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
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np

from macaz.edition import load_edition
from macaz.kernel import cpu, gpu
from macaz.kernel.compile import KERNEL, bind, kernel
from macaz.kernel.layout import OVER, dtype_of
from macaz.kernel.native import NATIVES, one_copy
from macaz.kernel.spec import Spec, compile_spec

EDITIONS = ("usa-classic", "usa", "europe", "old-west", "old-west+alvin", "tiny")
SPEED = (
    ("usa-classic", 2),
    ("usa-classic", 3),
    ("usa-classic", 4),
    ("usa-classic", 5),
    ("europe", 2),
    ("europe", 4),
    ("old-west", 2),
    ("old-west", 4),
    ("old-west+alvin", 2),
)
SHAPES: tuple[tuple[int, int, int | None], ...] = (  # block, games, registers
    (128, 1 << 18, 64),
    (64, 1 << 18, 64),
    (256, 1 << 18, 64),
    (128, 1 << 16, 64),
    (128, 1 << 17, 64),
    (128, 1 << 19, 64),
    (128, 1 << 18, None),
)
SEED = 20_241


def log(*words: object) -> None:
    """Print a line at once."""
    print(*words, flush=True)


def records(name: str, n: int) -> np.ndarray:
    """Zeroed records."""
    return np.zeros(n, dtype_of(name))


def cpu_steps() -> SimpleNamespace:
    """The loops of `macaz.kernel.gpu.Steps`, for the CPU."""
    run = bind(KERNEL, lambda f: one_copy(numba.njit(error_model="numpy")(f)), NATIVES)
    seed_dice, setup, roll, step = run.seed_dice, run.setup, run.roll, run.step
    random_action, final_score = run.random_action, run.final_score

    @numba.njit
    def begin(specs, states, dice, seed, start):
        for i in range(len(states)):
            seed_dice(dice[i], seed, start + i)
            setup(specs[0], states[i], -1)
            roll(specs[0], states[i], dice[i])

    @numba.njit
    def advance(specs, states, works, dice):
        going = 0
        for i in range(len(states)):
            if states[i].phase != OVER:
                step(
                    specs[0], states[i], random_action(specs[0], states[i], dice[i], works[0]), None
                )
                roll(specs[0], states[i], dice[i])
                going += 1
        return going

    @numba.njit
    def score(specs, states, works, tallies):
        for i in range(len(states)):
            final_score(specs[0], states[i], works[0], tallies[i])

    @numba.njit
    def whole(specs, states, works, tallies, dice, lengths, seed, start):
        begin(specs, states, dice, seed, start)
        for i in range(len(states)):
            while states[i].phase != OVER:
                step(
                    specs[0], states[i], random_action(specs[0], states[i], dice[i], works[0]), None
                )
                roll(specs[0], states[i], dice[i])
                lengths[i] += 1
        score(specs, states, works, tallies)

    return SimpleNamespace(begin=begin, advance=advance, score=score, whole=whole)


def differences(name: str, a: np.ndarray, b: np.ndarray, when: str) -> None:
    """Raise if two arrays of records are not the same bytes; the error names the fields."""
    fields = a.dtype.fields or {}
    width = max(
        field[1] + field[0].itemsize for field in fields.values()
    )  # without the padding at the end
    left = a.view(np.uint8).reshape(len(a), -1)[:, :width]
    right = b.view(np.uint8).reshape(len(b), -1)[:, :width]
    if np.array_equal(left, right):
        return
    games = np.flatnonzero((left != right).any(axis=1))
    i = int(games[0])
    fields = [f for f in a.dtype.names or () if not np.array_equal(a[f][i], b[f][i])]
    details = "; ".join(f"{f}: GPU {a[f][i].tolist()}, CPU {b[f][i].tolist()}" for f in fields[:3])
    raise AssertionError(
        f"{name} differs {when}, {len(games)} games, first {i}: {details or 'padding'}"
    )


def check_steps(spec: Spec, loops: SimpleNamespace, games: int) -> int:
    """Step games on both, comparing states and dice after every step; returns the steps."""
    specs = spec.table.copy()
    states, dice, works = records("state", games), records("dice", games), records("work", 1)
    loops.begin(specs, states, dice, SEED, 0)
    mine = gpu.Steps(spec, games, SEED)
    steps = 0
    while True:
        differences("state", mine.states(), states, f"after step {steps}")
        differences("dice", mine.dice(), dice, f"after step {steps}")
        if loops.advance(specs, states, works, dice) == 0:
            break
        mine.advance()
        steps += 1
    tallies = records("tally", games)
    loops.score(specs, states, works, tallies)
    differences("tally", mine.score(), tallies, "at the end")
    return steps


def check_whole(spec: Spec, loops: SimpleNamespace, games: int) -> int:
    """Play whole games on both, comparing final states, tallies and lengths."""
    specs, start = spec.table.copy(), 2**32 - games // 2  # game numbers of more than 32 bits too
    states, tallies, dice = records("state", games), records("tally", games), records("dice", games)
    lengths = np.zeros(games, np.int32)
    loops.whole(specs, states, records("work", 1), tallies, dice, lengths, SEED, start)
    table = gpu.Table(spec, games + 77, keep_states=True)
    slot = table.slot()
    table.launch(slot, start, games, SEED)
    their_tallies, their_lengths = slot.fetch(games)
    differences("state", slot.fetch_states(games), states, "at the end")
    differences("tally", their_tallies, tallies, "at the end")
    if not np.array_equal(their_lengths, lengths):
        raise AssertionError("lengths differ")
    return games


def check_plain(spec: Spec, loops: SimpleNamespace, games: int) -> int:
    """Compare final states and tallies of the CPU with the same source as plain Python."""
    from macaz.kernel.plain import plain

    if games == 0:
        return 0
    specs = spec.table.copy()
    names = ("state", "work", "tally", "dice")
    theirs = {name: records(name, games) for name in names}
    ours = {name: records(name, games) for name in names}
    lengths = np.zeros(games, np.int32)
    loops.whole(specs, *(theirs[n] for n in names), lengths, SEED, 0)
    run, plain_specs = kernel("plain"), plain(specs)
    wrapped = {name: plain(ours[name]) for name in names}
    for i in range(games):
        args = (wrapped["state"], i, wrapped["work"], wrapped["tally"], wrapped["dice"])
        decisions = run.random_game(plain_specs, *args, SEED, i, -1)
        if decisions != lengths[i]:
            raise AssertionError(f"plain Python took {decisions} decisions, not {lengths[i]}")
    for name in ("state", "tally"):
        differences(name, ours[name], theirs[name], "plain Python (shown as GPU) against the CPU")
    return games


def check_all(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Run the checks for every edition and number of seats."""
    log("Compiling for the CPU …")
    loops = cpu_steps()
    rows = []
    for name in EDITIONS:
        edition = load_edition(name)
        for seats in range(edition.rules.min_seats, edition.rules.max_seats + 1):
            began = time.perf_counter()
            row: dict[str, Any] = {"edition": name, "seats": seats}
            tests: list[tuple[str, Callable[..., int], tuple[Any, ...]]] = [
                ("steps", check_steps, (args.check,)),
                ("whole", check_whole, (args.whole,)),
                ("plain", check_plain, (args.plain,)),
            ]
            for test, function, extra in tests:
                try:
                    row[test] = function(compile_spec(edition, seats), loops, *extra)
                except Exception as error:
                    row[test] = f"FAILED: {type(error).__name__}: {str(error)[:400]}"
                    if not isinstance(error, AssertionError):
                        traceback.print_exc()
            row["seconds"] = round(time.perf_counter() - began, 1)
            rows.append(row)
            log("check", row)
    return rows


def spread(samples: list[float], work: float) -> dict[str, float]:
    """Work per second, from the seconds of each sample: median, lowest and highest."""
    rates = [work / s for s in samples]
    return {"median": statistics.median(rates), "low": min(rates), "high": max(rates)}


def measure(
    spec: Spec,
    shape: tuple[int, int, int | None],
    repeats: int,
    total: int,
) -> dict[str, Any]:
    """Games and decisions per second with one shape: block size, games in flight, registers."""
    block, games, registers = shape
    began = time.perf_counter()
    table = gpu.Table(spec, games, block=block, registers=registers)
    slot = table.slot()
    table.launch(slot, 0, games, SEED)
    _tallies, lengths = slot.fetch(games)  # warm-up: compiles, and allocates memory
    warm = time.perf_counter() - began
    alone, fetched = [], []
    for i in range(repeats):
        began = time.perf_counter()
        table.launch(slot, i * games, games, SEED)
        slot.stream.synchronize()
        alone.append(time.perf_counter() - began)
        slot.fetch(games)
        fetched.append(time.perf_counter() - began)
    row: dict[str, Any] = {
        "block": block,
        "in_flight": games,
        "registers": registers,
        "warm_up_s": round(warm, 2),
        "decisions_per_game": float(lengths.mean()),
        "games_per_s": spread(alone, games),
        "games_per_s_with_results": spread(fetched, games),
    }
    if total:
        del table, slot
        rate = []
        for _ in range(3):
            began = time.perf_counter()
            count = sum(
                map(
                    len,
                    gpu.random_games(
                        *(spec, total, SEED),
                        batch=games,
                        block=block,
                        registers=registers,
                    ),
                )
            )
            rate.append(time.perf_counter() - began)
            if count != total:
                raise AssertionError(f"{count} games came back, not {total}")
        row["games_per_s_end_to_end"] = spread(rate, total)
    return row


def as_text(row: dict[str, Any]) -> str:
    """A measurement as one line."""
    rate = row["games_per_s"]
    return (
        f"block {row['block']} × {row['in_flight']}"
        f" registers {row['registers'] or 'free'}: {rate['median']:,.0f} games/s"
        f" ({rate['low']:,.0f}–{rate['high']:,.0f}), with results"
        f" {row['games_per_s_with_results']['median']:,.0f}; warm-up {row['warm_up_s']} s"
    )


def speed_all(args: argparse.Namespace) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Measure all shapes with one table, then the fastest shape with all tables."""
    spec = compile_spec(load_edition("usa-classic"), 2)
    shapes, best = [], SHAPES[0]
    for shape in SHAPES:
        try:
            row = measure(spec, shape, args.repeats, 0)
        except Exception as error:
            log("shape", shape, f"FAILED: {type(error).__name__}: {str(error)[:300]}")
            continue
        log("shape", as_text(row))
        if not shapes or row["games_per_s"]["median"] > max(
            r["games_per_s"]["median"] for r in shapes
        ):
            best = shape
        shapes.append(row)
    log("best", best)
    tables = []
    for name, seats in SPEED:
        row = {"edition": name, "seats": seats}
        try:
            spec = compile_spec(load_edition(name), seats)
            row |= measure(spec, best, args.repeats, args.games)
            cpu.play_batch(spec, 0, 8, SEED)
            began, done = time.perf_counter(), 0
            while time.perf_counter() - began < 1:
                cpu.play_batch(spec, done, 512, SEED)
                done += 512
            row["cpu_one_core_games_per_s"] = done / (time.perf_counter() - began)
            log(name, seats, as_text(row))
        except Exception as error:
            row["failed"] = f"{type(error).__name__}: {str(error)[:300]}"
            log(name, seats, "FAILED:", row["failed"])
        tables.append(row)
    return shapes, tables


def markdown(tables: list[dict[str, Any]]) -> str:
    """The speeds as a table."""
    lines = [
        "| table | games/s | decisions/s | with results | end to end | CPU, one core |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in tables:
        title = f"{row['edition']} {row['seats']}"
        if "failed" in row:
            lines.append(f"| {title} | {row['failed']} | | | | |")
            continue
        rate = row["games_per_s"]
        end = row.get("games_per_s_end_to_end", {}).get("median", 0)
        lines.append(
            f"| {title} | {rate['median']:,.0f} ({rate['low']:,.0f}–{rate['high']:,.0f})"
            f" | {rate['median'] * row['decisions_per_game']:,.0f}"
            f" | {row['games_per_s_with_results']['median']:,.0f}"
            f" | {end:,.0f} | {row['cpu_one_core_games_per_s']:,.0f} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Check, measure, report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", type=int, default=256, help="games compared after every decision; 0: no checks"
    )
    parser.add_argument("--whole", type=int, default=4096, help="whole games compared")
    parser.add_argument("--plain", type=int, default=1, help="games compared with plain Python")
    parser.add_argument(
        "--games", type=int, default=1 << 21, help="games of the end-to-end measurement; 0: none"
    )
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--no-speed", action="store_true")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    problem = gpu.gpu_problem()
    if problem:
        log(problem)
        return 2
    report: dict[str, Any] = {
        "device": gpu.device_name(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }

    def keep() -> None:
        if args.out:
            args.out.write_text(json.dumps(report, indent=1))

    log(report)
    if args.check:
        report["checks"] = check_all(args)
        keep()
    if not args.no_speed:
        report["shapes"], report["tables"] = speed_all(args)
        keep()
        log(markdown(report["tables"]))
    checks = report.get("checks", [])
    bad = [row for row in checks if any(str(v).startswith("FAILED") for v in row.values())]
    log(f"{len(checks) - len(bad)} of {len(checks)} tables are the same on GPU and CPU.")
    for row in bad:
        log("FAILED", row)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
