"""The rows of games, their logs, and the lists of games."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import asdict
from sqlalchemy import Connection, Select, func, insert, select, tuple_, union

from macaz.server.store.conflict import insert_or
from macaz.server.store.database import Database
from macaz.server.store.quotas import Contended, Quotas, check_quotas, count_creation
from macaz.server.store.rows import Append, Cursor, EntryRow, GameRow, PlayedRow
from macaz.server.store.schema import IN_LOBBY, IS_IMPORTED, SHOWN_LATE, WAKES, entry, game, seat
from macaz.server.store.trouble import Unavailable

NO_QUOTAS = Quotas()
_RETRY_S = (0.005, 0.03)  # least and most seconds to wait after `Contended`
_CHUNK = 500  # ids in one statement: databases limit the number of parameters


class Games:
    """The part of the store for games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, append: Append) -> bool:
        """Write the next entry of a game's log, and the changes of the game's other rows with it.

        Returns False and writes nothing if the log has that version or that nonce already: another
        node has written that version, or this is a retry. Raises `LinkSpent` and writes nothing if
        the link was used or revoked. After `Unavailable` it is unknown whether the entry was
        written: retry with the same nonce.
        """
        written: bool = await self._database.write(append)
        return written

    async def create(
        self,
        row: GameRow,
        persons: Sequence[str | None],
        *,
        log: Sequence[EntryRow] = (),
        address: str | None = None,
        quotas: Quotas = NO_QUOTAS,
    ) -> bool:
        """Write a new game, its log if it has one and, by seat, the persons who have the seats.

        Returns False and writes nothing if the game is a rematch of a game that has a rematch
        already, or was imported before: see `rematch_of` and `imported_as`. Raises `OverQuota` and
        writes nothing if its host or the address has reached a limit.
        """
        if len(persons) != row.seats:
            raise ValueError(f"{row.seats} seats, but {len(persons)} persons")
        seats = [
            {"game_id": row.id, "seat": number, "person_id": person}
            for number, person in enumerate(persons)
        ]
        entries = [{"game_id": row.id, **asdict(each)} for each in log]
        # What there is at most one game of; no game is both a rematch and imported.
        if row.imported is None:
            unique, where, value = game.c.previous, None, row.previous
        else:
            unique, where, value = game.c.imported, IS_IMPORTED, row.imported

        def insert_game(connection: Connection) -> bool | Exception:
            known = select(game.c.id).where(unique == value)
            if value is not None and connection.execute(known).first():
                return False
            if problem := check_quotas(connection, row, address, quotas):
                return problem  # not raised: that would roll back other jobs of the transaction
            added = connection.execute(
                insert_or(connection, game)
                .values(asdict(row))
                .on_conflict_do_nothing(index_elements=[unique], index_where=where)
                .returning(game.c.id)
            )
            if added.first() is None:
                return False
            connection.execute(insert(seat), seats)
            if entries:
                connection.execute(insert(entry), entries)
            count_creation(connection, row, address, quotas)
            return True

        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._database.patience
        while True:
            try:
                created: bool = await self._database.write(insert_game)
            except Contended:
                if loop.time() > deadline:
                    raise Unavailable("Too many games are being created at once.") from None
                await asyncio.sleep(random.uniform(*_RETRY_S))
            else:
                return created

    async def rematch_of(self, previous: str) -> str | None:
        """The id of the rematch of a game, if there is one."""
        return await self._database.first(select(game.c.id).where(game.c.previous == previous), str)

    async def imported_as(self, digest: str) -> str | None:
        """The id of the game that was imported with this digest."""
        return await self._database.first(select(game.c.id).where(game.c.imported == digest), str)

    async def get(self, game_id: str) -> GameRow | None:
        """A game without its log."""
        return await self._database.first(select(game).where(game.c.id == game_id), _game_row)

    async def entries(
        self, game_id: str, after: int = 0, upto: int | None = None
    ) -> list[EntryRow]:
        """The entries of a game's log in order, with versions above `after` and up to `upto`."""
        query = (
            select(entry.c.version, entry.c.nonce, entry.c.at, entry.c.body)
            .where(entry.c.game_id == game_id, entry.c.version > after)
            .order_by(entry.c.version)
        )
        if upto is not None:
            query = query.where(entry.c.version <= upto)
        return await self._database.all(query, EntryRow)

    async def version_of(self, game_id: str, nonce: str) -> int | None:
        """The version of the entry that was written with a nonce."""
        query = select(entry.c.version).where(entry.c.game_id == game_id, entry.c.nonce == nonce)
        return await self._database.first(query, int)

    async def versions(self, game_ids: Iterable[str]) -> dict[str, int]:
        """The last version of each of these games that exists; 0 if its log is empty."""
        ids = list(dict.fromkeys(game_ids))
        # A subquery for each game is one index lookup; GROUP BY would read the whole logs.
        last = select(func.max(entry.c.version)).where(entry.c.game_id == game.c.id)
        query = select(game.c.id, func.coalesce(last.scalar_subquery(), 0))

        def ask(connection: Connection) -> dict[str, int]:
            return {
                game_id: version
                for start in range(0, len(ids), _CHUNK)
                for game_id, version in connection.execute(
                    query.where(game.c.id.in_(ids[start : start + _CHUNK]))
                )
            }

        return await self._database.read(ask)

    async def due(self, now: int, limit: int) -> list[tuple[str, int]]:
        """The games whose `wake_at` (milliseconds) has passed, with that time, earliest first."""
        query = (
            select(game.c.id, game.c.wake_at)
            .where(WAKES, game.c.wake_at <= now)
            .order_by(game.c.wake_at)
            .limit(limit)
        )
        return await self._database.all(query, lambda game_id, wake_at: (game_id, wake_at))

    async def lobby(self, limit: int, before: Cursor | None = None) -> list[GameRow]:
        """A page of the listed games that wait or run, newest first; `before` is the cursor.

        A finished game whose end is not yet shown to spectators counts as running.
        """
        now = self._database.clock()
        listed = game.c.listed & (game.c.listed_from.is_(None) | (game.c.listed_from <= now))
        # In this order, so that a game which ends between the two queries is not missed.
        waits_or_runs = select(game).where(IN_LOBBY, listed)
        shown_late = select(game).where(SHOWN_LATE, game.c.end_shown_at > now, listed)
        found = [
            row
            for query in (waits_or_runs, shown_late)
            for row in await self._database.all(_page(query, limit, before), _game_row)
        ]
        distinct = {row.id: row for row in found}.values()
        return sorted(distinct, key=lambda row: row.cursor, reverse=True)[:limit]

    async def open_tables(self, limit: int) -> list[GameRow]:
        """The listed games that wait for players, newest first."""
        now = self._database.clock()
        query = (
            select(game)
            .where(
                IN_LOBBY,
                game.c.status == "waiting",
                game.c.listed_from.is_(None) | (game.c.listed_from <= now),
            )
            .order_by(game.c.created_at.desc(), game.c.id.desc())
            .limit(limit)
        )
        return await self._database.all(query, _game_row)

    async def of_person(
        self, person_id: str, limit: int, before: Cursor | None = None
    ) -> list[GameRow]:
        """The games that a person made or has a seat in, newest first, in pages as in `lobby`."""
        # A union has each game once, and each of its parts uses its own index.
        theirs = union(
            select(seat.c.game_id).where(seat.c.person_id == person_id),
            select(game.c.id).where(game.c.host == person_id),
        )
        query = select(game).where(game.c.id.in_(theirs))
        return await self._database.all(_page(query, limit, before), _game_row)

    async def running_of(self, person_id: str, limit: int) -> list[GameRow]:
        """The running games in which a person has a seat, those changed last first."""
        seats = select(seat.c.game_id).where(seat.c.person_id == person_id)
        query = (
            select(game)
            .where(game.c.id.in_(seats), game.c.status == "running")
            .order_by(game.c.updated_at.desc(), game.c.id)
            .limit(limit)
        )
        return await self._database.all(query, _game_row)

    async def seats_of(self, person_id: str, game_ids: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """The seats of a person in these games, by game; a game without one is left out."""
        query = (
            select(seat.c.game_id, seat.c.seat)
            .where(seat.c.person_id == person_id, seat.c.game_id.in_(game_ids))
            .order_by(seat.c.seat)
        )
        found: dict[str, tuple[int, ...]] = {}
        for game_id, number in await self._database.all(query, lambda *row: row):
            found[game_id] = (*found.get(game_id, ()), number)
        return found

    async def played_by(self, person_id: str, limit: int) -> list[PlayedRow]:
        """The finished games in which a person has a seat, newest first; one row for each seat."""
        query = (
            select(
                game.c.id,
                game.c.edition,
                game.c.seats,
                game.c.finished_at,
                game.c.summary,
                seat.c.seat,
                game.c.imported,
            )
            .join_from(seat, game, seat.c.game_id == game.c.id)
            .where(seat.c.person_id == person_id, game.c.status == "finished")
            .order_by(game.c.finished_at.desc(), game.c.id, seat.c.seat)
            .limit(limit)
        )
        return await self._database.all(query, PlayedRow)


def _page(query: Select[Any], limit: int, before: Cursor | None) -> Select[Any]:
    if before is not None:
        query = query.where(tuple_(game.c.created_at, game.c.id) < before)
    return query.order_by(game.c.created_at.desc(), game.c.id.desc()).limit(limit)


_COLUMNS = tuple(game.c.keys())


def _game_row(*values: Any) -> GameRow:
    return GameRow(**dict(zip(_COLUMNS, values, strict=True)))
