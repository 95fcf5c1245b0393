"""Bots that decide at once, by a style: the compiled players, given no more than a view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from macaz.bots.compiled.program import desk, guide_of, players
from macaz.bots.styles import style_of
from macaz.game.moves import notation_of
from macaz.kernel.layout import CHOOSE, HELD, IN_DECK, LOCO, UNKNOWN
from macaz.kernel.views import redacted_state

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View


def known_state(view: View) -> np.ndarray:
    """A state with all that a view tells, and of what it hides nothing but how much it is."""
    states = redacted_state(view.record)
    hand = states["hand"][0]
    missing = view.record["hand_size"][0] - hand.sum(axis=1)
    hand[:, LOCO] += missing.astype(np.int8)
    return states


def counted_state(view: View) -> np.ndarray:
    """The same, with the tickets that a view hides put where it says that so many are.

    Which of them lie with a seat is nobody's knowledge, and nothing that may be asked. While all
    choose, how many a seat has kept is not for others to know either: all lie in the deck.
    """
    states = known_state(view)
    where = states["ticket"][0, : len(view.edition.board.tickets)]
    unknown = np.flatnonzero(where == UNKNOWN)
    where[unknown] = IN_DECK
    if states["phase"][0] != CHOOSE:
        start = 0
        for seat, held in enumerate(view.record["held"][0].tolist()):
            end = start + held - np.count_nonzero(where == HELD + seat)
            where[unknown[start:end]] = HELD + seat
            start = end
    return states


class StyledBot:
    """Decides by a style."""

    style = "planner"

    def __init__(self, seed: int | str = 0) -> None:
        """Bots are made with a seed; a style uses no randomness, and ignores it."""

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        """One of the legal moves, for the seat whose view it is."""
        if len(legal) == 1 or view.seat is None:
            return legal[0]
        room = desk()
        room.dice["word"] = 1
        action = players().choose_for(
            view.spec.table,
            guide_of(view.spec),
            style_of(self.style, view.spec),
            known_state(view),
            room.minds,
            room.dice,
            room.works,
            view.seat,
        )
        return notation_of(view.spec).move(int(action), view.offer)


class RacerBot(StyledBot):
    """Claims the longest routes and ends the game before you are ready."""

    style = "racer"


class PlannerBot(StyledBot):
    """Plans a network for its tickets, watches yours, and knows when to race."""

    style = "planner"


class ApprenticeBot(StyledBot):
    """Has one ticket in mind at a time, and believes there is time enough."""

    style = "apprentice"


class ConductorBot(StyledBot):
    """Thinks of two tickets at once, and notices the end rather late."""

    style = "conductor"
