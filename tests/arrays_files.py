"""Reads arrays files, for tests of what writes them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from macaz.bots.compiled import layout as of
from macaz.kernel.layout import RECORDS, dtype_of

RECORD_DTYPES: dict[str, Any] = {**{name: dtype_of(name) for name in RECORDS}, **of.dtypes}


def read_arrays(file: bytes) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays of a file by name, and its metadata."""
    length = int.from_bytes(file[:4], "little")
    header = json.loads(file[4 : 4 + length])
    assert set(header) == {"format", "arrays", "about"}
    assert header["format"] == "macaz arrays 1"
    arrays, end = {}, 4 + length
    for name, told in header["arrays"].items():
        assert set(told) == {"dtype", "shape", "at"}
        dtype = np.dtype(RECORD_DTYPES.get(told["dtype"]) or f"<{told['dtype']}")
        count = int(np.prod(told["shape"]))
        assert end <= told["at"] < end + 16
        assert told["at"] % 16 == 0
        assert file[end : told["at"]] == bytes(told["at"] - end)
        arrays[name] = np.frombuffer(file, dtype, count, told["at"]).reshape(told["shape"])
        end = told["at"] + count * dtype.itemsize
    assert end == len(file)
    return arrays, header["about"]
