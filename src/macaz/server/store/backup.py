"""Copies of a SQLite database: of one that a server is using, and back into its place."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import URL, create_engine

from macaz.errors import MacazError
from macaz.server.store.migrate import current_revision
from macaz.server.store.place import FileLock, file_of, make_file, make_folder, read_url


def backup(url: str, target: Path, *, overwrite: bool = False) -> Path:
    """Copy a database as it is at one moment, while a server may use it; returns its file.

    The file appears whole and checked, or not at all. It holds the secrets of running games, so
    only its owner can read it.
    """
    source = _sqlite_file(url, "pg_dump")
    if not source.exists():
        raise MacazError(f"There is no database at {source}.")
    _check_free(target, overwrite)
    with _draft(target) as draft:
        _copy(source, draft)
        _check(draft, called=source)
        draft.replace(target)
        _flush(target.parent)
    return source


def restore(source: Path, url: str, *, overwrite: bool = False) -> Path:
    """Put a backup in the place of a database, whose file it returns; no server may have it open.

    The backup is checked first: what is in its place is lost only to a whole database of ours.
    """
    target = _sqlite_file(url, "pg_restore")
    if not source.is_file():
        raise MacazError(f"There is no file {source}.")
    _check(source)
    make_folder(target.parent)
    lock = FileLock(target)
    try:
        _check_free(target, overwrite)
        with _draft(target) as draft:
            _copy(source, draft)
            if target.exists():
                _take_in_log(target)
            # Before the file itself: a log of the old database would be applied to the new one.
            for ending in ("-wal", "-shm"):
                target.with_name(target.name + ending).unlink(missing_ok=True)
            draft.replace(target)
            _flush(target.parent)
    finally:
        lock.release()
    return target


def _sqlite_file(url: str, instead: str) -> Path:
    file = file_of(read_url(url))
    if file is None:
        raise MacazError(f"For PostgreSQL use its own program, {instead}.")
    return file


def _check_free(target: Path, overwrite: bool) -> None:
    if target.exists() and not overwrite:
        raise MacazError(f"{target} exists already. Say --overwrite to replace it.")


@contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """A file beside the target that can be renamed to it, and is gone afterwards."""
    draft = target.with_name(f".macaz-{secrets.token_hex(16)}.tmp")
    make_file(draft)
    try:
        yield draft
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            with suppress(OSError):
                draft.with_name(draft.name + ending).unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    """Copy a database, with what is still in its log, into one file without a log."""
    try:
        with closing(_open(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise MacazError(f"{source} cannot be copied: {error}.") from None
    _flush(target)


def _take_in_log(path: Path) -> None:
    """Let a database stand without its log, so that it is whole until another replaces it."""
    try:
        with closing(_open(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise MacazError(f"{path} cannot be replaced: {error}.") from None
        # A damaged one is what restoring is for.


def _check(path: Path, called: Path | None = None) -> None:
    """Raise `MacazError` unless a file is a sound database that this Macaz knows."""
    called = called or path
    try:
        with closing(_open(path)) as connection:
            [verdict] = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict != "ok":
        raise MacazError(f"{called} is not a sound database: {verdict}.")
    engine = create_engine(URL.create("sqlite", database=str(path.resolve())))
    try:
        with engine.connect() as connection:
            if current_revision(connection) is None:
                raise MacazError(f"{called} is a database, but not one of Macaz.")
    finally:
        engine.dispose()


def _open(path: Path) -> sqlite3.Connection:
    """Open a database that is there; SQLite would make one that is not."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)


def _flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows keeps names by itself
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
