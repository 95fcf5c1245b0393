"""What a move decides, apart from how it is paid: a puzzle asks for the one, not for the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macaz.game import moves
from macaz.help.puzzles import PuzzleKind

if TYPE_CHECKING:
    from macaz.edition.board import Board
    from macaz.game.moves import Move

Choice = tuple[str, *tuple[int, ...]]

_KINDS: dict[type, PuzzleKind] = {
    moves.Take: "card",
    moves.Blind: "card",
    moves.DrawTickets: "tickets",
    moves.Pass: "card",
    moves.Keep: "keep",
    moves.Choose: "keep",
    moves.Return: "return",
    moves.PayTunnel: "tunnel",
    moves.Decline: "tunnel",
    moves.SkipMarker: "marker",
    moves.Mark: "marker",
    moves.Start: "start",
    moves.MoveAlvin: "alvin",
    moves.Station: "station",
    moves.Claim: "claim",
}


def kind_of(move: Move) -> PuzzleKind:
    """What a move is about."""
    return _KINDS[type(move)]


def choice_of(move: Move, board: Board) -> Choice:
    """Equal for moves that do the same and differ in the cards paid, or in the lane of a route."""
    name = type(move).__name__
    match move:
        case moves.Claim(route):
            ends = board.routes[route].a, board.routes[route].b
            return name, min(ends), max(ends)
        case moves.Station(city) | moves.Mark(city) | moves.Start(city) | moves.MoveAlvin(city):
            return name, city
        case moves.Keep(tickets) | moves.Choose(_, tickets):
            return name, *tickets
        case moves.Take(color):
            return name, int(color)
        case moves.Return(ticket):
            return name, ticket
    return (name,)
