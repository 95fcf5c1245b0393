"""Work on all cores, in processes: its results in the order of the jobs, for runs of many games.

The processes begin on WebAssembly and go on natively once native code is compiled
(`macaz.kernel.mixed`), which changes no result.
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
from contextlib import contextmanager
from typing import Any, TypeVar

from macaz.bots.compiled.program import GAMES
from macaz.errors import MacazError
from macaz.kernel import mixed
from macaz.kernel.compile import Program
from macaz.kernel.mixed import Beside
from macaz.workers import CORES, ONE_THREAD, STOPS, core_count, ignore_stops

QUEUED_PER_PROCESS = 4  # jobs that are begun before their results are taken
Job = TypeVar("Job")
Result = TypeVar("Result")


def results_in_order(
    work: Callable[[Job], Result],
    jobs: Iterable[Job],
    *,
    workers: int | None = None,
    programs: Iterable[Program] = GAMES,
    queued: int = QUEUED_PER_PROCESS,
) -> Generator[Result, None, None]:
    """The results of `work`, a function of a module, in the order of the jobs.

    One worker is this process. Close the generator to end the others at once. `programs` are those
    whose entries the work calls; `queued` is how many jobs of a process may wait.
    """
    count = workers or core_count()
    if count == 1:
        return (work(job) for job in jobs)
    return _in_processes(work, jobs, count, programs, queued)


def _in_processes(
    work: Callable[[Job], Result],
    jobs: Iterable[Job],
    workers: int,
    programs: Iterable[Program],
    queued: int,
) -> Generator[Result, None, None]:
    context = multiprocessing.get_context("spawn")
    over, beside = context.Event(), Beside(programs)
    pool = ProcessPoolExecutor(
        workers, context, initializer=_attend, initargs=(over, beside.environment)
    )
    waiting: deque[Future[tuple[Result, frozenset[str]]]] = deque()

    def next_result() -> Result:
        result, called = waiting.popleft().result()
        beside.called(called)
        return result

    try:
        for job in jobs:
            with _starting():
                waiting.append(pool.submit(_do, work, job, beside.ready()))
            if len(waiting) >= queued * workers:
                yield next_result()
        while waiting:
            yield next_result()
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


def _do(
    work: Callable[[Job], Result], job: Job, native: tuple[str, ...]
) -> tuple[Result, frozenset[str]]:
    """In a process: a result, and the entries of the kernel that were called so far."""
    mixed.use_native(native)
    return work(job), mixed.called()


def _expect_no_more(pool: ProcessPoolExecutor) -> None:
    """Let the pool notice the end of its processes, even in the middle of writing a result.

    Its thread waits for the rest of that result as long as any process, this one included, could
    still write it. The pool has no public way to say that this one will not.
    """
    results: Any = getattr(pool, "_result_queue", None)
    if results is not None:
        results._writer.close()


@contextmanager
def _starting() -> Iterator[None]:
    """A process that is started meanwhile works on one core and ignores Ctrl-C and TERM.

    Its parent handles these: both are often sent to a whole process group.
    """
    alone = {CORES: "1", **ONE_THREAD}
    kept = {name: os.environ.get(name) for name in alone}
    os.environ.update(alone)  # NumPy reads it when it is imported, before any code of ours runs
    try:
        with _signals_blocked():
            yield
    finally:
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _signals_blocked() -> Iterator[None]:
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
