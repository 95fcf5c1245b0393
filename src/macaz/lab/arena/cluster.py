"""Plays games on an existing Ray cluster, with the same results as on this machine.

Every Ray worker plays in a separate process (`Player`), so that a bot that crashes or never answers
loses its game and does not end the worker. If a worker or a machine is lost, Ray gives its game to
another.
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

CONNECT_TIMEOUT = 5.0  # seconds
QUEUED_PER_CORE = 2  # so that no core is idle while a result is sent


def connect(address: str) -> None:
    """Connect to a cluster: auto, HOST:PORT or ray://HOST:PORT. `ArenaError` if there is none."""
    ray = _ray()
    if ray.is_initialized():
        return
    try:
        if address != "auto":
            _check_reachable(address)
        ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0].rstrip(".")
        raise ArenaError(
            f"there is no Ray cluster at {address!r}: {reason}. "
            "Start one with 'ray start --head', and give its HOST:PORT, or auto."
        ) from error


def _check_reachable(address: str) -> None:
    """Raise within seconds if no server listens; Ray itself tries for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal() or int(port) >= 2**16:
        raise ValueError("an address is HOST:PORT, or auto")
    socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_TIMEOUT).close()


def run_on_cluster(jobs: Iterable[Job]) -> Generator[GameResult]:
    """Yield the result of each game once, as it finishes.

    Close the iterator to stop early; unfinished games are then cancelled.
    """
    ray = _ray()
    task = ray.remote(max_retries=-1)(_play)  # replay a game whose worker was lost
    cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting = iter(jobs)
    playing: list[Any] = []
    try:
        playing += [task.remote(job) for job in islice(waiting, cores * QUEUED_PER_CORE)]
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
    """The player of this Ray worker, which plays one game at a time."""
    return Player()


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise MissingExtra("ray", "playing on a cluster", "cluster") from error
