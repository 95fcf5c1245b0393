"""Native code: compiled part by part in the background, cached and reused, or used uncached."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from macaz.kernel import native_code
from macaz.kernel.compile import Program, compiled, entries
from macaz.kernel.compiler import LOCK
from macaz.kernel.native_code import Compiler, CompilingFailed, NativeCode, Part, parts
from macaz.kernel.views import VIEWS

PATIENCE = 300  # seconds, for a busy machine
# The compiler stays in `behind_gate` until a file is there.
ENTRY = """
import time
from pathlib import Path

from numba import types
from numba.extending import intrinsic

GATE = Path({gate!r})


@intrinsic
def gate(_typing, x):
    while not GATE.exists():
        time.sleep(0.01)
    return types.int64(types.int64), lambda _context, _builder, _signature, args: args[0]


def double(x):
    return x + x


def twice(x):
    return double(double(x))


def plain(x):
    return twice(x) + 1


def behind_gate(x):
    return gate(x) + plain_number(x)


def plain_number(x):
    return 10


def broken(x):
    return x + "no number"
"""


class Place:
    """A small program, its cache, and the gate in it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.gate = folder / "gate"
        (folder / f"{name}.py").write_text(ENTRY.format(gate=str(self.gate)))
        self.program = Program("numbers", (name,), (name,))

    def parts(self) -> list[Part]:
        return parts(self.program, "plain", "behind_gate")


@pytest.fixture
def place(tmp_path, monkeypatch, request) -> Place:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(tmp_path / "cache"))
    return Place(tmp_path, f"numbers_{abs(hash(request.node.name))}")


def compile_all(wanted: list[Part]) -> list[str]:
    """Compile; returns the parts that were not in the cache."""
    with Compiler(wanted) as compiler:
        return [event.part.entry for event in compiler.events() if not event.done]


def begun(compiler: Compiler, entry: str) -> None:
    """Wait until a compiler is in the middle of a part."""
    for event in compiler.events():
        if event.part.entry == entry and not event.done:
            return
    raise AssertionError(f"{entry} was not compiled")


def wait_until(there: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_unlocked(folder: Path) -> bool:
    fcntl = pytest.importorskip("fcntl")
    with (folder / LOCK).open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_only_what_is_asked_for_is_compiled_and_it_is_kept(place, capsys):
    first = NativeCode(place.program)
    assert not first.usable("plain")
    assert first.plain(5) == 21
    assert "compiling numbers: plain" in capsys.readouterr().err
    assert first.usable("plain")
    assert [part.ready for part in place.parts()] == [True, False]
    assert NativeCode(place.program).plain(-1) == -3
    assert capsys.readouterr().err == ""
    with pytest.raises(AttributeError):
        _ = first.nothing


def test_native_code_does_what_plain_python_does(place):
    run, plain = compiled(place.program, "cpu"), compiled(place.program, "plain")
    assert run is compiled(place.program, "cpu")
    assert [run.plain(x) for x in range(-9, 9)] == [plain.plain(x) for x in range(-9, 9)]


def test_a_compiler_that_is_killed_resumes(place):
    with Compiler(place.parts()) as compiler:
        begun(compiler, "behind_gate")
        compiler._process.kill()
        with pytest.raises(CompilingFailed, match="ended with status"):
            list(compiler.events())
    assert [part.ready for part in place.parts()] == [True, False]
    place.gate.touch()
    assert compile_all(place.parts()) == ["behind_gate"]
    assert compile_all(place.parts()) == []
    assert NativeCode(place.program).behind_gate(1) == 11


def test_two_at_once_compile_each_part_once(place):
    with Compiler(place.parts()) as one:
        begun(one, "behind_gate")
        with Compiler(place.parts()) as other:
            assert next(other.events()).done  # the part that the first has compiled
            place.gate.touch()
            assert {event.done for event in other.events()} == {True}
        assert [event.done for event in one.events()] == [True]


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_compiler_ends_with_the_process_that_asked(place, number):
    [name] = place.program.entries
    program = (
        "from macaz.kernel.compile import Program; from macaz.kernel.native_code import *\n"
        f"program = Program('numbers', ({name!r},), ({name!r},))\n"
        "with Compiler(parts(program, 'behind_gate')) as compiler:\n"
        "    for event in compiler.events(): print(event.part.entry, flush=True)\n"
    )
    path = os.pathsep.join(sys.path)
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "behind_gate\n"
        folder = place.parts()[0].folder.parent
        assert not is_unlocked(folder)
        process.send_signal(number)
        assert process.wait(PATIENCE) == -number
        wait_until(lambda: is_unlocked(folder))


def test_code_that_cannot_be_loaded_is_compiled_again(place, capsys):
    assert NativeCode(place.program).plain(1) == 5
    for kept in place.parts()[0].folder.rglob("*.nbi"):
        kept.write_bytes(b"")
    fresh = NativeCode(place.program)
    assert not fresh.usable("plain")
    assert "cannot be used, and is removed" in capsys.readouterr().err
    assert fresh.plain(1) == 5


def test_where_nothing_can_be_kept_it_is_compiled_for_the_process(place, monkeypatch, capsys):
    (place.gate.parent / "file").touch()
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(place.gate.parent / "file"))
    assert place.parts() == []
    run = NativeCode(place.program)
    assert not run.usable("plain")
    assert run.plain(1) == 5
    assert "MACAZ_CACHE_DIR names a folder" in capsys.readouterr().err


def test_what_cannot_be_compiled_is_said(place):
    with pytest.raises(CompilingFailed, match="numbers: broken cannot be compiled"):
        compile_all(parts(place.program, "broken"))


def test_code_that_was_not_used_for_a_month_is_forgotten(place):
    [part, _] = place.parts()
    base, now = part.folder.parent, time.time()
    for name, age in (("old", 31), ("recent", 29)):
        (base / name).mkdir()
        (base / name / native_code.USED).touch()
        os.utime(base / name / native_code.USED, (0, now - age * 24 * 3600))
    assert NativeCode(place.program).plain(1) == 5
    assert {path.name for path in base.iterdir()} == {part.folder.name, "recent", LOCK}


def test_warm_compiles_ahead_and_only_once(tmp_path):
    command = [sys.executable, "-m", "macaz", "warm", "views"]
    environment = os.environ | {"MACAZ_CACHE_DIR": str(tmp_path)}

    def run() -> str:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stderr

    first, second = run(), run()
    count = len(entries(VIEWS))
    assert f"Compiled views: redact_state (1 of {count})" in first
    assert f"{count} parts ready" in first
    assert f"{count} of them new" in first
    assert "0 of them new" in second
