"""Determinization: sampling complete states ("worlds") that are consistent with a view.

`sample_world` fills in what a view hides. The unseen cards are dealt uniformly to the deck and to
the cards of other hands that are not publicly known; the unknown tickets to the places where a
ticket of their kind, long or normal, can lie. The deck is drawn first, from the cards of its last
shuffle that are still hidden.

Worlds are not weighted by the players' behaviour, and nothing is inferred from the history beyond
the view, such as which of its own cards a seat drew blind since the last shuffle.

The state also records which seats know where a ticket lies: the seat that has it does, and for
those under the deck or out of the game one seat that could have put it there.
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
    at.NO_WORLD_LONG: "there are too few places for the long tickets",
}


class NoWorld(MacazError):  # noqa: N818
    """No state is consistent with the view, which therefore cannot occur in a game."""


def sample_world(view: View, rng: np.random.Generator) -> np.ndarray:
    """A random state that is consistent with the view, in any phase."""
    words = rng.integers(1, 1 << 32, 4)
    states, reason = draw_world(view.spec, view.record, words)
    if reason:
        raise NoWorld(_REASONS[reason])
    return states
