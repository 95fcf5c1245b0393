"""Databases of former releases, and the tables that the migrations create.

data/revision-N.db is a database as the release with that revision left it, with games in it.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, MetaData, inspect, text

from macaz.errors import MacazError
from macaz.game import Game
from macaz.server.entries import Acted, Dealt, decode_entry
from macaz.server.store.connect import migrating_engine
from macaz.server.store.migrate import HEAD, migrate
from macaz.server.store.place import read_url
from macaz.server.store.schema import metadata
from macaz.server.store.store import Store
from macaz.server.store.upgrade import script

OLD = sorted((Path(__file__).parent / "data").glob("revision-*.db"))


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'macaz.db'}"
    address: str = request.getfixturevalue("postgres_url")
    return address


def rows_of(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Everything in a SQLite database."""
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        names = [name for [name] in connection.execute("SELECT name FROM sqlite_schema")]
        return {
            name: [dict(row) for row in connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2")]
            for name in metadata.tables.keys() & set(names)
        }


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.stem)
def test_an_old_database_comes_up_with_its_games(old, tmp_path):
    file = tmp_path / "macaz.db"
    shutil.copy(old, file)
    before = rows_of(file)

    async def scenario() -> None:
        store = Store.open(f"sqlite:///{file}")
        await check_games(store)
        await store.close()

    asyncio.run(scenario())
    check_kept(before, rows_of(file))


async def check_games(store: Store) -> None:
    """The games of an old database are kept, and can be replayed."""
    games = await store.games.of_person("ada", 9)
    assert sorted(row.status for row in games) == ["finished", "finished", "running", "waiting"]
    for row in [row for row in games if row.status != "waiting"]:
        game = Game(row.edition, row.seats, dealer=None, target="plain")
        for entry in await store.games.entries(row.id):
            replay(game, decode_entry(entry.body))
        assert game.over == (row.status == "finished")


def check_kept(before: dict[str, Any], after: dict[str, Any]) -> None:
    """All rows of all tables are kept; there may be more columns.

    Exception: a table with a seed is no longer listed.
    """
    for name, rows in before.items():
        for row in rows:
            if row.get("seed") is not None:
                row["listed"] = False
        kept = [{key: row[key] for key in was} for row, was in zip(after[name], rows, strict=True)]
        assert kept == rows


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.stem)
def test_an_old_postgresql_comes_up_with_its_games(old, postgres_url):
    place = read_url(postgres_url)
    migrate(place, old.stem.removeprefix("revision-"))
    engine = migrating_engine(place)
    with engine.begin() as connection:
        then = MetaData()  # the tables before the migration
        then.reflect(connection)
        before = rows_of(old)
        for table in then.sorted_tables:
            if rows := before.get(table.name):
                connection.execute(table.insert(), rows)
    assert sum(map(len, before.values())) > 60

    async def scenario() -> None:
        store = Store.open(postgres_url)
        await check_games(store)
        await store.close()

    asyncio.run(scenario())
    with engine.connect() as connection:
        after = {
            name: [
                dict(row._mapping)
                for row in connection.execute(table.select().order_by(*list(table.c)[:2]))
            ]
            for name, table in metadata.tables.items()
        }
    engine.dispose()
    check_kept(before, after)


def replay(game: Game, entry: object) -> None:
    if isinstance(entry, Acted):
        game.push(entry.action, entry.seat)
    if isinstance(entry, Acted | Dealt):
        for chance in entry.chances:
            game.push_chance(chance)


def test_the_schema_and_the_migrations_agree(url):
    place = read_url(url)
    migrate(place)
    engine = migrating_engine(place)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_migrating_from_nothing_gives_the_tables_of_the_schema(url):
    place = read_url(url)
    engine = migrating_engine(place)
    with engine.connect() as connection:
        metadata.create_all(connection)
        wanted = description(connection)
        connection.rollback()
        assert inspect(connection).get_table_names() == []
    migrate(place)
    with engine.connect() as connection:
        assert description(connection) == wanted
    engine.dispose()


def description(connection: Connection) -> dict[str, Any]:
    """What the database itself says about our tables."""
    look = inspect(connection)
    found: dict[str, Any] = {
        name: {
            "columns": [
                (column["name"], str(column["type"]), column["nullable"])
                for column in look.get_columns(name)
            ],
            "key": look.get_pk_constraint(name),
            "refers": sorted(map(str, look.get_foreign_keys(name))),
            "unique": sorted(map(str, look.get_unique_constraints(name))),
        }
        for name in metadata.tables
    }
    if connection.dialect.name == "sqlite":
        query = "SELECT name, sql FROM sqlite_schema WHERE type = 'index'"
        tables = connection.execute(text("SELECT name, sql FROM sqlite_schema"))
        for name, sql in tables:
            if name in found:
                found[name]["rowid"] = "WITHOUT ROWID" not in sql
    else:
        query = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
    indexes = [tuple(row) for row in connection.execute(text(query))]
    found["indexes"] = sorted(row for row in indexes if "alembic" not in row[0])
    return found


def test_a_newer_database_is_left_alone(url):
    place = read_url(url)
    migrate(place)
    engine = migrating_engine(place)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(MacazError, match=r"newer Macaz.* revision 9999"):
        Store.open(url)
    with engine.connect() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        assert found == "9999"
    engine.dispose()
    with pytest.raises(MacazError, match="newer Macaz"):  # not the error that it is open elsewhere
        Store.open(url)


def test_the_database_of_another_program_is_left_alone(url):
    engine = migrating_engine(read_url(url))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE game (title TEXT)"))
    with pytest.raises(MacazError, match="'game' that Macaz did not make"):
        Store.open(url)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["game"]
    engine.dispose()


def test_a_migration_that_fails_leaves_nothing_behind(url, monkeypatch):
    def stumble(*_: object, **__: object) -> None:
        raise LookupError("a mistake")

    monkeypatch.setattr("alembic.op.create_index", stumble)
    with pytest.raises(LookupError):
        Store.open(url)
    engine = migrating_engine(read_url(url))
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == []
    engine.dispose()


def test_nodes_may_start_at_once(postgres_url):
    code = (
        "import asyncio, sys\n"
        "from macaz.server.store.store import Store\n"
        "sys.stdin.read()\n"
        "asyncio.run(Store.open(sys.argv[1]).close())"
    )
    nodes = [
        subprocess.Popen([sys.executable, "-c", code, postgres_url], stdin=subprocess.PIPE)
        for _ in range(3)
    ]
    for node in nodes:
        assert node.stdin is not None
        node.stdin.close()
    assert [node.wait() for node in nodes] == [0, 0, 0]


def test_the_newest_migration_is_known_without_reading_them():
    assert script().get_current_head() == HEAD
