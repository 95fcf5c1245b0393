"""The facts of all games of a tournament: each is replayed from its record, on all cores."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from facts import facts_of
from figures import Seated
from macaz.edition import load_edition
from macaz.errors import MacazError
from macaz.game.record import load_record
from macaz.lab.arena.settings import ArenaError
from macaz.lab.arena.store import read_games, read_settings
from macaz.lab.arena.work import Map
from macaz.workers import core_count

if TYPE_CHECKING:
    from macaz.lab.arena.result import GameResult

AT_ONCE = 16  # games in one task of a process
AHEAD = 4  # tasks for each process that are queued before the first result is awaited
FEW = 64  # games: fewer are replayed in this process
Facts = tuple[Seated, ...]  # of a game, by seat; empty if a bot failed in it
Numbered = tuple[int, "GameResult"]


def facts_of_folder(folder: Path, workers: int | None = None) -> Generator[Facts]:
    """The facts of each game of a tournament, in the order they were finished.

    The facts of a game in which a bot failed are empty, because a stand-in continued it. Close the
    iterator to stop early.
    """
    board = Map.of(load_edition(read_settings(folder).edition))
    games = enumerate(read_games(folder), 1)
    first = list(islice(games, FEW))
    if len(first) < FEW or workers == 1:
        yield from _facts(board, first)
        yield from _facts(board, games)
    else:
        yield from _in_processes(board, _tasks(first, games), workers or core_count())


def _tasks(first: list[Numbered], rest: Iterator[Numbered]) -> Iterator[list[Numbered]]:
    """All games, divided into tasks."""
    while first:
        yield first[:AT_ONCE]
        first = first[AT_ONCE:] or list(islice(rest, AT_ONCE))


def _facts(board: Map, games: Iterator[Numbered] | list[Numbered]) -> Iterator[Facts]:
    for number, result in games:
        yield _facts_of_one(board, number, result)


def _facts_of_one(board: Map, number: int, result: GameResult) -> Facts:
    if any(result.failures):
        return ()
    if not result.record:
        raise ArenaError(
            f"game {number} was played with --no-records, so it cannot be replayed: "
            "play the tournament again without that option."
        )
    try:
        game = load_record(result.record, edition=board.load())
    except MacazError as error:
        raise ArenaError(f"the record of game {number} cannot be read: {error}") from error
    return tuple(
        Seated(bot, result.deal, facts)
        for bot, facts in zip(result.lineup, facts_of(game).seats, strict=True)
    )


def _facts_of_task(board: Map, games: list[Numbered]) -> list[Facts]:
    return list(_facts(board, games))


def _in_processes(board: Map, tasks: Iterator[list[Numbered]], workers: int) -> Generator[Facts]:
    """The facts of all games, computed by several processes."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_ignore_interrupts)
    waiting: deque[Future[list[Facts]]] = deque()
    try:
        for games in tasks:
            waiting.append(pool.submit(_facts_of_task, board, games))
            if len(waiting) >= AHEAD * workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool as error:
        raise ArenaError(
            "a process that replays games ended unexpectedly; its output above may say why. "
            "If there was not enough memory, use fewer --workers."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
