"""The reasons why a move is illegal (`kernel.layout.WhyNot`) as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macaz.kernel.help import keep_least
from macaz.kernel.layout import PHASE_NAMES

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.kernel.layout import WhyNot

# What must be decided first, by phase, where another kind of move was tried.
_FIRST = {
    "choose": "tickets are to be chosen first",
    "start": "a starting city is to be chosen first",
    "turn": "a turn does not begin with that",
    "second": "a second card is to be taken first",
    "keep": "the tickets to keep are to be chosen first",
    "return": "the other tickets are to be put under the deck first",
    "tunnel": "the tunnel is to be paid or given up first",
    "mark": "a marker is to be placed or skipped first",
    "alvin": "Alvin is to be moved first",
}
SENTENCES: dict[WhyNot, str] = {
    "no-such-action": "there is no such action at this table",
    "game-over": "the game is over",
    "chance-first": "chance is to act first",
    "not-your-turn": "{decides} is to decide",
    "already-chosen": "the tickets are chosen already",
    "other-decision": "{first}",
    "not-in-row": "no such card lies face up",
    "only-first-card": "a face-up locomotive is taken as the first card or not at all",
    "deck-empty": "the deck is empty",
    "no-tickets": "there are no tickets to draw",
    "keep-more": "at least {least} must be kept",
    "not-offered": "there is no such ticket to choose from",
    "own-lane": "{route} belongs to {owner}",
    "lane-taken": "{route} belongs to {owner}",
    "own-parallel-lane": "a player may claim only one of the lanes of {route}",
    "parallel-closed": "the other lane of {route} is taken, which closes both with {seats} players",
    "not-connected": "{route} does not touch the network",
    "too-few-trains": "{route} takes {length} trains, and {trains} are left",
    "no-cards": "these cards are not in the hand",
    "wrong-payment": "it costs another number of cards",
    "no-station-left": "no station is left",
    "city-taken": "{city} is taken",
    "not-an-end": "{city} is not an end of the route just claimed",
    "not-your-city": "the seat has no marker in {city}",
    "can-still-act": "passing is only possible when nothing else is",
}


def sentence(
    game: Game, seat: int, reason: WhyNot, route: int | None = None, city: int | None = None
) -> str:
    """The reason as a sentence without a capital letter and full stop, for use inside others."""
    board, state = game.edition.board, game.state[0]
    phase = PHASE_NAMES[state["phase"]]
    owner = None if route is None else game.view(None).owners[route]
    return SENTENCES[reason].format(
        decides=" or ".join(game.names[seat] for seat in game.deciding),
        seats=game.seats,
        first=_FIRST.get(phase, ""),
        least=keep_least(game.spec, game.state, seat),
        trains=int(state["trains"][seat]),
        length=0 if route is None else board.routes[route].length,
        route="" if route is None else game.notation.route_label(route),
        owner="" if owner is None else game.names[owner],
        city="" if city is None else game.notation.city_label(city),
    )
