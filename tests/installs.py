"""Built packages, and environments in which nothing else is installed."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOOK = runpy.run_path(str(ROOT / "hatch_build.py"))  # lists the sources of the page
# None of the tests' own environment: no Node.js, no PYTHONPATH, no settings of a server.
BARE = {
    name: value
    for name, value in os.environ.items()
    if name != "PYTHONPATH" and not name.startswith("MACAZ_")
} | {"PATH": ""}


def build(folder: Path) -> dict[str, Path]:
    """The wheel and the source distribution of this checkout, with the built page."""
    _run(sys.executable, "-m", "hatchling", "build", "-d", folder)
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"wheel": wheel, "sdist": sdist}


class Installed:
    """An environment with what requirements/app.txt names, and a package installed into it."""

    def __init__(self, folder: Path, package: Path) -> None:
        self.folder, self.python = folder, folder / "env/bin/python"
        self.kind = "wheel" if package.suffix == ".whl" else "sdist"
        found = subprocess.run(
            [ROOT / "tools/setup.sh", "uv"], stdout=subprocess.PIPE, text=True, check=True
        )
        uv = str((ROOT / found.stdout.strip()).resolve())
        _run(uv, "venv", "--quiet", "--no-project", "--python", sys.executable, folder / "env")
        into = ("--quiet", "--python", self.python)
        sync = (uv, "pip", "sync", *into, "--require-hashes", ROOT / "requirements/app.txt")
        try:
            _run(*sync, "--offline")  # `make` has downloaded all of them
        except AssertionError:
            _run(*sync)
        alone = ("--offline", "--no-deps", "--no-build-isolation")
        _run(uv, "pip", "install", *into, *alone, package)

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run Python in the environment, outside of the checkout."""
        command = [self.python, "-I", *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=BARE, capture_output=True, text=True, check=False
        )

    @contextmanager
    def serving(self, *arguments: str) -> Iterator[str]:
        """Run `macaz serve` or `play` in the environment; yields its address."""
        server = ("--port", "0", "--database", f"sqlite:///{self.folder}/macaz.db")
        process = subprocess.Popen(
            [self.python, "-I", "-u", "-m", "macaz", *arguments, *server],
            cwd=self.folder,
            env={**BARE, "MACAZ_CACHE_DIR": str(self.folder / "cache")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        with process, process.stdout as told:
            said = ""
            for line in told:
                said += line
                if found := re.search(r"http://\S+?:\d+", line):
                    break
            else:
                raise AssertionError(said)
            try:
                yield found[0]
            finally:
                process.terminate()


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, cwd=ROOT, env=BARE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
