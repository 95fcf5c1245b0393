"""Migrates a database to the tables of this version."""

from __future__ import annotations

import sqlite3
import threading

from sqlalchemy import URL, Connection, Engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from macaz.server.store.connect import migrating_engine
from macaz.server.store.trouble import Unavailable, unavailable

HEAD = "0010"  # the newest of migrations/versions
ADVISORY_LOCK = 0x6D6163617A  # any number, the same on all nodes: "macaz"
_alembic = threading.Lock()  # Alembic has global state


def migrate(url: URL, revision: str = HEAD) -> None:
    """Run the migrations that are missing, all or none. Two nodes may do so at once.

    Raises `MacazError` if the database belongs to a newer Macaz, or is none of ours.
    """
    engine = migrating_engine(url)
    try:
        if engine.dialect.name == "sqlite":
            _use_wal(engine)
        with _alembic, engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(
                    text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK}
                )
            found = _revisions(connection)
            if found != {HEAD}:
                from macaz.server.store.upgrade import upgrade

                upgrade(connection, found, revision)
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise unavailable(error) from error
    finally:
        engine.dispose()


def refuse_while_migrating(connection: Connection) -> None:
    """Raise `Unavailable` while another node migrates the database of this transaction."""
    if connection.dialect.name != "postgresql":
        return  # a SQLite file has one server, which does not listen before it has migrated
    free = text("SELECT pg_try_advisory_xact_lock_shared(:key)")
    if not connection.execute(free, {"key": ADVISORY_LOCK}).scalar_one():
        raise Unavailable("The database is being migrated by another node.")


def current_revision(connection: Connection) -> str | None:
    """The revision of a database, or None if it has none; `MacazError` if we do not know it."""
    found = _revisions(connection)
    if found - {HEAD}:
        from macaz.server.store.upgrade import check_known

        check_known(found)
    return min(found, default=None)


def _revisions(connection: Connection) -> set[str]:
    """The revision that Alembic has stored."""
    if not inspect(connection).has_table("alembic_version"):
        return set()
    return set(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())


def _use_wal(engine: Engine) -> None:
    """Readers do not wait for the writer, nor it for them. The file remembers it."""
    connection = engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()
