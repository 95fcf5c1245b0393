"""The folder of a tournament: its settings, and its games as JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from macaz.lab.appended import drop_incomplete_line, lock
from macaz.lab.arena.result import GameResult
from macaz.lab.arena.settings import ArenaError, Settings

SETTINGS, GAMES, REPORT = "arena.json", "games.jsonl", "report.html"
# Settings that do not change any game, and may differ when a tournament is resumed.
CHANGEABLE = ("games", "records", "sprt", "patience")
COMPARED_APART = ("digests",)


class Store:
    """The folder of a tournament, open for appending. Use it in a `with`."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        """Begin or resume a tournament; `ArenaError` if the folder has another one."""
        folder.mkdir(parents=True, exist_ok=True)
        digests: dict[str, str] = {}
        if (folder / SETTINGS).exists():
            digests = _check_same(folder, settings).digests
        elif (folder / GAMES).exists():
            raise ArenaError(f"{folder} has games, but no {SETTINGS}: choose another folder.")
        self.folder, self.settings = folder, settings
        self._file: IO[bytes] = (folder / GAMES).open("a+b")
        try:
            if not lock(self._file):  # two programs would play the same games
                raise ArenaError(
                    f"another program is playing the games of {folder}: let it finish, or stop it."
                )
            drop_incomplete_line(self._file)
            self.results = list(read_results(folder))
            if self.results:
                _check_unchanged(folder, digests, settings)
            # Only with the lock: another program may be using the folder.
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
        return (deal, lineup) in self._keys

    def add(self, result: GameResult) -> GameResult | None:
        """Append a game; returns it without its record, or None if it was there already."""
        if self.has(result.deal, result.lineup):
            return None
        self._file.write(msgspec.json.encode(result) + b"\n")
        self._file.flush()
        self._keys.add((result.deal, result.lineup))
        bare = _bare(result)
        self.results.append(bare)
        return bare


def read_settings(folder: Path) -> Settings:
    path = folder / SETTINGS
    try:
        return msgspec.json.decode(path.read_bytes(), type=Settings)
    except FileNotFoundError:
        raise ArenaError(f"{folder} has no tournament: there is no {SETTINGS} in it.") from None
    except msgspec.MsgspecError as error:
        raise ArenaError(f"{path} cannot be read: {error}.") from None


def read_results(folder: Path) -> Iterator[GameResult]:
    """The games of a folder in the order they finished, without their records."""
    return map(_bare, read_games(folder))


def read_games(folder: Path) -> Iterator[GameResult]:
    """The games of a folder with their records, without duplicates.

    An incomplete last line is ignored: it may be in the middle of being written.
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
                    f"{path}, line {number} is not a game: {error}. "
                    "Delete that line, and the game is played again."
                ) from None
            if (key := (result.deal, result.lineup)) not in seen:
                seen.add(key)
                yield result


def read_game(folder: Path, number: int) -> GameResult:
    """A game with its record, by its number in the folder, from 1."""
    last = 0
    for last, result in enumerate(read_games(folder), 1):
        if last == number:
            return result
    raise ArenaError(f"there is no game {number} in {folder}: it has {last}.")


def _bare(result: GameResult) -> GameResult:
    return msgspec.structs.replace(result, record="")


def _check_same(folder: Path, settings: Settings) -> Settings:
    """The settings of the folder, unless they are of another tournament."""
    stored = read_settings(folder)
    kept, asked = (msgspec.structs.asdict(s) for s in (stored, settings))
    if kept["fingerprint"] == asked["fingerprint"]:
        asked["edition"] = kept["edition"]  # the same edition under another path or name
    for name, value in kept.items():
        if name not in (*CHANGEABLE, *COMPARED_APART) and asked[name] != value:
            raise ArenaError(
                f"{folder} has another tournament: its {name} is {_words(value)}, "
                f"not {_words(asked[name])}. Choose another folder with --out, or resume "
                f"that one: macaz arena --out {folder}"
            )
    return stored


def _check_unchanged(folder: Path, digests: dict[str, str], settings: Settings) -> None:
    """Raise `ArenaError` if the file of a bot is not the one that played the games."""
    for bot, digest in digests.items():
        if settings.digests.get(bot) != digest:
            raise ArenaError(
                f"{folder} has games of {bot} as it was before its file was changed. Choose "
                f"another folder with --out, or delete {folder} to begin again."
            )


def _words(value: object) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)
