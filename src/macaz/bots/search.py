"""The search bot: Monte Carlo tree search over worlds sampled from its view.

The search itself is in `macaz.bots.compiled.tree`. This module samples the worlds, keeps the
limit, and uses the cores: each searches its own tree, and the trees' statistics are added up.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from macaz.bots import Limit
from macaz.bots.analysis import Analysis, MoveAnalysis
from macaz.bots.cancellation import check_cancelled
from macaz.bots.compiled import layout as at
from macaz.bots.compiled.program import guide_of, players, working_memory
from macaz.bots.parallel import parallel_map
from macaz.bots.styles import style_of
from macaz.game.moves import notation_of
from macaz.game.worlds import sample_world
from macaz.kernel.compile import default_target
from macaz.kernel.layout import SEATS
from macaz.workers import core_count

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View

SAMPLED = 4  # worlds sampled exactly; the others permute the hidden cards of these
CHUNK = 16  # playouts between two checks of the limit
PLAIN_CHUNK = 1  # the same for plain Python, where a playout can take a second
# Tuned by games. A playout counts by its margin alone (win: 0): in a few hundred playouts an
# unlikely win is hardly ever seen.
WEIGHTS: dict[str, float] = {"depth": 2, "puct": 1.0, "scale": 40.0, "win": 0.0, "favour": 3.0}


def search_record() -> np.ndarray:
    """A record for `macaz.bots.compiled.tree`, before the first playout."""
    searches = np.zeros(1, at.dtypes["search"])
    for name, value in WEIGHTS.items():
        searches[name] = value
    return searches


class Tree:
    """A search tree in this thread's working memory; its playouts cycle through the worlds."""

    def __init__(self, view: View, seed: int, root: int) -> None:
        self._run = players()
        self._room = working_memory()
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
        room.searches[:] = search_record()
        self._run.fill_worlds(
            self._spec.table, room.worlds, room.searches, room.dice, SAMPLED, self._seat
        )
        self._run.begin_search(room.nodes, room.searches)

    def grow(self, playouts: int) -> None:
        """Add playouts; raises `Cancelled`."""
        check_cancelled()
        self._run.search_on(*self.arguments, playouts)

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What `search_on` takes, but the number of playouts."""
        return (
            self._spec.table,
            guide_of(self._spec),
            self._styles,
            self._room.games,
            self._room.nodes,
            self._room.searches,
            self._seat,
            self._root_move,
            self._seed,
        )

    @property
    def playouts(self) -> int:
        """The number of playouts so far."""
        return int(self._room.searches["playouts"][0])

    def root_and_children(self) -> np.ndarray:
        """The root node, followed by its children."""
        nodes = self._room.nodes
        found = [0]
        child = int(nodes["child"][0])
        while child >= 0:
            found.append(child)
            child = int(nodes["next"][child])
        found_nodes: np.ndarray = nodes[found]
        return found_nodes

    def lead(self) -> int:
        """The difference in visits between the two most visited moves."""
        return int(self._run.search_lead(self._room.nodes))


def think(
    view: View,
    legal: Sequence[Move],
    *,
    limit: Limit,
    seed: int = 0,
    stop_early: bool = False,
) -> Analysis:
    """Analyse the legal moves of the view's seat.

    With a limit in seconds all cores of this process are used; with an effort only one, so that
    the result depends on the seed alone. With `stop_early` the search stops as soon as no other
    move can become the most visited.
    """
    if not legal or view.seat is None:
        return chances(view, limit=limit, seed=seed)
    return _analysis(view, _search(view, limit, seed, at.SEARCHED, stop_early=stop_early))


def chances(view: View, *, limit: Limit, seed: int = 0, after: Move | None = None) -> Analysis:
    """The chances of all seats, from the information of a view; `after` a move of its seat."""
    root = at.NOTHING
    if after is not None:
        root = notation_of(view.spec).action(after, view.offer)
    return _analysis(view, _search(view, limit, seed, root, stop_early=False))


def _search(
    view: View, limit: Limit, seed: int, root: int, *, stop_early: bool
) -> list[np.ndarray]:
    """For each tree its root node and children."""
    end = time.perf_counter() + (limit.seconds or 0.0)

    def grow(number: int) -> np.ndarray:
        tree = Tree(view, seed + number * 7919, root)
        if limit.effort is not None:
            _spend_effort(tree, limit.effort, stop_early=stop_early)
        else:
            _spend_time(tree, end, stop_early=stop_early)
        return tree.root_and_children()

    return parallel_map(grow, range(core_count() if limit.effort is None else 1))


def _spend_effort(tree: Tree, effort: int, *, stop_early: bool) -> None:
    tree.grow(min(effort, CHUNK))
    while (left := effort - tree.playouts) > 0 and not (stop_early and tree.lead() > left):
        tree.grow(min(left, CHUNK))


def _spend_time(tree: Tree, end: float, *, stop_early: bool) -> None:
    chunk = PLAIN_CHUNK if default_target() == "plain" else CHUNK
    began = time.perf_counter()
    tree.grow(chunk)
    while (now := time.perf_counter()) < end:
        left = (end - now) * tree.playouts / max(now - began, 1e-6)
        if stop_early and tree.lead() > left:
            return
        tree.grow(chunk)


def _analysis(view: View, trees: list[np.ndarray]) -> Analysis:
    """The sum of the trees' statistics, the most visited move first."""
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
    return Analysis(
        moves=tuple(
            MoveAnalysis(
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
    """Plays the most visited move of a tree search."""

    def __init__(self, seed: int | str, limit: Limit) -> None:
        self._random = random.Random(seed)
        self._limit = limit

    def choose(self, view: View, legal: Sequence[Move]) -> Move:
        if len(legal) == 1:
            return legal[0]
        seed = self._random.getrandbits(31)
        return think(view, legal, limit=self._limit, seed=seed, stop_early=True).best
