"""Running the migrations. Alembic takes half a second to import, and is rarely needed."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from macaz.errors import MacazError
from macaz.server.store.schema import metadata

_FOLDER = Path(__file__).with_name("migrations")


def upgrade(connection: Connection, found: set[str], revision: str) -> None:
    """Bring a database from the revision that was found to another."""
    check_known(found)
    if not found:
        _check_empty(connection)
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise MacazError(f"The migration left rows without what they refer to: {broken[0]}.")


def check_known(found: set[str]) -> None:
    """Refuse a revision that this version does not know."""
    known = {script.revision for script in script().walk_revisions()}
    if found - known:
        raise MacazError(
            "The database belongs to a newer Macaz: its tables are at revision "
            f"{', '.join(sorted(found))}, which this version does not know. Install the newer "
            "version, or restore a backup made with this one."
        )


def script() -> ScriptDirectory:
    """The migrations."""
    return ScriptDirectory(str(_FOLDER))


def _check_empty(connection: Connection) -> None:
    taken = metadata.tables.keys() & set(inspect(connection).get_table_names())
    if taken:
        raise MacazError(
            f"The database has a table {min(taken)!r} that Macaz did not make. Give Macaz a "
            "database of its own."
        )
