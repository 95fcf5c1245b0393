"""Many games, and what they come to: scores, lengths, wins by seat.

Seats count from 1 here, as people do, and seat 1 begins every game: so what is said by seat is
said by order of play. Everything is counted in whole numbers, and a summary depends on the
edition, the seats, the seed and the number of games alone, not on cores or timing.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from macaz.edition import Edition
from macaz.kernel import cpu
from macaz.kernel import layout as at
from macaz.kernel.spec import Spec, compile_spec
from macaz.lab.shares import Z95, Share, wilson
from macaz.lab.simulate.table import GamesTable

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
TIE_BREAKS = {
    at.TIE_NONE: "no tie",
    at.TIE_TICKETS: "completed tickets",
    at.TIE_STATIONS: "stations built",
    at.TIE_LONGEST: "longest path",
    at.TIE_SHARED: "shared win",
}
_PART_OF_SCORER = {
    "tickets": "tickets",
    "longest-path": "longest",
    "stations": "stations",
    "globetrotter": "globetrotter",
    "alvin": "alvin",
}


class Histogram:
    """Exact counts of whole numbers."""

    def __init__(self) -> None:
        self.low = 0
        self.counts = np.zeros(0, np.int64)

    def add(self, values: np.ndarray) -> None:
        if not len(values):
            return
        low, high = int(values.min()), int(values.max())
        if not len(self.counts):
            self.low = low
        before = max(0, self.low - low)
        after = max(0, high - (self.low + len(self.counts) - 1))
        if before or after:
            self.low -= before
            self.counts = np.pad(self.counts, (before, after))
        found = np.bincount(values.astype(np.int64) - self.low, minlength=len(self.counts))
        self.counts += found

    @property
    def total(self) -> int:
        """How many numbers there are."""
        return int(self.counts.sum())

    @property
    def values(self) -> np.ndarray:
        """The numbers from the least to the greatest; `counts` goes with them."""
        return np.arange(self.low, self.low + len(self.counts))

    @property
    def mean(self) -> float:
        return int(self.values @ self.counts) / self.total

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        square = int((self.values**2) @ self.counts) / self.total
        return math.sqrt(max(0.0, square - self.mean**2))

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval of the mean."""
        return Z95 * self.deviation / math.sqrt(self.total)

    def quantile(self, share: float) -> int:
        """The smallest number that at least this share does not exceed."""
        reached = np.cumsum(self.counts) >= share * self.total
        return self.low + int(np.argmax(reached))

    def to_dict(self) -> dict[str, Any]:
        """The figures, ready for JSON."""
        seen = np.flatnonzero(self.counts)
        return {
            "mean": self.mean,
            "margin95": self.margin,
            "deviation": self.deviation,
            "min": self.low + int(seen[0]),
            "max": self.low + int(seen[-1]),
            "quantiles": {f"{share:g}": self.quantile(share) for share in QUANTILES},
            "histogram": {str(self.low + int(i)): int(self.counts[i]) for i in seen},
        }


