"""Advice during a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macaz.bots import Limit
from macaz.game.moves import notation_of
from macaz.help.advice import Advice, Suggestion
from macaz.help.advice.costs import ticket_costs
from macaz.help.advice.reasons import reasons_of
from macaz.help.aids import Aids, aids_of
from macaz.help.comparison import compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from macaz.game.moves import Move
    from macaz.game.outcome import Outcome
    from macaz.game.view import View
    from macaz.help.comparison import Comparison


def advice_of(view: View, legal: Sequence[Move], limit: Limit, seed: int, best: int) -> Advice:
    """The implementation of `advise`."""
    if view.over:
        limit = Limit(effort=1)  # nothing is hidden, and nothing is left to chance
    found = compare(view, legal, limit=limit, seed=seed)
    aids = Aids((), (), (), (), ()) if view.seat is None else aids_of(view)
    return Advice(
        seat=view.seat,
        chances=found.chances,
        scores=found.scores,
        tries=found.tries,
        moves=_suggestions(found, best) if legal else (),
        tickets=aids.tickets,
        costs=() if view.seat is None else ticket_costs(view, aids.tickets),
        stations=aids.stations,
        tunnels=aids.tunnels,
    )


def shares(outcome: Outcome) -> tuple[float, ...]:
    """The share of the win that each seat has."""
    won = 1 / len(outcome.winners)
    return tuple(won if seat in outcome.winners else 0.0 for seat in range(len(outcome.seats)))


def _suggestions(found: Comparison, best: int) -> tuple[Suggestion, ...]:
    """The best moves that were compared."""
    notation, offer = notation_of(found.view.spec), found.view.offer
    return tuple(
        Suggestion(
            action=int(line["action"]),
            text=notation.text(notation.move(int(line["action"]), offer)),
            chance=float(line["chance"]),
            error=float(line["error"]),
            loss=float(line["loss"]),
            doubt=float(line["doubt"]),
            margin=float(line["margin"]),
            tries=int(line["tries"]),
            reasons=reasons_of(found, i),
        )
        for i, line in ((i, found.lines[i]) for i in found.order[:best])
    )
