"""Processes forked on request: real, killable, quick to replace, and none left behind."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.zygote import PATIENCE, Zygote


def write_and_wait(path: str, seconds: float) -> None:
    """What the children do."""
    Path(path).write_text(str(os.getpid()))
    time.sleep(seconds)


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote("tests.server.test_zygote:write_and_wait") as running:
        yield running


def written(path: Path) -> int:
    deadline = time.monotonic() + PATIENCE
    while not path.exists() or not path.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.001)
    return int(path.read_text())


def test_a_killed_child_is_replaced(zygote: Zygote, tmp_path: Path) -> None:
    numbers = set()
    for i in range(20):
        path = tmp_path / str(i)
        child = zygote.spawn(path=str(path), seconds=600)
        assert written(path) == child.pid != os.getpid()
        assert child.poll() is None
        child.kill()
        assert child.poll() == -signal.SIGKILL
        with pytest.raises(ProcessLookupError):
            os.kill(child.pid, 0)
        numbers.add(child.pid)
    assert len(numbers) == 20


def test_how_a_child_ended_is_known(zygote: Zygote, tmp_path: Path) -> None:
    assert zygote.spawn(path=str(tmp_path / "fine"), seconds=0).wait() == 0
    assert zygote.spawn(path=str(tmp_path / "no" / "folder"), seconds=0).wait() == 1
    stopped = zygote.spawn(path=str(tmp_path / "stopped"), seconds=600)
    written(tmp_path / "stopped")
    stopped.signal(signal.SIGTERM)
    assert stopped.wait() == -signal.SIGTERM
    stopped.kill()


def test_children_do_not_outlive_the_zygote(tmp_path: Path) -> None:
    with Zygote("tests.server.test_zygote:write_and_wait") as zygote:
        children = [zygote.spawn(path=str(tmp_path / str(i)), seconds=600) for i in range(3)]
        for i in range(3):
            written(tmp_path / str(i))
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(child.pid, 0)


def test_a_function_that_is_not_there_is_an_error() -> None:
    with Zygote("tests.server.test_zygote:nothing") as zygote, pytest.raises(RuntimeError):
        zygote.spawn()
