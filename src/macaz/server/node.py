"""One server process: the tables that it has in memory, and the services that they use."""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

import msgspec

from macaz.bots import BOTS
from macaz.edition import edition_text
from macaz.game.fair import SECRET_BYTES
from macaz.server import show, wire
from macaz.server.hints import Hints
from macaz.server.limits import RateLimit, over_quota
from macaz.server.metrics import watch_loop
from macaz.server.names import check_name
from macaz.server.plates import Plates
from macaz.server.refusal import Refusal, not_found
from macaz.server.retention import retention_of
from macaz.server.reviews import Reviews
from macaz.server.state import Deal, SeatTerms, Terms, new_state
from macaz.server.store.pruning import SEEN_MS
from macaz.server.store.quotas import OverQuota, Quotas
from macaz.server.store.rows import GameRow, PersonRow
from macaz.server.store.trouble import Unavailable
from macaz.server.table import Table
from macaz.server.table.clocks import waits_until

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

SWEEP_SECONDS = 1.0
SWEEP_MOST = 200
WAKING = 16  # tables that are woken at the same time
READS_PER_MINUTE = 120  # of a table's past, by one person: each may replay a whole game
COMINGS_PER_MINUTE = 60  # and goings of one person: each is an entry of a log
PEOPLE = "people"  # the channel of people whose sessions or tokens were ended
PRUNED_AT = "pruned-at"  # the setting by which nodes agree who deletes what is old
PRUNE_MS = 3_600_000  # between two times
PRUNE_LOOK_SECONDS = 60.0
LOOK_AROUND = 5  # sweeps until a node asks the store what others did
SNOOZE_MS = 5000  # until a table that was woken is woken again


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
        self.tables: dict[str, Table] = {}
        self.connections: set[Connection] = set()
        self.draining = False
        self._deadline: float | None = None  # until which what is under way may end
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._for_ever: list[asyncio.Task[None]] = []
        self._snoozed: dict[str, int] = {}
        self._marked_at = 0  # when the tables in memory were last marked as in use
        self._started_at = clock.now()
        self._waking = asyncio.Semaphore(WAKING)
        self._unheard = False  # whether news of other nodes may have been missed
        # Limits for one person, from any address.
        self.requests = RateLimit(settings.requests_per_minute, 60)
        self.messages = RateLimit(settings.messages_per_second, 1)
        self.reactions = RateLimit(settings.reactions_per_minute, 60)
        self.reads = RateLimit(READS_PER_MINUTE, 60)
        self.comings = RateLimit(COMINGS_PER_MINUTE, 60)
        self.quotas = Quotas(
            open=settings.tables_per_person,
            stored=settings.games_per_guest,
            person_a_day=settings.tables_per_person_a_day,
            address_a_day=settings.tables_per_address_a_day,
        )
        self.plates = Plates()
        self.hints = Hints(self)
        self.reviews = Reviews(self)
        self.pages: OrderedDict[str, list[show.Page]] = OrderedDict()  # see `history`

    # -- life ---------------------------------------------------------------------------------

    async def start(self) -> None:
        """Subscribe to the bus, and start the periodic jobs."""
        await self.bus.start(self._heard, self._missed)
        await self.bus.subscribe(PEOPLE)
        jobs = (self._sweep_for_ever(), self._prune_for_ever(), watch_loop(self.metrics))
        for watch in jobs:
            self._for_ever.append(asyncio.create_task(watch))

    def drain(self, seconds: float | None = None) -> None:
        """Accept nothing new; what is under way has `seconds`, by default the setting `drain`."""
        if seconds is not None or self._deadline is None:
            self._deadline = time.monotonic() + (
                self.settings.drain if seconds is None else seconds
            )
        self.draining = True

    @property
    def time_left(self) -> float:
        """Seconds left for what is under way."""
        if self._deadline is None:
            return self.settings.drain
        return max(0.0, self._deadline - time.monotonic())

    async def stop(self) -> None:
        """Finish what is under way, then close."""
        self.drain()
        for task in self._for_ever:
            task.cancel()
        await self.thinkers.close()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self.time_left)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.bus.close(self.time_left)

    def spawn(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start a task, keep a reference until it is done, and log its failure."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
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
            # Several may wait for it; one that is cancelled must not cancel it for the others.
            found = await asyncio.shield(self._loading[name])
        found.touched = self.clock.now()
        return found

    async def _load(self, name: str) -> Table:
        try:
            row = await self.store.games.get(name)
            if row is None:
                raise not_found()
            edition = await self.editions.of_game(row, self.store)
            # An old one may have been deleted since; the mark prevents that.
            old = row.used_at < self.clock.now() - SEEN_MS
            if old and not await self.store.pruning.mark_seen([name]):
                raise not_found()
            terms = msgspec.json.decode(row.terms, type=Terms)
            table = Table(self, row, Deal(edition, terms, row.secret, row.seed))
            # Subscribed before it is read, so that no entry is missed.
            await self.bus.subscribe(name)
            rows = await self.store.games.entries(name)
            await asyncio.to_thread(table.log.replay, rows)
        except Unavailable as error:
            await self.bus.unsubscribe(name)
            raise Refusal("storage", "The table cannot be read now. Try again.") from error
        else:
            self.tables[name] = table
            self.metrics.tables.set(len(self.tables))
            self.spawn(table.log.catch_up())
            self.spawn(table.log.go_on())
            return table
        finally:
            self._loading.pop(name, None)

    async def create(self, person: PersonRow, address: str, wanted: wire.NewTable) -> Table:
        """Create a table; its host sits down. `address` is the digest of the host's address."""
        self._check_bots(wanted)
        if wanted.listed and wanted.seed is not None:
            raise Refusal(
                "bad-value",
                "A table with a seed cannot be listed: whoever knows the seed knows every card. "
                "Leave out the seed, or make a table that is not listed.",
            )
        mine = _seats_taken(person, wanted)
        terms = Terms(
            seats=tuple(
                SeatTerms(bot=seat.bot) if isinstance(seat, wire.BotSeat) else SeatTerms()
                for seat in wanted.seats
            ),
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

    def _check_bots(self, wanted: wire.NewTable) -> None:
        named = [seat.bot for seat in wanted.seats if isinstance(seat, wire.BotSeat)]
        for bot in (*named, wanted.stand_in):
            if bot is not None and bot not in BOTS:
                raise Refusal(
                    "bad-value", f"There is no bot {bot!r}. There are: {', '.join(BOTS)}."
                )

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
        seats, rules = len(terms.seats), edition.rules
        if not rules.min_seats <= seats <= rules.max_seats:
            raise Refusal(
                "bad-value",
                f"{edition.title} is for {rules.min_seats} to {rules.max_seats}, not {seats}.",
            )
        if terms.first is not None and terms.first >= seats:
            raise Refusal("bad-value", f"Seat {terms.first} cannot begin: there is none.")
        now = self.clock.now()
        row = GameRow(
            id=secrets.token_urlsafe(12),
            edition=edition.qualified_id,
            fingerprint=edition.fingerprint,
            seats=seats,
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
        try:
            text = self.editions.own_text(edition) or edition_text(edition)
            await self.store.editions.keep(edition.fingerprint, edition.qualified_id, text)
            if not await self.store.games.create(
                row, [None] * seats, address=address, quotas=self.quotas
            ):
                raise Refusal("taken", "There is a rematch already.")
        except OverQuota as error:
            raise over_quota(error, now) from error
        except Unavailable as error:
            raise Refusal("storage", "No table can be made now. Try again.") from error
        return await self.table(row.id)

    async def rematch(
        self, person: PersonRow, address: str, old: Table, pledge: str | None
    ) -> Table:
        """A new table of the same terms, with all players one seat further, each seat kept."""
        if not old.seats.of(person.id):
            raise Refusal("not-allowed", "Only those who played can ask for a rematch.")
        if old.state.status not in ("finished", "closed"):
            raise Refusal("not-now", "The game is not over.")
        if (known := await self.rematch_of(old.id)) is None:
            try:
                new = await self._make_again(person, address, old, pledge)
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

    async def _make_again(
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
        # A rematch reveals that the game before is over, and those before that one.
        shown = old.row.listed_from
        if terms.delay and old.state.game:
            shown = max(shown or 0, old.state.at + terms.delay * 1000)
        new = await self._make(
            person, address, edition, again, listed, None, previous=old.id, listed_from=shown
        )
        await self._sit_again(person, address, old, new, pledge)
        return new

    async def _sit_again(
        self, person: PersonRow, address: str, old: Table, new: Table, pledge: str | None
    ) -> None:
        """Sit down on all seats that are kept for a person, with the names of before."""
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
        """Whether a person may watch a table, at least as a spectator."""
        kept = any(seat.kept_for == person for seat in table.terms.seats)
        kept = kept or any(chair.person == person for chair in table.state.chairs)
        row = table.row
        listed = row.listed and (row.listed_from is None or row.listed_from <= self.clock.now())
        if listed or row.host == person or kept:
            return True
        try:
            return await self.store.links.is_watcher(table.id, person)
        except Unavailable as error:
            raise Refusal("storage", "The table cannot be read now. Try again.") from error

    # -- other nodes --------------------------------------------------------------------------

    async def close_ended(self, person: str) -> None:
        """Close the sockets of a person's sessions and tokens that have ended, on every node."""
        self.bus.publish(PEOPLE, person.encode())
        await self._close_ended_here(person)

    async def _close_ended_here(self, person: str) -> None:
        await self.recheck([each for each in self.connections if each.person == person])

    async def recheck(self, connections: list[Connection]) -> None:
        """Close those whose session or token has ended; if the store does not answer, all."""
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

    def _heard(self, channel: str, message: bytes) -> None:
        if channel == PEOPLE:
            self.spawn(self._close_ended_here(message.decode()))
        elif (table := self.tables.get(channel)) is not None:
            table.hear(message)

    def _missed(self) -> None:
        self._unheard = True
        self.spawn(self._catch_up_all())

    async def _catch_up_all(self) -> None:
        """Read from the store what other nodes did to sessions, and to the tables in memory."""
        await self._close_if_ended(list(self.connections))
        names = list(self.tables)
        versions = await self.store.games.versions(names)
        unheard, self._unheard = self._unheard, False
        try:
            for name in names:
                if (table := self.tables.get(name)) is not None:
                    await table.log.catch_up(versions.get(name, 0))
                    if unheard:  # a `Recheck` is in no log
                        await table.recheck_here()
        except BaseException:
            self._unheard |= unheard
            raise

    # -- what is due --------------------------------------------------------------------------

    async def _sweep_for_ever(self) -> None:
        """Wake due tables, whether or not they are in memory."""
        for count in itertools.count():
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._sweep()
                # A node may die between its commit and its news, or be without Redis.
                if self.settings.redis and (count % LOOK_AROUND == 0 or not self.bus.connected):
                    await self._catch_up_all()
            except (Refusal, Unavailable) as error:
                log.warning("the store does not answer: %s", error)
            except Exception:
                log.exception("the sweep failed")

    async def _sweep(self) -> None:
        now = self.clock.now()
        self._snoozed = {name: until for name, until in self._snoozed.items() if until > now}
        for name, _ in await self.store.games.due(now, SWEEP_MOST + len(self._snoozed)):
            if name not in self._snoozed:
                self._snoozed[name] = now + SNOOZE_MS
                self.spawn(self._wake(name))
        await self._put_away(now)

    async def _wake(self, name: str) -> None:
        async with self._waking:  # a slow one must not delay all others
            try:
                await (await self.table(name)).clocks.wake()
            except Refusal as refusal:
                log.warning("not woken: %s", refusal, extra={"table": name})

    async def _put_away(self, now: int) -> None:
        """Unload tables that are not in use; the store has them."""
        # A request that was just given a table may not have used it yet.
        idle = now - max(5000, int(self.settings.unload_after * 1000))
        for table in tuple(self.tables.values()):
            if table.at_rest and table.touched < idle:
                del self.tables[table.id]
                self.spawn(self.bus.unsubscribe(table.id))
        self.metrics.tables.set(len(self.tables))

    # -- what is old --------------------------------------------------------------------------

    async def _prune_for_ever(self) -> None:
        while True:
            await asyncio.sleep(PRUNE_LOOK_SECONDS)
            try:
                await self.prune()
            except Unavailable as error:
                log.warning("the store does not answer: %s", error)
            except Exception:
                log.exception("old tables could not be deleted")

    async def prune(self) -> None:
        """Delete what is older than the settings say, if no node did so within the last hour.

        Nothing is deleted in the first hour of a node, so that people can come back after a long
        stop, and the host of an older database has time to look at the settings.
        """
        now = self.clock.now()
        if now - self._marked_at >= PRUNE_MS:
            await self.store.pruning.mark_seen(list(self.tables))
            self._marked_at = now
        if now - self._started_at < PRUNE_MS or not await self.store.settings.claim(
            PRUNED_AT, PRUNE_MS
        ):
            return
        for found in await self.store.pruning.prune(retention_of(self.settings)):
            self.metrics.pruned.labels(found.kind).inc(found.number)
            if found.number:
                log.info("deleted", extra={"kind": found.kind, "number": found.number})


def _seats_taken(person: PersonRow, wanted: wire.NewTable) -> list[tuple[int, str]]:
    """Where those sit down who play on the maker's screen, and under which names."""
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


def line_of(row: GameRow, title: str, mine: tuple[int, ...], now: int) -> wire.TableLine:
    """A table in a list, without loading it."""
    known = msgspec.json.decode(row.summary or '{"names":[]}', type=show.Summary)
    if not mine and row.status != "waiting" and _is_behind(row, now):
        # Of a game that is shown late only that it has begun.
        row = msgspec.structs.replace(row, status="running", updated_at=row.created_at)
        known = msgspec.structs.replace(known, scores=None, winners=None)
    return wire.TableLine(
        id=row.id,
        edition=row.edition,
        title=title,
        status=row.status,
        names=known.names or (None,) * row.seats,
        move_seconds=known.move_seconds,
        created_at=row.created_at,
        updated_at=row.updated_at,
        scores=known.scores,
        winners=known.winners,
        mine=mine,
        shared=known.shared,
    )


def _is_behind(row: GameRow, now: int) -> bool:
    """Whether those who have no seat may not know how a game that has begun stands."""
    if row.status in ("finished", "closed"):
        return row.end_shown_at is not None and now < row.end_shown_at
    return msgspec.json.decode(row.terms, type=Terms).delay > 0
