"""Worlds: whole states that a seat cannot tell from the real one.

`sample_world` draws what a view hides. The unseen cards are dealt uniformly to the hidden places:
those of other hands beyond what was seen there openly, and the deck. So are the unknown tickets,
among the places where one of their kind, long or normal, can lie.

The deck is drawn first, from the cards of its last shuffle that are still hidden.

Nothing is weighted by what players do. A hand that draws tickets, or claims nothing, tells a
person something; here it does not. Nor is anything inferred from the history beyond the view,
such as which of its own cards a seat drew blind since the last shuffle.

Who else knows where a ticket lies is no one's business but the kernel's: the seat before whom it
lies does, and of those under the deck or out of the game one seat that could have put it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from macaz.errors import MacazError
from macaz.kernel import layout as at
from macaz.kernel.help import draw_world

if TYPE_CHECKING:
    from macaz.game.view import View

_REASONS = {
    at.NO_WORLD_DECK: "there are too few unseen cards for the deck",
    at.NO_WORLD_HANDS: "the unseen cards are not as many as the places in other hands",
    at.NO_WORLD_TICKETS: "there are more places than unknown tickets",
    at.NO_WORLD_LONG: "the long tickets find no places",
}


class NoWorld(MacazError):  # noqa: N818
    """No state gives this view: only for a view that no game has led to."""


def sample_world(view: View, rng: np.random.Generator) -> np.ndarray:
    """A state drawn at random from those that give this view, in any phase."""
    words = rng.integers(1, 1 << 32, 4)
    states, reason = draw_world(view.spec, view.record, words)
    if reason:
        raise NoWorld(_REASONS[reason])
    return states
