"""Make a release: `make release VERSION=1.2.3`.

Sets the version, dates the changelog, builds both packages and their digests into dist/, then
commits and tags. Nothing is pushed. If a step fails, the checkout is left as it was.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION_FILE = ROOT / "src/macaz/__init__.py"  # pyproject.toml reads it from there
CHANGELOG = ROOT / "CHANGELOG.md"
DIST = ROOT / "dist"
DIGESTS = "SHA256SUMS"  # as `sha256sum --check` reads it

VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:(a|b|rc)(\d+))?")
VERSION_LINE = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
UNRELEASED = re.compile(r"^## Unreleased\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"^[-*] ", re.MULTILINE)


class Refused(Exception):  # noqa: N818 - a release that cannot be made is no error of the program
    """Why there is no release."""


def order(version: str) -> tuple[int, int, int, str, int]:
    """A key that sorts versions; a pre-release comes before its release."""
    found = VERSION.fullmatch(version)
    if found is None:
        raise Refused(f"VERSION is like 1.2.3 or 1.2.3rc1, not {version!r}.")
    major, minor, patch, kind, number = found.groups()
    return int(major), int(minor), int(patch), kind or "release", int(number or 0)


def git(*arguments: str, when: int | None = None) -> str:
    """What git answers; `when` is the time of a commit or a tag."""
    env = dict(os.environ)
    if when is not None:
        env |= dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"@{when} +0000")
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Refused(f"`git {arguments[0]}` failed: {done.stderr.strip()}")
    return done.stdout.strip()


def check(version: str) -> None:
    """Raise `Refused` if this version cannot be released from this checkout."""
    wanted = order(version)
    if changed := git("status", "--porcelain"):
        raise Refused(f"The checkout has changes: commit or remove them first.\n{changed}")
    if git("tag", "--list", f"v{version}"):
        raise Refused(f"There is a tag v{version} already: choose another version.")
    found = VERSION_LINE.search(VERSION_FILE.read_text(encoding="utf-8"))
    if found is None:
        raise Refused(f'{VERSION_FILE.relative_to(ROOT)} has no line __version__ = "…".')
    if wanted < order(found[1]):
        raise Refused(f"{version} is older than {found[1]}, the version of this checkout.")
    changes = UNRELEASED.search(CHANGELOG.read_text(encoding="utf-8"))
    if changes is None or not ITEM.search(changes[1]):
        raise Refused("CHANGELOG.md has nothing under '## Unreleased': say what changed.")


def write(version: str, date: str) -> None:
    """Set the version, and give the unreleased changes its number and date."""
    text = VERSION_FILE.read_text(encoding="utf-8")
    VERSION_FILE.write_text(
        VERSION_LINE.sub(f'__version__ = "{version}"', text), encoding="utf-8", newline="\n"
    )
    text = CHANGELOG.read_text(encoding="utf-8")
    heading = f"## Unreleased\n\n## {version} - {date}\n"
    CHANGELOG.write_text(
        text.replace("## Unreleased\n", heading, 1), encoding="utf-8", newline="\n"
    )


def build(version: str, epoch: int) -> list[Path]:
    """Build the wheel and the source distribution; the times in them are the release's."""
    old = [path for form in ("*.whl", "*.tar.gz", DIGESTS) for path in DIST.glob(form)]
    for path in old:
        path.unlink()
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(DIST)],
        cwd=ROOT,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Refused(f"The packages cannot be built:\n{done.stdout}{done.stderr}".rstrip())
    made = [DIST / f"macaz-{version}-py3-none-any.whl", DIST / f"macaz-{version}.tar.gz"]
    if missing := [path.name for path in made if not path.exists()]:
        raise Refused(f"The build did not make {' and '.join(missing)}.")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made]
    (DIST / DIGESTS).write_text("".join(lines), encoding="utf-8", newline="\n")
    return [*made, DIST / DIGESTS]


def release(version: str) -> list[Path]:
    """Make the release; the files in dist/."""
    check(version)
    epoch = int(time.time())
    files = [str(path.relative_to(ROOT)) for path in (VERSION_FILE, CHANGELOG)]
    try:
        write(version, time.strftime("%Y-%m-%d", time.gmtime(epoch)))
        made = build(version, epoch)
        git("commit", "--quiet", "-m", f"Release {version}", "--", *files, when=epoch)
    except BaseException:
        git("checkout", "--quiet", "HEAD", "--", *files)
        raise
    git("tag", "--annotate", "-m", f"Macaz {version}", f"v{version}", when=epoch)
    return made


def main(arguments: list[str]) -> int:
    """The exit status of `tools/release.py VERSION`."""
    if len(arguments) != 1:
        print("usage: make release VERSION=1.2.3", file=sys.stderr)
        return 2
    try:
        made = release(arguments[0])
    except Refused as why:
        print(f"release: {why}", file=sys.stderr)
        return 1
    for path in made:
        print(path.relative_to(ROOT))
    print(f"Committed and tagged v{arguments[0]}. To publish: git push --follow-tags")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
