"""Helper processes answer line by line, are stopped only by their parent, and never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from macaz import workers
from macaz.errors import MacazError
from macaz.workers import Helper, core_count, environment

PATIENCE = 60.0
posix = pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")

# Answers each line with its reverse; "sleep" is not answered, and "die" ends it.
ECHO = """
import os, sys, time
from queue import SimpleQueue
from macaz.workers import Parent, ignore_stops

ignore_stops()
parent, lines = Parent(), SimpleQueue()
parent.listen(lines.put, lambda: os._exit(7))
print("not an answer")
parent.tell(repr(sys.stdin.read()).encode())
while line := lines.get().strip():
    if line == b"die":
        os._exit(5)
    if line == b"sleep":
        time.sleep(3600)
    parent.tell(line[::-1])
"""
DEAF = "import sys, time; print('here', flush=True); time.sleep(3600)"  # does not watch its input
WATCHES = """
import time
from macaz.workers import end_with_parent, stop_at_once

stop_at_once()
end_with_parent(3)
print("here", flush=True)
time.sleep(3600)
"""
# A parent that says which process its helper is.
PARENT = f"""
import sys, time
from macaz.workers import Helper, environment
helper = Helper([sys.executable, "-c", {WATCHES!r}], environment())
helper.read()
print(helper._process.pid, flush=True)
time.sleep(3600)
"""


@contextmanager
def helper(code: str) -> Iterator[Helper]:
    found = Helper([sys.executable, "-c", code], environment())
    try:
        yield found
    finally:
        found.kill()
        found.end()


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout
    return not state.strip() or state.startswith("Z")


def test_a_line_goes_out_and_a_line_comes_back(capfd):
    with helper(ECHO) as echo:
        assert echo.read() == b"''", "its standard input is empty"
        for word in (b"switch", b"track"):
            echo.say(word)
            assert echo.read() == word[::-1]
        assert echo.alive
        assert echo.status is None
        assert echo.wait(0.01) is None
    assert "not an answer" in capfd.readouterr().err


def test_one_that_ends_instead_of_answering_tells_its_status():
    with helper(ECHO) as echo:
        echo.read()
        echo.say(b"die")
        with pytest.raises(EOFError) as found:
            echo.read()
        assert (found.value.args, echo.status, echo.wait()) == ((5,), 5, 5)
        echo.say(b"nothing happens")
        assert echo.end() == 5
        echo.say(b"nothing happens")


def test_one_ends_when_its_input_is_closed_though_it_works():
    with helper(ECHO) as echo:
        echo.read()
        echo.say(b"sleep")
        assert echo.end() == 7


@pytest.mark.skipif(os.name == "nt", reason="there is another status there")
def test_one_that_does_not_listen_is_killed(monkeypatch):
    monkeypatch.setattr(workers, "GRACE", 0.1)
    with helper(DEAF) as deaf:
        assert deaf.read() == b"here"
        assert deaf.end() == -signal.SIGKILL


@posix
def test_it_has_a_process_group_of_its_own_and_leaves_signals_to_its_parent():
    with helper(ECHO) as echo:
        echo.read()
        pid = echo._process.pid
        assert os.getpgid(pid) == pid
        for number in workers.STOPS:
            os.kill(pid, number)
        echo.say(b"ab")
        assert echo.read() == b"ba"


@posix
@pytest.mark.parametrize("number", workers.STOPS)
def test_one_may_also_end_at_once_by_a_signal(number):
    with helper(WATCHES) as watching:
        watching.read()
        os.kill(watching._process.pid, number)
        assert watching.wait(PATIENCE) == -number


@posix
def test_none_outlives_a_parent_that_is_killed():
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert not is_gone(pid)
        parent.kill()
    until(lambda: is_gone(pid))


def test_its_environment_has_one_thread_and_no_secret(monkeypatch):
    monkeypatch.setenv("MACAZ_SECRET", "x" * 32)
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    found = environment({"MORE": "1"}, without=["MACAZ_SECRET"])
    assert "MACAZ_SECRET" not in found
    assert (found["OMP_NUM_THREADS"], found["MORE"]) == ("1", "1")
    assert os.environ["OMP_NUM_THREADS"] == "8"


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="there is no affinity here")
def test_the_cores_are_those_that_this_process_may_use(monkeypatch):
    monkeypatch.delenv("MACAZ_CORES", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {4, 5, 6})
    assert core_count() == 3


@pytest.mark.parametrize(("told", "count"), [("1", 1), ("3", 3)])
def test_a_process_may_be_told_how_many_cores_it_has(monkeypatch, told, count):
    monkeypatch.setenv("MACAZ_CORES", told)
    assert core_count() == count


@pytest.mark.parametrize("told", ["0", "-1", "many", "1.5"])
def test_a_number_of_cores_that_is_none_is_refused(monkeypatch, told):
    monkeypatch.setenv("MACAZ_CORES", told)
    with pytest.raises(MacazError, match="MACAZ_CORES is how many cores to use"):
        core_count()
