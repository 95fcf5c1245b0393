"""The store: everything that the server keeps, through one door."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from sqlalchemy import Connection, delete, insert, text

from macaz.server.store.access import PATIENCE_S
from macaz.server.store.games import Games
from macaz.server.store.judgements import Judgements
from macaz.server.store.links import Links
from macaz.server.store.migrate import migrate, refuse_while_migrating
from macaz.server.store.people import People
from macaz.server.store.place import FileLock, file_of, make_file, read_url
from macaz.server.store.pruning import Pruning
from macaz.server.store.schema import setting
from macaz.server.store.sessions import Sessions
from macaz.server.store.trouble import Unavailable
from macaz.server.store.writer import Committed

__all__ = ["Store", "Unavailable"]


def epoch_ms() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Store(Games, People, Sessions, Links, Judgements, Pruning):
    """The database of a server. Its methods raise `Unavailable` when it cannot answer.

    They are called from one event loop, and none of them holds it up.
    """

    _lock: FileLock | None = None

    @classmethod
    def open(
        cls,
        url: str,
        *,
        clock: Callable[[], int] = epoch_ms,
        patience: float = PATIENCE_S,
        committed: Committed | None = None,
    ) -> Store:
        """The store at an address, its tables made or brought up to date.

        `committed(seconds, jobs)` is called after each transaction, in the thread that writes.
        Raises `MacazError` if the database cannot be had: open elsewhere, or of a newer version.
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
            store = cls(place, clock, patience=patience, committed=committed)
        except BaseException:
            lock.release()
            raise
        store._lock = lock
        return store

    async def ping(self) -> None:
        """Raise `Unavailable` unless the database can be read and written.

        A row is written and committed, as only that shows a full disk or a read-only one.
        """
        await self._read(lambda connection: connection.execute(text("SELECT 1")).one())
        await self._write(_write_check)

    async def settle(self) -> None:
        """Return when all is decided that was to be written before: committed, or never to be."""
        await self._write(lambda connection: None)

    def _let_go(self) -> None:
        super()._let_go()
        if self._lock is not None:
            self._lock.release()


def _write_check(connection: Connection) -> None:
    """Write a row and remove it; with a name of its own, so that no node waits for another."""
    refuse_while_migrating(connection)
    name = f"write-check-{secrets.token_hex(8)}"
    connection.execute(insert(setting).values(name=name, value=""))
    connection.execute(delete(setting).where(setting.c.name == name))
