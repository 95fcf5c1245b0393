"""Arena results as arrays, the seats of each game in order of play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from macaz.errors import MacazError
from macaz.lab.arena.result import GameResult


@dataclass(frozen=True, slots=True)
class Columns:
    """One row per game; the second axis is the order of play."""

    names: tuple[str, ...]  # the bots, in alphabetical order
    deals: int
    deal: np.ndarray  # number of the deal, from 0 without gaps
    bot: np.ndarray  # index into `names`
    share: np.ndarray  # of the win: 1, a part of a shared win, or 0
    score: np.ndarray
    margin: np.ndarray  # score minus the best score of the others
    turns: np.ndarray
    decisions: np.ndarray
    seconds: np.ndarray  # thinking time in the whole game
    slowest: np.ndarray  # seconds of the slowest decision
    tickets_kept: np.ndarray
    tickets_done: np.ndarray
    failed: np.ndarray  # whether a stand-in finished the game

    @property
    def games(self) -> int:
        return len(self.bot)

    @property
    def seats(self) -> int:
        """Seats per game."""
        return int(self.bot.shape[1])


def columns_of(results: Iterable[GameResult]) -> Columns:
    """The results as arrays, which do not depend on the order of the results."""
    games = sorted(results, key=lambda game: (game.deal, game.lineup, game.first))
    sizes = sorted({len(game.lineup) for game in games})
    if len(sizes) > 1:
        raise MacazError(
            f"these games are of {' and '.join(map(str, sizes))} players. "
            "Rate the games of one number of players at a time."
        )
    seats = sizes[0] if sizes else 0
    names = tuple(sorted({name for game in games for name in game.lineup}))
    index = {name: i for i, name in enumerate(names)}
    deals, deal = np.unique(
        np.array([game.deal for game in games], dtype=object), return_inverse=True
    )
    in_order = [[(game.first + place) % seats for place in range(seats)] for game in games]

    def column(of: Callable[[GameResult], Sequence[float]], kind: type = float) -> np.ndarray:
        rows = [
            [values[seat] for seat in order]
            for values, order in zip(map(of, games), in_order, strict=True)
        ]
        return np.array(rows, kind).reshape(len(games), seats)

    score = column(lambda game: game.scores)
    return Columns(
        names=names,
        deals=len(deals),
        deal=deal,
        bot=column(lambda game: [index[name] for name in game.lineup], int),
        share=column(lambda game: [game.share(seat) for seat in range(seats)]),
        score=score,
        margin=score - _best_of_others(score),
        turns=column(lambda game: game.turns),
        decisions=column(lambda game: game.decisions),
        seconds=column(lambda game: game.seconds),
        slowest=column(lambda game: game.slowest),
        tickets_kept=column(lambda game: game.tickets_kept),
        tickets_done=column(lambda game: game.tickets_done),
        failed=column(lambda game: [bool(failure) for failure in game.failures], bool),
    )


def _best_of_others(score: np.ndarray) -> np.ndarray:
    """For each seat, the best score of the others; its own if it plays alone."""
    seats = score.shape[1]
    if seats < 2:
        return score
    others = [np.delete(score, place, axis=1).max(axis=1) for place in range(seats)]
    return np.stack(others, axis=1)
