"""Chooses from the puzzles that were found: some of all kinds, no two nearly alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from macaz.lab.puzzles.store import Candidate, Searched

# The largest share of the puzzles that are of a kind.
KINDS = {"claim": 0.4, "card": 0.35, "keep": 0.25, "tickets": 0.15, "return": 0.05}
OTHER_KINDS = 0.15
GRADES = {"easy": 0.4, "medium": 0.5, "hard": 1.0}
SEATS = STAGES = 0.5  # the largest share of one number of seats, and of one stage of the game
SAME_CHOICE = 2  # puzzles of an edition with the same right move
SAME_GAME = 2
APART = 8  # decisions that two puzzles of a game are apart, at least
# With so many puzzles found for each one that is wanted, no more games are played for some kinds.
ENOUGH = 2


class Chosen(NamedTuple):
    """The puzzles that are taken, and whether no more games are needed."""

    puzzles: list[Candidate]
    complete: bool


def choose(searched: Iterable[Searched], count: int) -> Chosen:
    """As many puzzles as are wanted, or as many as there are.

    While those of some kinds are missing, others stand in for them, and more games are needed.
    """
    found = [(one.game, candidate) for one in searched for candidate in one.candidates]
    taken: list[tuple[int, Candidate]] = []
    totals: Counter[Hashable] = Counter()
    for game, candidate in found:
        tags = dict(_tags(candidate))
        if len(taken) == count or _is_alike(game, candidate, taken):
            continue
        if all(totals[tag] < ceil(share * count) for tag, share in tags.items()):
            totals.update(tags.keys())
            taken.append((game, candidate))
    complete = len(taken) == count or len(found) >= ENOUGH * count
    for game, candidate in found:
        if len(taken) < count and not _is_alike(game, candidate, taken):
            taken.append((game, candidate))
    return Chosen([candidate for _, candidate in taken], complete and len(taken) == count)


def _tags(candidate: Candidate) -> Iterator[tuple[Hashable, float]]:
    puzzle = candidate.puzzle
    yield ("kind", puzzle.kind), KINDS.get(puzzle.kind, OTHER_KINDS)
    yield ("grade", puzzle.grade), GRADES[puzzle.grade]
    yield ("seats", candidate.seats), SEATS
    yield ("stage", candidate.stage), STAGES


def _is_alike(game: int, candidate: Candidate, taken: list[tuple[int, Candidate]]) -> bool:
    """Whether there are puzzles like it already; it may be one of them."""
    same = [one for number, one in taken if number == game]
    if len(same) >= SAME_GAME or any(abs(one.ply - candidate.ply) < APART for one in same):
        return True
    return sum(one.choice == candidate.choice for _, one in taken) >= SAME_CHOICE
