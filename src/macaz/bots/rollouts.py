"""Batched rollouts ("tries") of moves, to the end of the game or to a network's evaluation.

`macaz.bots.compiled.lookahead` plays them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from macaz.bots.cancellation import check_cancelled
from macaz.bots.compiled import layout as of
from macaz.bots.compiled import lookahead as ahead
from macaz.bots.compiled.program import guide_of, players, working_memory
from macaz.bots.network import SENSED_BY, Network
from macaz.bots.styles import style_of
from macaz.game.worlds import sample_world
from macaz.kernel.layout import SEATS, dtype_of

if TYPE_CHECKING:
    from macaz.game.view import View

WORLDS = 128  # worlds for tries; further tries use them again, with other random numbers
SAMPLED = 4  # worlds sampled exactly; the others permute the hidden cards of these


@dataclass(frozen=True)
class Weights:
    """The parameters of the expert, tuned by playing its choices out.

    Those that are 0 or 1 are numbers because compiled code gets them.
    """

    candidates: int = 16  # the most moves that are tried
    least: float = 0.002  # the smallest prior of a move that is tried
    temperature: float = 1.0  # of the softmax over the network's policy
    worth: float = 40.0  # the weight of the mean value of a move's tries; its log prior has 1
    shrinkage: float = 20.0  # tries that the mean of all moves counts for in a move's mean
    turns: int = 0  # own turns that a try plays before its leaf
    patient: int = 1  # where the leaf is: 1: at the start of a turn, 0: at the seat's next decision
    own: int = 1  # what decides for the seat in a try: 1: the network, 0: the playout style
    others: int = 0  # what decides for the other seats, likewise
    mix: float = 0.5  # weight of the playout from a leaf; the rest is the network's evaluation


class RolloutRunner:
    """Plays tries for one decision on one core."""

    def __init__(
        self, view: View, network: Network, actions: np.ndarray, weights: Weights, seed: int
    ) -> None:
        self._view, self._network, self._weights = view, network, weights
        self._actions, self._seed = actions, seed
        self._styles = np.repeat(style_of(SENSED_BY, view.spec), SEATS)
        self.worlds = sampled_worlds(view, seed)

    def run(self, which: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Make tries, given the candidate and the number of each; returns values and win shares.

        A value counts half the share of the win and half the margin (`ending_worth`).
        """
        parts = [
            self._run(which[at : at + ahead.TRIES], numbers[at : at + ahead.TRIES])
            for at in range(0, len(which), ahead.TRIES)
        ]
        worth, wins = zip(*parts, strict=True)
        return np.concatenate(worth), np.concatenate(wins)

    def _run(self, which: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same for at most `TRIES` of them; raises `Cancelled`."""
        check_cancelled()
        room = working_memory()
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
            self._continue(tries)
            at = tries[going, ahead.TRY_AT]
            over = at == ahead.TRY_ENDED
            if mix == 1:
                over |= at == ahead.TRY_LEAF  # only the playout counts, and it is complete
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

    def _continue(self, tries: np.ndarray) -> None:
        weights, room = self._weights, working_memory()
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
    """`WORLDS` states that are consistent with a view."""
    rng = np.random.default_rng(seed)
    worlds = np.zeros(WORLDS, dtype_of("state"))
    for i in range(SAMPLED):
        worlds[i] = sample_world(view, rng)[0]
    dice = np.ones(1, dtype_of("dice"))
    dice["word"] = rng.integers(1, 1 << 32, (1, 4))
    room = np.zeros(1, of.dtypes["search"])
    players().fill_worlds(view.spec.table, worlds, room, dice, SAMPLED, view.seat)
    return worlds
