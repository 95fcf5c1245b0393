"""Run tests with NumPy's and PyTorch's code for older processors, which rounds differently.

Floating-point results of vectorized or threaded code may differ in the last digits between
processors. Each run limits the features that this code may use; tests that compare such numbers, or
files made from them, must pass in all runs.

    .venv/bin/python tools/portable.py            # the tests marked `portable`
    .venv/bin/python tools/portable.py -k plate   # other arguments of pytest
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

ARGUMENTS = ["-q", "-m", "portable and not slow", "-n", "auto", "--dist", "worksteal"]


class Limits(NamedTuple):
    """The limits of one run, as environment variables."""

    name: str
    environment: dict[str, str]


def limits() -> list[Limits]:
    """The limits to try on this processor: the features that all have, then some more.

    The run without limits is the usual test run.
    """
    # The features beyond NumPy's baseline that this processor has, in ascending order.
    found = list(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))
    return [
        _limits(found, "Nehalem", "default", "COMPATIBLE", threads=1),
        # A processor with AVX2 and without AVX-512. OpenBLAS uses this code for Zen too.
        _limits(found[1:], "Haswell", "avx2", "AVX2", threads=2),
    ]


def _limits(without: list[str], blas: str, aten: str, mkl: str, *, threads: int) -> Limits:
    environment = {
        "OPENBLAS_NUM_THREADS": str(threads),
        "OMP_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
    }
    name = f"{threads} threads" if threads > 1 else "1 thread"
    if platform.machine() in ("x86_64", "AMD64"):
        environment["OPENBLAS_CORETYPE"] = blas
        environment["ATEN_CPU_CAPABILITY"] = aten
        environment["MKL_CBWR"] = mkl
        name = f"BLAS as for {blas}, {name}"
    if without:
        environment["NPY_DISABLE_CPU_FEATURES"] = " ".join(without)
        name = f"NumPy without {' '.join(without)}, {name}"
    return Limits(name, environment)


def files() -> list[str]:
    """The files with marked tests, as collecting all tests would take long."""
    modules = Path("tests").rglob("test_*.py")
    marked = [module for module in modules if "mark.portable" in module.read_text("utf-8")]
    return ["tests/draw", *map(str, sorted(marked))]  # the folder is marked as a whole


def main() -> int:
    """Run pytest under each of the limits; 1 if a run fails."""
    status, tests = 0, files()
    for limit in limits():
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *tests, *ARGUMENTS, *sys.argv[1:]],
            env=os.environ | limit.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        ended = re.findall(
            r"^=* ?(.*\b(?:passed|failed|error|no tests ran)\b.*?) ?=*$", done.stdout, re.M
        )
        if done.returncode:
            print(done.stdout)
            status = 1
        print(f"{limit.name}: {ended[-1] if ended else 'did not end'}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
