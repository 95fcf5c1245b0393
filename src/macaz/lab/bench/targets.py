"""Compares the targets of the kernel: native code, WebAssembly, plain Python.

WebAssembly is run by wasmtime, from Python, and by Node.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from macaz.bots import Limit
from macaz.bots.compiled import program as compiled_players
from macaz.bots.search import think
from macaz.bots.styled import PlannerBot
from macaz.edition import load_edition
from macaz.game import Game
from macaz.game.moves import Move
from macaz.game.view import View
from macaz.kernel import cpu
from macaz.kernel.compile import KERNEL, Program, kernel
from macaz.kernel.spec import Spec, compile_spec
from macaz.kernel.views import VIEWS
from macaz.kernel.wasm import MODULE, WasmFailed
from macaz.lab.bench.games import all_cores, from_python, job_on, on, one_core
from macaz.lab.bench.measure import Job, Skipped, time_calls
from macaz.lab.bench.peers import ROOT

NATIVE, WASM, NODE, PLAIN = "cpu", "wasm", "node", "plain"
LABELS = {NATIVE: "native", WASM: "WebAssembly", NODE: "WebAssembly in Node", PLAIN: "plain Python"}
GROUP = "targets"
EDITION, PLAYERS = "usa-classic", 2
HOST = Path(__file__).with_name("node_games.mjs")
NODE_BATCH = 256
POSITIONS, SEARCHED = 24, 3  # for the planner; the first of them also for the search
PLAYOUTS = 1000  # per second of measuring time
# The entries that are called as native code; () for all.
NATIVE_ENTRIES: dict[Program, tuple[str, ...]] = {
    KERNEL: (),
    VIEWS: ("redact_state",),
    compiled_players.PLAYERS: ("choose_for", "fill_worlds", "begin_search", "search_on"),
}


def usable() -> tuple[list[str], list[str]]:
    """The targets that can be measured here, and a sentence for each that cannot."""
    found, notes = [PLAIN], []
    if find_spec("numba"):
        found.append(NATIVE)
    else:
        notes.append("Native code left out: Numba is not installed (the extra 'native').")
    try:
        kernel(WASM)
    except WasmFailed as error:
        notes.append(f"WebAssembly left out: {error}")
    else:
        found.append(WASM)
    if WASM in found and find_node():
        found.append(NODE)
    else:
        notes.append("WebAssembly in Node left out: no Node is installed.")
    return [target for target in LABELS if target in found], notes


def find_node() -> str | None:
    """A Node that is installed, or that a checkout has for its own use."""
    return shutil.which("node") or shutil.which("node", path=ROOT / ".tools/node/commands")


def job_name(figure: str, target: str) -> str:
    """The name of the job that measures a figure on a target."""
    return f"{figure}, {LABELS[target]}"


def target_jobs(targets: Sequence[str], seconds: float) -> list[Job]:
    """A job for each figure and target; those of one figure follow each other."""
    spec = compile_spec(load_edition(EDITION), PLAYERS)
    positions = some_positions()
    # WebAssembly first: shared arrays must be in its memory, which the others can access.
    for target in (WASM, NATIVE, PLAIN):
        if target in targets:
            with on(target):
                _decide(positions[:1], 0)  # the first call compiles or loads
    all_of_them, compiled = (NATIVE, WASM, NODE, PLAIN), (NATIVE, WASM)
    figures: tuple[tuple[str, str, tuple[str, ...], Callable[[], dict[str, float]]], ...] = (
        (
            "random games a second, one core",
            "games/s",
            all_of_them,
            partial(one_core, spec, seconds),
        ),
        (
            "random games a second, all cores",
            "games/s",
            compiled,
            partial(all_cores, spec, seconds),
        ),
        (
            "decisions a second, from a loop in Python",
            "decisions/s",
            (*compiled, PLAIN),
            partial(from_python, spec, seconds),
        ),
        (
            "playouts a second of the search, one core",
            "playouts/s",
            compiled,
            partial(_search, positions[:SEARCHED], seconds),
        ),
        (
            "microseconds for a decision of the planner",
            "µs",
            (*compiled, PLAIN),
            partial(_decide, positions, seconds),
        ),
    )
    return [
        job_on(
            target,
            GROUP,
            job_name(figure, target),
            partial(in_node, spec, seconds) if target == NODE else run,
            figure=figure,
            unit=unit,
        )
        for figure, unit, where, run in figures
        for target in where
        if target in targets
    ]


# -- players ---------------------------------------------------------------------------------------

Position = tuple[View, list[Move]]


def some_positions() -> list[Position]:
    """Positions of a random game, spread over its length, seen by the seat that is to decide."""
    game, chance, found = Game(EDITION, PLAYERS, seed=1), random.Random(1), []
    while not game.over:
        legal = list(game.legal_moves_of(game.deciding[0]))
        if len(legal) > 1:
            found.append((game.view(game.deciding[0]), legal))
        game.push(chance.choice(legal), game.deciding[0])
    step = len(found) / POSITIONS
    chosen = [found[int(step * number)] for number in range(POSITIONS)]
    chance.shuffle(chosen)
    return chosen


def _search(positions: list[Position], seconds: float) -> dict[str, float]:
    effort = max(1, int(PLAYOUTS * seconds))
    playouts = 0
    began = time.perf_counter()
    for view, legal in positions:
        playouts += think(view, legal, limit=Limit(effort=effort), seed=1).playouts
    return {"playouts/s": playouts / (time.perf_counter() - began)}


def _decide(positions: list[Position], seconds: float) -> dict[str, float]:
    planner = PlannerBot()

    def decide() -> None:
        for view, legal in positions:
            planner.choose(view, legal)

    return {"µs": time_calls(decide, len(positions), seconds)}


# -- Node ------------------------------------------------------------------------------------------


def in_node(spec: Spec, seconds: float) -> dict[str, float]:
    """Whole games in the module, called from Node; the same games as elsewhere."""
    node = find_node()
    if node is None:
        raise Skipped("no Node is installed")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table"
        table.write_bytes(spec.table.tobytes())
        command = [node, str(HOST), str(MODULE), str(table), str(NODE_BATCH), str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Skipped(
            f"Node failed: {(done.stderr.strip().splitlines() or ['it says nothing'])[-1]}"
        )
    found = json.loads(done.stdout)
    with on(WASM):
        expected = int(cpu.play_batch(spec, 0, NODE_BATCH, seed=1).lengths.sum())
    if found["first"] != expected:
        raise Skipped(f"other games were played: {found['first']} decisions, not {expected}")
    return {
        "games/s": found["games"] / found["seconds"],
        "decisions/s": found["decisions"] / found["seconds"],
    }
