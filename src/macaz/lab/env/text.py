"""A game as text, for the environments that show it to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macaz.edition.board import CARDS
from macaz.game.event_words import say
from macaz.game.events import game_events, narrow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from macaz.game import Game


def spectator_text(game: Game, start: int) -> str:
    """What happened since a step of the history, and the table now, as a spectator sees them."""
    lines = [
        say(narrow(event, None), game.names, game.edition.board)
        for _, events in game_events(game, start)
        for event in events
    ]
    return "\n".join([*lines, *_table(game)])


def _table(game: Game) -> Iterator[str]:
    view = game.view(None)
    for seat, name in enumerate(game.names):
        yield (
            f"{'>' if seat == game.turn else ' '} {name}: {view.scores[seat]} points, "
            f"{view.trains[seat]} trains, {view.hand_sizes[seat]} cards, "
            f"{view.tickets_held[seat]} tickets"
        )
    row = (f"{CARDS[card]} {count}" for card, count in enumerate(view.row) if count)
    yield f"  face up: {', '.join(row)}; {view.deck_size} cards in the deck"
