"""Deletes rows that are no longer used: old games, guests without games, sessions, old counts.

Rows are found page by page and deleted in small transactions, so that the writes of running games
do not wait for long. Each transaction checks its rows again, so that several processes may prune at
the same time.
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
from macaz.server.store.schema import (
    creation,
    game,
    metadata,
    person,
    seat,
    session,
    subscription,
    token,
)

# A game in use is marked again when its mark is older than this. It must be less than the shortest
# retention, a day: then the mark of a game in use never expires.
SEEN_MS = DAY_MS // 2
_PAGE = 500  # rows read by one statement
_BATCH = 10  # rows deleted in one transaction, with the rows that refer to them

T = TypeVar("T")
Kind = Literal["guests", "finished", "bot_games", "closed", "abandoned", "sessions", "creations"]


class Retention(msgspec.Struct, frozen=True, kw_only=True):
    """For how many days unused rows are kept, by kind; 0: they are never deleted.

    docs/hosting.md describes the kinds. If `sessions` is not 0, it applies to sessions that have
    not ended; those that have are deleted at once.
    """

    guests: int = 0
    finished: int = 0
    bot_games: int = 0
    closed: int = 0
    abandoned: int = 0
    sessions: int = 0


class Pruned(NamedTuple):
    """How many rows of a kind were deleted, or would be in a dry run."""

    kind: Kind
    number: int
    oldest: int | None  # since when the oldest of them was unused, in milliseconds since 1970


class _Rows(NamedTuple):
    """How the expired rows of one kind are found and deleted."""

    kind: Kind
    key: ColumnElement[str]
    unused_since: ColumnElement[int]
    candidates: ColumnElement[bool]  # a condition that an index answers
    expired: ColumnElement[bool]  # which of the candidates are to be deleted
    delete: Callable[[Connection, Sequence[str]], None]


class Pruning:
    """The part of the store that deletes unused rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def prune(self, retention: Retention, *, dry_run: bool = False) -> list[Pruned]:
        """Delete the rows whose retention has passed, and return how many there were of each kind.

        A dry run counts them without deleting. Games that a node has in memory are kept: see
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
            expired = [(since, key) for since, key, is_expired in page if is_expired]
            for batch in _batches(expired, _BATCH):
                deleted = {key for _, key in batch}
                if not dry_run:
                    deleted = await self._database.write(partial(_delete, rows=rows, keys=deleted))
                number += len(deleted)
                if oldest is None:
                    oldest = next((since for since, key in batch if key in deleted), None)
        return Pruned(rows.kind, number, oldest)

    async def mark_seen(self, game_ids: Sequence[str]) -> int:
        """Mark games as in use, so that no node deletes them; returns how many of them exist.

        A game that changed or was marked less than `SEEN_MS` ago is not marked again.
        """
        now = self._database.clock()
        stale = and_(
            game.c.updated_at < now - SEEN_MS,
            or_(game.c.seen_at.is_(None), game.c.seen_at < now - SEEN_MS),
        )

        def mark(connection: Connection, ids: Sequence[str]) -> int:
            these = game.c.id.in_(ids)
            connection.execute(update(game).where(these, stale).values(seen_at=now))
            existing = select(func.count()).select_from(game).where(these)
            return connection.execute(existing).scalar_one()

        return sum(
            [
                await self._database.write(partial(mark, ids=batch))
                for batch in _batches(game_ids, _PAGE)
            ]
        )


def _batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))


# -- what is deleted -------------------------------------------------------------------------------


def _kinds(retention: Retention, now: int) -> Iterator[_Rows]:
    """The kinds of rows that have a retention, in the order in which they are deleted.

    Deleting a game may make its players guests without games, and deleting an abandoned rematch may
    make the previous game unused. These come first, so that one run deletes only what was unused
    when it began.
    """

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
    # The limits per person and per address count the games created within the last day.
    old = creation.c.at <= before(1)
    yield _Rows("creations", creation.c.game_id, creation.c.at, old, old, _delete_creations)


_STATUSES = {
    "finished": ("finished",),
    "bot_games": ("finished",),
    "closed": ("closed",),
    "abandoned": ("waiting", "running"),
}


def _games(kind: Kind, before: int, *which: ColumnElement[bool]) -> _Rows:
    statuses = _STATUSES[kind]
    since = game.c.finished_at if statuses == ("finished",) else game.c.updated_at
    # The players of a rematch may want to see the previous game.
    rematch = game.alias()
    has_open_rematch = exists().where(
        rematch.c.previous == game.c.id, rematch.c.status.not_in(("finished", "closed"))
    )
    unseen = func.coalesce(game.c.seen_at, 0) < before
    return _Rows(
        kind,
        game.c.id,
        since,
        and_(game.c.status.in_(statuses), since < before),
        and_(unseen, ~has_open_rematch, *which),
        _delete_games,
    )


def _guests(before: int) -> _Rows:
    """People who made no game, have no seat, and used no session and no token since `before`."""
    has_games = or_(
        exists().where(seat.c.person_id == person.c.id), exists().where(game.c.host == person.c.id)
    )
    used = func.coalesce(token.c.used_at, token.c.created_at)
    used_token = exists().where(
        token.c.person_id == person.c.id, token.c.revoked_at.is_(None), used >= before
    )
    used_session = exists().where(
        session.c.person_id == person.c.id,
        session.c.ended_at.is_(None),
        session.c.used_at >= before,
    )
    since = person.c.created_at
    idle = and_(~has_games, ~used_token, ~used_session)
    return _Rows("guests", person.c.id, since, since < before, idle, _delete_guests)


def _sessions(before: int) -> _Rows:
    """Sessions that have ended, or whose cookies have expired in the browsers.

    The newest session of each person is kept, even if it has ended: a cookie without a session is
    adopted as a new session only for a person who has none (see `Credentials.adopt_session`).
    """
    newer = session.alias()
    superseded = exists().where(
        newer.c.person_id == session.c.person_id,
        tuple_(newer.c.used_at, newer.c.id) > tuple_(session.c.used_at, session.c.id),
    )
    since = session.c.used_at
    over = or_(session.c.ended_at.is_not(None), since < before)
    return _Rows("sessions", session.c.id, since, over, superseded, _delete_sessions)


def _page(rows: _Rows, cursor: tuple[Any, ...] | None) -> Select[Any]:
    """The next page of candidates, the oldest first, each with whether it is expired.

    `expired` is a column and no condition: as a condition, a query that finds few expired rows
    would read all candidates in one statement.
    """
    columns: tuple[Any, ...] = (rows.unused_since, rows.key, rows.expired)
    query = select(*columns).where(rows.candidates)
    if cursor is not None:
        query = query.where(tuple_(rows.unused_since, rows.key) > cursor)
    return query.order_by(rows.unused_since, rows.key).limit(_PAGE)


# -- in one transaction ----------------------------------------------------------------------------


def _delete(connection: Connection, rows: _Rows, keys: Collection[str]) -> set[str]:
    """Delete those of the rows that are still expired; returns their keys."""
    # Inside CASE, SQLite cannot use the index of the candidates: it would read all of them instead
    # of looking up the keys.
    still = case((and_(rows.candidates, rows.expired), 1), else_=0) == 1
    query = (
        select(rows.key)
        .where(rows.key.in_(keys), still)
        .order_by(rows.key)
        .with_for_update(skip_locked=True)  # a locked row is in use
    )
    deleted = connection.scalars(query).all()
    if deleted:
        rows.delete(connection, deleted)
    return set(deleted)


def _delete_games(connection: Connection, ids: Sequence[str]) -> None:
    for table, column in _referring_to(game):
        if table is not game:
            connection.execute(delete(table).where(column.in_(ids)))
    # A rematch of a deleted game has no previous game any more.
    connection.execute(update(game).where(game.c.previous.in_(ids)).values(previous=None))
    connection.execute(delete(game).where(game.c.id.in_(ids)))


def _delete_guests(connection: Connection, ids: Sequence[str]) -> None:
    for table, column in _referring_to(person):
        connection.execute(delete(table).where(column.in_(ids)))
    connection.execute(delete(person).where(person.c.id.in_(ids)))


def _delete_sessions(connection: Connection, ids: Sequence[str]) -> None:
    connection.execute(delete(subscription).where(subscription.c.session_id.in_(ids)))
    connection.execute(delete(session).where(session.c.id.in_(ids)))


def _delete_creations(connection: Connection, ids: Sequence[str]) -> None:
    connection.execute(delete(creation).where(creation.c.game_id.in_(ids)))


def _referring_to(table: Table) -> Iterator[tuple[Table, ColumnElement[Any]]]:
    """The tables with a foreign key to a table, and the column of that key.

    A table that refers to another one of these comes before it, so that rows can be deleted in this
    order.
    """
    for other in reversed(metadata.sorted_tables):
        for key in other.foreign_keys:
            if key.column.table is table:
                yield other, key.parent
