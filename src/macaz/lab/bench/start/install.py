"""Measures the time and the size of an installation from a checkout."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from macaz.lab.bench.measure import Skipped
from macaz.lab.bench.peers import ROOT, run_tool
from macaz.lab.bench.start.newcomer import visit

LOCK = "requirements/app.txt"


def prepare() -> None:
    """Install once, to fill the cache of uv."""
    if not (ROOT / LOCK).is_file() or not (ROOT / "tools/setup.sh").is_file():
        raise Skipped("it is measured from a checkout of Macaz only")
    with tempfile.TemporaryDirectory(prefix="macaz-") as folder:
        _install(Path(folder) / "venv")


def measure() -> dict[str, float]:
    """Install without the network, start what was installed, and compile its files."""
    with tempfile.TemporaryDirectory(prefix="macaz-") as folder:
        venv = Path(folder) / "venv"
        began = time.perf_counter()
        python = _install(venv, "--offline")
        seconds = time.perf_counter() - began
        bare = _size(venv)
        found = visit("greedy", str(python))
        run_tool([str(python), "-m", "compileall", "-q", "-j", "0", str(venv)])
        return {
            "install s": seconds,
            "MB": bare / 1e6,
            "compiled MB": _size(venv) / 1e6,
            **found,
        }


def _install(venv: Path, *options: str) -> Path:
    """Install as `pip install .` does, with locked versions; returns the new Python."""
    uv = str(ROOT / run_tool(["tools/setup.sh", "uv"], {"PYTHON": sys.executable}).strip())
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run_tool([uv, "venv", "--quiet", "--no-project", "--python", sys.executable, str(venv)])
    install = [uv, "pip", "install", "--quiet", "--python", str(python), "--link-mode", "copy"]
    run_tool([*install, *options, "--require-hashes", "-r", LOCK])
    # Rebuilt from the present checkout.
    run_tool([*install, "--no-deps", "--no-build-isolation", "--refresh-package", "macaz", "."])
    return python


def _size(folder: Path) -> int:
    """Bytes of all files, without symbolic links."""
    return sum(
        path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    )
