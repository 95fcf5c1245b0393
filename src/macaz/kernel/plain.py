"""Kernel records for plain Python: the same bytes, read and written without NumPy.

A record's arrays are memory views, which give and take Python integers, know their shape, and
refuse a value that does not fit. This is the slow way to run, for debugging and coverage.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from macaz.kernel.layout import RECORDS, Field, dtype_from

_FORMATS: dict[str, Any] = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "f4": "f", "f8": "d"}


def _scalar(name: str) -> property:
    def read(record: Any) -> Any:
        return record.scalars[name][0]

    def write(record: Any, value: Any) -> None:
        record.scalars[name][0] = value

    return property(read, write)


@cache
def record_class(record: str | tuple[Field, ...]) -> type:
    """The class of a record over a writable buffer: the kernel's of a name, or of these fields."""
    fields = RECORDS[record] if isinstance(record, str) else record
    dtype = dtype_from(fields)
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
        "__doc__": "A record in plain Python.",
    }
    body |= {f.name: _scalar(f.name) for f in scalars}
    return type("PlainRecord", (), body)


def plain(record: str | tuple[Field, ...], array: Any) -> list[Any]:
    """An array of records, as a list of plain ones that share its memory."""
    kind = record_class(record)
    return [kind(array[i : i + 1].view("u1")) for i in range(len(array))]
