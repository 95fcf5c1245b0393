"""The puzzles of all editions as the page reads them: with the kernel's records and numbers."""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from macaz.errors import MacazError
from macaz.game.moves import notation_of
from macaz.help.puzzles import Puzzle, puzzles_of
from macaz.help.puzzles.check import view_of
from macaz.server import wire

if TYPE_CHECKING:
    from macaz.edition import Edition
    from macaz.server.editions import Catalog

log = logging.getLogger("macaz.puzzles")


def make_puzzle_list(catalog: Catalog) -> wire.PuzzleList:
    """All puzzles; those that do not fit their map are left out, with a line in the log."""
    bots: dict[str, tuple[str, ...]] = {}
    made: list[wire.Puzzle] = []
    for name in catalog.names():
        try:
            file = puzzles_of(catalog.find(name))
            if file is not None:
                made += [_packed(puzzle, catalog.find) for puzzle in file.puzzles]
                bots[name] = file.bots
        except MacazError as error:
            log.warning("the puzzles of %s are left out: %s", name, error)
    made.sort(key=lambda puzzle: puzzle.id)  # of all editions in turn
    return wire.PuzzleList(bots, tuple(made))


def _packed(puzzle: Puzzle, find: Callable[[str], Edition]) -> wire.Puzzle:
    view = view_of(puzzle, find)
    notation, offer = notation_of(view.spec), view.offer
    seat = view.seat
    assert seat is not None, "the check of a position says so"

    def action(text: str) -> int:
        return notation.action(notation.parse(text, seat if view.phase == "choose" else -1), offer)

    return wire.Puzzle(
        id=puzzle.id,
        edition=view.edition.qualified_id,
        fingerprint=view.edition.fingerprint,
        seats=view.seats,
        seat=seat,
        view=base64.b64encode(bytes(view)).decode(),
        kind=puzzle.kind,
        grade=puzzle.grade,
        found=puzzle.found,
        answers=tuple(map(action, puzzle.answers)),
        moves=tuple(
            wire.PuzzleMove(
                action(move.move),
                move.chance,
                move.error,
                move.loss,
                move.doubt,
                move.margin,
                move.tries,
            )
            for move in puzzle.moves
        ),
        reasons=puzzle.reasons,
    )
