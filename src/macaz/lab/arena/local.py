"""Plays games on this machine, by default one per core at a time."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING

from macaz.bots.compiled.program import GAMES
from macaz.kernel.mixed import Beside
from macaz.lab.arena.process import Closed, Player
from macaz.workers import core_count

if TYPE_CHECKING:
    from macaz.lab.arena.result import GameResult
    from macaz.lab.arena.work import Job


def run_local(jobs: Iterable[Job], workers: int | None = None) -> Generator[GameResult]:
    """Yield the result of each game once, as it finishes.

    Close the iterator to stop early; unfinished games are then cancelled.
    """
    waiting, lock = iter(jobs), Lock()
    found: SimpleQueue[GameResult | BaseException | None] = SimpleQueue()

    def work(player: Player) -> None:
        try:
            while True:
                with lock:
                    job = next(waiting, None)
                if job is None:
                    break
                found.put(player.play(job))
        except Closed:
            pass
        except BaseException as error:
            found.put(error)
        finally:
            player.clean_up()
            found.put(None)

    beside = Beside(GAMES)
    players = [Player(beside) for _ in range(workers or core_count())]
    threads = [Thread(target=work, args=(player,), daemon=True) for player in players]
    try:
        for thread in threads:
            thread.start()
        busy = len(threads)
        while busy:
            result = found.get()
            if isinstance(result, BaseException):
                raise result
            if result is None:
                busy -= 1
            else:
                yield result
    finally:
        for player in players:
            player.close()
        for thread in threads:
            thread.join()
        beside.close()
