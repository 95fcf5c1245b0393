"""Files of JSON lines that a training adds to: a line that was cut off is no line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from macaz.errors import MacazError

Kind = TypeVar("Kind")


class _Numbered(msgspec.Struct):
    """All that is needed to know whether a line stays."""

    iteration: int


def read_lines(path: Path, kind: type[Kind]) -> Iterator[Kind]:
    """What the lines say; nothing where there is no file."""
    for number, line in enumerate(_whole(path), 1):
        try:
            yield msgspec.json.decode(line, type=kind)
        except msgspec.MsgspecError as error:
            raise MacazError(
                f"{path}, line {number} cannot be read: {error}. Delete that line."
            ) from None


def add_line(path: Path, content: Any) -> None:
    """Add a line; it is in the file when this returns."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(content) + b"\n")


def drop_from(path: Path, iteration: int) -> None:
    """Forget an iteration, those after it, and a line that was cut off."""
    kept = [line for line in _whole(path) if _number(line) < iteration]
    if path.exists() and sum(map(len, kept)) != path.stat().st_size:
        fresh = path.with_name(f"{path.name}.new")
        fresh.write_bytes(b"".join(kept))
        fresh.replace(path)


def _number(line: bytes) -> int:
    return msgspec.json.decode(line, type=_Numbered).iteration


def _whole(path: Path) -> list[bytes]:
    if not path.exists():
        return []
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
