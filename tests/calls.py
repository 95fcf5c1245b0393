"""Records calls of the kernel's entries and their results, for another host to repeat.

A story has arrays by name and scenes. A scene starts with bytes that are copied into some arrays,
and has calls: an entry, its integers in order, its return value, and a checksum of the arrays that
are checked after it.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from macaz.help.compiled.program import ALL
from macaz.kernel.compile import CONSTANT, Argument, arguments, entries


class Call(NamedTuple):
    """A recorded call."""

    entry: str
    integers: tuple[int, ...]
    result: int
    checksum: int


class Scene(NamedTuple):
    """A sequence of calls, and the content of the arrays before the first."""

    name: str
    given: dict[str, str]  # base64, by array
    calls: list[Call]


class Caller:
    """Arrays by name, and recorded calls of the entries of one target."""

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
        # Plain Python has arrays of its own; the other targets take any.
        zeros = run.zeros if hasattr(run, "legal_count") else np.zeros
        self.at: dict[str, np.ndarray] = {
            name: zeros(length, known[name].dtype) for name, length in lengths.items()
        }
        self.scenes: list[Scene] = []

    def _of(self, entry: Any) -> list[Argument]:
        return self._takes.setdefault(entry.__name__, arguments(ALL, entry))

    def begin(self, name: str, **given: np.ndarray) -> None:
        """Start a scene; each array given is copied into the start of the one with its name."""
        for array, content in given.items():
            if array in CONSTANT:  # targets may keep copies of it
                self.at[array] = content
            else:
                self.at[array][: len(content)] = content
        texts = {array: b64encode(content.tobytes()).decode() for array, content in given.items()}
        self.scenes.append(Scene(name, texts, []))

    def call(self, entry: str, *integers: int) -> int:
        """Call an entry with the arrays named by its parameters, and these integers."""
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
        """The whole story, for a file."""
        return {
            "arrays": {name: len(array) for name, array in self.at.items()},
            "seen": self.seen,
            "scenes": [scene._asdict() for scene in self.scenes],
        }
