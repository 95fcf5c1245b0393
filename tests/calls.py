"""Calls of the kernel's entries, written down with what comes of them, for another host to repeat.

A story has arrays by name and scenes. A scene begins with bytes that are put into some arrays, and
has calls: an entry, its integers in their order, what it returns, and a checksum of the arrays that
are looked at after it.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from macaz.bots.compiled.program import ALL
from macaz.kernel.compile import CONSTANT, Argument, arguments, entries


class Call(NamedTuple):
    """A call as it is written down."""

    entry: str
    integers: tuple[int, ...]
    result: int
    checksum: int


class Scene(NamedTuple):
    """Calls one after another, and what the arrays hold before the first."""

    name: str
    given: dict[str, str]  # base64, by array
    calls: list[Call]


class Caller:
    """Arrays by name, and calls with them of the entries of one target."""

    def __init__(self, run: Any, lengths: dict[str, int], seen: tuple[str, ...]) -> None:
        self._run, self.seen = run, seen
        self._takes: dict[str, list[Argument]] = {}
        found = entries(ALL)
        known = {
            part.name: part
            for name in dir(run)
            if name in found
            for argument in self._of(found[name])
            for part in argument.flat
        }
        # Plain Python keeps arrays of its own at hand; the others take any.
        zeros = run.zeros if hasattr(run, "legal_count") else np.zeros
        self.at: dict[str, np.ndarray] = {
            name: zeros(length, known[name].dtype) for name, length in lengths.items()
        }
        self.scenes: list[Scene] = []

    def _of(self, entry: Any) -> list[Argument]:
        return self._takes.setdefault(entry.__name__, arguments(ALL, entry))

    def begin(self, name: str, **given: np.ndarray) -> None:
        """A new scene, with these arrays put into the first elements of those of the same name."""
        for array, content in given.items():
            if array in CONSTANT:  # targets may keep copies of it
                self.at[array] = content
            else:
                self.at[array][: len(content)] = content
        texts = {array: b64encode(content.tobytes()).decode() for array, content in given.items()}
        self.scenes.append(Scene(name, texts, []))

    def call(self, entry: str, *integers: int) -> int:
        """Call an entry with the arrays of its arguments' names and these integers."""
        left = iter(integers)
        given = [
            a.group(*(self.at[part.name] for part in a.parts))
            if a.group
            else (next(left) if a.dtype is None else self.at[a.name])
            for a in self._takes[entry]
        ]
        result = int(getattr(self._run, entry)(*given) or 0)
        checksum = 0
        for name in self.seen:
            checksum = crc32(self.at[name].view(np.uint8).data, checksum)
        self.scenes[-1].calls.append(Call(entry, integers, result, checksum))
        return result

    def story(self) -> dict[str, Any]:
        """All of it, for a file."""
        return {
            "arrays": {name: len(array) for name, array in self.at.items()},
            "seen": self.seen,
            "scenes": [scene._asdict() for scene in self.scenes],
        }
