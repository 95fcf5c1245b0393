"""The searching bot: it plays many games to their end, in worlds that fit all it has seen.

See `macaz.bots.compiled.tree` for the search itself. Here worlds are sampled, the budget is kept,
and the cores are put to use: each grows a tree of its own, and the trees are added up.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from macaz.bots import Limit
from macaz.bots.compiled import layout as at
from macaz.bots.compiled.program import desk, guide_of, players
from macaz.bots.giving_up import check
from macaz.bots.side_by_side import side_by_side
from macaz.bots.styles import style_of
from macaz.bots.thought import Line, Thought
from macaz.game.moves import notation_of
from macaz.game.worlds import sample_world
from macaz.kernel.compile import default_target
from macaz.kernel.layout import SEATS
from macaz.workers import core_count

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View

SAMPLED = 4  # of them drawn with all care; in the others the hidden things of these change places
CHUNK = 16  # playouts between two looks at the clock
PLAIN_CHUNK = 1  # the same as plain Python, where a playout can take a second
# By play: the margin alone, as an unlikely win is hardly ever seen in a few hundred playouts.
WEIGHTS: dict[str, float] = {"depth": 2, "puct": 1.0, "scale": 40.0, "win": 0.0, "favour": 3.0}


class _Tree:
    """A tree that grows on this thread's desk; more playouts than worlds meet them again."""

    def __init__(self, view: View, seed: int, root: int) -> None:
        self._run = players()
        self._room = desk()
        self._spec = view.spec
        self._seat = -1 if view.seat is None else view.seat
        self._seed = seed
        self._root_move = root
        self._styles = np.repeat(style_of("playout", view.spec), SEATS)
        room = self._room
        rng = np.random.default_rng(seed)
        for i in range(SAMPLED):
            room.worlds[i] = sample_world(view, rng)[0]
        room.dice["word"][:2] = rng.integers(1, 1 << 32, (2, 4))
        for name, value in WEIGHTS.items():
            room.searches[name] = value
        self._run.fill_worlds(
            self._spec.table, room.worlds, room.searches, room.dice, SAMPLED, self._seat
        )
        self._run.begin_search(room.nodes, room.searches)

    def grow(self, playouts: int) -> None:
        """Play out so many more games; raises `GivenUp`."""
        check()
        room = self._room
        self._run.search_on(
            self._spec.table,
            guide_of(self._spec),
            self._styles,
            room.games,
            room.nodes,
            room.searches,
            self._seat,
            self._root_move,
            self._seed,
            playouts,
        )

    @property
    def playouts(self) -> int:
        """Games played out so far."""
        return int(self._room.searches["playouts"][0])

    def moves(self) -> np.ndarray:
        """The root, and the nodes after each of its moves."""
        nodes = self._room.nodes
        found = [0]
        child = int(nodes["child"][0])
        while child >= 0:
            found.append(child)
            child = int(nodes["next"][child])
        moves: np.ndarray = nodes[found]
        return moves

    def lead(self) -> int:
        """By how many playouts the first move is ahead of the second."""
        visits = np.sort(self.moves()["visits"][1:])
        return int(visits[-1] - visits[-2]) if len(visits) > 1 else 1 << 30


def think(
    view: View,
    legal: Sequence[Move],
    *,
    limit: Limit,
    seed: int = 0,
    to_the_end: bool = True,
) -> Thought:
    """What a search finds out about the legal moves of a view's seat.

    With a limit in seconds all cores that this process may use take part; with an effort one does,
    so that the same seed finds the same. Unless `to_the_end`, it stops as soon as no other move
    can come to be the most played any more.
    """
    if not legal or view.seat is None:
        return chances(view, limit=limit, seed=seed)
    return _thought(view, _search(view, limit, seed, at.SEARCHED, to_the_end=to_the_end))


def chances(view: View, *, limit: Limit, seed: int = 0, after: Move | None = None) -> Thought:
    """Everybody's chances as a seat or a spectator can know them, or after a move of the seat."""
    root = at.NOTHING
    if after is not None:
        root = notation_of(view.spec).action(after, view.offer)
    return _thought(view, _search(view, limit, seed, root, to_the_end=True))


def _search(
    view: View, limit: Limit, seed: int, root: int, *, to_the_end: bool
) -> list[np.ndarray]:
    """The roots and moves of the trees that were grown."""
    end = time.perf_counter() + (limit.seconds or 0.0)

    def grow(number: int) -> np.ndarray:
        tree = _Tree(view, seed + number * 7919, root)
        if limit.effort is not None:
            _spend_effort(tree, limit.effort, to_the_end=to_the_end)
        else:
            _spend_time(tree, end, to_the_end=to_the_end)
        return tree.moves()

    return side_by_side(grow, range(core_count() if limit.effort is None else 1))


def _spend_effort(tree: _Tree, effort: int, *, to_the_end: bool) -> None:
    tree.grow(min(effort, CHUNK))
    while (left := effort - tree.playouts) > 0 and (to_the_end or tree.lead() <= left):
        tree.grow(min(left, CHUNK))


def _spend_time(tree: _Tree, end: float, *, to_the_end: bool) -> None:
    chunk = PLAIN_CHUNK if default_target() == "plain" else CHUNK
    began = time.perf_counter()
    tree.grow(chunk)
    while (now := time.perf_counter()) < end:
        left = (end - now) * tree.playouts / max(now - began, 1e-6)
        if not to_the_end and tree.lead() > left:
            return
        tree.grow(chunk)


def _thought(view: View, trees: list[np.ndarray]) -> Thought:
    """The trees added up: the most played move first."""
    root = trees[0][0].copy()
    by_action: dict[int, np.void] = {}
    for number, tree in enumerate(trees):
        for node in tree[1:]:
            action = int(node["action"])
            if action in by_action:
                _add(by_action[action], node)
            else:
                by_action[action] = node.copy()
        if number:
            _add(root, tree[0])
    moves = sorted(by_action.values(), key=lambda node: (-node["visits"], -node["total"]))
    notation, offer = notation_of(view.spec), view.offer
    best = moves[0] if moves else root
    return Thought(
        lines=tuple(
            Line(
                move=notation.move(int(node["action"]), offer),
                playouts=int(node["visits"]),
                chance=_mean(node, "wins", view)[view.seat or 0],
                margin=_margin(_mean(node, "points", view), view.seat or 0),
                prior=float(node["prior"]),
            )
            for node in moves
        ),
        chances=tuple(_mean(best, "wins", view)),
        scores=tuple(_mean(best, "points", view)),
        playouts=int(root["visits"]),
    )


def _add(node: np.void, other: np.void) -> None:
    for field in ("visits", "total", "wins", "points"):
        node[field] += other[field]


def _mean(node: np.void, field: str, view: View) -> list[float]:
    means: list[float] = (node[field][: view.seats] / max(int(node["visits"]), 1)).tolist()
    return means


def _margin(points: list[float], seat: int) -> float:
    return points[seat] - max(p for other, p in enumerate(points) if other != seat)


class SearchBot:
    """Plays the game to its end many times before each move."""

    def __init__(self, seed: int | str, limit: Limit) -> None:
        self._random = random.Random(seed)
        self._limit = limit

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        """One of the legal moves, for the seat whose view it is."""
        if len(legal) == 1:
            return legal[0]
        seed = self._random.getrandbits(31)
        return think(view, legal, limit=self._limit, seed=seed, to_the_end=False).best
