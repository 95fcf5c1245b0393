"""The texts of editions that were played: a game needs its own, even if the file has changed."""

from __future__ import annotations

from sqlalchemy import select

from macaz.server.store.conflict import insert_or
from macaz.server.store.database import Database
from macaz.server.store.rows import EditionRow
from macaz.server.store.schema import edition


class Editions:
    """Editions by their fingerprints."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, fingerprint: str, edition_id: str, text: str) -> None:
        """Keep the text of an edition, if it is not kept already."""
        values = {"fingerprint": fingerprint, "id": edition_id, "text": text}
        if await self.get(fingerprint) is None:
            await self._database.write(
                lambda connection: (
                    connection.execute(
                        insert_or(connection, edition).values(values).on_conflict_do_nothing()
                    ).rowcount
                )
            )

    async def get(self, fingerprint: str) -> EditionRow | None:
        """An edition that was kept."""
        query = select(edition).where(edition.c.fingerprint == fingerprint)
        return await self._database.first(query, EditionRow)
