"""Imports go in one direction, and `--help` is quick.

The modules are read, not imported: an import counts wherever it stands, inside a function or
under `if TYPE_CHECKING`, and so does a text such as "macaz.bots.greedy:GreedyBot".
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src"

# The packages of `macaz` that each package may import besides itself, and `macaz`, which exports
# the names of the library. Every import counts, so no two packages import each other.
EDITION = ("errors", "plugins", "edition")
LIBRARY = (*EDITION, "workers", "kernel", "game", "bots", "help")
ROOMS: dict[str, tuple[str, ...]] = {
    "errors": (),
    "workers": ("errors",),
    "plugins": ("errors",),
    "edition": ("errors", "plugins"),
    "draw": EDITION,  # independent of the rules
    "kernel": (*EDITION, "workers"),
    "game": (*EDITION, "draw", "kernel"),  # a game shows its board in a notebook
    "bots": (*EDITION, "workers", "kernel", "game"),
    "help": (*EDITION, "workers", "kernel", "game", "bots"),
    "macaz": LIBRARY,
    "server": (*LIBRARY, "macaz", "draw"),
    "lab": (*LIBRARY, "macaz", "draw", "server"),  # its benchmarks measure the server
    "cli": (*LIBRARY, "macaz", "draw", "server", "lab"),
    "__main__": ("cli",),
}
HEAVY = (
    *("numpy", "numba", "llvmlite", "wasmtime", "rich", "pyarrow", "matplotlib", "torch"),
    *("alembic", "litestar", "msgspec", "sqlalchemy", "uvicorn"),
)


def name_of(path: Path) -> str:
    """The module of a file."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(path): path for path in sorted((SOURCE / "macaz").rglob("*.py"))}


def room_of(module: str) -> str:
    """The package that a module is in."""
    package, _, rest = module.partition(".")
    return rest.partition(".")[0] or package


def imports_of(source: str) -> Iterator[tuple[int, str]]:
    """The modules of the package that a source text imports, with their lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [name if name in FILES else str(node.module) for name in whole]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            place = re.fullmatch(r"(macaz(?:\.\w+)+)(?::\w+)?", node.value)
            found = [place[1]] if place and place[1] in FILES else []
        else:
            continue
        yield from ((node.lineno, name) for name in found if name.partition(".")[0] == "macaz")


def test_every_module_has_a_room_and_every_room_a_module():
    assert {room_of(module) for module in FILES} == set(ROOMS)


def test_rooms_are_in_order():
    """A package names only packages before it, so there is no cycle."""
    names = list(ROOMS)
    assert all(names.index(used) < names.index(room) for room in ROOMS for used in ROOMS[room])


@pytest.mark.parametrize("module", FILES)
def test_imports_point_one_way(module):
    mine, wrong = room_of(module), []
    for line, target in imports_of(FILES[module].read_text(encoding="utf-8")):
        assert target in FILES, f"{FILES[module]}:{line}: there is no module {target}"
        if room_of(target) not in (mine, *ROOMS[mine]):
            wrong.append(f"{FILES[module]}:{line}: {mine} imports {target}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import macaz.game", ["macaz.game"]),
        ("from macaz.kernel import layout as at", ["macaz.kernel.layout"]),
        ("from macaz import __version__", ["macaz"]),
        ("def f():\n    from macaz.cli import main", ["macaz.cli"]),
        ("if TYPE_CHECKING:\n    from macaz.game.view import View", ["macaz.game.view"]),
        ("BOT = 'macaz.bots.greedy:GreedyBot'", ["macaz.bots.greedy"]),
        ("import numpy\n'macaz record 1'", []),
    ],
)
def test_imports_are_found_wherever_they_stand(source, found):
    assert [name for _, name in imports_of(source)] == found


@pytest.mark.parametrize(
    "code",
    [
        "import macaz",
        "import macaz.cli",
        "from macaz import load_edition; load_edition('europe')",
        "from macaz.cli import main; main(['--help'])",
    ],
)
def test_a_quick_start_loads_nothing_heavy(code):
    check = (
        f"import sys\ntry:\n    {code}\nexcept SystemExit as end:\n    assert not end.code\n"
        f"sys.exit(', '.join({set(HEAVY)!r} & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{code}: loads {done.stderr}"
