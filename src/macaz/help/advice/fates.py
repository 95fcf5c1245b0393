"""What became of the tickets of each seat, once a game is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from macaz.game.moves import notation_of
from macaz.game.view import View
from macaz.help.advice.costs import ticket_costs
from macaz.help.advice.reviews import TicketReview
from macaz.help.aids.known import Known
from macaz.help.compiled.program import reviewing

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.help.advice.past import Decision
    from macaz.help.aids import TicketAid

_CHOICES = ("choose", "keep")  # phases in which tickets are kept and given back


def ticket_reviews(game: Game, made: Sequence[Decision], seat: int) -> tuple[TicketReview, ...]:
    """The tickets that a seat held at the end, then those it gave back, the most valuable first."""
    turns = _turns_of_offers(made, seat)
    end = View.of(game.spec, game.state, seat)
    held = set(end.tickets)
    dropped = [ticket for ticket in turns if ticket not in held]
    aids, view = _aids_afterwards(game, seat, dropped)
    costs = {cost.ticket: cost for cost in ticket_costs(view, aids.values())}
    found = []
    for ticket in sorted(aids, key=lambda t: (t not in held, -_points(game, t))):
        aid, cost = aids[ticket], costs.get(ticket)
        done = aid.state == "done"
        found.append(
            TicketReview(
                ticket=ticket,
                text=notation_of(game.spec).ticket_name(ticket),
                points=_points(game, ticket),
                fate="dropped" if ticket not in held else "completed" if done else "missed",
                turn=turns.get(ticket, 0),
                joined=done,
                spaces=None if done else aid.spaces,
                claims=cost.claims if cost else 0,
                stations=cost.stations if cost else 0,
                cards=cost.cards if cost else 0,
                turns=cost.turns if cost else 0,
            )
        )
    return tuple(found)


def _points(game: Game, ticket: int) -> int:
    return game.edition.board.tickets[ticket].points


def _turns_of_offers(made: Iterable[Decision], seat: int) -> dict[int, int]:
    """The tickets that a seat could keep, each with the last turn in which it could."""
    offers = (one for one in made if one.seat == seat and one.view.phase in _CHOICES)
    return {ticket: one.turn for one in offers for ticket in one.view.offer}


def _aids_afterwards(
    game: Game, seat: int, dropped: Sequence[int]
) -> tuple[dict[int, TicketAid], View]:
    """How tickets stand as if the seat could go on with all the trains it needs."""
    states = game.state.copy()
    reviewing().reopen_game(states, seat, np.array(dropped, np.int64))
    view = View.of(game.spec, states, seat)
    return {aid.ticket: aid for aid in Known(view, seat).ticket_aids()}, view
