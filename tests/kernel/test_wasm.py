"""The WebAssembly module: its content, its requirements, and what happens where it does not run."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import wasmtime
from tests.kernel.test_four_ways import TABLES

from macaz.edition import load_edition
from macaz.help.compiled.program import ALL
from macaz.kernel import wasm
from macaz.kernel.compile import entries, kernel
from macaz.kernel.cpu import play_batch
from macaz.kernel.layout import dtype_of
from macaz.kernel.spec import compile_spec

TOOL = Path(__file__).parents[2] / "tools" / "make_wasm.py"
MOST = 400_000  # bytes of the module
CODE = wasm.MODULE.read_bytes()
# A whole game by the rules alone, a decision of a compiled player, and the target of both.
PLAY = """
import hashlib
from macaz.bots import make_bot
from macaz.game import Game
from macaz.kernel.compile import default_target

game = Game("europe", 3, seed=8)
bots = [make_bot(name, seed=1) for name in ("greedy", "random", "greedy")]
while not game.over:
    seat = game.deciding[0]
    legal = list(game.legal_moves_of(seat))
    if len(game.history) % 40 == 9:
        assert make_bot("planner").choose(game.view(seat), legal) in legal
    game.push(bots[seat].choose(game.view(seat), legal), seat)
print(default_target(), hashlib.sha256(game.state.tobytes()).hexdigest())
"""


def start(program: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a new Python process whose caches are in the folder."""
    environment = {name: text for name, text in os.environ.items() if name != "MACAZ_TARGET"}
    return subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={**environment, "MACAZ_CACHE_DIR": str(folder), **more},
        capture_output=True,
        text=True,
        check=False,
    )


def play(folder: Path, before: str = "", **more: str) -> tuple[str, str]:
    """Play as above after running `before`; returns the target and the messages."""
    done = start(f"{before}\n{PLAY}", folder, **more)
    assert done.returncode == 0, done.stderr
    target, state = done.stdout.split()
    assert state == played_plain()
    return target, done.stderr


@cache
def played_plain() -> str:
    """How the same game ends in plain Python."""
    with TemporaryDirectory() as folder:
        target, state = start(PLAY, Path(folder), MACAZ_TARGET="plain").stdout.split()
    assert target == "plain"
    return str(state)


def hide(folder: Path, *modules: str) -> dict[str, str]:
    """Variables for a process, so that neither it nor those it starts can import some modules."""
    lines = "".join(f"sys.modules[{module!r}] = None\n" for module in modules)
    (folder / "sitecustomize.py").write_text(f"import sys\n{lines}")
    return {"PYTHONPATH": str(folder)}


def assert_plain(told: tuple[str, str], *words: str) -> None:
    """Check that it ran as plain Python, with a message of one line that gives the reason."""
    target, said = told
    assert target == "plain"
    assert said.startswith("macaz: ")
    assert said.endswith("The rules run as plain Python instead, which is slower.\n")
    assert said.count("\n") == 1, said
    assert [word for word in words if word not in said] == [], said


# -- the file -------------------------------------------------------------------------------------


def test_the_module_is_small_and_imports_nothing() -> None:
    assert len(CODE) < MOST
    assert list(wasmtime.Module(wasmtime.Engine(), CODE).imports) == []


def test_every_entry_is_exported_and_told_of() -> None:
    exported = wasmtime.Module(wasmtime.Engine(), CODE).exports
    assert {export.name for export in exported} == {"memory", "__heap_base", *entries(ALL)}
    assert set(wasm.read_description(CODE)["entries"]) == set(entries(ALL))


def test_the_memory_never_grows() -> None:
    exported = wasmtime.Module(wasmtime.Engine(), CODE).exports
    [memory] = [e.type for e in exported if isinstance(e.type, wasmtime.MemoryType)]
    assert memory.limits.min == memory.limits.max == wasm.PAGES


