"""The example with PyTorch learns on the smallest map within seconds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
EXAMPLE = Path(__file__).parents[3] / "examples" / "ppo.py"


@pytest.mark.slow
def test_it_learns(tmp_path: Path) -> None:
    """Before it learns, the same network wins 61 % of 200 games; after six batches, 93 %."""
    network = tmp_path / "network.pt"
    learning = ("--edition", "tiny", "--batches", "6", "--save", str(network))
    playing = ("--against", "random", "--pairs", "30")
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), *learning, *playing],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    [won] = re.findall(r"against random: won ([\d.]+)% ± [\d.]+% of 60 games", done.stdout)
    assert float(won) > 80
    assert network.stat().st_size > 0


def test_it_is_as_short_as_it_is_said_to_be() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 180
