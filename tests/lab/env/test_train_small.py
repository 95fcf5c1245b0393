"""The training example learns within a few seconds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[3] / "examples" / "train_small.py"


def test_it_learns():
    # One thread: with many tests in parallel, more threads only wait for each other.
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), "3"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    won = [int(share) for share in re.findall(r"won (\d+)%", done.stdout)]
    assert 35 < won[0] < 65  # the policy is still random, like its opponent
    assert won[-1] > 70


def test_it_is_as_short_as_it_is_said_to_be():
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 40
