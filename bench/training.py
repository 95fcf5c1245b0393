"""Measure training: the games alone, then games, network and learning together.

PYTHONPATH=src python bench/training.py [--device cuda] [--iterations N] [--out FILE.json]

The games alone follow the planner's suggestions, so that their positions are realistic. Whole
iterations are run as in a training; then some more with each part timed separately, which needs a
synchronization after each part, because a GPU works asynchronously.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch

from macaz.bots.compiled.layout import INTENTS, WISHES, dtypes
from macaz.bots.network import columns_for
from macaz.edition import load_edition
from macaz.kernel import gpu
from macaz.lab.train.games import TrainingEnvs
from macaz.lab.train.learner import Learner
from macaz.lab.train.loop import threads_for
from macaz.lab.train.network import Network, add_gumbel_noise
from macaz.lab.train.settings import Settings, settings_for

EDITIONS = ("usa", "europe", "old-west")
SIZES = {"cpu": "small", "cuda": "full"}
SIZED = ("games", "steps", "width", "blocks", "batch", "epochs")
SPREAD = 60  # steps until the games are in different phases
TRUST = 6.0  # logit of the planner's suggestion


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


def seconds(device: str, call: Callable[[], object]) -> float:
    """How long a call takes, including the work that it started on the GPU."""
    if device == "cuda":
        torch.cuda.synchronize()
    began = time.perf_counter()
    call()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - began


def measure_games(settings: Settings, steps: int, repeats: int) -> dict[str, float]:
    """Decisions per second of the games alone."""
    envs = TrainingEnvs(settings, settings.device)
    envs.begin()
    fields = dtypes["sense"].fields
    assert fields is not None
    hint, color = fields["hint"][1], fields["hint_color"][1]

    def follow_hints() -> None:
        hints = torch.zeros_like(envs.logits)
        hints[:, :INTENTS] = envs.rows[:, hint : hint + INTENTS]
        hints[:, INTENTS:] = envs.rows[:, color : color + WISHES - INTENTS]
        envs.logits.copy_(add_gumbel_noise(TRUST * hints))

    for _ in range(SPREAD):
        follow_hints()
        envs.step()
    samples = []
    for _ in range(repeats):
        passed = 0.0
        for _ in range(steps):
            follow_hints()
            passed += seconds(settings.device, envs.step)
        samples.append(passed)
    return rate(settings.games * steps, samples)


def measure_training(settings: Settings, iterations: int) -> dict[str, Any]:
    """Decisions per second of whole iterations, and the share of the time that each part takes."""
    torch.manual_seed(settings.seed)
    columns, scales = columns_for(load_edition(settings.edition))
    network = Network(columns, scales, settings.width, settings.blocks, settings.trust)
    learner = Learner(settings, network, settings.device)

    def iterate() -> None:
        learner.iterate(0.0, warm=True)

    warm_up = seconds(settings.device, iterate)
    samples = [seconds(settings.device, iterate) for _ in range(iterations)]
    learner.timed = True
    learner.spent.clear()
    passed = sum(seconds(settings.device, iterate) for _ in range(iterations))
    spent = dict(learner.spent)
    spent["other"] = max(0.0, passed - sum(spent.values()))
    return {
        "decisions_per_s": rate(settings.games * settings.steps, samples),
        "numbers_read": len(columns),
        "share_of_time": {name: value / passed for name, value in spent.items()},
        "warm_up_s": round(warm_up, 1),
    }


def measure(settings: Settings, iterations: int) -> dict[str, Any]:
    """All measurements of one edition."""
    games = measure_games(settings, settings.steps, iterations)
    whole = measure_training(settings, iterations)
    row = {
        "edition": settings.edition,
        "seats": settings.seats,
        "games": settings.games,
        "steps": settings.steps,
        "width": settings.width,
        "blocks": settings.blocks,
        "batch": settings.batch,
        "epochs": settings.epochs,
        "games_alone_decisions_per_s": games,
        **whole,
    }
    if settings.device == "cuda":
        row["gpu_memory_gib"] = round(torch.cuda.max_memory_allocated() / 2**30, 1)
        torch.cuda.reset_peak_memory_stats()
    return row


def table(rows: list[dict[str, Any]]) -> str:
    """The measurements as a table."""
    parts = ("games", "network", "learning", "other")
    lines = [
        "| edition | games alone, decisions/s | training, decisions/s | "
        + " | ".join(f"{part}, %" for part in parts)
        + " |",
        "|---|--:|--:|" + "--:|" * len(parts),
    ]
    for row in rows:
        shares = [f"{100 * row['share_of_time'].get(part, 0):.0f}" for part in parts]
        alone, whole = as_text(row["games_alone_decisions_per_s"]), as_text(row["decisions_per_s"])
        lines.append(f"| {row['edition']} | {alone} | {whole} | {' | '.join(shares)} |")
    return "\n".join(lines)


def main() -> int:
    """Measure, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", choices=tuple(SIZES), default="cpu")
    parser.add_argument("--editions", default=",".join(EDITIONS))
    parser.add_argument(
        "--iterations", type=int, default=5, help="iterations of training for each edition"
    )
    for name in SIZED:
        parser.add_argument(f"--{name}", type=int, help="replaces this setting of a training")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    problem = gpu.gpu_problem() if args.device == "cuda" else None
    if problem:
        log(problem)
        return 2
    report: dict[str, Any] = {
        "device": gpu.device_name() if args.device == "cuda" else "cpu",
        "torch": torch.__version__,
        "numpy": np.__version__,
    }
    log(report)
    rows = report["editions"] = []
    given = {name: value for name in SIZED if (value := getattr(args, name)) is not None}
    for edition in args.editions.split(","):
        default = settings_for(edition, SIZES[args.device])
        settings = msgspec.structs.replace(default, **given)
        with threads_for(settings):
            row = measure(settings, args.iterations)
        rows.append(row)
        log(json.dumps(row))
        if args.out:
            args.out.write_text(json.dumps(report, indent=1))
    log(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
