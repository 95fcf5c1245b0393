"""Rates a network against a ladder of bots: arena games with rotated seats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from macaz.lab.train.folder import RATINGS
from macaz.lab.train.lines import read_lines

if TYPE_CHECKING:
    from macaz.lab.train.journal import Line
    from macaz.lab.train.progress import Progress

LADDER = ("greedy", "racer", "planner")
SEED = 6  # always the same deals, so that differences between networks are not luck


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """Which games to play."""

    bot: str  # its text: learned:FILE
    edition: str
    players: int
    games: int  # against each opponent
    opponents: tuple[str, ...] = LADDER
    workers: int = 1  # processes that play
    seed: int = SEED


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """How long a network had been trained."""

    iteration: int = 0
    decisions: int = 0
    trained_games: int = 0
    minutes: float = 0.0

    @classmethod
    def of(cls, progress: Progress | Line) -> Mark:
        return cls(
            iteration=progress.iteration,
            decisions=int(progress.decisions),
            trained_games=int(progress.games),
            minutes=round(progress.seconds / 60, 3),
        )


class Rating(Mark, frozen=True, kw_only=True):
    """The result of a network against one opponent."""

    players: int
    opponent: str
    share: float  # of the wins of either; equal strength gives a half
    low: float  # its 95 % interval
    high: float
    games: int  # that were played
    failures: int  # games in which the network's bot failed, and lost
    opponent_failures: int  # games in which the opponent failed, and lost

    @property
    def against(self) -> str:
        """The opponent, with the number of seats unless it is two."""
        return self.opponent if self.players == 2 else f"{self.opponent}, {self.players} seats"


def rate_network(match: Match, mark: Mark) -> Iterator[Rating]:
    """Play a match against each opponent in turn."""
    from macaz.edition import load_edition
    from macaz.lab.arena.deals import schedule
    from macaz.lab.arena.local import run_local
    from macaz.lab.arena.ratings import rate
    from macaz.lab.arena.settings import Settings
    from macaz.lab.arena.tournament import check, try_out
    from macaz.lab.arena.work import Job, Map

    edition = load_edition(match.edition)
    board = Map.of(edition)
    matches = [
        Settings(
            edition=match.edition,
            fingerprint=edition.fingerprint,
            players=match.players,
            bots=(match.bot, opponent),
            games=match.games,
            seed=match.seed,
        )
        for opponent in match.opponents
    ]
    for settings in matches:
        check(settings, edition)
    # A network that cannot play at all is an error; one that fails in a game loses that game.
    try_out(match.bot, edition, match.players)
    for settings in matches:
        opponent = settings.bots[1]
        jobs = (
            Job(board, settings.seed, deal, lineup, False, settings.patience)
            for deal, lineup in schedule(settings)
        )
        results = list(run_local(jobs, match.workers))
        found = rate(results)
        share = found.pairs[match.bot, opponent].share
        failures = {bot.name: bot.failures for bot in found.bots}
        yield Rating(
            **msgspec.structs.asdict(mark),
            players=match.players,
            opponent=opponent,
            share=round(share.value, 4),
            low=round(share.low, 4),
            high=round(share.high, 4),
            games=len(results),
            failures=failures[match.bot],
            opponent_failures=failures[opponent],
        )


def read_ratings(folder: Path) -> list[Rating]:
    """The ratings of a training, oldest first."""
    return list(read_lines(folder / RATINGS, Rating))
