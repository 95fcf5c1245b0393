"""Checks of a plate: nothing overlaps, and every route is wide enough for a finger."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from macaz.draw import exact
from macaz.draw.labels import LEASH, label_box
from macaz.draw.shapes import (
    box_corners,
    distance_to_box,
    distance_to_line,
    gap_between,
    lines_cross,
    overlap_depth,
    path_points,
    space_corners,
)
from macaz.draw.tracks import GAP_MOST, Pair, pairs_of
from macaz.edition import Edition
from macaz.edition.plate import Plate

Floats = NDArray[np.float64]

# Distances are in units of the drawing.
SPACE_CLEAR = 4.0  # between a city's rim and any space
LABEL_CLEAR = 3.0  # between a city's rim and any label: tokens are slightly larger than cities
EDGE_CLEAR = 8.0  # between a label or a space and the edge of the board
GAP_TIGHTEST = 1.0  # between spaces of the inner lane of a bend
UNEVEN = 1.5  # how far two gaps of a lane may differ
AT_CITY = 12.0  # a label at most this far from its city's rim plainly belongs to it
DOUBTFUL = 1.2  # how many times as far as its own city another city must be from a label
ALONG = 20.0  # between a label and the middle line of a track that it lies along
NEAR = 60.0  # between a label and the middles of the spaces that it is compared with
ALONG_MOST = 0.6  # the largest part of a track that a label may lie along
LANE_OFF = 0.8  # how far the distance of two lanes may be off

FINGER = 24.0  # the least width of an area to tap, in CSS pixels
FIRST_SCALE = 0.55  # pixels per unit on a phone, before zooming
LARGEST_SCALE = 2.0  # and zoomed in as far as possible

_ROUNDING = 0.05  # tolerance for positions rounded to two digits


def problems(plate: Plate, edition: Edition) -> list[str]:
    """Descriptions of all problems of an edition's plate; empty if there are none."""
    return list(_Check(plate, edition).all())


