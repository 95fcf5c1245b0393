"""One server process: the tables that it has in memory, and the services that they use.

A node *wakes* a table by loading it and doing what is due there without a request: close it, begin
its game, or let a bot decide for a person whose time has run out (`table.clocks`).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from macaz.edition import Edition, edition_text
from macaz.game.fair import SECRET_BYTES
from macaz.server import show, wire
from macaz.server.hints import Hints
from macaz.server.limits import RateLimit, over_quota
from macaz.server.local_games import LocalGames
from macaz.server.names import check_name
from macaz.server.notices import CHANNEL as NOTICES
from macaz.server.notices import Notices
from macaz.server.periodic import Periodic
from macaz.server.plates import Plates
from macaz.server.refusal import Refusal, not_found
from macaz.server.reviews import Reviews
from macaz.server.state import Deal, SeatTerms, Terms, new_state
from macaz.server.store.pruning import SEEN_MS
from macaz.server.store.quotas import OverQuota, Quotas
from macaz.server.store.rows import EntryRow, GameRow, PersonRow
from macaz.server.store.trouble import Unavailable
from macaz.server.table import Table
from macaz.server.table.clocks import waits_until
from macaz.server.table.presence import LastSeen
from macaz.server.terms import check_bot, check_terms, seat_terms

if TYPE_CHECKING:
    from macaz.server.bots import Thinkers
    from macaz.server.bus import Bus
    from macaz.server.clock import Clock
    from macaz.server.editions import Catalog
    from macaz.server.metrics import Metrics
    from macaz.server.settings import Settings
    from macaz.server.socket import Connection
    from macaz.server.store.store import Store

log = logging.getLogger("macaz.node")

READS_PER_MINUTE = 120  # of a table's past, by one person: each may replay a whole game
SEAT_CHANGES_PER_MINUTE = 60  # of one person: each adds an entry to a log
PEOPLE = "people"  # the bus channel with the ids of people whose sessions or tokens have ended


class Node:
    """The services of a server process, and its tables."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        bus: Bus,
        thinkers: Thinkers,
        metrics: Metrics,
        clock: Clock,
        editions: Catalog,
    ) -> None:
        self.settings, self.store, self.bus = settings, store, bus
        self.thinkers, self.metrics, self.clock = thinkers, metrics, clock
        self.editions = editions
        self.id = secrets.token_urlsafe(9)
        self.last_seen = LastSeen()
        self.tables: dict[str, Table] = {}
        self.connections: set[Connection] = set()
        self.draining = False
        self._deadline: float | None = None  # for tasks under way, on the monotonic clock
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._missed_news = False  # whether messages of other nodes may have been lost
        # Limits for one person, from any address.
        self.requests = RateLimit(settings.requests_per_minute, 60)
        self.messages = RateLimit(settings.messages_per_second, 1)
        self.reactions = RateLimit(settings.reactions_per_minute, 60)
        self.reads = RateLimit(READS_PER_MINUTE, 60)
        self.seat_changes = RateLimit(SEAT_CHANGES_PER_MINUTE, 60)
        self.quotas = Quotas(
            open=settings.tables_per_person,
            stored=settings.games_per_guest,
            person_a_day=settings.tables_per_person_a_day,
            address_a_day=settings.tables_per_address_a_day,
        )
        self.plates = Plates()
        self.hints = Hints(self)
        self.reviews = Reviews(self)
        self.local_games = LocalGames(self)
        self.notices = Notices(self)
        self.periodic = Periodic(self)
        self.pages: OrderedDict[str, list[show.Page]] = OrderedDict()  # see `history`

    # -- start and stop -----------------------------------------------------------------------

    async def start(self) -> None:
        """Subscribe to the bus, and start the periodic jobs."""
        await self.bus.start(self._on_message, self._on_lost_messages)
        await self.bus.subscribe(PEOPLE)
        await self.notices.start()
        self.periodic.start()

    def drain(self, seconds: float | None = None) -> None:
        """Accept nothing new, and give tasks under way `seconds` to finish.

        The default is the setting `drain`. A call without `seconds` does not move a deadline.
        """
        if seconds is not None or self._deadline is None:
            self._deadline = time.monotonic() + (
                self.settings.drain if seconds is None else seconds
            )
        self.draining = True

    @property
    def time_left(self) -> float:
        """Seconds left for tasks under way."""
        if self._deadline is None:
            return self.settings.drain
        return max(0.0, self._deadline - time.monotonic())

    async def stop(self) -> None:
        """Wait for tasks under way, until the deadline of `drain`, then close."""
        self.drain()
        self.periodic.stop()
        await self.thinkers.close()
        await self.notices.stop()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self.time_left)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for table in self.tables.values():
            table.presence.stop()
        await self.bus.close(self.time_left)

    def spawn(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start a task, keep a reference until it is done, and log its failure."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    def _on_task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Refusal | Unavailable):
            log.error("a task failed", exc_info=error)

    # -- tables -------------------------------------------------------------------------------

    async def table(self, name: str) -> Table:
        """A table, loaded if it is not in memory; `not-found` if there is none."""
        if (found := self.tables.get(name)) is None:
            if name not in self._loading:
                self._loading[name] = self.spawn(self._load(name))
            # Several requests may wait for one load; cancelling a request must not cancel it.
            found = await asyncio.shield(self._loading[name])
        found.touched = self.clock.now()
        return found

    async def _load(self, name: str) -> Table:
        try:
            row = await self.store.games.get(name)
            if row is None:
                raise not_found()
            edition = await self.editions.of_game(row, self.store)
            # `prune` may delete an old table at any moment, unless it is marked as seen.
            old = row.used_at < self.clock.now() - SEEN_MS
            if old and not await self.store.pruning.mark_seen([name]):
                raise not_found()
            terms = msgspec.json.decode(row.terms, type=Terms)
            in_browser = row.imported is not None
            deal = Deal(edition, terms, row.secret, row.seed, in_browser=in_browser)
            table = Table(self, row, deal)
            # Subscribe before reading the log, so that no entry is missed in between.
            await self.bus.subscribe(name)
            rows = await self.store.games.entries(name)
            await asyncio.to_thread(table.log.replay, rows)
        except Unavailable as error:
            await self.bus.unsubscribe(name)
            raise Refusal("storage", "The table cannot be read now. Try again.") from error
        else:
            self.tables[name] = table
            self.metrics.tables.set(len(self.tables))
            table.presence.start()
            self.spawn(table.log.catch_up())
            self.spawn(table.log.go_on())
            return table
        finally:
            self._loading.pop(name, None)

    async def create(self, person: PersonRow, address: str, wanted: wire.NewTable) -> Table:
        """Create a table; its host sits down. `address` is the digest of the host's address."""
        if wanted.listed and wanted.seed is not None:
            raise Refusal(
                "bad-value",
                "A table with a seed cannot be listed: a player who knows the seed knows every "
                "card. Leave out the seed, or make a table that is not listed.",
            )
        if wanted.stand_in is not None:
            check_bot(wanted.stand_in, self.settings.bots)
        mine = _host_seats(person, wanted)
        terms = Terms(
            seats=seat_terms(wanted.seats, self.settings.bots),
            stand_in=wanted.stand_in or self.settings.stand_in,
            first=wanted.first,
            move_seconds=wanted.move_seconds,
            delay=wanted.delay,
            reactions=wanted.reactions,
            hints=wanted.hints,
        )
        names = [chair.name for chair in new_state(terms).chairs]
        for seat, name in mine:
            check_name(name, names)
            names[seat] = name
        table = await self._make(person, address, wanted.edition, terms, wanted.listed, wanted.seed)
        for seat, name in mine:
            await table.seats.sit(
                person.id,
                seat,
                name,
                person.color,
                address=address,
                several=True,
                pledge=wanted.pledge,
            )
        await table.log.go_on()
        return table

    async def _make(
        self,
        person: PersonRow,
        address: str,
        name: str,
        terms: Terms,
        listed: bool,
        seed: str | None,
        previous: str | None = None,
        listed_from: int | None = None,
    ) -> Table:
        edition = self.editions.find(name)
        check_terms(edition, terms)
        now = self.clock.now()
        row = GameRow(
            id=secrets.token_urlsafe(12),
            edition=edition.qualified_id,
            fingerprint=edition.fingerprint,
            seats=len(terms.seats),
            terms=msgspec.json.encode(terms),
            secret=secrets.token_bytes(SECRET_BYTES),
            seed=seed,
            host=person.id,
            listed=listed,
            listed_from=listed_from,
            # The host may disconnect, and this node stop, before the first seat is taken.
            wake_at=waits_until(now, all(seat.bot for seat in terms.seats)),
            created_at=now,
            updated_at=now,
            previous=previous,
        )
        if not await self.keep(row, edition, [None] * row.seats, address=address):
            raise Refusal("taken", "There is a rematch already.")
        return await self.table(row.id)

    async def keep(
        self,
        row: GameRow,
        edition: Edition,
        persons: Sequence[str | None],
        *,
        address: str,
        log: Sequence[EntryRow] = (),
    ) -> bool:
        """Store a new table, with its edition; False as in `Games.create`."""
        # A game that is over when it is stored is not open.
        ended = row.status == "finished"
        quotas = msgspec.structs.replace(self.quotas, open=0) if ended else self.quotas
        try:
            text = self.editions.own_text(edition) or edition_text(edition)
            await self.store.editions.keep(edition.fingerprint, edition.qualified_id, text)
            return await self.store.games.create(
                row, persons, log=log, address=address, quotas=quotas
            )
        except OverQuota as error:
            raise over_quota(error, row.created_at) from error
        except Unavailable as error:
            raise Refusal("storage", "No table can be made now. Try again.") from error

    async def rematch(
        self, person: PersonRow, address: str, old: Table, pledge: str | None
    ) -> Table:
        """Create a table with the same terms, or join the one that another player created.

        Every player moves on by one seat, and the new seats are reserved for them.
        """
        if not old.seats.of(person.id):
            raise Refusal("not-allowed", "Only those who played can ask for a rematch.")
        if old.state.status not in ("finished", "closed"):
            raise Refusal("not-now", "The game is not over.")
        if (known := await self.rematch_of(old.id)) is None:
            try:
                new = await self._create_rematch(person, address, old, pledge)
            except Refusal as refusal:
                if refusal.code != "taken":
                    raise
                known = await self.rematch_of(old.id)
            else:
                old.audience.pass_on(wire.Rematch(new.id))
                return new
        new = await self.table(known or "")
        await self._sit_again(person, address, old, new, pledge)
        return new

    async def _create_rematch(
        self, person: PersonRow, address: str, old: Table, pledge: str | None
    ) -> Table:
        terms, chairs = old.terms, old.state.chairs
        kept = [
            SeatTerms(bot=seat.bot) if seat.bot else SeatTerms(kept_for=chair.person)
            for seat, chair in zip(terms.seats, chairs, strict=True)
        ]
        again = msgspec.structs.replace(terms, seats=tuple(kept[-1:] + kept[:-1]))
        edition = old.row.edition
        listed = old.row.listed
        # A rematch in the lobby reveals that the old game is over, so with a delay for spectators
        # it is listed only when they have seen that end, and the ends of all games before.
        listed_from = old.row.listed_from
        if terms.delay and old.state.game:
            listed_from = max(listed_from or 0, old.state.at + terms.delay * 1000)
        new = await self._make(
            person, address, edition, again, listed, None, previous=old.id, listed_from=listed_from
        )
        await self._sit_again(person, address, old, new, pledge)
        return new

    async def _sit_again(
        self, person: PersonRow, address: str, old: Table, new: Table, pledge: str | None
    ) -> None:
        """Sit down on all seats that are reserved for a person, with the names of the old game."""
        count = len(new.terms.seats)
        for seat, terms in enumerate(new.terms.seats):
            if terms.kept_for == person.id and new.state.chairs[seat].free:
                name = old.state.chairs[(seat - 1) % count].name or person.name
                try:
                    await new.seats.sit(
                        person.id,
                        seat,
                        name,
                        person.color,
                        address=address,
                        several=True,
                        pledge=pledge,
                    )
                except Refusal as refusal:
                    if refusal.code == "storage":  # other refusals leave the seat free
                        raise

    async def rematch_of(self, name: str) -> str | None:
        """The id of the rematch of a table, if there is one."""
        try:
            return await self.store.games.rematch_of(name)
        except Unavailable as error:
            raise Refusal("storage", "The table cannot be read now. Try again.") from error

    async def may_see(self, person: str, table: Table) -> bool:
        """Whether a person may watch a table, as a player or as a spectator."""
        reserved = any(seat.kept_for == person for seat in table.terms.seats)
        seated = any(chair.person == person for chair in table.state.chairs)
        if self.is_listed(table) or table.row.host == person or reserved or seated:
            return True
        try:
            return await self.store.links.is_watcher(table.id, person)
        except Unavailable as error:
            raise Refusal("storage", "The table cannot be read now. Try again.") from error

    def is_listed(self, table: Table) -> bool:
        """Whether the lobby shows a table now, so that everybody may watch it."""
        row = table.row
        return row.listed and (row.listed_from is None or row.listed_from <= self.clock.now())

    # -- other nodes --------------------------------------------------------------------------

    async def close_ended(self, person: str) -> None:
        """Close the sockets of a person's sessions and tokens that have ended, on every node."""
        self.bus.publish(PEOPLE, person.encode())
        await self._close_ended_here(person)

    async def _close_ended_here(self, person: str) -> None:
        await self.recheck([each for each in self.connections if each.person == person])

    async def recheck(self, connections: list[Connection]) -> None:
        """Close those of the connections whose session or token has ended.

        If the store does not answer, all of them must connect again.
        """
        try:
            await self._close_if_ended(connections)
        except Unavailable:
            for connection in connections:
                connection.reconnect()

    async def _close_if_ended(self, connections: list[Connection]) -> None:
        if connections:
            valid = await self.store.credentials.valid(each.credential for each in connections)
            for connection in connections:
                if connection.credential not in valid:
                    connection.sign_out()

    def _on_message(self, channel: str, message: bytes) -> None:
        if channel == PEOPLE:
            self.spawn(self._close_ended_here(message.decode()))
        elif channel == NOTICES:
            self.notices.hear(message)
        elif (table := self.tables.get(channel)) is not None:
            table.hear(message)

    def _on_lost_messages(self) -> None:
        self._missed_news = True
        self.spawn(self.catch_up_all())

    async def catch_up_all(self) -> None:
        """Read from the store what other nodes changed: sessions, and tables that are in memory."""
        await self._close_if_ended(list(self.connections))
        names = list(self.tables)
        versions = await self.store.games.versions(names)
        missed, self._missed_news = self._missed_news, False
        try:
            for name in names:
                if (table := self.tables.get(name)) is not None:
                    await table.log.catch_up(versions.get(name, 0))
                    if missed:  # a lost `Recheck` message cannot be read from a log
                        await table.recheck_here()
        except BaseException:
            self._missed_news |= missed
            raise


def _host_seats(person: PersonRow, wanted: wire.NewTable) -> list[tuple[int, str]]:
    """The seats of the players on the host's screen, with their names."""
    names = wanted.mine if wanted.mine is not None else (person.name,)
    people = [i for i, seat in enumerate(wanted.seats) if isinstance(seat, wire.PersonSeat)]
    if wanted.mine_seats is None:
        if len(names) > len(people):
            raise Refusal("bad-value", f"{len(names)} want to sit down, on {len(people)} seats.")
        return list(zip(people, names, strict=False))
    seats = wanted.mine_seats
    if len(seats) != len(names) or len(set(seats)) != len(seats):
        raise Refusal("bad-value", f"{len(names)} want to sit down: name a seat for each of them.")
    if not set(seats) <= set(people):
        raise Refusal("bad-value", "You can sit down only on seats for people.")
    return list(zip(seats, names, strict=True))
