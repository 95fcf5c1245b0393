"""Copies of a database: taken while games are played, and restored."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from macaz.cli import backup as cli
from macaz.errors import MacazError
from macaz.server.store.backup import backup, restore
from macaz.server.store.rows import Append, GameRow
from macaz.server.store.store import Store

OLD = Path(__file__).parent / "data" / "revision-0001.db"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with games in it."""
    return Path(shutil.copy(OLD, tmp_path / "macaz.db"))


def url_of(file: Path) -> str:
    return f"sqlite:///{file}"


def counts(file: Path) -> dict[str, int]:
    """How many games of each status a database has, after a server has opened it."""
    asyncio.run(Store.open(url_of(file)).close())
    with closing(sqlite3.connect(file)) as connection:
        return dict(connection.execute("SELECT status, count(*) FROM game GROUP BY status"))


def killed(database: Path) -> None:
    """A server deleted all logs and was killed: its changes are only in SQLite's WAL."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("DELETE FROM entry")
        connection.commit()
        logs = [database.with_name(f"macaz.db-{name}") for name in ("wal", "shm")]
        kept = [database.read_bytes(), *(log.read_bytes() for log in logs)]
    for file, data in zip([database, *logs], kept, strict=True):
        file.write_bytes(data)


def entries(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        [count] = connection.execute("SELECT count(*) FROM entry").fetchone()
    return int(count)


def test_a_backup_of_a_database_that_is_written_to(tmp_path):
    target = tmp_path / "copy.db"

    async def scenario() -> None:
        store = Store.open(url_of(tmp_path / "macaz.db"))
        row = GameRow(
            id="g1",
            edition="tiny",
            fingerprint="f",
            seats=1,
            terms=b"",
            secret=bytes(32),
            host="ada",
            listed=True,
            created_at=1,
            updated_at=1,
        )
        await store.games.create(row, [None])
        done = 0
        going = True

        async def write() -> None:
            nonlocal done
            while going:
                entry = Append(
                    game="g1",
                    version=done + 1,
                    body=bytes(1000),
                    nonce=None,
                    at=done + 1,
                    status="running",
                    wake_at=None,
                )
                assert await store.games.append(entry)
                done += 1

        writing = asyncio.ensure_future(write())
        for _ in range(5):
            while done < 20:
                await asyncio.sleep(0)
            before = done
            await asyncio.to_thread(backup, store_url, target, overwrite=True)
            with closing(sqlite3.connect(target)) as copy:
                # A consistent snapshot: log and game agree, and nothing sent before is missing.
                versions = [row[0] for row in copy.execute("SELECT version FROM entry ORDER BY 1")]
                [updated] = copy.execute("SELECT updated_at FROM game").fetchone()
            assert versions == list(range(1, updated + 1))
            assert before <= updated
        going = False
        await writing
        await store.close()

    store_url = url_of(tmp_path / "macaz.db")
    asyncio.run(scenario())
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "copy.db",
        "macaz.db",
        "macaz.db.lock",
    ]


def test_a_backup_restores(database, tmp_path):
    copy, elsewhere = tmp_path / "copy.db", tmp_path / "other" / "macaz.db"
    backup(url_of(database), copy)
    restore(copy, url_of(elsewhere))
    assert counts(elsewhere) == counts(database) == {"finished": 2, "running": 1, "waiting": 1}


def test_nothing_is_overwritten_unasked(database, tmp_path):
    copy = tmp_path / "copy.db"
    copy.write_text("precious")
    with pytest.raises(MacazError, match="exists already"):
        backup(url_of(database), copy)
    assert copy.read_text() == "precious"
    backup(url_of(database), copy, overwrite=True)
    with pytest.raises(MacazError, match="exists already"):
        restore(copy, url_of(database))
    restore(copy, url_of(database), overwrite=True)
    assert sum(counts(database).values()) == 4


def test_what_remains_of_the_old_database_does_not_meddle(database, tmp_path):
    copy = tmp_path / "copy.db"
    backup(url_of(database), copy)
    killed(database)
    restore(copy, url_of(database), overwrite=True)
    assert entries(database) == 55


def test_a_restore_that_is_cut_off_leaves_all_of_the_old_database(database, tmp_path, monkeypatch):
    copy = tmp_path / "copy.db"
    backup(url_of(database), copy)
    killed(database)

    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", cut_off)
        with pytest.raises(KeyboardInterrupt):
            restore(copy, url_of(database), overwrite=True)
    assert entries(database) == 0  # as the server left it


def test_a_database_that_another_program_reads_is_not_replaced(database, tmp_path):
    copy = tmp_path / "copy.db"
    backup(url_of(database), copy)
    with closing(sqlite3.connect(database, isolation_level=None)) as reader:
        reader.execute("PRAGMA journal_mode = WAL")
        reader.execute("DELETE FROM entry")
        with pytest.raises(MacazError, match=r"cannot be replaced: .*locked"):
            restore(copy, url_of(database), overwrite=True)
        assert entries(database) == 0


@pytest.mark.parametrize("size", [100, 4096])
def test_a_damaged_database_is_replaced(database, tmp_path, size):
    copy = tmp_path / "copy.db"
    backup(url_of(database), copy)
    database.write_bytes(bytes([7]) * size)
    restore(copy, url_of(database), overwrite=True)
    assert entries(database) == 55


def test_a_restore_waits_for_no_server(database, tmp_path):
    copy = tmp_path / "copy.db"
    backup(url_of(database), copy)
    before = database.read_bytes()
    store = Store.open(url_of(database))
    with pytest.raises(MacazError, match="Another Macaz server"):
        restore(copy, url_of(database), overwrite=True)
    asyncio.run(store.close())
    assert len(database.read_bytes()) >= len(before)


def broken(file: Path) -> None:
    # A page in the middle, so that the file still opens.
    data = bytearray(file.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 2048] = b"\xff" * 2048
    file.write_bytes(data)


def foreign(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE notes (text)")


def newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def text(file: Path) -> None:
    file.write_text("a text " * 500)


def empty(file: Path) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (broken, "not a sound database"),
        (foreign, "not one of Macaz"),
        (newer, "newer Macaz"),
        (text, "not a sound database"),
        (empty, "not one of Macaz"),
    ],
)
def test_what_is_no_sound_backup_replaces_nothing(database, tmp_path, spoil, says):
    copy = tmp_path / "copy.db"
    backup(url_of(database), copy)
    spoil(copy)
    before = database.read_bytes()
    with pytest.raises(MacazError, match=says):
        restore(copy, url_of(database), overwrite=True)
    assert database.read_bytes() == before


def test_a_damaged_database_makes_no_backup(database, tmp_path):
    broken(database)
    with pytest.raises(MacazError, match=r"macaz\.db .*malformed"):
        backup(url_of(database), tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["macaz.db"]


def test_a_database_that_is_not_there(tmp_path):
    with pytest.raises(MacazError, match="There is no database at"):
        backup(url_of(tmp_path / "macaz.db"), tmp_path / "copy.db")
    with pytest.raises(MacazError, match="There is no file"):
        restore(tmp_path / "copy.db", url_of(tmp_path / "macaz.db"))
    assert list(tmp_path.iterdir()) == []


def test_postgresql_has_its_own_programs(tmp_path):
    with pytest.raises(MacazError, match="pg_dump"):
        backup("postgresql://host/macaz", tmp_path / "copy.db")
    with pytest.raises(MacazError, match="pg_restore"):
        restore(OLD, "postgresql://host/macaz")


def test_the_commands(database, tmp_path, monkeypatch):
    copy, other = tmp_path / "copy.db", tmp_path / "other.db"
    run = CliRunner().invoke
    made = run(cli.backup, [str(copy), "--database", url_of(database)])
    assert (made.exit_code, made.output) == (0, f"Saved {database} to {copy}.\n")
    assert isinstance(
        run(cli.backup, [str(copy), "--database", url_of(database)]).exception, MacazError
    )
    put = run(cli.restore, [str(copy), "--database", url_of(other)])
    assert (put.exit_code, put.output) == (0, f"Restored {other} from {copy}.\n")
    assert counts(other) == counts(database)
    # Without an address, the default place of `macaz play`.
    monkeypatch.delenv("MACAZ_DATABASE", raising=False)
    monkeypatch.delenv("MACAZ_CONFIG", raising=False)
    monkeypatch.setattr("macaz.server.store.place.default_database", lambda: url_of(database))
    assert run(cli.backup, [str(copy), "--overwrite"]).output == f"Saved {database} to {copy}.\n"


def test_the_commands_find_the_database_as_the_server_does(database, tmp_path, monkeypatch):
    others = tmp_path / "play.db"
    monkeypatch.delenv("MACAZ_DATABASE", raising=False)
    monkeypatch.delenv("MACAZ_CONFIG", raising=False)
    monkeypatch.setattr("macaz.server.store.place.default_database", lambda: url_of(others))
    copy, file = tmp_path / "copy.db", tmp_path / "macaz.toml"
    file.write_text(f'database = "{url_of(database)}"\nport = 80\n')

    def run(command, *words, **environment):
        made = CliRunner(env=environment).invoke(command, [str(copy), "--overwrite", *words])
        return made.output if made.exception is None else str(made.exception)

    saved = f"Saved {database} to {copy}.\n"
    assert run(cli.backup, "--config", str(file)) == saved
    assert run(cli.backup, MACAZ_CONFIG=str(file)) == saved
    assert run(cli.backup, MACAZ_DATABASE=url_of(database)) == saved
    # The source with the higher priority counts: an option, then the environment, then the file.
    assert str(others) in run(cli.backup, MACAZ_CONFIG=str(file), MACAZ_DATABASE=url_of(others))
    assert run(cli.restore, MACAZ_CONFIG=str(file)) == f"Restored {database} from {copy}.\n"
    assert "can be read" in run(cli.backup, "--config", str(tmp_path / "none.toml"))
    assert not others.exists()
