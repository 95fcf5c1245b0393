"""Runs servers in separate processes, and measures their CPU time and memory."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from macaz.lab.bench.measure import Skipped
from macaz.lab.bench.starts import environment
from macaz.server.settings import KNOBS
from macaz.server.settings.read import CONFIG

PATIENCE = 120.0  # timeout for the start of a server, in seconds
# Settings that turn off the limits of a server.
_NO_LIMITS = {
    "sockets": 10**6,
    "sockets-per-address": 10**6,
    "sockets-per-person": 10**6,
    "tables-per-person-a-day": 0,
    "tables-per-address-a-day": 0,
    "games-per-guest": 0,
    "messages-per-second": 10**6,
    "requests-per-minute": 10**8,
    "unload-after": 86_400,
    "drain": 1,
}
_SAMPLE = re.compile(r"^(\w+)(?:\{([^}]*)\})? (\S+)$", re.MULTILINE)


class Process:
    """A running server."""

    def __init__(self, pid: int, address: str) -> None:
        self.pid, self.address = pid, address

    def get(self, path: str, token: str | None = None) -> bytes:
        return self._ask("GET", path, token, None, 200)

    def post(self, path: str, value: object, token: str | None = None) -> Any:
        """Post a value as JSON; returns the decoded response."""
        return msgspec.json.decode(self._ask("POST", path, token, msgspec.json.encode(value), 201))

    def _ask(self, method: str, path: str, token: str | None, body: bytes | None, ok: int) -> bytes:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            headers["content-type"] = "application/json"
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=PATIENCE)
        with closing(connection):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            found = answer.read()
        if answer.status != ok:
            raise Skipped(f"{method} {path} was answered with {answer.status}: {found.decode()}")
        return found

    def wait_ready(self) -> None:
        """Wait until it can serve tables."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.get("/readyz")
            except Skipped:
                if time.monotonic() > end:
                    raise
                time.sleep(0.005)
            else:
                return

    def metrics(self) -> dict[str, float]:
        """The metrics of the server; those with labels as `name{labels}`."""
        found = _SAMPLE.findall(self.get("/metrics").decode())
        return {f"{name}{{{labels}}}" if labels else name: float(v) for name, labels, v in found}

    @property
    def cpu(self) -> float:
        """CPU seconds of all its threads."""
        with _from_proc():
            words = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> int:
        """Resident memory in bytes."""
        with _from_proc():
            pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def _from_proc() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Skipped("work and memory of a process are read from /proc, as on Linux") from error


@contextmanager
def started(command: list[str], place: Mapping[str, str]) -> Iterator[Process]:
    """Start a server, and wait until it prints its address."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=place,
        )
        try:
            yield Process(process.pid, _address(process, output.fileno()))
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _address(process: subprocess.Popen[bytes], output: int) -> str:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        text = os.pread(output, 100_000, 0).decode()
        if found := re.search(r"http://\S+:\d+(?=/\s)", text):
            return found[0]
        if process.poll() is not None:
            raise Skipped(f"the server did not start: {text.strip()}")
        time.sleep(0.002)
    raise Skipped(f"the server did not start within {PATIENCE:g} seconds")


def own_environment() -> dict[str, str]:
    """The environment without settings of a Macaz server."""
    taken = {knob.variable for knob in KNOBS.values()} | {CONFIG}
    return {name: value for name, value in environment().items() if name not in taken}


@contextmanager
def serving(
    database: str, log_level: str = "error", more: Mapping[str, object] | None = None
) -> Iterator[Process]:
    """Run the table server on a database, without limits; `more` are further settings.

    It prints its address when it is ready; with the log level "info", when it listens.
    """
    output = {**_NO_LIMITS, **(more or {})}
    options = [word for name, value in output.items() for word in (f"--{name}", str(value))]
    command = [sys.executable, "-m", "macaz", "serve", "--port", "0"]
    command += ["--log-level", log_level]
    place = own_environment()
    # Not as an option: other users can read command lines, and the URL may contain a password.
    place[KNOBS["database"].variable] = database
    with started([*command, *options], place) as process:
        yield process


@contextmanager
def echoing() -> Iterator[Process]:
    """Run the echo server."""
    with started([sys.executable, "-m", "macaz.lab.bench.server.echo"], environment()) as process:
        yield process
