"""The log of a live table: each entry is committed first, and sent to clients afterwards.

If another node commits first, its entries are read and the change is proposed again. After a
commit whose outcome is unknown, the store is asked until it answers.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from macaz.server import show, wire
from macaz.server.entries import Acted, AnyEntry, Left, Sat, decode_entry, encode_entry
from macaz.server.refusal import Refusal, not_found
from macaz.server.state import Deal, TableState, Terms, follow, new_state
from macaz.server.store.rows import Append, EntryRow, GameRow
from macaz.server.store.trouble import LinkSpent, Unavailable
from macaz.server.table.clocks import wake_at
from macaz.server.table.news import News
from macaz.server.table.opening import Opening
from macaz.server.table.proposal import Conflict, NoChange, Proposal, Propose

if TYPE_CHECKING:
    from macaz.server.node import Node
    from macaz.server.table.audience import Audience
    from macaz.server.table.bots import Bots

ATTEMPTS = 16  # to commit a change, while other nodes commit first
RECENT = 12  # entries kept in memory, for clients that missed a few


class Log:
    """The state of a table, and the only way to change it on this node.

    An entry is committed, then sent to the other nodes, then to the audience; after that the bots
    that are to decide are asked.
    """

    def __init__(
        self, node: Node, row: GameRow, deal: Deal, audience: Audience, bots: Bots
    ) -> None:
        self._node = node
        self._row = row
        self._audience = audience
        self._bots = bots
        self._opening = Opening(node, self)
        self._nonces: deque[tuple[str, int]] = deque(maxlen=RECENT)
        self.table_id = row.id
        self.deal = deal
        self.state: TableState = new_state(deal.terms)
        self.recent: deque[show.Page] = deque(maxlen=RECENT)  # the latest entries
        self.lock = asyncio.Lock()  # held from before a commit until it is sent to clients
        self.doubtful = False  # whether there may be a commit that this node does not know of

    @property
    def terms(self) -> Terms:
        return self.deal.terms

    # -- writing ------------------------------------------------------------------------------

    async def change(self, propose: Propose, *, latest: bool = False) -> int:
        """Commit a proposal and send it to clients; returns its version.

        `propose` is called again if another node commits first. A committed entry must be sent, so
        the task continues even if the caller is cancelled. `latest`: read first what other nodes
        committed, because the client may have seen it there.
        """
        return await asyncio.shield(self._node.spawn(self._change(propose, latest)))

    async def _change(self, propose: Propose, latest: bool) -> int:
        async with self.lock:
            if latest and self._node.settings.redis:
                await self._catch_up()
                self.ask_bots()
            for _ in range(ATTEMPTS):
                if self.doubtful:
                    await self._catch_up()
                try:
                    proposal = propose()
                except NoChange:
                    return self.state.version
                try:
                    version = await self.commit(proposal)
                except Conflict:
                    await self._catch_up()
                    self.ask_bots()
                    if proposal.nonce and (version := await self.version_of(proposal.nonce) or 0):
                        return version
                else:
                    await self._go_on()
                    return version
        raise Refusal("taken", "Too many people are changing this table at once. Try again.")

    async def commit(self, proposal: Proposal) -> int:
        """Commit an entry and send it; the caller holds the lock. Raises `Conflict`."""
        entry, now = proposal.entry, self._node.clock.now()
        after = follow(self.deal, self.state, entry, now, proposal.game)
        seated = isinstance(entry, Sat | Left)
        ended = after.status in ("finished", "closed") and self.state.status != after.status
        try:
            committed = await self._node.store.games.append(
                Append(
                    game=self.table_id,
                    version=after.version,
                    body=encode_entry(entry),
                    nonce=proposal.nonce,
                    at=now,
                    status=after.status,
                    wake_at=wake_at(after, self.terms, self._row.created_at, self._node.settings),
                    notice_at=self._node.notices.next_after(now, after, self.terms),
                    finished_at=now if ended else None,
                    end_shown_at=now + self.terms.delay * 1000
                    if ended and after.game and self.terms.delay
                    else None,
                    summary=show.summary(after, self.terms) if seated or ended else None,
                    seat=(entry.seat, proposal.person) if isinstance(entry, Sat | Left) else None,
                    link=proposal.link,
                )
            )
        except LinkSpent as spent:
            raise not_found(str(spent)) from spent
        except Unavailable as error:
            self.doubt()
            raise Refusal("storage", "The table cannot be written to now. Try again.") from error
        if not committed:
            raise Conflict
        if isinstance(entry, Acted):
            self._node.metrics.actions.labels("bot" if entry.bot else "person").inc()
        self._adopt(entry, now, proposal.nonce, after)
        news = News(after.version, now, msgspec.Raw(encode_entry(entry)), proposal.nonce)
        self._node.bus.publish(self.table_id, wire.encode(news))
        self._send()
        return after.version

    def _adopt(self, entry: AnyEntry, at: int, nonce: str | None, after: TableState | None) -> None:
        """Make a committed entry part of this table."""
        if after is None:
            after = follow(self.deal, self.state, entry, at)
        self.state = after
        self._bots.cancel_outdated(after)
        self.recent.append(show.page(after, entry, self.terms))
        if after.game is not None:
            after.game.history.clear()
        if nonce:
            self._nonces.append((nonce, after.version))
        if isinstance(entry, Sat):
            self._audience.seat_moved(entry.seat, entry.person)

    def _adopt_row(self, row: EntryRow) -> None:
        self._adopt(decode_entry(row.body), row.at, row.nonce, None)

    def _send(self) -> None:
        self._audience.tell(self.recent[-1], self.state)

    # -- what follows from an entry -----------------------------------------------------------

    async def go_on(self) -> None:
        """Do what is due without a request: begin the game of a full table, ask bots."""
        async with self.lock:
            await self._go_on()

    async def _go_on(self) -> None:
        await self._opening.advance()
        self.ask_bots()

    def ask_bots(self) -> None:
        """Ask the bots that are to decide, unless they are asked already."""
        self._bots.ask(self)

    # -- reading ------------------------------------------------------------------------------

    def replay(self, rows: Iterable[EntryRow]) -> None:
        """Apply stored entries without sending them, while the table is loaded."""
        for row in rows:
            self._adopt_row(row)

    async def catch_up(self, at_least: int | None = None) -> None:
        """Read what other nodes committed, unless version `at_least` is known already."""
        async with self.lock:
            if at_least is None or self.state.version < at_least:
                await self._catch_up()
                self.ask_bots()

    async def _catch_up(self) -> None:
        try:
            if self.doubtful:  # the unanswered commit may still be queued
                await self._node.store.settle()
            rows = await self._node.store.games.entries(self.table_id, after=self.state.version)
        except Unavailable as error:
            self.doubt()
            raise Refusal("storage", "The table cannot be read now. Try again.") from error
        self.doubtful = False
        for row in rows:
            self._adopt_row(row)
            self._send()

    async def hear(self, news: News) -> None:
        """Apply an entry that another node committed; read those before it if any are missing.

        The other node asks the bots.
        """
        self._node.metrics.bus_lag.observe(max(0, self._node.clock.now() - news.at) / 1000)
        async with self.lock:
            if news.version == self.state.version + 1:
                self._adopt(decode_entry(bytes(news.body)), news.at, news.nonce, None)
                self._send()
            elif news.version > self.state.version:
                await self._catch_up()

    def doubt(self) -> None:
        """Note that the store may have entries that this node does not know; read them soon.

        Called when a commit or a read had no answer, and when another node committed first. The log
        is read as soon as the store answers.
        """
        if not self.doubtful:
            self.doubtful = True
            self._node.spawn(self._settle())

    async def _settle(self) -> None:
        wait = 0.5  # seconds
        while self.doubtful:
            await asyncio.sleep(wait)
            wait = min(2 * wait, 15)
            try:
                await self.catch_up()
            except Refusal:
                continue

    def recent_version_of(self, nonce: str) -> int | None:
        """The version under which a nonce was committed, if that was a short time ago."""
        return next((version for known, version in self._nonces if known == nonce), None)

    async def version_of(self, nonce: str) -> int | None:
        """The version under which a nonce was committed."""
        if (version := self.recent_version_of(nonce)) is not None:
            return version
        try:
            return await self._node.store.games.version_of(self.table_id, nonce)
        except Unavailable as error:
            raise Refusal("storage", "The table cannot be read now. Try again.") from error
