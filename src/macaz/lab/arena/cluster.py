"""Games on a Ray cluster that is there already: the same jobs, the same results, other machines.

Every worker of Ray plays in a process of its own (`Player`), as here: a bot that crashes or never
answers costs its game, not the worker. Where a worker or a whole machine is lost, Ray gives the
game to another.
"""

from __future__ import annotations

import importlib
import logging
import socket
from collections.abc import Generator, Iterable
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from macaz.errors import MissingExtra
from macaz.lab.arena.process import Player
from macaz.lab.arena.settings import ArenaError

if TYPE_CHECKING:
    from macaz.lab.arena.result import GameResult
    from macaz.lab.arena.work import Job

KNOCK = 5.0  # seconds to answer
AHEAD = 2  # games that wait for each core, so that none is idle while a result travels


def connect(address: str) -> None:
    """Join a cluster: auto, HOST:PORT or ray://HOST:PORT. `ArenaError` where there is none."""
    ray = _ray()
    if ray.is_initialized():
        return
    try:
        if address != "auto":
            _knock(address)
        ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0].rstrip(".")
        raise ArenaError(
            f"there is no Ray cluster at {address!r}: {reason}. "
            "Start one with 'ray start --head', and give its HOST:PORT, or auto."
        ) from error


def _knock(address: str) -> None:
    """Find out in seconds that nobody is there; Ray itself tries for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal() or int(port) >= 2**16:
        raise ValueError("an address is HOST:PORT, or auto")
    socket.create_connection((host.strip("[]"), int(port)), timeout=KNOCK).close()


def run_on_cluster(jobs: Iterable[Job]) -> Generator[GameResult]:
    """The results of all games, each once, as they are finished.

    Close the iterator to stop early; the games that are being played are then given up.
    """
    ray = _ray()
    task = ray.remote(max_retries=-1)(_play)  # a game whose worker is lost is played again
    cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting = iter(jobs)
    playing: list[Any] = []
    try:
        playing += [task.remote(job) for job in islice(waiting, cores * AHEAD)]
        while playing:
            [done], playing = ray.wait(playing)
            playing += [task.remote(job) for job in islice(waiting, 1)]
            yield ray.get(done)
    finally:
        for ref in playing:
            ray.cancel(ref, force=True)


def _play(job: Job) -> GameResult:
    return _player().play(job)


@cache
def _player() -> Player:
    """The player of this worker of Ray, which plays its games one after the other."""
    return Player()


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise MissingExtra("ray", "playing on a cluster", "cluster") from error
