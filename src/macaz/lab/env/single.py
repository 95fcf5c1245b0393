"""One game, decision by decision, for environments that a loop in Python drives.

`single_game` gives it as native code where Numba is installed, which plays tens of thousands of
decisions a second with their observations and masks. Without Numba it is a `Game` of the library.
Both play the same games: game k of a seed is that of the vector environment and of `simulate`.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from macaz.errors import MacazError
from macaz.game import Game
from macaz.kernel.compile import bulk_target, compiled
from macaz.kernel.dice import below, seed_dice
from macaz.kernel.layout import dtype_of
from macaz.kernel.observation import OBSERVATION_SIZE, observation_dtype
from macaz.kernel.spec import compile_spec
from macaz.lab.env.compiled.entry import ENDED, ILLEGAL
from macaz.lab.env.compiled.games import NEW_GAME
from macaz.lab.env.observation import observe
from macaz.lab.env.program import PROGRAM
from macaz.lab.env.reward import REWARDS
from macaz.lab.env.vector import REWARDS as REWARD_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from macaz.edition import Edition


def single_game(
    edition: Edition, seats: int, reward: str, names: Sequence[str] | None = None
) -> SingleGame:
    """A game to be begun, on the fastest target that there is for it."""
    if reward not in REWARDS:
        raise MacazError(f"there is no reward {reward!r}; choose one of {', '.join(REWARDS)}")
    kind = NativeGame if bulk_target() == "cpu" else SingleGame
    return kind(edition, seats, reward, names)


class SingleGame:
    """One game after another, played by the library.

    `seat` is who decides next, None when the game is over; then `rewards` has what it was worth to
    each seat. Whatever is returned is the caller's own.
    """

    def __init__(
        self, edition: Edition, seats: int, reward: str, names: Sequence[str] | None
    ) -> None:
        self.spec = compile_spec(edition, seats)
        self.seat: int | None = None
        self.rewards: list[float] = []
        self.scores: list[int] = []
        self.actions: list[int] = []  # of the game so far
        self._made = (edition, seats, reward, names)
        self._series = (0, 0)
        self._game: Game | None = None
        self._dice = SimpleNamespace(word=[0] * 4)
        self._behind = 0  # how many of the actions the game does not have yet

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay, (*self._made, self._series, self.actions)

    def begin(self, seed: int, number: int = 0) -> None:
        """Begin a game of a seeded series."""
        self._series = seed, number
        self._game = None
        self.actions = []
        self._begin()

    def _begin(self) -> None:
        self._follow()

    def play(self, action: int) -> None:
        """Take an action of `seat`. Where it raises `IllegalMove`, nothing has changed."""
        game = self.game
        game.push(action, self.seat)
        self.actions.append(action)
        _roll(game, self._dice)
        self._follow()

    def _follow(self) -> None:
        self.seat = self.game.turn
        outcome = self.game.outcome
        if outcome is not None:
            self.rewards = list(REWARDS[self._made[2]](outcome))
            self.scores = list(outcome.totals)

    def observation(self, seat: int) -> np.ndarray:
        """What a seat sees; also after the end."""
        return observe(self.game.view(seat))

    def mask(self, seat: int) -> np.ndarray:
        """A 1 for each action that a seat may take now; all 0 unless it is the one to decide."""
        mask = np.zeros(self.spec.actions, np.int8)
        if seat == self.seat:
            mask[self.game.engine.legal(self.game.state, seat)] = 1
        return mask

    @property
    def state(self) -> np.ndarray:
        """The kernel's record, as an array of one; do not change it."""
        return self.game.state

    @property
    def last_step(self) -> int:
        """Where the last decision stands in the history of the game; its end if there is none."""
        history = self.game.history
        decided = [i for i, step in enumerate(history) if step.seat is not None]
        return decided[-1] if decided else len(history)

    @property
    def game(self) -> Game:
        """The game with its whole history, replayed as far as necessary; do not change it."""
        if self._game is None:
            edition, seats, _, names = self._made
            self._game = Game(edition, seats, dealer=None, names=names)
            seed_dice(self._dice, *self._series)
            _roll(self._game, self._dice)
            self._behind = len(self.actions)
        for action in self.actions[len(self.actions) - self._behind :]:
            self._game.push(action)
            _roll(self._game, self._dice)
        self._behind = 0
        return self._game


class NativeGame(SingleGame):
    """One game after another in native code, which writes each observation and mask in one call."""

    def __init__(
        self, edition: Edition, seats: int, reward: str, names: Sequence[str] | None
    ) -> None:
        super().__init__(edition, seats, reward, names)
        run = compiled(PROGRAM, "cpu")
        run.wait_for("decide", "look")
        self._decide, self._look = run.decide, run.look
        self._states, works, tallies, dice = (
            np.zeros(1, dtype_of(name)) for name in ("state", "work", "tally", "dice")
        )
        words, others = (np.zeros((1, OBSERVATION_SIZE // 8), np.int64) for _ in range(2))
        masks = np.zeros((1, self.spec.actions), np.int8)
        scores, rewards = np.zeros((1, seats), np.int16), np.zeros((1, seats), np.float32)
        self._row: np.ndarray = words.view(np.int8)[0]
        self._other_row: np.ndarray = others.view(np.int8)[0]
        self._mask, self._scores, self._rewards = masks[0], scores[0], rewards[0]
        kind = observation_dtype()
        table = (self.spec.table, self._states, works)
        shown = (words, words.view(kind).reshape(1), masks)
        self._arrays = (*table, tallies, dice, *shown, scores, rewards)
        self._for_others = (*table, others, others.view(kind).reshape(1))
        self._reward = REWARD_NUMBERS[reward]

    def _begin(self) -> None:
        self._behind = 0
        self._go_on(NEW_GAME)

    def play(self, action: int) -> None:
        """Take an action of `seat`. Where it raises `IllegalMove`, nothing has changed."""
        known = self.seat is not None and 0 <= action < self.spec.actions
        if not (known and self._go_on(action)):
            self.game.push(action, self.seat)  # it says why not
            raise AssertionError(f"the library accepts action {action}, and native code does not")
        self.actions.append(action)
        self._behind += 1

    def _go_on(self, action: int) -> bool:
        found = self._decide(*self._arrays, action, *self._series, self._reward)
        if found == ILLEGAL:
            return False
        self.seat = None if found == ENDED else found
        if found == ENDED:
            self.rewards, self.scores = self._rewards.tolist(), self._scores.tolist()
        return True

    def observation(self, seat: int) -> np.ndarray:
        """What a seat sees; also after the end."""
        if seat == self.seat:
            return self._row.copy()
        self._look(*self._for_others, seat)
        return self._other_row.copy()

    def mask(self, seat: int) -> np.ndarray:
        """A 1 for each action that a seat may take now; all 0 unless it is the one to decide."""
        return self._mask.copy() if seat == self.seat else np.zeros_like(self._mask)

    @property
    def state(self) -> np.ndarray:
        """The kernel's record, as an array of one; do not change it."""
        return self._states


def _roll(game: Game, dice: Any) -> None:
    """Draw chance from a fast stream, as `macaz.kernel.play.roll` does."""
    while game.chance_pending:
        way = below(dice, game.engine.chance_ways(game.state))
        game.push_chance(game.engine.chance_outcome(game.state, way))


def _replay(
    edition: Edition,
    seats: int,
    reward: str,
    names: Sequence[str] | None,
    series: tuple[int, int],
    actions: list[int],
) -> SingleGame:
    """A game after these actions."""
    game = single_game(edition, seats, reward, names)
    game.begin(*series)
    for action in actions:
        game.play(action)
    return game
