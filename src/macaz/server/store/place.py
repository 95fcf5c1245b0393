"""The address of the database, its file, and the lock of that file."""

from __future__ import annotations

import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from macaz.errors import MacazError, how_to_install

try:
    import fcntl
except ImportError:  # Windows: nothing guards the file there
    fcntl = None  # type: ignore[assignment]


def default_database() -> str:
    """The address of the database in the user's data folder."""
    return URL.create("sqlite", database=str(_own_folder() / "macaz.db")).render_as_string()


def _own_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("macaz")).resolve()


def read_url(text: str) -> URL:
    """The address of a database: `sqlite:///PATH` or `postgresql://USER@HOST/NAME`."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # The text may hold a password, so it is not repeated.
        raise MacazError(
            "The address of the database cannot be read. Expected sqlite:///PATH or "
            "postgresql://USER@HOST/NAME."
        ) from None
    kind = url.drivername.partition("+")[0]
    if kind == "sqlite":
        if url.database in (None, "", ":memory:") or url.query or url.host:
            raise MacazError("A SQLite database is a file: say sqlite:///PATH, and nothing else.")
        return url.set(drivername="sqlite")
    if kind in ("postgresql", "postgres"):
        if find_spec("psycopg") is None:
            raise MacazError(
                "PostgreSQL needs psycopg, which is not installed. Install the extra 'nodes' "
                f"({how_to_install('nodes')})."
            )
        return url.set(drivername="postgresql+psycopg")
    raise MacazError(
        f"{kind!r} is no database Macaz knows. Expected sqlite:///PATH or "
        "postgresql://USER@HOST/NAME."
    )


def file_of(url: URL) -> Path | None:
    """The file of a SQLite database; None for PostgreSQL."""
    if url.get_backend_name() != "sqlite":
        return None
    assert url.database is not None  # read_url refuses it
    return Path(url.database).resolve()


def free_space(file: Path) -> int | None:
    """The bytes that are free for a database, whose file or folder need not be there yet.

    None where that is unknown.
    """
    for folder in file.parents:
        try:
            return shutil.disk_usage(folder).free
        except FileNotFoundError:
            continue
        except OSError:
            break
    return None


def make_folder(path: Path) -> None:
    """Make the folder of a database, if it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise MacazError(f"The folder {path} cannot be made: {error.strerror}.") from None


def problem_with(path: Path) -> str | None:
    """Why a SQLite database cannot be created or written at a path, if so. Nothing is created.

    Only our own folder is made by a server: a folder that is missing is more likely misspelt, and
    an empty database in it would look like all games lost.
    """
    folder = path.parent
    if folder == _own_folder():
        folder = next(parent for parent in path.parents if parent.exists())
    if not folder.is_dir():
        return f"There is no folder {folder} for the database. Make it first."
    if path.exists():
        if not path.is_file():
            return f"{path} is not a file."
        # Not opened: closing it would release the locks that SQLite holds in this process.
        if not os.access(path, os.R_OK | os.W_OK):
            return f"{path} may not be read and written by this user. Change its rights or owner."
    try:
        with tempfile.TemporaryFile(dir=folder):  # SQLite writes its journal beside the database
            pass
    except OSError as error:
        return f"No file can be made in the folder {folder}: {error.strerror}."
    return None


def make_file(path: Path) -> None:
    """Make the file of a database, if it is not there, readable by its owner only."""
    if path.parent == _own_folder():
        make_folder(path.parent)
    if problem := problem_with(path):
        raise MacazError(problem)
    try:
        # The secrets of running games are in it. SQLite gives its other files the same mode.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise MacazError(f"The database {path} cannot be opened: {error.strerror}.") from None


class InUse(MacazError):  # noqa: N818 - as `IllegalMove`
    """Another server has the database."""


class FileLock:
    """The right to a SQLite file: one server at a time, as each holds its tables in memory.

    It is a lock of the operating system on a file beside the database, gone with its process,
    however that ends. Processes forked from this one do not hold it.
    """

    # The system's lock does not keep a process from itself.
    _mine: set[Path] = set()  # noqa: RUF012 - shared is what it is for

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(f"{database.name}.lock")
        if self.path in self._mine:
            raise self._taken(database)
        self._file: IO[bytes] = self.path.open("ab")
        try:
            if fcntl is not None:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            self._file.close()
            raise self._taken(database) from None
        except BaseException:
            self._file.close()
            raise
        self._mine.add(self.path)

    def release(self) -> None:
        """Release it. The lock file stays: to remove it would race with the next holder."""
        self._mine.discard(self.path)
        self._file.close()

    @staticmethod
    def _taken(database: Path) -> InUse:
        return InUse(
            f"Another Macaz server has {database} open. Stop it first; several servers share "
            "their games through PostgreSQL."
        )
