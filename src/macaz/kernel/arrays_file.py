"""Arrays files: named arrays and what they are, in one file that a host without NumPy can read.

A file begins with the length of its header, a 32-bit number, and the header, JSON in UTF-8:

    {"format": "macaz arrays 1",
     "arrays": {"spec": {"dtype": "spec", "shape": [1], "at": 176}, …},
     "about": {…}}

`dtype` is the name of a record (`layout.py`) or a kind of number: i1, i2, i4, i8, f2, f4 or f8.
`at` is where the array begins in the file, a multiple of 16. All numbers are little endian.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

FORMAT = "macaz arrays 1"
# Bytes. Arrays in the kernel's memory are aligned likewise, so a file there can be used as it is.
ALIGNED = 16
LENGTH_BYTES = 4


def arrays_file(
    arrays: Mapping[str, np.ndarray],
    *,
    records: Mapping[str, str] | None = None,
    about: Mapping[str, Any] | None = None,
) -> bytes:
    """The bytes of a file with these arrays; equal arrays give equal bytes.

    `records` has the name of the record for each array of a structured dtype.
    """
    names = dict(records or {})
    parts = {
        name: np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        for name, array in arrays.items()
    }
    kinds = {
        name: names[name] if part.dtype.names else part.dtype.str[1:]
        for name, part in parts.items()
    }

    def header(start: int) -> bytes:
        described, at = {}, start
        for name, part in parts.items():
            at = _aligned(at)
            described[name] = {"dtype": kinds[name], "shape": list(part.shape), "at": at}
            at += part.nbytes
        written = {"format": FORMAT, "arrays": described, "about": dict(about or {})}
        return json.dumps(written, ensure_ascii=False, separators=(",", ":")).encode()

    # The header has the places of the arrays, which depend on its length.
    start, head = 0, header(0)
    while start != LENGTH_BYTES + len(head):
        start = LENGTH_BYTES + len(head)
        head = header(start)
    file = bytearray(len(head).to_bytes(LENGTH_BYTES, "little") + head)
    for part in parts.values():
        file.extend(bytes(_aligned(len(file)) - len(file)))
        file.extend(part.tobytes())
    return bytes(file)


def _aligned(at: int) -> int:
    return -(-at // ALIGNED) * ALIGNED
