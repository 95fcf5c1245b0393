"""Rings and lines as arrays of points: clipping, simplification, point in polygon.

A ring is closed: its last point leads back to the first, which is not repeated.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from macaz.draw import exact
from macaz.draw.projection import Floats

Bounds = tuple[float, float, float, float]  # the least x and y, the greatest x and y


def clip_ring(ring: Floats, bounds: Bounds) -> Floats:
    """The part of a ring's area within bounds (Sutherland and Hodgman)."""
    if _within(ring, bounds):
        return ring
    for axis, limit, sign in _sides(bounds):
        if len(ring) == 0:
            break
        off = sign * (ring[:, axis] - limit)
        after, off_after = np.roll(ring, -1, axis=0), np.roll(off, -1)
        ring = _with_crossings(ring, after, off, off_after)[0]
    return ring if len(ring) >= 3 else np.empty((0, 2))


def clip_line(line: Floats, bounds: Bounds) -> list[Floats]:
    """The pieces of a line that lie within bounds."""
    pieces = [line]
    if _within(line, bounds):
        return pieces
    for axis, limit, sign in _sides(bounds):
        kept = []
        for piece in pieces:
            off = sign * (piece[:, axis] - limit)
            after, off_after = np.vstack([piece[1:], piece[-1:]]), np.append(off[1:], off[-1])
            points, runs = _with_crossings(piece, after, off, off_after)
            kept += [points[runs == run] for run in np.unique(runs)]
        pieces = [piece for piece in kept if len(piece) > 1]
    return pieces


def subdivided(points: Floats, longest: float, *, closed: bool) -> Floats:
    """The same outline with points added so that no edge is longer than `longest`."""
    after = np.roll(points, -1, axis=0) if closed else np.vstack([points[1:], points[-1:]])
    lengths = exact.length(*(after - points).T)
    parts = np.maximum(np.ceil(lengths / longest), 1).astype(int)
    first = np.repeat(np.cumsum(parts) - parts, parts)
    share = (np.arange(parts.sum()) - first) / np.repeat(parts, parts)
    steps = share[:, None] * np.repeat(after - points, parts, axis=0)
    return np.asarray(np.repeat(points, parts, axis=0) + steps)


def thinned(points: Floats, area: float, *, closed: bool) -> Floats:
    """The outline simplified by the algorithm of Visvalingam and Whyatt.

    A point is removed if the triangle with its neighbours is smaller than `area`; the ends of a
    line and four points of a ring are kept.
    """
    count = len(points)
    least = 4 if closed else 2
    if count <= least:
        return points
    xs, ys = points[:, 0].tolist(), points[:, 1].tolist()
    before = [(i - 1) % count for i in range(count)]
    after = [(i + 1) % count for i in range(count)]

    def triangle(i: int) -> float:
        a, b = before[i], after[i]
        across = (xs[i] - xs[a]) * (ys[b] - ys[a]) - (xs[b] - xs[a]) * (ys[i] - ys[a])
        return abs(float(across)) / 2

    inner = range(count) if closed else range(1, count - 1)
    sizes = dict.fromkeys(range(count), float("inf")) | {i: triangle(i) for i in inner}
    heap = [(sizes[i], i) for i in inner]
    heapq.heapify(heap)
    gone = [False] * count
    left = count
    while heap and left > least:
        size, i = heapq.heappop(heap)
        if gone[i] or size != sizes[i]:
            continue
        if size >= area:
            break
        gone[i] = True
        left -= 1
        a, b = before[i], after[i]
        after[a], before[b] = b, a
        for j in (a, b):
            if sizes[j] != float("inf"):
                # At least the size removed last, or a long gentle bend would vanish step by step.
                sizes[j] = max(triangle(j), size)
                heapq.heappush(heap, (sizes[j], j))
    return np.asarray(points[~np.array(gone)])


