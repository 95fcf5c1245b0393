"""Persons, and what the server keeps for itself."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import asdict
from sqlalchemy import Connection, insert, select, update

from macaz.server.store.access import Access
from macaz.server.store.conflict import insert_or
from macaz.server.store.rows import PersonRow
from macaz.server.store.schema import person, setting


class People(Access):
    """The part of the store about persons."""

    async def add_person(self, person_id: str, name: str, color: str) -> PersonRow:
        """Remember somebody new."""
        row = PersonRow(person_id, name, color, self._clock())
        await self._change(insert(person).values(asdict(row)))
        return row

    async def person(self, person_id: str) -> PersonRow | None:
        """Somebody, by id."""
        return await self._first(select(person).where(person.c.id == person_id), PersonRow)

    async def change_person(self, person_id: str, name: str, color: str) -> bool:
        """Give somebody another name and colour; False if there is nobody."""
        changed = update(person).where(person.c.id == person_id).values(name=name, color=color)
        return await self._change(changed) == 1

    async def setting(self, name: str, make: Callable[[], str]) -> str:
        """A value of the server's own, made when first asked for: the same on all nodes."""
        query = select(setting.c.value).where(setting.c.name == name)

        def create(connection: Connection) -> str:
            connection.execute(
                insert_or(connection, setting)
                .values(name=name, value=make())
                .on_conflict_do_nothing()
            )
            kept: str = connection.execute(query).scalar_one()
            return kept

        found = await self._first(query, str)
        if found is not None:
            return found
        made: str = await self._write(create)
        return made

    async def claim(self, name: str, every_ms: int) -> bool:
        """Whether to do now what one node does every so often; then no other node does."""
        now = self._clock()
        mine = setting.c.name == name

        def take(connection: Connection) -> bool:
            last = connection.execute(select(setting.c.value).where(mine)).scalar()
            if last is None:
                first = insert_or(connection, setting).values(name=name, value=str(now))
                made = first.on_conflict_do_nothing().returning(setting.c.name)
                return connection.execute(made).first() is not None
            if abs(now - int(last)) < every_ms:  # nodes' clocks may differ
                return False
            taken = update(setting).where(mine, setting.c.value == last).values(value=str(now))
            return connection.execute(taken).rowcount == 1

        claimed: bool = await self._write(take)
        return claimed
