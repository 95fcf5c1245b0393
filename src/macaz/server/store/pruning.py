"""Deletes what is no longer used: old tables, guests who never played, old counts.

Everything is found page by page and deleted in small transactions, each of which looks again
whether its rows may go, so that play is not held up and several processes may prune at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    case,
    delete,
    exists,
    func,
    or_,
    select,
    tuple_,
    update,
)

from macaz.server.store.database import Database
from macaz.server.store.quotas import DAY_MS
from macaz.server.store.schema import creation, game, metadata, person, seat, session, token

SEEN_MS = DAY_MS // 2  # how old the mark of a table in use may become: less than any retention
_PAGE = 500  # rows looked at by one statement
_TOGETHER = 10  # games or guests deleted in one transaction

T = TypeVar("T")
Kind = Literal["guests", "finished", "bot_games", "closed", "abandoned", "sessions", "creations"]


class Retention(msgspec.Struct, frozen=True, kw_only=True):
    """For how many days unused rows are kept, by kind; 0 is for ever.

    With a time for sessions, those that have ended are not kept at all.
    """

    guests: int = 0
    finished: int = 0
    bot_games: int = 0
    closed: int = 0
    abandoned: int = 0
    sessions: int = 0


class Pruned(NamedTuple):
    """How many of a kind were deleted, or would be, and since when the oldest was unused."""

    kind: Kind
    number: int
    oldest: int | None


class _Rows(NamedTuple):
    """Rows of one kind. `candidates` narrows them by an index, `doomed` decides for each."""

    kind: Kind
    key: ColumnElement[str]
    age: ColumnElement[int]
    candidates: ColumnElement[bool]
    doomed: ColumnElement[bool]
    delete: Callable[[Connection, Sequence[str]], None]


class Pruning:
    """Deletes what is old."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def prune(self, retention: Retention, *, dry_run: bool = False) -> list[Pruned]:
        """Delete what is older than its retention, and say how much that was.

        A dry run says the same and deletes nothing. Tables that a node has in memory stay: see
        `mark_seen`.
        """
        return [
            await self._prune(rows, dry_run=dry_run)
            for rows in _kinds(retention, self._database.clock())
        ]

    async def _prune(self, rows: _Rows, *, dry_run: bool) -> Pruned:
        number, oldest, cursor = 0, None, None
        while page := await self._database.all(_page(rows, cursor), lambda *row: row):
            cursor = page[-1][:2]
            doomed = [(age, key) for age, key, goes in page if goes]
            for some in _batches(doomed, _TOGETHER):
                gone = {key for _, key in some}
                if not dry_run:
                    gone = await self._database.write(partial(_delete, rows=rows, keys=gone))
                number += len(gone)
                if oldest is None:
                    oldest = next((age for age, key in some if key in gone), None)
        return Pruned(rows.kind, number, oldest)

    async def mark_seen(self, game_ids: Sequence[str]) -> int:
        """Mark games as in use, so that no node deletes them; how many of them there are.

        A game that changed or was marked a short time ago needs no new mark.
        """
        now = self._database.clock()
        stale = and_(
            game.c.updated_at < now - SEEN_MS,
            or_(game.c.seen_at.is_(None), game.c.seen_at < now - SEEN_MS),
        )

        def mark(connection: Connection, ids: Sequence[str]) -> int:
            mine = game.c.id.in_(ids)
            connection.execute(update(game).where(mine, stale).values(seen_at=now))
            there = select(func.count()).select_from(game).where(mine)
            return connection.execute(there).scalar_one()

        return sum(
            [
                await self._database.write(partial(mark, ids=some))
                for some in _batches(game_ids, _PAGE)
            ]
        )


def _batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))


# -- what goes -------------------------------------------------------------------------------------


def _kinds(retention: Retention, now: int) -> Iterator[_Rows]:
    """What is to go, in an order in which one kind does not make more of a later one."""

    def before(days: int) -> int:
        return now - days * DAY_MS

    if retention.guests:
        yield _guests(before(retention.guests))
    people = select(func.count(seat.c.person_id)).where(seat.c.game_id == game.c.id)
    among_people = people.scalar_subquery() > 1
    if retention.finished:
        yield _games("finished", before(retention.finished), among_people)
    if retention.bot_games:
        yield _games("bot_games", before(retention.bot_games), ~among_people)
    if retention.closed:
        yield _games("closed", before(retention.closed))
    if retention.abandoned:
        yield _games("abandoned", before(retention.abandoned))
    if retention.sessions:
        yield _sessions(before(retention.sessions))
    at, day = creation.c.at, before(1)
    yield _Rows("creations", creation.c.game_id, at, at <= day, at <= day, _delete_creations)


