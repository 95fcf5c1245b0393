"""Kernel records for plain Python: the same bytes, read and written without NumPy.

A record's arrays are memory views, which give and take Python integers, know their shape, and
refuse a value that does not fit. This is the slow target: for debugging, for coverage, and where
WebAssembly cannot be had.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from macaz.kernel.compile import Program

_FORMATS: dict[str, Any] = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "f4": "f", "f8": "d"}


def _scalar(name: str) -> property:
    def read(record: Any) -> Any:
        return record.scalars[name][0]

    def write(record: Any, value: Any) -> None:
        record.scalars[name][0] = value

    return property(read, write)


@cache
def record_class(dtype: np.dtype[Any]) -> type:
    """The class of a record over a writable buffer."""
    fields = [(name, *dtype.fields[name][:2]) for name in dtype.names or ()]  # type: ignore[index]

    def init(self: Any, buffer: Any) -> None:
        self.raw = memoryview(buffer).cast("B")
        self.scalars = {}
        for name, kind, offset in fields:
            part = self.raw[offset : offset + kind.itemsize]
            form = _FORMATS[kind.base.str[1:]]
            if kind.shape:
                setattr(self, name, part.cast(form, kind.shape))
            else:
                self.scalars[name] = part.cast(form)

    body: dict[str, Any] = {
        "__slots__": ("raw", "scalars", *(name for name, kind, _ in fields if kind.shape)),
        "__init__": init,
        "__doc__": "A record in plain Python.",
    }
    body |= {name: _scalar(name) for name, kind, _ in fields if not kind.shape}
    return type("PlainRecord", (), body)


class PlainArray(list[Any]):
    """Plain records that share the memory of an array."""

    def __setitem__(self, i: Any, record: Any) -> None:
        self[i].raw[:] = record.raw


def plain(array: np.ndarray) -> PlainArray:
    """An array of records, as a list of plain ones that share its memory."""
    kind = record_class(array.dtype)
    return PlainArray(kind(array[i : i + 1].view(np.uint8)) for i in range(len(array)))


class PlainTable:
    """A table of numbers that gives and takes Python's: whole rows, or number by number."""

    def __init__(self, array: np.ndarray) -> None:
        self._array, self._view, self.shape = array, array.data, array.shape

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, at: Any) -> Any:
        return self._view[at] if isinstance(at, tuple) else self._array[at].data

    def __setitem__(self, at: tuple[int, int], value: Any) -> None:
        self._view[at] = value


class _Kept:
    """Arrays that entries are given again and again, as plain ones, by their identity."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[np.ndarray, Any]] = {}

    def zeros(self, shape: int | tuple[int, ...], dtype: Any) -> np.ndarray:
        """A new array of zeros that is kept as long as the program is."""
        array = np.zeros(shape, dtype)
        self._found[id(array)] = array, _as_plain(array)
        return array

    def plain(self, value: Any, *, constant: bool) -> Any:
        """An argument of an entry as plain functions take it."""
        if isinstance(value, tuple):  # a group of arrays
            return type(value)(*(self.plain(part, constant=False) for part in value))
        if not isinstance(value, np.ndarray):
            return value
        found = self._found.get(id(value))
        if found is None:
            found = value, _as_plain(value)
            if constant:
                self._found[id(value)] = found
        return found[1]


def accepting_arrays(program: Program, run: SimpleNamespace) -> SimpleNamespace:
    """A program's plain functions, its entries with arrays as the other targets take them."""
    from macaz.kernel.compile import CONSTANT, arguments, entries

    kept = _Kept()

    def accepting(name: str, entry: FunctionType) -> Callable[..., Any]:
        function = getattr(run, name)
        constant = [a.name in CONSTANT for a in arguments(program, entry)]

        def call(*given: Any) -> Any:
            both = zip(given, constant, strict=True)
            return function(*(kept.plain(value, constant=fixed) for value, fixed in both))

        return call

    made = {name: accepting(name, entry) for name, entry in entries(program).items()}
    return SimpleNamespace(**{**vars(run), **made, "zeros": kept.zeros})


def _as_plain(array: np.ndarray) -> Any:
    if array.dtype.names:
        return plain(array)
    return array.data if array.ndim == 1 else PlainTable(array)
