"""Kernel records for plain Python: the same bytes, read and written without NumPy.

A record's arrays are memory views, which give and take Python integers, know their shape, and
refuse a value that does not fit. This is the slow way to run, for debugging and coverage.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from macaz.kernel.layout import RECORDS, dtype_of

_FORMATS: dict[str, Any] = {"i1": "b", "i2": "h", "i8": "q"}


def _scalar(name: str) -> property:
    def read(record: Any) -> int:
        value: int = record.scalars[name][0]
        return value

    def write(record: Any, value: int) -> None:
        record.scalars[name][0] = value

    return property(read, write)


@cache
def record_class(record: str) -> type:
    """The class of a kernel record over a writable buffer."""
    fields = RECORDS[record]
    dtype = dtype_of(record)
    offsets = {name: dtype.fields[name][1] for name in dtype.names or ()}  # type: ignore[index]
    arrays = [f for f in fields if f.shape]
    scalars = [f for f in fields if not f.shape]

    def init(self: Any, buffer: Any) -> None:
        raw = memoryview(buffer).cast("B")
        self.scalars = {}
        for f in fields:
            size = int(f.kind[1])
            for n in f.shape:
                size *= n
            part = raw[offsets[f.name] : offsets[f.name] + size]
            kind = _FORMATS[f.kind]
            if f.shape:
                setattr(self, f.name, part.cast(kind, f.shape))
            else:
                self.scalars[f.name] = part.cast(kind)

    body: dict[str, Any] = {
        "__slots__": ("scalars", *(f.name for f in arrays)),
        "__init__": init,
        "__doc__": f"A {record} record in plain Python.",
    }
    body |= {f.name: _scalar(f.name) for f in scalars}
    return type(f"Plain{record.title()}", (), body)


def plain(record: str, array: Any) -> list[Any]:
    """An array of records, as a list of plain ones that share its memory."""
    kind = record_class(record)
    return [kind(array[i : i + 1].view("u1")) for i in range(len(array))]
