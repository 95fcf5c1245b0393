"""The WebSocket of a client: one connection, which watches one table from one seat or none."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from macaz.server import history, show, wire
from macaz.server.refusal import Refusal, not_found
from macaz.server.state import TableState
from macaz.server.table import Table
from macaz.server.table.audience import REVOKED

if TYPE_CHECKING:
    from litestar import WebSocket

    from macaz.server.node import Node
    from macaz.server.people import Identity

log = logging.getLogger("macaz.socket")

# Bytes queued for a slow client until it is disconnected; the longest log must fit.
MOST_QUEUED = 1024 * 1024
CLOSE_GOING, CLOSE_SIGNED_OUT, CLOSE_EVICTED, CLOSE_ABUSE = 1012, 4001, 4009, 4029
MOST_MISSED = 500  # entries that are sent one by one; for more, one whole view is shorter
MOST_REFUSALS = 50  # in a row, until the client is disconnected


class Connection:
    """A connected client. Messages are queued, and sent by `deliver`."""

    def __init__(self, node: Node, socket: WebSocket[Any, Any, Any], identity: Identity) -> None:
        self.node, self.socket = node, socket
        self.person, self.credential = identity.person.id, identity.credential
        self.name = identity.person.name
        self.seat: int | None = None
        self.muted: set[int] = set()
        self.delay = 0
        self.presence = False
        self.visible = True
        self.table: Table | None = None
        self._queue: asyncio.Queue[bytes | tuple[int, str]] = asyncio.Queue()
        self._queued = 0
        self._open = True
        self._refused = 0
        self._later: deque[tuple[float, bytes]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._cut: Callable[[], object] = lambda: None

    # -- out ----------------------------------------------------------------------------------

    def send(self, message: bytes, *, at_once: bool = False) -> None:
        """Queue a message: now, or after the delay of a spectator."""
        if self.delay and not at_once:
            self._send_at(asyncio.get_running_loop().time() + self.delay, message)
        else:
            self._send(message)

    def _send_at(self, due: float, message: bytes) -> None:
        """Queue a message at a time, which is never before that of the message before."""
        self._later.append((due, message))
        if len(self._later) == 1:
            self._timer = asyncio.get_running_loop().call_at(due, self._send_due)

    def _send_due(self) -> None:
        loop, later = asyncio.get_running_loop(), self._later
        while later and later[0][0] <= loop.time() + 0.001:
            self._send(later.popleft()[1])
        if later and self._open:
            self._timer = loop.call_at(later[0][0], self._send_due)

    def _send(self, message: bytes) -> None:
        """Queue a message; a client that is too slow is disconnected."""
        if not self._open:
            return
        self._queued += len(message)
        if self._queued > MOST_QUEUED:
            # Without a close code, which would have to wait behind the unsent messages.
            self._open = False
            self._cut()
        else:
            self._queue.put_nowait(message)

    def say(self, message: wire.Sent) -> None:
        """Queue an answer, without delay."""
        self._send(wire.encode(message))

    def close(self, code: int, reason: str) -> None:
        """Close the connection, after what is queued."""
        if self._open:
            self._open = False
            self._queue.put_nowait((code, reason))

    def on_cut(self, cut: Callable[[], object]) -> None:
        """Set what closes the connection without sending what is queued."""
        self._cut = cut

    def reconnect(self) -> None:
        """Make the client connect again, so that it is identified again."""
        self.close(CLOSE_GOING, "connect again")

    def sign_out(self) -> None:
        """Close it, as its session or token has ended."""
        self.close(CLOSE_SIGNED_OUT, "signed out")

    def evict(self, reason: str) -> None:
        """Close it, as it may no longer see what it watched."""
        self.close(CLOSE_EVICTED, reason)

    async def deliver(self) -> None:
        """Send what is queued, until the connection is closed."""
        while True:
            item = await self._queue.get()
            if isinstance(item, tuple):
                await self.socket.close(*item)
                return
            await self.socket.send_data(item.decode(), mode="text")
            self._queued -= len(item)

    # -- in -----------------------------------------------------------------------------------

    async def hear(self, text: str | bytes) -> None:
        """Handle a message; a refusal is sent back."""
        if not self._open:
            return
        nonce: str | None = None
        try:
            if len(text) > self.node.settings.message_bytes:
                raise Refusal("too-large", "That message is too long.")
            message = _read(text)
            nonce = message.nonce if isinstance(message, wire.Act) else None
            self.node.messages.ask(self.person)
            await self._handle(message)
            self._refused = 0
        except Refusal as refusal:
            self._refused += 1
            self.node.metrics.refusals.labels(refusal.code).inc()
            self.say(wire.Refused(refusal.code, refusal.message, nonce, refusal.reason))
            if self._refused > MOST_REFUSALS:
                self.close(CLOSE_ABUSE, "too many refusals")

    async def _handle(self, message: wire.ClientMessage) -> None:
        match message:
            case wire.Hello():
                await self._hello(message)
            case wire.Look():
                await self._watch(self._at_table(), self.seat, None)
            case wire.Act():
                table, seat = self._at_table(), self._seated()
                version = await table.seats.decide(self.person, seat, message)
                self.say(wire.Done(message.nonce, version))
            case wire.AddNonce():
                table, _ = self._at_table(), self._seated()
                await table.seats.add_nonce(self.person, message.nonce)
            case wire.React():
                await self._react(message.sign)
            case wire.Mute():
                (self.muted.add if message.muted else self.muted.discard)(message.seat)
            case wire.Visible():
                self.visible = message.visible
            case wire.Ping():
                self.say(wire.Pong(self.node.clock.now()))

    def _at_table(self) -> Table:
        if self.table is None:
            raise Refusal("not-now", "Say hello to a table first.")
        return self.table

    def _seated(self) -> int:
        if self.seat is None:
            raise Refusal("not-allowed", "You watch this table; you do not play here.")
        return self.seat

    async def _hello(self, message: wire.Hello) -> None:
        if message.protocol != wire.PROTOCOL:
            raise Refusal("bad-value", f"This server speaks protocol {wire.PROTOCOL}.")
        table = await self.node.table(message.table)
        if self.node.settings.redis:
            await table.log.catch_up()  # a client of a node that died may know more than this one
        if not await self.node.may_see(self.person, table):
            raise not_found()
        if message.seat is not None:
            self._check_owned(table, message.seat)
        self.presence = message.presence
        await self._watch(table, message.seat, message.after)
        self.muted = set()

    async def _watch(self, table: Table, seat: int | None, after: int | None) -> None:
        """Watch a table from now on; send its state, or the entries after a version."""
        now = table.state.version
        late = seat is None and history.will_be_behind(table)
        if after is not None and not now - MOST_MISSED <= after <= now:
            after = None  # too many entries, or a table restored from an older backup
        past: TableState | None = None
        if late or after not in (None, now):
            # The slow part, before the lock is held: the table goes on meanwhile.
            self.node.reads.ask(self.person)
            if late:
                past = await history.state_at(table, await history.seen_upto(table))
                after = past.version
            await history.pages(table, after or 0)
        async with table.log.lock:
            # With the lock held no entry is sent, so none is lost between the view and the updates;
            # and no seat changes its owner, which it may have done since the first check.
            if seat is not None:
                self._check_owned(table, seat)
            missed = [] if after is None else await history.pages(table, after)
            self.leave()
            if past is not None:
                self.say(table.welcome(self.person, None, past=past))
                self._tell_late(missed, table.terms.delay)
            elif after is not None and missed:
                self.say(table.welcome(self.person, seat, missed=after))
                self._tell(missed, table, seat)
            else:
                self.say(table.welcome(self.person, seat, whole=after is None))
            self.table, self.seat = table, seat
            self.delay = table.terms.delay if late else 0
            table.audience.join(self)
        # A link that was revoked meanwhile has closed only those who were listening then.
        if seat is None and not await self.node.may_see(self.person, table):
            self.leave()
            self.evict(REVOKED)

    def _tell(self, missed: list[show.Page], table: Table, seat: int | None) -> None:
        """Send the missed entries one by one; the last has the legal moves."""
        for page in missed:
            last = page.version == table.state.version
            self.say(show.update(page, seat, show.legal_now(table.state, seat) if last else ()))

    def _tell_late(self, missed: list[show.Page], delay: int) -> None:
        """Send what a delayed spectator has not seen yet, each entry when it is due."""
        then = asyncio.get_running_loop().time() - self.node.clock.now() / 1000
        for page in missed:
            message = wire.encode(show.update(page, None))
            if page.game is None:
                self._send(message)
            else:
                self._send_at(then + page.at / 1000 + delay, message)

    def _check_owned(self, table: Table, seat: int) -> None:
        if seat not in table.seats.of(self.person):
            raise Refusal("not-allowed", "That seat is not yours.")

    async def _react(self, sign: wire.Sign) -> None:
        table, seat = self._at_table(), self._seated()
        self._check_owned(table, seat)
        if not table.terms.reactions:
            raise Refusal("not-allowed", "There are no signs at this table.")
        self.node.reactions.ask(self.person)
        table.audience.pass_on(wire.Reaction(seat, sign), seat)

    def leave(self) -> None:
        """Stop watching."""
        if self.table is not None:
            self.table.audience.leave(self)
            self.table.touched = self.node.clock.now()
            self.table = None
        self._later.clear()
        if self._timer is not None:
            self._timer.cancel()


def _read(text: str | bytes) -> wire.ClientMessage:
    try:
        return wire.client_decoder().decode(text)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refusal("bad-message", f"That is no message: {error}") from error
