"""Native code is kept, used again, and done without; a person is told."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "from macaz.kernel.compile import kernel; kernel('cpu'); print('ready')"


def start(folder: Path | str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"MACAZ_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.mark.slow
def test_the_first_start_says_what_it_does_and_the_second_is_quiet(tmp_path: Path) -> None:
    first, second = start(tmp_path), start(tmp_path)
    assert "Compiling the rules" in first.stderr
    assert second.stderr == ""
    for kept in tmp_path.rglob("*.nbi"):
        kept.write_bytes(b"")
    damaged = start(tmp_path)
    assert "cannot be used" in damaged.stderr
    assert damaged.stdout == "ready\n"


@pytest.mark.slow
def test_where_nothing_can_be_kept_it_still_works() -> None:
    assert "MACAZ_CACHE_DIR" in start("/proc/nowhere").stderr
