"""Tries of moves, many side by side: each to the end of the game, or to where a network is asked.

See `macaz.bots.compiled.lookahead` for how one goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from macaz.bots.compiled import layout as of
from macaz.bots.compiled import lookahead as ahead
from macaz.bots.compiled.program import TRIES, desk, guide_of, players
from macaz.bots.giving_up import check
from macaz.bots.network import SENSED_BY, Network
from macaz.bots.styles import style_of
from macaz.game.worlds import sample_world
from macaz.kernel.layout import SEATS, dtype_of

if TYPE_CHECKING:
    from macaz.game.view import View

WORLDS = 128  # that tries meet; more tries meet them again, with other luck
SAMPLED = 4  # of them drawn with all care; in the others the hidden things of these change places


@dataclass(frozen=True)
class Weights:
    """What the expert weighs with: chosen by what its choices were worth when played out."""

    candidates: int = 16  # moves that are tried, at most
    least: float = 0.002  # of the network's wish, for a move to be tried at all
    warmth: float = 1.0  # wishes are divided by it: the warmer, the more alike they are
    worth: float = 40.0  # how much a try's worth counts, against the logarithm of the wish
    doubt: float = 20.0  # tries that the baseline counts for in a move's mean
    turns: int = 0  # own turns that are played before what comes is a leaf
    patient: int = 1  # 0: a leaf is the seat's very next decision, a turn or not
    own: int = 1  # 1: the seat's own decisions in a try are as the network wishes; 0: by style
    others: int = 0  # the same for the other seats
    mix: float = 0.5  # weight of how a leaf ends, played on by style; the rest is the network's


class Bench:
    """Where tries are played, for one decision and one core."""

    def __init__(
        self, view: View, network: Network, actions: np.ndarray, weights: Weights, seed: int
    ) -> None:
        self._view, self._network, self._weights = view, network, weights
        self._actions, self._seed = actions, seed
        self._styles = np.repeat(style_of(SENSED_BY, view.spec), SEATS)
        self.worlds = sampled_worlds(view, seed)

    def run(self, which: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Try candidates, each with the number of its try: what each was worth, and its win."""
        parts = [
            self._run(which[at : at + TRIES], numbers[at : at + TRIES])
            for at in range(0, len(which), TRIES)
        ]
        worth, wins = zip(*parts, strict=True)
        return np.concatenate(worth), np.concatenate(wins)

    def _run(self, which: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same for as many as fit on a desk; raises `GivenUp`."""
        check()
        room = desk()
        room.worlds[: len(self.worlds)] = self.worlds
        room.dice["word"] = 1
        count = len(which)
        tries = np.zeros((count, ahead.TRY_NUMBERS), np.int64)
        tries[:, ahead.TRY_ACTION] = self._actions[which]
        tries[:, ahead.TRY_NUMBER] = numbers
        tries[:, ahead.TRY_TURNS] = self._weights.turns
        worth, wins = np.zeros(count), np.zeros(count)
        mix = self._weights.mix
        going = np.arange(count)
        while len(going):
            self._go_on(tries)
            at = tries[going, ahead.TRY_AT]
            over = at == ahead.TRY_ENDED
            if mix == 1:
                over |= at == ahead.TRY_LEAF  # only how it ended counts, and that is known
            ended, shown = going[over], going[~over]
            worth[ended] = room.endings[ended, ahead.END_WORTH]
            wins[ended] = room.endings[ended, ahead.END_SHARE]
            if not len(shown):
                break
            wishes, values, chances = self._network.run(room.rows[shown])
            room.wishes[shown] = wishes
            leaves = at[~over] == ahead.TRY_LEAF
            done = shown[leaves]
            worth[done] = values[leaves]
            wins[done] = chances[leaves]
            if mix:
                worth[done] += mix * (room.endings[done, ahead.END_WORTH] - worth[done])
                wins[done] += mix * (room.endings[done, ahead.END_SHARE] - wins[done])
            going = shown[~leaves]
        return worth, wins

    def _go_on(self, tries: np.ndarray) -> None:
        weights, room = self._weights, desk()
        players().look_ahead(
            self._view.spec.table,
            guide_of(self._view.spec),
            self._styles,
            room.games._replace(worlds=room.worlds[: len(self.worlds)]),
            room.questions,
            tries,
            self._view.seat,
            self._seed,
            weights.patient,
            weights.own,
            weights.others,
            int(weights.mix > 0),
        )


def sampled_worlds(view: View, seed: int) -> np.ndarray:
    """Worlds that fit a view."""
    rng = np.random.default_rng(seed)
    worlds = np.zeros(WORLDS, dtype_of("state"))
    for i in range(SAMPLED):
        worlds[i] = sample_world(view, rng)[0]
    dice = np.ones(1, dtype_of("dice"))
    dice["word"] = rng.integers(1, 1 << 32, (1, 4))
    room = np.zeros(1, of.dtypes["search"])
    players().fill_worlds(view.spec.table, worlds, room, dice, SAMPLED, view.seat)
    return worlds
