"""Writes Parquet files atomically.

A file takes its name only once it is complete, so a file of that name is always whole: the old
one until then, the new one afterwards. Its content depends on its rows alone.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from macaz.errors import MissingExtra


def need_pyarrow() -> Any:
    """Import pyarrow and its Parquet module, or raise MissingExtra."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "writing a Parquet file", "lab") from error
    return pyarrow


def check_writable(path: Path) -> None:
    """Raise OSError unless a file can be written at this path."""
    if path.exists() and not path.is_file():
        raise OSError("it is there and is not a file")
    if path.exists() and not os.access(path, os.W_OK):
        raise OSError("it is write-protected")
    if not path.parent.is_dir():
        raise OSError(f"there is no folder {path.parent}")
    with tempfile.TemporaryFile(dir=path.parent):
        pass


class ParquetFile:
    """Writes tables of one schema to a file, in row groups of one size. To be used in a `with`."""

    def __init__(self, path: Path, schema: Any, row_group: int) -> None:
        self._arrow = need_pyarrow()
        check_writable(path)
        self.path = path
        self.schema = schema
        self._row_group = row_group
        self._pending: list[Any] = []
        self._rows = 0

    def __enter__(self) -> Self:
        # A temporary folder beside the file, so that the file gets the usual permissions.
        self._folder = Path(tempfile.mkdtemp(".part", f".{self.path.name}.", self.path.parent))
        self._part = self._folder / self.path.name
        try:
            self._writer = self._arrow.parquet.ParquetWriter(
                self._part, self.schema, compression="zstd"
            )
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        return self

    def write(self, table: Any) -> None:
        """Append these rows."""
        self._pending.append(table)
        self._rows += len(table)
        if self._rows >= self._row_group:
            self._flush(self._rows - self._rows % self._row_group)

    def _flush(self, rows: int) -> None:
        # One set of categories for a row group: each table may have its own.
        table = self._arrow.concat_tables(self._pending).unify_dictionaries()
        if rows:
            self._writer.write_table(table.slice(0, rows), row_group_size=self._row_group)
        self._pending = [table.slice(rows)]
        self._rows -= rows

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None and self._pending:
                self._flush(self._rows)
            self._writer.close()
            if error is None:
                if self.path.exists():
                    shutil.copymode(self.path, self._part)
                self._part.replace(self.path)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
