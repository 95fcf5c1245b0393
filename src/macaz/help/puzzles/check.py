"""Whether a puzzle fits the map, the rules and itself."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from macaz.edition.board import CARDS
from macaz.game.moves import notation_of
from macaz.game.position import InvalidPosition, setup_view
from macaz.help.puzzles import Puzzle
from macaz.help.puzzles.choices import choice_of, kind_of
from macaz.help.reasons import Reason

if TYPE_CHECKING:
    from macaz.edition import Edition
    from macaz.edition.board import Board
    from macaz.game.view import View

ID_DIGITS = 10
FEWEST_CHECKS = 2
CARD_KINDS = len(CARDS)
FindEdition = Callable[[str], "Edition"]


def id_of(position: dict[str, Any]) -> str:
    """The id of a puzzle, by its position."""
    return hashlib.sha256(msgspec.json.encode(position, order="sorted")).hexdigest()[:ID_DIGITS]


def view_of(puzzle: Puzzle, find: FindEdition) -> View:
    """What the seat knows; `find` gives an edition by its id with options."""
    return setup_view(puzzle.position, edition=find(puzzle.position["edition"]))


def problems_of(puzzle: Puzzle, find: FindEdition) -> list[str]:
    """All that is wrong with a puzzle, in sentences."""
    try:
        view = view_of(puzzle, find)
    except (InvalidPosition, KeyError) as error:
        return [f"its position cannot be set up: {error}."]
    found = list(_problems(puzzle, view))
    if puzzle.id != id_of(puzzle.position):
        found.append(f"its id is that of another position, {id_of(puzzle.position)}.")
    return found


def _problems(puzzle: Puzzle, view: View) -> Iterator[str]:
    notation, board = notation_of(view.spec), view.edition.board
    legal = {notation.text(move): move for move in view.legal_moves}
    texts = [move.move for move in puzzle.moves]
    if unknown := [text for text in (*puzzle.answers, *texts) if text not in legal]:
        yield f"{unknown[0]!r} is not legal."
        return
    if not puzzle.answers or texts[:1] != list(puzzle.answers[:1]):
        yield "its first answer is not the best move."
        return
    right = [legal[text] for text in puzzle.answers]
    if len({choice_of(move, board) for move in right}) > 1:
        yield "its answers are not one move, paid in several ways."
    if kind_of(right[0]) != puzzle.kind:
        yield f"its answer is not of the kind {puzzle.kind!r}."
    losses = [move.loss for move in puzzle.moves]
    if losses != sorted(losses):
        yield "its moves are not in the order of what they lose."
    if not set(texts) - set(puzzle.answers):
        yield "no other move was compared."
    yield from _check_problems(puzzle)
    for reason in puzzle.reasons:
        yield from _reason_problems(reason, board, view.seats)


def _check_problems(puzzle: Puzzle) -> Iterator[str]:
    """What speaks against its being the same move with another seed and with more tries."""
    if len({check.seed for check in puzzle.checks}) < max(FEWEST_CHECKS, len(puzzle.checks)):
        yield "it was not compared with several seeds."
        return
    tries = [check.tries for check in puzzle.checks]
    if tries[-1] <= tries[0] or tries[-1] != puzzle.moves[0].tries:
        yield "it was not compared with more and more tries."
    if any(check.loss <= 0 for check in puzzle.checks):
        yield "another move was as good in one of its comparisons."


def _reason_problems(reason: Reason, board: Board, seats: int) -> Iterator[str]:
    lengths = {
        "route": len(board.routes),
        "ticket": len(board.tickets),
        "other": len(board.tickets),
        "seat": seats,
        "color": CARD_KINDS,
        "city": len(board.cities),
    }
    for name, length in lengths.items():
        value = getattr(reason, name)
        if value is not None and not 0 <= value < length:
            yield f"the reason {reason.code!r} names {name} {value}, which does not exist."
