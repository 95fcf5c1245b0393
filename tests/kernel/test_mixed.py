"""Runs that start on WebAssembly and continue natively: equal results, and no process is left."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

import msgspec
import pytest

from macaz.bots.compiled.program import GAMES
from macaz.edition import load_edition
from macaz.kernel import compile as targets
from macaz.kernel import mixed, native_code
from macaz.kernel.compile import KERNEL, Program
from macaz.kernel.engine import Engine
from macaz.kernel.spec import compile_spec
from macaz.lab.arena.local import run_local
from macaz.lab.arena.work import Job, Map
from macaz.lab.dataset.sources import matches
from macaz.lab.dataset.write import DECISIONS_FILE, GAMES_FILE, write_dataset

TINY = load_edition("tiny")
PATIENCE = 300  # seconds, for a busy machine
RULES = ("to_move", "chance_ways")  # entries that compile in a second


@pytest.fixture(autouse=True)
def free_choice(monkeypatch):
    monkeypatch.delenv("MACAZ_TARGET", raising=False)
    monkeypatch.setattr(mixed, "LOADING", 0.0)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A cache in which two entries are compiled."""
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MACAZ_CACHE_DIR", str(folder))
        with native_code.Compiler(native_code.parts(KERNEL, *RULES)) as compiler:
            assert sum(event.done for event in compiler.events()) == len(RULES)
    return folder


@pytest.fixture
def no_compiler(monkeypatch):
    """Replaces compilers with processes that do nothing; a list of those started."""
    sleep = (sys.executable, "-c", "import time; time.sleep(600)")
    monkeypatch.setattr(native_code, "COMPILER", sleep)
    started: list[native_code.Compiler] = []

    class Noted(native_code.Compiler):
        def __init__(self, wanted):
            super().__init__(wanted)
            started.append(self)

    monkeypatch.setattr(native_code, "Compiler", Noted)
    return started


def told(monkeypatch):
    """The entries that workers are told to call natively, game by game."""
    found: list[tuple[str, ...]] = []
    ready = mixed.Beside.ready

    def noted(self):
        names = ready(self)
        found.append(names)
        return names

    monkeypatch.setattr(mixed.Beside, "ready", noted)
    return found


def arena(games: int):
    jobs = (Job(Map.of(TINY), 5, deal, ("planner", "greedy"), True, 60.0) for deal in range(games))
    without_times = {"seconds": (), "slowest": ()}
    found = [msgspec.structs.replace(one, **without_times) for one in run_local(jobs, workers=1)]
    return sorted(found, key=lambda result: result.deal)


def test_entries_are_replaced_one_by_one(kept, monkeypatch):
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(kept))
    monkeypatch.setattr(mixed, "_made", [])
    # Other tests in this process may have loaded entries that this cache does not have.
    monkeypatch.setattr(mixed, "compiled", lambda program, target: native_code.NativeCode(program))
    run: Any = mixed.Mixed(KERNEL)
    before = vars(run).copy()
    mixed.use_native(["to_move", "act", "no_such_entry"])
    replaced = {name for name, entry in vars(run).items() if entry is not before[name]}
    assert replaced == {"to_move"}, "entries that are not compiled stay as they are"
    spec = compile_spec(TINY, 2)
    states = Engine(spec, "wasm").new_state(first=1)
    expected = before["to_move"](spec.table, states, 0)
    assert run.to_move(spec.table, states, 0) == expected
    states.flags.writeable = False
    assert run.to_move(spec.table, states, 0) == expected, "read-only arrays are accepted"


def test_an_arena_changes_over_and_its_games_are_the_same(kept, no_compiler, monkeypatch):
    monkeypatch.setenv("MACAZ_TARGET", "wasm")
    expected = arena(4)
    monkeypatch.delenv("MACAZ_TARGET")
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(kept))
    names = told(monkeypatch)
    assert arena(4) == expected
    assert names[0] == (), "the first game runs on WebAssembly"
    assert names[-1] == tuple(sorted(RULES))
    assert len(no_compiler) == 1, "one compiler, for the other entries called"
    assert not no_compiler[0].running


