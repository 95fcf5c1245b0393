"""Who is at a table: which people are connected to it, on any node, and since when others are away.

Only connections and seats are looked at, never the game, so nothing here depends on a hand. Each
node tells the others, over the bus, whom it sees; nothing is stored.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, NamedTuple

from macaz.server import wire
from macaz.server.table.news import Here

if TYPE_CHECKING:
    from macaz.server.node import Node
    from macaz.server.table.audience import Audience, Listener
    from macaz.server.table.log import Log

GRACE_MS = 5000  # how long a person who disconnected still counts as here: they may reload
PAUSE_SECONDS = 0.5  # least time between two messages about one table: many people may come at once
ANSWER_SECONDS = 0.5  # how long the other nodes have to say whom they see, when a table is loaded
REPEAT_SECONDS = 10.0  # time after which a node repeats whom it sees
MOST_MISSED = 3  # repetitions that another node may miss until its people count as gone
MOST_NAMES = 20  # names of people who watch that are sent; the others are counted
MOST_TABLES = 20_000  # tables for which it is remembered when people left

Seats = tuple[wire.SeatPresence | None, ...]


class LastSeen:
    """When people left the tables of a node, for tables that are no longer in memory, too.

    It is lost when the server stops: then it is not known since when they are away.
    """

    def __init__(self) -> None:
        self._tables: OrderedDict[str, dict[str, int]] = OrderedDict()

    def of(self, table: str) -> dict[str, int]:
        """When people left a table: by person, in milliseconds since 1970. The table changes it."""
        found = self._tables.setdefault(table, {})
        self._tables.move_to_end(table)
        if len(self._tables) > MOST_TABLES:
            self._tables.popitem(last=False)
        return found


class Snapshot(NamedTuple):
    """Who was here from a moment on. Before the game spectators see it without delay."""

    at: int
    in_game: bool
    seats: Seats
    seated: frozenset[str]  # the people of the seats


class OtherNode:
    """The people whom another node sees at a table."""

    def __init__(self, news: Here) -> None:
        self.people, self.more = news.people, news.more
        self.missed = 0  # repetitions of this node since it was heard


class Presence:
    """The people of one table."""

    def __init__(self, node: Node, table_id: str, audience: Audience, log: Log) -> None:
        self._node, self._table_id = node, table_id
        self._audience, self._log = audience, log
        self._loaded_at = node.clock.now()
        self._nodes: dict[str, OtherNode] = {}  # the others, by their ids
        self._here: set[str] = set()  # people who were connected at the last check
        self._names: dict[str, str] = {}  # of those who are here
        self._left = node.last_seen.of(table_id)  # by person, who is not connected now
        self._snapshots: deque[Snapshot] = deque()
        self._told: dict[Listener, wire.Presence] = {}
        self._published: Here | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0  # when the timer ends, by the loop's clock
        self._not_before = 0.0  # the earliest time of the next check, by the loop's clock
        self._known_at = 0.0  # when the other nodes have had time to answer, by the loop's clock
        audience.on_change = self.changed

    # -- what the table asks ------------------------------------------------------------------

    async def known(self) -> None:
        """Wait until the other nodes have had time to say whom they see, after a load."""
        await asyncio.sleep(self._known_at - asyncio.get_running_loop().time())

    async def any_player(self) -> bool:
        """Whether a person who has a seat is connected, on any node."""
        await self.known()
        return not self._seated().isdisjoint(self._people())

    def away_ms(self, person: str) -> int | None:
        """For how long a person has been away, as far as this node knows; None: they are here."""
        now = self._node.clock.now()
        self._update_people(now)
        if self._is_here(person, now):
            return None
        return now - self._left.get(person, self._loaded_at)

    # -- what changes it ----------------------------------------------------------------------

    def start(self) -> None:
        """Ask the other nodes whom they see."""
        if self._node.settings.redis:
            self._known_at = asyncio.get_running_loop().time() + ANSWER_SECONDS
            self._not_before = self._known_at
            self._publish(ask=True)

    def stop(self) -> None:
        """Check no more: the table is unloaded, or the server stops."""
        if self._timer is not None:
            self._timer.cancel()
        self._audience.on_change = lambda: None
        if self._published is not None and self._published.people:
            self._send(Here(self._node.id, {}, 0, self._left))

    def changed(self) -> None:
        """Check soon: a socket came or went, or a seat changed."""
        self._schedule_check(asyncio.get_running_loop().time())

    def hear(self, news: Here) -> None:
        """Note whom another node sees."""
        self._nodes[news.node] = OtherNode(news)
        for person, at in news.left.items():
            self._left[person] = max(at, self._left.get(person, 0))
        if news.ask:
            self._publish()
        self.changed()

    def repeat(self) -> None:
        """Tell the other nodes again; forget those that were silent for long.

        While this node has no Redis, the others are silent for that reason.
        """
        if not self._node.settings.redis or not self._node.bus.connected:
            return
        for name, other in tuple(self._nodes.items()):
            other.missed += 1
            if other.missed > MOST_MISSED:
                del self._nodes[name]
                self.changed()
        if self._audience.listeners:
            self._publish()

    # -- checking -----------------------------------------------------------------------------

    def _schedule_check(self, due: float) -> None:
        due = max(due, self._not_before)
        if self._timer is not None:
            if self._due <= due:
                return
            self._timer.cancel()
        self._due = due
        self._timer = asyncio.get_running_loop().call_at(due, self._check)

    def _check(self) -> None:
        """See who is here now, and tell it to those for whom that is new."""
        loop, now = asyncio.get_running_loop(), self._node.clock.now()
        self._timer, self._not_before = None, loop.time() + PAUSE_SECONDS
        self._update_people(now)
        if self._node.settings.redis:
            self._publish(only_if_changed=True)
        self._keep_snapshot(now)
        self._tell(now)
        if (ms := self._next_ms(now)) is not None:
            self._schedule_check(loop.time() + ms / 1000)

    def _update_people(self, now: int) -> None:
        """See who is here now, and note since when others are not."""
        people = self._people()
        for person in self._here - people.keys():
            self._left.setdefault(person, now)
        for person in people:
            self._left.pop(person, None)
        self._here = set(people)
        self._names |= people
        for person in self._names.keys() - self._seated():
            if not self._is_here(person, now):
                del self._names[person]
                self._left.pop(person, None)

    def _people(self) -> dict[str, str]:
        """The names of all who are connected, by person."""
        found = self._local_people()
        for other in self._nodes.values():
            found = other.people | found
        return found

    def _local_people(self) -> dict[str, str]:
        return {listener.person: listener.name for listener in self._audience.listeners}

    def _is_here(self, person: str, now: int) -> bool:
        left = self._left.get(person)
        return person in self._here or (left is not None and now < left + GRACE_MS)

    def _next_ms(self, now: int) -> int | None:
        """Until something changes by itself: a grace ends, or delayed spectators see more."""
        delay = self._log.terms.delay * 1000
        waits = [left + GRACE_MS - now for left in self._left.values()]
        if any(listener.delay for listener in self._audience.listeners):
            waits += [shot.at + delay - now for shot in self._snapshots if shot.in_game]
        return min((wait for wait in waits if wait > 0), default=None)

    def _keep_snapshot(self, now: int) -> None:
        """Keep who is here, for as long as delayed spectators need it."""
        state = self._log.state
        seats = tuple(
            self._presence_of(chair.person, now) if chair.person else None for chair in state.chairs
        )
        kept, seated = self._snapshots, self._seated()
        if not kept or (kept[-1].seats, kept[-1].seated) != (seats, seated):
            kept.append(Snapshot(now, state.game is not None, seats, seated))
        while len(kept) > 1 and self._is_shown(kept[1], now):
            kept.popleft()

    def _presence_of(self, person: str, now: int) -> wire.SeatPresence:
        if self._is_here(person, now):
            return wire.SeatPresence(here=True)
        return wire.SeatPresence(here=False, since=self._left.get(person))

    def _is_shown(self, shot: Snapshot, now: int) -> bool:
        """Whether delayed spectators may know of it."""
        return not shot.in_game or shot.at <= now - self._log.terms.delay * 1000

    # -- telling ------------------------------------------------------------------------------

    def _tell(self, now: int) -> None:
        listeners = [each for each in self._audience.listeners if each.presence]
        first, last = self._snapshots[0], self._snapshots[-1]
        live = wire.Presence(last.seats, *self._watching(last.seated))
        known = first.seats if self._is_shown(first, now) else (None,) * len(first.seats)
        # Who watches is no secret, but who got or gave away a seat since then is.
        late = wire.Presence(known, *self._watching(first.seated))
        encoded = {False: wire.encode(live), True: wire.encode(late)}
        told, self._told = self._told, {}
        for listener in listeners:
            self._told[listener] = message = late if listener.delay else live
            if told.get(listener) != message:
                # Those who are behind are told what was true then, so without another delay.
                listener.send(encoded[bool(listener.delay)], at_once=True)

    def _watching(self, seated: frozenset[str]) -> tuple[tuple[str, ...], int]:
        """The names of those who watch, if these play, and how many more there are."""
        names = sorted(name for person, name in self._names.items() if person not in seated)
        more = sum(other.more for other in self._nodes.values())
        return tuple(names[:MOST_NAMES]), more + max(0, len(names) - MOST_NAMES)

    def _seated(self) -> frozenset[str]:
        return frozenset(chair.person for chair in self._log.state.chairs if chair.person)

    def _publish(self, *, ask: bool = False, only_if_changed: bool = False) -> None:
        """Tell the other nodes whom this one sees: those who play, and some of those who watch."""
        seated, people = self._seated(), self._local_people()
        watching = sorted(set(people) - seated)
        told = {
            person: people[person] for person in (*watching[:MOST_NAMES], *seated & set(people))
        }
        left = {person: at for person, at in self._left.items() if person in seated}
        news = Here(self._node.id, told, len(watching) - len(watching[:MOST_NAMES]), left, ask)
        if not only_if_changed or news != self._published:
            self._published = news
            self._send(news)

    def _send(self, news: Here) -> None:
        self._node.bus.publish(self._table_id, wire.encode(news))


async def repeat_for_ever(node: Node) -> None:
    """Let all tables of a node repeat who is there, for nodes that missed it."""
    while True:
        await asyncio.sleep(REPEAT_SECONDS)
        for table in tuple(node.tables.values()):
            table.presence.repeat()
