"""The expert bot: sequential halving over a network's preferred moves, evaluated by rollouts.

The moves with the highest probability in the network's policy are tried in worlds sampled from the
view. A rollout ("try") continues until the seat's next turn; the seat's own decisions follow the
network, those of the others the quick planner. There the network evaluates the position, the game
is played to its end by the quick planner for all seats, and the value of the try is the mean of
both. The n-th try of each move uses the n-th world and the same random numbers. The budget is spent
by sequential halving: all moves get equally many tries, then the better half, until one is left. A
move's score combines its probability with the mean value of its tries.

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
from macaz.bots.analysis import Analysis, MoveAnalysis
from macaz.bots.compiled.endings import MARGIN_SCALE
from macaz.bots.compiled.program import TRIES, guide_of, players
from macaz.bots.learned import Evaluation, NetworkOrSearch, evaluate, network_of
from macaz.bots.network import Network
from macaz.bots.parallel import parallel_map
from macaz.bots.rollouts import RolloutRunner, Weights
from macaz.game.moves import notation_of
from macaz.kernel.layout import WORD_BITS
from macaz.workers import core_count

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View

SCORED = 32  # playouts that estimate the chances of all seats in an `Analysis`
WEIGHTS = Weights()


class Candidates(NamedTuple):
    """The moves that are tried, the most probable first."""

    actions: np.ndarray
    prior: np.ndarray  # the network's probability of each, among all legal moves


@dataclass
class TryResults:
    """The results of the candidates' tries."""

    count: int
    tries: np.ndarray = field(init=False)
    worth: np.ndarray = field(init=False)  # sum of values
    wins: np.ndarray = field(init=False)  # sum of win shares
    rounds: np.ndarray = field(init=False)  # rounds of the halving that a candidate was in

    def __post_init__(self) -> None:
        self.tries = np.zeros(self.count, np.int64)
        self.rounds = np.zeros(self.count, np.int64)
        self.worth = np.zeros(self.count)
        self.wins = np.zeros(self.count)

    def add(self, which: np.ndarray, worth: np.ndarray, wins: np.ndarray) -> None:
        """Add the results of tries; `which` has the candidate of each."""
        np.add.at(self.tries, which, 1)
        np.add.at(self.worth, which, worth)
        np.add.at(self.wins, which, wins)

    def sorted(self, order: np.ndarray) -> TryResults:
        """The same results with the candidates in another order."""
        found = TryResults(self.count)
        for name in ("tries", "worth", "wins", "rounds"):
            setattr(found, name, getattr(self, name)[order])
        return found


def _candidates(view: View, seen: Evaluation, weights: Weights) -> Candidates:
    """The legal moves that the network prefers, each with the payment that it prefers."""
    bits = (seen.legal[0][:, None] >> np.arange(WORD_BITS)) & 1
    legal = np.flatnonzero(bits.ravel())
    logits = seen.wishes[0, legal].astype(np.float64) / weights.temperature
    prior = np.exp(logits - logits.max())
    prior /= prior.sum()
    order = np.argsort(-prior, kind="stable")[: weights.candidates]
    order = order[prior[order] >= min(weights.least, prior[order[0]])]
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
    return Candidates(actions, prior[order])


class _Budget:
    """How much of a limit is left, in time or in tries."""

    def __init__(self, limit: Limit) -> None:
        self._limit, self._began = limit, time.perf_counter()
        self._first = 0.0  # when the first try began

    def tries_left(self, tried: int, share: float) -> int:
        """How many tries fit before a share of the limit is used, at the rate so far."""
        if self._limit.effort is not None:
            return ceil(self._limit.effort * share) - tried
        now = time.perf_counter()
        if not tried:
            self._first = now
            return 1
        left = self._began + share * (self._limit.seconds or 0.0) - now
        return int(left * tried / max(now - self._first, 1e-6))


def _scores(candidates: Candidates, found: TryResults, weights: Weights) -> np.ndarray:
    """The score of each candidate: log prior plus the weighted mean value of its tries."""
    # With few tries, a mean is shrunk towards the mean of all tries.
    base = found.worth.sum() / max(int(found.tries.sum()), 1)
    means = (found.worth + weights.shrinkage * base) / (found.tries + weights.shrinkage)
    scores: np.ndarray = np.log(candidates.prior) + weights.worth * (means - base)
    return scores


