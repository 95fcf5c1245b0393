"""The folder of a tournament: its settings, and its games, one a line, as they were finished."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from macaz.lab.arena.result import GameResult
from macaz.lab.arena.settings import ArenaError, Settings

SETTINGS, GAMES, REPORT = "arena.json", "games.jsonl", "report.html"
# Each game is the same whatever these are: they may change when a tournament goes on.
FREE = ("games", "records", "sprt", "patience")


class Store:
    """A tournament's folder, open to add games. Use it in a `with`."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        """Begin a tournament, or go on with it; `ArenaError` where the folder has another."""
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / SETTINGS).exists():
            _check_same(folder, settings)
        elif (folder / GAMES).exists():
            raise ArenaError(f"{folder} has games, but no {SETTINGS}: choose another folder.")
        self.folder, self.settings = folder, settings
        self._file: IO[bytes] = (folder / GAMES).open("a+b")
        try:
            _lock(self._file, folder)
            _drop_half_line(self._file)
            self.results = list(read_results(folder))
            # Now, since it must not change under whoever else has the folder.
            (folder / SETTINGS).write_bytes(
                msgspec.json.format(msgspec.json.encode(settings)) + b"\n"
            )
        except BaseException:
            self._file.close()
            raise
        self._keys = {(r.deal, r.lineup) for r in self.results}

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def has(self, deal: int, lineup: tuple[str, ...]) -> bool:
        """Whether this game has been played."""
        return (deal, lineup) in self._keys

    def add(self, result: GameResult) -> GameResult | None:
        """Keep a game, at once; what is kept in memory of it, or None where it was there."""
        if self.has(result.deal, result.lineup):
            return None
        self._file.write(msgspec.json.encode(result) + b"\n")
        self._file.flush()
        self._keys.add((result.deal, result.lineup))
        bare = _bare(result)
        self.results.append(bare)
        return bare


def read_settings(folder: Path) -> Settings:
    """The settings of the tournament in a folder."""
    path = folder / SETTINGS
    try:
        return msgspec.json.decode(path.read_bytes(), type=Settings)
    except FileNotFoundError:
        raise ArenaError(f"{folder} has no tournament: there is no {SETTINGS} in it.") from None
    except msgspec.MsgspecError as error:
        raise ArenaError(f"{path} cannot be read: {error}.") from None


def read_results(folder: Path) -> Iterator[GameResult]:
    """The games of a folder in the order they were finished, without their records."""
    return map(_bare, read_games(folder))


def read_games(folder: Path) -> Iterator[GameResult]:
    """The same with their records, each game once.

    What may be about to be written, a last line without an end, is no game.
    """
    seen = set()
    path = folder / GAMES
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                result = msgspec.json.decode(line, type=GameResult)
            except msgspec.MsgspecError as error:
                raise ArenaError(
                    f"{path}, line {number} is no game: {error}. "
                    "Delete that line, and the game is played again."
                ) from None
            if (key := (result.deal, result.lineup)) not in seen:
                seen.add(key)
                yield result


def read_game(folder: Path, number: int) -> GameResult:
    """A game with its record, by its number in that order, from 1."""
    last = 0
    for last, result in enumerate(read_games(folder), 1):
        if last == number:
            return result
    raise ArenaError(f"there is no game {number} in {folder}: it has {last}.")


def _bare(result: GameResult) -> GameResult:
    return msgspec.structs.replace(result, record="")


def _check_same(folder: Path, settings: Settings) -> None:
    kept, asked = (msgspec.structs.asdict(s) for s in (read_settings(folder), settings))
    if kept["fingerprint"] == asked["fingerprint"]:
        asked["edition"] = kept["edition"]  # the same by another name: the file was moved, say
    for name, value in kept.items():
        if name not in FREE and asked[name] != value:
            raise ArenaError(
                f"{folder} has another tournament: its {name} is {_words(value)}, "
                f"not {_words(asked[name])}. Choose another folder with --out, or go on with "
                f"that one: macaz arena --out {folder}"
            )


def _words(value: object) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _drop_half_line(file: IO[bytes]) -> None:
    """A game whose line was not written to its end, as when the power fails, is played again."""
    end = file.seek(0, 2)
    keep = end
    while keep:
        start = max(0, keep - 2**16)
        file.seek(start)
        found = file.read(keep - start).rfind(b"\n")
        if found >= 0:
            keep = start + found + 1
            break
        keep = start
    if keep < end:
        file.truncate(keep)


def _lock(file: IO[bytes], folder: Path) -> None:
    """Two programs that play the same games would keep some twice."""
    try:
        import fcntl
    except ImportError:  # on Windows nothing keeps them apart
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ArenaError(
            f"another program is playing the games of {folder}: let it finish, or stop it."
        ) from None
