"""Real server processes, forked from a zygote: quick to start, and killed like any other.

`Zygote("tests.server.processes:serve")` has all of a server imported; see `Server`.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

# Modules that a server imports only when it starts must be in memory when the zygote forks.
import alembic.command
import alembic.runtime.migration
import psycopg
import redis.asyncio
import sqlalchemy.dialects.postgresql.psycopg
import sqlalchemy.dialects.sqlite.pysqlite
import uvicorn.lifespan.off
import uvicorn.protocols.http.httptools_impl
import uvicorn.protocols.websockets.websockets_sansio_impl
import uvloop
from litestar import WebSocket
from tests.server.harness import QUICK
from tests.server.zygote import PATIENCE, Spawned, Zygote

from macaz.server import app, node, page
from macaz.server.push import sender
from macaz.server.settings import Settings
from macaz.server.store import writer
from macaz.server.store.rows import Append
from macaz.server.table.audience import Audience

IMPORTED = (alembic, psycopg, redis, sqlalchemy, uvicorn, uvloop, sender)
# Logged by uvicorn for a socket that was refused with a proper answer.
NO_ERRORS = ("ASGI callable returned without completing handshake.",)
app._routes(Settings().body_bytes, page.page_folder())  # built once, not by each server
MOMENTS = ("written", "committed", "half told", "told")


class Server:
    """A server process. It reports its address when it is ready, and logs to a file."""

    def __init__(self, zygote: Zygote, folder: Path, name: str = "server", **chosen: Any) -> None:
        self._told = folder / f"{name}.address"
        self.log = folder / f"{name}.log"
        self._told.unlink(missing_ok=True)
        self._began = time.monotonic()
        self.process: Spawned = zygote.spawn(told=str(self._told), log=str(self.log), **chosen)

    @property
    def address(self) -> str:
        """Its address; empty until it listens."""
        try:
            return self._told.read_text()
        except FileNotFoundError:
            return ""

    def wait_ready(self) -> str:
        """Return its address when it listens; empty if it ended before."""
        while not (address := self.address):
            if self.process.poll() is not None:
                return self.address
            if time.monotonic() > self._began + PATIENCE:
                raise TimeoutError("the server does not come up")
            time.sleep(0.002)
        return address

    def kill(self) -> None:
        """`kill -9`; return when it is gone."""
        self.process.kill()


def errors_in(log: Path) -> list[dict[str, Any]]:
    """The errors that a server logged; a line cut off by a kill is ignored."""
    found = []
    for line in log.read_text(errors="replace").splitlines() if log.exists() else ():
        try:
            said = json.loads(line)
        except json.JSONDecodeError:
            said = {"level": "error", "line": line} if "Traceback" in line else {}
        if said.get("level") in ("error", "critical") and said.get("message") not in NO_ERRORS:
            found.append(said)
    return found


# -- inside the process ----------------------------------------------------------------------------


def serve(told: str, log: str, moment: str = "", count: int = 1, **chosen: Any) -> None:
    """Serve until killed: from outside, or by itself the `count`th time at a moment."""
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    # A test sends more requests and changes seats more often than any person.
    node.READS_PER_MINUTE = node.SEAT_CHANGES_PER_MINUTE = 1_000_000
    if moment:
        _die_at(moment, count)

    def ready(address: str) -> None:
        draft = Path(f"{told}.new")
        draft.write_text(address.rstrip("/"))
        draft.rename(told)

    settings: dict[str, Any] = {**QUICK, "log_format": "json", "log_level": "warning", **chosen}
    app.run(Settings(**settings), ready=ready)


def _die_at(moment: str, count: int) -> None:
    """Kill this process at a moment that could hardly be hit from outside."""
    left = count
    lock = threading.Lock()

    def perhaps_die() -> None:
        nonlocal left
        with lock:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def appends(batch: Any) -> bool:
        return any(isinstance(job.work, Append) for job in batch)

    work, tell = writer._work, writer._tell
    send, tell_all = WebSocket.send_data, Audience.tell

    def work_and_die(connection: Any, batch: Any) -> Any:
        results = work(connection, batch)
        if appends(batch):
            perhaps_die()
        return results

    def die_and_tell(batch: Any, results: Any) -> None:
        if appends(batch):
            perhaps_die()
        tell(batch, results)

    def tell_and_die(self: Any, page: Any, state: Any) -> None:
        tell_all(self, page, state)
        perhaps_die()

    async def send_and_die(self: Any, data: Any, **more: Any) -> None:
        await send(self, data, **more)
        if '"type":"update"' in data:
            perhaps_die()

    if moment == "written":  # but not committed
        writer._work = work_and_die
    elif moment == "committed":  # and not reported to any client
        writer._tell = die_and_tell  # type: ignore[assignment]
    elif moment == "told":  # put into the sockets' queues, but not sent
        Audience.tell = tell_and_die  # type: ignore[method-assign]
    elif moment == "half told":  # one watcher, but none of the others
        WebSocket.send_data = send_and_die  # type: ignore[assignment, method-assign]
    else:
        raise ValueError(f"no such moment: {moment}")
