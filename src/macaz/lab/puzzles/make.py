"""Makes puzzles on all cores, game after game, until there are enough."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from itertools import count
from typing import NamedTuple

from macaz.bots.compiled.program import GAMES
from macaz.edition import Edition
from macaz.help.compiled.program import ADVICE
from macaz.help.puzzles import FORMAT, PuzzleFile
from macaz.lab.arena.work import Map
from macaz.lab.pool import results_in_order
from macaz.lab.puzzles.choose import Chosen, choose
from macaz.lab.puzzles.find import Job, search_game
from macaz.lab.puzzles.settings import PuzzleError
from macaz.lab.puzzles.solvers import solvers_for
from macaz.lab.puzzles.store import Folder

PROGRAMS = (*GAMES, ADVICE)
QUEUED = 2  # games that wait for each process: few, since each takes long


class Progress(NamedTuple):
    """What there is after so many games."""

    games: int
    found: int  # puzzles, nearly alike ones included
    chosen: int  # of these


def check_editions(editions: tuple[Edition, ...]) -> None:
    """Raise `PuzzleError` unless these are one map with different options."""
    if len({edition.id for edition in editions}) != 1:
        raise PuzzleError(
            "a file of puzzles is of one map: name several editions only if they differ in their "
            "options, as old-west and old-west+alvin do."
        )


def make_puzzles(
    folder: Folder, editions: tuple[Edition, ...], workers: int | None = None
) -> Generator[Progress, None, None]:
    """Play and search games until there are enough puzzles; yields after each of them.

    Close the generator to stop: the games so far are in the folder, with the file of their puzzles.
    """
    settings = folder.settings
    boards = tuple(map(Map.of, editions))
    chosen = write_chosen(folder, editions)
    yield _progress(folder, chosen)
    if chosen.complete:
        return
    first = len(folder.searched)
    jobs = (Job(boards, number, settings.seed, settings.effort) for number in count(first))
    results = results_in_order(search_game, jobs, workers=workers, programs=PROGRAMS, queued=QUEUED)
    with closing(results):
        for searched in results:
            folder.add(searched)
            if searched.candidates:
                chosen = write_chosen(folder, editions)
            yield _progress(folder, chosen)
            if chosen.complete:
                return


def write_chosen(folder: Folder, editions: tuple[Edition, ...]) -> Chosen:
    """Write the file of the puzzles so far, and return them."""
    settings = folder.settings
    chosen = choose(folder.searched, settings.count)
    folder.write(
        PuzzleFile(
            format=FORMAT,
            command=settings.command,
            bots=solvers_for(editions[0]),
            puzzles=tuple(candidate.puzzle for candidate in chosen.puzzles),
        )
    )
    return chosen


def _progress(folder: Folder, chosen: Chosen) -> Progress:
    found = sum(len(searched.candidates) for searched in folder.searched)
    return Progress(len(folder.searched), found, len(chosen.puzzles))
