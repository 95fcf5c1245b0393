"""Carries messages about tables and people between the nodes.

Messages may be lost, but never silently: the bus then calls `lost()`, after which the node reads
the database, since any message may be missing. A node that could not send makes the bus of the
other nodes call `lost()` as soon as it can.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING, Protocol

from macaz.errors import MacazError, how_to_install

if TYPE_CHECKING:
    from redis.asyncio.connection import AbstractConnection

Deliver = Callable[[str, bytes], None]
Lost = Callable[[], None]

NODE_BYTES = 16
OUTGOING = 10_000  # messages that may wait to be sent
PIPELINE = 100  # messages handled before other tasks may run
TIMEOUT = 5.0  # seconds without an answer after which a connection counts as broken
LONGEST_PAUSE = 5.0  # seconds between two attempts to connect

_log = logging.getLogger(__name__)


class Bus(Protocol):
    """Messages between nodes, by channel."""

    async def start(self, deliver: Deliver, lost: Lost) -> None:
        """Connect; from now on call `deliver(channel, message)` for the channels subscribed to.

        `lost()` is called when anything may have been missed and messages flow again. Both are
        called on the event loop and must be quick.
        """

    def publish(self, channel: str, message: bytes) -> None:
        """Send to the other nodes. Never blocks, never raises; drops what cannot be sent."""

    async def subscribe(self, channel: str) -> None:
        """Return when nothing published from now on will be missed without `lost()`."""

    async def unsubscribe(self, channel: str) -> None:
        """Receive no more messages of a channel."""

    @property
    def connected(self) -> bool:
        """Whether messages are sent and received now."""

    async def close(self, patience: float = TIMEOUT) -> None:
        """Disconnect; queued messages have `patience` seconds to be sent."""


class MemoryBus:
    """The bus of a single node: it does nothing."""

    async def start(self, deliver: Deliver, lost: Lost) -> None:
        pass

    def publish(self, channel: str, message: bytes) -> None:
        pass

    async def subscribe(self, channel: str) -> None:
        pass

    async def unsubscribe(self, channel: str) -> None:
        pass

    @property
    def connected(self) -> bool:
        return True

    async def close(self, patience: float = TIMEOUT) -> None:
        pass


class RedisBus:
    """A bus over the channels of Redis; it reconnects for ever.

    `on_drop` is called with the number of messages that could not be sent, `on_disconnect` when
    this node, not another one, loses its connection.
    """

    def __init__(
        self,
        url: str,
        *,
        on_drop: Callable[[int], None] = lambda _: None,
        on_disconnect: Callable[[], None] = lambda: None,
    ) -> None:
        try:
            from redis.asyncio import ConnectionPool
        except ImportError as error:
            raise MacazError(
                "Several nodes need the package redis, which is not installed. "
                f"Install it ({how_to_install('nodes')})."
            ) from error
        # These override the options of the address. Protocol 2 (RESP2) answers in order, so that
        # confirmations can be matched to requests; messages are bytes.
        options = {
            "protocol": 2,
            "decode_responses": False,
            "socket_timeout": TIMEOUT,
            "socket_connect_timeout": TIMEOUT,
        }
        try:
            # Set twice: the pool reads some while it is made, where those of the address win.
            self._pool = ConnectionPool.from_url(url, **options)
        except ValueError as error:
            raise MacazError(f"The address of Redis is wrong: {error}") from error
        self._pool.connection_kwargs |= options
        # All databases of a Redis server share the channels, so the database is part of a name.
        self._prefix = f"macaz:{self._pool.connection_kwargs.get('db', 0)}:"
        self._node = secrets.token_bytes(NODE_BYTES)
        self._channels: set[str] = set()
        self._receiver: _Receiver | None = None
        self._outgoing: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(OUTGOING)
        self._others_missed = False
        self._connected = False
        self._pause = 0.0  # before the next attempt to connect
        self._keeper: asyncio.Task[None] | None = None
        self._on_drop, self._on_disconnect = on_drop, on_disconnect

    @property
    def connected(self) -> bool:
        """Whether messages are sent and received now."""
        return self._connected

    async def start(self, deliver: Deliver, lost: Lost) -> None:
        """Connect, or raise MacazError if Redis cannot be reached now."""
        self._deliver, self._lost = deliver, lost
        first = asyncio.get_running_loop().create_future()
        self._keeper = asyncio.create_task(self._keep_connected(first))
        try:
            await first
        except BaseException:
            await self.close()
            raise

    def publish(self, channel: str, message: bytes) -> None:
        """Send to the other nodes. Never blocks, never raises; drops what cannot be sent."""
        if self._connected and not self._outgoing.full():
            self._outgoing.put_nowait((self._prefix + channel, self._node + message))
        else:
            self._drop(1)

    async def subscribe(self, channel: str) -> None:
        """Return when Redis has confirmed it.

        Without a connection it returns at once: all is subscribed to when Redis is back, and
        `lost()` called then.
        """
        self._channels.add(channel)
        if self._receiver:
            await self._receiver.ask("SUBSCRIBE", self._prefix + channel)

    async def unsubscribe(self, channel: str) -> None:
        """Receive no more messages of a channel."""
        self._channels.discard(channel)
        if self._receiver:
            await self._receiver.ask("UNSUBSCRIBE", self._prefix + channel)

    async def close(self, patience: float = TIMEOUT) -> None:
        """Send what is queued, for at most `patience` seconds, then disconnect."""
        if self._keeper:
            if self._connected:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._outgoing.join(), min(patience, TIMEOUT))
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
            self._keeper = None

    async def _keep_connected(self, first: asyncio.Future[None]) -> None:
        while True:
            try:
                async with self._connection() as incoming, self._connection() as outgoing:
                    await self._flow(incoming, outgoing, first)
            except Exception as error:
                reason = str(_innermost(error)).rstrip(".")
                if not first.done():
                    problem = (
                        f"Redis cannot be reached: {reason}. Start it, or correct its address."
                    )
                    first.set_exception(MacazError(problem))
                    return
                if not self._pause:
                    _log.warning("Redis is gone: %s", reason)
                    self._on_disconnect()
            # Nodes that lost Redis at the same moment should not all reconnect at the same moment.
            self._pause = min(LONGEST_PAUSE, 2 * self._pause + 0.05)
            await asyncio.sleep(self._pause * random.uniform(0.5, 1))

    async def _flow(
        self,
        incoming: AbstractConnection,
        outgoing: AbstractConnection,
        first: asyncio.Future[None],
    ) -> None:
        """Receive and send until either connection breaks."""
        receiver = _Receiver(incoming, self._receive)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(receiver.read())
                tasks.create_task(receiver.write())
                # Later subscriptions are sent to the receiver itself.
                self._receiver = receiver
                everything = (self._prefix, *(self._prefix + name for name in self._channels))
                await receiver.ask("SUBSCRIBE", *everything)
                self._connected = True
                self._pause = 0.0
                tasks.create_task(self._send(outgoing))
                if first.done():
                    _log.info("Redis is back")
                    self._call(self._lost)
                else:
                    first.set_result(None)
        finally:
            self._receiver = None
            self._connected = False
            receiver.give_up()
            self._drop(self._outgoing.qsize())
            self._outgoing = asyncio.Queue(OUTGOING)

    async def _send(self, connection: AbstractConnection) -> None:
        while True:
            # The empty channel name is the one that all nodes listen to.
            notice = [(self._prefix, self._node)] if self._others_missed else []
            self._others_missed = False
            batch = notice or [await self._outgoing.get()]
            while len(batch) < PIPELINE and not self._outgoing.empty():
                batch.append(self._outgoing.get_nowait())
            try:
                commands = [("PUBLISH", *one) for one in batch]
                await connection.send_packed_command(connection.pack_commands(commands))
                for _ in batch:
                    await connection.read_response()
                for _ in range(len(batch) - len(notice)):
                    self._outgoing.task_done()
            except BaseException:
                self._drop(len(batch) - len(notice))
                self._others_missed = True
                raise

    def _receive(self, channel: str, message: bytes) -> None:
        sender, content = message[:NODE_BYTES], message[NODE_BYTES:]
        if sender == self._node:
            return
        name = channel.removeprefix(self._prefix)
        if not name:
            self._call(self._lost)
        elif name in self._channels:
            self._call(self._deliver, name, content)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        """Deliver a message; an error of one receiver must not stop the bus."""
        try:
            function(*arguments)
        except Exception:
            _log.exception("A message from another node could not be handled")

    def _drop(self, messages: int) -> None:
        if messages:
            self._on_drop(messages)
            self._others_missed = True

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AbstractConnection]:
        connection = self._pool.make_connection()  # type: ignore[no-untyped-call]
        try:
            await connection.connect()
            yield connection
        finally:
            await connection.disconnect(nowait=True)


class _Receiver:
    """The connection that receives, and the confirmations it waits for."""

    def __init__(self, connection: AbstractConnection, receive: Deliver) -> None:
        self._connection = connection
        self._receive = receive
        # Redis confirms in the order it was asked, channel by channel.
        self._unconfirmed: deque[asyncio.Future[None]] = deque()
        self._commands: asyncio.Queue[tuple[str, ...]] = asyncio.Queue()

    async def ask(self, command: str, *channels: str) -> None:
        """Return when Redis has confirmed every channel, or the connection is given up."""
        loop = asyncio.get_running_loop()
        confirmations = [loop.create_future() for _ in channels]
        self._unconfirmed += confirmations
        self._commands.put_nowait((command, *channels))
        await asyncio.gather(*confirmations)

    def give_up(self) -> None:
        """Give up all waiting confirmations."""
        while self._unconfirmed:
            self._confirm()

    async def write(self) -> None:
        """Send what is asked until the connection breaks."""
        # Not in `ask`: redis-py closes the connection when a task is cancelled while it sends, and
        # a client that disconnects cancels the task that asks.
        while True:
            await self._connection.send_command(*await self._commands.get(), check_health=False)

    async def read(self) -> None:
        """Read until the connection breaks."""
        asked = False
        for turn in count(1):
            if turn % PIPELINE == 0:
                await asyncio.sleep(0)  # reading what has arrived already does not let others run
            answer = await self._connection.read_response(timeout=TIMEOUT)
            if answer is not None:
                asked = False
                self._handle(answer)
            elif asked:
                raise TimeoutError("it does not answer")
            else:
                # A connection can die silently; only an answer shows that it is alive.
                asked = True
                self._commands.put_nowait(("PING",))

    def _handle(self, answer: object) -> None:
        match answer:
            case [b"message", bytes(channel), bytes(message)]:
                self._receive(channel.decode(), message)
            case [b"subscribe" | b"unsubscribe", *_]:
                self._confirm()

    def _confirm(self) -> None:
        confirmation = self._unconfirmed.popleft()
        if not confirmation.done():
            confirmation.set_result(None)


def _innermost(error: BaseException) -> BaseException:
    """The error that a group of tasks ended with."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
