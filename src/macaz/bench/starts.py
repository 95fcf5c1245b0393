"""How long it takes until something happens: imports, help, the first start and later ones."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from macaz.bench.measure import Job, Skipped

_KERNEL = "from macaz.kernel.compile import kernel; kernel('cpu')"


def start_jobs(folder: str) -> list[Job]:
    """A job for each kind of start; compiled code goes to that folder, empty at first."""
    cache = {"MACAZ_CACHE_DIR": folder}
    python = sys.executable
    return [
        Job("starts", "python, for comparison", lambda: time_process([python, "-c", "pass"])),
        Job("starts", "import macaz", lambda: time_process([python, "-c", "import macaz"])),
        Job("starts", "macaz --help", lambda: time_process([python, "-m", "macaz", "--help"])),
        Job(
            "starts",
            "first start: the kernel is compiled",
            lambda: time_process([python, "-c", _KERNEL], cache),
            once=True,
        ),
        Job("starts", "later starts", lambda: time_process([python, "-c", _KERNEL], cache)),
    ]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """For a process that finds the package where this one did, installed or not."""
    source = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, **(extra or {})}


def time_process(command: list[str], extra: Mapping[str, str] | None = None) -> dict[str, float]:
    """The wall time of a process, from nothing to its end."""
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
