"""How queries reach the database from the event loop, which they never block."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Delete, Insert, Select, Update

from macaz.server.store.connect import reading_engine, writing_engine
from macaz.server.store.migrate import migrate
from macaz.server.store.place import FileLock, file_of, make_file, read_url
from macaz.server.store.trouble import Unavailable, as_unavailable
from macaz.server.store.writer import Committed, Work, Writer

T = TypeVar("T")

READERS = 4
PATIENCE_S = 5.0


class Database:
    """The connection that all repositories share.

    Reads run in a few threads, each with a connection of its own; writes go through the `Writer`.
    A call that waits longer than `patience` seconds raises `Unavailable`. `lock` is released when
    the database is closed.
    """

    def __init__(
        self,
        url: URL,
        clock: Callable[[], int],
        *,
        patience: float = PATIENCE_S,
        committed: Committed | None = None,
        lock: FileLock | None = None,
    ) -> None:
        self.clock = clock
        self.patience = patience
        self._reading = reading_engine(url, READERS)
        self._writing = writing_engine(url)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="macaz-reader")
        self._writer = Writer(self._writing, committed=committed)
        self._lock = lock
        self._closed = False

    @classmethod
    def open(
        cls,
        url: str,
        clock: Callable[[], int],
        *,
        patience: float = PATIENCE_S,
        committed: Committed | None = None,
    ) -> Database:
        """Open a database, with its tables created or migrated; of SQLite, for this process only.

        Raises `MacazError` if it is open elsewhere, or of a newer version.
        """
        place = read_url(url)
        file = file_of(place)
        if file is None:
            migrate(place)
            return cls(place, clock, patience=patience, committed=committed)
        make_file(file)
        lock = FileLock(file)
        try:
            migrate(place)
            return cls(place, clock, patience=patience, committed=committed, lock=lock)
        except BaseException:
            lock.release()
            raise

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Run a function with a connection to read from."""
        if self._closed:
            raise Unavailable("The database is closed.")
        async with self._within_patience():
            return await asyncio.get_running_loop().run_in_executor(
                self._readers, self._query, query
            )

    def _query(self, query: Callable[[Connection], T]) -> T:
        try:
            with self._reading.connect() as connection:
                return query(connection)
        except Exception as error:
            raise as_unavailable(error) from error

    async def write(self, work: Work) -> Any:
        """Run a function within a transaction; returns its result once that is committed."""
        async with self._within_patience():
            return await self._writer.submit(work)

    async def first(self, query: Select[Any], row: Callable[..., T]) -> T | None:
        """The first row that is found, or None."""
        found = await self.read(lambda connection: connection.execute(query).first())
        return None if found is None else row(*found)

    async def all(self, query: Select[Any], row: Callable[..., T]) -> list[T]:
        """All rows that are found."""
        found = await self.read(lambda connection: connection.execute(query).all())
        return [row(*values) for values in found]

    async def change(self, statement: Insert | Update | Delete) -> int:
        """Run a statement; returns the number of rows that it changed."""
        changed: int = await self.write(lambda connection: connection.execute(statement).rowcount)
        return changed

    @asynccontextmanager
    async def _within_patience(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self.patience):
                yield
        except TimeoutError:
            raise Unavailable(
                f"The database did not answer within {self.patience:g} seconds."
            ) from None

    async def close(self) -> None:
        """Finish what was begun, then close. Later calls raise `Unavailable`."""
        if self._closed:
            return
        self._closed = True
        self._writer.refuse()
        await asyncio.to_thread(self._dispose)

    def _dispose(self) -> None:
        self._writer.close()
        self._readers.shutdown()
        self._writing.dispose()
        self._reading.dispose()
        if self._lock is not None:
            self._lock.release()
