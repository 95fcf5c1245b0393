"""Generates load: many sockets in one process play at a given pace or as fast as possible.

Each group of sockets is a table. It has one action in flight: the next one is sent when all sockets
of the table have received the last one.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import msgspec

from macaz.lab.bench.measure import Skipped
from macaz.lab.bench.server.client import Socket
from macaz.lab.bench.server.fill import TOKENS

PATIENCE = 60.0  # seconds for the last answers
_AT_ONCE = 64  # sockets that connect at the same time


class _Choice(msgspec.Struct):
    action: int


class _Heard(msgspec.Struct):
    """The fields of a message that a player needs."""

    type: str
    version: int = 0
    legal: tuple[_Choice, ...] = ()
    message: str = ""


_read = msgspec.json.Decoder(_Heard).decode


@dataclass(slots=True)
class Outcome:
    """The result of a phase."""

    sent: int
    acknowledged: int
    seconds: float
    late: Sequence[float]  # seconds from each action to its arrival at each other socket
    cpu: float  # CPU seconds of this process

    def percentile(self, percent: int) -> float:
        """The percentile of the latency, in milliseconds."""
        if len(self.late) < 2:
            raise Skipped("too few messages were received")
        return 1000 * statistics.quantiles(self.late, n=100)[percent - 1]


class Group(Protocol):
    """The clients of a table, or of the echo server."""

    sockets: list[Socket]
    clicked: float  # when it last acted
    waiting: int  # number of messages still to come

    def __init__(self, load: Load, name: str, size: int) -> None: ...

    async def open(self, address: str) -> None:
        """Connect all clients."""
        ...

    def act(self) -> None:
        """Let a client act."""
        ...


def _sockets(
    size: int, hear: Callable[[int, bytes], None], lost: Callable[[str], None]
) -> list[Socket]:
    """Sockets, not connected yet; `hear` is called with the number of a socket and a message."""
    return [Socket(partial(hear, number), lost) for number in range(size)]


async def _connect(sockets: Sequence[Socket], address: str, path: str) -> None:
    for socket, token in zip(sockets, TOKENS, strict=False):
        await socket.open(address, path, token)


class Shouters:
    """Clients that send the echo a message as long as an action."""

    def __init__(self, load: Load, name: str, size: int) -> None:
        self.load, self.name = load, name
        self.sockets = _sockets(size, self.hear, load.lost)
        self.clicked = 0.0
        self.waiting = self.count = 0

    async def open(self, address: str) -> None:
        await _connect(self.sockets, address, "/")
        self.load.rest(self)

    def act(self) -> None:
        self.count += 1
        self.load.sent += 1
        self.waiting = 1
        text = b'{"type":"act","action":123,"version":%d,"nonce":"%d"}' % (self.count, self.count)
        self.load.dice.choice(self.sockets).send(text)

    def hear(self, number: int, message: bytes) -> None:
        self.load.late.append(time.perf_counter() - self.clicked)
        self.load.acknowledged += 1
        self.load.heard(self)


class Players:
    """The clients of a table, one on each seat, that play random legal actions."""

    def __init__(self, load: Load, name: str, size: int) -> None:
        self.load, self.name = load, name
        self.sockets = _sockets(size, self.hear, load.lost)
        self.clicked = 0.0
        self.waiting = self.count = 0
        self.actor = -1
        self.version = 0
        self.legal: list[tuple[_Choice, ...]] = [()] * size

    async def open(self, address: str) -> None:
        await _connect(self.sockets, address, "/api/v1/socket")
        self.waiting = len(self.sockets)
        for seat, socket in enumerate(self.sockets):
            hello = {"type": "hello", "table": self.name, "seat": seat}
            socket.send(msgspec.json.encode(hello))

    def act(self) -> None:
        """Send an action of one of the deciding seats."""
        deciding = [seat for seat, legal in enumerate(self.legal) if legal]
        if not deciding:
            self.load.over += 1
            return
        self.actor = self.load.dice.choice(deciding)
        self.waiting = len(self.sockets) + 1
        self.count += 1
        self.load.sent += 1
        action = self.load.dice.choice(self.legal[self.actor]).action
        text = b'{"type":"act","action":%d,"version":%d,"nonce":"%d"}'
        self.sockets[self.actor].send(text % (action, self.version, self.count))

    def hear(self, number: int, message: bytes) -> None:
        heard = _read(message)
        if heard.type == "done":
            self.load.acknowledged += 1
        elif heard.type in ("update", "welcome"):
            self.legal[number], self.version = heard.legal, heard.version
            if heard.type == "update" and number != self.actor:
                self.load.late.append(time.perf_counter() - self.clicked)
        else:
            self.load.lost(f"{heard.type}: {heard.message}")
        self.load.heard(self)


class Load:
    """All groups, and their measurements."""

    def __init__(self, kind: type[Group], names: Sequence[str], size: int) -> None:
        self.dice = random.Random(1)
        self.groups = [kind(self, name, size) for name in names]
        self.idle: list[Group] = []
        self.eager = False
        self.trouble = ""
        self.over = 0
        self._begin()

    def _begin(self) -> None:
        self.late: list[float] = []
        self.sent = self.acknowledged = 0

    async def open(self, address: str) -> None:
        """Connect all clients, and wait for their first messages."""
        places = asyncio.Semaphore(_AT_ONCE)

        async def one(group: Group) -> None:
            async with places:
                await group.open(address)

        try:
            await asyncio.gather(*(one(group) for group in self.groups))
        except OSError as error:
            raise Skipped(f"not all sockets could be opened: {error}") from error
        await self._settled()

    def close(self) -> None:
        for group in self.groups:
            for socket in group.sockets:
                socket.close()

    def lost(self, why: str) -> None:
        """Record the first failure."""
        self.trouble = self.trouble or why

    def heard(self, group: Group) -> None:
        """Count a message for a group."""
        group.waiting -= 1
        if not group.waiting:
            self.rest(group)

    def rest(self, group: Group) -> None:
        """A group has received all messages of its action."""
        if self.eager:
            self._act(group, time.perf_counter())
        else:
            self.idle.append(group)

    def _act(self, group: Group, clicked: float) -> None:
        group.clicked = clicked
        group.act()

    async def paced(self, rate: float, seconds: float) -> Outcome:
        """Act at random times, `rate` times a second on average, independent of earlier actions."""
        self._begin()
        wall, cpu = time.perf_counter(), time.process_time()
        due = wall
        while True:
            # Measure from the due time, so that a delay of this process counts, too.
            due += self.dice.expovariate(rate)
            if due >= wall + seconds:
                break
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            while not self.idle:
                await asyncio.sleep(0.001)
                self._check()
            self._act(self._random_group(), due)
        return await self._end(wall, cpu)

    def _random_group(self) -> Group:
        place = self.dice.randrange(len(self.idle))
        self.idle[place], self.idle[-1] = self.idle[-1], self.idle[place]
        return self.idle.pop()

    async def flat_out(self, seconds: float) -> Outcome:
        """Each group acts again as soon as its last action is complete."""
        self._begin()
        wall, cpu = time.perf_counter(), time.process_time()
        self.eager = True
        idle, self.idle = self.idle, []
        for group in idle:
            self._act(group, time.perf_counter())
        await asyncio.sleep(seconds)
        self.eager = False
        return await self._end(wall, cpu)

    async def _end(self, wall: float, cpu: float) -> Outcome:
        await self._settled()
        now = time.perf_counter()
        return Outcome(
            sent=self.sent,
            acknowledged=self.acknowledged,
            seconds=now - wall,
            late=self.late,
            cpu=time.process_time() - cpu,
        )

    async def _settled(self) -> None:
        """Wait for the last answers."""
        end = time.perf_counter() + PATIENCE
        while len(self.idle) + self.over < len(self.groups):
            self._check()
            if time.perf_counter() > end:
                raise Skipped(f"some answers did not come within {PATIENCE:g} seconds")
            await asyncio.sleep(0.002)
        self._check()

    def _check(self) -> None:
        if self.trouble:
            raise Skipped(f"a client failed: {self.trouble}")
        if self.over == len(self.groups):
            raise Skipped("all games are over; measure a shorter time, or with more tables")
