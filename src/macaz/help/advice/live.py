"""Advice during a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macaz.bots.analysis import Analysis
from macaz.game.moves import notation_of
from macaz.game.outcome import read_tally
from macaz.game.worlds import sample_world
from macaz.help.advice import Advice, Suggestion, Thinker
from macaz.help.advice.costs import ticket_costs
from macaz.help.advice.thinking import chances, error_of, think, typical_moves
from macaz.help.aids import Aids, aids_of
from macaz.kernel.engine import engine_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from macaz.bots import Limit
    from macaz.bots.analysis import MoveAnalysis
    from macaz.game.moves import Move
    from macaz.game.outcome import Outcome
    from macaz.game.view import View


def advice_of(
    view: View, legal: Sequence[Move], limit: Limit, seed: int, best: int, thinker: Thinker
) -> Advice:
    """The implementation of `advise`."""
    typical: Sequence[MoveAnalysis] = ()
    if view.over:
        analysis = _final(view)
    elif legal:
        analysis = think(view, legal, limit, seed, thinker)
        typical = typical_moves(view, legal, analysis, seed, thinker)
    else:
        analysis = chances(view, limit, seed)
    aids = Aids((), (), (), (), ()) if view.seat is None else aids_of(view)
    return Advice(
        seat=view.seat,
        chances=analysis.chances,
        scores=analysis.scores,
        playouts=analysis.playouts,
        moves=_suggestions(view, analysis, typical, best),
        tickets=aids.tickets,
        costs=() if view.seat is None else ticket_costs(view, aids.tickets),
        stations=aids.stations,
        tunnels=aids.tunnels,
    )


def shares(outcome: Outcome) -> tuple[float, ...]:
    """The share of the win that each seat has."""
    won = 1 / len(outcome.winners)
    return tuple(won if seat in outcome.winners else 0.0 for seat in range(len(outcome.seats)))


def _final(view: View) -> Analysis:
    """The result of a game that is over."""
    import numpy as np

    states = sample_world(view, np.random.default_rng(0))  # nothing is hidden: there is only one
    outcome = read_tally(view.spec, states, engine_of(view.spec).tally(states))
    return Analysis((), shares(outcome), tuple(map(float, outcome.totals)), 0)


def _suggestions(
    view: View, analysis: Analysis, typical: Sequence[MoveAnalysis], best: int
) -> tuple[Suggestion, ...]:
    """The best moves, compared with the average of typical ones."""
    tried = [move for move in analysis.moves if move.playouts]
    chance, margin = _average([move for move in typical if move.playouts])
    notation = notation_of(view.spec)
    return tuple(
        Suggestion(
            action=notation.action(move.move, view.offer),
            text=notation.text(move.move),
            chance=move.chance,
            error=error_of(move.chance, move.playouts),
            margin=move.margin,
            gain=move.chance - chance,
            points=move.margin - margin,
            playouts=move.playouts,
        )
        for move in tried[:best]
    )


def _average(lines: Sequence[MoveAnalysis]) -> tuple[float, float]:
    """The average chance and margin of moves, weighted by their priors."""
    weights = [move.prior for move in lines]
    if not sum(weights):
        weights = [1.0] * len(lines)
    total = sum(weights) or 1.0
    pairs = list(zip(weights, lines, strict=True))
    return (
        sum(weight * move.chance for weight, move in pairs) / total,
        sum(weight * move.margin for weight, move in pairs) / total,
    )
