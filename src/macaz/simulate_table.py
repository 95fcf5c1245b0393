"""One row a game, as a Parquet file.

The file takes its name only once it is complete, so a file of that name is always whole: the old
one until then, the new one afterwards. Its content depends on the games alone.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from macaz.errors import MissingExtra
from macaz.kernel.cpu import Batch
from macaz.kernel.spec import Spec

ROW_GROUP = 65_536


def need_pyarrow() -> Any:
    """Pyarrow and its Parquet module."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "writing a Parquet file") from error
    return pyarrow


def check_writable(path: Path) -> None:
    """Raise OSError unless a file of this name could be written."""
    if path.exists() and not path.is_file():
        raise OSError("it is there and is not a file")
    if path.exists() and not os.access(path, os.W_OK):
        raise OSError("it is write-protected")
    if not path.parent.is_dir():
        raise OSError(f"there is no folder {path.parent}")
    with tempfile.TemporaryFile(dir=path.parent):
        pass


class GamesTable:
    """Writes batches of games to a file, in row groups of one size."""

    def __init__(
        self,
        path: Path,
        spec: Spec,
        seed: int,
        parts: Sequence[str],
        tie_breaks: Mapping[int, str],
    ) -> None:
        self._arrow = need_pyarrow()
        check_writable(path)
        self.path = path
        self._spec = spec
        self._seed = seed
        self._parts = parts
        self._ties = tie_breaks
        self._pending: list[Any] = []
        self._rows = 0
        self._schema = self._make_schema()

    def _make_schema(self) -> Any:
        pa = self._arrow
        columns = [
            ("game", pa.int64()),
            ("seed", pa.int64()),
            ("decisions", pa.int32()),
            ("tie_break", pa.dictionary(pa.int8(), pa.string())),
        ]
        per_seat = [
            ("score", pa.int16()),
            ("won", pa.float64()),
            *((part, pa.int16()) for part in self._parts),
            ("completed", pa.int8()),
            ("path", pa.int16()),
        ]
        for seat in range(1, self._spec.seats + 1):
            columns += [(f"{name}_{seat}", kind) for name, kind in per_seat]
        edition = self._spec.edition
        about = {
            "macaz.edition": edition.qualified_id,
            "macaz.fingerprint": edition.fingerprint,
            "macaz.players": str(self._spec.seats),
            "macaz.seed": str(self._seed),
        }
        fields = [pa.field(name, kind, nullable=False) for name, kind in columns]
        return pa.schema(fields, metadata=about)

    def __enter__(self) -> GamesTable:
        # A folder of its own, beside the file: what is made in it has the rights of any new file.
        self._folder = Path(tempfile.mkdtemp(".part", f".{self.path.name}.", self.path.parent))
        self._part = self._folder / self.path.name
        try:
            self._writer = self._arrow.parquet.ParquetWriter(
                self._part, self._schema, compression="zstd"
            )
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        return self

    def add(self, batch: Batch) -> None:
        """Append these games."""
        self._pending.append(self._table_of(batch))
        self._rows += len(batch)
        if self._rows >= ROW_GROUP:
            self._flush(self._rows - self._rows % ROW_GROUP)

    def _table_of(self, batch: Batch) -> Any:
        pa = self._arrow
        tallies, count = batch.tallies, len(batch)
        ties = pa.array(list(self._ties.values()), pa.string())
        flags = (tallies["winners"][:, None] >> np.arange(self._spec.seats)) & 1
        won = flags / flags.sum(1, keepdims=True)
        columns: list[Any] = [
            pa.array(np.arange(batch.start, batch.start + count)),
            pa.array(np.full(count, self._seed, np.int64)),
            pa.array(batch.lengths),
            pa.DictionaryArray.from_arrays(pa.array(tallies["tie_break"].copy()), ties),
        ]
        for seat in range(self._spec.seats):
            columns.append(pa.array(tallies["total"][:, seat].copy()))
            columns.append(pa.array(won[:, seat].copy()))
            columns += [
                pa.array(tallies[name][:, seat].copy())
                for name in (*self._parts, "completed", "path")
            ]
        return pa.Table.from_arrays(columns, schema=self._schema)

    def _flush(self, rows: int) -> None:
        table = self._arrow.concat_tables(self._pending)
        if rows:
            self._writer.write_table(table.slice(0, rows), row_group_size=ROW_GROUP)
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
