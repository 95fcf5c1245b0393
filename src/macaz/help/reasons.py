"""A reason for a move, as it is told to people and to programs."""

from __future__ import annotations

from dataclasses import dataclass

from macaz.help.compiled.reason_codes import ReasonCode


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is better than another one; `code` says what, and which of the fields it has.

    It is true by itself: of the position, or of the tries, whose shares it tells.
    """

    code: ReasonCode
    route: int | None = None
    ticket: int | None = None
    other: int | None = None  # another ticket
    seat: int | None = None
    color: int | None = None
    city: int | None = None
    amount: int | None = None  # points, trains, cards, turns or routes
    of: int | None = None  # a number that belongs to `amount`
    share: float | None = None  # of the tries, 0 to 1, or a probability
    instead: float | None = None  # the same share after the other move
