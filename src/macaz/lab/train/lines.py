"""Files of JSON lines that a training adds to: a line that was cut off is no line."""

from __future__ import annotations

from collections.abc import Iterator
from os import SEEK_END
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from macaz.errors import MacazError

Kind = TypeVar("Kind")


class _Numbered(msgspec.Struct):
    """All that is needed to know whether a line stays."""

    iteration: int


def read_lines(path: Path, kind: type[Kind]) -> Iterator[Kind]:
    """What the lines say; nothing where there is no file."""
    for _, content in _decoded(path, kind):
        yield content


def add_line(path: Path, content: Any) -> None:
    """Add a line, in place of one that was cut off; it is in the file when this returns."""
    with path.open("a+b") as file:
        _cut(file)
        file.write(msgspec.json.encode(content) + b"\n")


def drop_from(path: Path, iteration: int) -> None:
    """Forget an iteration, those after it, and a line that was cut off."""
    kept = [line for line, found in _decoded(path, _Numbered) if found.iteration < iteration]
    if path.exists() and sum(map(len, kept)) != path.stat().st_size:
        fresh = path.with_name(f"{path.name}.new")
        fresh.write_bytes(b"".join(kept))
        fresh.replace(path)


def _decoded(path: Path, kind: type[Kind]) -> Iterator[tuple[bytes, Kind]]:
    """The whole lines, and what they say."""
    content = path.read_bytes() if path.exists() else b""
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        if not line.endswith(b"\n"):
            return
        try:
            yield line, msgspec.json.decode(line, type=kind)
        except msgspec.MsgspecError as error:
            raise MacazError(
                f"{path}, line {number} cannot be read: {error}. Delete that line."
            ) from None


def _cut(file: IO[bytes]) -> None:
    """Cut off what comes after the last whole line of a file that is open at its end."""
    if file.tell() == 0:
        return
    file.seek(-1, SEEK_END)
    if file.read() != b"\n":
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
