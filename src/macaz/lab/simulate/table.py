"""A simulation as a Parquet file: one row a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from macaz.kernel.cpu import Batch
from macaz.kernel.spec import Spec
from macaz.lab.parquet import ParquetFile, need_pyarrow

ROW_GROUP = 65_536


class GamesTable(ParquetFile):
    """Writes batches of games. To be used in a `with`."""

    def __init__(
        self,
        path: Path,
        spec: Spec,
        seed: int,
        parts: Sequence[str],
        tie_breaks: Mapping[int, str],
    ) -> None:
        self._spec = spec
        self._seed = seed
        self._parts = parts
        self._ties = tie_breaks
        super().__init__(path, self._make_schema(need_pyarrow()), ROW_GROUP)

    def _make_schema(self, pa: Any) -> Any:
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

    def add(self, batch: Batch) -> None:
        """Append these games."""
        self.write(self._table_of(batch))

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
        return pa.Table.from_arrays(columns, schema=self.schema)
