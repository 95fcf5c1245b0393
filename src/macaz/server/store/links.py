"""Links to tables, and the people who watch by one."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict
from sqlalchemy import Connection, Select, delete, insert, or_, select, update

from macaz.server.store.conflict import insert_or
from macaz.server.store.database import Database
from macaz.server.store.rows import LinkKind, LinkRow
from macaz.server.store.schema import link, watcher

MOST_SPENT = 20  # used or revoked, of one person to one table, that are remembered
_ALIVE = link.c.revoked_at.is_(None)


class Links:
    """Links, and the people who may watch by one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        link_id: str,
        digest: str,
        game_id: str,
        kind: LinkKind,
        seat: int | None,
        created_by: str,
    ) -> LinkRow:
        """Store a new link, and delete the oldest used or revoked ones beyond `MOST_SPENT`."""
        now = self._database.clock()
        row = LinkRow(link_id, digest, game_id, kind, seat, created_by, now, None, None)
        spent = (
            _links_of(game_id, created_by)
            .with_only_columns(link.c.id)
            .where(or_(link.c.used_at.is_not(None), link.c.revoked_at.is_not(None)))
        )

        def add(connection: Connection) -> None:
            ids = connection.scalars(spent).all()
            connection.execute(delete(link).where(link.c.id.in_(ids[:-MOST_SPENT])))
            connection.execute(insert(link).values(asdict(row)))

        await self._database.write(add)
        return row

    async def by_digest(self, digest: str) -> LinkRow | None:
        """A link by its SHA-256; it may have been used or revoked."""
        return await self._database.first(select(link).where(link.c.digest == digest), LinkRow)

    async def of_person(self, game_id: str, created_by: str) -> list[LinkRow]:
        """The links to a table that a person made, used and revoked ones too, oldest first."""
        return await self._database.all(_links_of(game_id, created_by), LinkRow)

    async def revoke(self, game_id: str, link_id: str) -> bool:
        """Revoke a link and remove its watchers; False if there is no such valid link."""
        revoked = (
            update(link)
            .where(link.c.id == link_id, link.c.game_id == game_id, _ALIVE)
            .values(revoked_at=self._database.clock())
        )

        def revoke(connection: Connection) -> bool:
            if connection.execute(revoked).rowcount == 0:
                return False
            connection.execute(delete(watcher).where(watcher.c.link_id == link_id))
            return True

        done: bool = await self._database.write(revoke)
        return done

    async def add_watcher(self, game_id: str, person_id: str, link_id: str) -> None:
        """Let a person watch by a link; the latest link counts."""
        values = {"game_id": game_id, "person_id": person_id, "link_id": link_id}
        await self._database.write(
            lambda connection: (
                connection.execute(
                    insert_or(connection, watcher)
                    .values(values)
                    .on_conflict_do_update(
                        index_elements=[watcher.c.game_id, watcher.c.person_id],
                        set_={"link_id": link_id},
                    )
                ).rowcount
            )
        )

    async def is_watcher(self, game_id: str, person_id: str) -> bool:
        """Whether a person may watch: by a link that is still valid."""
        query = (
            select(watcher.c.link_id)
            .join(link, link.c.id == watcher.c.link_id)
            .where(watcher.c.game_id == game_id, watcher.c.person_id == person_id, _ALIVE)
        )
        return await self._database.first(query, str) is not None


def _links_of(game_id: str, created_by: str) -> Select[Any]:
    return (
        select(link)
        .where(link.c.game_id == game_id, link.c.created_by == created_by)
        .order_by(link.c.created_at, link.c.id)
    )
