"""The learned bot: it plays the move that a network prefers, without a search.

The network of an edition comes with Macaz; `learned:path/to/network.npz` plays with another. On a
board that no network was trained on, such as a custom map, the bot searches with the planner
instead, about a tenth of a second for a decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from macaz.bots import Limit
from macaz.bots.compiled.program import guide_of, players, working_memory
from macaz.bots.network import SENSED_BY, Network, network_at, network_for
from macaz.bots.search import SearchBot
from macaz.bots.styled import counted_state
from macaz.bots.styles import style_of
from macaz.game.moves import notation_of

if TYPE_CHECKING:
    from macaz.edition import Edition
    from macaz.game.moves import Move
    from macaz.game.view import View

# An effort, so that decisions depend on the seed alone there too.
WITHOUT_NETWORK = Limit(effort=400)


class Evaluation(NamedTuple):
    """A network's output for a decision, and what it was computed from."""

    states: np.ndarray  # the seat's knowledge as a state
    legal: np.ndarray  # the legal intents, as a bit set
    wishes: np.ndarray  # policy logits, one row
    value: float  # of the ending for the seat, as in `Network.run`
    win: float  # the probability that the seat wins


def sense(view: View, states: np.ndarray) -> np.ndarray:
    """The input of a network for a decision of the view's seat: a row of this thread's memory."""
    room = working_memory()
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


def evaluate(view: View, network: Network) -> Evaluation:
    """Run a network on a decision of the view's seat."""
    states = counted_state(view)
    wishes, values, wins = network.run(sense(view, states))
    return Evaluation(
        states, working_memory().legal[:1].copy(), wishes, float(values[0]), float(wins[0])
    )


def network_of(path: str | None, edition: Edition) -> Network | None:
    """The network of a file, or else the one of Macaz for the edition's board, if there is one."""
    if path is None:
        return network_for(edition)
    network = network_at(path)
    network.check(edition)
    return network


class NetworkOrSearch:
    """Chooses with a network if there is one for the board, and otherwise by search.

    `decide` returns an action number; it is called only if there are several legal moves.
    """

    def __init__(
        self,
        seed: int | str,
        path: str | None,
        instead: Limit,
        decide: Callable[[View, Network], int],
    ) -> None:
        if path is not None:
            network_at(path)  # raises before the game if the file is invalid
        self._path = path
        self._edition: Edition | None = None
        self._network: Network | None = None
        self._instead = SearchBot(seed, instead)
        self._decide = decide

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
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
    """Plays the move that a network prefers.

    On a board without a network it searches as `search:400` does.
    """

    def __init__(self, seed: int | str = 0, path: str | None = None) -> None:
        self._chooser = NetworkOrSearch(seed, path, WITHOUT_NETWORK, _preferred_action)

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        return self._chooser.choose(view, legal)


def _preferred_action(view: View, network: Network) -> int:
    seen = evaluate(view, network)
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
