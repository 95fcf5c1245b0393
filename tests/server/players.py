"""Clients that survive failures: they reconnect, send the same nonce again, and keep
everything that the servers sent, so that a test can check all of it.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx
import websockets
from tests.server.harness import LIMITS, NO_CERTIFICATES

from macaz.game.fair import NONCE_BYTES, pledge_of
from macaz.game.record import verify_record

RETRY = 0.01  # seconds; each attempt may have to wait for another client's recovery
RETRY_CODES = ("storage", "closing")  # refusals after which to try again
# Some of everything, and an end within a few hundred decisions.
MOVE_WEIGHTS = {"claim": 12, "blind": 4, "take": 3, "draw-tickets": 0.2}
# Fields that the log repeats exactly.
COMPARED_FIELDS = ("version", "at", "by", "events", "deciding")


class Addresses:
    """The addresses of the nodes, empty while they are down."""

    def __init__(self, nodes: int = 1) -> None:
        self.addresses = [""] * nodes

    async def find(self, home: int = 0) -> str:
        """The address of a node: the home node, or else any that runs."""
        while True:
            for address in (self.addresses[home], *self.addresses):
                if address:
                    return address
            await asyncio.sleep(RETRY)


class SentAction(NamedTuple):
    """A decision as it was sent."""

    action: int
    version: int


@dataclass
class Received:
    """Everything that the servers have confirmed or sent to any client."""

    done: dict[tuple[str, str], int] = field(default_factory=dict)  # (table, nonce): version
    updates: dict[tuple[str, int | None], dict[int, Any]] = field(default_factory=dict)
    refusals: Counter[str] = field(default_factory=Counter)
    acts: int = 0  # decisions sent, repetitions included


class Person:
    """A person with a home node."""

    def __init__(self, place: Addresses, told: Received, name: str, home: int = 0) -> None:
        self.place, self.told, self.name, self.home = place, told, name, home
        self.dice = random.Random(name)
        self.token = ""
        self.nonces: dict[str, bytes] = {}  # by pledge
        self.chance = random.Random(f"{name} nonces")
        self.http = httpx.AsyncClient(
            timeout=60, limits=LIMITS, trust_env=False, verify=NO_CERTIFICATES
        )

    async def become(self) -> None:
        """Get a token, while there are no failures."""
        address = await self.place.find(self.home)
        answer = await self.once(address, "POST", "/people", {"name": self.name, "token": "test"})
        self.token = answer.json()["token"]

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    async def once(self, address: str, method: str, path: str, body: Any = None) -> httpx.Response:
        """Send a request to one node, once."""
        url = f"{address}/api/v1{path}"
        return await self.http.request(method, url, json=body, headers=self.headers)

    async def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Send a request to any running node until there is an answer."""
        while True:
            address = await self.place.find(self.home)
            try:
                answer = await self.once(address, method, path, body)
            except httpx.TransportError:
                pass
            else:
                if answer.status_code != 503:
                    return answer
                self.told.refusals[answer.json()["code"]] += 1
            await asyncio.sleep(RETRY)

    async def get(self, path: str) -> Any:
        answer = await self.ask("GET", path)
        assert answer.is_success, answer.text
        kind = answer.headers["content-type"]
        return answer.json() if kind.startswith("application/json") else answer.text

    def pledge(self, *, always: bool = False) -> dict[str, str]:
        """Usually a pledge to sit down with; sometimes none, as from old clients."""
        if not always and self.chance.random() < 0.25:
            return {}
        nonce = self.chance.randbytes(NONCE_BYTES)
        self.nonces[pledge_of(nonce)] = nonce
        return {"pledge": pledge_of(nonce)}

    async def make(self, *seats: str, edition: str = "tiny", **more: Any) -> str:
        """Create a table, while nothing fails: seat 0 is mine, the others "person" or bots."""
        kinds = [{"kind": "person"} if s == "person" else {"kind": "bot", "bot": s} for s in seats]
        wanted = {"edition": edition, "seats": [{"kind": "person"}, *kinds], "listed": True}
        answer = await self.ask("POST", "/tables", wanted | self.pledge() | more)
        assert answer.is_success, answer.text
        return str(answer.json()["id"])

    async def sit(self, table: str, seat: int) -> None:
        """Sit down, while there are no failures."""
        answer = await self.ask("POST", f"/tables/{table}/sit", {"seat": seat} | self.pledge())
        assert answer.is_success, answer.text

    async def rematch(self, table: str) -> tuple[str, int]:
        """Ask for a rematch; returns the new table, and my seat there."""
        answer = await self.ask("POST", f"/tables/{table}/rematch", self.pledge() or None)
        assert answer.is_success, answer.text
        info = answer.json()
        return info["id"], [seat["mine"] for seat in info["seats"]].index(True)

    async def play(self, table: str, seat: int) -> None:
        """Play to the end of the game, despite failures."""
        await TableClient(self, table, seat).follow()

    async def watch(self, table: str) -> None:
        """Watch to the end of the game, despite failures."""
        await TableClient(self, table, None).follow()