def _sequential_halving(
    candidates: Candidates, runners: list[RolloutRunner], budget: _Budget, weights: Weights
) -> TryResults:
    """Spend the budget in equal parts: on all candidates, on the better half, and so on."""
    found = TryResults(len(candidates.actions))
    alive = np.arange(found.count)
    rounds = max(1, ceil(log2(found.count)))
    for number in range(rounds):
        tried = int(found.tries.sum())
        share = (number + 1) / rounds
        least = len(alive) * len(runners)  # one try of each of these moves by each runner
        while (left := budget.tries_left(tried, share)) >= least / 2 or not tried:
            each = max(1, min(left // len(runners), TRIES) // len(alive))
            first = int(found.tries[alive[0]]) // len(runners)  # equal for all that are left
            numbers = np.repeat(np.arange(first, first + each), len(alive))
            _run_all(found, runners, np.tile(alive, each), numbers)
            tried = int(found.tries.sum())
        found.rounds[alive] += 1
        order = np.argsort(-_scores(candidates, found, weights)[alive], kind="stable")
        alive = alive[order[: (len(alive) + 1) // 2]]
    return found


def _run_all(
    found: TryResults, runners: list[RolloutRunner], which: np.ndarray, numbers: np.ndarray
) -> None:
    """Make the same tries with each runner in parallel; their worlds and random numbers differ."""
    for worth, wins in parallel_map(lambda runner: runner.run(which, numbers), runners):
        found.add(which, worth, wins)


def _rank(
    view: View, network: Network, limit: Limit, seed: int, weights: Weights, *, always: bool
) -> tuple[Candidates, TryResults]:
    """The candidates, the best first, and their results; a single one is tried only if `always`."""
    budget = _Budget(limit)
    if limit.effort is not None:
        weights = replace(weights, candidates=min(weights.candidates, max(2, limit.effort // 2)))
    candidates = _candidates(view, evaluate(view, network), weights)
    if len(candidates.actions) == 1 and not always:
        return candidates, TryResults(1)
    cores = core_count() if limit.effort is None else 1
    runners = [
        RolloutRunner(view, network, candidates.actions, weights, seed + number * 7919)
        for number in range(cores)
    ]
    found = _sequential_halving(candidates, runners, budget, weights)
    order = np.lexsort((-_scores(candidates, found, weights), -found.rounds))
    return Candidates(candidates.actions[order], candidates.prior[order]), found.sorted(order)


def think(
    view: View,
    legal: Sequence[Move],
    *,
    limit: Limit,
    seed: int = 0,
    path: str | None = None,
) -> Analysis:
    """Analyse the legal moves of the view's seat, as `search.think` does.

    A move's chance is the mean of its tries, and its margin follows from that and from the mean
    value. The chances of the other seats, and all scores, come from a few playouts.
    """
    network = network_of(path, view.edition)
    if network is None or not legal or view.seat is None:
        return search.think(view, legal, limit=limit, seed=seed)
    candidates, found = _rank(view, network, limit, seed, WEIGHTS, always=True)
    notation, offer = notation_of(view.spec), view.offer
    tries = np.maximum(found.tries, 1)
    chances, worths = found.wins / tries, found.worth / tries
    moves = tuple(
        MoveAnalysis(
            move=notation.move(int(action), offer),
            playouts=int(found.tries[i]),
            chance=float(chances[i]),
            margin=margin_for(float(worths[i]), float(chances[i]), view.seats),
            prior=float(candidates.prior[i]),
        )
        for i, action in enumerate(candidates.actions)
    )
    played = search.chances(view, limit=Limit(effort=SCORED), seed=seed, after=moves[0].move)
    return Analysis(
        moves=moves,
        chances=_distribute(moves[0].chance, played.chances, view.seat),
        scores=played.scores,
        playouts=int(found.tries.sum()),
    )


def margin_for(worth: float, chance: float, seats: int) -> float:
    """The margin at which an ending with this chance of winning has this value."""
    bent = min(0.95, max(-0.95, 2 * (worth - (chance - 1 / seats))))
    return float(MARGIN_SCALE * bent / (1 - bent * bent) ** 0.5)


def _distribute(chance: float, played: Sequence[float], seat: int) -> tuple[float, ...]:
    """The seat's chance, and the rest distributed in proportion to the others' chances."""
    others = sum(played) - played[seat]
    rest = 1 - chance
    return tuple(
        chance if p == seat else rest * (share / others if others else 1 / (len(played) - 1))
        for p, share in enumerate(played)
    )


class ExpertBot:
    """Tries the moves that a network prefers before it chooses one.

    On a board without a network it searches as `search` does, with the same limit.
    """

    def __init__(self, seed: int | str, limit: Limit, path: str | None = None) -> None:
        self._chooser = NetworkOrSearch(seed, path, limit, self._decide)
        self._random = random.Random(seed)
        self._limit = limit
        self.weights = WEIGHTS

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        return self._chooser.choose(view, legal)

    def _decide(self, view: View, network: Network) -> int:
        seed = self._random.getrandbits(31)
        candidates, _ = _rank(view, network, self._limit, seed, self.weights, always=False)
        return int(candidates.actions[0])