def test_the_module_is_of_these_sources() -> None:
    """After a change of the kernel or the players: `make wasm`."""
    assert wasm.read_description(CODE) == wasm.description(ALL)


def test_one_changed_byte_of_any_source_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = wasm.read_description(CODE)["sources"]
    assert {"kernel/legal.py", "kernel/layout.py", "bots/compiled/tree.py"} <= set(files)
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((wasm.MODULE.parents[1] / name).read_bytes())
    expected = wasm.source_digest(files)
    monkeypatch.setattr(wasm, "__file__", str(tmp_path / "kernel/wasm.py"))
    assert wasm.source_digest(files) == expected
    for name in files:
        whole = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(whole[:-1] + b" ")
        assert wasm.source_digest(files) != expected, name
        (tmp_path / name).write_bytes(whole)


# -- machines where something is missing ----------------------------------------------------------


def test_what_was_compiled_is_kept_and_a_damaged_one_replaced(tmp_path: Path) -> None:
    assert play(tmp_path) == ("wasm", "")
    [kept] = (tmp_path / "wasm").iterdir()
    whole = kept.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], whole[:-100], os.urandom(len(whole))):
        kept.write_bytes(damaged)
        assert play(tmp_path) == ("wasm", "")
        assert [path.name for path in (tmp_path / "wasm").iterdir()] == [kept.name]
        assert len(kept.read_bytes()) == len(whole)


@pytest.mark.parametrize("place", ["a file", "read only"])
def test_where_nothing_can_be_kept_it_works_as_well(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "cache"
    if place == "a file":
        folder.write_text("no folder")
    else:
        folder.mkdir(mode=0o500)  # does not apply to every user
    assert play(folder) == ("wasm", "")


def test_where_the_disk_is_full_nothing_half_written_stays(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    small = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))"
    assert play(tmp_path, small) == ("wasm", "")
    assert list((tmp_path / "wasm").iterdir()) == []


def test_without_wasmtime_plain_python_plays(tmp_path: Path) -> None:
    assert_plain(play(tmp_path, **hide(tmp_path, "wasmtime")), "wasmtime", "Install Macaz again")


@pytest.mark.parametrize("error", ["RuntimeError('unsupported')", "OSError('no such library')"])
def test_where_wasmtime_does_not_run_plain_python_plays(tmp_path: Path, error: str) -> None:
    """The errors of the wasmtime package on an unknown system or processor."""
    (tmp_path / "wasmtime.py").write_text(f"raise {error}")
    assert_plain(play(tmp_path, PYTHONPATH=str(tmp_path)), error.split("'")[1])