class _Check:
    def __init__(self, plate: Plate, edition: Edition) -> None:
        self.plate, self.board = plate, edition.board
        self.names = [city.name for city in self.board.cities]
        self.pairs = pairs_of(self.board)

    def all(self) -> Iterator[str]:
        if len(self.plate.cities) != len(self.names):
            yield f"{len(self.plate.cities)} cities are drawn, of {len(self.names)}"
            return
        if len(self.plate.tracks) != len(self.board.routes):
            yield f"{len(self.plate.tracks)} lanes are drawn, of {len(self.board.routes)}"
            return
        wrong = list(self.counts())
        yield from wrong
        if wrong:
            return
        self.cities = np.array([[c.x, c.y] for c in self.plate.cities])
        self.labels = np.array(
            [
                label_box(city.label, place)
                for city, place in zip(self.board.cities, self.plate.cities, strict=True)
            ]
        )
        by_lane = [space_corners(self.plate, lane) for lane in range(len(self.plate.tracks))]
        self.by_lane = by_lane
        self.spaces = np.concatenate(by_lane)
        self.owner = np.repeat(np.arange(len(by_lane)), [len(corners) for corners in by_lane])
        self.lines = [path_points(track.path) for track in self.plate.tracks]
        for check in (
            self.spaces_apart,
            self.spaces_and_cities,
            self.cities_apart,
            self.labels_apart,
            self.labels_at_home,
            self.labels_without_doubt,
            self.inside,
            self.gaps,
            self.parallels,
            self.crossings,
            self.fingers,
        ):
            yield from check()

    def counts(self) -> Iterator[str]:
        for index, (route, track) in enumerate(
            zip(self.board.routes, self.plate.tracks, strict=True)
        ):
            if len(track.spaces) != route.length:
                yield f"{self.lane(index)} has {len(track.spaces)} spaces instead of {route.length}"

    def lane(self, index: int) -> str:
        route = self.board.routes[index]
        return f"{self.names[route.a]}–{self.names[route.b]} (lane {route.lane + 1})"

    def pair(self, pair: Pair) -> str:
        return f"{self.names[pair.a]}–{self.names[pair.b]}"

    # --- overlaps -------------------------------------------------------------------------

    def spaces_apart(self) -> Iterator[str]:
        middles = self.spaces.mean(axis=1)
        reach = float(exact.length(self.plate.space_length, self.plate.space_width))
        first, second = np.nonzero(np.triu(_distances(middles, middles) < reach, 1))
        deep = overlap_depth(self.spaces[first], self.spaces[second]) > 0
        for i, j in dict.fromkeys(
            (int(self.owner[a]), int(self.owner[b]))
            for a, b in zip(first[deep], second[deep], strict=True)
        ):
            yield f"spaces of {self.lane(i)} and {self.lane(j)} overlap"

    def spaces_and_cities(self) -> Iterator[str]:
        clear = self.plate.city_radius + SPACE_CLEAR - _ROUNDING
        for city, name in enumerate(self.names):
            far = distance_to_box(np.tile(self.cities[city], (len(self.spaces), 1)), self.spaces)
            for lane in dict.fromkeys(self.owner[far < clear].tolist()):
                yield f"a space of {self.lane(lane)} is too near to {name}"

    def cities_apart(self) -> Iterator[str]:
        least = 2 * (self.plate.city_radius + SPACE_CLEAR)
        for i, j in np.argwhere(np.triu(_distances(self.cities, self.cities) < least, 1)):
            yield f"{self.names[i]} and {self.names[j]} are too near to each other"

    def labels_apart(self) -> Iterator[str]:
        corners = box_corners(self.labels)
        for number, name in enumerate(self.names):
            box = corners[number]
            hit = overlap_depth(self.spaces, np.tile(box, (len(self.spaces), 1, 1))) > 0
            for lane in dict.fromkeys(self.owner[hit].tolist()):
                yield f"the label of {name} touches {self.lane(lane)}"
            far = distance_to_box(self.cities, np.tile(box, (len(self.cities), 1, 1)))
            for other in np.nonzero(far < self.plate.city_radius + LABEL_CLEAR - _ROUNDING)[0]:
                what = "it" if other == number else self.names[other]
                yield f"the label of {name} is too near to {what}"
            later = corners[number + 1 :]
            hit = overlap_depth(later, np.tile(box, (len(later), 1, 1))) > 0
            for other in np.nonzero(hit)[0]:
                yield f"the labels of {name} and {self.names[number + 1 + other]} touch"

    def labels_at_home(self) -> Iterator[str]:
        """A label is close to its city, with no track in between."""
        for name, city, (left, top, right, bottom) in zip(
            self.names, self.cities, self.labels, strict=True
        ):
            nearest = np.clip(city, [left, top], [right, bottom])
            far = float(exact.length(*(nearest - city)))
            if far > self.plate.city_radius + LEASH:
                yield f"the label of {name} is too far from it"
            for step in np.arange(self.plate.city_radius, far, 3.0):
                point = city + (nearest - city) * step / far
                hit = distance_to_box(np.tile(point, (len(self.spaces), 1)), self.spaces) == 0
                if hit.any():
                    lane = self.lane(int(self.owner[hit][0]))
                    yield f"{lane} runs between {name} and its label"
                    break

    def labels_without_doubt(self) -> Iterator[str]:
        """No other city, no track of other cities and no stretch of track claims a label."""
        for number, (name, box) in enumerate(zip(self.names, self.labels, strict=True)):
            beyond = np.clip(self.cities, box[:2], box[2:]) - self.cities
            far = exact.length(beyond[:, 0], beyond[:, 1]) - self.plate.city_radius
            own, far[number] = far[number], np.inf
            if far.min() < DOUBTFUL * own:
                yield f"the label of {name} is nearly as near to {self.names[far.argmin()]}"
            if own <= AT_CITY:
                continue
            corners = box_corners(box[None])
            near = np.nonzero(distance_to_box(self.spaces.mean(axis=1), corners) < NEAR)[0]
            mine = np.array([self.ends_at(int(lane), number) for lane in self.owner[near]], bool)
            gaps = gap_between(self.spaces[near], corners)
            gaps[mine] = np.inf
            if len(gaps) and gaps.min() < own:
                lane = self.lane(int(self.owner[near][gaps.argmin()]))
                yield f"the label of {name} is nearer to {lane} than to {name}"
            for lane in dict.fromkeys(self.owner[near][mine].tolist()):
                if self.part_along(lane, corners) > ALONG_MOST:
                    yield f"the label of {name} lies along {self.lane(lane)}, away from {name}"

    def ends_at(self, lane: int, city: int) -> bool:
        return city in (self.board.routes[lane].a, self.board.routes[lane].b)

    def part_along(self, lane: int, corners: Floats) -> float:
        """The part of a lane's spaces whose middle line is near a box."""
        spaces = self.by_lane[lane]
        backs, fronts = spaces[:, [0, 3]].mean(axis=1), spaces[:, [1, 2]].mean(axis=1)
        steps = np.linspace(0.0, 1.0, 9)[:, None, None]
        points = (backs + (fronts - backs) * steps).reshape(-1, 2)
        return float((distance_to_box(points, corners) < ALONG).mean())

    def inside(self) -> Iterator[str]:
        size = np.array([self.plate.width, self.plate.height])
        for name, corners in zip(self.names, box_corners(self.labels), strict=True):
            if (corners < EDGE_CLEAR).any() or (corners > size - EDGE_CLEAR).any():
                yield f"the label of {name} leaves the board"
        for name, city in zip(self.names, self.cities, strict=True):
            edge = EDGE_CLEAR + self.plate.city_radius
            if (city < edge).any() or (city > size - edge).any():
                yield f"{name} leaves the board"
        out = ((self.spaces < EDGE_CLEAR) | (self.spaces > size - EDGE_CLEAR)).any(axis=(1, 2))
        for lane in dict.fromkeys(self.owner[out].tolist()):
            yield f"{self.lane(lane)} leaves the board"

    # --- tracks ---------------------------------------------------------------------------

    def gaps(self) -> Iterator[str]:
        for lane, corners in enumerate(self.by_lane):
            if len(corners) == 0:
                continue
            route = self.board.routes[lane]
            fronts, backs = corners[:, [1, 2]].mean(axis=1), corners[:, [0, 3]].mean(axis=1)
            steps = backs[1:] - fronts[:-1]
            along = fronts[:-1] - backs[:-1]
            ahead = (steps * along).sum(axis=1) > 0
            toward_b = self.cities[route.b] - self.cities[route.a]
            if not ahead.all() or ((fronts[-1] - backs[0]) * toward_b).sum() <= 0:
                yield f"the spaces of {self.lane(lane)} are not in order"
                continue
            gap = exact.length(steps[:, 0], steps[:, 1])
            if len(gap) and (gap.min() < GAP_TIGHTEST or gap.max() > GAP_MOST):
                low, high = gap.min(), gap.max()
                yield f"the gaps of {self.lane(lane)} are {low:.1f} to {high:.1f}"
            elif len(gap) and np.ptp(gap) > UNEVEN:
                yield f"the gaps of {self.lane(lane)} are uneven"
            middles = corners.mean(axis=1)
            if distance_to_line(middles, self.lines[lane]).max() > 2:
                yield f"the spaces of {self.lane(lane)} lie beside its line"

    def parallels(self) -> Iterator[str]:
        for pair in self.pairs:
            for one, other in zip(pair.lanes, pair.lanes[1:], strict=False):
                line = self.lines[one]
                inner = line[len(line) // 12 : len(line) - len(line) // 12]
                far = distance_to_line(inner, self.lines[other])
                if np.abs(far - self.plate.lane_step).max() > LANE_OFF:
                    low, high = far.min(), far.max()
                    yield f"the lanes of {self.pair(pair)} are {low:.1f} to {high:.1f} apart"

    def crossings(self) -> Iterator[str]:
        low = np.array([line.min(axis=0) for line in self.lines])
        high = np.array([line.max(axis=0) for line in self.lines])
        for number, pair in enumerate(self.pairs):
            for other in self.pairs[number + 1 :]:
                i, j = list(pair.lanes), list(other.lanes)
                apart = (low[i].min(0) > high[j].max(0)) | (low[j].min(0) > high[i].max(0))
                if apart.any():
                    continue
                if any(lines_cross(self.laid(a), self.laid(b)) for a in i for b in j):
                    yield f"{self.pair(pair)} and {self.pair(other)} cross"

    def laid(self, lane: int) -> Floats:
        """The line of a lane from its first to its last space: near a city, lanes may meet."""
        corners = self.by_lane[lane]
        fronts, backs = corners[:, [1, 2]].mean(axis=1), corners[:, [0, 3]].mean(axis=1)
        return np.stack([backs, fronts], axis=1).reshape(-1, 2)

    # --- areas to tap ---------------------------------------------------------------------

    def fingers(self) -> Iterator[str]:
        if self.plate.lane_step * LARGEST_SCALE < FINGER:
            yield "the lanes of a double route are too near for a finger"
        need = FINGER / FIRST_SCALE
        coarse = [line[:: 12 if len(line) == 13 else 4] for line in self.lines]
        for pair in self.pairs:
            wide = self.widest(pair, coarse)
            if wide < need:
                pixels = wide * FIRST_SCALE
                yield f"{self.pair(pair)} leaves a finger only {pixels:.0f} pixels on a phone"

    def widest(self, pair: Pair, lines: list[Floats]) -> float:
        """The greatest width, near the middle of the pair, of the area where this pair is nearest.

        It is measured across the track in steps of one unit, up to a finger's width on each side.
        """
        middle = (self.lines[pair.lanes[0]] + self.lines[pair.lanes[-1]]) / 2
        count = len(middle)
        spots = np.unique(np.linspace(count / 3, 2 * count / 3, 5).astype(int))
        along = middle[spots + 1] - middle[spots - 1]
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        across /= exact.length(across[:, 0], across[:, 1])[:, None]
        reach = np.arange(1.0, FINGER / FIRST_SCALE + 1)
        steps = np.concatenate([-reach[::-1], reach])
        tests = (middle[spots][:, None] + steps[None, :, None] * across[:, None]).reshape(-1, 2)
        own = np.min([distance_to_line(tests, lines[lane]) for lane in pair.lanes], axis=0)
        low, high = tests.min(axis=0) - own.max(), tests.max(axis=0) + own.max()
        other = np.full(len(tests), np.inf)
        for another in self.pairs:
            for lane in another.lanes if another is not pair else ():
                line = lines[lane]
                if (line.max(axis=0) > low).all() and (line.min(axis=0) < high).all():
                    other = np.minimum(other, distance_to_line(tests, line))
        mine = (own <= other).reshape(len(spots), 2, -1)
        return max(float(_run(row[0][::-1]) + _run(row[1])) for row in mine)


def _run(row: NDArray[np.bool_]) -> int:
    """How many of the first values are true."""
    return int(len(row) if row.all() else row.argmin())


def _distances(one: Floats, other: Floats) -> Floats:
    return exact.length(one[:, None, 0] - other[None, :, 0], one[:, None, 1] - other[None, :, 1])
