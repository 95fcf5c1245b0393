"""Training environments: many games at once, for several numbers of seats and options.

All arrays are PyTorch tensors, and the compiled games read and write the same memory: on a GPU
no data leaves the device. A kind of table is a number of seats with or without an option of the
edition; it has a contiguous range of slots, each of which runs one game at a time.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch

from macaz.bots.compiled.layout import INTENT_WORDS, SENSE_SIZE, WISHES, dtypes
from macaz.bots.compiled.program import guide_of
from macaz.bots.network import SENSED_BY
from macaz.bots.styles import style_of
from macaz.edition import load_edition
from macaz.kernel.compile import compiled
from macaz.kernel.cpu import MAX_SEED
from macaz.kernel.layout import SEATS, dtype_of
from macaz.kernel.spec import Spec, compile_spec
from macaz.lab.train.compiled.lessons import (
    LEARNER,
    PAST_SELF,
    SCRIPTED,
    LessonArrays,
)
from macaz.lab.train.program import PROGRAM
from macaz.lab.train.settings import Settings
from macaz.workers import core_count

SCRIPTS = ("playout", "racer")  # styles of the scripted players SCRIPTED, SCRIPTED + 1
TWO_SEAT_WEIGHT = 2.0  # slots for two-seat tables, relative to those for another kind of table
SEEDS_APART = 100  # seeds for each seed of the settings: more than there are kinds of tables
BLOCK = 64  # threads per CUDA block
REGISTERS = 128  # per CUDA thread


class Slots(NamedTuple):
    """The range of slots of one kind of table."""

    spec: Spec
    start: int
    stop: int

    @property
    def size(self) -> int:
        return self.stop - self.start

    @property
    def span(self) -> slice:
        return slice(self.start, self.stop)


class Runner(Protocol):
    """Steps the games of one kind of table."""

    def __call__(self, *, begin: bool) -> None:
        """Play one decision in each game, or with `begin` start a new game in each slot."""

    def join(self) -> None:
        """Wait until the last call has finished."""


class TrainingEnvs:
    """Many games, with the observations, logits, actions and results of each as tensors.

    Every tensor has a row for each slot.
    """

    def __init__(self, settings: Settings, device: str, first: int = 0) -> None:
        """`first` is the number of the first game of each kind of table."""

        def zeros(*shape: int, dtype: torch.dtype) -> torch.Tensor:
            return torch.zeros(shape, dtype=dtype, device=device)

        count = settings.games
        self.tables = _tables(settings)
        # For the next decision: the network's input, the legal intents as bits, the seat that
        # decides, and the action that the scripted player of that seat, or the hint, suggests.
        self.rows = zeros(count, SENSE_SIZE, dtype=torch.int8)
        self.legal = zeros(count, INTENT_WORDS, dtype=torch.int64)
        self.deciders = zeros(count, dtype=torch.int8)
        self.scripts = zeros(count, dtype=torch.int32)
        # Written by the network: the logits of intents and colours.
        self.logits = zeros(count, WISHES, dtype=torch.float32)
        # The decision that was played: its intent, its colour, and the colours that could pay for
        # the intent, as bits.
        self.intents = zeros(count, dtype=torch.int16)
        self.colors = zeros(count, dtype=torch.int8)
        self.payable = zeros(count, dtype=torch.int16)
        # Whether that decision ended the game; then each seat's share of the win, and its score.
        self.ended = zeros(count, dtype=torch.bool)
        self.shares = zeros(count, SEATS, dtype=torch.float32)
        self.scores = zeros(count, SEATS, dtype=torch.int16)
        # The game in the slot: its number, its seats, and who plays each of them.
        self.numbers = zeros(count, dtype=torch.int64)
        self.players = torch.from_numpy(_players(settings, self.tables)).to(device)
        self.seats = zeros(count, dtype=torch.int64)
        for slots in self.tables:
            self.seats[slots.span] = slots.spec.seats
            # To begin a game, a slot adds the number of slots to its last number.
            self.numbers[slots.span] = torch.arange(slots.size, device=device) - slots.size
        self.numbers += first
        runner = _GpuRunner if device == "cuda" else _CpuRunner
        self._runners: list[Runner] = [
            # Each kind of table has its own seed; large seeds of the settings wrap around.
            runner(self, slots, (settings.seed * SEEDS_APART + n) % (MAX_SEED + 1))
            for n, slots in enumerate(self.tables)
        ]

    def begin(self) -> None:
        """Begin a new game in each slot."""
        self._run(begin=True)

    def step(self) -> None:
        """Play the action with the highest logits in each game, or the scripted one."""
        self._run(begin=False)

    def _run(self, *, begin: bool) -> None:
        for runner in self._runners:
            runner(begin=begin)
        for runner in self._runners:
            runner.join()

    def arrays(self, slots: Slots) -> list[torch.Tensor]:
        """The tensors of these slots for the compiled games, in the order of `LessonArrays`."""
        return [
            array[slots.span]
            for array in (
                self.numbers,
                self.deciders,
                self.players,
                self.scripts,
                self.legal,
                self.logits,
                self.intents,
                self.colors,
                self.payable,
                self.shares,
                self.scores,
                self.ended,
            )
        ]


def tables_of(settings: Settings) -> list[Spec]:
    """Every kind of table: each number of seats, without an option and with each one.

    If the settings name an edition with an option, only that option is trained.
    """
    base = load_edition(settings.edition)
    editions = [base]
    if not base.options:
        editions += [
            load_edition(f"{settings.edition}+{option.name}") for option in base.available_options
        ]
    return [compile_spec(edition, seats) for seats in settings.seats for edition in editions]


def _tables(settings: Settings) -> list[Slots]:
    """The slots of each kind of table; two seats, which most people play, get more."""
    tables = tables_of(settings)
    weights = np.array([TWO_SEAT_WEIGHT if spec.seats == 2 else 1.0 for spec in tables])
    ends = np.cumsum(weights) / weights.sum() * settings.games
    edges = [0, *ends.round().astype(int).tolist()]
    return [
        Slots(spec, start, stop)
        for spec, start, stop in zip(tables, edges[:-1], edges[1:], strict=True)
    ]


def _players(settings: Settings, tables: list[Slots]) -> np.ndarray:
    """Who plays each seat of each slot: the learner, or a past self, or a script.

    At least one seat of each game is the learner's.
    """
    rng = np.random.default_rng(settings.seed)
    players = np.full((settings.games, SEATS), LEARNER, np.int8)
    for slots in tables:
        seats, start = slots.spec.seats, slots.start
        past = round(settings.past * slots.size)
        scripted = round(settings.scripted * slots.size)
        for slot in range(start, start + past):
            others = rng.permutation(seats)[: rng.integers(1, seats)]
            players[slot, others] = PAST_SELF
        for slot in range(start + past, start + past + scripted):
            script = SCRIPTED + slot % len(SCRIPTS)
            players[slot, :seats] = script
            players[slot, rng.integers(seats)] = LEARNER
    return players


def _styles(spec: Spec) -> np.ndarray:
    """The style whose plan and suggestion the network sees, then those of the scripted players."""
    return np.concatenate([style_of(name, spec) for name in (SENSED_BY, *SCRIPTS)])


class _CpuRunner:
    """Runs the games of one kind of table on CPU threads."""

    def __init__(self, envs: TrainingEnvs, slots: Slots, seed: int) -> None:
        spec, size = slots.spec, slots.size
        workers = max(1, min(core_count(), size))
        edges = np.linspace(0, size, workers + 1).astype(int).tolist()
        self._parts = list(zip(edges[:-1], edges[1:], range(workers), strict=True))
        self._pool = ThreadPoolExecutor(workers, "macaz-train-games")
        self._teach = compiled(PROGRAM, "cpu").teach_games
        self._seed = seed
        words = envs.rows[slots.span].numpy().view(np.int64)
        self._arrays = (
            spec.table,
            guide_of(spec),
            _styles(spec),
            LessonArrays._make(
                (
                    np.zeros(size, dtype_of("state")),
                    np.zeros(size, dtype_of("dice")),
                    *(array.numpy() for array in envs.arrays(slots)),
                    words,
                    words.view(dtypes["sense"]).reshape(size),
                )
            ),
            np.zeros(workers, dtype_of("work")),
            np.zeros(workers, dtypes["mind"]),
            np.zeros(workers, dtype_of("tally")),
        )

    def __call__(self, *, begin: bool) -> None:
        def part(edges: tuple[int, int, int]) -> None:
            self._teach(*self._arrays, *edges, self._seed, 1 if begin else 0)

        for _ in self._pool.map(part, self._parts):
            pass  # raises what a thread raised

    def join(self) -> None:
        """Do nothing: a call returns when it has finished."""


class _GpuRunner:
    """Runs the games of one kind of table on an NVIDIA GPU."""

    def __init__(self, envs: TrainingEnvs, slots: Slots, seed: int) -> None:
        from macaz.lab.train.compiled.gpu import teach_kernel

        cuda = _cuda()
        spec, size = slots.spec, slots.size
        self._seed = seed
        # The kinds of tables run concurrently: one alone does not fill the GPU.
        self._stream = torch.cuda.Stream()
        stream = cuda.external_stream(self._stream.cuda_stream)
        self._launch = teach_kernel(REGISTERS)[-(-size // BLOCK), BLOCK, stream]
        words = cuda.as_cuda_array(envs.rows[slots.span].view(-1).view(torch.int64))

        def zeros(record: str) -> Any:
            return cuda.to_device(np.zeros((dtype_of(record).itemsize // 8, size), np.int64))

        self._arrays = (
            cuda.to_device(spec.table.copy()),
            cuda.to_device(guide_of(spec).copy()),
            cuda.to_device(_styles(spec)),
            LessonArrays._make(
                (
                    zeros("state"),
                    zeros("dice"),
                    *(cuda.as_cuda_array(array) for array in envs.arrays(slots)),
                    words,
                    words,
                )
            ),
        )

    def __call__(self, *, begin: bool) -> None:
        self._stream.wait_stream(torch.cuda.current_stream())
        self._launch(*self._arrays, self._seed, 1 if begin else 0)

    def join(self) -> None:
        """Make the current CUDA stream wait for the games."""
        torch.cuda.current_stream().wait_stream(self._stream)


def _cuda() -> Any:
    from macaz.kernel.gpu import NoGPU, gpu_problem

    problem = gpu_problem()
    if problem:
        raise NoGPU(problem)
    from numba import cuda

    return cuda
