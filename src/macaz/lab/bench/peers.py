"""Measures other engines in a separate environment, with a process for each measurement.

This needs a checkout of Macaz: `bench/` and `tools/` are not part of the package.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from macaz.lab.bench.measure import Job, Skipped

ROOT = Path(__file__).resolve().parents[4]
# name in bench/peer.py: (engine, its game, players)
PEERS = {
    "catanatron": ("Catanatron", "Catan", 4),
    "openspiel-backgammon": ("OpenSpiel", "backgammon", 2),
    "openspiel-gin-rummy": ("OpenSpiel", "gin rummy", 2),
    "openspiel-hearts": ("OpenSpiel", "hearts", 4),
    "rlcard-gin-rummy": ("RLCard", "gin rummy", 2),
}


def in_checkout() -> bool:
    """Whether the scripts for the peers are here."""
    return (ROOT / "bench/peer.py").is_file() and (ROOT / "tools/setup.sh").is_file()


def set_up() -> Path:
    """The Python of the other engines' environment, created from bench/peers.txt if necessary."""
    if not in_checkout():
        raise Skipped("the other engines are measured from a checkout of Macaz only")
    pins = ROOT / "bench/peers.txt"
    home = ROOT / ".cache/peers"
    python = home / "bin/python"
    stamp = home / ".done"
    digest = hashlib.sha256(pins.read_bytes() + sys.version.encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == digest and python.exists():
        return python
    uv = run_tool(["tools/setup.sh", "uv"], {"PYTHON": sys.executable}).strip()
    run_tool(
        [uv, "venv", "--quiet", "--clear", "--no-project", "--python", sys.executable, str(home)]
    )
    run_tool([uv, "pip", "sync", "--quiet", "--python", str(home), "--require-hashes", str(pins)])
    stamp.write_text(digest)
    return python


def peer_jobs(python: Path, seconds: float) -> list[Job]:
    """A job for each engine."""
    jobs = []
    for key, (engine, game, players) in PEERS.items():
        job = Job("peers", f"{engine}, {game}", dict)
        job.about = {"engine": engine, "game": game, "players": players}
        job.run = lambda k=key, j=job: _measure(python, k, seconds, j)  # type: ignore[misc]
        jobs.append(job)
    return jobs


def _measure(python: Path, key: str, seconds: float, job: Job) -> dict[str, float]:
    answer = run_tool([str(python), "bench/peer.py", key, str(seconds)])
    found = json.loads(answer.strip().splitlines()[-1])
    job.about["version"] = found["version"]
    return {
        "games/s": found["games"] / found["seconds"],
        "decisions/s": found["decisions"] / found["seconds"],
    }


def run_tool(command: list[str], extra: dict[str, str] | None = None) -> str:
    """Run a program in the checkout, without this environment's packages; returns its output."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**environment, **(extra or {})},
            capture_output=True,
            text=True,
            check=True,
        )
    except OSError as error:
        raise Skipped(f"{command[0]}: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        lines = error.stderr.strip().splitlines() or ["it failed"]
        raise Skipped(f"{Path(command[0]).name}: {lines[-1]}") from error
    return done.stdout
