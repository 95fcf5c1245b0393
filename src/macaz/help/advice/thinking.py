"""The analyses behind advice and reviews, by the expert or the search."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from macaz.bots import Limit
from macaz.game.moves import notation_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from macaz.bots.analysis import Analysis, MoveAnalysis
    from macaz.bots.network import Network
    from macaz.edition import Edition
    from macaz.game.moves import Move
    from macaz.game.view import View
    from macaz.help.advice import Thinker


TYPICAL = Limit(effort=32)  # of the search that finds typical moves
COMPARED = Limit(effort=8)  # tries of each typical move that the expert did not try


class Estimate(NamedTuple):
    """The estimated result of a game for one seat."""

    chance: float  # of winning
    margin: float  # points ahead of the best other seat
    playouts: int


def think(view: View, legal: Sequence[Move], limit: Limit, seed: int, thinker: Thinker) -> Analysis:
    """Analyse these moves of the view's seat."""
    from macaz.bots import expert, search

    if _network(view.edition, thinker) is None:
        return search.think(view, legal, limit=limit, seed=seed)
    return expert.think(view, legal, limit=limit, seed=seed)


def typical_moves(
    view: View, legal: Sequence[Move], analysis: Analysis, seed: int, thinker: Thinker
) -> tuple[MoveAnalysis, ...]:
    """Moves of an average player to compare with; their priors say how likely they are.

    The expert tries only the moves that its network prefers, often a single one. Other typical
    moves get a few tries: enough for an average of all, too few to suggest one of them.
    """
    from macaz.bots import search
    from macaz.bots.analysis import MoveAnalysis

    network = _network(view.edition, thinker)
    if network is None:
        return analysis.moves
    typical = search.think(view, legal, limit=TYPICAL, seed=seed).moves
    analysed = {one.move for one in analysis.moves}
    missed = [one.move for one in typical if one.move not in analysed]
    tried = zip(missed, _tried(view, network, COMPARED, seed, missed), strict=True)
    more = [MoveAnalysis(move, one.playouts, one.chance, one.margin, 0.0) for move, one in tried]
    likely = {one.move: one.prior for one in typical}
    return tuple(replace(one, prior=likely.get(one.move, 0.0)) for one in (*analysis.moves, *more))


def chances(view: View, limit: Limit, seed: int) -> Analysis:
    """The chances of all seats, for a seat that is not to decide or a spectator.

    Networks only evaluate decisions, so this is always by playouts.
    """
    from macaz.bots import search

    return search.chances(view, limit=limit, seed=seed)


def estimate(
    view: View, limit: Limit, seed: int, thinker: Thinker, after: Move | None = None
) -> Estimate:
    """The result for the view's seat, which is to decide, or `after` a move of it."""
    from macaz.bots import search

    seat = view.seat
    assert seat is not None, "a spectator has no result"
    network = _network(view.edition, thinker)
    if network is None:
        found = search.chances(view, limit=limit, seed=seed, after=after)
        others = (score for other, score in enumerate(found.scores) if other != seat)
        return Estimate(found.chances[seat], found.scores[seat] - max(others), found.playouts)
    if after is None:
        return _evaluation(view, network)
    return _tried(view, network, limit, seed, [after])[0]


def _network(edition: Edition, thinker: Thinker) -> Network | None:
    """The expert's network; None if the search is used."""
    if thinker == "search":
        return None
    from macaz.bots.network import network_for

    return network_for(edition)


def _evaluation(view: View, network: Network) -> Estimate:
    """The network's evaluation of a position, without tries."""
    from macaz.bots.expert import margin_for
    from macaz.bots.learned import evaluate

    seen = evaluate(view, network)
    return Estimate(seen.win, margin_for(seen.value, seen.win, view.seats), 1)


def _tried(
    view: View, network: Network, limit: Limit, seed: int, moves: Sequence[Move]
) -> list[Estimate]:
    """The results of equally many tries of each move, with the same worlds and random numbers."""
    import numpy as np

    from macaz.bots.compiled.lookahead import TRIES
    from macaz.bots.expert import WEIGHTS, margin_for
    from macaz.bots.rollouts import RolloutRunner

    if not moves:
        return []
    end = time.perf_counter() + (limit.seconds or 0.0)
    notation, most = notation_of(view.spec), limit.effort
    actions = np.array([notation.action(move, view.offer) for move in moves])
    runner = RolloutRunner(view, network, actions, WEIGHTS, seed)
    worth, wins, tried = np.zeros(len(moves)), np.zeros(len(moves)), 0
    while not tried or (time.perf_counter() < end if most is None else tried < most):
        each = max(1, TRIES // len(moves))
        each = each if most is None else min(each, most - tried)
        which = np.tile(np.arange(len(moves)), each)
        worths, shares = runner.run(which, np.repeat(np.arange(tried, tried + each), len(moves)))
        worth += worths.reshape(each, -1).sum(axis=0)
        wins += shares.reshape(each, -1).sum(axis=0)
        tried += each
    return [
        Estimate(chance, margin_for(value, chance, view.seats), tried)
        for chance, value in zip((wins / tried).tolist(), (worth / tried).tolist(), strict=True)
    ]


def seed_of(*parts: object) -> int:
    """A seed derived from these values."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def error_of(chance: float, playouts: int) -> float:
    """The standard error of a share of wins.

    One win and one loss are added, so that it is not zero after a few losses. The expert's tries
    vary less than games, but the error of its network is common to all of them, so they are
    counted as games.
    """
    softened = (chance * playouts + 1) / (playouts + 2)
    return sqrt(softened * (1 - softened) / (playouts + 2))
