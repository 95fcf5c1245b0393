"""How many games one person or one address may make.

They are counted in the transaction that creates a game, so that parallel requests, on one node or
on several, cannot pass together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Literal

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, exists, func, insert, select

from macaz.errors import MacazError
from macaz.server.store.rows import GameRow
from macaz.server.store.schema import IS_OPEN, SHOWN_LATE, creation, game, seat

DAY_MS = 86_400_000

Limit = Literal["open", "stored", "person_a_day", "address_a_day"]


class Quotas(msgspec.Struct, frozen=True, kw_only=True):
    """The most games: open and stored ones of a host, and those created within 24 hours.

    0 is no limit.
    """

    open: int = 0
    stored: int = 0
    person_a_day: int = 0
    address_a_day: int = 0


class OverQuota(MacazError):  # noqa: N818 - as `IllegalMove`
    """A game was not created, as that would exceed a limit; `until` is when it would not."""

    def __init__(self, limit: Limit, most: int, until: int | None = None) -> None:
        super().__init__(f"the limit {limit} of {most} is reached")
        self.limit, self.most, self.until = limit, most, until


class Contended(Exception):  # noqa: N818
    """Another node is creating a game for the same person or address at this moment."""


def check_quotas(
    connection: Connection, row: GameRow, address: str | None, quotas: Quotas
) -> OverQuota | Contended | None:
    """Why a game may not be created now; if it may, a lock keeps others out until the commit."""
    keys = []
    if quotas.open or quotas.stored or quotas.person_a_day:
        keys.append(f"person {row.host}")
    if quotas.address_a_day and address is not None:
        keys.append(f"address {address}")
    if not _locked(connection, keys):
        return Contended()
    mine = game.c.host == row.host
    if quotas.open:
        ended = _count(connection, mine & _shown_late(row.host, row.created_at))
        if _count(connection, mine & IS_OPEN) + ended >= quotas.open:
            return OverQuota("open", quotas.open)
    if quotas.stored and _count(connection, mine) >= quotas.stored:
        return OverQuota("stored", quotas.stored)
    day = row.created_at - DAY_MS
    most, by_person = quotas.person_a_day, creation.c.person_id == row.host
    if most and (until := _full_until(connection, by_person, day, most)):
        return OverQuota("person_a_day", most, until)
    most, by_address = quotas.address_a_day, creation.c.address == address
    if most and address is not None and (until := _full_until(connection, by_address, day, most)):
        return OverQuota("address_a_day", most, until)
    return None


def count_creation(
    connection: Connection, row: GameRow, address: str | None, quotas: Quotas
) -> None:
    """Remember for a day that a game was created, as far as a limit counts it."""
    if not (quotas.person_a_day or quotas.address_a_day):
        return
    connection.execute(
        insert(creation).values(
            game_id=row.id,
            person_id=row.host,
            address=address if quotas.address_a_day else None,
            at=row.created_at,
        )
    )


def _shown_late(host: str, now: int) -> ColumnElement[bool]:
    """The ended games of which a host without a seat may not know the end yet."""
    plays = exists().where(seat.c.game_id == game.c.id, seat.c.person_id == host)
    return and_(SHOWN_LATE, game.c.end_shown_at > now, ~plays)


def _count(connection: Connection, which: ColumnElement[bool]) -> int:
    return connection.execute(select(func.count()).select_from(game).where(which)).scalar_one()


def _full_until(
    connection: Connection, which: ColumnElement[bool], since: int, most: int
) -> int | None:
    """When there will be less than `most` within 24 hours; None if there are less now."""
    query = (
        select(creation.c.at)
        .where(which, creation.c.at > since)
        .order_by(creation.c.at.desc())
        .offset(most - 1)
        .limit(1)
    )
    at: int | None = connection.execute(query).scalar()
    return None if at is None else at + DAY_MS


def _locked(connection: Connection, keys: Iterable[str]) -> bool:
    """Take the locks of these keys until the commit; False if another node has one of them.

    SQLite has a single writer. On PostgreSQL this never waits: what else is in the transaction
    would wait too, and two nodes could wait for each other.
    """
    if connection.dialect.name != "postgresql":
        return True
    return all(
        connection.execute(select(func.pg_try_advisory_xact_lock(_number(key)))).scalar_one()
        for key in keys
    )


def _number(key: str) -> int:
    digest = hashlib.sha256(f"macaz quota {key}".encode()).digest()
    return int.from_bytes(digest[:8], signed=True)