def without_spikes(ring: Floats, sharpest: float, narrowest: float) -> Floats:
    """The ring without corners sharper than `sharpest` degrees: narrow inlets and headlands.

    A spike is removed from its tip to where it is wide enough. A tip with an edge shorter than
    `narrowest` is a spike too. Four points of a ring are kept.
    """
    points: list[list[float]] = ring.tolist()
    limit = float(exact.cos(math.radians(sharpest)))
    at, smooth = 0, 0  # `smooth`: the number of consecutive corners that are wide enough
    while len(points) > 4 and smooth < len(points):
        (ax, ay), (x, y), (bx, by) = points[at - 1], points[at], points[(at + 1) % len(points)]
        ux, uy, vx, vy = ax - x, ay - y, bx - x, by - y
        back, on = math.sqrt(ux * ux + uy * uy), math.sqrt(vx * vx + vy * vy)
        if on < narrowest or ux * vx + uy * vy > limit * back * on:
            del points[at]
            # The corners before and after have changed.
            at, smooth = (at - 1) % len(points), max(smooth - 1, 0)
            smooth = min(smooth, len(points) - 2)
        else:
            at, smooth = (at + 1) % len(points), smooth + 1
    return np.array(points)


def ring_area(ring: Floats) -> float:
    """The area inside a ring."""
    x, y = ring[:, 0], ring[:, 1]
    return abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2


def line_length(line: Floats) -> float:
    """The length of a line."""
    return float(exact.length(*np.diff(line, axis=0).T).sum())


def ring_length(ring: Floats) -> float:
    """The perimeter of a ring."""
    return line_length(np.vstack([ring, ring[:1]]))


def inside(points: Floats, rings: Iterable[Floats]) -> NDArray[np.bool_]:
    """Which points lie inside, by the even-odd rule over all rings."""
    odd = np.zeros(len(points), bool)
    for ring in rings:
        low, high = ring.min(axis=0), ring.max(axis=0)
        near = np.flatnonzero(
            (points[:, 1] >= low[1]) & (points[:, 1] <= high[1]) & (points[:, 0] <= high[0])
        )
        if len(near) == 0:
            continue
        x, y = points[near, 0, None], points[near, 1, None]
        (x1, y1), (x2, y2) = ring.T, np.roll(ring, -1, axis=0).T
        spans = (y1 > y) != (y2 > y)
        height = np.where(y2 == y1, 1.0, y2 - y1)  # flat edges span nothing
        crossed = spans & (x < (x2 - x1) * (y - y1) / height + x1)
        odd[near] ^= crossed.sum(axis=1) % 2 == 1
    return odd


def nearest_on_rings(point: Floats, rings: Iterable[Floats]) -> Floats | None:
    """The point of the rings' edges that is nearest to a point, or None without rings."""
    best, best_far = None, float("inf")
    for ring in rings:
        along = np.roll(ring, -1, axis=0) - ring
        length = np.maximum(np.square(along).sum(axis=1), 1e-12)
        share = np.clip(((point - ring) * along).sum(axis=1) / length, 0, 1)
        feet = ring + share[:, None] * along
        far = exact.length(*(feet - point).T)
        if far.min() < best_far:
            best, best_far = feet[int(far.argmin())], float(far.min())
    return best


def _within(points: Floats, bounds: Bounds) -> bool:
    low, high = points.min(axis=0), points.max(axis=0)
    left, top, right, bottom = bounds
    return bool(low[0] >= left and low[1] >= top and high[0] <= right and high[1] <= bottom)


def _sides(bounds: Bounds) -> tuple[tuple[int, float, float], ...]:
    """The four sides: the axis, the limit, and the sign that makes outside positive."""
    left, top, right, bottom = bounds
    return (0, left, -1.0), (0, right, 1.0), (1, top, -1.0), (1, bottom, 1.0)


def _with_crossings(
    points: Floats, after: Floats, off: Floats, off_after: Floats
) -> tuple[Floats, NDArray[np.int64]]:
    """The points that are not off, the crossings to and from them, and each one's run."""
    crosses = (off > 0) != (off_after > 0)
    share = np.where(crosses, off / np.where(crosses, off - off_after, 1.0), 0.0)
    crossing = points + share[:, None] * (after - points)
    both = np.stack([points, crossing], axis=1).reshape(-1, 2)
    kept = np.stack([off <= 0, crosses], axis=1).ravel()
    runs = np.repeat(np.cumsum(off > 0), 2)
    return both[kept], runs[kept]
