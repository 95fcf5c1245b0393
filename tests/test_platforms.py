"""Nothing that only POSIX systems have is needed to import Macaz or to start it.

Modules, signals and functions that Windows lacks are taken away from Python here, in the processes
that Macaz starts too. That shows what the start needs, not that Macaz runs on Windows.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

MODULES = (
    *("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty"),
    *("curses", "readline", "syslog", "uvloop"),
)
SIGNALS = (
    *("SIGHUP", "SIGKILL", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGCHLD", "SIGPIPE"),
    *("SIGSTOP", "SIGCONT", "SIGTSTP", "SIGWINCH", "pthread_sigmask", "pthread_kill", "alarm"),
    *("setitimer", "sigwait", "siginterrupt"),
)
# Not `getuid`, `sysconf` and `uname`: libraries, or Python itself, need them on this system.
FUNCTIONS = (
    *("fork", "forkpty", "getpgid", "getpgrp", "setsid", "killpg", "nice", "wait4"),
    *("sched_getaffinity", "sched_setaffinity", "tcgetpgrp", "mkfifo", "getloadavg"),
)
# `sitecustomize` is imported at every start of Python.
TAKE_AWAY = f"""
import os, signal, sys
for name in {MODULES}:
    sys.modules[name] = None
for module, names in ((signal, {SIGNALS}), (os, {FUNCTIONS})):
    for name in names:
        vars(module).pop(name, None)
os.process_cpu_count = os.cpu_count  # as Python 3.13 has it without `sched_getaffinity`
"""
EXTRAS = (
    *("numba", "llvmlite", "torch", "pyarrow", "matplotlib", "ray", "gymnasium", "pettingzoo"),
    *("pyspiel", "open_spiel", "playwright"),
)
# As where no extra is installed, which is quicker: a module may then be missing one, nothing else.
IMPORT_ALL = f"""
import importlib, pkgutil, sys, macaz
from macaz.errors import MissingExtra
sys.modules.update(dict.fromkeys({EXTRAS}))
for info in pkgutil.walk_packages(macaz.__path__, "macaz.", onerror=lambda name: None):
    if not info.name.startswith(("macaz.__main__", "macaz.server.store.migrations.")):
        try:
            importlib.import_module(info.name)
        except ImportError as error:
            extra = str(error.name).partition(".")[0] in {EXTRAS}
            if not extra and not isinstance(error, MissingExtra):
                raise
        else:
            print(info.name)
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """The environment of a Python without them."""
    (tmp_path / "sitecustomize.py").write_text(TAKE_AWAY)
    source = Path(__file__).parents[1] / "src"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MACAZ_")}
    return kept | {
        "PYTHONPATH": os.pathsep.join((str(tmp_path), str(source))),
        "PYTHONUTF8": "1",
        "MACAZ_CACHE_DIR": str(tmp_path / "cache"),
    }


def run(env: dict[str, str], folder: Path, *arguments: str, given: str = "") -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env=env,
        cwd=folder,
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def serving(env: dict[str, str], folder: Path) -> Iterator[str]:
    """`macaz play` without a browser; its address."""
    command = (sys.executable, "-u", "-m", "macaz", "play", "--no-browser", "--port", "0")
    database = ("--database", f"sqlite:///{(folder / 'macaz.db').as_posix()}")
    process = subprocess.Popen(
        (*command, *database), env=env, cwd=folder, stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdout is not None
    with process, process.stdout as told:
        try:
            found = re.search(r"http://\S+?:\d+", told.readline())
            assert found
            yield found[0]
        finally:
            process.terminate()


def test_they_are_taken_away(elsewhere: dict[str, str], tmp_path: Path) -> None:
    code = "import os, signal; print(hasattr(signal, 'SIGHUP'), hasattr(os, 'fork'))\nimport fcntl"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=elsewhere,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("False False\n", 1)
    assert "ModuleNotFoundError" in done.stderr


def test_every_module_is_imported(elsewhere: dict[str, str], tmp_path: Path) -> None:
    imported = run(elsewhere, tmp_path, "-c", IMPORT_ALL).split()
    assert {"macaz.server.app", "macaz.cli.play", "macaz.bots.protocol.program"} <= set(imported)


def test_a_game_is_played_in_the_terminal(elsewhere: dict[str, str], tmp_path: Path) -> None:
    assert "Commands:" in run(elsewhere, tmp_path, "-m", "macaz", "--help")
    shown = run(
        elsewhere, tmp_path, "-m", "macaz", "terminal", "--edition", "tiny", given="help\nquit\n"
    )
    assert "quit" in shown


def test_a_server_starts_and_answers(elsewhere: dict[str, str], tmp_path: Path) -> None:
    with serving(elsewhere, tmp_path) as address, urlopen(f"{address}/readyz", timeout=30) as said:
        assert said.read() == b"ready"
