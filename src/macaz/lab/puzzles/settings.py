"""The settings of a run: which puzzles are made, and how."""

from __future__ import annotations

import shlex

import msgspec

from macaz.errors import MacazError

TRIES = 1024  # of the last comparison, by default


class PuzzleError(MacazError):
    """Puzzles cannot be made; the message says what to do."""


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """How much is done for a puzzle. `gap` is a difference in the chance of winning."""

    positions: int = 60  # of a game that are looked at
    tries: int = TRIES  # of each move in the last comparison; those before it have a share of them
    gap: float = 0.02  # by which the best move must be ahead of every other one in the last ones
    sure: float = 4.0  # standard errors by which it must be ahead of the second best in them
    most: int = 3  # puzzles that are taken from one game


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings as they are stored in the folder."""

    editions: tuple[str, ...]  # names with options, or paths of files
    fingerprints: tuple[str, ...]  # of these, since a file may change
    count: int
    seed: int
    effort: Effort = Effort()

    @property
    def command(self) -> str:
        """The command line that makes these puzzles."""
        words = ["macaz", "puzzles", "make"]
        for edition in self.editions:
            words += ["--edition", edition]
        words += ["--count", str(self.count), "--seed", str(self.seed)]
        if self.effort.tries != TRIES:
            words += ["--tries", str(self.effort.tries)]
        return shlex.join(words)
