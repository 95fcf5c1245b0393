"""A game and a view for people: as lines of text, and as a picture of the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from macaz.edition.picture import Line, Pieces, picture_of
from macaz.game.event_words import say
from macaz.game.events import RowFilled, TurnEnded, game_events, narrow
from macaz.game.moves import CARD_WORDS, notation_of
from macaz.game.view import seat_names

if TYPE_CHECKING:
    from macaz.edition import Edition
    from macaz.edition.plate import Plate
    from macaz.game import Game
    from macaz.game.events import Event
    from macaz.game.view import Cards, View


def view_text(view: View) -> str:
    """What a view says, in a few lines."""
    return _joined(_view_lines(view, seat_names(view.seats), view.scores))


def view_picture(view: View) -> str:
    """The board as a seat sees it, with its tickets; SVG."""
    claiming = frozenset(() if view.claiming is None else (view.claiming,))
    lines = _view_lines(view, seat_names(view.seats), view.scores)
    return _picture(view, view.edition, claiming, frozenset(), lines)


def game_text(game: Game) -> str:
    """What a spectator sees of a game, in a few lines, with the last move."""
    return _joined(_game_lines(game, _last_events(game)))


def game_picture(game: Game) -> str:
    """The board as a spectator sees it, with the last move marked; SVG."""
    events = _last_events(game)
    routes = frozenset(event.route for event in events if hasattr(event, "route"))
    cities = frozenset(event.city for event in events if hasattr(event, "city"))
    return _picture(game.view(None), game.edition, routes, cities, _game_lines(game, events))


# -- text ------------------------------------------------------------------------------------------


def _joined(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines)


def _game_lines(game: Game, events: Sequence[Event]) -> list[Line]:
    view, outcome = game.view(None), game.outcome
    points = view.scores if outcome is None else outcome.totals
    lines = _view_lines(view, game.names, points)
    if events:
        board = game.edition.board
        lines.append(Line(" ".join(say(event, game.names, board) for event in events)))
    return lines


def _view_lines(view: View, names: Sequence[str], points: Sequence[int]) -> list[Line]:
    notation = notation_of(view.spec)
    decides = " and ".join(names[seat] for seat in view.deciding)
    now = f"{decides} to decide ({view.phase})" if decides else f"chance to act ({view.phase})"
    lines = [Line(f"{view.edition.title}: {'the game is over' if view.over else now}")]
    for seat, name in enumerate(names):
        has = f"trains {view.trains[seat]}, points {points[seat]}, cards {view.hand_sizes[seat]}"
        lines.append(Line(f"{name}: {has}, tickets {view.tickets_held[seat]}", seat))
    row = _cards(view.row)
    lines.append(Line(f"Face up: {row}. Deck: {view.deck_size}. Discards: {sum(view.discards)}."))
    if view.seat is not None:
        lines.append(Line(f"Hand: {_cards(view.hand)}"))
        for word, tickets in (("Tickets", view.tickets), ("To choose from", view.offer)):
            if tickets:
                named = ", ".join(notation.ticket_name(ticket) for ticket in tickets)
                lines.append(Line(f"{word}: {named}"))
    return lines


def _cards(counts: Cards) -> str:
    cards = [f"{n} {word}" for word, n in zip(CARD_WORDS, counts, strict=True) if n]
    return ", ".join(cards) or "none"


def _last_events(game: Game) -> list[Event]:
    """What a spectator saw of the last decision and of the chance after it."""
    decisions = [ply for ply, step in enumerate(game.history) if step.seat is not None]
    if not decisions:
        return []
    happened = (event for _, events in game_events(game, decisions[-1]) for event in events)
    return [narrow(e, None) for e in happened if not isinstance(e, RowFilled | TurnEnded)]


# -- pictures --------------------------------------------------------------------------------------


def pieces_of(view: View) -> Pieces:
    """What lies on the board, without marks and text."""
    board = view.edition.board
    tickets = (board.tickets[number] for number in (*view.tickets, *view.offer))
    return Pieces(
        trains={route: seat for route, seat in enumerate(view.owners) if seat is not None},
        tokens=tuple((city, seat) for seat in range(view.seats) for city in view.marks_of(seat)),
        alvin=view.alvin_city,
        tickets=tuple((ticket.a, ticket.b) for ticket in tickets),
    )


def _picture(
    view: View,
    edition: Edition,
    routes: frozenset[int],
    cities: frozenset[int],
    lines: Sequence[Line],
) -> str:
    pieces = replace(
        pieces_of(view), marked_routes=routes, marked_cities=cities, lines=tuple(lines)
    )
    return picture_of(drawn_plate(edition), edition.board, pieces)


def drawn_plate(edition: Edition) -> Plate:
    """The plate of an edition, kept for the next picture."""
    return _plate_of(edition, edition.source, repr(edition.plate))


@lru_cache(maxsize=8)
def _plate_of(edition: Edition, source: str, section: str) -> Plate:
    """The plate of an edition; a custom map without a layout takes seconds.

    The other arguments are those on which it depends, and which editions do not compare.
    """
    from macaz.draw.plates import plate_of

    return plate_of(edition)
