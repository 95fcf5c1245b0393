"""The energy of a layout and its gradient.

The variables are the positions of the cities (`places`), the bends of the tracks, and the offsets
of the labels from their cities. A bend is two numbers, the offsets of the control points of a cubic
relative to the distance of the cities, so that every point of a track, and its gradient, is a
simple function of two cities and two numbers.

Lengths are in units of the drawing (`macaz.edition.plate`), and y points down. `grad_x` is the
gradient by `x`; each force adds its part to it. The energy of a force is a weight times the square
of what is missing (`lack`) or too much (`over`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from macaz.draw import exact
from macaz.draw.labels import CITY_CLEAR, LEASH, Box
from macaz.draw.tracks import (
    GAP_LEAST,
    GAP_MOST,
    Course,
    Pair,
    bend_of_controls,
    block_of,
    course_between,
    free_ends,
    lane_offsets,
)
from macaz.draw.triangles import delaunay
from macaz.edition.plate import CITY_RADIUS, LANE_STEP, SPACE_LENGTH, SPACE_WIDTH

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RADIUS = SPACE_WIDTH / 2  # tracks are represented by rows of discs as wide as a space
_INSET = 3.5  # from the end of a track to its first disc, which then covers the corners
_EDGE = 60.0  # the least distance of a city from the edge, on a board whose size is given
_STEPS = 16  # intervals in which the length of a track is measured
_REACH = 12.0  # added to each search for neighbours, as things move until the next `refresh`
_LEAST_HEIGHT = 0.16  # of a triangle, relative to its longest side; flatter ones are ignored
_CITIES_APART = 66.0  # the least distance of two cities
_CITIES_NEAR = 130.0  # pairs farther apart than this are ignored until the next `refresh`
_LEAST_AREA = 0.3  # of a triangle, relative to its area in geography
_BEND_LENGTH = 800.0  # the largest bend is the distance of the cities over this,
_MOST_BEND = 0.32  # and at most this


@dataclass(slots=True)
class Weights:
    """The strength of each force, and (`*air`, `*room`) the distances that they aim at."""

    shape: float = 450.0  # a triangle of cities has another shape than in geography
    even: float = 100.0  # neighbouring triangles are scaled differently
    fold: float = 4.0  # a triangle is turned over, or nearly
    short: float = 1.0  # a track is too short for its spaces
    long: float = 0.05  # a track is longer than necessary
    bend: float = 3000.0  # a track is not straight
    curl: float = 900.0  # a track is bent more than it may be
    touch: float = 1.0  # tracks, or a track and a city, are too near
    air: float = 5.0  # between tracks
    city_air: float = 9.0  # between a track and a city that is not its end
    label_air: float = 4.0  # between a label and a track, or two labels
    label: float = 1.0  # a label is too near to anything, or too far from its city
    home: float = 0.15  # a label is not where it was put
    finger: float = 0.2  # another track is within `finger_room`
    finger_room: float = 47.0  # around the middle of a track, so that it can be tapped


@dataclass(slots=True)
class Network:
    """The joined cities that the forces act upon, as arrays."""

    pairs: Sequence[Pair]
    count: int
    a: Ints = field(init=False)
    b: Ints = field(init=False)
    spaces: Floats = field(init=False)
    lanes: Floats = field(init=False)
    stiff: Floats = field(init=False)  # stiffness: greater for many lanes and few spaces

    def __post_init__(self) -> None:
        self.a = np.array([p.a for p in self.pairs])
        self.b = np.array([p.b for p in self.pairs])
        self.spaces = np.array([float(p.length) for p in self.pairs])
        self.lanes = np.array([float(len(p.lanes)) for p in self.pairs])
        cubes = self.spaces * self.spaces * self.spaces
        self.stiff = exact.power(self.lanes, 1.6) * (1 + 24 / cubes)


class Geography:
    """The triangles of the geographic positions, and matrices that measure their distortion."""

    def __init__(self, earth: Floats) -> None:
        self.triangles = [
            t for t in delaunay(earth) if _relative_height(earth[list(t)]) > _LEAST_HEIGHT
        ]
        count = len(earth)
        rows, traces, areas = [], [], []
        for t in self.triangles:
            # The affine map of the triangle is linear in the new places of its corners.
            inverse = exact.inverse(
                np.stack([earth[t[1]] - earth[t[0]], earth[t[2]] - earth[t[0]]])
            )
            map_rows = np.zeros((2, 2, 2 * count))  # the map's entries, from the flat places
            for axis in (0, 1):
                for column in (0, 1):
                    one, two = inverse[column]
                    map_rows[axis, column, 2 * t[1] + axis] += one
                    map_rows[axis, column, 2 * t[2] + axis] += two
                    map_rows[axis, column, 2 * t[0] + axis] -= one + two
            area = abs(_cross(earth[t[1]] - earth[t[0]], earth[t[2]] - earth[t[0]])) / 2
            weight = math.sqrt(math.sqrt(area))
            squeeze = (map_rows[0, 0] - map_rows[1, 1]) / math.sqrt(2)
            rows += [weight * squeeze, weight * map_rows[0, 1], weight * map_rows[1, 0]]
            traces.append((map_rows[0, 0] + map_rows[1, 1]) / 2)
            areas.append(area)
        self.areas = np.array(areas)
        mean = float(np.mean(np.sqrt(self.areas))) if areas else 1.0
        self.shape = np.array(rows).reshape(-1, 2 * count) / math.sqrt(mean)
        even = [
            traces[i] - traces[j]
            for i, t in enumerate(self.triangles)
            for j in range(i)
            if len(set(t) & set(self.triangles[j])) == 2
        ]
        self.even = np.array(even).reshape(-1, 2 * count)
        self.corners = np.array(self.triangles, dtype=np.int64).reshape(-1, 3)


def _relative_height(corners: Floats) -> float:
    """The height of a triangle over its longest side."""
    sides = np.roll(corners, -1, axis=0) - corners
    return float(abs(_cross(sides[0], sides[1])) / np.square(sides).sum(axis=1).max())


def _cross(one: Floats, other: Floats) -> float:
    return float(one[0] * other[1] - one[1] * other[0])


def _quarter_turn(vectors: Floats) -> Floats:
    """The vectors turned clockwise by a right angle."""
    return np.stack([-vectors[..., 1], vectors[..., 0]], axis=-1)


class Forces:
    """The energy of a layout; `refresh` updates what changes slowly, such as neighbours."""

    def __init__(self, network: Network, geography: Geography, weights: Weights) -> None:
        self.network, self.geography, self.weights = network, geography, weights
        self.homes = np.zeros((0, 2))
        self.halves = np.zeros((0, 2))
        self.bounds: Floats | None = None  # the size of the board, if it is given
        t = (np.arange(_STEPS) + 0.5) / _STEPS
        self._slopes = np.stack([3 * (1 - t) * (1 - 3 * t), 3 * t * (2 - 3 * t)])

    def set_labels(self, boxes: Sequence[Box]) -> Floats:
        """Set the boxes of the labels; returns a copy of their offsets from the cities."""
        self.homes = np.array([[b.dx, b.dy] for b in boxes], np.float64)
        self.halves = np.array([[b.half_width, b.half_height] for b in boxes], np.float64)
        return self.homes.copy()

    # --- positions -----------------------------------------------------------------------

    def refresh(self, places: Floats, bends: Floats, offsets: Floats) -> None:
        """Update the ends of the tracks, the discs along the lanes, and the pairs of neighbours."""
        network = self.network
        chords = places[network.b] - places[network.a]
        distance = exact.length(chords[:, 0], chords[:, 1])
        courses = []
        for p, far, (one, two) in zip(network.pairs, distance, bends, strict=True):
            bend = bend_of_controls((float(one * far), float(two * far)))
            courses.append(course_between(places[p.a], places[p.b], bend))
        self.ends = free_ends(network.pairs, places, courses)
        turning = 3 * np.abs(bends[:, 0] + bends[:, 1])
        inner = ((network.lanes - 1) * LANE_STEP / 2 + RADIUS) * turning
        ends = self.ends.sum(axis=1)
        gaps = network.spaces - 1
        # Lengths of each track between its cities: the least, the one aimed at, and the greatest.
        self.least = ends + SPACE_LENGTH * network.spaces + (GAP_LEAST + 0.6) * gaps + inner + 1
        self.liked = self.least + 1.2 * gaps + 3
        self.most = self.least + (GAP_MOST - GAP_LEAST - 3) * gaps + 34
        self._place_discs(courses)
        self._find_near(places, bends, offsets)

    def _place_discs(self, courses: Sequence[Course]) -> None:
        network = self.network
        pair, t, offset, middle = [], [], [], []
        for number, (p, course) in enumerate(zip(network.pairs, courses, strict=True)):
            start, stop = block_of(course.length, p.length, *map(float, self.ends[number]))
            discs = max(3, round(p.length * SPACE_LENGTH / SPACE_WIDTH))
            ways = np.linspace(start + _INSET, stop - _INSET, discs)
            parts = exact.interpolate(ways, course.way, np.linspace(0, 1, len(course.way)))
            for aside in lane_offsets(len(p.lanes)):
                pair += [number] * discs
                t += parts.tolist()
                offset += [aside] * discs
                middle += [disc == discs // 2 for disc in range(discs)]
        self.pair, self.middle = np.array(pair), np.array(middle)
        self.t, self.offset = np.array(t), np.array(offset)
        both = 3 * (1 - self.t) * self.t
        self.one, self.two = both * (1 - self.t), both * self.t
        self.slope_one = 3 * (1 - self.t) * (1 - 3 * self.t)
        self.slope_two = 3 * self.t * (2 - 3 * self.t)

    def discs(self, places: Floats, bends: Floats) -> Floats:
        """The centres of the discs that represent the lanes."""
        a, b = self.network.a[self.pair], self.network.b[self.pair]
        chord = places[b] - places[a]
        one, two = bends[self.pair].T
        aside = self.one * one + self.two * two
        slope = self.slope_one * one + self.slope_two * two
        right = _quarter_turn(chord)
        tangent = chord + slope[:, None] * right
        normal = _quarter_turn(tangent) / exact.length(tangent[:, 0], tangent[:, 1])[:, None]
        self.normals = normal
        middle = places[a] + self.t[:, None] * chord + aside[:, None] * right
        return np.asarray(middle + self.offset[:, None] * normal)

    def _find_near(self, places: Floats, bends: Floats, offsets: Floats) -> None:
        discs = self.discs(places, bends)
        far = _distances(discs, discs)
        other = self.pair[:, None] != self.pair[None, :]
        near = np.triu(other & (far < 2 * RADIUS + self.weights.air + _REACH), 1)
        self.near = _pairs_where(near)
        middles = np.flatnonzero(self.middle)
        near = other[middles] & (far[middles] < self.weights.finger_room + _REACH)
        of_middle, near_middle = _pairs_where(near)
        self.near_middle = middles[of_middle], near_middle
        far = _distances(discs, places)
        close = far < CITY_RADIUS + RADIUS + self.weights.city_air + _REACH
        a, b = self.network.a[self.pair], self.network.b[self.pair]
        cities = np.arange(self.network.count)[None, :]
        close &= (cities != a[:, None]) & (cities != b[:, None])
        self.near_city = _pairs_where(close)
        apart = _distances(places, places)
        self.near_cities = _pairs_where(np.triu(apart < _CITIES_NEAR, 1))
        if len(offsets):
            labels = places + offsets
            beyond = np.abs(discs[:, None] - labels[None]) - self.halves[None]
            self.near_label = _pairs_where((beyond < RADIUS + 4 + _REACH).all(axis=2))
            beyond = np.abs(places[:, None] - labels[None]) - self.halves[None]
            self.label_city = _pairs_where((beyond < CITY_RADIUS + 4 + _REACH).all(axis=2))
            beyond = np.abs(labels[:, None] - labels[None])
            beyond -= self.halves[None] + self.halves[:, None]
            self.labels = _pairs_where(np.triu((beyond < 4 + _REACH).all(axis=2), 1))

    # --- energy and gradient --------------------------------------------------------------

    def energy_and_gradient(
        self, places: Floats, bends: Floats, offsets: Floats
    ) -> tuple[float, Floats, Floats, Floats]:
        """The energy, and its gradient by places, bends and offsets of labels."""
        grad_places, grad_bends, grad_offsets = map(np.zeros_like, (places, bends, offsets))
        energy = self._keep_shape(places, grad_places)
        energy += self._fit_lengths(places, bends, grad_places, grad_bends)
        energy += self._keep_straight(places, bends, grad_bends)
        discs = self.discs(places, bends)
        grad_discs = np.zeros_like(discs)
        energy += self._keep_apart(places, discs, grad_places, grad_discs)
        if len(offsets):
            energy += self._keep_labels(
                places, discs, offsets, (grad_places, grad_discs, grad_offsets)
            )
        self._apply_chain_rule(places, bends, grad_discs, grad_places, grad_bends)
        return energy, grad_places, grad_bends, grad_offsets

    def _keep_shape(self, places: Floats, grad_places: Floats) -> float:
        w, g = self.weights, self.geography
        flat = places.ravel()
        energy = 0.0
        for weight, matrix in ((w.shape, g.shape), (w.even, g.even)):
            if len(matrix):
                off = (matrix * flat).sum(axis=1)
                energy += weight * _squares(off)
                grad_places += (2 * weight * (matrix * off[:, None]).sum(axis=0)).reshape(-1, 2)
        if self.bounds is not None:
            over = np.maximum(places - self.bounds + _EDGE, 0) - np.maximum(_EDGE - places, 0)
            energy += _squares(over)
            grad_places += 2 * over
        if len(g.corners):
            p, q, r = (places[g.corners[:, i]] for i in range(3))
            area = ((q - p)[:, 0] * (r - p)[:, 1] - (r - p)[:, 0] * (q - p)[:, 1]) / 2
            lack = np.maximum(_LEAST_AREA * g.areas - area, 0) / np.sqrt(g.areas)
            energy += w.fold * _squares(lack)
            push = (-w.fold * lack / np.sqrt(g.areas))[:, None]
            for i, opposite in enumerate((r - q, p - r, q - p)):
                _add_at(grad_places, g.corners[:, i], push * _quarter_turn(opposite))
        return energy

    def _fit_lengths(
        self, places: Floats, bends: Floats, grad_places: Floats, grad_bends: Floats
    ) -> float:
        w, network = self.weights, self.network
        chord = places[network.b] - places[network.a]
        distance = np.maximum(exact.length(chord[:, 0], chord[:, 1]), 1e-6)
        slope = exact.product(bends, self._slopes)
        stretch = np.sqrt(1 + np.square(slope))
        longer = stretch.mean(axis=1)
        length = distance * longer
        short = np.maximum(self.least - length, 0)
        spare = np.maximum(length - self.liked, 0)
        long = np.maximum(length - self.most, 0)
        energy = w.short * (_squares(short) + _squares(long)) + w.long * _squares(spare)
        push = 2 * (w.short * (long - short) + w.long * spare)
        along = (push * longer / distance)[:, None] * chord
        _add_at(grad_places, network.b, along)
        _add_at(grad_places, network.a, -along)
        lean = slope / stretch
        grown = [(lean * slopes).sum(axis=1) for slopes in self._slopes]
        grad_bends += (push * distance / _STEPS)[:, None] * np.stack(grown, axis=1)
        return energy

    def _keep_straight(self, places: Floats, bends: Floats, grad_bends: Floats) -> float:
        w, network = self.weights, self.network
        stiff = w.bend * network.stiff
        energy = float((stiff[:, None] * np.square(bends)).sum())
        grad_bends += 2 * stiff[:, None] * bends
        twist = bends[:, 0] - bends[:, 1]
        energy += float((3 * stiff * np.square(twist)).sum())
        grad_bends += (6 * stiff * twist)[:, None] * np.array([1.0, -1.0])
        chord = places[network.b] - places[network.a]
        most = np.minimum(exact.length(chord[:, 0], chord[:, 1]) / _BEND_LENGTH, _MOST_BEND)[
            :, None
        ]
        over = np.sign(bends) * np.maximum(np.abs(bends) - most, 0)
        energy += 60 * w.curl * _squares(over)
        grad_bends += 120 * w.curl * over
        return energy

    def _keep_apart(
        self, places: Floats, discs: Floats, grad_places: Floats, grad_discs: Floats
    ) -> float:
        w, on = self.weights, (grad_discs, grad_discs)
        energy = _repel(discs, discs, self.near, 2 * RADIUS + w.air, w.touch, on)
        energy += _repel(discs, discs, self.near_middle, w.finger_room, w.finger, on)
        room, on = CITY_RADIUS + RADIUS + w.city_air, (grad_discs, grad_places)
        energy += _repel(discs, places, self.near_city, room, 2 * w.touch, on)
        on = (grad_places, grad_places)
        return energy + _repel(places, places, self.near_cities, _CITIES_APART, 1.0, on)

    def _keep_labels(
        self, places: Floats, discs: Floats, offsets: Floats, grads: tuple[Floats, Floats, Floats]
    ) -> float:
        w = self.weights
        grad_places, grad_discs, grad_offsets = grads
        off = offsets - self.homes
        energy = w.home * _squares(off)
        grad_boxes = np.zeros_like(offsets)
        boxes = places + offsets, self.halves
        room = RADIUS + w.label_air
        energy += _repel_box(
            discs, boxes, self.near_label, room, w.label, (grad_discs, grad_boxes), self.normals
        )
        room = CITY_RADIUS + CITY_CLEAR
        energy += _repel_box(
            places, boxes, self.label_city, room, 2 * w.label, (grad_places, grad_boxes)
        )
        beyond = np.maximum(np.abs(offsets) - self.halves, 0.0)
        far = np.maximum(exact.length(beyond[:, 0], beyond[:, 1]), 1e-9)
        over = np.maximum(far - CITY_RADIUS - LEASH + 2, 0.0)
        energy += 2 * w.label * _squares(over)
        grad_offsets += (4 * w.label * over / far)[:, None] * beyond * np.sign(offsets)
        energy += _separate_boxes(boxes, self.labels, w.label_air, w.label, grad_boxes)
        grad_places += grad_boxes
        grad_offsets += grad_boxes + 2 * w.home * off
        return energy

    def _apply_chain_rule(
        self,
        places: Floats,
        bends: Floats,
        grad_discs: Floats,
        grad_places: Floats,
        grad_bends: Floats,
    ) -> None:
        """Apply the chain rule from the discs to the cities and bends they depend on."""
        a, b = self.network.a[self.pair], self.network.b[self.pair]
        right = _quarter_turn(places[b] - places[a])
        one, two = bends[self.pair].T
        aside = (self.one * one + self.two * two)[:, None]
        on_chord = self.t[:, None] * grad_discs - aside * _quarter_turn(grad_discs)
        _add_at(grad_places, b, on_chord)
        _add_at(grad_places, a, grad_discs - on_chord)
        along = (grad_discs * right).sum(axis=1)
        count = len(bends)
        grad_bends[:, 0] += np.bincount(self.pair, along * self.one, count)
        grad_bends[:, 1] += np.bincount(self.pair, along * self.two, count)


def _squares(values: Floats) -> float:
    """The sum of the squares."""
    return float(np.square(values).sum())


def _distances(one: Floats, other: Floats) -> Floats:
    return exact.length(one[:, None, 0] - other[None, :, 0], one[:, None, 1] - other[None, :, 1])


def _pairs_where(mask: ArrayLike) -> tuple[Ints, Ints]:
    """The row and the column of each true entry."""
    first, second = np.nonzero(np.asarray(mask))
    return first, second


def _add_at(target: Floats, index: Ints, values: Floats) -> None:
    """Add each row of values to the row of the target with this index, which may be repeated."""
    for axis in (0, 1):
        target[:, axis] += np.bincount(index, values[:, axis], len(target))


def _repel(
    one: Floats,
    other: Floats,
    near: tuple[Ints, Ints],
    room: float,
    weight: float,
    grads: tuple[Floats, Floats],
) -> float:
    """The energy of pairs of points that are nearer than `room`; adds its gradient to `grads`."""
    i, j = near
    apart = one[i] - other[j]
    far = np.maximum(exact.length(apart[:, 0], apart[:, 1]), 1e-6)
    lack = np.maximum(room - far, 0)
    push = (-2 * weight * lack / far)[:, None] * apart
    _add_at(grads[0], i, push)
    _add_at(grads[1], j, -push)
    return weight * _squares(lack)


def _repel_box(
    points: Floats,
    boxes: tuple[Floats, Floats],
    near: tuple[Ints, Ints],
    room: float,
    weight: float,
    grads: tuple[Floats, Floats],
    normals: Floats | None = None,
) -> float:
    """The same for points and boxes, given by centres and halves of their sizes.

    Points with `normals` belong to tracks: see `_across`.
    """
    i, j = near
    apart = points[i] - boxes[0][j]
    sign = np.where(apart < 0, -1.0, 1.0)
    beyond = np.abs(apart) - boxes[1][j]
    outside = np.maximum(beyond, 0)
    far = exact.length(outside[:, 0], outside[:, 1])
    inside = far == 0
    depth, way_out = (
        _nearest_side(apart, beyond) if normals is None else _across(apart, boxes[1][j], normals[i])
    )
    distance = np.where(inside, -depth, far)
    outward = sign * outside / np.maximum(far, 1e-9)[:, None]
    direction = np.where(inside[:, None], way_out, outward)
    lack = np.maximum(room - distance, 0)
    push = (-2 * weight * lack)[:, None] * direction
    _add_at(grads[0], i, push)
    _add_at(grads[1], j, -push)
    return weight * _squares(lack)


def _nearest_side(apart: Floats, beyond: Floats) -> tuple[Floats, Floats]:
    """The depth of points inside their boxes, and the direction of the nearest side."""
    across = beyond[:, 0] >= beyond[:, 1]
    sides = np.stack([across, ~across], axis=1)
    return -beyond.max(axis=1), np.where(apart < 0, -1.0, 1.0) * sides


def _across(apart: Floats, halves: Floats, normals: Floats) -> tuple[Floats, Floats]:
    """The same for points of tracks, which are pushed out across their track.

    Pushed along it, they would never leave the box.
    """
    steep = np.maximum(np.abs(normals), 1e-6)
    signs = np.where(normals < 0, -1.0, 1.0)
    right = ((halves - signs * apart) / steep).min(axis=1)
    left = ((halves + signs * apart) / steep).min(axis=1)
    side = np.where(right <= left, 1.0, -1.0)
    return np.minimum(right, left), side[:, None] * normals


def _separate_boxes(
    boxes: tuple[Floats, Floats],
    near: tuple[Ints, Ints],
    room: float,
    weight: float,
    grad: Floats,
) -> float:
    """The same for pairs of boxes."""
    i, j = near
    apart = boxes[0][i] - boxes[0][j]
    beyond = np.abs(apart) - boxes[1][i] - boxes[1][j] - room
    touching = (beyond < 0).all(axis=1)
    nearest = np.stack([beyond[:, 0] >= beyond[:, 1], beyond[:, 0] < beyond[:, 1]], axis=1)
    lack = np.where(touching, -beyond.max(axis=1), 0)
    push = (-2 * weight * lack)[:, None] * np.where(apart < 0, -1.0, 1.0) * nearest
    _add_at(grad, i, push)
    _add_at(grad, j, -push)
    return weight * _squares(lack)
