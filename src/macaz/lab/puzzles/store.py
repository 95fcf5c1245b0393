"""The folder of a run: its settings, the games so far with what was found in them, the puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import msgspec

from macaz.help.puzzles import Puzzle, PuzzleFile, write_puzzles
from macaz.lab.appended import drop_incomplete_line, lock
from macaz.lab.puzzles.settings import PuzzleError, Settings

SETTINGS, FOUND, PUZZLES = "settings.json", "found.jsonl", "puzzles.json"
CHANGEABLE = ("count",)  # may differ when a run is resumed


class Candidate(msgspec.Struct, frozen=True):
    """A puzzle that was found, and by what it differs from others."""

    ply: int  # of the decision in its game
    seats: int
    stage: str  # of the game: "opening", "middle" or "end"
    choice: tuple[str | int, ...]  # what the right move decides
    puzzle: Puzzle


class Searched(msgspec.Struct, frozen=True):
    """A game that was searched."""

    game: int  # its number, from 0
    candidates: tuple[Candidate, ...]


class Folder:
    """A folder, open for appending. Use it in a `with`."""

    def __init__(self, path: Path, settings: Settings) -> None:
        """Begin or resume a run; `PuzzleError` if the folder has another one."""
        path.mkdir(parents=True, exist_ok=True)
        if (path / SETTINGS).exists():
            _check_same(path, settings)
        self.path, self.settings = path, settings
        self._file: IO[bytes] = (path / FOUND).open("a+b")
        try:
            if not lock(self._file):
                raise PuzzleError(
                    f"another program is making puzzles in {path}: let it finish, or stop it."
                )
            drop_incomplete_line(self._file)
            self.searched = list(_read(path / FOUND))
            _write(path / SETTINGS, msgspec.json.format(msgspec.json.encode(settings)) + b"\n")
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, searched: Searched) -> None:
        """Append the next game."""
        self._file.write(msgspec.json.encode(searched) + b"\n")
        self._file.flush()
        self.searched.append(searched)

    def write(self, puzzles: PuzzleFile) -> None:
        """Write the file of puzzles, or replace it."""
        _write(self.path / PUZZLES, write_puzzles(puzzles))


def read_settings(path: Path) -> Settings:
    """The settings of a folder."""
    try:
        return msgspec.json.decode((path / SETTINGS).read_bytes(), type=Settings)
    except FileNotFoundError:
        raise PuzzleError(f"{path} has no puzzles: there is no {SETTINGS} in it.") from None
    except msgspec.MsgspecError as error:
        raise PuzzleError(f"{path / SETTINGS} cannot be read: {error}.") from None


def _read(path: Path) -> list[Searched]:
    found = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            found.append(msgspec.json.decode(line, type=Searched))
        except msgspec.MsgspecError as error:
            raise PuzzleError(
                f"{path}, line {number} cannot be read: {error}. Delete it and the lines after it."
            ) from None
    return found


def _check_same(path: Path, settings: Settings) -> None:
    kept, asked = (msgspec.structs.asdict(one) for one in (read_settings(path), settings))
    for name, value in kept.items():
        if name not in CHANGEABLE and asked[name] != value:
            raise PuzzleError(
                f"{path} has other puzzles: its {name} is not the same. Choose another folder with "
                f"--out, or continue the run in it: macaz puzzles make --out {path}"
            )


def _write(path: Path, content: bytes) -> None:
    """Write or replace a file completely, or not at all."""
    draft = path.with_name(f"{path.name}.new")
    draft.write_bytes(content)
    draft.replace(path)
