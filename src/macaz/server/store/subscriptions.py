"""Which browsers are told of turns, and when a game has the next notice."""

from __future__ import annotations

from msgspec.structs import asdict
from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from macaz.server.store.conflict import insert_or
from macaz.server.store.database import Database
from macaz.server.store.rows import SubscriptionRow
from macaz.server.store.schema import TELLS, entry, game, seat, session, subscription


class Subscriptions:
    """The addresses of push services, one for each session at most."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, row: SubscriptionRow) -> bool:
        """Store the subscription of a session, instead of the one before.

        A browser in which another person signs in keeps its address: that person's replaces the
        other's. Returns False and writes nothing if the session has ended.
        """
        valid = select(session.c.id).where(
            session.c.id == row.session_id, session.c.ended_at.is_(None)
        )
        old = (subscription.c.session_id == row.session_id) | (
            subscription.c.endpoint == row.endpoint
        )

        values = asdict(row)

        def replace(connection: Connection) -> bool:
            if connection.execute(valid.with_for_update()).first() is None:
                return False
            connection.execute(delete(subscription).where(old))
            # Another node may add the same address at this moment.
            added = insert_or(connection, subscription).values(values)
            connection.execute(
                added.on_conflict_do_update(index_elements=[subscription.c.endpoint], set_=values)
            )
            return True

        kept: bool = await self._database.write(replace)
        return kept

    async def remove(self, session_id: str) -> None:
        """Tell the browser of a session nothing any more."""
        await self._database.change(
            delete(subscription).where(subscription.c.session_id == session_id)
        )

    async def drop(self, endpoint: str) -> None:
        """Remove an address that its push service no longer knows."""
        await self._database.change(delete(subscription).where(subscription.c.endpoint == endpoint))

    async def of_person(self, person_id: str) -> dict[str, str]:
        """The addresses of a person's browsers, by session."""
        query = select(subscription.c.session_id, subscription.c.endpoint).where(
            subscription.c.person_id == person_id
        )
        return dict(await self._database.all(query, lambda *row: row))

    async def of_game(self, game_id: str) -> list[SubscriptionRow]:
        """The subscriptions of all who have a seat in a game."""
        people = select(seat.c.person_id).where(seat.c.game_id == game_id)
        query = select(subscription).where(subscription.c.person_id.in_(people))
        return await self._database.all(query, SubscriptionRow)

    async def has(self, endpoint: str) -> bool:
        """Whether an address is still to be told."""
        query = select(subscription.c.session_id).where(subscription.c.endpoint == endpoint)
        return await self._database.first(query, str) is not None

    # -- when -----------------------------------------------------------------------------------

    async def due(self, now: int, limit: int) -> list[tuple[str, int]]:
        """The games whose `notice_at` (milliseconds) has passed, with that time."""
        query = (
            select(game.c.id, game.c.notice_at)
            .where(TELLS, game.c.notice_at <= now)
            .order_by(game.c.notice_at)
            .limit(limit)
        )
        return await self._database.all(query, lambda game_id, at: (game_id, at))

    async def claim(self, game_id: str, at: int, version: int | None, after: int | None) -> bool:
        """Whether this node is to tell what was due at `at`; no other node is then.

        `after` is when the next notice is due, as follows from `version` of the log: if the log
        has gone on, the claim fails. Without a version it does not matter.
        """
        mine: list[ColumnElement[bool]] = [game.c.id == game_id, game.c.notice_at == at]
        if version is not None:
            last = select(func.max(entry.c.version)).where(entry.c.game_id == game_id)
            mine.append(last.scalar_subquery() == version)
        return await self._database.change(update(game).where(*mine).values(notice_at=after)) == 1
