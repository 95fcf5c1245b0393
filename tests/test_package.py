"""What is installed brings the page along, and what the page is built of is pinned."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "src/macaz/server/page_files"
# Whose work is in the page, as their licences want it said wherever it goes.
OTHERS = [
    "The Alegreya Project Authors",
    "The Alegreya Sans Project Authors",
    "SIL OPEN FONT LICENSE Version 1.1",
    "Svelte Contributors",
]
LOCK = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]


@pytest.fixture
def index() -> str:
    if not (PAGE / "sw.js").exists():
        pytest.fail("the page is not built: run `make page`", pytrace=False)
    return (PAGE / "index.html").read_text()


@pytest.mark.usefixtures("index")
def test_the_wheel_holds_every_file_of_the_built_page(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
        licences = archive.read("macaz/server/page_files/licences.txt").decode()
    built = {path for path in PAGE.rglob("*") if path.is_file()}
    assert PAGE / "index.html" in built
    assert {str(path.relative_to(ROOT / "src")) for path in built} - held == set()
    for name in ("LICENSE", "src/macaz/plate/data/NOTICE.md"):
        assert [path for path in held if path.endswith(f".dist-info/licenses/{name}")], name
    assert [whose for whose in OTHERS if whose not in licences] == []
    assert (ROOT / "LICENSE").read_text().strip() in licences


def test_the_source_archive_holds_the_page_and_what_it_is_built_of() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert build["artifacts"] == ["/src/macaz/server/page_files"]
    assert "/web" in build["targets"]["sdist"]["include"]


def test_the_page_obeys_the_policy_that_the_server_sends_with_it(index: str) -> None:
    """Nothing inline, nothing from elsewhere."""
    assert re.findall(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=", index) == []
    addresses = re.findall(r'(?:src|href)="([^"]*)"', index)
    assert [address for address in addresses if not re.match(r"/\w", address)] == []
    assert any(address.endswith(".js") for address in addresses)


@pytest.mark.usefixtures("index")
def test_no_part_of_the_page_is_an_address_that_holds_its_own_content() -> None:
    """The policy refuses `data:` addresses, into which a build likes to turn small pictures."""
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
    """A lock that was made where a registry lacked some of them would fail elsewhere."""
    wanted = {
        needed for package in LOCK.values() for needed in package.get("optionalDependencies", {})
    }
    locked = {name.rpartition("node_modules/")[2] for name in LOCK}
    assert wanted - locked == set()
