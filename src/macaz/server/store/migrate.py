"""Bringing a database to the tables of this version."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from macaz.errors import MacazError
from macaz.server.store.connect import migrating_engine
from macaz.server.store.schema import metadata
from macaz.server.store.trouble import unavailable

_FOLDER = Path(__file__).with_name("migrations")
_ADVISORY_LOCK = 0x6D6163617A  # any number, the same on all nodes: "macaz"
_alembic = threading.Lock()  # it keeps what it is at in a global


def migrate(url: URL, revision: str = "head") -> None:
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
                    text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK}
                )
            found = current_revision(connection)
            if found is None:
                _check_empty(connection)
            if found != _script().get_current_head():
                _upgrade(connection, revision)
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise unavailable(error) from error
    finally:
        engine.dispose()


def current_revision(connection: Connection) -> str | None:
    """The revision of a database, or None if it has none; `MacazError` if we do not know it."""
    found = MigrationContext.configure(connection).get_current_heads()
    known = {script.revision for script in _script().walk_revisions()}
    if set(found) - known:
        raise MacazError(
            "The database belongs to a newer Macaz: its tables are at revision "
            f"{', '.join(found)}, which this version does not know. Install the newer version, "
            "or restore a backup made with this one."
        )
    return found[0] if found else None


def _script() -> ScriptDirectory:
    return ScriptDirectory(str(_FOLDER))


def _check_empty(connection: Connection) -> None:
    taken = metadata.tables.keys() & set(inspect(connection).get_table_names())
    if taken:
        raise MacazError(
            f"The database has a table {min(taken)!r} that Macaz did not make. Give Macaz a "
            "database of its own."
        )


def _upgrade(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise MacazError(f"The migration left rows without what they refer to: {broken[0]}.")


def _use_wal(engine: Engine) -> None:
    """Readers do not wait for the writer, nor it for them. The file remembers it."""
    connection = engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()
