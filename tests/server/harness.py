"""A real server in this process, on a real port, and a small client to talk to it."""

from __future__ import annotations

import asyncio
import faulthandler
import json
import queue
import random
import ssl
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import uvicorn
import websockets

from macaz.server.app import application, node_of, server_config
from macaz.server.clock import Clock
from macaz.server.settings import Settings
from macaz.server.store.migrate import migrate
from macaz.server.store.place import make_file, read_url

STDERR = 2  # the descriptor: pytest may have replaced the file
# A server closes connections that nothing was asked on for five seconds. A client that kept one as
# long could send a request just then, and would get no answer.
LIMITS = httpx.Limits(keepalive_expiry=2.0)
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # loading certificates takes a while
QUICK: dict[str, Any] = {
    "port": 0,
    "bot_pace": 0.0,
    "bot_workers": 1,
    "drain": 1.0,
    "messages_per_second": 10_000,
    "requests_per_minute": 1_000_000,
    "people_per_hour": 1_000_000,
    "sockets_per_address": 10_000,
    "sockets_per_person": 10_000,
    "tables_per_person": 10_000,
    "tables_per_person_a_day": 0,
    "tables_per_address_a_day": 0,
    "games_per_guest": 0,
}


def settings(folder: Path, **changes: Any) -> Settings:
    """Settings without limits, unless a test sets them, and an empty database in the folder."""
    file = folder / "macaz.db"
    if "database" not in changes and not file.exists():
        make_file(file)
        file.write_bytes(_empty_database())
    chosen = {"database": f"sqlite:///{file}", **QUICK, **changes}
    return Settings(**chosen)