def broken_modules() -> dict[str, tuple[bytes | None, str]]:
    """Replacements for the file of the module, and the message for each."""
    about = CODE.rfind(wasm.SECTION.encode() + b"{")
    digest = wasm.read_description(CODE)["digest"].encode()
    return {
        "missing": (None, "cannot be read"),
        "empty": (b"", "is damaged"),
        "truncated": (CODE[: len(CODE) // 2], "is damaged"),
        "cut short": (CODE[:-9], "is damaged"),
        "garbage": (os.urandom(len(CODE)), "is damaged"),
        "garbage within": (CODE[:64] + os.urandom(about - 64) + CODE[about:], "cannot be compiled"),
        "stale": (CODE.replace(digest, digest[::-1]), "is older than the sources"),
        "of sources long gone": (CODE.replace(b"legal.py", b"lagel.py"), "is older than"),
    }


@pytest.mark.parametrize("what", broken_modules())
def test_where_the_module_is_broken_plain_python_plays(tmp_path: Path, what: str) -> None:
    content, words = broken_modules()[what]
    module = tmp_path / "other.wasm"
    if content is not None:
        module.write_bytes(content)
    elsewhere = f"from macaz.kernel import wasm; wasm.MODULE = wasm.Path({str(module)!r})"
    assert_plain(play(tmp_path, elsewhere), str(module), words)


@pytest.mark.slow
@pytest.mark.parametrize("missing", [("numba", "llvmlite"), ("numba", "llvmlite", "wasmtime")])
def test_commands_work_without_a_compiler(tmp_path: Path, missing: tuple[str, ...]) -> None:
    without = hide(tmp_path, *missing)
    target, said = play(tmp_path, **without)
    assert target == ("plain" if "wasmtime" in missing else "wasm")
    assert said.count("\n") == (target == "plain")
    cup = str(tmp_path / "cup")
    for command in (
        ["simulate", "--games", "50", "--json"],
        ["arena", "--bots", "greedy,planner", "--games", "2", "--edition", "tiny", "--out", cup],
    ):
        done = start(f"from macaz.cli import main; main({command})", tmp_path, **without)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr


def test_without_the_unchecked_call_the_public_one_is_used(tmp_path: Path) -> None:
    other_version = """
import wasmtime._ffi
del wasmtime._ffi.wasmtime_func_call_unchecked
"""
    assert play(tmp_path, other_version) == ("wasm", "")


def test_a_search_in_plain_python_looks_at_the_clock_after_every_playout(tmp_path: Path) -> None:
    search = """
from macaz.bots import Limit
from macaz.bots.search import think
from macaz.game import Game
from macaz.workers import core_count

game = Game("europe", 3, seed=8)
seat = game.deciding[0]
legal = list(game.legal_moves_of(seat))
print(think(game.view(seat), legal, limit=Limit(seconds=1e-6)).playouts == core_count())
"""
    done = start(search, tmp_path, MACAZ_TARGET="plain")
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_a_process_ends_quietly_whatever_is_taken_down_first(tmp_path: Path) -> None:
    taken_down = """
import atexit, sys
from macaz.kernel.compile import kernel

def take_down():  # as the interpreter may, before objects of these modules go
    for name, module in sys.modules.items():
        if name.startswith("wasmtime."):
            module.ffi = None

atexit.register(take_down)
kernel("wasm")
"""
    done = start(taken_down, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


# -- the memory of an instance --------------------------------------------------------------------


def test_results_are_right_after_more_tables_than_an_instance_keeps() -> None:
    assert len(TABLES) > 2 * wasm.CONSTANTS
    specs = [compile_spec(load_edition(name), seats) for name, seats in TABLES]
    expected = [play_batch(spec, 0, 2, 7, target="plain") for spec in specs]
    order = [*range(len(specs)), *range(len(specs) - 1, -1, -1), *range(0, len(specs), 5)]
    for at in order:
        found = play_batch(specs[at], 0, 2, 7, target="wasm")
        assert found.tallies.tobytes() == expected[at].tallies.tobytes()
        assert found.lengths.tolist() == expected[at].lengths.tolist()


def in_thread(call: Any, *given: Any) -> Any:
    """The result of a call in a new thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call, *given).result()


def test_threads_have_instances_of_their_own_and_work_on_each_others_arrays() -> None:
    run, spec = kernel("wasm"), compile_spec(load_edition("europe"), 4)
    meet = threading.Barrier(2)

    def own() -> tuple[Any, Any, int]:
        meet.wait()  # both exist at the same time
        found = wasm._threads().instance
        meet.wait()
        return found, found._store, found._base

    with ThreadPoolExecutor(2) as pool:
        first, second = (task.result() for task in (pool.submit(own), pool.submit(own)))
    assert not {id(part) for part in first} & {id(part) for part in second}

    states = wasm.zeros(1, dtype_of("state"))
    assert wasm._threads().instance.inside(states) is not None
    assert in_thread(lambda: wasm._threads().instance.inside(states)) is None
    in_thread(run.new_game, spec.table, states, 0, 2)
    expected = np.zeros(1, dtype_of("state"))
    kernel("plain").new_game(spec.table, expected, 0, 2)
    assert states.tobytes() == expected.tobytes()


def test_an_array_outlives_the_thread_it_was_made_in() -> None:
    states = [in_thread(wasm.zeros, 100, dtype_of("state")) for _ in range(3)]
    for number, array in enumerate(states):
        array.view(np.uint8)[:] = number
    assert [set(array.tobytes()) for array in states] == [{0}, {1}, {2}]


def test_what_does_not_fit_into_the_memory_is_refused() -> None:
    run, spec = kernel("wasm"), compile_spec(load_edition("tiny"), 2)
    free = wasm._threads().instance._free
    with pytest.raises(MemoryError):
        wasm.zeros(wasm.PAGES * wasm.PAGE, np.uint8)
    states = np.zeros(wasm.COPIES // dtype_of("state").itemsize + 1, dtype_of("state"))
    with pytest.raises(MemoryError):
        run.new_game(spec.table, states, 0, 0)
    assert wasm._threads().instance._free == free


def test_a_long_call_lets_other_threads_run() -> None:
    """Other threads see some games of one call finished and others not."""
    run, spec, games = kernel("wasm"), compile_spec(load_edition("usa"), 3), 400
    started, shared = threading.Event(), {}

    def work() -> None:
        names = {"states": "state", "works": "work", "tallies": "tally", "dice": "dice"}
        made = {
            name: wasm.zeros(games if name == "tallies" else 1, dtype_of(kind))
            for name, kind in names.items()
        }
        shared["lengths"] = lengths = wasm.zeros(games, np.int32)
        for seed in range(20):  # on a busy machine, the other thread may miss a whole call
            lengths[:] = 0
            started.set()
            run.random_games(spec.table, *made.values(), lengths, seed, 0, -1)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    seen: set[int] = set()
    while thread.is_alive():
        seen.add(int(np.count_nonzero(shared["lengths"])))
    assert seen - {0, games}


TABLES_OPENED = """
import gc, resource
from macaz.bots import make_bot
from macaz.edition import load_edition
from macaz.game import Game
from macaz.kernel import wasm
from tests.kernel.test_four_ways import TABLES

bots = [make_bot(name) for name in ("random", "planner", "random")]
editions = {name: load_edition(name) for name, _ in TABLES}
for number in range(3000):
    name, seats = TABLES[number % len(TABLES)]
    edition = load_edition(name) if number % 25 == 0 else editions[name]
    game = Game(edition, seats, seed=number)
    for bot in bots:
        seat = game.deciding[0]
        game.push(bot.choose(game.view(seat), list(game.legal_moves_of(seat))), seat)
    if number in (999, 2999):
        gc.collect()
        instance = wasm._threads().instance
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(peak, instance._free, len(instance._arrays), len(instance._known))
"""


@pytest.mark.slow
def test_thousands_of_tables_take_no_more_memory(tmp_path: Path) -> None:
    """Tables opened, played by people and compiled players, and closed."""
    pytest.importorskip("resource")
    done = start(TABLES_OPENED, tmp_path, PYTHONPATH=str(Path(__file__).parents[2]))
    assert (done.returncode, done.stderr) == (0, "")
    (before, *own_before), (after, *own_after) = (
        [int(word) for word in line.split()] for line in done.stdout.splitlines()
    )
    assert own_after == own_before
    assert after < 1.05 * before


def test_a_layout_of_64_bits_is_refused() -> None:
    """A pointer in an aggregate on the stack would be at the offset of 64-bit code."""
    check = runpy.run_path(str(TOOL))["check"]
    check("  %1 = alloca i64, align 8\n  %2 = alloca [4 x i32], align 4\n  %3 = alloca ptr")
    for kind in ("{ ptr, i64 }", "[2 x ptr]"):
        with pytest.raises(SystemExit, match="holds a pointer"):
            check(f"  %4 = alloca {kind}, align 8")
