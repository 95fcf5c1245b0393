"""Games in bulk on all cores.

The kernel lets go of Python's lock, so threads are enough. Game `k` of a seed is the same game
whatever the target, the number of threads and the size of the batches, and batches come in order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np

from macaz.kernel.compile import AUTO, KERNEL, bulk_target, default_target, kernel
from macaz.kernel.engine import scratch
from macaz.kernel.layout import dtype_of
from macaz.kernel.spec import Spec
from macaz.workers import core_count

MAX_SEED = 2**63 - 1
BATCH = 1024
# Games in a run from which native code is worth loading, and compiling: on two cores it saves about
# 5 microseconds a game, and takes 2 seconds to load and 20 to compile (docs/bench-results.md).
WORTH_LOADING = 500_000
WORTH_COMPILING = 5_000_000
PLAYED_BY = "random_games"  # the entry
AHEAD = 3  # batches waiting or under way for each worker, so that none is ever idle


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Finished games `start`, `start + 1`, … of a seed."""

    start: int
    tallies: np.ndarray  # one record of dtype "tally" for each game
    lengths: np.ndarray  # decisions in each game

    def __len__(self) -> int:
        return len(self.lengths)


def random_games(
    spec: Spec,
    games: int,
    seed: int,
    *,
    start: int = 0,
    first: int = -1,
    workers: int | None = None,
    batch: int = BATCH,
) -> Generator[Batch, None, None]:
    """Play games `start` to `start + games - 1` of a seed at random, in batches, in order.

    `first` is the seat that begins; with -1 chance says. Close the generator to stop early: what
    is under way is finished and dropped, and no thread stays behind.
    """
    workers = core_count() if workers is None else workers
    if not 0 <= seed <= MAX_SEED:
        raise ValueError(f"a seed is a whole number from 0 to 2**63 - 1, not {seed}")
    if not -1 <= first < spec.seats:
        raise ValueError(f"first is a seat from 0 to {spec.seats - 1}, or -1, not {first}")
    if games < 0 or start < 0 or workers < 1 or batch < 1:
        raise ValueError("games and start cannot be negative; workers and batch are at least 1")
    return _run(spec, range(start, start + games, batch), start + games, seed, first, workers)


def play_batch(
    spec: Spec, start: int, games: int, seed: int, first: int = -1, target: str = AUTO
) -> Batch:
    """Play one batch in this thread."""
    done = Batch(start, np.zeros(games, dtype_of("tally")), np.zeros(games, np.int32))
    records = scratch(target)
    kernel(target).random_games(
        spec.table,
        records.states,
        records.works,
        done.tallies,
        records.dice,
        done.lengths,
        seed,
        start,
        first,
    )
    return done


class Native:
    """Which target a run of games uses for its next batch. To be used in a `with`.

    Native code is somewhat faster, and takes seconds to load: a long run uses it as soon as it is
    ready. For a very long one it is compiled in a process beside the run.
    """

    def __init__(self, games: int) -> None:
        self._open = ExitStack()
        self._awaited = False
        self._target = default_target()
        if bulk_target() == self._target or games < WORTH_LOADING:
            return
        from macaz.kernel import native_code

        wanted = native_code.parts(KERNEL, PLAYED_BY)
        self._awaited = bool(wanted)
        if not wanted:
            native_code.say_nothing_is_kept("WebAssembly is used")
        elif games >= WORTH_COMPILING and not wanted[0].ready:
            self._open.enter_context(native_code.Compiler(wanted))

    def __enter__(self) -> Native:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def target(self) -> str:
        """The target of the next batch."""
        if self._awaited and kernel("cpu").usable(PLAYED_BY):
            self._awaited, self._target = False, "cpu"
        return self._target


def _run(
    spec: Spec, starts: range, end: int, seed: int, first: int, workers: int
) -> Generator[Batch, None, None]:
    waiting: deque[Future[Batch]] = deque()
    todo = iter(starts)
    native = Native(end - starts.start)
    with native, ThreadPoolExecutor(min(workers, len(starts) or 1), "macaz-games") as pool:
        try:
            while True:
                while len(waiting) < AHEAD * workers and (at := next(todo, None)) is not None:
                    games = min(starts.step, end - at)
                    waiting.append(
                        pool.submit(play_batch, spec, at, games, seed, first, native.target())
                    )
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