@cache
def _empty_database() -> bytes:
    """A migrated database: the migrations have tests of their own, and take most of a start."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "macaz.db"
        migrate(read_url(f"sqlite:///{file}"))
        return file.read_bytes()


@dataclass
class Served:
    """A server that runs in a thread; `node` gives access to its internals."""

    address: str
    node: Any
    loop: asyncio.AbstractEventLoop

    async def inside(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine in the server's own loop."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.loop))


@contextmanager
def serving(chosen: Settings, clock: Clock | None = None) -> Iterator[Served]:
    """Run a server inside the `with` block."""
    told: queue.Queue[Any] = queue.Queue()

    async def serve() -> None:
        try:
            async with application(chosen, clock) as app:
                server = uvicorn.Server(server_config(chosen, app))
                server.capture_signals = _no_signals  # type: ignore[method-assign]
                task = asyncio.create_task(server.serve())
                while not server.started and not task.done():
                    await asyncio.sleep(0.005)
                node = node_of(app)
                told.put((server, node, asyncio.get_running_loop()))
                await task
        except BaseException as error:
            told.put(error)
            raise

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    found = told.get(timeout=600)
    if isinstance(found, BaseException):
        raise found
    server, node, loop = found
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Served(f"http://127.0.0.1:{port}", node, loop)
    finally:
        server.should_exit = True
        thread.join(30)
        if thread.is_alive():
            faulthandler.dump_traceback(STDERR)  # where it hangs
        assert not thread.is_alive(), "the server did not stop"


@contextmanager
def _no_signals() -> Iterator[None]:
    yield


@dataclass
class Client:
    """A client with a token: HTTP by `get` and `post`, one socket by `connect`."""

    address: str
    token: str = ""
    http: httpx.AsyncClient = field(init=False)

    @classmethod
    async def new(cls, address: str, name: str = "Ana") -> Client:
        """A new person."""
        client = cls(address)
        answer = await client.post("/people", {"name": name, "token": "test"})
        client.token = answer["token"]
        return client

    def __post_init__(self) -> None:
        self.http = httpx.AsyncClient(
            base_url=f"{self.address}/api/v1", timeout=30, limits=LIMITS, verify=NO_CERTIFICATES
        )

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    async def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        return await self.http.request(method, path, json=body, headers=self.headers, **more)

    async def get(self, path: str) -> Any:
        answer = await self.ask("GET", path)
        assert answer.is_success, answer.text
        kind = answer.headers["content-type"]
        return answer.json() if kind.startswith("application/json") else answer.text

    async def post(self, path: str, body: Any = None) -> Any:
        answer = await self.ask("POST", path, body)
        assert answer.is_success, answer.text
        return answer.json()

    async def table(self, *seats: str, edition: str = "tiny", **more: Any) -> str:
        """Create a table with seats such as "me", "person" or the name of a bot; returns its id."""
        made = [
            {"kind": "person"} if seat in ("me", "person") else {"kind": "bot", "bot": seat}
            for seat in seats
        ]
        names = ["Me", "Me 2", "Me 3", "Me 4", "Me 5"][: seats.count("me")]
        mine = {"mine": names} if len(names) != 1 else {}
        info = await self.post("/tables", {"edition": edition, "seats": made, **mine, **more})
        return str(info["id"])

    async def connect(self, **more: Any) -> websockets.ClientConnection:
        """A socket of this person. It keeps what is not read: with a full queue, it would not read
        the answer to its own goodbye either, and `close` would wait for ten seconds.
        """
        place = self.address.replace("http", "ws", 1) + "/api/v1/socket"
        chosen = {"max_queue": None, "additional_headers": self.headers, **more}
        return await websockets.connect(place, **chosen)

    async def close(self) -> None:
        await self.http.aclose()


async def say(socket: websockets.ClientConnection, kind: str, **fields: Any) -> None:
    """Send a message."""
    await socket.send(json.dumps({"type": kind, **fields}))


async def hear(socket: websockets.ClientConnection, kind: str | None = None) -> dict[str, Any]:
    """The next message, or the next of a kind."""
    async with asyncio.timeout(30):
        while True:
            message: dict[str, Any] = json.loads(await socket.recv())
            if kind is None or message["type"] == kind:
                return message


class Player:
    """A client with a socket at a seat, which keeps the last message about the table."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.last: dict[str, Any] = {}
        self.said: dict[str, Any] = {}
        self.count = 0

    async def next(self, good: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Receive messages until one is as wanted."""
        while True:
            message = await hear(self.socket)
            if message["type"] in ("welcome", "update"):
                self.last = message
            if good(message):
                return message

    async def until(self, good: Callable[[dict[str, Any]], bool]) -> None:
        """Receive messages until the table is as wanted; it may be so already.

        A bot may decide at any time: its move may have been sent before this is called.
        """
        while not good(self.last):
            await self.next(lambda m: m["type"] in ("welcome", "update"))

    async def turn(self) -> None:
        """Receive messages until there is something to decide."""
        await self.until(lambda told: bool(told["legal"]))

    async def reach(self, version: int) -> None:
        """Receive messages until a version has been sent."""
        await self.until(lambda told: told["version"] >= version)

    async def act(self, kind: str | None = None, version: int | None = None) -> dict[str, Any]:
        """Send the first legal move (of a kind); returns the answer."""
        [move, *_] = [m for m in self.last["legal"] if kind in (None, m["type"])]
        version = self.last["version"] if version is None else version
        self.count += 1
        self.said = {"action": move["action"], "version": version, "nonce": f"n{self.count}"}
        return await self.again()

    async def again(self) -> dict[str, Any]:
        """Send the last decision again; returns the answer."""
        await say(self.socket, "act", **self.said)
        return await self.next(lambda m: m["type"] in ("done", "refused"))


async def seated(client: Client, table: str, seat: int | None) -> Player:
    """A client with a socket at a table."""
    player = Player(await client.connect())
    await say(player.socket, "hello", table=table, seat=seat)
    await player.next(lambda m: m["type"] == "welcome")
    return player


async def play_on(
    client: Client, table: str, seat: int, *, seed: int = 0, upto: int = 100_000
) -> list[dict[str, Any]]:
    """Play a seat at random to the end of the game, or to a version; returns all messages."""
    heard: list[dict[str, Any]] = []
    dice = random.Random(f"{seed} {seat}")
    legal: list[dict[str, Any]] = []
    version, waiting = 0, ""
    async with await client.connect() as socket:
        await say(socket, "hello", table=table, seat=seat)
        while version < upto:
            message = await hear(socket)
            heard.append(message)
            if any(e["type"] == "game-ended" for e in message.get("events", ())):
                break
            if message["type"] == "refused":
                raise AssertionError(message)
            if message["type"] == "done":
                assert message["nonce"] == waiting
                waiting = ""
            elif message["type"] in ("welcome", "update"):
                legal, version = message["legal"], message["version"]
            if legal and not waiting and version < upto:
                waiting = f"{seat}-{version}"
                action = dice.choice(legal)["action"]
                await say(socket, "act", action=action, version=version, nonce=waiting)
    return heard
