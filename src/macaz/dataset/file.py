"""A Parquet file that takes its name only once it is complete: it is whole, or not there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from macaz.simulate_table import check_writable, need_pyarrow

ROW_GROUP = 16 << 20  # bytes, roughly: what is kept in memory until it is written


class ParquetFile:
    """Writes tables to a file, in row groups of a size. To be used in a `with`."""

    def __init__(self, path: Path, schema: Any) -> None:
        self._arrow = need_pyarrow()
        check_writable(path)
        self._path = path
        self._schema = schema
        self._pending: list[Any] = []
        self._size = 0

    def __enter__(self) -> Self:
        # A folder of its own, beside the file: what is made in it has the rights of any new file.
        self._folder = tempfile.TemporaryDirectory(
            ".part", f".{self._path.name}.", self._path.parent
        )
        self._part = Path(self._folder.name) / self._path.name
        self._writer = self._arrow.parquet.ParquetWriter(
            self._part, self._schema, compression="zstd"
        )
        return self

    def add(self, table: Any) -> None:
        """Append these rows."""
        self._pending.append(table)
        self._size += table.nbytes
        if self._size >= ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        # One set of categories for a row group: each table has its own.
        table = self._arrow.concat_tables(self._pending).unify_dictionaries()
        self._writer.write_table(table, row_group_size=max(1, len(table)))
        self._pending, self._size = [], 0

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None and self._pending:
                self._flush()
            self._writer.close()
            if kind is None:
                self._part.replace(self._path)
        finally:
            self._folder.cleanup()


def table_of(rows: Iterable[dict[str, Any]], schema: Any) -> Any:
    """Rows as a table."""
    return need_pyarrow().Table.from_pylist(list(rows), schema)
