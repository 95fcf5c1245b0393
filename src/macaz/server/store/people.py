"""People."""

from __future__ import annotations

from msgspec.structs import asdict
from sqlalchemy import insert, select, update

from macaz.server.store.database import Database
from macaz.server.store.rows import PersonRow
from macaz.server.store.schema import person


class People:
    """The people that the server knows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, person_id: str, name: str, color: str) -> PersonRow:
        row = PersonRow(person_id, name, color, self._database.clock())
        await self._database.change(insert(person).values(asdict(row)))
        return row

    async def get(self, person_id: str) -> PersonRow | None:
        return await self._database.first(select(person).where(person.c.id == person_id), PersonRow)

    async def change(self, person_id: str, name: str, color: str) -> bool:
        """Change a name and colour; False if there is no such person."""
        changed = update(person).where(person.c.id == person_id).values(name=name, color=color)
        return await self._database.change(changed) == 1
