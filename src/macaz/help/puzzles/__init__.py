"""Puzzles: positions in which one move is clearly the best, with that move and why it is.

A puzzle has what the seat may know and nothing else. A file has the puzzles of one edition,
whatever its options: those of Macaz lie in this folder, those of a map of one's own beside its
file, as `my-map.puzzles.json`. `macaz puzzles make` writes them.
"""

from __future__ import annotations

import gzip
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from macaz.errors import MacazError
from macaz.help.reasons import Reason

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from macaz.edition import Edition

FORMAT = 1
SUFFIX = ".puzzles.json"
PACKED = ".json.gz"
# What the best move is about.
PuzzleKind = Literal[
    "claim", "card", "tickets", "keep", "tunnel", "station", "marker", "alvin", "start", "return"
]
Grade = Literal["easy", "medium", "hard"]
GRADES: tuple[Grade, ...] = get_args(Grade)


class Compared(msgspec.Struct, frozen=True):
    """A move of a puzzle, as many tries found it."""

    move: str  # as in records
    chance: float  # of winning: that of the best move less `loss`
    error: float  # its standard error
    loss: float  # chance less than that of the best move
    doubt: float  # standard error of the loss
    margin: float  # points ahead of the best other seat at the end, on average
    tries: int


class Check(msgspec.Struct, frozen=True):
    """A comparison in which the right move was the best; each has a seed of its own."""

    seed: int  # of the tries
    tries: int  # of the right move
    loss: float  # by the best other move: how much less its chance was
    doubt: float  # standard error of the loss


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A position, the move that is clearly the best in it, and what others cost."""

    id: str  # of the position: ten hexadecimal digits
    kind: PuzzleKind
    grade: Grade
    found: tuple[str, ...]  # the bots that make the right move
    answers: tuple[str, ...]  # the right move, the best way to pay for it first
    moves: tuple[Compared, ...]  # the best first
    checks: tuple[Check, ...]  # in their order: the first short, the last long, with its `moves`
    reasons: tuple[Reason, ...]  # why it is better than the best other move
    position: dict[str, Any]  # what the seat may know: docs/positions.md


class PuzzleFile(msgspec.Struct, frozen=True):
    """The puzzles of an edition."""

    format: int = msgspec.field(name="macaz puzzles")
    command: str  # that made them
    bots: tuple[str, ...]  # that tried to solve them
    puzzles: tuple[Puzzle, ...]


class BadPuzzles(MacazError):  # noqa: N818 - named like IllegalMove
    """A file is no file of puzzles, or damaged, or of another version."""


def write_puzzles(found: PuzzleFile) -> bytes:
    """The text of a file, with a line for each puzzle."""
    head = msgspec.structs.replace(found, puzzles=())
    text = msgspec.json.encode(head)
    lines = b",\n".join(msgspec.json.encode(puzzle) for puzzle in found.puzzles)
    return text.replace(b'"puzzles":[]', b'"puzzles":[\n' + lines + b"\n]") + b"\n"


def read_puzzles(content: bytes, source: str) -> PuzzleFile:
    """The puzzles of a file; `source` names it in messages. Raises `BadPuzzles`."""
    try:
        found = msgspec.json.decode(content, type=PuzzleFile)
    except msgspec.MsgspecError as error:
        raise BadPuzzles(f"{source} is no file of puzzles: {error}.") from None
    if found.format != FORMAT:
        raise BadPuzzles(
            f"{source} has the format {found.format}, not {FORMAT}: make its puzzles again."
        )
    return found


def puzzles_of(edition: Edition) -> PuzzleFile | None:
    """The puzzles of an edition with any of its options; None if there are none."""
    if edition.source.startswith("macaz:"):
        packed = packed_file(edition.id)
        if packed.is_file():
            return read_puzzles(gzip.decompress(packed.read_bytes()), packed.name)
    elif edition.source.endswith(".toml"):
        path = Path(edition.source).with_suffix(SUFFIX)
        if path.is_file():
            return read_puzzles(path.read_bytes(), str(path))
    return None


def packed_file(edition: str) -> Traversable:
    """The file of an edition that comes with Macaz."""
    return files(__name__) / f"{edition}{PACKED}"
