"""The games of the vector environment on CPU threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from macaz.errors import MacazError
from macaz.kernel.compile import compiled
from macaz.kernel.layout import dtype_of
from macaz.kernel.observation import OBSERVATION_SIZE, observation_dtype
from macaz.kernel.spec import Spec
from macaz.lab.env.compiled.games import NEW_GAME, Games
from macaz.lab.env.program import PROGRAM


class CpuGames:
    """Games in NumPy arrays."""

    def __init__(self, spec: Spec, count: int, first: int, reward: int, workers: int) -> None:
        self._run = compiled(PROGRAM, "cpu")
        self._run.wait_for("check_actions", "step_games", "sample_games")
        self._specs = spec.table
        self._first, self._reward, self._seed = first, reward, 0
        workers = min(workers, count)
        edges = np.linspace(0, count, workers + 1).astype(int).tolist()
        self._parts = list(zip(edges[:-1], edges[1:], range(workers), strict=True))
        self._pool = ThreadPoolExecutor(workers, "macaz-env") if workers > 1 else None
        self._works = np.zeros(workers, dtype_of("work"))
        self._tallies = np.zeros(workers, dtype_of("tally"))
        self._dice = np.zeros(count, dtype_of("dice"))
        self._words = np.zeros((count, OBSERVATION_SIZE // 8), np.int64)
        self._records = self._words.view(observation_dtype()).reshape(count)
        self.states = np.zeros(count, dtype_of("state"))
        self.numbers = np.zeros(count, np.int64)
        self.deciders = np.zeros(count, np.int8)
        self.observations = self._words.view(np.int8)
        self.masks = np.zeros((count, spec.actions), np.int8)
        self.actions = np.zeros(count, np.int32)
        self.rewards = np.zeros((count, spec.seats), np.float32)
        self.scores = np.zeros((count, spec.seats), np.int16)
        self.ended = np.zeros(count, np.bool_)
        self.truncated = np.zeros(count, np.bool_)
        self._games = Games(
            states=self.states,
            dice=self._dice,
            numbers=self.numbers,
            deciders=self.deciders,
            words=self._words,
            observations=self._records,
            masks=self.masks,
            actions=self.actions,
            rewards=self.rewards,
            scores=self.scores,
            ended=self.ended,
        )

    def restart(self, seed: int) -> None:
        """Begin the games 0, 1, … of a seed."""
        self._seed = seed
        self.numbers[:] = np.arange(len(self.numbers)) - len(self.numbers)
        self.begin_next()

    def begin_next(self) -> None:
        """Abandon the game in each slot and begin the next one."""
        self.actions.fill(NEW_GAME)
        self._advance()

    def sample(self) -> None:
        """Write a random legal action of each game into `actions`."""
        arrays = (self._specs, self._games, self._works)
        self._share(lambda part: self._run.sample_games(*arrays, *part))

    def step(self, actions: Any) -> tuple[int, int] | None:
        """Play the actions; if one is illegal, play none and return its slot and the action."""
        if actions is not self.actions:
            self._copy(np.asarray(actions))
        arrays = (self._specs, self._games, self._works)
        for found in self._share(lambda part: self._run.check_actions(*arrays, *part)):
            if found >= 0:
                return int(found), int(self.actions[found])
        self._advance()
        return None

    def close(self) -> None:
        """End the threads."""
        if self._pool:
            self._pool.shutdown()

    def _copy(self, actions: np.ndarray) -> None:
        if actions.shape != self.actions.shape or actions.dtype.kind not in "iu":
            raise MacazError(
                f"actions are {len(self.actions)} whole numbers, "
                f"not an array of {actions.dtype} with shape {actions.shape}"
            )
        self.actions[:] = actions

    def _advance(self) -> None:
        arrays = (self._specs, self._games, self._works, self._tallies)
        numbers = (self._seed, self._first, self._reward)
        self._share(lambda part: self._run.step_games(*arrays, *part, *numbers))

    def _share(self, call: Callable[[tuple[int, int, int]], Any]) -> list[Any]:
        """Call with each worker's part: start, stop and the index of the worker."""
        if self._pool is None:
            return [call(part) for part in self._parts]
        return list(self._pool.map(call, self._parts))
