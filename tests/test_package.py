"""An installed package includes the page, and the page's dependencies are pinned."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest
from tests.installs import BARE, HOOK, ROOT, Installed

PAGE = ROOT / "src/macaz/server/page_files"
# Authors of the page's dependencies, whose licences require to be named wherever it goes.
OTHERS = [
    "The Alegreya Project Authors",
    "The Alegreya Sans Project Authors",
    "SIL OPEN FONT LICENSE Version 1.1",
    "Svelte Contributors",
]
NOT_FOR_PLAYING = {"numba", "llvmlite", "pyarrow", "matplotlib", "torch", "pandas"}
MKDIR = shutil.which("mkdir")  # where only some tools are on the path
LOCK = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]


@pytest.fixture
def index() -> str:
    if not (PAGE / "sw.js").exists():
        pytest.fail("the page is not built: run `make page`", pytrace=False)
    return (PAGE / "index.html").read_text()


def test_the_wheel_holds_every_file_of_the_built_page(packages: dict[str, Path]) -> None:
    with zipfile.ZipFile(packages["wheel"]) as archive:
        held = set(archive.namelist())
        licences = archive.read("macaz/server/page_files/licences.txt").decode()
    built = {path for path in PAGE.rglob("*") if path.is_file()}
    assert PAGE / "index.html" in built
    assert {str(path.relative_to(ROOT / "src")) for path in built} - held == set()
    for name in ("LICENSE", "src/macaz/draw/data/NOTICE.md"):
        assert [path for path in held if path.endswith(f".dist-info/licenses/{name}")], name
    assert [whose for whose in OTHERS if whose not in licences] == []
    assert (ROOT / "LICENSE").read_text().strip() in licences


def test_the_source_archive_holds_the_page_and_what_it_is_built_of(
    packages: dict[str, Path],
) -> None:
    with tarfile.open(packages["sdist"]) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    built = {str(path.relative_to(ROOT)) for path in PAGE.rglob("*") if path.is_file()}
    sources = {f"web/{name}" for name in ("package-lock.json", "src/main.ts", "vite.config.ts")}
    assert (built | sources | {"hatch_build.py"}) - held == set()
    assert not [name for name in held if "node_modules" in name]


# -- in an environment where nothing else is installed ---------------------------------------------


def test_playing_brings_no_compiler_and_no_laboratory() -> None:
    names = set(re.findall(r"^([\w-]+)==", (ROOT / "requirements/app.txt").read_text(), re.M))
    assert "wasmtime" in names
    assert names & NOT_FOR_PLAYING == set()


def test_an_installed_package_works_by_itself(installed: Installed) -> None:
    find = f"from importlib.util import find_spec; print(*filter(find_spec, {NOT_FOR_PLAYING}))"
    assert installed.run("-c", find).stdout == "\n"
    where = installed.run("-c", "import macaz; print(macaz.__file__)").stdout
    assert where.startswith(str(installed.folder))
    assert "Commands:" in installed.run("-m", "macaz", "--help").stdout
    assert "old-west" in installed.run("-m", "macaz", "edition", "list").stdout
    for game in ("tiny-2-finished", "europe-3-finished"):
        shown = installed.run("-m", "macaz", "replay", ROOT / f"tests/golden/{game}.macaz")
        assert (shown.returncode, shown.stderr) == (0, "")
        assert "★" in shown.stdout


def test_what_needs_an_extra_says_so(installed: Installed) -> None:
    asked = {
        ("simulate", "--out", "games.parquet"): "lab",
        ("simulate", "--plot", "games.png"): "lab",
        ("dataset", "--bots", "random", "--out", "data"): "lab",
        ("train", "--edition", "tiny"): "train",
        ("serve", "--check", "--database", "postgresql://db/macaz"): "nodes",
    }
    for command, extra in asked.items():
        done = installed.run("-m", "macaz", *command)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1, done.stderr
        assert f"pip install '.[{extra}]'" in done.stderr


@pytest.mark.slow
def test_games_are_simulated_and_bots_compared_by_what_comes_along(installed: Installed) -> None:
    for command in (
        ("simulate", "--games", "20"),
        ("arena", "--bots", "planner,greedy", "--games", "2", "--out", "cup"),
    ):
        done = installed.run("-m", "macaz", *command)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", [("play", "--no-browser"), ("serve",)], ids=["play", "serve"])
def test_an_installed_package_serves_its_page(
    installed: Installed, command: tuple[str, ...], index: str
) -> None:
    with installed.serving(*command) as address, urlopen(address, timeout=30) as answer:
        sent = answer.read().decode()
    assert sent == re.sub(r'(href|src)="\./', r'\1="/', index)  # works on every screen


@pytest.mark.parametrize("command", [("serve",), ("serve", "--check"), ("play", "--no-browser")])
def test_an_installed_package_without_a_page_serves_nothing(
    installed: Installed, command: tuple[str, ...]
) -> None:
    hide = "import pathlib; from macaz.server import page; page.page_folder = pathlib.Path"
    done = installed.run("-c", f"{hide}\nfrom macaz.cli import main; main({list(command)})")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("macaz: this install of Macaz has no page. Install it again")


# -- how the page is added to a package ------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files of a fresh clone that matter for the build."""
    sources = (f"web/{name}" for name in HOOK["SOURCES"])
    version = "src/macaz/__init__.py"
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", version, *sources):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for name in HOOK["FOLDERS"]:
        (tmp_path / "web" / name).mkdir()
    return tmp_path


