"""Games in bulk on an NVIDIA GPU: one thread plays one game.

Game `k` of a seed is the same game, byte for byte, as on the CPU. Nothing here is needed, or
imported, where there is no GPU.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from macaz.errors import MacazError, how_to_install
from macaz.kernel.compile import kernel
from macaz.kernel.cpu import MAX_SEED, Batch
from macaz.kernel.layout import OVER, dtype_of
from macaz.kernel.spec import Spec

# Measured to be the best on one H200, by bench/gpu.py.
BATCH = 1 << 18  # games in a launch
BLOCK = 128  # threads in a block
REGISTERS = 64  # of a thread: fewer, so that more threads are under way
AHEAD = 2  # launches under way: one plays while the results of another come back


class NoGPU(MacazError):  # noqa: N818 - named like IllegalMove
    """There is no NVIDIA GPU that can be used, or the extra `gpu` is not installed."""


def gpu_problem() -> str | None:
    """Why games cannot be played on a GPU here, or None where they can."""
    try:
        cuda = _cuda()
    except ImportError as error:
        return f"numba-cuda is missing ({how_to_install('gpu')}): {error}"
    if not cuda.is_available():
        return "there is no NVIDIA GPU here, or its driver or the CUDA libraries cannot be found"
    return None


def device_name() -> str:
    """The name of the GPU."""
    _need_gpu()
    name = _cuda().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def random_games(
    spec: Spec,
    games: int,
    seed: int,
    *,
    start: int = 0,
    first: int = -1,
    batch: int = BATCH,
    block: int = BLOCK,
    registers: int | None = REGISTERS,
) -> Generator[Batch, None, None]:
    """Play games `start` to `start + games - 1` of a seed at random, in batches, in order.

    The arguments up to `batch` mean what they mean to `macaz.kernel.cpu.random_games`; the others
    tune: threads in a block, and the registers that a thread may use.
    """
    if not 0 <= seed <= MAX_SEED:
        raise ValueError(f"a seed is a whole number from 0 to 2**63 - 1, not {seed}")
    if not -1 <= first < spec.seats:
        raise ValueError(f"first is a seat from 0 to {spec.seats - 1}, or -1, not {first}")
    if games < 0 or start < 0 or batch < 1:
        raise ValueError("games and start cannot be negative; batch is at least 1")
    table = Table(spec, min(batch, max(games, 1)), block=block, registers=registers)
    return _run(table, range(start, start + games, table.size), start + games, seed, first)


def _run(
    table: Table, starts: range, end: int, seed: int, first: int
) -> Generator[Batch, None, None]:
    waiting: deque[tuple[int, int, Slot]] = deque()
    slots = [table.slot() for _ in range(min(AHEAD, len(starts)))]
    for turn, at in enumerate(starts):
        done = _fetch(*waiting.popleft()) if len(waiting) == AHEAD else None
        slot = slots[turn % AHEAD]
        games = min(starts.step, end - at)
        table.launch(slot, at, games, seed, first)
        waiting.append((at, games, slot))
        if done:
            yield done
    while waiting:
        yield _fetch(*waiting.popleft())


def _fetch(start: int, games: int, slot: Slot) -> Batch:
    tallies, lengths = slot.fetch(games)
    return Batch(start, tallies, lengths)


class Slot:
    """What one launch writes to, on a stream of its own."""

    def __init__(self, size: int, keep_states: bool) -> None:
        cuda = _cuda()
        self.stream = cuda.stream()
        # Zeros, so that the bytes between and after the fields are the CPU's too.
        self.tallies = cuda.to_device(np.zeros(size, dtype_of("tally")))
        self.lengths = cuda.device_array(size, np.int32)
        self.kept = size if keep_states else 0
        self.states = cuda.to_device(np.zeros(max(self.kept, 1), dtype_of("state")))

    def fetch(self, games: int) -> tuple[np.ndarray, np.ndarray]:
        """Wait for the launch; returns its tallies and lengths."""
        tallies = np.empty(games, dtype_of("tally"))
        lengths = np.empty(games, np.int32)
        self.tallies[:games].copy_to_host(tallies, stream=self.stream)
        self.lengths[:games].copy_to_host(lengths, stream=self.stream)
        self.stream.synchronize()
        return tallies, lengths

    def fetch_states(self, games: int) -> np.ndarray:
        """The final states of the launch, where they are kept."""
        states = np.empty(games, dtype_of("state"))
        self.states[:games].copy_to_host(states, stream=self.stream)
        self.stream.synchronize()
        return states


class Table:
    """The rules of one table on the GPU, and how its launches are shaped."""

    def __init__(
        self,
        spec: Spec,
        size: int,
        *,
        block: int = BLOCK,
        registers: int | None = REGISTERS,
        keep_states: bool = False,
    ) -> None:
        if block % 32:
            raise ValueError(f"a block has a multiple of 32 threads, not {block}")
        _need_gpu()
        self.block = block
        self.size = size
        self.keep_states = keep_states
        self._play = game_kernel(registers)
        self._specs = _cuda().to_device(spec.table.copy())

    def slot(self) -> Slot:
        """Room for one launch."""
        return Slot(self.size, self.keep_states)

    def launch(self, slot: Slot, start: int, games: int, seed: int, first: int = -1) -> None:
        """Start games of a seed; `slot.fetch` waits for them."""
        blocks = -(-games // self.block)
        self._play[blocks, self.block, slot.stream](
            self._specs,
            slot.states,
            slot.tallies,
            slot.lengths,
            slot.kept,
            games,
            seed,
            start,
            first,
        )


class Steps:
    """Games side by side, one decision at a time, to compare them with the CPU's after each."""

    def __init__(self, spec: Spec, games: int, seed: int, *, start: int = 0) -> None:
        _need_gpu()
        cuda = _cuda()
        self._kernels = step_kernels()
        self._shape = (-(-games // 64), 64)
        self._specs = cuda.to_device(spec.table.copy())
        self._states = cuda.to_device(np.zeros(games, dtype_of("state")))
        self._dice = cuda.to_device(np.zeros(games, dtype_of("dice")))
        self._works = cuda.to_device(np.zeros(games, dtype_of("gpu-work")))
        self._tallies = cuda.to_device(np.zeros(games, dtype_of("tally")))
        self._kernels.begin[self._shape](self._specs, self._states, self._dice, seed, start, -1)

    def advance(self) -> None:
        """Every game that is not over takes a random decision, and chance acts."""
        self._kernels.advance[self._shape](self._specs, self._states, self._works, self._dice)

    def score(self) -> np.ndarray:
        """Score all games as if they ended now."""
        self._kernels.score[self._shape](self._specs, self._states, self._works, self._tallies)
        tallies: np.ndarray = self._tallies.copy_to_host()
        return tallies

    def states(self) -> np.ndarray:
        """A copy of all states."""
        states: np.ndarray = self._states.copy_to_host()
        return states

    def dice(self) -> np.ndarray:
        """A copy of all random streams."""
        dice: np.ndarray = self._dice.copy_to_host()
        return dice


def _need_gpu() -> None:
    problem = gpu_problem()
    if problem:
        raise NoGPU(problem)


@cache
def _cuda() -> Any:
    """numba.cuda, which needs a name that NumPy 2.5 dropped."""
    vars(np).setdefault("row_stack", np.vstack)
    from numba import cuda

    return cuda


@cache
def step_kernels() -> SimpleNamespace:
    """The kernels of `Steps`; compiled at their first launch."""
    cuda = _cuda()
    run = kernel("cuda")
    seed_dice, setup, roll, step = run.seed_dice, run.setup, run.roll, run.step
    random_action, final_score = run.random_action, run.final_score

    @cuda.jit
    def begin(specs: Any, states: Any, dice: Any, seed: Any, start: Any, first: Any) -> None:
        i = cuda.grid(1)
        if i < len(states):
            seed_dice(dice[i], seed, start + i)
            setup(specs[0], states[i], first)
            roll(specs[0], states[i], dice[i])

    @cuda.jit
    def advance(specs: Any, states: Any, works: Any, dice: Any) -> None:
        i = cuda.grid(1)
        if i < len(states) and states[i].phase != OVER:
            step(specs[0], states[i], random_action(specs[0], states[i], dice[i], works[i]), None)
            roll(specs[0], states[i], dice[i])

    @cuda.jit
    def score(specs: Any, states: Any, works: Any, tallies: Any) -> None:
        i = cuda.grid(1)
        if i < len(states):
            final_score(specs[0], states[i], works[i], tallies[i])

    return SimpleNamespace(begin=begin, advance=advance, score=score)


@cache
def game_kernel(registers: int | None = REGISTERS) -> Any:
    """The kernel that plays and scores whole games; compiled at its first launch.

    A thread's game lies in its local memory, which the GPU interleaves, so that neighbouring
    threads that read the same field read neighbouring words. That beat both the block's shared
    memory and one record after the other in global memory.
    """
    cuda = _cuda()
    run = kernel("cuda")
    seed_dice, setup, roll, step = run.seed_dice, run.setup, run.roll, run.step
    random_action, final_score = run.random_action, run.final_score
    state_type, work_type, dice_type = dtype_of("state"), dtype_of("gpu-work"), dtype_of("dice")
    state_words = state_type.itemsize // 8
    work_words = work_type.itemsize // 8
    dice_words = dice_type.itemsize // 8
    everybody = 0xFFFFFFFF

    @cuda.jit(max_registers=registers)
    def play(  # type: ignore[no-untyped-def]
        specs, states, tallies, lengths, kept, games, seed, start, first
    ) -> None:
        i = cuda.grid(1)
        room = cuda.local.array(state_words, np.int64)
        for k in range(state_words):
            room[k] = 0
        s = room.view(state_type)[0]
        w = cuda.local.array(work_words, np.int64).view(work_type)[0]
        d = cuda.local.array(dice_words, np.int64).view(dice_type)[0]
        seed_dice(d, seed, start + i)
        setup(specs[0], s, first)
        roll(specs[0], s, d)
        decisions = 0
        alive = i < games
        # The threads of a warp decide together until all of them have finished.
        while cuda.any_sync(everybody, alive):
            if alive:
                step(specs[0], s, random_action(specs[0], s, d, w), None)
                roll(specs[0], s, d)
                decisions += 1
                alive = s.phase != OVER
        if i < games:
            lengths[i] = decisions
            final_score(specs[0], s, w, tallies[i])
            if i < kept:
                states[i] = s

    return play