_STATUSES = {
    "finished": ("finished",),
    "bot_games": ("finished",),
    "closed": ("closed",),
    "abandoned": ("waiting", "running"),
}


def _games(kind: Kind, before: int, *which: ColumnElement[bool]) -> _Rows:
    statuses = _STATUSES[kind]
    age = game.c.finished_at if statuses == ("finished",) else game.c.updated_at
    # The players of a rematch may look at the game before.
    rematch = game.alias()
    played_again = exists().where(
        rematch.c.previous == game.c.id, rematch.c.status.not_in(("finished", "closed"))
    )
    unseen = func.coalesce(game.c.seen_at, 0) < before
    return _Rows(
        kind,
        game.c.id,
        age,
        and_(game.c.status.in_(statuses), age < before),
        and_(unseen, ~played_again, *which),
        _delete_games,
    )


def _guests(before: int) -> _Rows:
    """People who neither made a game nor have a seat, and were not here."""
    plays = or_(
        exists().where(seat.c.person_id == person.c.id), exists().where(game.c.host == person.c.id)
    )
    used = func.coalesce(token.c.used_at, token.c.created_at)
    program = exists().where(
        token.c.person_id == person.c.id, token.c.revoked_at.is_(None), used >= before
    )
    browser = exists().where(
        session.c.person_id == person.c.id,
        session.c.ended_at.is_(None),
        session.c.used_at >= before,
    )
    age = person.c.created_at
    idle = and_(~plays, ~program, ~browser)
    return _Rows("guests", person.c.id, age, age < before, idle, _delete_guests)


def _sessions(before: int) -> _Rows:
    """Sessions that have ended, or whose cookies browsers have forgotten.

    The newest of each person stays: where there is one, a cookie of a version before sessions
    does not become a session again.
    """
    newer = session.alias()
    superseded = exists().where(
        newer.c.person_id == session.c.person_id,
        tuple_(newer.c.used_at, newer.c.id) > tuple_(session.c.used_at, session.c.id),
    )
    age = session.c.used_at
    over = or_(session.c.ended_at.is_not(None), age < before)
    return _Rows("sessions", session.c.id, age, over, superseded, _delete_sessions)


def _page(rows: _Rows, cursor: tuple[Any, ...] | None) -> Select[Any]:
    """The next candidates, the oldest first, each with whether it is to go.

    That is no condition of the query: it might look for one among all rows there are.
    """
    wanted: tuple[Any, ...] = (rows.age, rows.key, rows.doomed)
    query = select(*wanted).where(rows.candidates)
    if cursor is not None:
        query = query.where(tuple_(rows.age, rows.key) > cursor)
    return query.order_by(rows.age, rows.key).limit(_PAGE)


# -- in one transaction ----------------------------------------------------------------------------


def _delete(connection: Connection, rows: _Rows, keys: Collection[str]) -> set[str]:
    """Delete those rows that are still to go; their keys."""
    # In one expression: SQLite would rather look through all candidates by their index.
    still = case((and_(rows.candidates, rows.doomed), 1), else_=0) == 1
    query = (
        select(rows.key)
        .where(rows.key.in_(keys), still)
        .order_by(rows.key)
        .with_for_update(skip_locked=True)  # a locked row is in use
    )
    gone = connection.scalars(query).all()
    if gone:
        rows.delete(connection, gone)
    return set(gone)


def _delete_games(connection: Connection, ids: Sequence[str]) -> None:
    for table, column in _referring_to(game):
        if table is not game:
            connection.execute(delete(table).where(column.in_(ids)))
    # Its rematch is then the first game of those who played it.
    connection.execute(update(game).where(game.c.previous.in_(ids)).values(previous=None))
    connection.execute(delete(game).where(game.c.id.in_(ids)))


def _delete_guests(connection: Connection, ids: Sequence[str]) -> None:
    for table, column in _referring_to(person):
        connection.execute(delete(table).where(column.in_(ids)))
    connection.execute(delete(person).where(person.c.id.in_(ids)))


def _delete_sessions(connection: Connection, ids: Sequence[str]) -> None:
    connection.execute(delete(session).where(session.c.id.in_(ids)))


def _delete_creations(connection: Connection, ids: Sequence[str]) -> None:
    connection.execute(delete(creation).where(creation.c.game_id.in_(ids)))


def _referring_to(table: Table) -> Iterator[tuple[Table, ColumnElement[Any]]]:
    """The tables with a foreign key to another, and that column; those that refer further first."""
    for other in reversed(metadata.sorted_tables):
        for key in other.foreign_keys:
            if key.column.table is table:
                yield other, key.parent
