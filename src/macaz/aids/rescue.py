"""Where new stations would have to stand for a ticket that claims alone cannot complete (G3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from macaz.board import Board

_FAR = 10_000  # more spaces than any way has


def distances(board: Board, free: Iterable[int], open_: Iterable[int]) -> np.ndarray:
    """The spaces that are missing between every two cities."""
    count = len(board.cities)
    far = np.full((count, count), _FAR, np.int32)
    np.fill_diagonal(far, 0)
    for routes, costs in ((open_, True), (free, False)):
        for r in (board.routes[i] for i in routes):
            spaces = min(int(far[r.a, r.b]), r.length) if costs else 0
            far[r.a, r.b] = far[r.b, r.a] = spaces
    for city in range(count):
        np.minimum(far, far[:, city, None] + far[city], out=far)
    return far


class Rescue:
    """Finds stations: each lends one route that ends in its city, and no city has two."""

    def __init__(
        self,
        board: Board,
        far: np.ndarray,
        lent: Collection[int],
        *,
        built: Collection[int],
        sites: Collection[int],
        left: int,
        most: int,
    ) -> None:
        self._far, self._left, self._most = far, left, most
        self._built = built
        ends = [(board.routes[i].a, board.routes[i].b) for i in lent]
        both = sorted({*ends, *((b, a) for a, b in ends)})
        usable = [(city, other) for city, other in both if city in built or city in sites]
        self._city, self._other = np.array(usable, np.intp).reshape(-1, 2).T
        self._cities, self._starts = np.unique(self._city, return_index=True)
        self._new = ~np.isin(self._cities, list(built))

    def stations(self, a: int, b: int) -> tuple[int, ...] | None:
        """The cities of the fewest new stations that join two cities within the spaces there are.

        Of as few, those that leave the fewest spaces missing, then those of the lowest numbers.
        """
        if not len(self._cities) or self._out_of_reach(a, b):
            return None
        found: list[tuple[int, int, tuple[int, ...]]] = []
        used = np.zeros((1, 0), np.intp)  # by row: the stations used so far, in order
        reached = self._far[a][None]  # by row and city: the spaces that are missing
        for _ in range(len(self._built) + self._left):
            spaces = self._borrow(reached, self._far[:, b, None])[:, :, 0]
            found += self._best(used, spaces)
            if found and not self._built:
                break  # more stations would all be new ones
            used, reached = self._further(used, reached)
        return min(found)[2] if found else None

    def _out_of_reach(self, a: int, b: int) -> bool:
        """Whether they could not be joined if a city could have several stations either."""
        reached = self._far[a][None]
        for _ in range(len(self._built) + self._left):
            after = self._borrow(reached, self._far).min(axis=1)
            reached = np.minimum(reached, after)
        return bool(reached[0, b] > self._most)

    def _borrow(self, reached: np.ndarray, far: np.ndarray) -> np.ndarray:
        """By row, next station and place: what is missing after a route was borrowed there."""
        out = reached[:, self._city, None] + far[self._other]
        back = reached[:, self._other, None] + far[self._city]
        return np.minimum.reduceat(np.minimum(out, back), self._starts, axis=1)

    def _allowed(self, used: np.ndarray) -> np.ndarray:
        """By row and next station: whether it may be used too."""
        count = len(self._cities)
        again = np.zeros((len(used), count), bool)
        for column in used.T:
            again[np.arange(len(used)), column] = True
        new = self._new[used].sum(axis=1)[:, None] + self._new
        allowed: np.ndarray = ~again & (new <= self._left)
        return allowed

    def _best(self, used: np.ndarray, spaces: np.ndarray) -> list[tuple[int, int, tuple[int, ...]]]:
        fits = self._allowed(used) & (spaces <= self._most)
        if not fits.any():
            return []
        new = self._new[used].sum(axis=1)[:, None] + self._new
        rank = np.where(fits, new * _FAR + spaces, _FAR * _FAR)
        found = []
        for row, last in np.argwhere(rank == rank.min()).tolist():
            stations = np.append(used[row], last)
            cities = self._cities[stations[self._new[stations]]]
            found.append(
                (int(new[row, last]), int(spaces[row, last]), tuple(sorted(cities.tolist())))
            )
        return found

    def _further(self, used: np.ndarray, reached: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows with one station more, those left out from which nothing can come."""
        after = self._borrow(reached, self._far)
        kept = self._allowed(used) & (after.min(axis=2) <= self._most)
        rows, last = np.nonzero(kept)
        return np.column_stack([used[rows], last]), after[rows, last]
