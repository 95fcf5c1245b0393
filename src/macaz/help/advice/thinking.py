"""Where advice gets its thoughts from: the one place that knows the search and the expert."""

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

    from macaz.bots.network import Network
    from macaz.bots.thought import Line, Thought
    from macaz.edition import Edition
    from macaz.game.moves import Move
    from macaz.game.view import View
    from macaz.help.advice import Thinker


ORDINARY = Limit(effort=32)  # games in which the moves of an ordinary player are met
COMPARED = Limit(effort=8)  # tries of each of them that the expert did not think of


class Future(NamedTuple):
    """How a game ends for one seat, as far as playouts tell."""

    chance: float  # of winning
    margin: float  # points ahead of the best other seat
    playouts: int


def think(view: View, legal: Sequence[Move], limit: Limit, seed: int, thinker: Thinker) -> Thought:
    """What is found about these moves of the seat of a view."""
    from macaz.bots import expert, search

    if _network(view.edition, thinker) is None:
        return search.think(view, legal, limit=limit, seed=seed)
    return expert.think(view, legal, limit=limit, seed=seed)


def ordinary(
    view: View, legal: Sequence[Move], thought: Thought, seed: int, thinker: Thinker
) -> tuple[Line, ...]:
    """What to compare a thought with: moves, their priors how likely an ordinary player makes them.

    The expert looks only at what its network wishes for, often a single move. What else is ordinary
    is tried a few times: enough for an average of all, too few to suggest one of them.
    """
    from macaz.bots import search
    from macaz.bots.thought import Line

    network = _network(view.edition, thinker)
    if network is None:
        return thought.lines
    habits = search.think(view, legal, limit=ORDINARY, seed=seed).lines
    looked_at = {line.move for line in thought.lines}
    missed = [line.move for line in habits if line.move not in looked_at]
    tried = zip(missed, _tried(view, network, COMPARED, seed, missed), strict=True)
    more = [Line(move, one.playouts, one.chance, one.margin, 0.0) for move, one in tried]
    likely = {line.move: line.prior for line in habits}
    return tuple(
        replace(line, prior=likely.get(line.move, 0.0)) for line in (*thought.lines, *more)
    )


def chances(view: View, limit: Limit, seed: int) -> Thought:
    """How a game stands, as a seat that waits or a spectator can know it.

    Networks are for a seat that is to decide: these are always games played out.
    """
    from macaz.bots import search

    return search.chances(view, limit=limit, seed=seed)


def future(
    view: View, limit: Limit, seed: int, thinker: Thinker, after: Move | None = None
) -> Future:
    """How a game goes on for the seat of a view, which is to decide; or after a move of it."""
    from macaz.bots import search

    seat = view.seat
    assert seat is not None, "a spectator has no future"
    network = _network(view.edition, thinker)
    if network is None:
        found = search.chances(view, limit=limit, seed=seed, after=after)
        others = (score for other, score in enumerate(found.scores) if other != seat)
        return Future(found.chances[seat], found.scores[seat] - max(others), found.playouts)
    if after is None:
        return _glance(view, network)
    return _tried(view, network, limit, seed, [after])[0]


def _network(edition: Edition, thinker: Thinker) -> Network | None:
    """What the expert would think with; None where the search does."""
    if thinker == "search":
        return None
    from macaz.bots.network import network_for

    return network_for(edition)


def _glance(view: View, network: Network) -> Future:
    """What a network says of a position, without a try."""
    from macaz.bots.expert import margin_for
    from macaz.bots.learned import glance

    seen = glance(view, network)
    return Future(seen.win, margin_for(seen.value, seen.win, view.seats), 1)


def _tried(
    view: View, network: Network, limit: Limit, seed: int, moves: Sequence[Move]
) -> list[Future]:
    """What tries come to, as many of each move; a seed has the same worlds and luck for all."""
    import numpy as np

    from macaz.bots.compiled.program import TRIES
    from macaz.bots.expert import WEIGHTS, margin_for
    from macaz.bots.tries import Bench

    if not moves:
        return []
    end = time.perf_counter() + (limit.seconds or 0.0)
    notation, most = notation_of(view.spec), limit.effort
    actions = np.array([notation.action(move, view.offer) for move in moves])
    bench = Bench(view, network, actions, WEIGHTS, seed)
    worth, wins, tried = np.zeros(len(moves)), np.zeros(len(moves)), 0
    while not tried or (time.perf_counter() < end if most is None else tried < most):
        each = max(1, TRIES // len(moves))
        each = each if most is None else min(each, most - tried)
        which = np.tile(np.arange(len(moves)), each)
        worths, shares = bench.run(which, np.repeat(np.arange(tried, tried + each), len(moves)))
        worth += worths.reshape(each, -1).sum(axis=0)
        wins += shares.reshape(each, -1).sum(axis=0)
        tried += each
    return [
        Future(chance, margin_for(value, chance, view.seats), tried)
        for chance, value in zip((wins / tried).tolist(), (worth / tried).tolist(), strict=True)
    ]


def seed_of(*parts: object) -> int:
    """A seed that only these have."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def error_of(chance: float, playouts: int) -> float:
    """The standard error of a share of wins.

    As if one more game had been won and one more lost: a few games without a win prove little. The
    tries of the expert vary less than games, but its network may be wrong about all of them alike:
    they are counted as games.
    """
    softened = (chance * playouts + 1) / (playouts + 2)
    return sqrt(softened * (1 - softened) / (playouts + 2))
