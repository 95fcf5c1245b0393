"""The games of the vector environment on an NVIDIA GPU: one thread steps one game.

The same games as on the processor, byte for byte. Between two steps the states lie word by word,
those of neighbouring games beside each other, so that a warp reads and writes whole lines; during
a step a thread has its game in local memory, which the GPU interleaves in the same way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from macaz.errors import MacazError
from macaz.kernel.gpu import NoGPU, gpu_problem
from macaz.kernel.layout import dtype_of
from macaz.kernel.observation import OBSERVATION_SIZE
from macaz.kernel.spec import Spec
from macaz.lab.env.compiled.games import NEW_GAME, Games
from macaz.lab.env.compiled.gpu import kernels
from macaz.lab.env.dlpack import GPU, Shared

BLOCK = 128  # threads per block
REGISTERS = 64  # per thread; few, so that more threads run at once


class CudaGames:
    """Games in arrays on the GPU."""

    def __init__(
        self,
        spec: Spec,
        count: int,
        first: int,
        reward: int,
        *,
        block: int = BLOCK,
        registers: int | None = REGISTERS,
    ) -> None:
        if block % 32:
            raise ValueError(f"a block has a multiple of 32 threads, not {block}")
        cuda = _cuda()
        self._run = kernels(registers)
        self._shape = (-(-count // block), block)
        self._count, self._first, self._reward, self._seed = count, first, reward, 0

        def zeros(shape: Any, kind: Any) -> Any:
            return cuda.to_device(np.zeros(shape, kind))

        self._specs = cuda.to_device(spec.table.copy())
        self._states = zeros((dtype_of("state").itemsize // 8, count), np.int64)
        self._dice = zeros((dtype_of("dice").itemsize // 8, count), np.int64)
        self._wrong = cuda.to_device(np.array([count], np.int32))
        self._words = cuda.device_array(count * (OBSERVATION_SIZE // 8), np.int64)
        self._mask_words = cuda.device_array(-(-count * spec.actions // 8), np.int64)
        self._actions = spec.actions
        masks = self._mask_words.view(np.int8)[: count * spec.actions]
        self._games = Games(
            states=self._states,
            dice=self._dice,
            numbers=zeros(count, np.int64),
            deciders=zeros(count, np.int8),
            words=self._words,
            observations=self._words,
            masks=self._mask_words,
            actions=zeros(count, np.int32),
            rewards=zeros((count, spec.seats), np.float32),
            scores=zeros((count, spec.seats), np.int16),
            ended=zeros(count, np.bool_),
        )
        device = (GPU, cuda.get_current_device().id)
        self.observations = Shared(
            self._words.view(np.int8).reshape(count, OBSERVATION_SIZE), device
        )
        self.masks = Shared(masks.reshape(count, spec.actions), device)
        self.numbers = Shared(self._games.numbers, device)
        self.deciders = Shared(self._games.deciders, device)
        self.actions = Shared(self._games.actions, device)
        self.rewards = Shared(self._games.rewards, device)
        self.scores = Shared(self._games.scores, device)
        self.ended = Shared(self._games.ended, device)
        self.truncated = Shared(zeros(count, np.bool_), device)

    @property
    def states(self) -> np.ndarray:
        """A copy of all states."""
        words = np.ascontiguousarray(self._states.copy_to_host().T)
        return words.view(dtype_of("state")).reshape(self._count)

    def restart(self, seed: int) -> None:
        """Begin the games 0, 1, … of a seed."""
        self._seed = seed
        self.numbers.copy_to_device(np.arange(self._count) - self._count)
        self.begin_next()

    def begin_next(self) -> None:
        """Abandon the game in each slot and begin the next one."""
        self.actions.copy_to_device(np.full(self._count, NEW_GAME, np.int32))
        self._advance()

    def sample(self) -> None:
        """Write a random legal action of each game into `actions`."""
        actions = self._games.actions
        self._run.sample[self._shape](self._specs, self._states, self._dice, actions)

    def step(self, actions: Any) -> tuple[int, int] | None:
        """Play the actions; if one is illegal, play none and return its slot and the action."""
        if actions is not self.actions:
            self._copy(actions)
        played = self._games.actions
        self._run.check[self._shape](self._specs, self._states, played, self._wrong)
        self._advance()
        wrong = int(self._wrong[0])  # this waits for the GPU
        if wrong == self._count:
            return None
        self._wrong.copy_to_device(np.array([self._count], np.int32))
        return wrong, int(self.actions[wrong])

    def close(self) -> None:
        """Do nothing: the arrays are freed with the object."""

    def _copy(self, actions: Any) -> None:
        on_gpu = hasattr(actions, "__cuda_array_interface__")
        given = _cuda().as_cuda_array(actions) if on_gpu else np.asarray(actions)
        if given.shape != (self._count,) or given.dtype.kind not in "iu":
            raise MacazError(
                f"actions are {self._count} whole numbers, "
                f"not an array of {given.dtype} with shape {given.shape}"
            )
        if on_gpu:
            self._run.copy[self._shape](given, self._games.actions)
        else:
            self.actions.copy_to_device(given.astype(np.int32))

    def _advance(self) -> None:
        """Play the actions, unless the check found an illegal one."""
        self._run.step[self._shape](
            self._specs,
            *self._games,
            self._actions,
            self._wrong,
            self._seed,
            self._first,
            self._reward,
        )


def _cuda() -> Any:
    problem = gpu_problem()
    if problem:
        raise NoGPU(problem)
    from numba import cuda

    return cuda
