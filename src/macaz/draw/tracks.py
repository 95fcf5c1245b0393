"""Lanes as curves, and the spaces on them.

Each pair of cities has a centre line, a cubic curve given by its bend away from the straight line.
The lanes of the pair are parallel to it. The spaces lie on the lanes with equal gaps, far enough
from the two cities that neighbouring tracks do not overlap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from macaz.draw import exact
from macaz.edition.board import Board
from macaz.edition.plate import CITY_RADIUS, LANE_STEP, SPACE_LENGTH, SPACE_WIDTH, Space, Track

Floats = NDArray[np.float64]
Bend = tuple[float, float]  # how far the middle line lies to the right at 1/3 and 2/3 of the way
Way = tuple[float, float]  # x and y of a direction, of any length

STRAIGHT: Bend = (0.0, 0.0)
# Distances are in units of the drawing.
RIM_CLEAR = 5.0  # the least distance between a city's rim and the first space
RIM_MOST = 34.0  # the greatest, where many tracks meet
GAP_LEAST = 2.0  # between two spaces of a lane
GAP_MOST = 8.0
BESIDE = 1.5  # half of the least distance between the first spaces of tracks at one city

_STEPS = 96  # edges of the polyline of a centre line
_PIECES = 6  # cubic curves in the path of a bent lane
_END_SLACK = 2.0  # the growth of the free part at a city, relative to that of a gap
_VIEW = 34.0  # the distance from a city at which a track's direction is measured


@dataclass(frozen=True, slots=True)
class Pair:
    """Two joined cities (`a < b`), the length of their routes and the indexes of all lanes."""

    a: int
    b: int
    length: int
    lanes: tuple[int, ...]

    @property
    def half_width(self) -> float:
        """Half of the width of all its lanes together."""
        return half_width(len(self.lanes))


def half_width(lanes: int) -> float:
    """Half of the width of this many lanes together."""
    return (lanes - 1) * LANE_STEP / 2 + SPACE_WIDTH / 2


def lane_offsets(lanes: int) -> list[float]:
    """How far each lane lies to the right of the middle line."""
    return [(lane - (lanes - 1) / 2) * LANE_STEP for lane in range(lanes)]


def pairs_of(board: Board) -> tuple[Pair, ...]:
    """The joined cities of a board, in the order of its routes."""
    lanes: dict[tuple[int, int], list[int]] = {}
    for index, route in enumerate(board.routes):
        lanes.setdefault((route.a, route.b), []).append(index)
    return tuple(
        Pair(a, b, board.routes[found[0]].length, tuple(found)) for (a, b), found in lanes.items()
    )


def controls_of_bend(bend: Bend) -> Bend:
    """How far the two control points of the cubic lie to the right of the straight line."""
    first, second = bend
    return 3 * first - 1.5 * second, 3 * second - 1.5 * first


def bend_of_controls(controls: Bend) -> Bend:
    """The inverse of `controls_of_bend`."""
    first, second = controls
    return (4 * first + 2 * second) / 9, (2 * first + 4 * second) / 9


@dataclass(frozen=True, slots=True)
class Course:
    """The centre line of a pair: points, unit normals to the right, and arc lengths."""

    points: Floats
    normals: Floats
    way: Floats

    @property
    def length(self) -> float:
        """From city to city."""
        return float(self.way[-1])

    def at(self, way: float) -> Floats:
        """The point at some way from the first city."""
        return exact.interpolate(way, self.way, self.points)


def course_between(start: Floats, end: Floats, bend: Bend) -> Course:
    """The middle line between two points."""
    t = np.linspace(0.0, 1.0, _STEPS + 1)
    chord = end - start
    distance = float(exact.length(*chord)) or 1.0
    right = np.array([-chord[1], chord[0]]) / distance
    first, second = controls_of_bend(bend)
    aside = 3 * (1 - t) * t * ((1 - t) * first + t * second)
    slope = 3 * (1 - t) * (1 - 3 * t) * first + 3 * t * (2 - 3 * t) * second
    points = start + t[:, None] * chord + aside[:, None] * right
    tangents = chord + slope[:, None] * right
    tangents /= exact.length(tangents[:, 0], tangents[:, 1])[:, None]
    normals = np.stack([-tangents[:, 1], tangents[:, 0]], axis=1)
    return Course(points, normals, _way(points))


def _way(points: Floats) -> Floats:
    steps = np.diff(points, axis=0)
    return np.concatenate([[0.0], np.cumsum(exact.length(steps[:, 0], steps[:, 1]))])


def free_ends(pairs: Sequence[Pair], places: Floats, courses: Sequence[Course]) -> Floats:
    """The distances from the cities at which the first and the last space of each pair may be.

    Where tracks leave a city at a small angle, their spaces begin where they do not overlap.
    """
    ends = np.full((len(pairs), 2), CITY_RADIUS + RIM_CLEAR)
    leaving: dict[int, list[tuple[float, int, int, Way]]] = {}
    for number, (pair, course) in enumerate(zip(pairs, courses, strict=True)):
        view = min(_VIEW, course.length / 2)
        for side, city in enumerate((pair.a, pair.b)):
            x, y = (course.at(view if side == 0 else course.length - view) - places[city]).tolist()
            leaving.setdefault(city, []).append((_around(x, y), number, side, (x, y)))
    for around in leaving.values():
        if len(around) == 1:
            continue
        around.sort()
        for (_, one, side, way), (_, other, other_side, after) in zip(
            around, around[1:] + around[:1], strict=True
        ):
            need = _apart_from(way, after, pairs[one], pairs[other])
            ends[one, side] = max(ends[one, side], need)
            ends[other, other_side] = max(ends[other, other_side], need)
    return ends


def _around(x: float, y: float) -> float:
    """A number from -2 to 2 that increases with the angle of the vector (x, y)."""
    part = x / ((abs(x) + abs(y)) or 1.0)
    return part - 1 if y < 0 else 1 - part


def _apart_from(way: Way, after: Way, one: Pair, other: Pair) -> float:
    """The distance from a city at which two tracks in these directions do not overlap.

    Angles are compared as vectors: one is greater if it lies to the right of the other.
    """
    low, high = CITY_RADIUS + RIM_CLEAR, CITY_RADIUS + RIM_MOST
    widths = one.half_width + BESIDE, other.half_width + BESIDE
    on = way[0] * after[0] + way[1] * after[1]
    aside = way[0] * after[1] - way[1] * after[0]
    wide = aside < 0 or (aside == 0 and on < 0)  # at least half a turn
    for _ in range(20):
        middle = (low + high) / 2
        # The angle that both tracks take together, seen from the city.
        taken_on = middle * middle - widths[0] * widths[1]
        taken_aside = middle * (widths[0] + widths[1])
        if wide or taken_on * aside >= taken_aside * on:
            high = middle
        else:
            low = middle
    return high


def block_of(length: float, spaces: int, first: float, last: float) -> tuple[float, float]:
    """The start and end of the spaces on a centre line, given the free parts at its ends."""
    least = spaces * SPACE_LENGTH + (spaces - 1) * GAP_LEAST
    slack = length - least - first - last
    closest = CITY_RADIUS + RIM_CLEAR
    if slack < 0:
        spare = first + last - 2 * closest
        share = min(1.0, -slack / spare) if spare > 0 else 0.0
        first, last = (end - (end - closest) * share for end in (first, last))
        rest = length - least - first - last
        # Too short in any case: the spaces are centred.
        return (first, length - last) if rest >= 0 else (first + rest / 2, length - last - rest / 2)
    growth = min(slack / (spaces - 1 + 2 * _END_SLACK), GAP_MOST - 1.0 - GAP_LEAST)
    # The gaps stay below the limit, as those of the outer lane of a bend are wider.
    gaps = growth * (spaces - 1)
    end = (slack - gaps) / 2
    return first + end, length - last - end


def tracks_of(
    board: Board, places: Floats, bends: Mapping[tuple[int, int], Bend]
) -> tuple[Track, ...]:
    """All lanes of a board, in the order of its routes, for cities at these places."""
    pairs = pairs_of(board)
    courses = [
        course_between(places[p.a], places[p.b], bends.get((p.a, p.b), STRAIGHT)) for p in pairs
    ]
    ends = free_ends(pairs, places, courses)
    tracks: dict[int, Track] = {}
    for pair, course, (first, last) in zip(pairs, courses, ends, strict=True):
        start, stop = block_of(course.length, pair.length, float(first), float(last))
        bent = bends.get((pair.a, pair.b), STRAIGHT) != STRAIGHT
        for lane, offset in zip(pair.lanes, lane_offsets(len(pair.lanes)), strict=True):
            tracks[lane] = Track(
                _path(course, offset, bent),
                _spaces(course, offset, pair.length, (start, stop)),
            )
    return tuple(tracks[index] for index in range(len(board.routes)))


def _spaces(
    course: Course, offset: float, count: int, block: tuple[float, float]
) -> tuple[Space, ...]:
    points = course.points + offset * course.normals
    way = _way(points)
    start, stop = exact.interpolate(block, course.way, way).tolist()
    gap = (stop - start - count * SPACE_LENGTH) / (count - 1) if count > 1 else 0.0
    gap = min(gap, GAP_MOST - 0.2)
    first = (start + stop - count * SPACE_LENGTH - (count - 1) * gap) / 2
    fronts = first + np.arange(count) * (SPACE_LENGTH + gap)
    backs, ends = (exact.interpolate(at, way, points) for at in (fronts, fronts + SPACE_LENGTH))
    middles = (backs + ends) / 2
    x, y = (ends - backs).T
    angles = np.degrees(exact.atan2(y, x))
    return tuple(
        Space(_round(x), _round(y), _round(angle))
        for (x, y), angle in zip(middles, angles, strict=True)
    )


def _path(course: Course, offset: float, bent: bool) -> str:
    """The middle line of a lane from rim to rim, as an SVG path."""
    points = course.points + offset * course.normals
    rim = min(CITY_RADIUS, course.length / 3)
    ways = np.linspace(rim, course.length - rim, (_PIECES if bent else 1) + 1)
    knots = exact.interpolate(ways, course.way, points)
    parts = [f"M{_text(knots[0])}"]
    if not bent:
        return f"{parts[0]}L{_text(knots[1])}"
    normals = exact.interpolate(ways, course.way, course.normals)
    tangents = np.stack([normals[:, 1], -normals[:, 0]], axis=1)
    for here, there, out, into in zip(knots, knots[1:], tangents, tangents[1:], strict=False):
        third = float(exact.length(*(there - here))) / 3
        parts.append(f"C{_text(here + out * third)} {_text(there - into * third)} {_text(there)}")
    return "".join(parts)


def _text(point: Floats) -> str:
    return f"{_round(point[0]):g} {_round(point[1]):g}"


def _round(value: float) -> float:
    return round(float(value), 2) + 0.0
