"""Who is told what, and when: a turn, its last hours, a beginning and an end.

When the next notice of a game is due follows from its state, and is stored with each entry
(`next_after`). Every node looks for games that are due; the one that claims a game tells all that
was due in it since. So a notice survives a restart, and no two nodes tell it.

Those who see the table are not told: a node asks the others, over the bus, whom they see.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from macaz.errors import MissingExtra
from macaz.kernel import layout as at
from macaz.server import wire
from macaz.server.refusal import Refusal
from macaz.server.state import deadlines
from macaz.server.store.trouble import Unavailable

if TYPE_CHECKING:
    from macaz.server.node import Node
    from macaz.server.push.sender import Sender
    from macaz.server.state import TableState, Terms
    from macaz.server.store.rows import SubscriptionRow
    from macaz.server.table import Table

log = logging.getLogger("macaz.notices")

CHANNEL = "notices"  # of the bus
KEY = "push-key"  # the stored setting
SETTLE_MS = 10_000  # before a turn is told: those who are at the table have seen it by then
LONG_CLOCK_S = 3600  # from this clock on, people are told when little time is left
LITTLE_MS = 6 * 3_600_000  # that is little time, or a quarter of the clock if that is less
MOST_DUE = 100  # games that one sweep looks at
CONCURRENT = 8
LOOK_AGAIN_MS = 5000  # after a failure, so that tables which cannot be read delay no others
ANSWER_SECONDS = 1.0  # which the other nodes have to say whom they see
KEPT_S = 86_400  # a push service keeps a notice for a day, or until the time has run out
# Phases in which a turn begins. In the others a person is in the middle of one.
NEW_TURN = (at.CHOOSE, at.START, at.TURN)


class Due(NamedTuple):
    """Something to tell the person of a seat, at a time in milliseconds since 1970."""

    at: int
    seat: int
    kind: wire.NoticeKind
    until: int | None = None  # when it is too late


def waits_for_people(state: TableState, terms: Terms) -> bool:
    """Whether a clock or other people wait for the people of a table."""
    people = {chair.person for chair in state.chairs if chair.person}
    return terms.move_seconds is not None or len(people) > 1


def due(state: TableState, terms: Terms) -> Iterator[Due]:
    """All that is to be told about a table as it is; of a game against bots alone, nothing."""
    if not waits_for_people(state, terms):
        return
    seats = range(len(state.chairs))
    clock = terms.move_seconds
    settle = SETTLE_MS if clock is None else min(SETTLE_MS, clock * 1000 // 3)
    if state.status in ("finished", "closed"):
        kind: wire.NoticeKind = "over" if state.status == "finished" else "closed"
        yield from (Due(state.at + settle, seat, kind) for seat in seats)
        return
    phase = None if state.game is None else int(state.game.state["phase"][0])
    for seat, deadline in zip(seats, deadlines(state, terms), strict=True):
        since = state.since[seat]
        if since is None or state.chairs[seat].bot:
            continue
        if phase in NEW_TURN:
            kind = "began" if phase == at.CHOOSE else "turn"
            yield Due(since[1] + settle, seat, kind, deadline)
        if clock is not None and deadline is not None and clock >= LONG_CLOCK_S:
            yield Due(deadline - min(LITTLE_MS, clock * 250), seat, "soon", deadline)


class Asked(msgspec.Struct, frozen=True, tag="asked"):
    """Which of these people see a table?"""

    question: str
    table: str
    people: tuple[str, ...]


class Seen(msgspec.Struct, frozen=True, tag="seen"):
    """These people see it."""

    question: str
    people: tuple[str, ...]


_decoder: msgspec.json.Decoder[Asked | Seen] = msgspec.json.Decoder(Asked | Seen)


class Notices:
    """The notices of one node. Without the extra 'push', or if the host wants none, it has none."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._sender: Sender | None = None
        self.key: str | None = None  # for browsers, that subscribe with it
        self._busy: set[str] = set()  # games that are being looked at
        self._failed: dict[str, int] = {}  # by game: when it may be looked at again
        self._slots = asyncio.Semaphore(CONCURRENT)
        self._questions: dict[str, set[str]] = {}  # by question: who sees the table

    async def start(self) -> None:
        """Load the key, or make it, and begin to send."""
        settings = self._node.settings
        if settings.push == "off":
            return
        try:
            from macaz.server.push.encrypt import Identification, new_key
            from macaz.server.push.sender import Sender
        except MissingExtra as missing:
            log.info("no notices while the page is closed: %s", missing)
            return
        key = settings.push_key or await self._node.store.settings.get(KEY, new_key)
        contact = settings.push_contact or (settings.origin if settings.secure else "")
        identification = Identification(key, contact)
        self.key = identification.public
        count = self._node.metrics.notices
        self._sender = Sender(
            identification,
            self._node.store.subscriptions,
            lambda outcome: count.labels(outcome).inc(),
        )
        self._sender.start()
        await self._node.bus.subscribe(CHANNEL)

    async def stop(self) -> None:
        """Stop sending. What is due and not told yet, another node or a later start tells."""
        if self._sender is not None:
            await self._sender.stop()

    # -- when -----------------------------------------------------------------------------------

    def next_after(self, now: int, state: TableState, terms: Terms) -> int | None:
        """When a table has the next notice."""
        if self._sender is None:
            return None
        return _next(now, state, terms)

    async def sweep(self, now: int) -> None:
        """Tell what is due, at all tables."""
        if self._sender is None:
            return
        self._failed = {game: until for game, until in self._failed.items() if until > now}
        limit = MOST_DUE + len(self._busy) + len(self._failed)
        for game, since in await self._node.store.subscriptions.due(now, limit):
            if game not in self._busy and game not in self._failed:
                self._busy.add(game)
                self._node.spawn(self._look(game, since))

    async def _look(self, game: str, since: int) -> None:
        try:
            async with self._slots:
                await self._tell(game, since)
        except Exception as error:
            self._failed[game] = self._node.clock.now() + LOOK_AGAIN_MS
            if not isinstance(error, Refusal | Unavailable):
                raise
            log.warning("no notice was sent: %s", error, extra={"table": game})
        finally:
            self._busy.discard(game)

    async def _tell(self, game: str, since: int) -> None:
        """Claim the notices that were due at a table from `since` on, and send them."""
        store = self._node.store.subscriptions
        known = await store.of_game(game)
        if not known:  # most tables; they need not be loaded
            await store.claim(game, since, None, None)
            return
        table = await self._node.table(game)
        if self._node.settings.redis:
            await table.log.catch_up()
        now, state = self._node.clock.now(), table.state
        following = _next(now, state, table.terms)
        if not await store.claim(game, since, state.version, following):
            return
        wanted = _wanted(table, since, now)
        told = {row.person_id for row in known}
        people = {person for person in wanted if person in told}
        if people:
            people -= await self._seeing(game, people)
        wanted = _wanted(table, since, now)  # some have decided meanwhile
        for row in known:
            if row.person_id in people and (found := wanted.get(row.person_id)):
                self._send(table, row, found)

    # -- whom -----------------------------------------------------------------------------------

    async def _seeing(self, game: str, people: set[str]) -> set[str]:
        """Those of these people who see a table, on any node."""
        here = self._seen_here(game, people)
        rest = people - here
        if not rest or not self._node.settings.redis:
            return here
        question = secrets.token_hex(8)
        answers = self._questions[question] = set()
        asked = Asked(question, game, tuple(rest))
        self._node.bus.publish(CHANNEL, msgspec.json.encode(asked))
        try:
            await asyncio.sleep(ANSWER_SECONDS)
        finally:
            del self._questions[question]
        return here | answers

    def _seen_here(self, game: str, people: set[str]) -> set[str]:
        return {
            each.person
            for each in self._node.connections
            if each.visible and each.person in people and each.table and each.table.id == game
        }

    def hear(self, message: bytes) -> None:
        """Handle a question or an answer of another node."""
        news = _decoder.decode(message)
        if isinstance(news, Seen):
            if (answers := self._questions.get(news.question)) is not None:
                answers.update(news.people)
        elif here := self._seen_here(news.table, set(news.people)):
            answer = Seen(news.question, tuple(here))
            self._node.bus.publish(CHANNEL, msgspec.json.encode(answer))

    # -- what -----------------------------------------------------------------------------------

    def _send(self, table: Table, row: SubscriptionRow, found: Due) -> None:
        from macaz.server.push.sender import Job

        assert self._sender is not None, "only a node that can send sweeps"
        chairs, edition = table.state.chairs, table.deal.edition
        notice = wire.Notice(
            kind=found.kind,
            table=table.id,
            edition=edition.qualified_id,
            title=edition.title,
            names=tuple(c.name for c in chairs if c.name and c.person != row.person_id),
            language="ro" if row.language == "ro" else "en",
        )
        left: float = KEPT_S
        if found.until is not None:
            left = min(left, (found.until - self._node.clock.now()) / 1000)
        until = asyncio.get_running_loop().time() + left
        self._sender.add(Job(row, wire.encode(notice), _topic(table.id, row.auth), until))


def _topic(table: str, secret: str) -> str:
    """A name of a table for one browser: its push service learns neither the id nor who else plays.

    At most 32 characters of URL-safe Base64, as RFC 8030 demands.
    """
    return hmac.digest(secret.encode(), table.encode(), hashlib.sha256).hex()[:32]


def _next(now: int, state: TableState, terms: Terms) -> int | None:
    return min((each.at for each in due(state, terms) if each.at > now), default=None)


def _wanted(table: Table, since: int, now: int) -> dict[str, Due]:
    """By person: the last thing that was to be told from `since` until `now`."""
    wanted: dict[str, Due] = {}
    for each in sorted(due(table.state, table.terms)):
        person = table.state.chairs[each.seat].person
        if person and since <= each.at <= now and (each.until is None or each.until > now):
            wanted[person] = each
    return wanted
