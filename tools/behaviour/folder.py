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

AT_ONCE = 16  # games that a process is given
AHEAD = 4  # times that for each process, before the first answer is awaited
FEW = 64  # games for which no process is worth starting
Facts = tuple[Seated, ...]  # of a game, by seat; none where a bot failed in it
Numbered = tuple[int, "GameResult"]


def facts_of_folder(folder: Path, workers: int | None = None) -> Generator[Facts]:
    """The facts of each game of a tournament, in the order they were finished.

    Where a bot failed, and a stand-in played on, nothing is told of the game. Close the iterator
    to stop early.
    """
    board = Map.of(load_edition(read_settings(folder).edition))
    games = enumerate(read_games(folder), 1)
    first = list(islice(games, FEW))
    if len(first) < FEW or workers == 1:
        yield from _facts(board, first)
        yield from _facts(board, games)
    else:
        yield from _elsewhere(board, _chain(first, games), workers or core_count())


def _chain(first: list[Numbered], rest: Iterator[Numbered]) -> Iterator[list[Numbered]]:
    """All games, in handfuls."""
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
            f"game {number} was played with --no-records, so what was done in it is not known: "
            "play the tournament again without that."
        )
    try:
        game = load_record(result.record, edition=board.load())
    except MacazError as error:
        raise ArenaError(f"the record of game {number} cannot be read: {error}") from error
    return tuple(
        Seated(bot, result.deal, facts)
        for bot, facts in zip(result.lineup, facts_of(game).seats, strict=True)
    )


def _handful(board: Map, games: list[Numbered]) -> list[Facts]:
    return list(_facts(board, games))


def _elsewhere(board: Map, handfuls: Iterator[list[Numbered]], workers: int) -> Generator[Facts]:
    """The facts of all games, found in processes of their own."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_ignore_interrupts)
    waiting: deque[Future[list[Facts]]] = deque()
    try:
        for games in handfuls:
            waiting.append(pool.submit(_handful, board, games))
            if len(waiting) >= AHEAD * workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool as error:
        raise ArenaError(
            "a process that replays games ended by itself; what it wrote above may say why. "
            "If memory was short, let fewer work at once."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
