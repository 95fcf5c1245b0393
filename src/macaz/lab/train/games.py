"""The games that a network learns from: many side by side, at tables of several sizes.

All arrays are PyTorch's, and the compiled games read and write the same memory: on a GPU nothing
leaves it. Each kind of table has some of the places to itself, side by side.
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

SCRIPTS = ("playout", "racer")  # the styles of the scripted players, from SCRIPTED on
MORE_FOR_TWO = 2.0  # places of a table of two seats for each of another
BLOCK = 64  # threads in a block
REGISTERS = 128  # of a thread


class Places(NamedTuple):
    """The places of one kind of table."""

    spec: Spec
    start: int
    stop: int

    @property
    def size(self) -> int:
        """How many there are."""
        return self.stop - self.start

    @property
    def span(self) -> slice:
        """Where they lie among all."""
        return slice(self.start, self.stop)


class Runner(Protocol):
    """Takes the games of one kind of table a decision further."""

    def __call__(self, *, begin: bool) -> None:
        """Take the decision that is wished for most, or begin anew."""

    def join(self) -> None:
        """Wait until that is done."""


class Lessons:
    """Games side by side, and what a network is told of each and says to it."""

    def __init__(self, settings: Settings, device: str, first: int = 0) -> None:
        """`first` is the number of the first game of each kind of table in its series."""

        def zeros(*shape: int, kind: torch.dtype) -> torch.Tensor:
            return torch.zeros(shape, dtype=kind, device=device)

        count = settings.games
        self.tables = _tables(settings)
        self.rows = zeros(count, SENSE_SIZE, kind=torch.int8)
        self.legal = zeros(count, INTENT_WORDS, kind=torch.int64)
        self.wishes = zeros(count, WISHES, kind=torch.float32)
        self.intents = zeros(count, kind=torch.int16)
        self.colors = zeros(count, kind=torch.int8)
        self.payable = zeros(count, kind=torch.int16)
        self.deciders = zeros(count, kind=torch.int8)
        self.scripts = zeros(count, kind=torch.int32)
        self.numbers = zeros(count, kind=torch.int64)
        self.shares = zeros(count, SEATS, kind=torch.float32)
        self.scores = zeros(count, SEATS, kind=torch.int16)
        self.ended = zeros(count, kind=torch.bool)
        self.players = torch.from_numpy(_players(settings, self.tables)).to(device)
        self.seats = zeros(count, kind=torch.int64)
        for places in self.tables:
            self.seats[places.span] = places.spec.seats
            # A place begins its next game by going on by as many as there are places.
            self.numbers[places.span] = torch.arange(places.size, device=device) - places.size
        self.numbers += first
        runner = _GpuRunner if device == "cuda" else _CpuRunner
        self._runners: list[Runner] = [
            # A series of its own for each kind of table, and any seed is allowed.
            runner(self, places, (settings.seed * 100 + n) % (MAX_SEED + 1))
            for n, places in enumerate(self.tables)
        ]

    def begin(self) -> None:
        """Begin a new game in each place."""
        self._run(begin=True)

    def step(self) -> None:
        """Take the decision that is wished for most in each game; scripted seats do as they do."""
        self._run(begin=False)

    def _run(self, *, begin: bool) -> None:
        for runner in self._runners:
            runner(begin=begin)
        for runner in self._runners:
            runner.join()

    def arrays(self, places: Places) -> list[torch.Tensor]:
        """What the compiled games read and write of these places, in the order of arguments."""
        return [
            array[places.span]
            for array in (
                self.numbers,
                self.deciders,
                self.players,
                self.scripts,
                self.legal,
                self.wishes,
                self.intents,
                self.colors,
                self.payable,
                self.shares,
                self.scores,
                self.ended,
            )
        ]


def tables_of(settings: Settings) -> list[Spec]:
    """Every kind of table to learn at: each number of seats, with each option and without."""
    base = load_edition(settings.edition)
    editions = [base]
    if not base.options:
        editions += [
            load_edition(f"{settings.edition}+{option.name}") for option in base.available_options
        ]
    return [compile_spec(edition, seats) for seats in settings.seats for edition in editions]


def _tables(settings: Settings) -> list[Places]:
    """The places of each kind of table; those of two seats, which most people play, get more."""
    tables = tables_of(settings)
    weights = np.array([MORE_FOR_TWO if spec.seats == 2 else 1.0 for spec in tables])
    ends = np.cumsum(weights) / weights.sum() * settings.games
    edges = [0, *ends.round().astype(int).tolist()]
    return [
        Places(spec, start, stop)
        for spec, start, stop in zip(tables, edges[:-1], edges[1:], strict=True)
    ]


def _players(settings: Settings, tables: list[Places]) -> np.ndarray:
    """Who plays each seat of each place: mostly the learner alone, else also a league's others."""
    rng = np.random.default_rng(settings.seed)
    players = np.full((settings.games, SEATS), LEARNER, np.int8)
    for places in tables:
        seats, start = places.spec.seats, places.start
        past = round(settings.past * places.size)
        scripted = round(settings.scripted * places.size)
        for place in range(start, start + past):
            others = rng.permutation(seats)[: rng.integers(1, seats)]
            players[place, others] = PAST_SELF
        for place in range(start + past, start + past + scripted):
            script = SCRIPTED + place % len(SCRIPTS)
            players[place, :seats] = script
            players[place, rng.integers(seats)] = LEARNER
    return players


