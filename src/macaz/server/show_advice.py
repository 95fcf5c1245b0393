"""Advice and reviews as messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from macaz.server import wire
from macaz.server.show import move_message

if TYPE_CHECKING:
    import numpy as np

    from macaz.advice import Advice, Judged, Review
    from macaz.game import Game
    from macaz.moves import Move


def advice_message(advice: Advice, actions: Mapping[Move, int], version: int) -> wire.Advice:
    """Advice to a seat, for a version of a table."""
    assert advice.seat is not None, "a spectator is given no advice"
    return wire.Advice(
        version=version,
        seat=advice.seat,
        chances=advice.chances,
        scores=advice.scores,
        playouts=advice.playouts,
        moves=tuple(
            wire.Hint(
                action=actions[good.move],
                text=good.text,
                chance=good.chance,
                error=good.error,
                margin=good.margin,
                gain=good.gain,
                points=good.points,
                playouts=good.playouts,
            )
            for good in advice.moves
        ),
        tickets=advice.tickets,
        costs=advice.costs,
        stations=advice.stations,
        tunnels=advice.tunnels,
    )


def review_message(game: Game, review: Review, versions: Sequence[int]) -> wire.Review:
    """The review of a game, with the entries of the log that told its decisions."""
    steps = [step for step in game.history if step.seat is not None]
    return wire.Review(
        curve=review.curve,
        versions=tuple(versions),
        judged=tuple(_judged(game, steps[judged.ply].state, judged) for judged in review.judged),
        mistakes=tuple(mistake.ply for mistake in review.mistakes),
        seats=review.seats,
        winners=review.winners,
    )


def _judged(game: Game, states: np.ndarray, judged: Judged) -> wire.Judged:
    seat, notation = judged.seat, game.notation
    offer = game.engine.offer(states, seat)
    moves = [
        move_message(notation, states[0], seat, move, notation.action(move, offer))
        for move in (judged.played, judged.best)
    ]
    return wire.Judged(
        ply=judged.ply,
        turn=judged.turn,
        seat=seat,
        played=judged.played_text,
        best=judged.best_text,
        moves=tuple(moves),
        chance_played=judged.chance_played,
        chance_best=judged.chance_best,
        margin_played=judged.margin_played,
        margin_best=judged.margin_best,
        cost=judged.cost,
        error=judged.error,
        clear=judged.clear,
    )