@asynccontextmanager
async def crowd(
    place: Addresses, told: Received, count: int, name: str
) -> AsyncIterator[list[Person]]:
    """This number of people, with the nodes as homes in turn."""
    people = [Person(place, told, f"{name}{n}", n % len(place.addresses)) for n in range(count)]
    async with AsyncExitStack() as stack:
        for person in people:
            await stack.enter_async_context(person.http)
            await person.become()
        yield people


class _Again(Exception):  # noqa: N818
    """Raised to connect again."""


class TableClient:
    """A client at a table, which gets every version exactly once however often it reconnects."""

    def __init__(self, player: Person, table: str, seat: int | None) -> None:
        self.player, self.table, self.seat = player, table, seat
        self.told = player.told
        self.heard = self.told.updates.setdefault((table, seat), {})
        self.version = 0
        self.legal: list[dict[str, Any]] = []
        self.sent: dict[str, SentAction] = {}
        self.pending = ""
        self.nonce: bytes | None = None  # to be added to the deal
        self.tried = False  # whether it was ever sent
        self.added: set[int] = set()  # the seats whose nonce the server has confirmed
        self.ended = False

    async def follow(self) -> None:
        """Receive until the game has ended and the last message has arrived."""
        while not self._over:
            address = await self.player.place.find(self.player.home)
            try:
                async with websockets.connect(
                    address.replace("http", "ws", 1) + "/api/v1/socket",
                    additional_headers=self.player.headers,
                    proxy=None,
                ) as socket:
                    await self._listen(socket)
            except websockets.InvalidStatus as refused:
                if refused.response.status_code != 503:
                    raise
                self.told.refusals["storage"] += 1
                await asyncio.sleep(RETRY)
            except (OSError, TimeoutError, websockets.WebSocketException, _Again):
                await asyncio.sleep(RETRY)

    @property
    def _over(self) -> bool:
        return self.ended and not self.pending

    async def _listen(self, socket: websockets.ClientConnection) -> None:
        hello = {"type": "hello", "table": self.table, "seat": self.seat, "after": self.version}
        await socket.send(json.dumps(hello))
        told: bytes | None = None  # the nonce that was sent on this connection
        if self.pending:
            await self._send(socket, self.pending)
        elif self.sent and self.player.dice.random() < 0.3:
            # An old action is not done again either.
            await self._send(socket, self.player.dice.choice(list(self.sent)))
        while not self._over:
            self._hear(json.loads(await socket.recv()))
            if self.nonce is not None and told is None:
                told, self.tried = self.nonce, True
                await socket.send(json.dumps({"type": "add-nonce", "nonce": told.hex()}))
            if self.legal and not self.pending:
                await self._decide(socket)

    async def _decide(self, socket: websockets.ClientConnection) -> None:
        weights = [MOVE_WEIGHTS.get(move["type"], 1) for move in self.legal]
        move = self.player.dice.choices(self.legal, weights)[0]
        self.legal = []
        self.pending = f"{self.player.name}-{self.table}-{len(self.sent)}"[-64:]
        self.sent[self.pending] = SentAction(move["action"], self.version)
        await self._send(socket, self.pending)

    async def _send(self, socket: websockets.ClientConnection, nonce: str) -> None:
        act = self.sent[nonce]
        said = {"type": "act", "nonce": nonce, "action": act.action, "version": act.version}
        await socket.send(json.dumps(said))
        self.told.acts += 1

    def _hear(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "welcome":
                assert message["version"] >= self.version, "the table has lost a version"
                assert message["view"] is None, "the missed updates follow instead"
                self.legal = message["legal"] if message["version"] == self.version else []
            case "update":
                assert message["version"] == self.version + 1, "every version once, in order"
                self.version += 1
                self.legal = message["legal"]
                self.heard[self.version] = {key: message[key] for key in COMPARED_FIELDS}
                self.ended = any(e["type"] == "game-ended" for e in message["events"])
                self._add_to_the_deal(message)
            case "done":
                nonce, version = message["nonce"], message["version"]
                assert nonce in self.sent, "an action that was never sent"
                known = self.told.done.setdefault((self.table, nonce), version)
                assert known == version, "one nonce, two versions"
                if nonce == self.pending:
                    self.pending = ""
            case "refused":
                if self.tried and message["nonce"] is None and message["code"] == "not-now":
                    return  # too late: the cards are dealt
                self.told.refusals[message["code"]] += 1
                assert message["code"] in RETRY_CODES, f"{message} after {self.sent}"
                raise _Again
            case "rematch":
                pass
            case _:
                raise AssertionError(message)

    def _add_to_the_deal(self, update: dict[str, Any]) -> None:
        """Find the nonce to send after the announcement; drop it when it is added, or too late."""
        for event in update["events"]:
            if event["type"] == "terms-announced" and self.seat is not None:
                pledge = f"pledge {self.seat + 1}: "
                lines = event["text"].splitlines()
                [found] = [line for line in lines if line.startswith(pledge)]
                self.nonce = self.player.nonces.get(found.removeprefix(pledge))
            elif event["type"] == "nonce-added":
                self.added.update(event["seats"])
        if self.seat in self.added or update["situation"] is not None:
            self.nonce = None


# -- reviews ---------------------------------------------------------------------------------------

EARLY_JUDGEMENTS = 3  # decisions of a review that are judged before its server is killed
READ_JUDGEMENTS = "SELECT ply, body FROM judgement WHERE game_id = ?"


async def review_until(
    player: Person, table: str, good: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Ask for a review until it has come so far."""
    while not good(told := await player.get(f"/tables/{table}/review")):
        await asyncio.sleep(RETRY)
    return dict(told)


async def thoughts_of(address: str) -> int:
    """How many hints and decisions of reviews a server has computed since its start."""
    async with httpx.AsyncClient(timeout=60, trust_env=False, verify=NO_CERTIFICATES) as http:
        figures = (await http.get(f"{address}/metrics")).text
    found = re.search(r'macaz_thinking_seconds_count\{bot="advice"\} (\S+)', figures)
    return int(float(found[1])) if found else 0


# -- checks ----------------------------------------------------------------------------------------


class Line(NamedTuple):
    """An entry of a log, as the database has it."""

    table: str
    version: int
    nonce: str | None
    body: dict[str, Any]


READ_LOG = "SELECT game_id, version, nonce, body FROM entry ORDER BY game_id, version"


def lines(rows: Iterable[tuple[str, int, str | None, bytes]]) -> dict[str, list[Line]]:
    """The rows of `READ_LOG`, by table."""
    found: dict[str, list[Line]] = {}
    for table, version, nonce, body in rows:
        own = nonce.rpartition(":")[2] if nonce else None  # the server's own part comes before
        found.setdefault(table, []).append(Line(table, version, own, json.loads(bytes(body))))
    return found


def check_log(logs: dict[str, list[Line]], told: Received, finished: Iterable[str]) -> None:
    """No acknowledged action is missing, none is there twice, and no version is skipped."""
    for log in logs.values():
        assert [line.version for line in log] == list(range(1, len(log) + 1))
    kept: dict[tuple[str, str], int] = {}
    for log in logs.values():
        for line in log:
            if line.nonce:
                assert (line.table, line.nonce) not in kept, "an action twice"
                kept[line.table, line.nonce] = line.version
    for key, version in told.done.items():
        assert kept.get(key) == version, f"{key} was acknowledged as {version}"
    for table in finished:
        for line in logs[table]:
            if line.body["kind"] == "acted" and not line.body.get("bot"):
                assert line.nonce, "an action of a person that was never sent"
                assert told.done[table, line.nonce] == line.version


async def check_told(asker: Person, told: Received, tables: Iterable[str]) -> None:
    """Finished games: everything sent is still true, and each record is of a fair game."""
    for table in tables:
        info = await asker.get(f"/tables/{table}")
        assert info["status"] == "finished"
        for seat in (None, *range(len(info["seats"]))):
            eyes = "spectator" if seat is None else seat
            log = await asker.get(f"/tables/{table}/updates?after=0&eyes={eyes}")
            versions = [update["version"] for update in log["updates"]]
            assert versions == list(range(1, info["version"] + 1))
            heard = told.updates.get((table, seat))
            if heard is not None:
                assert [heard[v] for v in versions] == [
                    {key: update[key] for key in COMPARED_FIELDS} for update in log["updates"]
                ]
        record = await asker.get(f"/tables/{table}/record")
        assert verify_record(record, announced=info["announcement"]).fair


async def until(true: Callable[[], Any], limit: float = 120) -> None:
    """Wait until a condition is true."""
    async with asyncio.timeout(limit):
        while not true():
            await asyncio.sleep(RETRY)
