"""The expert bot: a network's wishes, tried out before one of them is chosen.

The moves that the network wishes for most are tried in worlds that fit all that the seat has seen.
A try goes on until the seat's next turn, its own decisions as the network wishes, those of the
others by the quick planner. There the network says what the position is worth, the game goes on to
its end with everybody by the quick planner, and the try is worth the mean of both. The n-th try of
a move meets the n-th world with the same luck, whatever the move. Tries are spent by halves: all
moves get as many, then the better half as many again, until one is left. A move counts by how much
the network wished for it, and by what its tries were worth.

On a board without a network the bot searches with the planner, as `search` does.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil, log2
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from macaz.bots import Limit, search
from macaz.bots.compiled.endings import MARGIN_SCALE
from macaz.bots.compiled.program import TRIES, guide_of, players
from macaz.bots.learned import Glance, NetworkOrSearch, glance, network_of
from macaz.bots.network import Network
from macaz.bots.side_by_side import side_by_side
from macaz.bots.thought import Line, Thought
from macaz.bots.tries import Bench, Weights
from macaz.game.moves import notation_of
from macaz.kernel.layout import WORD_BITS
from macaz.workers import core_count

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View

SCORED = 32  # games played out to tell everybody's chances, where these are asked for


WEIGHTS = Weights()


class Candidates(NamedTuple):
    """The moves that are tried, the most wished for first."""

    actions: np.ndarray
    wish: np.ndarray  # the share of each, among all that is legal


@dataclass
class Found:
    """What the tries of the candidates have found."""

    count: int
    tries: np.ndarray = field(init=False)
    worth: np.ndarray = field(init=False)  # sums
    wins: np.ndarray = field(init=False)
    rounds: np.ndarray = field(init=False)  # that a candidate has stood

    def __post_init__(self) -> None:
        self.tries = np.zeros(self.count, np.int64)
        self.rounds = np.zeros(self.count, np.int64)
        self.worth = np.zeros(self.count)
        self.wins = np.zeros(self.count)

    def add(self, which: np.ndarray, worth: np.ndarray, wins: np.ndarray) -> None:
        """Count some more tries."""
        np.add.at(self.tries, which, 1)
        np.add.at(self.worth, which, worth)
        np.add.at(self.wins, which, wins)

    def sorted(self, order: np.ndarray) -> Found:
        """The same, the candidates in another order."""
        found = Found(self.count)
        for name in ("tries", "worth", "wins", "rounds"):
            setattr(found, name, getattr(self, name)[order])
        return found


def _candidates(view: View, seen: Glance, weights: Weights) -> Candidates:
    """The legal moves that the network wishes for, each paid as it wishes."""
    bits = (seen.legal[0][:, None] >> np.arange(WORD_BITS)) & 1
    legal = np.flatnonzero(bits.ravel())
    wishes = seen.wishes[0, legal].astype(np.float64) / weights.warmth
    wish = np.exp(wishes - wishes.max())
    wish /= wish.sum()
    order = np.argsort(-wish, kind="stable")[: weights.candidates]
    order = order[wish[order] >= min(weights.least, wish[order[0]])]
    actions = np.zeros(len(order), np.int64)
    players().fill_actions(
        view.spec.table,
        guide_of(view.spec),
        seen.states,
        seen.wishes,
        legal[order],
        actions,
        view.seat,
    )
    return Candidates(actions, wish[order])


class _Budget:
    """How much of a limit is used: by the clock, or by tries."""

    def __init__(self, limit: Limit) -> None:
        self._limit, self._began = limit, time.perf_counter()
        self._first = 0.0  # when tries began

    def tries_left(self, tried: int, share: float) -> int:
        """How many tries may be made before a share of the limit is used, at the rate so far."""
        if self._limit.effort is not None:
            return ceil(self._limit.effort * share) - tried
        now = time.perf_counter()
        if not tried:
            self._first = now
            return 1
        left = self._began + share * (self._limit.seconds or 0.0) - now
        return int(left * tried / max(now - self._first, 1e-6))


def _scores(candidates: Candidates, found: Found, weights: Weights) -> np.ndarray:
    """What each candidate counts: how much it was wished for, and what its tries were worth."""
    # Where little was tried, a mean is drawn to what all tries were worth.
    base = found.worth.sum() / max(int(found.tries.sum()), 1)
    means = (found.worth + weights.doubt * base) / (found.tries + weights.doubt)
    scores: np.ndarray = np.log(candidates.wish) + weights.worth * (means - base)
    return scores


def _try_by_halves(
    candidates: Candidates, benches: list[Bench], budget: _Budget, weights: Weights
) -> Found:
    """Spend the budget: a part of it on all candidates, the next on the better half, and so on."""
    found = Found(len(candidates.actions))
    alive = np.arange(found.count)
    rounds = max(1, ceil(log2(found.count)))
    for number in range(rounds):
        tried = int(found.tries.sum())
        share = (number + 1) / rounds
        least = len(alive) * len(benches)  # tries: each of these moves once on each bench
        while (left := budget.tries_left(tried, share)) >= least / 2 or not tried:
            each = max(1, min(left // len(benches), TRIES) // len(alive))
            first = int(found.tries[alive[0]]) // len(benches)  # all that are left have as many
            numbers = np.repeat(np.arange(first, first + each), len(alive))
            _run_all(found, benches, np.tile(alive, each), numbers)
            tried = int(found.tries.sum())
        found.rounds[alive] += 1
        order = np.argsort(-_scores(candidates, found, weights)[alive], kind="stable")
        alive = alive[order[: (len(alive) + 1) // 2]]
    return found


def _run_all(found: Found, benches: list[Bench], which: np.ndarray, numbers: np.ndarray) -> None:
    """Let each bench try the same, side by side: each has worlds and luck of its own."""
    for worth, wins in side_by_side(lambda bench: bench.run(which, numbers), benches):
        found.add(which, worth, wins)


def _look(
    view: View, network: Network, limit: Limit, seed: int, weights: Weights, *, sure: bool
) -> tuple[Candidates, Found]:
    """The candidates, the best first, and what was found. Unless `sure`, one alone is not tried."""
    budget = _Budget(limit)
    if limit.effort is not None:
        weights = replace(weights, candidates=min(weights.candidates, max(2, limit.effort // 2)))
    candidates = _candidates(view, glance(view, network), weights)
    if len(candidates.actions) == 1 and not sure:
        return candidates, Found(1)
    cores = core_count() if limit.effort is None else 1
    benches = [
        Bench(view, network, candidates.actions, weights, seed + number * 7919)
        for number in range(cores)
    ]
    found = _try_by_halves(candidates, benches, budget, weights)
    order = np.lexsort((-_scores(candidates, found, weights), -found.rounds))
    return Candidates(candidates.actions[order], candidates.wish[order]), found.sorted(order)


def think(
    view: View,
    legal: Sequence[Move],
    *,
    limit: Limit,
    seed: int = 0,
    path: str | None = None,
) -> Thought:
    """What the expert finds out about the legal moves of a view's seat, as `search.think`.

    The chance of a move is that of its tries, and its margin follows from that and from the move's
    worth. The others' chances, and all points, are those of some games played out.
    """
    network = network_of(path, view.edition)
    if network is None or not legal or view.seat is None:
        return search.think(view, legal, limit=limit, seed=seed)
    candidates, found = _look(view, network, limit, seed, WEIGHTS, sure=True)
    notation, offer = notation_of(view.spec), view.offer
    tries = np.maximum(found.tries, 1)
    chances, worths = found.wins / tries, found.worth / tries
    lines = tuple(
        Line(
            move=notation.move(int(action), offer),
            playouts=int(found.tries[i]),
            chance=float(chances[i]),
            margin=margin_for(float(worths[i]), float(chances[i]), view.seats),
            prior=float(candidates.wish[i]),
        )
        for i, action in enumerate(candidates.actions)
    )
    played = search.chances(view, limit=Limit(effort=SCORED), seed=seed, after=lines[0].move)
    return Thought(
        lines=lines,
        chances=_shared_out(lines[0].chance, played.chances, view.seat),
        scores=played.scores,
        playouts=int(found.tries.sum()),
    )


def margin_for(worth: float, chance: float, seats: int) -> float:
    """The margin that makes an ending of this chance worth so much."""
    bent = min(0.95, max(-0.95, 2 * (worth - (chance - 1 / seats))))
    return float(MARGIN_SCALE * bent / (1 - bent * bent) ** 0.5)


def _shared_out(chance: float, played: Sequence[float], seat: int) -> tuple[float, ...]:
    """A seat's chance, and what is left for the others in the proportion of theirs."""
    others = sum(played) - played[seat]
    rest = 1 - chance
    return tuple(
        chance if p == seat else rest * (share / others if others else 1 / (len(played) - 1))
        for p, share in enumerate(played)
    )


class ExpertBot:
    """A network's wishes, and thinking ahead before one is chosen.

    On a board without a network it searches as `search` does, with the same limit.
    """

    def __init__(self, seed: int | str, limit: Limit, path: str | None = None) -> None:
        self._chooser = NetworkOrSearch(seed, path, limit, self._decide)
        self._random = random.Random(seed)
        self._limit = limit
        self.weights = WEIGHTS

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        """One of the legal moves, for the seat whose view it is."""
        return self._chooser.choose(view, legal)

    def _decide(self, view: View, network: Network) -> int:
        seed = self._random.getrandbits(31)
        candidates, _ = _look(view, network, self._limit, seed, self.weights, sure=False)
        return int(candidates.actions[0])
