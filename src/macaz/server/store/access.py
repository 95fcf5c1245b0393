"""How queries reach the database from the event loop, which they never hold up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Delete, Insert, Select, Update

from macaz.server.store.connect import reading_engine, writing_engine
from macaz.server.store.trouble import Unavailable, told
from macaz.server.store.writer import Committed, Work, Writer

T = TypeVar("T")

READERS = 4
PATIENCE_S = 5.0


class Access:
    """Reads in a few threads, each with a connection of its own; writes through the `Writer`.

    Whoever waits longer than `patience` seconds gets `Unavailable`.
    """

    def __init__(
        self,
        url: URL,
        clock: Callable[[], int],
        *,
        patience: float = PATIENCE_S,
        committed: Committed | None = None,
    ) -> None:
        self._clock = clock
        self._patience = patience
        self._reading = reading_engine(url, READERS)
        self._writing = writing_engine(url)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="macaz-reader")
        self._writer = Writer(self._writing, committed=committed)
        self._closed = False

    async def _read(self, query: Callable[[Connection], T]) -> T:
        if self._closed:
            raise Unavailable("The database is closed.")
        async with self._patiently():
            return await asyncio.get_running_loop().run_in_executor(
                self._readers, self._query, query
            )

    def _query(self, query: Callable[[Connection], T]) -> T:
        try:
            with self._reading.connect() as connection:
                return query(connection)
        except Exception as error:
            raise told(error) from error

    async def _write(self, work: Work) -> Any:
        async with self._patiently():
            return await self._writer.submit(work)

    async def _first(self, query: Select[Any], row: Callable[..., T]) -> T | None:
        """The first row that is found, or None."""
        found = await self._read(lambda connection: connection.execute(query).first())
        return None if found is None else row(*found)

    async def _all(self, query: Select[Any], row: Callable[..., T]) -> list[T]:
        """All rows that are found."""
        found = await self._read(lambda connection: connection.execute(query).all())
        return [row(*values) for values in found]

    async def _change(self, statement: Insert | Update | Delete) -> int:
        """How many rows were changed."""
        changed: int = await self._write(lambda connection: connection.execute(statement).rowcount)
        return changed

    @asynccontextmanager
    async def _patiently(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self._patience):
                yield
        except TimeoutError:
            raise Unavailable(
                f"The database did not answer within {self._patience:g} seconds."
            ) from None

    async def close(self) -> None:
        """Finish what was begun, then let the database go. Later calls get `Unavailable`."""
        if self._closed:
            return
        self._closed = True
        self._writer.refuse()
        await asyncio.to_thread(self._let_go)

    def _let_go(self) -> None:
        self._writer.close()
        self._readers.shutdown()
        self._writing.dispose()
        self._reading.dispose()
