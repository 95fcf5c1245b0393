"""Counting the nodes of the game's tree, ply by ply, the same way for every implementation.

`perft` counts paths, not positions: two ways to one position count twice. An outcome of chance is
one branch, whatever its weight. At the setup's choice of tickets, where several seats may act, the
lowest of them comes first, so that an implementation does not count the orders of the choosing.

A `Case` is a start that every implementation can reach (the moves of its script, in the tuples of
`reference.Reference`) with the counts that belong to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Protocol, Self

from tests.reference import Move, Reference

from macaz.edition import Edition, load_edition

Kind = Literal["chance", "decision", "over"]


class Position(Protocol):
    """What `perft` needs of a game; `play` leaves the position itself as it was."""

    def kind(self) -> Kind: ...

    def moves(self) -> list[Any]: ...

    def play(self, move: Any, /) -> Self: ...


class Ply(NamedTuple):
    """The number of nodes of each kind, this many moves from the start."""

    chance: int = 0
    decision: int = 0
    over: int = 0


def perft(start: Position | Callable[[], Position], depth: int | None = None) -> list[Ply]:
    """The counts of the start (ply 0) and of each ply down to this depth.

    Without a depth the whole tree is counted; the list ends with the last ply that has a node.
    """
    position = start() if callable(start) else start
    counts: list[dict[str, int]] = []

    def visit(node: Position, ply: int) -> None:
        if ply == len(counts):
            counts.append({"chance": 0, "decision": 0, "over": 0})
        kind = node.kind()
        counts[ply][kind] += 1
        if kind != "over" and ply != depth:
            for move in node.moves():
                visit(node.play(move), ply + 1)

    visit(position, 0)
    return [Ply(**count) for count in counts]


class ReferencePosition:
    """The adapter of the reference implementation."""

    def __init__(self, game: Reference) -> None:
        self.game = game

    def kind(self) -> Kind:
        actors = self.game.actors()
        return actors if isinstance(actors, str) else "decision"

    def moves(self) -> list[Move]:
        actors = self.game.actors()
        if isinstance(actors, str):
            return list(self.game.chance()) if actors == "chance" else []
        return list(self.game.legal(min(actors)))

    def play(self, move: Move, /) -> ReferencePosition:
        game = self.game.copy()
        game.apply(move)
        return ReferencePosition(game)


class Case(NamedTuple):
    """A game of an edition, its first seat 0, and the counts from the end of the script on."""

    name: str
    edition: str
    seats: int
    script: tuple[Move, ...]
    depth: int | None
    counts: tuple[Ply, ...]

    def load(self) -> Edition:
        return load_edition(self.edition)

    def reference(self) -> ReferencePosition:
        game = Reference(self.load(), self.seats, first=0)
        for move in self.script:
            game.apply(move)
        return ReferencePosition(game)


def parse(word: str) -> Move:
    """A move from its word: "claim:3:7:0" or "keep:2+4"."""
    name, *values = word.split(":")
    if name in {"choose", "keep"}:
        kept = frozenset(int(ticket) for ticket in values.pop().split("+"))
        return (name, *map(int, values), kept)
    return (name, *map(int, values))


def script(text: str) -> tuple[Move, ...]:
    return tuple(parse(word) for word in text.split())


# Deals, choices and rows from the start; play from a fixed setup; whole trees of late positions.
CASES = (
    Case(
        "deal-2",
        "tiny",
        2,
        (),
        6,
        (
            Ply(1, 0, 0),
            Ply(4, 0, 0),
            Ply(16, 0, 0),
            Ply(63, 0, 0),
            Ply(243, 0, 0),
            Ply(915, 0, 0),
            Ply(3345, 0, 0),
        ),
    ),
    Case(
        "tickets-2",
        "tiny",
        2,
        script("card:1 card:4 card:7 card:8 card:1 card:4 card:7"),
        6,
        (
            Ply(1, 0, 0),
            Ply(6, 0, 0),
            Ply(30, 0, 0),
            Ply(120, 0, 0),
            Ply(0, 360, 0),
            Ply(0, 1080, 0),
            Ply(0, 3240, 0),
        ),
    ),
    Case(
        "row-2",
        "tiny",
        2,
        script("card:1 card:4 card:7 card:7 card:8 card:8"),
        7,
        (
            Ply(1, 0, 0),
            Ply(3, 0, 0),
            Ply(9, 0, 0),
            Ply(26, 0, 0),
            Ply(70, 0, 0),
            Ply(420, 0, 0),
            Ply(2100, 0, 0),
            Ply(8400, 0, 0),
        ),
    ),
    Case(
        "play-2",
        "tiny",
        2,
        script(
            "card:1 card:4 card:7 card:8 card:1 card:4 card:7 ticket:0 ticket:3 ticket:2 "
            "ticket:5 choose:0:0 choose:1:2+5 "
        ),
        6,
        (
            Ply(0, 1, 0),
            Ply(5, 3, 0),
            Ply(17, 29, 0),
            Ply(126, 62, 0),
            Ply(251, 427, 0),
            Ply(1684, 2141, 0),
            Ply(9579, 11786, 0),
        ),
    ),
    Case(
        "locomotives-2",
        "tiny",
        2,
        script(
            "card:1 card:1 card:8 card:4 card:8 card:4 card:1 ticket:1 ticket:4 ticket:2 "
            "ticket:3 choose:0:1+4 choose:1:3 "
        ),
        6,
        (
            Ply(0, 1, 0),
            Ply(5, 3, 0),
            Ply(17, 27, 0),
            Ply(119, 62, 0),
            Ply(258, 424, 0),
            Ply(1663, 1188, 0),
            Ply(5343, 5760, 0),
        ),
    ),
    Case(
        "play-3",
        "tiny",
        3,
        script(
            "card:1 card:1 card:4 card:8 card:7 card:7 card:1 card:4 card:7 ticket:0 ticket:1 "
            "ticket:2 ticket:3 ticket:4 ticket:5 choose:0:0+1 choose:1:2 choose:2:5 "
        ),
        5,
        (
            Ply(0, 1, 0),
            Ply(4, 4, 0),
            Ply(12, 37, 0),
            Ply(127, 114, 0),
            Ply(361, 605, 0),
            Ply(2008, 2818, 0),
        ),
    ),
    Case(
        "dry-3",
        "tiny",
        3,
        script(
            "card:1 card:1 card:1 card:8 card:7 card:7 card:1 card:8 card:4 ticket:5 ticket:4 "
            "ticket:3 ticket:2 ticket:1 ticket:0 choose:0:4+5 choose:1:2+3 choose:2:0+1 "
        ),
        6,
        (
            Ply(0, 1, 0),
            Ply(4, 3, 0),
            Ply(12, 23, 0),
            Ply(84, 58, 0),
            Ply(201, 204, 0),
            Ply(661, 780, 0),
            Ply(2700, 1974, 0),
        ),
    ),
    Case(
        "late-2",
        "tiny",
        2,
        script(
            "card:1 card:7 card:7 card:4 card:1 card:8 card:7 ticket:3 ticket:2 ticket:0 "
            "ticket:1 choose:0:2 choose:1:1 claim:1:7:0 claim:3:4:0 tickets ticket:4 ticket:5 "
            "keep:5 take:8 card:4 claim:7:1:0 claim:5:7:1 take:4 card:1 take:7 card:8 blind "
            "card:7 blind card:4 take:8 card:1 blind card:4 blind card:7 blind card:8 blind "
            "card:7 blind card:1 take:1 card:4 claim:0:7:2 "
        ),
        None,
        (
            Ply(0, 1, 0),
            Ply(3, 3, 0),
            Ply(6, 11, 0),
            Ply(27, 15, 6),
            Ply(39, 41, 7),
            Ply(145, 23, 46),
            Ply(21, 66, 154),
            Ply(27, 6, 105),
            Ply(51, 6, 30),
            Ply(24, 18, 42),
            Ply(24, 6, 24),
            Ply(45, 6, 12),
            Ply(15, 18, 42),
            Ply(12, 6, 24),
            Ply(45, 6, 0),
            Ply(15, 18, 42),
            Ply(12, 6, 24),
            Ply(45, 6, 0),
            Ply(15, 18, 42),
            Ply(12, 6, 24),
            Ply(45, 6, 0),
            Ply(15, 18, 42),
            Ply(12, 6, 24),
            Ply(45, 6, 0),
            Ply(15, 18, 42),
            Ply(12, 6, 24),
            Ply(45, 6, 0),
            Ply(15, 18, 42),
            Ply(12, 6, 24),
            Ply(45, 6, 0),
            Ply(15, 18, 42),
            Ply(12, 6, 24),
            Ply(45, 6, 0),
            Ply(15, 18, 42),
            Ply(9, 9, 24),
            Ply(51, 9, 0),
            Ply(0, 24, 63),
            Ply(0, 0, 30),
        ),
    ),
    Case(
        "late-2-draws",
        "tiny",
        2,
        script(
            "card:7 card:7 card:7 card:8 card:4 card:8 card:1 ticket:2 ticket:5 ticket:3 "
            "ticket:4 choose:0:2+5 choose:1:3 claim:1:7:0 claim:3:8:1 tickets ticket:0 "
            "ticket:1 keep:0 take:4 card:1 take:1 card:1 blind card:1 take:1 card:4 "
            "claim:7:1:0 claim:4:1:0 take:1 card:7 take:4 card:4 take:4 card:4 take:7 card:7 "
            "claim:6:4:0 take:7 "
        ),
        None,
        (
            Ply(1, 0, 0),
            Ply(1, 1, 0),
            Ply(4, 0, 0),
            Ply(3, 4, 0),
            Ply(17, 5, 0),
            Ply(9, 14, 19),
            Ply(41, 9, 0),
            Ply(49, 9, 24),
            Ply(20, 71, 34),
            Ply(210, 0, 0),
            Ply(64, 0, 371),
            Ply(66, 16, 0),
            Ply(110, 0, 0),
            Ply(0, 0, 220),
        ),
    ),
    Case(
        "late-3-pass",
        "tiny",
        3,
        script(
            "card:1 card:8 card:1 card:7 card:1 card:4 card:8 card:4 card:7 ticket:2 ticket:3 "
            "ticket:1 ticket:0 ticket:5 ticket:4 choose:0:2+3 choose:1:0+1 choose:2:5 "
            "claim:3:8:1 claim:2:1:0 claim:7:1:0 blind card:7 blind card:4 take:8 card:1 "
            "blind card:4 blind card:7 tickets keep:4 claim:5:7:1 claim:6:4:0 take:7 card:8 "
            "blind card:1 take:8 card:1 take:1 card:4 take:1 card:8 claim:4:1:0 take:8 card:4 "
        ),
        None,
        (
            Ply(0, 1, 0),
            Ply(2, 0, 0),
            Ply(0, 2, 0),
            Ply(5, 0, 0),
            Ply(0, 5, 0),
            Ply(15, 0, 0),
            Ply(0, 15, 0),
            Ply(0, 32, 0),
            Ply(0, 52, 0),
            Ply(0, 52, 0),
            Ply(16, 36, 0),
            Ply(26, 26, 0),
            Ply(78, 0, 0),
            Ply(114, 16, 0),
            Ply(156, 26, 0),
            Ply(0, 182, 0),
            Ply(0, 338, 0),
            Ply(0, 466, 16),
            Ply(0, 24, 442),
            Ply(0, 0, 24),
        ),
    ),
    Case(
        "late-3-dry",
        "tiny",
        3,
        script(
            "card:4 card:7 card:8 card:7 card:7 card:1 card:8 card:1 card:1 ticket:0 ticket:3 "
            "ticket:1 ticket:2 ticket:5 ticket:4 choose:0:3 choose:1:1+2 choose:2:4+5 "
            "claim:1:7:0 claim:3:8:1 claim:7:1:0 take:8 card:4 take:1 card:1 take:4 card:4 "
            "take:1 card:7 take:7 card:4 claim:6:4:1 blind card:8 take:1 card:1 claim:5:7:0 "
            "take:1 card:7 take:4 card:7 take:4 card:8 take:7 card:4 take:8 card:7 take:7 "
            "take:7 claim:0:4:1 "
        ),
        None,
        (
            Ply(1, 0, 0),
            Ply(2, 0, 0),
            Ply(0, 3, 0),
            Ply(8, 6, 0),
            Ply(8, 14, 0),
            Ply(8, 21, 0),
            Ply(24, 31, 0),
            Ply(17, 62, 20),
            Ply(120, 22, 36),
            Ply(16, 44, 99),
            Ply(10, 10, 59),
            Ply(55, 10, 0),
            Ply(15, 30, 30),
            Ply(10, 10, 40),
            Ply(55, 10, 0),
            Ply(15, 30, 30),
            Ply(10, 10, 40),
            Ply(55, 10, 0),
            Ply(15, 30, 30),
            Ply(10, 10, 40),
            Ply(55, 10, 0),
            Ply(15, 30, 30),
            Ply(10, 10, 40),
            Ply(55, 10, 0),
            Ply(15, 30, 30),
            Ply(10, 10, 40),
            Ply(55, 10, 0),
            Ply(15, 30, 30),
            Ply(10, 10, 40),
            Ply(55, 10, 0),
            Ply(15, 30, 30),
            Ply(10, 10, 40),
            Ply(55, 10, 0),
            Ply(15, 30, 30),
            Ply(10, 10, 40),
            Ply(55, 10, 0),
            Ply(15, 30, 30),
            Ply(5, 15, 40),
            Ply(65, 15, 0),
            Ply(0, 40, 45),
            Ply(0, 0, 50),
        ),
    ),
)
