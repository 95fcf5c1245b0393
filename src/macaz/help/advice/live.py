"""Advice for a game that is being played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macaz.bots.thought import Thought
from macaz.game.moves import notation_of
from macaz.game.outcome import read_tally
from macaz.game.worlds import sample_world
from macaz.help.advice import Advice, Suggestion, Thinker
from macaz.help.advice.costs import ticket_costs
from macaz.help.advice.thinking import chances, error_of, ordinary, think
from macaz.help.aids import Aids, aids_of
from macaz.kernel.engine import engine_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from macaz.bots import Limit
    from macaz.bots.thought import Line
    from macaz.game.moves import Move
    from macaz.game.outcome import Outcome
    from macaz.game.view import View


def advice_of(
    view: View, legal: Sequence[Move], limit: Limit, seed: int, best: int, thinker: Thinker
) -> Advice:
    """How the game stands for the seat of a view, and what it should do."""
    compared: Sequence[Line] = ()
    if view.over:
        thought = _ended(view)
    elif legal:
        thought = think(view, legal, limit, seed, thinker)
        compared = ordinary(view, legal, thought, seed, thinker)
    else:
        thought = chances(view, limit, seed)
    aids = Aids((), (), (), (), ()) if view.seat is None else aids_of(view)
    return Advice(
        seat=view.seat,
        chances=thought.chances,
        scores=thought.scores,
        playouts=thought.playouts,
        moves=_suggestions(view, thought, compared, best),
        tickets=aids.tickets,
        costs=() if view.seat is None else ticket_costs(view, aids.tickets),
        stations=aids.stations,
        tunnels=aids.tunnels,
    )


def shares(outcome: Outcome) -> tuple[float, ...]:
    """How a game ended, as chances: what each seat has of the win."""
    won = 1 / len(outcome.winners)
    return tuple(won if seat in outcome.winners else 0.0 for seat in range(len(outcome.seats)))


def _ended(view: View) -> Thought:
    """There is nothing left to estimate."""
    import numpy as np

    states = sample_world(view, np.random.default_rng(0))  # all is open: there is one only
    outcome = read_tally(view.spec, states, engine_of(view.spec).tally(states))
    return Thought((), shares(outcome), tuple(map(float, outcome.totals)), 0)


def _suggestions(
    view: View, thought: Thought, compared: Sequence[Line], best: int
) -> tuple[Suggestion, ...]:
    """The best few moves, beside what comes to mind before thinking."""
    looked_at = [line for line in thought.lines if line.playouts]
    chance, margin = _typical([line for line in compared if line.playouts])
    notation = notation_of(view.spec)
    return tuple(
        Suggestion(
            action=notation.action(line.move, view.offer),
            text=notation.text(line.move),
            chance=line.chance,
            error=error_of(line.chance, line.playouts),
            margin=line.margin,
            gain=line.chance - chance,
            points=line.margin - margin,
            playouts=line.playouts,
        )
        for line in looked_at[:best]
    )


def _typical(lines: Sequence[Line]) -> tuple[float, float]:
    """The chance and the margin of the moves on average, by how likely each was thought to be."""
    weights = [line.prior for line in lines]
    if not sum(weights):
        weights = [1.0] * len(lines)
    total = sum(weights) or 1.0
    pairs = list(zip(weights, lines, strict=True))
    return (
        sum(weight * line.chance for weight, line in pairs) / total,
        sum(weight * line.margin for weight, line in pairs) / total,
    )
