"""Runs a test of the page's own code with data that Python has written for it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_vitest(test: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a test file of `web/`, given its path there, with more environment variables."""
    return subprocess.run(
        [ROOT / "tools" / "node.sh", "npx", "vitest", "run", test],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
