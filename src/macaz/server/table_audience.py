"""Those who watch a table, and what each of them is told."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from macaz.server import show, wire
from macaz.server.state import Deal, TableState, Terms, deadlines, new_state
from macaz.server.store.rows import GameRow

if TYPE_CHECKING:
    from macaz.server.node import Node

MOVED, REVOKED = "moved to another device", "no longer yours to see"
RECENT = 12  # entries kept in memory, to refill short gaps without the database


class Listener(Protocol):
    """Somebody who watches a table: a socket."""

    person: str
    seat: int | None
    muted: set[int]

    def evict(self, reason: str) -> None:
        """It is no longer theirs to see."""
        ...

    def send(self, message: bytes, *, at_once: bool = False) -> None:
        """Queue a message; never waits. `at_once`: even for a spectator who is behind."""
        ...


class Passing(msgspec.Struct, frozen=True, tag="passing"):
    """What one node tells the others and nobody keeps: a message for all watchers."""

    message: msgspec.Raw
    seat: int | None = None


class Recheck(msgspec.Struct, frozen=True, tag="recheck"):
    """What one node tells the others: somebody may no longer watch."""


class Audience:
    """A table as far as it is watched."""

    def __init__(self, node: Node, row: GameRow, deal: Deal) -> None:
        self.node = node
        self.row = row
        self.id = row.id
        self.deal = deal
        self.state: TableState = new_state(deal.terms)
        self.recent: deque[show.Page] = deque(maxlen=RECENT)
        self.nonces: deque[tuple[str, int]] = deque(maxlen=RECENT)
        self.listeners: set[Listener] = set()
        # By seat and version of its question: the bot that thinks about it.
        self.thinking: dict[tuple[int, int], asyncio.Task[None]] = {}
        self.lock = asyncio.Lock()
        self.deal_timer: asyncio.TimerHandle | None = None  # while the deal waits for nonces
        self.doubtful = False  # whether a commit may have happened that we were not told of
        self.touched = node.clock.now()

    @property
    def terms(self) -> Terms:
        """What was agreed when the table was made."""
        return self.deal.terms

    def tell(self, page: show.Page) -> None:
        """Send an entry to everybody who watches, each with what they may see and do."""
        started = time.perf_counter()
        made: dict[int | None, bytes] = {}
        for listener in tuple(self.listeners):
            seat = listener.seat
            if seat not in made:
                made[seat] = wire.encode(show.update(page, seat, self.legal(seat)))
            listener.send(made[seat], at_once=page.game is None)
        self.node.metrics.fan_out.observe(time.perf_counter() - started)

    def legal(self, seat: int | None) -> tuple[Any, ...]:
        """What the person of a seat may do now."""
        game = self.state.game
        if seat is None or game is None or seat not in self.state.deciding:
            return ()
        return () if self.state.chairs[seat].bot else show.legal_messages(game, seat)

    def deadlines(self) -> tuple[int | None, ...]:
        """By seat: when its time runs out."""
        return deadlines(self.state, self.terms)

    def welcome(
        self,
        person: str | None,
        seat: int | None,
        *,
        whole: bool = True,
        missed: int | None = None,
        past: TableState | None = None,
    ) -> wire.Welcome:
        """The table as a watcher finds it, or as it was; with `missed`, before what follows."""
        state = past or self.state
        behind = past is not None or missed is not None
        return wire.Welcome(
            protocol=wire.PROTOCOL,
            table=self.info(person, past=past),
            seat=seat,
            version=state.version if missed is None else missed,
            view=show.game_view(state.game, seat)
            if whole and state.game and missed is None
            else None,
            deciding=() if missed is not None else state.deciding,
            deadlines=deadlines(state, self.terms),
            legal=() if behind else self.legal(seat),
            now=self.node.clock.now(),
        )

    def info(
        self, person: str | None, *, rematch: str | None = None, past: TableState | None = None
    ) -> wire.TableInfo:
        """The table as a person may know it."""
        row, terms, edition = self.row, self.terms, self.deal.edition
        state = past or self.state
        return wire.TableInfo(
            id=self.id,
            edition=edition.qualified_id,
            title=edition.title,
            fingerprint=edition.fingerprint,
            status=state.status,
            version=state.version,
            seats=show.seat_infos(state, terms, person),
            host=person == row.host,
            listed=row.listed,
            first=terms.first,
            move_seconds=terms.move_seconds,
            stand_in=terms.stand_in,
            patience=self.node.settings.patience,
            delay=terms.delay,
            reactions=terms.reactions,
            hints=terms.hints_allowed,
            seeded=self.deal.dealer.seed is not None,
            commitment=self.deal.dealer.commitment,
            announcement=state.announced,
            created_at=row.created_at,
            previous=row.previous,
            rematch=rematch,
        )

    def pass_on(self, message: wire.Reaction | wire.Rematch, seat: int | None = None) -> None:
        """Show all watchers something that is not kept, on every node."""
        encoded = wire.encode(message)
        self._pass_on(encoded, seat)
        self.node.bus.publish(self.id, wire.encode(Passing(msgspec.Raw(encoded), seat)))

    def _pass_on(self, message: bytes, seat: int | None) -> None:
        for listener in tuple(self.listeners):
            if seat not in listener.muted:
                listener.send(message)

    async def recheck(self) -> None:
        """Cut off spectators who may no longer watch, on every node."""
        self.node.bus.publish(self.id, wire.encode(Recheck()))
        await self.recheck_here()

    async def recheck_here(self) -> None:
        """Cut off those of this node."""
        for listener in tuple(self.listeners):
            if listener.seat is None and not await self.node.may_see(listener.person, self):
                self.listeners.discard(listener)
                listener.evict(REVOKED)

    def _evict(self, seat: int, person: str) -> None:
        """A seat moved over: whoever had it before watches no longer with its eyes."""
        for listener in tuple(self.listeners):
            if listener.seat == seat and listener.person != person:
                self.listeners.discard(listener)
                listener.evict(MOVED)
