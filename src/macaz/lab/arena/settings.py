"""The settings of a tournament: which games are played, and how."""

from __future__ import annotations

import csv
import io
import shlex

import msgspec

from macaz.errors import MacazError
from macaz.lab.arena import PATIENCE


class ArenaError(MacazError):
    """A tournament cannot be played; the message says what to do."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings as they are stored in the folder."""

    edition: str  # a name with options, or the path of a file
    fingerprint: str  # of the edition, since a file may change
    players: int
    bots: tuple[str, ...]  # specifications; in a gauntlet the tested bot is first
    digests: dict[str, str] = {}  # of the files of own classes, by bot, since they may change
    gauntlet: bool = False  # the first bot against the others, not a round robin
    games: int  # for each lineup, rounded up to whole deals
    seed: int
    records: bool = True  # whether game records are stored
    patience: float = PATIENCE  # time limit for a decision, in seconds
    sprt: tuple[float, float] | None = None  # p0 and p1 of the test that stops early

    @property
    def hero(self) -> str:
        """The bot that is tested, in a gauntlet or in a match of two bots."""
        return self.bots[0]

    @property
    def command(self) -> str:
        """The command line that plays these games."""
        bots = io.StringIO()
        csv.writer(bots, lineterminator="").writerow(self.bots)
        words = ["macaz", "arena", "--bots", bots.getvalue()]
        words += ["--gauntlet", self.hero] * self.gauntlet
        words += ["--edition", self.edition, "--players", str(self.players)]
        words += ["--games", str(self.games), "--seed", str(self.seed)]
        if self.sprt:
            words += ["--sprt", ",".join(f"{share:g}" for share in self.sprt)]
        return shlex.join(words)
