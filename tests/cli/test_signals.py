"""Ctrl-C and TERM end commands whose parent ignores them, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from macaz.bots.network import read_network
from macaz.cli.text import plural
from macaz.lab.arena.store import read_results
from macaz.lab.train.journal import read_log

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")

BOTH = pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
PATIENCE = 300  # seconds, for a busy machine


@contextmanager
def ignoring(what: str, *arguments: object, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """A `macaz` command, started with some signals ignored, as a shell's background jobs are."""
    command = ["sh", "-c", f'trap "" {what}; exec "$@"', "sh", sys.executable, "-m", "macaz"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [*command, *map(str, arguments)],
        cwd=cwd,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:  # a test has failed
                os.killpg(process.pid, signal.SIGKILL)


def wait_for(there: Callable[[], object], process: subprocess.Popen[str]) -> None:
    """Wait until a command has reached a state."""
    while not there():
        if process.poll() is not None:
            raise AssertionError(process.communicate())
        time.sleep(0.05)


def stop(process: subprocess.Popen[str], number: int) -> tuple[str, str]:
    """Send a signal to a command and its children; returns their output when all have ended."""
    os.killpg(process.pid, number)
    told, remarks = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in remarks
    return told, remarks


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]
)
def test_a_command_that_waits_is_ended(number, status, tmp_path):
    with ignoring("INT TERM", "bot", "run", "greedy", cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("macaz 1 {}\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith("bot ")
        _, remarks = stop(process, number)
        assert process.returncode == status
        assert remarks.strip() == ("macaz: stopped." if status == 130 else "")


@pytest.mark.skipif(find_spec("numba") is None, reason="needs Numba")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]
)
def test_compiling_is_ended(number, status, tmp_path, monkeypatch):
    from macaz.kernel.compiler import LOCK

    monkeypatch.setenv("MACAZ_CACHE_DIR", str(tmp_path))
    lock = tmp_path / "kernel" / LOCK
    with ignoring("INT TERM", "warm", "players", cwd=tmp_path) as process:
        wait_for(lock.exists, process)
        _, remarks = stop(process, number)
        assert process.returncode == status
        assert remarks.strip() == ("macaz: stopped." if status == 130 else "")
    fcntl = pytest.importorskip("fcntl")
    with lock.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # the compiler has ended too, or this would wait


@BOTH
def test_a_simulation_keeps_its_games(number, status, tmp_path):
    out = tmp_path / "games.parquet"
    arguments = ("simulate", "-e", "tiny", "-n", "1e9", "--out", out)
    with ignoring("INT TERM", *arguments, cwd=tmp_path) as process:
        wait_for(lambda: list(tmp_path.glob(".games.parquet.*")), process)
        stop(process, number)
        assert process.returncode == status
        assert pq.read_metadata(out).num_rows > 0


@BOTH
def test_a_dataset_keeps_its_games(number, status, tmp_path):
    arguments = ("dataset", "-e", "tiny", "-n", "1M", "--out", tmp_path, "--workers", "2")
    with ignoring("INT TERM", *arguments, cwd=tmp_path) as process:
        wait_for(lambda: list(tmp_path.glob(".decisions.parquet.*")), process)
        _, remarks = stop(process, number)
        assert process.returncode == status
        assert remarks.startswith("Wrote ")
        assert pq.read_metadata(tmp_path / "games.parquet").num_rows > 0


@BOTH
def test_a_tournament_keeps_its_games(number, status, tmp_path):
    two = ("--workers", "2")
    arguments = ("arena", "--bots", "greedy,random", "-e", "tiny", "--games", "20k", *two)
    with ignoring("INT TERM", *arguments, "--out", "cup", cwd=tmp_path) as process:
        games = tmp_path / "cup" / "games.jsonl"
        wait_for(lambda: games.exists() and games.stat().st_size > 1000, process)
        _, remarks = stop(process, number)
        assert process.returncode == status
        kept = len(list(read_results(tmp_path / "cup")))
        assert f"Stopped with {plural(kept, 'game')}." in remarks


@pytest.mark.slow
@pytest.mark.skipif(find_spec("torch") is None, reason="needs PyTorch")
@BOTH
def test_a_training_keeps_its_network(number, status, tmp_path):
    arguments = ("train", "-e", "tiny", "--device", "cpu", "--minutes", "1000", "--out", "run")
    with ignoring("INT TERM", *arguments, cwd=tmp_path) as process:
        # A network is saved once a minute, and at the end.
        wait_for(lambda: any(line.games for line in read_log(tmp_path / "run")), process)
        _, remarks = stop(process, number)
        assert process.returncode == status
        assert "Stopped, and saved" in remarks
        assert read_network(tmp_path / "run" / "network.npz").about["games"] > 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", ["play", "serve"])
def test_a_server_stops(command, number, tmp_path):
    arguments = [command, "--port", "0", "--database", f"sqlite:///{tmp_path}/macaz.db"]
    if command == "play":
        arguments.append("--no-browser")
    with ignoring("INT TERM", *arguments, cwd=tmp_path) as process:
        said = process.stdout if command == "play" else process.stderr
        assert said is not None
        assert "http://" in said.readline()
        stop(process, number)
        assert process.returncode == 0
