"""The searching bot: it plays many games to their end, in worlds that fit all it has seen.

See `macaz.bots.compiled.tree` for the search itself. Here worlds are sampled, the budget is kept,
and the cores are put to use: each grows a tree of its own, and the trees are added up.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from macaz.bots import Limit
from macaz.bots.compiled import layout as at
from macaz.bots.compiled.program import guide_of, players
from macaz.bots.styles import style_of
from macaz.bots.thought import Line, Thought
from macaz.kernel.cpu import core_count
from macaz.kernel.layout import SEATS, dtype_of
from macaz.moves import notation_of
from macaz.worlds import sample_world

if TYPE_CHECKING:
    from macaz.moves import Move
    from macaz.view import View

WORLDS = 256  # that a tree meets; more playouts meet them again, with other luck
SAMPLED = 4  # of them drawn with all care; the others change places of what is hidden in these
CHUNK = 16  # playouts between two looks at the clock
NODES = 1 << 16


class Tree:
    """One tree and all it works with; a thread's own."""

    def __init__(self, view: View, seed: int, *, deciding: bool, **weights: float) -> None:
        self._run = players()
        self._seat = -1 if view.seat is None else view.seat
        self._spec = view.spec
        self._seed = seed
        self._deciding = int(deciding)
        rng = np.random.default_rng([seed, 1])
        self._worlds = np.zeros(WORLDS, dtype_of("state"))
        for i in range(SAMPLED):
            self._worlds[i] = sample_world(view, rng)[0]
        self._dice = np.zeros(2, dtype_of("dice"))
        self._dice["word"] = rng.integers(1, 1 << 32, (2, 4))
        self.search = np.zeros(1, at.dtypes["search"])
        for name, value in weights.items():
            self.search[name] = value
        self._run.fill_worlds(
            self._spec.table, self._worlds, self.search, self._dice, SAMPLED, self._seat
        )
        self.nodes = np.zeros(NODES, at.dtypes["node"])
        self._run.begin_search(self.nodes, self.search)
        self._states = np.zeros(1, dtype_of("state"))
        self._minds = np.zeros(SEATS, at.dtypes["mind"])
        self._works = np.zeros(1, dtype_of("work"))
        self._tallies = np.zeros(1, dtype_of("tally"))
        self._styles = np.repeat(style_of("planner"), SEATS)

    def grow(self, playouts: int) -> None:
        """Play out so many more games."""
        self._run.search_on(
            self._spec.table,
            guide_of(self._spec),
            self._styles,
            self._worlds,
            self._states,
            self._minds,
            self._dice,
            self._works,
            self._tallies,
            self.nodes,
            self.search,
            self._seat,
            self._deciding,
            self._seed,
            playouts,
        )

    def moves(self) -> np.ndarray:
        """The nodes after each move of the root."""
        found = []
        child = int(self.nodes["child"][0])
        while child >= 0:
            found.append(child)
            child = int(self.nodes["next"][child])
        return self.nodes[found]


WEIGHTS: dict[str, float] = {"depth": 4, "puct": 1.0, "scale": 40.0, "win": 0.5, "favour": 4.0}


def think(
    view: View, legal: Sequence[Move], *, limit: Limit, seed: int = 0, **weights: float
) -> Thought:
    """What a search finds out about the legal moves of a view's seat."""
    tree = Tree(view, seed, deciding=True, **(WEIGHTS | weights))
    _spend(tree, limit)
    return _thought(view, [tree])


def _spend(tree: Tree, limit: Limit) -> None:
    if limit.effort is not None:
        tree.grow(limit.effort)
        return
    assert limit.seconds is not None
    end = time.perf_counter() + limit.seconds
    while time.perf_counter() < end:
        tree.grow(CHUNK)


def _thought(view: View, trees: list[Tree]) -> Thought:
    notation, offer = notation_of(view.spec), view.offer
    tree = trees[0]
    seats = view.seats
    moves = tree.moves()
    moves = moves[np.argsort(-moves["visits"], kind="stable")]
    lines = []
    for node in moves:
        n = max(int(node["visits"]), 1)
        points = node["points"][:seats] / n
        others = np.delete(points, view.seat)
        lines.append(
            Line(
                move=notation.move(int(node["action"]), offer),
                playouts=int(node["visits"]),
                chance=float(node["wins"][view.seat] / n),
                margin=float(points[view.seat] - others.max()),
                prior=float(node["prior"]),
            )
        )
    best = moves[0]
    n = max(int(best["visits"]), 1)
    return Thought(
        lines=tuple(lines),
        chances=tuple((best["wins"][:seats] / n).tolist()),
        scores=tuple((best["points"][:seats] / n).tolist()),
        playouts=int(tree.search["playouts"][0]),
    )


class SearchBot:
    """Plays the game to its end many times before each move."""

    def __init__(self, seed: int | str = 0, limit: Limit = Limit(seconds=0.5)) -> None:
        self._random = random.Random(seed)
        self._limit = limit

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        """One of the legal moves, for the seat whose view it is."""
        if len(legal) == 1:
            return legal[0]
        return think(view, legal, limit=self._limit, seed=self._random.getrandbits(31)).best
