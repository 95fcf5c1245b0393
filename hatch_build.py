"""Sees to it that no package of Macaz is built without its page.

In a checkout the page is built here, with the Node that is installed, unless `make page` has done
it; a source distribution brings it along. An editable install serves what `make page` leaves.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = "src/macaz/server/page_files/sw.js"  # the last file that a build writes
# What the page is built of, besides all that is in these folders.
SOURCES = ("index.html", "vite.config.ts", "svelte.config.js", "package-lock.json")
FOLDERS = ("src", "public", "tools")
NEEDED = (
    "Install Node 20.19, 22.12 or newer, with npm, or run `make page` first, which needs neither."
)


class PageHook(BuildHookInterface[Any]):
    """Called by hatchling before it packs a wheel or a source distribution."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, or stop with a sentence that says what is missing."""
        root = Path(self.root)
        from_archive = (root / "PKG-INFO").exists()  # unpacked files need not keep their times
        if version == "editable" or (from_archive and (root / BUILT).exists()):
            return
        if why_stale(root):
            try:
                build(root)
            except RuntimeError as error:
                self.app.abort(f"macaz: the page cannot be built: {error}")


def why_stale(root: Path) -> str:
    """Why the page must be built, or nothing if it is newer than all that it is built of."""
    built, web = root / BUILT, root / "web"
    if not built.exists():
        return "the page is not built"
    newest = max(_sources(web), key=lambda path: path.stat().st_mtime)
    if newest.stat().st_mtime > built.stat().st_mtime:
        return f"the built page is older than {newest.relative_to(root)}"
    return ""


def _sources(web: Path) -> Iterator[Path]:
    yield from (web / name for name in SOURCES)
    for folder in FOLDERS:  # they count too: they change when a file goes away
        yield web / folder
        yield from (p for p in (web / folder).rglob("*") if not p.name.endswith(".test.ts"))


def build(root: Path) -> None:
    """Build the page with the Node that is installed; raises RuntimeError where that fails."""
    web = root / "web"
    npm = shutil.which("npm")
    if npm is None or not _node_is_new_enough():
        raise RuntimeError(f"no Node that fits is installed. {NEEDED}")
    lock, done = web / "package-lock.json", web / "node_modules/.set-up"  # as the Makefile has it
    if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
        _run(web, npm, "--loglevel=error", "ci")
        done.touch()
    _run(web, npm, "--silent", "run", "build", "--", "--logLevel", "warn")


def _node_is_new_enough() -> bool:
    node = shutil.which("node")
    if node is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    major, minor = map(int, found.groups()) if found else (0, 0)
    return major > 22 or (major == 22 and minor >= 12) or (major == 20 and minor >= 19)


def _run(web: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=web, capture_output=True, text=True, check=False)
    if done.returncode:
        words = " ".join(("npm", *command[1:]))
        raise RuntimeError(f"`{words}` failed in {web}:\n{done.stdout}{done.stderr}")
