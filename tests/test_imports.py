"""Imports point one way, and asking for help is quick.

The modules are read, not imported: an import counts wherever it stands, inside a function or
under `if TYPE_CHECKING`, and so does a text such as "macaz.bots.greedy:GreedyBot".
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src"

# Each layer may import itself and what stands above it. A new module must be placed here.
LAYERS: dict[str, tuple[str, ...]] = {
    "the data": (
        *("errors", "board", "rules", "edition", "edition_*"),
        *("plate", "plate.plate", "plate.section"),
    ),
    "the drawn boards": (
        *("plate.exact", "plate.projection", "plate.curves", "plate.earth"),
        *("plate.rings", "plate.warp", "plate.outlines"),
        *("plate.tracks", "plate.labels", "plate.shapes", "plate.check", "plate.picture"),
        *("plate.triangles", "plate.forces", "plate.layout", "plate.draw"),
    ),
    "the kernel": ("kernel", "kernel.*"),
    "the library": (
        "",  # the package itself, which names the library's best known things
        "moves",
        "view",
        "outcome",
        "fair",
        "game",
        "record",
        "record_*",
        "position",
        "position_*",
        "worlds",
        "events",
        "event_words",
        "data",
        "chart",
        "aids",
        "aids.*",
        "trail",
        "why",
    ),
    "the bots": ("bots", "bots.*"),
    "games in bulk": ("parquet", "simulate", "simulate_*"),
    "environments": ("env", "env.*", "dataset", "dataset.*"),
    "advice": ("advice", "advice.*"),
    "the arena": ("arena", "arena.*"),
    "training": ("train", "train.*"),
    "the server": ("server", "server.*"),
    "the benchmarks": ("bench", "bench.*"),
    "the command line": ("cli", "cli.*", "__main__"),
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


def layers_of(module: str) -> list[int]:
    """The layers whose patterns a module fits."""
    short = module.removeprefix("macaz").removeprefix(".")
    return [
        number
        for number, patterns in enumerate(LAYERS.values())
        if any(fnmatch(short, pattern) for pattern in patterns)
    ]


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


def test_every_module_has_one_place():
    places = {module: layers_of(module) for module in FILES}
    assert [module for module, found in places.items() if len(found) != 1] == []


def test_every_place_has_a_module():
    patterns = [pattern for layer in LAYERS.values() for pattern in layer]
    shorts = [module.removeprefix("macaz").removeprefix(".") for module in FILES]
    assert [p for p in patterns if not any(fnmatch(short, p) for short in shorts)] == []


@pytest.mark.parametrize("module", FILES)
def test_imports_point_one_way(module):
    names = list(LAYERS)
    [mine] = layers_of(module)
    wrong = []
    for line, target in imports_of(FILES[module].read_text(encoding="utf-8")):
        assert target in FILES, f"{FILES[module]}:{line}: there is no module {target}"
        [theirs] = layers_of(target)
        if theirs > mine:
            wrong.append(
                f"{FILES[module]}:{line}: {names[mine]} imports {target}, of {names[theirs]}"
            )
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import macaz.game", ["macaz.game"]),
        ("from macaz.kernel import layout as at", ["macaz.kernel.layout"]),
        ("from macaz import __version__", ["macaz"]),
        ("def f():\n    from macaz.cli import main", ["macaz.cli"]),
        ("if TYPE_CHECKING:\n    from macaz.view import View", ["macaz.view"]),
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
