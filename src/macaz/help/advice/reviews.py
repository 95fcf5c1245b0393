"""What a review of a finished game consists of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from macaz.game.outcome import SeatScore
from macaz.help.reasons import Reason

Phase = Literal["opening", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision, compared with the best move that was found."""

    ply: int  # the number of the decision in the game, from 0; chance is not counted
    turn: int  # the turn, as in a record; 0 in the setup
    seat: int
    phase: Phase  # of the game, by its turns: a third each, the setup in the first
    played: Any  # the move, as one of `data.MOVES`
    played_text: str  # as in records
    best: Any  # the best move, likewise
    best_text: str
    chance_played: float  # of winning; both from the same tries, none of which chose the best move
    chance_best: float
    margin_played: float  # points ahead of the best other seat at the end, likewise
    margin_best: float
    cost: float  # the loss in chance of winning; 0 if no better move was found
    error: float  # the standard error of `cost`
    clear: bool  # whether the cost is significant: more than 2.5 times the error
    reasons: tuple[Reason, ...]  # why the best move is better, the weightiest first


@dataclass(frozen=True, slots=True)
class PhaseReview:
    """How a seat played a phase of the game."""

    phase: Phase
    decisions: int
    accuracy: float | None  # 0 to 100; None: no decisions


@dataclass(frozen=True, slots=True)
class TicketReview:
    """What became of a ticket that a seat held, or gave back."""

    ticket: int
    text: str  # as in records
    points: int  # its value
    fate: Literal["completed", "missed", "dropped"]
    turn: int  # in which it was kept, or given back
    joined: bool  # whether the seat's routes and stations join its cities at the end
    spaces: int | None  # of one that is not joined: trains that lack; None: no way was left
    claims: int  # routes that lack on that way
    stations: int  # stations that lack on it
    cards: int  # cards that the hand lacks for it
    turns: int  # turns that it would have taken, at the least


@dataclass(frozen=True, slots=True)
class SeatReview:
    """How a seat played, and how it fared.

    `deal`, `skill` and `luck` add up to its share of the win less an equal share.
    """

    seat: int
    name: str
    decisions: int  # judged decisions: those with more than one legal move
    agreed: int  # where it made the best move that was found
    mistakes: int  # where a significantly better move was found
    lost: float  # chance of winning that the mistakes cost, in total
    accuracy: float | None  # 0 to 100; None: no decisions
    phases: tuple[PhaseReview, ...]
    deal: float  # chance that the first deal gave, before the first decision
    skill: float  # chance that the decisions cost, as far as it is certain; 0 or less
    luck: float  # the rest: cards, tickets, and what the others did
    error: float  # the standard error of `skill`
    turning_points: tuple[TurningPoint, ...]  # of this seat, the largest first
    tickets: tuple[TicketReview, ...]
    score: SeatScore


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A moment that changed a seat's chance much."""

    kind: Literal["mistake", "swing"]  # swing: luck, or what others did
    ply: int  # the decision; of a swing, the one after which it began
    until: int  # of a swing, the seat's next decision, or the number of all; else `ply`
    turn: int  # of `ply`
    seat: int
    change: float  # in the chance of winning


@dataclass(frozen=True, slots=True)
class Review:
    """How a game was played."""

    curve: tuple[tuple[float, ...], ...]
    """By ply and seat: the chance of winning at the seat's last decision, from its information; the
    last entry is the result."""
    judged: tuple[Judged, ...]  # in the order of the game
    seats: tuple[SeatReview, ...]
    winners: tuple[int, ...]
    turning_points: tuple[TurningPoint, ...]  # of the game, the largest first

    @property
    def mistakes(self) -> tuple[Judged, ...]:
        """The decisions with a significant cost, the most costly first."""
        return tuple(sorted((j for j in self.judged if j.clear), key=lambda j: -j.cost))
