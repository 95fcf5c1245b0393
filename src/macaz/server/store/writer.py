"""Group commit: one thread writes, and all waiting jobs are committed in one transaction.

While it commits, the next jobs queue up: a busy server commits large batches, and an idle one
commits a single job at once.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine

from macaz.server.store.appends import run_appends
from macaz.server.store.rows import Append
from macaz.server.store.trouble import Unavailable, as_unavailable, unavailable

log = logging.getLogger(__name__)

MOST_WAITING = 10_000
LARGEST_BATCH = 1_000

Work = Append | Callable[[Connection], Any]
Committed = Callable[[float, int], None]


class Job(NamedTuple):
    """Something to write, and the future of its result."""

    work: Work
    future: asyncio.Future[Any]


class _Down(Exception):  # noqa: N818
    """The database failed: a transaction could not begin, or could not be committed."""


class Writer:
    """The thread that writes.

    `committed(seconds, jobs)` is called in this thread after each transaction.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        committed: Committed | None = None,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._engine = engine
        self._committed = committed
        self._most_waiting = most_waiting
        self._waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._loop, name="macaz-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Work) -> asyncio.Future[Any]:
        """The future result. A job whose future is cancelled in time is skipped."""
        if self._closed:
            raise Unavailable("The database is closed.")
        if self._waiting.qsize() >= self._most_waiting:
            raise Unavailable("The database does not keep up: too much waits to be written.")
        future = asyncio.get_running_loop().create_future()
        self._waiting.put(Job(work, future))
        return future

    def refuse(self) -> None:
        """Take no more jobs."""
        self._closed = True

    def close(self) -> None:
        """Finish what waits, then end the thread."""
        self.refuse()
        self._waiting.put(None)
        self._thread.join()

    def _loop(self) -> None:
        more = True
        while more:
            batch, more = self._gather()
            try:
                self._run([job for job in batch if not job.future.done()])
            except Exception as error:  # a bug must not end the thread
                log.exception("the writer failed")
                _tell(batch, [unavailable(error) for _ in batch])

    def _gather(self) -> tuple[list[Job], bool]:
        """All waiting jobs, at least one; and whether the thread goes on."""
        batch: list[Job] = []
        with suppress(queue.Empty):
            while len(batch) < LARGEST_BATCH:
                job = self._waiting.get(block=not batch)
                if job is None:
                    return batch, False
                batch.append(job)
        return batch, True

    def _run(self, batch: list[Job]) -> None:
        if not batch:
            return
        try:
            _tell(batch, self._together(batch))
        except _Down as down:
            _tell(batch, [_unavailable(down) for _ in batch])
        except Exception as error:
            if len(batch) == 1:
                _tell(batch, [as_unavailable(error)])
            else:
                self._one_by_one(batch)

    def _one_by_one(self, batch: list[Job]) -> None:
        """Run each job in its own transaction, so that only the faulty ones fail."""
        for number, job in enumerate(batch):
            if job.future.done():  # its caller has timed out
                continue
            try:
                _tell([job], self._together([job]))
            except _Down as down:  # the rest would fail too
                rest = batch[number:]
                _tell(rest, [_unavailable(down) for _ in rest])
                return
            except Exception as error:
                _tell([job], [as_unavailable(error)])

    def _together(self, batch: list[Job]) -> list[Any]:
        """The results of jobs, committed in one transaction."""
        began = time.perf_counter()
        with _as_down():
            connection = self._engine.connect()
        with connection:
            with _as_down():
                transaction = connection.begin()
            results = _work(connection, batch)
            with _as_down():
                transaction.commit()
        if self._committed is not None:
            try:
                self._committed(time.perf_counter() - began, len(batch))
            except Exception:  # what is committed is committed, measured or not
                log.exception("the commit could not be measured")
        return results


@contextmanager
def _as_down() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise _Down from error


def _unavailable(down: _Down) -> Exception:
    assert isinstance(down.__cause__, Exception)
    return unavailable(down.__cause__)


def _work(connection: Connection, batch: list[Job]) -> list[Any]:
    """The results of jobs. The appends come last, together."""
    results: list[Any] = [None] * len(batch)
    appends: dict[int, Append] = {}
    for number, (work, _) in enumerate(batch):
        if isinstance(work, Append):
            appends[number] = work
        else:
            results[number] = work(connection)
    if appends:
        verdicts = run_appends(connection, list(appends.values()))
        for number, verdict in zip(appends, verdicts, strict=True):
            results[number] = verdict
    return results


def _tell(jobs: Sequence[Job], results: Sequence[Any]) -> None:
    """Resolve the futures, with one call for each event loop; a result may be an error to raise."""
    loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for (_, future), result in zip(jobs, results, strict=True):
        loops.setdefault(future.get_loop(), []).append((future, result))
    for loop, outcomes in loops.items():
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(_resolve, outcomes)


def _resolve(outcomes: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in outcomes:
        if future.done():  # the caller has timed out
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
