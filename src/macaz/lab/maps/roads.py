"""The network of a new map: which cities are joined, how long the routes are, which are double."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from macaz.draw.projection import Projection
from macaz.draw.triangles import delaunay
from macaz.edition.board import City

Pair = tuple[int, int]
Floats = NDArray[np.float64]

NARROW = math.radians(27)  # two routes that leave a city at less than this are too close to draw


def positions(cities: Sequence[City]) -> Floats:
    """The cities on a plane, in kilometres."""
    x, y = Projection.for_cities(cities).project([c.lat for c in cities], [c.lon for c in cities])
    return np.column_stack([x, y])


def joined(points: Floats) -> list[Pair]:
    """The pairs to join: about two for each city, none crossing another, all connected.

    It is Gabriel's graph, a part of Delaunay's triangulation in which no city lies in the circle
    over a route; without the longer of two routes that leave a city in nearly one direction, and
    with a second route for cities that would have only one.
    """
    triangles = delaunay(points)
    edges = {_pair(t[i], t[i - 1]) for t in triangles for i in range(3)}
    if not edges:  # all in a line
        order = [int(i) for i in np.lexsort((points[:, 1], points[:, 0]))]
        edges = {_pair(a, b) for a, b in pairwise(order)}
    kept = {edge for edge in edges if _is_free(points, edge)}
    kept |= _bridges(points, edges, kept)
    for edge in sorted(kept, key=lambda e: -_distance(points, e)):
        degree = Counter(city for one in kept for city in one)
        rest = kept - {edge}
        spare = min(degree[edge[0]], degree[edge[1]]) > 2
        if spare and _is_tight(points, edge, rest) and _connects(len(points), rest):
            kept = rest
    for edge in sorted(edges - kept, key=lambda e: _distance(points, e)):
        degree = Counter(city for one in kept for city in one)
        if min(degree[edge[0]], degree[edge[1]]) < 2 and not _is_tight(points, edge, kept):
            kept.add(edge)
    return sorted(kept)


def _pair(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


def _distance(points: Floats, edge: Pair) -> float:
    return math.dist(points[edge[0]], points[edge[1]])


def _is_free(points: Floats, edge: Pair) -> bool:
    """Whether no city is in the circle that has this edge as its diameter."""
    middle = (points[edge[0]] + points[edge[1]]) / 2
    radius = _distance(points, edge) / 2
    return not any(
        math.dist(points[i], middle) < radius * (1 - 1e-9)
        for i in range(len(points))
        if i not in edge
    )


def _is_tight(points: Floats, edge: Pair, others: Iterable[Pair]) -> bool:
    """Whether another edge leaves one of its cities in nearly the same direction."""
    for other in others:
        for city in set(edge) & set(other):
            one, two = (points[e[0] + e[1] - city] - points[city] for e in (edge, other))
            turn = math.atan2(one[1], one[0]) - math.atan2(two[1], two[0])
            if abs((turn + math.pi) % (2 * math.pi) - math.pi) < NARROW:
                return True
    return False


def _connects(count: int, edges: Iterable[Pair]) -> bool:
    return len(set(_parts(count, edges))) == 1


def _parts(count: int, edges: Iterable[Pair]) -> list[int]:
    """For each city, the least city that it is connected with."""
    parts = list(range(count))
    for a, b in edges:
        old, new = max(parts[a], parts[b]), min(parts[a], parts[b])
        parts = [new if part == old else part for part in parts]
    return parts


def _bridges(points: Floats, edges: Iterable[Pair], kept: set[Pair]) -> set[Pair]:
    """The shortest edges that connect what is not connected: rounding can lose a Gabriel edge."""
    added: set[Pair] = set()
    for edge in sorted(edges, key=lambda e: _distance(points, e)):
        parts = _parts(len(points), kept | added)
        if parts[edge[0]] != parts[edge[1]]:
            added.add(edge)
    return added


def measured(points: Floats, pairs: Sequence[Pair], spaces: float, longest: int) -> dict[Pair, int]:
    """Lengths from 1 in proportion to the distances, together near this many spaces."""
    far = {pair: _distance(points, pair) for pair in pairs}
    units = [sum(far.values()) / spaces * factor / 40 for factor in range(16, 81)]

    def lengths(unit: float) -> dict[Pair, int]:
        return {p: min(longest, max(1, round(d / unit))) for p, d in far.items()}

    return min(map(lengths, units), key=lambda found: abs(sum(found.values()) - spaces))


def shortest_ways(count: int, lengths: Mapping[Pair, int]) -> list[list[int]]:
    """The spaces of the shortest way between any two cities."""
    return [_from(city, count, lengths)[0] for city in range(count)]


def busiest(count: int, lengths: Mapping[Pair, int]) -> list[Pair]:
    """The pairs by the number of shortest ways that use them, the most used first."""
    used: Counter[Pair] = Counter(dict.fromkeys(lengths, 0))
    for start in range(count):
        _, before = _from(start, count, lengths)
        for end in range(start + 1, count):
            here = end
            while here != start:
                used[_pair(here, before[here])] += 1
                here = before[here]
    return sorted(lengths, key=lambda pair: (-used[pair], pair))


def _from(start: int, count: int, lengths: Mapping[Pair, int]) -> tuple[list[int], list[int]]:
    """The spaces from a city to each, and the city before each on the way (Dijkstra)."""
    ways: dict[int, list[tuple[int, int]]] = {city: [] for city in range(count)}
    for (a, b), length in lengths.items():
        ways[a].append((b, length))
        ways[b].append((a, length))
    far = [-1] * count
    before = [start] * count
    queue = [(0, start, start)]
    while queue:
        spaces, city, by = heapq.heappop(queue)
        if far[city] < 0:
            far[city], before[city] = spaces, by
            for other, length in ways[city]:
                if far[other] < 0:
                    heapq.heappush(queue, (spaces + length, other, city))
    return far, before
