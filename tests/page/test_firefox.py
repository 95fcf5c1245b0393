"""A game in another browser: Firefox, where one is installed, over its Marionette protocol."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.page.test_site import Site

PROGRAM = shutil.which("firefox") or shutil.which("firefox-esr")
PATIENCE = 120.0  # seconds
ENABLED = ":enabled:not([aria-disabled=true])"
PREFERENCES: dict[str, Any] = {  # no requests to other hosts
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.downloads.remote.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "intl.accept_languages": "en",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}


class Firefox:
    """A headless Firefox with an empty profile."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in {**PREFERENCES, "marionette.port": port}.items()
        ]
        (folder / "user.js").write_text("".join(lines), "utf-8")
        command = [str(PROGRAM), "--headless", "--marionette", "--profile", str(folder)]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
        try:
            self._socket = self._connected(port)
            self._read()  # its greeting
            self._number = 0
            self.ask("WebDriver:NewSession")
        except BaseException:
            self.close()
            raise

    def _connected(self, port: int) -> socket.socket:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), PATIENCE)
            except ConnectionRefusedError:
                assert self._process.poll() is None, "Firefox ended"
                assert time.monotonic() < end, "Firefox does not answer"
                time.sleep(0.1)

    def _read(self) -> Any:
        """A message: its length, a colon, JSON."""
        length = b""
        while not length.endswith(b":"):
            length += self._received(1)
        return json.loads(self._received(int(length[:-1])))

    def _received(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            part = self._socket.recv(size - len(found))
            assert part, "Firefox ended"
            found += part
        return found

    def ask(self, command: str, **arguments: Any) -> Any:
        """Send a command, and wait for its result."""
        self._number += 1
        text = json.dumps([0, self._number, command, arguments]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        _, number, problem, result = self._read()
        assert number == self._number
        assert problem is None, problem
        return result

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        return self.ask("WebDriver:ExecuteScript", script=f"return {script}", args=[])["value"]

    def wait_for(self, script: str) -> None:
        end = time.monotonic() + PATIENCE
        while not self.run(script):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.1)

    def click(self, selector: str) -> None:
        """Click what matches, once it is there and can be clicked."""
        selector += ENABLED
        self.wait_for(f"document.querySelector({json.dumps(selector)}) !== null")
        # Not at a place of the screen, where something may be moving.
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def close(self) -> None:
        if hasattr(self, "_socket"):
            self._socket.close()
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    if PROGRAM is None:
        pytest.skip("no Firefox is installed")
    profile = tmp_path / "profile"
    profile.mkdir()
    opened = Firefox(profile)
    yield opened
    opened.close()


def test_a_game_in_firefox_without_a_server(firefox: Firefox, tmp_path: Path) -> None:
    site = Site(tmp_path / "site")
    try:
        firefox.ask("WebDriver:Navigate", url=site.url)
        firefox.click("[data-play]")
        for number in (1, 2):
            firefox.click(f"[role=dialog] li:nth-child({number}) button[data-ticket]")
        firefox.click("[role=dialog] button.primary")
        drawn = "Number(document.querySelector('button[data-pile=deck]').textContent.match(/\\d+/))"
        firefox.wait_for("document.querySelector('[role=dialog]') === null")
        firefox.wait_for(f"document.querySelector('button[data-pile=deck]{ENABLED}') !== null")
        before = firefox.run(drawn)
        firefox.click("button[data-pile=deck]")
        firefox.wait_for(f"{drawn} < {before}")
        firefox.ask("WebDriver:Refresh")
        firefox.wait_for("document.querySelector('button[data-pile=deck]') !== null")
        assert firefox.run(drawn) < before
    finally:
        site.stop()
