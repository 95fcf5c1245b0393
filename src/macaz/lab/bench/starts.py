"""Measures the run time of short processes: imports, help, first and later starts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from macaz.lab.bench.measure import Job, Skipped

_KERNEL = "from macaz.kernel.compile import kernel; kernel('{}').random_games"
_TARGETS = {"wasm": "random games as WebAssembly", "cpu": "random games as native code"}


def start_jobs(targets: Sequence[str], folder: Path) -> list[Job]:
    """A job for each kind of start; compiled code is cached in `folder`."""
    python = sys.executable
    commands = {
        "python, for comparison": ["-c", "pass"],
        "import macaz": ["-c", "import macaz"],
        "macaz --help": ["-m", "macaz", "--help"],
    }
    jobs = [
        Job("starts", name, partial(time_process, [python, *words]))
        for name, words in commands.items()
    ]
    for target in targets:
        load, cache = [python, "-c", _KERNEL.format(target)], folder / target
        first, later = partial(_first, load, cache), partial(time_process, load, _cached(cache))
        # Many seconds for native code: too slow to repeat.
        name, once = _TARGETS[target], target == "cpu"
        jobs.append(Job("starts", f"{name}, the first time: they are compiled", first, once))
        jobs.append(Job("starts", f"{name}, later", later))
    return jobs


def _cached(cache: Path) -> dict[str, str]:
    return {"MACAZ_CACHE_DIR": str(cache)}


def _first(command: list[str], cache: Path) -> dict[str, float]:
    shutil.rmtree(cache, ignore_errors=True)
    return time_process(command, _cached(cache))


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a process that imports the same package, installed or not."""
    source = str(Path(__file__).parents[3])
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, **(extra or {})}


def time_process(command: list[str], extra: Mapping[str, str] | None = None) -> dict[str, float]:
    """The wall time of a process, from its start to its end."""
    began = time.perf_counter()
    done = subprocess.run(
        command,
        env=environment(extra),
        capture_output=True,
        text=True,
        check=False,
    )
    elapsed = time.perf_counter() - began
    if done.returncode:
        raise Skipped((done.stderr.strip().splitlines() or ["it failed"])[-1])
    return {"s": elapsed}
