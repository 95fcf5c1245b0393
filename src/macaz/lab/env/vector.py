"""A vector environment: many games, stepped together, with the interface of Gymnasium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from macaz.edition import Edition, load_edition
from macaz.errors import MacazError, MissingExtra
from macaz.game.moves import IllegalMove
from macaz.kernel.cpu import MAX_SEED
from macaz.kernel.observation import MOST, OBSERVATION_SIZE
from macaz.kernel.spec import Spec, compile_spec
from macaz.lab.env.compiled.games import REWARD_MARGIN, REWARD_SCORE, REWARD_WIN

if TYPE_CHECKING:
    from gymnasium.spaces import Box, Discrete, MultiDiscrete

REWARDS = {"win": REWARD_WIN, "score": REWARD_SCORE, "margin": REWARD_MARGIN}
TARGETS = ("cpu", "cuda")
Step = tuple[Any, Any, Any, Any, dict[str, Any]]


class Games(Protocol):
    """The games of an environment on a CPU or GPU, one in each slot, and their arrays.

    The arrays are allocated once, with a row for each slot.
    """

    @property
    def states(self) -> np.ndarray:
        """The kernel's records; from a GPU, a copy."""

    numbers: Any  # int64: the number of the game in the slot
    deciders: Any  # int8: the seat that decides
    observations: Any  # int8: the view of that seat
    masks: Any  # int8: 1 for each legal action
    actions: Any  # int32: the action written by `sample`
    rewards: Any  # float32, by seat
    scores: Any  # int16, by seat
    ended: Any  # bool: whether the last step ended a game
    truncated: Any  # bool, always false

    def restart(self, seed: int) -> None:
        """Begin the games 0, 1, … of a seed."""

    def begin_next(self) -> None:
        """Abandon the game in each slot and begin the next one."""

    def sample(self) -> None:
        """Write a random legal action of each game into `actions`."""

    def step(self, actions: Any) -> tuple[int, int] | None:
        """Play the actions; if one is illegal, play none and return its slot and the action."""

    def close(self) -> None:
        """End the threads, if there are any."""


class VectorEnv:
    """N games of one edition and number of seats; each step plays one decision in each game.

    The arrays that `reset` and `step` return are reused and overwritten by every call: copy what
    you need to keep. With `target="cuda"` they are on the GPU, and have DLPack and
    `__cuda_array_interface__`. Where a game ends, the next one begins in the same step.

    `first` is the seat that has the first turn, or -1 to draw it at random for each game. `reward`
    is one of `REWARDS`. `workers` is the number of threads, on a CPU only.
    """

    def __init__(
        self,
        edition: Edition | str,
        seats: int,
        games: int,
        *,
        seed: int = 0,
        first: int = -1,
        reward: str = "win",
        target: str = "cpu",
        workers: int = 1,
    ) -> None:
        edition = load_edition(edition) if isinstance(edition, str) else edition
        if reward not in REWARDS:
            raise MacazError(f"there is no reward {reward!r}: use one of {', '.join(REWARDS)}")
        if target not in TARGETS:
            raise MacazError(f"there is no target {target!r}: use one of {', '.join(TARGETS)}")
        if games < 1 or workers < 1:
            raise MacazError("games and workers must be at least 1")
        if not -1 <= first < seats:
            raise MacazError(f"first must be a seat from 0 to {seats - 1}, or -1 for a random one")
        self.table = compile_spec(edition, seats)
        self.num_envs = games
        self.games = _games(self.table, games, first, REWARDS[reward], target, workers)
        self._seed: int | None = checked_seed(seed)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin games 0, 1, … of a seed; without a seed, the games that follow the current ones.

        The first call without a seed uses the seed of the environment. `options` is ignored.
        """
        seed = self._seed if seed is None else checked_seed(seed)
        if seed is None:
            self.games.begin_next()
        else:
            self.games.restart(seed)
            self._seed = None
        return self.games.observations, self._infos()

    def step(self, actions: Any) -> Step:
        """Play an action in each game: observations, rewards, terminations, truncations, infos.

        Raises `IllegalMove` if an action is not legal; then no action was played.
        """
        if self._seed is not None:
            raise MacazError("there are no games yet: call reset first")
        wrong = self.games.step(actions)
        if wrong:
            game, action = wrong
            raise IllegalMove(
                f"game {game}: seat {int(self.games.deciders[game])} may not take action {action};"
                ' the legal ones have a 1 in its row of infos["action_mask"]. No game has moved'
            )
        games = self.games
        return games.observations, games.rewards, games.ended, games.truncated, self._infos()

    def sample_actions(self) -> Any:
        """A random legal action for each game, all equally likely.

        The actions are drawn from the random stream of each game, which its chance uses too. So
        games with only these actions are the same as those of `macaz simulate`.
        """
        self.games.sample()
        return self.games.actions

    def close(self) -> None:
        """End the threads of the games, if there are any."""
        self.games.close()

    def _infos(self) -> dict[str, Any]:
        games = self.games
        return {
            "action_mask": games.masks,
            "seat": games.deciders,
            "game": games.numbers,
            "scores": games.scores,
        }

    @property
    def metadata(self) -> dict[str, Any]:
        """Metadata for Gymnasium's wrappers."""
        return {"autoreset_mode": _gymnasium().vector.AutoresetMode.SAME_STEP}

    @property
    def single_observation_space(self) -> Box:
        """The observation of one game."""
        space: Box = _gymnasium().spaces.Box(0, MOST, (OBSERVATION_SIZE,), np.int8)
        return space

    @property
    def observation_space(self) -> Box:
        """The observations of all games."""
        shape = (self.num_envs, OBSERVATION_SIZE)
        space: Box = _gymnasium().spaces.Box(0, MOST, shape, np.int8)
        return space

    @property
    def single_action_space(self) -> Discrete[Any]:
        """The kernel's action numbers."""
        space: Discrete[Any] = _gymnasium().spaces.Discrete(self.table.actions)
        return space

    @property
    def action_space(self) -> MultiDiscrete[Any]:
        """An action number for each game."""
        counts = [self.table.actions] * self.num_envs
        space: MultiDiscrete[Any] = _gymnasium().spaces.MultiDiscrete(counts)
        return space


def _games(spec: Spec, count: int, first: int, reward: int, target: str, workers: int) -> Games:
    if target == "cpu":
        from macaz.lab.env.vector_cpu import CpuGames

        return CpuGames(spec, count, first, reward, workers)
    from macaz.lab.env.vector_cuda import CudaGames

    return CudaGames(spec, count, first, reward)


def checked_seed(seed: int) -> int:
    """The seed of a series of games, or a `MacazError`."""
    if not 0 <= seed <= MAX_SEED:
        raise MacazError(f"a seed is a whole number from 0 to 2**63 - 1, not {seed}")
    return int(seed)


def _gymnasium() -> Any:
    """Gymnasium, which only the spaces and the metadata need."""
    try:
        import gymnasium
    except ImportError as error:
        raise MissingExtra("gymnasium", "a space", "env") from error
    return gymnasium