@dataclass(slots=True)
class Summary:
    """The results of a simulation; `games` were played, `asked` were requested."""

    edition: Edition
    seats: int
    seed: int
    asked: int
    games: int = 0
    seconds: float = 0.0
    scores: list[Histogram] = field(default_factory=list)
    paths: list[Histogram] = field(default_factory=list)
    completed: list[Histogram] = field(default_factory=list)
    lengths: Histogram = field(default_factory=Histogram)
    sums: dict[str, np.ndarray] = field(default_factory=dict)
    won: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    ties: np.ndarray = field(default_factory=lambda: np.zeros(len(TIE_BREAKS), np.int64))

    def __post_init__(self) -> None:
        self.scores = [Histogram() for _ in range(self.seats)]
        self.paths = [Histogram() for _ in range(self.seats)]
        self.completed = [Histogram() for _ in range(self.seats)]
        self.sums = {part: np.zeros(self.seats, np.int64) for part in score_parts(self.edition)}
        # By number of winners, then by seat: shares stay whole numbers until they are asked for.
        self.won = np.zeros((self.seats + 1, self.seats), np.int64)

    @property
    def stopped(self) -> bool:
        """Whether it ended before all the games were played."""
        return self.games < self.asked

    def add(self, batch: cpu.Batch) -> None:
        """Count a batch of games."""
        tallies = batch.tallies
        self.games += len(batch)
        self.lengths.add(batch.lengths)
        for seat in range(self.seats):
            self.scores[seat].add(tallies["total"][:, seat])
            self.paths[seat].add(tallies["path"][:, seat])
            self.completed[seat].add(tallies["completed"][:, seat])
        for part in self.sums:
            self.sums[part] += tallies[part][:, : self.seats].sum(0, dtype=np.int64)
        winners = winner_flags(tallies, self.seats)
        np.add.at(self.won, winners.sum(1), winners)
        self.ties += np.bincount(tallies["tie_break"], minlength=len(self.ties))

    def wins(self, seat: int) -> Share:
        """The share of the wins of a seat (from 0), a shared win split equally."""
        won = sum(int(self.won[k, seat]) / k for k in range(1, self.seats + 1))
        return wilson(won, self.games)

    def mean_of(self, part: str) -> list[float]:
        """The mean points of each seat for one part of the score."""
        return [int(total) / self.games for total in self.sums[part]]

    @property
    def tie_counts(self) -> dict[str, int]:
        """The number of games by the rule that broke a tie of the best scores."""
        return {name: int(self.ties[code]) for code, name in TIE_BREAKS.items()}

    def to_dict(self) -> dict[str, Any]:
        """The results for JSON; without statistics if no game was finished."""
        return {
            "edition": self.edition.qualified_id,
            "fingerprint": self.edition.fingerprint,
            "players": self.seats,
            "seed": self.seed,
            "asked": self.asked,
            "games": self.games,
            "stopped": self.stopped,
            "seconds": round(self.seconds, 3),
        } | (self._figures() if self.games else {})

    def _figures(self) -> dict[str, Any]:
        return {
            "decisions": self.lengths.to_dict(),
            "ties": self.tie_counts,
            "seats": [
                {
                    "seat": seat + 1,
                    "wins": {"share": w.share, "low95": w.low, "high95": w.high},
                    "parts": {part: self.mean_of(part)[seat] for part in self.sums},
                    "completed": self.completed[seat].mean,
                    "path": self.paths[seat].mean,
                    "score": self.scores[seat].to_dict(),
                }
                for seat in range(self.seats)
                for w in [self.wins(seat)]
            ],
        }


def score_parts(edition: Edition) -> tuple[str, ...]:
    """The parts of a score in this edition, as the kernel's tally names them."""
    scorers = edition.rules.scorers
    return ("routes", *(part for name, part in _PART_OF_SCORER.items() if name in scorers))


def winner_flags(tallies: np.ndarray, seats: int) -> np.ndarray:
    """A row for each game, a column for each seat: 1 for a winner."""
    return (tallies["winners"][:, None].astype(np.int64) >> np.arange(seats)) & 1


def simulate(
    edition: Edition,
    seats: int,
    games: int,
    seed: int,
    *,
    workers: int | None = None,
    out: Path | str | None = None,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> Summary:
    """Play games at random on all cores, seat 1 beginning, and sum them up.

    `out` names a Parquet file to write, one row a game. `progress` is told how many more games
    are done. Set `stop` to end early: the summary and the file then hold the games so far. With
    `stop` set before the first game there are none, and no file is written.
    """
    if games < 1:
        raise ValueError(f"simulate plays 1 game at least, not {games}")
    spec = compile_spec(edition, seats)
    batches = cpu.random_games(spec, games, seed, first=0, workers=workers)
    summary = Summary(edition, seats, seed, games)
    if stop is not None and stop.is_set():
        batches.close()
        return summary
    with ExitStack() as stack:
        stack.enter_context(closing(batches))
        table = stack.enter_context(games_table(out, spec, seed)) if out is not None else None
        began = time.perf_counter()
        for batch in batches:
            summary.add(batch)
            if table is not None:
                table.add(batch)
            summary.seconds = time.perf_counter() - began
            if progress is not None:
                progress(len(batch))
            if stop is not None and stop.is_set():
                break
    return summary


def games_table(path: Path | str, spec: Spec, seed: int) -> GamesTable:
    """The Parquet file of a simulation, to be used in a `with`."""
    return GamesTable(Path(path), spec, seed, score_parts(spec.edition), TIE_BREAKS)
