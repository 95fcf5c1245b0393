"""Values that the nodes of a server share: its signing key, and who did what was due when."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from sqlalchemy import Connection, delete, select, update

from macaz.server.store.conflict import insert_or
from macaz.server.store.database import Database
from macaz.server.store.schema import setting
from macaz.server.store.trouble import Unavailable

_RETRY_S = (0.01, 0.05)  # least and most seconds between two attempts to take a lock


class StoredSettings:
    """Texts by their names."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, name: str, make: Callable[[], str]) -> str:
        """A value, created by `make` at the first request; the same on all nodes."""
        query = select(setting.c.value).where(setting.c.name == name)

        def create(connection: Connection) -> str:
            connection.execute(
                insert_or(connection, setting)
                .values(name=name, value=make())
                .on_conflict_do_nothing()
            )
            kept: str = connection.execute(query).scalar_one()
            return kept

        found = await self._database.first(query, str)
        if found is not None:
            return found
        made: str = await self._database.write(create)
        return made

    async def claim(self, name: str, every_ms: int) -> bool:
        """Whether this node is to do a periodic job now; no other node is, for `every_ms`."""
        now = self._database.clock()
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

        claimed: bool = await self._database.write(take)
        return claimed

    @asynccontextmanager
    async def hold(self, name: str, most_ms: int) -> AsyncIterator[None]:
        """Hold a lock that all nodes share; others may take it after `most_ms`."""
        while not await self.claim(name, most_ms):
            await asyncio.sleep(random.uniform(*_RETRY_S))
        try:
            yield
        finally:
            with suppress(Unavailable):  # then it ends by itself
                await self._database.change(delete(setting).where(setting.c.name == name))
