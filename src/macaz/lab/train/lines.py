"""JSON Lines files of a training; an incomplete last line is ignored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from macaz.errors import MacazError
from macaz.lab.appended import drop_incomplete_line

Kind = TypeVar("Kind")


class _Numbered(msgspec.Struct):
    """The field by which lines are dropped."""

    iteration: int


def read_lines(path: Path, kind: type[Kind]) -> Iterator[Kind]:
    """The decoded lines; none if there is no file."""
    for _, content in _decoded(path, kind):
        yield content


def add_line(path: Path, content: Any) -> None:
    """Append a line, replacing an incomplete last one."""
    with path.open("a+b") as file:
        drop_incomplete_line(file)
        file.write(msgspec.json.encode(content) + b"\n")


def drop_from(path: Path, iteration: int) -> None:
    """Drop this iteration, later ones, and an incomplete last line."""
    kept = [line for line, found in _decoded(path, _Numbered) if found.iteration < iteration]
    if path.exists() and sum(map(len, kept)) != path.stat().st_size:
        rewritten = path.with_name(f"{path.name}.new")
        rewritten.write_bytes(b"".join(kept))
        rewritten.replace(path)


def _decoded(path: Path, kind: type[Kind]) -> Iterator[tuple[bytes, Kind]]:
    """The complete lines, raw and decoded."""
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
