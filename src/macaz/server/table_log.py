"""The log of a live table: commit, then tell.

Whoever is overtaken by another node reads what happened there and tries again. After a commit of
which nobody knows whether it went through, the table asks until it knows.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from macaz.server import show, wire
from macaz.server.entries import Acted, AnyEntry, Left, Sat, decode_entry, encode_entry
from macaz.server.refusal import Refusal, not_found
from macaz.server.state import TableState, announce, begin, follow
from macaz.server.store.rows import Append, EntryRow
from macaz.server.store.trouble import LinkSpent, Unavailable
from macaz.server.table_audience import Audience, Passing, Recheck

if TYPE_CHECKING:
    from macaz.game import Game

log = logging.getLogger("macaz.table")

ATTEMPTS = 16  # against other nodes that are quicker


class News(msgspec.Struct, frozen=True, tag="news"):
    """What one node tells the others: an entry that it committed."""

    version: int
    at: int
    body: msgspec.Raw
    nonce: str | None = None


_news: msgspec.json.Decoder[News | Passing | Recheck] = msgspec.json.Decoder(
    News | Passing | Recheck
)


class Overtaken(Exception):  # noqa: N818 - it is no error
    """Another node committed that version first."""


class AlreadySo(Exception):  # noqa: N818 - it is no error
    """What is wished for is as it is wished."""


class Wish(NamedTuple):
    """An entry that somebody wants in the log, with the game after it where it is known."""

    entry: AnyEntry
    game: Game | None = None
    nonce: str | None = None
    person: str | None = None  # who then has the seat of the entry
    link: str | None = None  # which is used up by it


class Log(Audience):
    """A table as far as it is written and read."""

    def rouse(self) -> None:
        """Let the bots think whose turn it is."""
        raise NotImplementedError

    def wake_at(self, state: TableState) -> int | None:
        """When somebody must look after the table, whatever happens."""
        raise NotImplementedError

    def replay(self, rows: Iterable[EntryRow]) -> None:
        """Follow entries of the store without telling anybody: a table that is being loaded."""
        for row in rows:
            self._adopt(decode_entry(row.body), row.at, row.nonce, None)

    async def change(self, wish: Callable[[], Wish]) -> int:
        """Commit what is wished for and tell it; returns its version.

        The wish is asked again after another node was first. It must not be interrupted between
        the commit and the telling, so it runs on even if whoever asked has gone.
        """
        return await asyncio.shield(self.node.spawn(self._change(wish)))

    async def _change(self, wish: Callable[[], Wish]) -> int:
        async with self.lock:
            for _ in range(ATTEMPTS):
                if self.doubtful:
                    await self._catch_up()
                try:
                    wanted = wish()
                except AlreadySo:
                    return self.state.version
                try:
                    version = await self._commit(wanted)
                except Overtaken:
                    await self._catch_up()
                    self.rouse()
                    if wanted.nonce and (version := await self._version_of(wanted.nonce) or 0):
                        return version
                else:
                    await self._go_on()
                    return version
        raise Refusal("taken", "Too many are changing this table at once. Try again.")

    async def _commit(self, wish: Wish) -> int:
        entry, now = wish.entry, self.node.clock.now()
        after = follow(self.deal, self.state, entry, now, wish.game)
        seated = isinstance(entry, Sat | Left)
        ended = after.status in ("finished", "closed") and self.state.status != after.status
        try:
            committed = await self.node.store.append(
                Append(
                    game=self.id,
                    version=after.version,
                    body=encode_entry(entry),
                    nonce=wish.nonce,
                    at=now,
                    status=after.status,
                    wake_at=self.wake_at(after),
                    finished_at=now if ended else None,
                    end_shown_at=now + self.terms.delay * 1000
                    if ended and after.game and self.terms.delay
                    else None,
                    summary=show.summary(after, self.terms) if seated or ended else None,
                    seat=(entry.seat, wish.person) if isinstance(entry, Sat | Left) else None,
                    link=wish.link,
                )
            )
        except LinkSpent as spent:
            raise not_found(str(spent)) from spent
        except Unavailable as error:
            self._doubt()
            raise Refusal("storage", "The table cannot be written to now. Try again.") from error
        if not committed:
            raise Overtaken
        if isinstance(entry, Acted):
            self.node.metrics.actions.labels("bot" if entry.bot else "person").inc()
        self._adopt(entry, now, wish.nonce, after)
        news = News(after.version, now, msgspec.Raw(encode_entry(entry)), wish.nonce)
        self.node.bus.publish(self.id, wire.encode(news))
        self.tell(self.recent[-1])
        return after.version

    def _adopt(self, entry: AnyEntry, at: int, nonce: str | None, after: TableState | None) -> None:
        """Make an entry that is committed part of this table."""
        if after is None:
            after = follow(self.deal, self.state, entry, at)
        self.state = after
        for question, thought in self.thinking.items():
            if not after.asks_bot(*question):
                thought.cancel()  # somebody else has decided, or came back, or closed the table
        self.recent.append(show.page(after, entry, self.terms))
        if after.game is not None:
            after.game.history.clear()
        if nonce:
            self.nonces.append((nonce, after.version))
        if isinstance(entry, Sat):
            self._evict(entry.seat, entry.person)

    async def _catch_up(self) -> None:
        """Read what other nodes committed, and tell it. The lock is held."""
        try:
            if self.doubtful:  # what waits to be written is not yet read
                await self.node.store.settle()
            rows = await self.node.store.entries(self.id, after=self.state.version)
        except Unavailable as error:
            self._doubt()
            raise Refusal("storage", "The table cannot be read now. Try again.") from error
        self.doubtful = False
        for row in rows:
            self._adopt(decode_entry(row.body), row.at, row.nonce, None)
            self.tell(self.recent[-1])

    async def catch_up(self, at_least: int | None = None) -> None:
        """Read what other nodes committed, unless that version is known already."""
        async with self.lock:
            if at_least is None or self.state.version < at_least:
                await self._catch_up()
                self.rouse()

    def _doubt(self) -> None:
        """A commit may have gone through unheard; ask until the store answers."""
        if not self.doubtful:
            self.doubtful = True
            self.node.spawn(self._settle())

    async def _settle(self) -> None:
        wait = 0.5
        while self.doubtful:
            await asyncio.sleep(wait)
            wait = min(2 * wait, 15)
            try:
                await self.catch_up()
            except Refusal:
                continue

    async def _version_of(self, nonce: str) -> int | None:
        """The version under which a nonce was committed."""
        for known, version in self.nonces:
            if known == nonce:
                return version
        try:
            return await self.node.store.version_of(self.id, nonce)
        except Unavailable as error:
            raise Refusal("storage", "The table cannot be read now. Try again.") from error

    def hear(self, message: bytes) -> None:
        """Another node has news of this table."""
        self.node.spawn(self._hear(message))

    async def _hear(self, message: bytes) -> None:
        news = _news.decode(message)
        if isinstance(news, Passing):
            self._pass_on(bytes(news.message), news.seat)
            return
        if isinstance(news, Recheck):
            await self.recheck_here()
            return
        self.node.metrics.bus_lag.observe(max(0, self.node.clock.now() - news.at) / 1000)
        async with self.lock:
            if news.version == self.state.version + 1:
                self._adopt(decode_entry(bytes(news.body)), news.at, news.nonce, None)
                self.tell(self.recent[-1])
            elif news.version > self.state.version:
                await self._catch_up()

    async def go_on(self) -> None:
        """Do what is due without anybody asking: begin a full table, let bots think."""
        async with self.lock:
            await self._go_on()

    async def _go_on(self) -> None:
        """The same while the lock is held. What fails now, `wake` tries again."""
        try:
            if self.state.status == "waiting" and self.state.full:
                if self.state.announced is None:
                    await self._commit(Wish(announce(self.deal, self.state)))
                if (left := self._nonces_left_ms()) > 0:
                    self._deal_later(left)
                else:
                    game, dealt = begin(self.deal, self.state)
                    await self._commit(Wish(dealt, game))
        except Overtaken:
            self._doubt()
        except Refusal as refusal:
            log.warning("could not begin: %s", refusal, extra={"table": self.id})
        self.rouse()

    def _nonces_left_ms(self) -> int:
        """For how long the deal still waits for nonces that were pledged."""
        if not self.state.nonces_missing:
            return 0
        whole = int(self.node.settings.nonce_wait * 1000)
        # Another node's clock may be ahead of this one.
        return min(whole, self.state.announced_at + whole - self.node.clock.now())

    def _deal_later(self, milliseconds: int) -> None:
        if self.deal_timer is None:
            loop = asyncio.get_running_loop()
            self.deal_timer = loop.call_later(milliseconds / 1000, self._deal_now)

    def _deal_now(self) -> None:
        self.deal_timer = None
        if not self.node.draining:
            self.node.spawn(self.go_on())
