"""The store: everything that the server keeps."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from sqlalchemy import Connection, delete, insert, text

from macaz.errors import MacazError
from macaz.server.store.connect import reading_engine
from macaz.server.store.credentials import Credentials
from macaz.server.store.database import PATIENCE_S, Database
from macaz.server.store.editions import Editions
from macaz.server.store.games import Games
from macaz.server.store.judgements import Judgements
from macaz.server.store.links import Links
from macaz.server.store.migrate import HEAD, current_revision, refuse_while_migrating
from macaz.server.store.people import People
from macaz.server.store.place import file_of, read_url
from macaz.server.store.pruning import Pruning
from macaz.server.store.schema import setting
from macaz.server.store.settings import StoredSettings
from macaz.server.store.subscriptions import Subscriptions
from macaz.server.store.trouble import Unavailable, as_unavailable
from macaz.server.store.writer import Committed

__all__ = ["Store", "Unavailable"]

PRUNE_PATIENCE_S = 60.0  # of the command; a server has its own


def epoch_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Store:
    """The repositories of one database.

    Their methods raise `Unavailable` when the database cannot answer. They are called from one
    event loop, and never block it.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.games = Games(database)
        self.editions = Editions(database)
        self.people = People(database)
        self.credentials = Credentials(database)
        self.links = Links(database)
        self.subscriptions = Subscriptions(database)
        self.judgements = Judgements(database)
        self.settings = StoredSettings(database)
        self.pruning = Pruning(database)

    @classmethod
    def open(
        cls,
        url: str,
        *,
        clock: Callable[[], int] = epoch_ms,
        patience: float = PATIENCE_S,
        committed: Committed | None = None,
    ) -> Store:
        """Open the store at an address; see `Database.open`.

        `committed(seconds, jobs)` is called after each transaction, in the thread that writes.
        """
        return cls(Database.open(url, clock, patience=patience, committed=committed))

    async def ping(self) -> None:
        """Raise `Unavailable` unless the database can be read and written.

        A row is written and committed, as only that shows a full disk or a read-only one.
        """
        await self.database.read(lambda connection: connection.execute(text("SELECT 1")).one())
        await self.database.write(_write_check)

    async def settle(self) -> None:
        """Wait until every write submitted before is committed or has failed."""
        await self.database.write(lambda connection: None)

    async def close(self) -> None:
        """Finish what was begun, then close. Later calls raise `Unavailable`."""
        await self.database.close()


def open_to_prune(url: str, clock: Callable[[], int]) -> Store:
    """Open a database that a server may be using; `MacazError` unless its tables are current."""
    place = read_url(url)
    file = file_of(place)
    if file is not None and not file.exists():
        raise MacazError(f"There is no database at {file}.")
    engine = reading_engine(place, 1)
    try:
        with engine.connect() as connection:
            found = current_revision(connection)
    except MacazError:
        raise
    except Exception as error:
        raise as_unavailable(error) from error
    finally:
        engine.dispose()
    if found is None:
        raise MacazError("That database is not one of Macaz.")
    if found != HEAD:
        raise MacazError(
            "The database belongs to an older Macaz. Start the server of this version once: it "
            "brings the database up to date."
        )
    return Store(Database(place, clock, patience=PRUNE_PATIENCE_S))


def _write_check(connection: Connection) -> None:
    """Write a row and remove it; under a random name, so that no node waits for another."""
    refuse_while_migrating(connection)
    name = f"write-check-{secrets.token_hex(8)}"
    connection.execute(insert(setting).values(name=name, value=""))
    connection.execute(delete(setting).where(setting.c.name == name))
