"""The learned bot: what a network wishes for most, at a glance.

The network of an edition comes with Macaz; `learned:path/to/network.npz` plays with another. On a
board that no network was trained on, such as a map of one's own, the bot searches with the planner
instead, and thinks about a tenth of a second for a decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from macaz.bots import Limit
from macaz.bots.compiled.program import desk, guide_of, players
from macaz.bots.network import SENSED_BY, Network, network_at, network_for
from macaz.bots.search import SearchBot
from macaz.bots.styled import counted_state
from macaz.bots.styles import style_of
from macaz.game.moves import notation_of

if TYPE_CHECKING:
    from macaz.edition import Edition
    from macaz.game.moves import Move
    from macaz.game.view import View

# By effort, so that the same seed decides the same there too.
WITHOUT_NETWORK = Limit(effort=400)


class Glance(NamedTuple):
    """What a network says of a decision."""

    states: np.ndarray  # what is known, as a state
    legal: np.ndarray  # intents, as words of bits
    wishes: np.ndarray  # one row of them
    value: float  # of the ending, for the seat
    win: float  # the seat's share of it


def sense(view: View, states: np.ndarray) -> np.ndarray:
    """What a network is told of a decision of the view's seat, as a row of this thread's desk."""
    room = desk()
    room.dice["word"] = 1
    players().show_to_network(
        view.spec.table,
        guide_of(view.spec),
        style_of(SENSED_BY, view.spec),
        states,
        room.games,
        room.questions,
        room.scripts,
        view.seat,
    )
    rows: np.ndarray = room.rows[:1]
    return rows


def glance(view: View, network: Network) -> Glance:
    """What a network says of a decision of the view's seat."""
    states = counted_state(view)
    wishes, values, wins = network.run(sense(view, states))
    return Glance(states, desk().legal[:1].copy(), wishes, float(values[0]), float(wins[0]))


def network_of(path: str | None, edition: Edition) -> Network | None:
    """The network that plays an edition: of a file, or one that comes with Macaz, if any does."""
    if path is None:
        return network_for(edition)
    network = network_at(path)
    network.check(edition)
    return network


class NetworkOrSearch:
    """Chooses with a network where there is one, and otherwise as the search does.

    `decide` returns the number of an action; it is called only where there is more than one.
    """

    def __init__(
        self,
        seed: int | str,
        path: str | None,
        instead: Limit,
        decide: Callable[[View, Network], int],
    ) -> None:
        if path is not None:
            network_at(path)  # what is wrong with it is said before the game
        self._path = path
        self._edition: Edition | None = None
        self._network: Network | None = None
        self._instead = SearchBot(seed, instead)
        self._decide = decide

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        """One of the legal moves, for the seat whose view it is."""
        if self._edition is not view.edition:
            self._network = network_of(self._path, view.edition)
            self._edition = view.edition
        if len(legal) == 1 or view.seat is None:
            return legal[0]
        if self._network is None:
            return self._instead.choose(view, legal)
        action = self._decide(view, self._network)
        return notation_of(view.spec).move(action, view.offer)


class LearnedBot:
    """Has played millions of games, and decides at a glance.

    On a board without a network it searches as `search:400` does.
    """

    def __init__(self, seed: int | str = 0, path: str | None = None) -> None:
        self._chooser = NetworkOrSearch(seed, path, WITHOUT_NETWORK, _decide_at_a_glance)

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        """One of the legal moves, for the seat whose view it is."""
        return self._chooser.choose(view, legal)


def _decide_at_a_glance(view: View, network: Network) -> int:
    seen = glance(view, network)
    return int(
        players().choose_wished(
            view.spec.table,
            guide_of(view.spec),
            seen.states,
            seen.legal,
            seen.wishes,
            view.seat,
        )
    )
