"""The sources of a dataset: games played by bots, or recorded games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from macaz.bots import close_bot, make_bot
from macaz.edition import Edition
from macaz.errors import MacazError
from macaz.game import Game
from macaz.game.record import folders_of, load_record

ARENA_GAMES = "games.jsonl"


@dataclass(frozen=True, slots=True)
class Match:
    """A game to be played by bots."""

    number: int
    edition: Edition
    lineup: tuple[str, ...]  # a bot for each seat
    seed: str

    def game(self) -> Game:
        """Play the game to its end; the same seed gives the same game."""
        game = Game(self.edition, len(self.lineup), seed=self.seed, names=self.lineup)
        bots = [make_bot(bot, seed=f"{self.seed} {i}") for i, bot in enumerate(self.lineup)]
        try:
            while deciding := game.deciding:
                # Where several seats choose at once, none sees what the others chose.
                chosen = [
                    (seat, bots[seat].choose(game.view(seat), list(game.legal_moves_of(seat))))
                    for seat in deciding
                ]
                for seat, move in chosen:
                    game.push(move, seat)
        except Exception as error:
            who = ", ".join(self.lineup[seat] for seat in game.deciding)
            raise MacazError(
                f"game {self.number} could not be played on, with {who} to decide: {error}"
            ) from error
        finally:
            for bot in bots:
                with suppress(Exception):  # it may have failed already
                    close_bot(bot)
        return game


@dataclass(frozen=True, slots=True)
class Record:
    """A game that was played before."""

    number: int
    text: str
    place: str  # where it was found
    folders: tuple[Path, ...]  # to search for a user's own maps

    def game(self) -> Game:
        """The game, replayed."""
        try:
            return load_record(self.text, folders=self.folders)
        except MacazError as error:
            raise MacazError(f"{self.place}: {error}") from error


Source = Match | Record


def matches(
    edition: Edition, seats: int, bots: tuple[str, ...], games: int, seed: int
) -> Iterator[Match]:
    """Games with the bots in turn at every seat; each game has a deal of its own."""
    for number in range(games):
        lineup = tuple(bots[(number + seat) % len(bots)] for seat in range(seats))
        yield Match(number, edition, lineup, f"{seed}-{number}")


def records(path: Path) -> Iterator[Record]:
    """The records in a file or a folder, or of an arena: by its folder, or its file of games."""
    folders = folders_of(path)
    if path.is_dir() and (path / ARENA_GAMES).exists():
        path = path / ARENA_GAMES
    if path.is_dir():
        files = sorted(path.rglob("*.macaz"))
        if not files:
            raise MacazError(f"{path} has no records: neither *.macaz nor {ARENA_GAMES}.")
        for number, file in enumerate(files):
            yield Record(number, file.read_text("utf-8"), str(file), folders_of(file))
    elif path.suffix == ".jsonl":
        yield from _arena_records(path, folders)
    else:
        yield Record(0, path.read_text("utf-8"), str(path), folders)


def _arena_records(path: Path, folders: tuple[Path, ...]) -> Iterator[Record]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            place = f"{path}, line {number + 1}"
            try:
                text = json.loads(line)["record"]
            except (ValueError, KeyError, TypeError):
                raise MacazError(f"{place}: this is no game of an arena.") from None
            if not text:
                raise MacazError(f"{place}: the record was not kept; play without --no-records.")
            yield Record(number, text, place, folders)
