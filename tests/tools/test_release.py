"""`make release`, in a small project of its own."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Hatchling as in our own pyproject.toml, without the page, which would have to be built.
PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "macaz"
dynamic = ["version"]
requires-python = ">=3.11"

[tool.hatch.version]
path = "src/macaz/__init__.py"

[tool.hatch.build.targets.wheel]
packages = ["src/macaz"]
"""
CHANGES = """\
# Changelog

## Unreleased

### Added

- A bell.

## 0.1.0 - 2026-01-02

- The first.
"""


class Checkout:
    """A git repository with `tools/release.py`, and what it needs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in {
            "pyproject.toml": PROJECT,
            "CHANGELOG.md": CHANGES,
            "src/macaz/__init__.py": '"""A program."""\n\n__version__ = "0.1.0"\n',
            ".gitignore": "/dist/\n",
        }.items():
            self.write(name, text)
        (folder / "tools").mkdir()
        shutil.copy(ROOT / "tools/release.py", folder / "tools")
        self.git("init", "--quiet")
        self.commit()

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def git(self, *arguments: str) -> str:
        done = self._run("git", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", "Change")

    def release(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self._run(sys.executable, "tools/release.py", *arguments)

    def refused(self, *arguments: str) -> str:
        """Why there is no release, which must leave nothing behind."""
        before = self._state()
        done = self.release(*arguments)
        assert (done.returncode, done.stdout) == (1, "")
        assert self._state() == before
        return done.stderr

    def _state(self) -> tuple[str, ...]:
        return (self.git("rev-parse", "HEAD"), self.git("tag"), self.git("status", "--porcelain"))

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        who = {f"GIT_{w}_{k}": "a@b.c" for w in ("AUTHOR", "COMMITTER") for k in ("NAME", "EMAIL")}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(
            command,
            cwd=self.folder,
            env=kept | who | own,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    return Checkout(tmp_path)


def test_a_release_is_committed_tagged_and_built(checkout: Checkout) -> None:
    checkout.write("dist/macaz-0.0.9.tar.gz", "an older one")
    done = checkout.release("0.2.0")
    assert done.returncode == 0, done.stderr

    assert checkout.read("src/macaz/__init__.py") == '"""A program."""\n\n__version__ = "0.2.0"\n'
    date = checkout.git("log", "-1", "--format=%cs")
    assert checkout.read("CHANGELOG.md") == CHANGES.replace(
        "## Unreleased\n", f"## Unreleased\n\n## 0.2.0 - {date}\n"
    )
    assert checkout.git("log", "-1", "--format=%s") == "Release 0.2.0"
    assert checkout.git("diff", "--name-only", "HEAD~1").split() == [
        "CHANGELOG.md",
        "src/macaz/__init__.py",
    ]
    assert checkout.git("cat-file", "-t", "v0.2.0") == "tag"  # annotated
    assert checkout.git("rev-parse", "v0.2.0^{commit}") == checkout.git("rev-parse", "HEAD")
    assert checkout.git("status", "--porcelain") == ""

    wheel, sdist, digests = "macaz-0.2.0-py3-none-any.whl", "macaz-0.2.0.tar.gz", "SHA256SUMS"
    made = {path.name: path for path in (checkout.folder / "dist").iterdir()}
    assert set(made) == {wheel, sdist, digests}
    assert done.stdout.split()[:3] == [f"dist/{name}" for name in (wheel, sdist, digests)]
    assert made[digests].read_text().splitlines() == [
        f"{hashlib.sha256(made[name].read_bytes()).hexdigest()}  {name}" for name in (wheel, sdist)
    ]


def test_the_packages_can_be_built_again_byte_for_byte(checkout: Checkout) -> None:
    assert checkout.release("0.2.0").returncode == 0
    epoch = checkout.git("log", "-1", "--format=%ct", "v0.2.0")
    with tarfile.open(checkout.folder / "dist/macaz-0.2.0.tar.gz") as archive:
        assert {member.mtime for member in archive.getmembers()} == {int(epoch)}
    for path in checkout.folder.rglob("src/**/*"):
        os.utime(path, (0, 0))
    again = checkout.folder.parent / f"{checkout.folder.name}-again"
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(again)],
        cwd=checkout.folder,
        env={**os.environ, "SOURCE_DATE_EPOCH": epoch},
        capture_output=True,
        check=True,
    )
    for path in again.iterdir():
        assert path.read_bytes() == (checkout.folder / "dist" / path.name).read_bytes()
    with zipfile.ZipFile(again / "macaz-0.2.0-py3-none-any.whl") as wheel:
        [metadata] = [name for name in wheel.namelist() if name.endswith("METADATA")]
        assert "\nVersion: 0.2.0\n" in wheel.read(metadata).decode()


def test_the_version_of_a_checkout_can_be_its_first_release(checkout: Checkout) -> None:
    assert checkout.release("0.1.0").returncode == 0
    assert "tag v0.1.0 already" in checkout.refused("0.1.0")


def test_what_is_no_version_is_refused(checkout: Checkout) -> None:
    for version in ("", "1.2", "v1.2.3", "1.2.3-rc1", "1.2.3 "):
        assert "VERSION is like 1.2.3" in checkout.refused(version)


def test_an_older_version_is_refused(checkout: Checkout) -> None:
    assert "older than 0.1.0" in checkout.refused("0.0.9")
    assert "older than 0.1.0" in checkout.refused("0.1.0rc1")


def test_changes_that_are_not_committed_are_refused(checkout: Checkout) -> None:
    checkout.write("new.txt", "not added")
    assert "?? new.txt" in checkout.refused("0.2.0")
    (checkout.folder / "new.txt").unlink()
    checkout.write("CHANGELOG.md", "changed")
    assert "CHANGELOG.md" in checkout.refused("0.2.0")


def test_a_release_without_changes_is_refused(checkout: Checkout) -> None:
    checkout.write("CHANGELOG.md", CHANGES.replace("- A bell.\n", ""))
    checkout.commit()
    assert "nothing under '## Unreleased'" in checkout.refused("0.2.0")


def test_a_build_that_fails_leaves_nothing_behind(checkout: Checkout) -> None:
    checkout.write("pyproject.toml", PROJECT.replace('["src/macaz"]', "1"))
    checkout.commit()
    assert "cannot be built" in checkout.refused("0.2.0")
    assert '__version__ = "0.1.0"' in checkout.read("src/macaz/__init__.py")


def test_a_version_must_be_given(checkout: Checkout) -> None:
    done = checkout.release()
    assert (done.returncode, done.stderr) == (2, "usage: make release VERSION=1.2.3\n")


def test_our_own_project_has_what_the_tool_expects() -> None:
    """One version, an unreleased section, and no version in what else is read."""
    source = (ROOT / "src/macaz/__init__.py").read_text()
    assert len(re.findall(r'^__version__ = "[^"]+"$', source, re.MULTILINE)) == 1
    assert "\n## Unreleased\n" in (ROOT / "CHANGELOG.md").read_text()
    for name in ("pyproject.toml", "web/package.json", "CITATION.cff"):
        path = ROOT / name
        if path.exists():
            assert not re.search(r'^\s*"?version"?\s*[:=]', path.read_text(), re.MULTILINE), name