def build_wheel(
    checkout: Path, path: str, target: str = "wheel"
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", checkout / "dist"],
        cwd=checkout,
        env={**BARE, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def tools(folder: Path, node: str) -> str:
    """A Node.js of some version, and an npm that records its arguments and builds a page."""
    folder.mkdir()
    page = "../src/macaz/server/page_files"
    npm = f'echo "$*" >>../asked; {MKDIR} -p node_modules {page}; : >{page}/sw.js'
    for name, script in (("node", f"echo {node}"), ("npm", npm)):
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return str(folder)


@pytest.mark.parametrize("target", ["wheel", "sdist"])
@pytest.mark.parametrize("node", [None, "v18.20.0", "v20.18.3", "v21.7.3", "v22.11.0"])
def test_no_package_is_built_without_a_page(checkout: Path, node: str | None, target: str) -> None:
    path = tools(checkout / "bin", node) if node else str(checkout)
    done = build_wheel(checkout, path, target)
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "macaz: the page cannot be built: no Node that fits is installed. Install Node 20.19, "
        "22.12 or newer, with npm, or run `make page` first, which needs neither."
    )
    assert not list(checkout.glob("dist/*"))


def test_a_checkout_builds_its_page_when_it_must(checkout: Path) -> None:
    path, asked = tools(checkout / "bin", "v22.12.0"), checkout / "asked"
    build = "--silent run build -- --logLevel warn\n"
    build_wheel(checkout, path)
    assert asked.read_text() == f"--loglevel=error ci\n{build}"
    build_wheel(checkout, path)
    assert asked.read_text() == f"--loglevel=error ci\n{build}"
    later = time.time() + 60
    os.utime(checkout / "web/index.html", (later, later))
    build_wheel(checkout, path)
    assert asked.read_text() == f"--loglevel=error ci\n{build}{build}"


def test_an_editable_install_leaves_the_page_alone(checkout: Path) -> None:
    code = "from hatchling.build import build_editable; build_editable('dist')"
    (checkout / "src/macaz/draw/data").mkdir(parents=True)
    done = subprocess.run([sys.executable, "-c", code], cwd=checkout, env=BARE, check=False)
    assert done.returncode == 0


# -- the page's dependencies -----------------------------------------------------------------------


def test_the_page_obeys_the_policy_that_the_server_sends_with_it(index: str) -> None:
    """Nothing inline, nothing from elsewhere."""
    assert re.findall(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=", index) == []
    addresses = re.findall(r'(?:src|href)="([^"]*)"', index)
    # Relative, so that a static site may lie in any folder.
    assert [address for address in addresses if not re.match(r"\./\w", address)] == []
    assert any(address.endswith(".js") for address in addresses)


@pytest.mark.usefixtures("index")
def test_no_part_of_the_page_is_an_address_that_holds_its_own_content() -> None:
    """The policy refuses `data:` addresses, into which build tools convert small pictures."""
    styles = [*PAGE.glob("assets/*.css")]
    assert styles
    assert [path.name for path in styles if "url(data:" in path.read_text()] == []


def test_what_the_page_is_built_of_is_pinned_by_its_content_not_by_its_place() -> None:
    packages = {name: package for name, package in LOCK.items() if name}
    assert packages
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name


def test_the_page_can_be_built_on_every_system_that_its_tools_know() -> None:
    """A lock file made where a registry lacked some of them would fail elsewhere."""
    wanted = {
        needed for package in LOCK.values() for needed in package.get("optionalDependencies", {})
    }
    locked = {name.rpartition("node_modules/")[2] for name in LOCK}
    assert wanted - locked == set()
