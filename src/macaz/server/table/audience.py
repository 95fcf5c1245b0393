"""The sockets that watch a table on this node, and what each of them is sent."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

import msgspec

from macaz.server import show, wire
from macaz.server.table.news import Passing

if TYPE_CHECKING:
    from macaz.server.node import Node
    from macaz.server.state import TableState

MOVED, REVOKED = "moved to another device", "no longer yours to see"


class Listener(Protocol):
    """A socket that watches a table; `seat` is None for a spectator."""

    person: str
    name: str  # of the person
    seat: int | None
    muted: set[int]
    delay: int  # seconds by which a spectator is behind
    presence: bool  # whether it is told who is at the table

    def evict(self, reason: str) -> None:
        """Close it: it may no longer see what it watched."""
        ...

    def send(self, message: bytes, *, at_once: bool = False) -> None:
        """Queue a message without waiting. `at_once`: no delay, even for a delayed spectator."""
        ...


class Audience:
    """The listeners of one table."""

    def __init__(self, node: Node, table_id: str) -> None:
        self._node = node
        self._table_id = table_id
        self.listeners: set[Listener] = set()
        self.on_change: Callable[[], None] = lambda: None  # who is at the table may have changed

    def join(self, listener: Listener) -> None:
        self.listeners.add(listener)
        self.on_change()

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        self.on_change()

    def tell(self, page: show.Page, state: TableState) -> None:
        """Send an entry to all listeners: to each, what its seat may see and do."""
        started = time.perf_counter()
        encoded: dict[int | None, bytes] = {}  # by seat; None for spectators
        for listener in tuple(self.listeners):
            seat = listener.seat
            if seat not in encoded:
                encoded[seat] = wire.encode(show.update(page, seat, show.legal_now(state, seat)))
            listener.send(encoded[seat], at_once=page.game is None)
        if any(isinstance(event, wire.SatDown | wire.GotUp) for event in page.events):
            self.on_change()
        self._node.metrics.fan_out.observe(time.perf_counter() - started)

    def pass_on(self, message: wire.Reaction | wire.Rematch, seat: int | None = None) -> None:
        """Send a message that is not stored to the listeners of every node."""
        encoded = wire.encode(message)
        self.pass_on_here(encoded, seat)
        self._node.bus.publish(self._table_id, wire.encode(Passing(msgspec.Raw(encoded), seat)))

    def pass_on_here(self, message: bytes, seat: int | None) -> None:
        for listener in tuple(self.listeners):
            if seat not in listener.muted:
                listener.send(message)

    async def recheck(self, may_see: Callable[[str], Awaitable[bool]]) -> None:
        """Close the spectators whose person may no longer see the table."""
        for listener in tuple(self.listeners):
            if listener.seat is None and not await may_see(listener.person):
                self._evict(listener, REVOKED)

    def seat_moved(self, seat: int, person: str) -> None:
        """Close the listeners of a seat that do not belong to the person who has it now."""
        for listener in tuple(self.listeners):
            if listener.seat == seat and listener.person != person:
                self._evict(listener, MOVED)

    def _evict(self, listener: Listener, reason: str) -> None:
        self.leave(listener)
        listener.evict(reason)
