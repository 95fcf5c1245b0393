"""The Delaunay triangulation of a few points, which says which cities are neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from macaz.draw import exact

Floats = NDArray[np.float64]
Triangle = tuple[int, int, int]


def delaunay(points: Floats) -> list[Triangle]:
    """The triangles of the points, all with the same orientation (x right, y down: clockwise).

    Points are added one by one, and replace the triangles whose circumcircle contains them
    (Bowyer and Watson).
    """
    count = len(points)
    if count < 3:
        return []
    middle = points.mean(axis=0)
    size = float(np.abs(points - middle).max()) or 1.0
    # A frame far enough not to affect the hull, and near enough for the precision of floats.
    frame = middle + 1e4 * size * np.array([[-1.0, -1.0], [1.0, -1.0], [0.0, 1.5]])
    every = np.vstack([points, frame])
    triangles: set[Triangle] = {(count, count + 1, count + 2)}
    for new in range(count):
        replaced = {t for t in triangles if _in_circle(every, t, every[new])}
        edges = [edge for t in replaced for edge in _edges(t)]
        border = [edge for edge in edges if edge[::-1] not in edges]
        triangles -= replaced
        triangles |= {(a, b, new) for a, b in border}
    return sorted(t for t in triangles if max(t) < count and _area(every, t) > 1e-9 * size * size)


def _edges(t: Triangle) -> list[tuple[int, int]]:
    return [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]


def _area(points: Floats, t: Triangle) -> float:
    (ax, ay), (bx, by), (cx, cy) = points[list(t)]
    return float((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2


def _in_circle(points: Floats, t: Triangle, point: Floats) -> bool:
    rows = points[list(t)] - point
    matrix = np.column_stack([rows, np.square(rows).sum(axis=1)])
    return exact.determinant(matrix) > 0
