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
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from macaz.bots import Limit, search
from macaz.bots.analysis import Analysis, MoveAnalysis
from macaz.bots.compiled import layout as of
from macaz.bots.compiled.endings import MARGIN_SCALE
from macaz.bots.compiled.lookahead import TRY_CANDIDATE, TRY_NUMBER, TRY_NUMBERS
from macaz.bots.compiled.program import guide_of, players
from macaz.bots.learned import Evaluation, NetworkOrSearch, evaluate, network_of
from macaz.bots.network import Network
from macaz.bots.parallel import parallel_map
from macaz.bots.rollouts import RolloutRunner, Weights
from macaz.game.moves import notation_of
from macaz.workers import core_count

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View

SCORED = 32  # playouts that estimate the chances of all seats in an `Analysis`
WEIGHTS = Weights()


class Comparison(NamedTuple):
    """Moves that were compared by tries, the best first."""

    actions: np.ndarray
    prior: np.ndarray  # the network's probability of each, among all legal moves
    tries: np.ndarray
    worth: np.ndarray  # sum of the values of its tries
    wins: np.ndarray  # sum of their win shares
    rounds: np.ndarray  # rounds of the halving that it was in


def comparison(contest: np.ndarray) -> Comparison:
    """What the record of a comparison says, whose moves may still be tried."""
    found = contest[0]
    order = found["order"][: found["candidates"]]
    fields = ("action", "prior", "tries", "worth", "wins", "stayed")
    return Comparison(*(found[name][order] for name in fields))


def contest_record(weights: Weights) -> np.ndarray:
    """A record for `macaz.bots.compiled.halving`, without moves."""
    contest = np.zeros(1, of.dtypes["contest"])
    for name in ("least", "temperature", "shrinkage", "turns", "patient", "own", "others", "mix"):
        contest[name] = getattr(weights, name)
    contest["weight"] = weights.worth
    return contest


def _candidates(view: View, seen: Evaluation, weights: Weights) -> np.ndarray:
    """The record that compares the moves that the network prefers, each paid as it prefers."""
    contest = contest_record(weights)
    players().list_contest(
        view.spec.table,
        guide_of(view.spec),
        seen.states,
        seen.legal,
        seen.wishes,
        contest,
        view.seat,
        weights.candidates,
    )
    return contest


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


def _sequential_halving(
    contest: np.ndarray, runners: Sequence[RolloutRunner], budget: _Budget
) -> None:
    """Spend the budget in equal parts: on all candidates, on the better half, and so on."""
    run, compared = players(), contest[0]
    tries = np.zeros((of.CANDIDATES, TRY_NUMBERS), np.int64)
    while compared["round"] < compared["rounds"]:
        share = int(compared["round"] + 1) / int(compared["rounds"])
        left = budget.tries_left(int(compared["made"]), share)
        count = run.plan_contest(contest, tries, left, len(runners))
        planned = tries[:count]
        which, numbers = planned[:, TRY_CANDIDATE].copy(), planned[:, TRY_NUMBER].copy()
        for worth, wins in _run_all(runners, which, numbers) if count else ():
            run.add_results(contest, tries, np.stack([worth, wins], axis=1), count)


def _run_all(
    runners: Sequence[RolloutRunner], which: np.ndarray, numbers: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Make the same tries with each runner in parallel; their worlds and random numbers differ."""
    return parallel_map(lambda runner: runner.run(which, numbers), runners)


def _rank(
    view: View, network: Network, limit: Limit, seed: int, weights: Weights, *, always: bool
) -> Comparison:
    """The candidates, the best first; a single one is tried only if `always`."""
    budget = _Budget(limit)
    if limit.effort is not None:
        weights = replace(weights, candidates=min(weights.candidates, max(2, limit.effort // 2)))
    contest = _candidates(view, evaluate(view, network), weights)
    candidates = comparison(contest)
    if len(candidates.actions) == 1 and not always:
        return candidates
    cores = core_count() if limit.effort is None else 1
    runners = [
        RolloutRunner(view, network, candidates.actions, weights, seed + number * 7919)
        for number in range(cores)
    ]
    _sequential_halving(contest, runners, budget)
    return comparison(contest)


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
    found = _rank(view, network, limit, seed, WEIGHTS, always=True)
    notation, offer = notation_of(view.spec), view.offer
    tries = np.maximum(found.tries, 1)
    chances, worths = found.wins / tries, found.worth / tries
    moves = tuple(
        MoveAnalysis(
            move=notation.move(int(action), offer),
            playouts=int(found.tries[i]),
            chance=float(chances[i]),
            margin=margin_for(float(worths[i]), float(chances[i]), view.seats),
            prior=float(found.prior[i]),
        )
        for i, action in enumerate(found.actions)
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
        found = _rank(view, network, self._limit, seed, self.weights, always=False)
        return int(found.actions[0])