def test_a_dataset_changes_over_and_its_files_are_the_same(
    kept, no_compiler, monkeypatch, tmp_path
):
    def written(name: str) -> list[bytes]:
        games = matches(TINY, 2, ("planner", "greedy"), 16, 3)
        write_dataset(games, tmp_path / name, workers=2)
        return [(tmp_path / name / file).read_bytes() for file in (GAMES_FILE, DECISIONS_FILE)]

    monkeypatch.setenv("MACAZ_TARGET", "wasm")
    expected = written("one target")
    monkeypatch.delenv("MACAZ_TARGET")
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(kept))
    names = told(monkeypatch)
    assert written("both") == expected
    assert names[0] == ()
    assert names[-1] == tuple(sorted(RULES))
    assert not any(compiler.running for compiler in no_compiler)


def test_what_is_called_is_compiled_beside_the_run(monkeypatch, tmp_path):
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(tmp_path))
    beside = mixed.Beside(GAMES)
    assert beside.environment == {"MACAZ_TARGET": targets.MIXED}
    assert beside.ready() == (), "no entry was called"
    beside.called(["to_move", "no_such_entry"])
    assert beside.ready() == (), "the entry is being compiled"
    wait_for(beside, ("to_move",))
    beside.called(["chance_ways"])
    wait_for(beside, ("chance_ways", "to_move"))
    beside.close()
    assert not list(tmp_path.rglob("act.ready")), "no other entry is compiled"


def wait_for(beside: mixed.Beside, names: tuple[str, ...]) -> None:
    end = time.monotonic() + PATIENCE
    while beside.ready() != names:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_short_run_compiles_nothing(no_compiler, monkeypatch, tmp_path):
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(mixed, "LOADING", 3600.0)
    beside = mixed.Beside(GAMES)
    beside.called(["to_move"])
    assert beside.ready() == ()
    beside.close()
    assert not no_compiler


def test_closing_ends_the_compiler(no_compiler, monkeypatch, tmp_path):
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(tmp_path))
    beside = mixed.Beside(GAMES)
    beside.called(["to_move"])
    assert beside.ready() == ()
    beside.close()
    assert not any(compiler.running for compiler in no_compiler)
    beside.called(["act"])
    assert beside.ready() == ()
    assert len(no_compiler) <= 1, "no compiler is started after that"


def test_where_it_cannot_be_compiled_a_line_says_so_once(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(native_code, "COMPILER", (sys.executable, "-c", "raise SystemExit('no')"))
    beside = mixed.Beside(GAMES)
    for name in ("to_move", "act"):
        beside.called([name])
        assert beside.ready() == ()
        thread = beside._thread
        assert isinstance(thread, threading.Thread)
        thread.join(PATIENCE)
    beside.close()
    assert capsys.readouterr().err.count("The games go on as WebAssembly.") == 1


@pytest.mark.parametrize("why", ["a target is named", "no Numba", "no cache", "no WebAssembly"])
def test_workers_stay_with_the_target_of_the_run(why, monkeypatch, tmp_path):
    if why == "a target is named":
        monkeypatch.setenv("MACAZ_TARGET", "wasm")
    elif why == "no Numba":
        monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    elif why == "no cache":
        (tmp_path / "file").touch()
        monkeypatch.setenv("MACAZ_CACHE_DIR", str(tmp_path / "file"))
    else:
        monkeypatch.setattr(mixed, "default_target", lambda: "plain")
    beside = mixed.Beside(GAMES)
    assert beside.environment == {}
    beside.called(["to_move"])
    assert beside.ready() == ()
    beside.close()


def test_no_entry_has_two_arguments_of_one_name():
    programs: tuple[Program, ...] = GAMES
    for program in programs:
        for name, function in targets.entries(program).items():
            flat = [a.name for one in targets.arguments(program, function) for a in one.flat]
            assert len(flat) == len(set(flat)), name
