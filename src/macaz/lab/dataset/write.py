"""A dataset is written: games are played or replayed on all cores, their rows go into two files.

The files depend on the games alone, not on cores or timing, and hold them in their order.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from macaz.bots.compiled.program import GAMES as GAME_PROGRAMS
from macaz.errors import MacazError
from macaz.kernel import mixed
from macaz.kernel.mixed import Beside
from macaz.lab.dataset.columns import DECISIONS, GAMES, schema_of
from macaz.lab.dataset.rows import decision_rows, game_row
from macaz.lab.dataset.sources import Source
from macaz.lab.parquet import ParquetFile, need_pyarrow
from macaz.workers import STOPS, core_count, ignore_stops

GAMES_FILE, DECISIONS_FILE = "games.parquet", "decisions.parquet"
GAMES_GROUP, DECISIONS_GROUP = 1024, 16_384  # rows per row group, some 16 MB
QUEUED_PER_PROCESS = 4  # games that are requested before they are written
Tables = tuple[Any, Any]  # of a game: its row, and its decisions
Job = tuple[Source, bool]  # a game, and whether its decisions are wanted
Made = Generator[Tables | None, None, None]


@dataclass(slots=True)
class Written:
    """The contents of a written dataset."""

    games: int = 0
    decisions: int = 0
    unfinished: int = 0  # records that were left out


def write_dataset(
    sources: Iterable[Source],
    folder: Path,
    *,
    decisions: bool = True,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> Written:
    """Write `games.parquet` and, if wanted, `decisions.parquet` into a folder.

    `progress` is told how many more games are done. Set `stop` to end early: the files then hold
    the games so far.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = Written()
    with ExitStack() as stack:
        games = ParquetFile(folder / GAMES_FILE, schema_of(GAMES), GAMES_GROUP)
        stack.enter_context(games)
        moves = None
        if decisions:
            moves = ParquetFile(folder / DECISIONS_FILE, schema_of(DECISIONS), DECISIONS_GROUP)
            stack.enter_context(moves)
        jobs = ((source, decisions) for source in sources)
        made = _made_here(jobs) if workers == 1 else _made(jobs, workers or core_count())
        stack.enter_context(closing(made))
        for tables in made:
            if tables is None:
                written.unfinished += 1
            else:
                games.write(tables[0])
                written.games += 1
                if moves is not None:
                    moves.write(tables[1])
                    written.decisions += len(tables[1])
            if progress is not None:
                progress(1)
            if stop is not None and stop.is_set():
                break
    return written


def _work(job: Job, native: tuple[str, ...]) -> tuple[Tables | None, frozenset[str]]:
    """In a process: the tables of a game, and the entries of the kernel that were called so far."""
    mixed.use_native(native)
    return make_tables(job), mixed.called()


def make_tables(job: Job) -> Tables | None:
    """The tables of a game; None if it is not finished."""
    source, decisions = job
    game = source.game()
    if not game.over:
        return None
    table_of = need_pyarrow().Table.from_pylist
    row = table_of([game_row(game, source.number)], schema_of(GAMES))
    rows = list(decision_rows(game, source.number)) if decisions else []
    return row, table_of(rows, schema_of(DECISIONS))


def _made_here(jobs: Iterable[Job]) -> Made:
    """The tables of all games, in order."""
    for job in jobs:
        yield make_tables(job)


def _made(jobs: Iterable[Job], workers: int) -> Made:
    """The same, made in processes. Close it to end them at once."""
    context = multiprocessing.get_context("spawn")
    over, beside = context.Event(), Beside(GAME_PROGRAMS)
    pool = ProcessPoolExecutor(
        workers, context, initializer=_attend, initargs=(over, beside.environment)
    )
    waiting: deque[Future[tuple[Tables | None, frozenset[str]]]] = deque()

    def next_made() -> Tables | None:
        tables, called = waiting.popleft().result()
        beside.called(called)
        return tables

    try:
        for job in jobs:
            with _signals_blocked():
                waiting.append(pool.submit(_work, job, beside.ready()))
            if len(waiting) >= QUEUED_PER_PROCESS * workers:
                yield next_made()
        while waiting:
            yield next_made()
    except BrokenProcessPool as error:
        over.set()  # the pool waits for the others, which ignore its TERM
        raise MacazError(
            "a process that plays games ended by itself; what it wrote above may say why. "
            "If memory was short, let fewer work at once."
        ) from error
    except BaseException:
        over.set()
        _expect_no_more(pool)
        raise
    finally:
        beside.close()
        pool.shutdown(cancel_futures=True)


def _expect_no_more(pool: ProcessPoolExecutor) -> None:
    """Let the pool notice the end of its processes, even in the middle of writing a result.

    Its thread waits for the rest of that result as long as any process, this one included, could
    still write it. The pool has no public way to say that this one will not.
    """
    results: Any = getattr(pool, "_result_queue", None)
    if results is not None:
        results._writer.close()


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """A process that is started meanwhile gets no Ctrl-C and no TERM: its parent handles them.

    Both are often sent to a whole process group.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _attend(over: Any, environment: dict[str, str]) -> None:
    """In each process: exit with the work or with the parent, even during a game."""
    os.environ.update(environment)
    ignore_stops()  # where they could not be blocked
    parent = multiprocessing.parent_process()

    def watch() -> None:
        while not over.wait(1.0) and parent is not None and parent.is_alive():
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
