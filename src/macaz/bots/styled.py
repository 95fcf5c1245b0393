"""Bots without search: the compiled players, called with a view and a style."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from macaz.bots.compiled.program import guide_of, players, working_memory
from macaz.bots.styles import style_of
from macaz.game.moves import notation_of
from macaz.kernel.layout import dtype_of

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View


def known_state(view: View) -> np.ndarray:
    """The view as a state; hidden cards are replaced by as many locomotives."""
    return _told(view, counted=0)


def counted_state(view: View) -> np.ndarray:
    """The same, with hidden tickets assigned to seats so that the numbers are right.

    Which tickets a seat gets is arbitrary, and callers must not depend on it. During the setup
    choice the numbers are hidden too: then all hidden tickets are in the deck.
    """
    return _told(view, counted=1)


def _told(view: View, *, counted: int) -> np.ndarray:
    states = np.zeros(1, dtype_of("state"))
    players().tell_known(view.spec.table, view.record, states, counted)
    return states


class StyledBot:
    """Decides with the compiled planner and the weights of a style."""

    style = "planner"

    def __init__(self, seed: int | str = 0) -> None:
        """The seed is ignored: a style uses no randomness."""

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        if len(legal) == 1 or view.seat is None:
            return legal[0]
        room = working_memory()
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
    """Claims the longest routes to end the game early."""

    style = "racer"


class PlannerBot(StyledBot):
    """Plans a network for its tickets, and considers the other seats and the end of the game."""

    style = "planner"


class ApprenticeBot(StyledBot):
    """A weak planner: it plans for one ticket at a time."""

    style = "apprentice"


class ConductorBot(StyledBot):
    """A medium planner: it plans for two tickets at a time."""

    style = "conductor"
