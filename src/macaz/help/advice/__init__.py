"""Advice during a game, and reviews of finished games.

`advise` compares the moves of a view, `review` judges the decisions of a finished game. Both use
the information that the seat had: hidden cards are never used, not even when the game is over.

Moves are compared by tries: games that are played to their end, after each move in the same worlds
and with the same luck (`macaz.help.comparison`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from macaz.bots import Limit
from macaz.help import LIVE, THOROUGH
from macaz.help.advice.reviews import (
    Judged,
    PhaseReview,
    Review,
    SeatReview,
    TicketReview,
    TurningPoint,
)
from macaz.help.aids import StationAid, TicketAid, TunnelAid
from macaz.help.reasons import Reason

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.game.moves import Move
    from macaz.game.view import View

__all__ = [
    "Advice",
    "Judged",
    "PhaseReview",
    "Review",
    "SeatReview",
    "Suggestion",
    "TicketCost",
    "TicketReview",
    "TurningPoint",
    "advise",
    "review",
]

SUGGESTIONS = 3  # default number of suggested moves


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested move. Moves are in the order of their chances."""

    action: int
    text: str  # as in records
    chance: float  # of winning after it, 0 to 1
    error: float  # the standard error of `chance`
    loss: float  # the chance of the best move less `chance`, from 0 on; `Judged` calls it `cost`
    doubt: float  # the standard error of `loss`, from tries with the same worlds and luck
    margin: float  # points ahead of the best other seat at the end, on average
    tries: int  # of this move
    reasons: tuple[Reason, ...]  # the weightiest first


@dataclass(frozen=True, slots=True)
class TicketCost:
    """A lower bound of what a ticket still costs on its cheapest path."""

    ticket: int
    missing: tuple[int, ...]  # cards by kind, if the hand is used for this ticket alone
    any_color: int  # further cards, for gray routes and stations
    claims: int  # routes to claim
    tunnels: int  # of these; each may cost more cards, which are not counted
    stations: int  # stations to build
    cards: int  # missing in total
    turns: int  # to draw them two at a time, to claim and to build


@dataclass(frozen=True, slots=True)
class Advice:
    """The estimated result of a game for a seat or a spectator, and suggestions."""

    seat: int | None
    chances: tuple[float, ...]  # of each seat to win
    scores: tuple[float, ...]  # of each seat at the end, on average
    tries: int  # of all moves
    moves: tuple[Suggestion, ...]  # the best first; empty if the seat is not to decide
    tickets: tuple[TicketAid, ...]  # those held, then those offered
    costs: tuple[TicketCost, ...]  # of those that are still open
    stations: tuple[StationAid, ...]  # where one may be built now and would complete a ticket
    tunnels: tuple[TunnelAid, ...]  # by colour, if a tunnel can be tried with it now

    @property
    def impossible(self) -> tuple[int, ...]:
        """The tickets that cannot be completed any more."""
        return tuple(aid.ticket for aid in self.tickets if aid.state == "impossible")


def advise(
    view: View,
    legal: Sequence[Move] = (),
    *,
    limit: Limit = LIVE,
    seed: int = 0,
    best: int = SUGGESTIONS,
) -> Advice:
    """Estimate the result for the seat of a view or a spectator, and suggest moves.

    `legal` are the legal moves of the seat, empty if it is not to decide. `best` is the largest
    number of suggestions. If the limit is an effort (the number of tries of all moves together),
    not seconds, the advice is deterministic.
    """
    from macaz.help.advice.live import advice_of

    return advice_of(view, legal, limit, seed, best)


def review(
    game: Game | str,
    *,
    limit: Limit = THOROUGH,
    seed: int = 0,
    seats: Collection[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Review a finished game, given as a `Game` or as the text of its record.

    Each decision is judged by the information its seat had then. `seats` are those whose decisions
    are judged (default: all). The effort is a number of tries of each compared move. `progress` is
    called with the decisions done and their total number.
    """
    from macaz.help.advice.past import review_of

    return review_of(game, limit, seed, seats, progress)