def _styles(spec: Spec) -> np.ndarray:
    """The style that suggests to networks, then those of the scripted players."""
    return np.concatenate([style_of(name, spec) for name in (SENSED_BY, *SCRIPTS)])


class _CpuRunner:
    """The games of one kind of table on the processor, shared out to threads."""

    def __init__(self, lessons: Lessons, places: Places, seed: int) -> None:
        spec, size = places.spec, places.size
        workers = max(1, min(core_count(), size))
        edges = np.linspace(0, size, workers + 1).astype(int).tolist()
        self._parts = list(zip(edges[:-1], edges[1:], range(workers), strict=True))
        self._pool = ThreadPoolExecutor(workers, "macaz-lessons")
        self._teach = compiled(PROGRAM, "cpu").teach_games
        self._seed = seed
        words = lessons.rows[places.span].numpy().view(np.int64)
        self._arrays = (
            spec.table,
            guide_of(spec),
            _styles(spec),
            LessonArrays._make(
                (
                    np.zeros(size, dtype_of("state")),
                    np.zeros(size, dtype_of("dice")),
                    *(array.numpy() for array in lessons.arrays(places)),
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
            pass

    def join(self) -> None:
        """Nothing is under way."""


class _GpuRunner:
    """The games of one kind of table on an NVIDIA GPU."""

    def __init__(self, lessons: Lessons, places: Places, seed: int) -> None:
        from macaz.lab.train.compiled.gpu import teach_kernel

        cuda = _cuda()
        spec, size = places.spec, places.size
        self._seed = seed
        # The kinds of tables go on side by side: one alone does not fill the GPU.
        self._stream = torch.cuda.Stream()
        stream = cuda.external_stream(self._stream.cuda_stream)
        self._launch = teach_kernel(REGISTERS)[-(-size // BLOCK), BLOCK, stream]
        words = cuda.as_cuda_array(lessons.rows[places.span].view(-1).view(torch.int64))

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
                    *(cuda.as_cuda_array(array) for array in lessons.arrays(places)),
                    words,
                    words,
                )
            ),
        )

    def __call__(self, *, begin: bool) -> None:
        self._stream.wait_stream(torch.cuda.current_stream())
        self._launch(*self._arrays, self._seed, 1 if begin else 0)

    def join(self) -> None:
        """Let what follows wait for the games."""
        torch.cuda.current_stream().wait_stream(self._stream)


def _cuda() -> Any:
    from macaz.kernel.gpu import NoGPU, gpu_problem

    problem = gpu_problem()
    if problem:
        raise NoGPU(problem)
    from numba import cuda

    return cuda
