"""What a tournament is: all that decides which games are played, and how."""

from __future__ import annotations

import csv
import io
import shlex

import msgspec

from macaz.errors import MacazError
from macaz.lab.arena import PATIENCE


class ArenaError(MacazError):
    """A tournament cannot be played like that; the message says what to do."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament, as its folder keeps it."""

    edition: str  # as it was asked for: a name with options, or the path of a file
    fingerprint: str  # of the edition: a file may change
    players: int
    bots: tuple[str, ...]  # their texts; in a gauntlet its hero comes first
    gauntlet: bool = False  # the first bot against the others, not everybody against everybody
    games: int  # for each lineup, rounded up to whole deals
    seed: int
    records: bool = True  # whether the games are kept to be watched
    patience: float = PATIENCE  # seconds that a decision may take before the bot is stopped
    sprt: tuple[float, float] | None = None  # shares of wins to tell apart; then stop

    @property
    def hero(self) -> str:
        """The bot that a gauntlet, or a match of two, is about."""
        return self.bots[0]

    @property
    def command(self) -> str:
        """What to type to play these games."""
        bots = io.StringIO()
        csv.writer(bots, lineterminator="").writerow(self.bots)
        words = ["macaz", "arena", "--bots", bots.getvalue()]
        words += ["--gauntlet", self.hero] * self.gauntlet
        words += ["--edition", self.edition, "--players", str(self.players)]
        words += ["--games", str(self.games), "--seed", str(self.seed)]
        if self.sprt:
            words += ["--sprt", ",".join(f"{share:g}" for share in self.sprt)]
        return shlex.join(words)
