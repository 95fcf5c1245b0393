"""Converts a finished game to rows: one for the game, and one for each decision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from macaz.game.record import dump_record
from macaz.game.view import View
from macaz.kernel.layout import PHASE_NAMES, TURN
from macaz.lab.env.observation import observe

if TYPE_CHECKING:
    from macaz.game import Game

Row = dict[str, Any]


def game_row(game: Game, number: int) -> Row:
    """The row of a game."""
    outcome, dealer = game.standing(), game.dealer
    seats = outcome.seats
    decided = [step for step in game.history if step.seat is not None]
    return {
        "game": number,
        "edition": game.edition.qualified_id,
        "fingerprint": game.edition.fingerprint,
        "seats": game.seats,
        "seed": dealer.seed if dealer is not None else None,
        "first": int(game.state["first"][0]),
        "lineup": game.names,
        "scores": outcome.totals,
        "winners": outcome.winners,
        "tie_break": outcome.tie_break,
        "routes": [s.routes for s in seats],
        "tickets": [s.ticket_points for s in seats],
        "longest": [s.longest_path for s in seats],
        "stations": [s.stations for s in seats],
        "globetrotter": [s.globetrotter for s in seats],
        "alvin": [s.alvin for s in seats],
        "kept": [len(s.tickets) for s in seats],
        "completed": [s.completed for s in seats],
        "path": [s.path_length for s in seats],
        "turns": sum(step.state["phase"][0] == TURN for step in decided),
        "decisions": len(decided),
        "record": dump_record(game),
    }


def decision_rows(game: Game, number: int) -> Iterator[Row]:
    """A row for each decision of a game."""
    outcome = game.standing()
    for ply, step in enumerate(game.history):
        if step.seat is None:
            continue
        state, seat = step.state, step.seat
        move = game.notation.move(step.number, game.engine.offer(state, seat))
        yield {
            "game": number,
            "ply": ply,
            "seat": seat,
            "bot": game.names[seat],
            "phase": PHASE_NAMES[state["phase"][0]],
            "observation": observe(View.of(game.spec, state, seat)).tobytes(),
            "legal": game.engine.legal(state, seat),
            "action": step.number,
            "move": game.notation.text(move),
            "score": outcome.totals[seat],
            "share": (seat in outcome.winners) / len(outcome.winners),
        }
