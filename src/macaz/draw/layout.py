"""The layout of a board: the positions of its cities, by minimising an energy.

It starts from the geographic positions and moves the cities until every track has room for its
spaces: tracks, cities and labels repel each other, tracks that are too long attract their cities,
and triangles of neighbouring cities keep their shape and orientation, but not their size. Labels
are placed again between the rounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from macaz.draw import exact
from macaz.draw.forces import RADIUS, Forces, Geography, Network, Weights
from macaz.draw.labels import Box, Spot, choose_spots, crowded, moved
from macaz.draw.projection import Projection
from macaz.draw.shapes import right_of
from macaz.draw.tracks import Bend, bend_of_controls, pairs_of
from macaz.edition.board import Board

Floats = NDArray[np.float64]

MARGIN = 34.0  # free space on all sides of a board
WIDEST, NARROWEST = 1.62, 1.04  # width to height of a board
MOST_STRETCH = 1.3  # the largest factor by which geography is stretched for that
ROUNDS = 7  # before each, labels are placed again
REPAIRS = 10  # the most additional rounds, while anything overlaps
QUICK_REPAIRS = 2  # the same for a quick layout
_BEND_UNIT = 120.0  # scales bends to the same order of magnitude as positions
_ASIDE = (0.0, 0.08, -0.08, 0.16, -0.16, 0.25, -0.25)  # bends that are tried for a crossing track


@dataclass(frozen=True, slots=True)
class Layout:
    """The positions of cities and labels, and the bends of tracks that are not straight."""

    width: float
    height: float
    places: Floats
    spots: tuple[Spot, ...]
    bends: Mapping[tuple[int, int], Bend]
    energy: float = 0.0  # with the default weights, to compare layouts
    problems: int = 0  # as `macaz.draw.check` counts them


@dataclass(slots=True)
class Start:
    """An existing layout: the old positions, and the cities and labels that keep theirs."""

    places: Floats
    size: Floats
    fixed: frozenset[int] = frozenset()
    spots: dict[int, Spot] = field(default_factory=dict)


def lay_out(
    board: Board,
    effort: int = 4,
    seed: int = 0,
    start: Start | None = None,
    progress: Callable[[float], None] = lambda _: None,
    count_problems: Callable[[Layout], int] = lambda _: 0,
) -> Layout:
    """The best layout of `effort` tries, or with 0 that of one quick try.

    The best one has the fewest problems, then the least energy. `progress` is called with the
    fraction done.
    """
    earth = geography_of(board)
    tries = max(1, effort)
    found: list[Layout] = []
    for number in range(tries):
        search = _Search(board, earth, np.random.default_rng([seed, number]), start, count_problems)

        def part_progress(part: float, number: int = number) -> None:
            progress((number + part) / tries)

        found.append(search.run(1.0 if effort else 0.3, part_progress))
    return min(found, key=lambda layout: (layout.problems, layout.energy))


def geography_of(board: Board) -> Floats:
    """The projected cities, scaled to the length of their tracks and the shape of a board."""
    projection = Projection.for_cities(board.cities)
    x, y = projection.project([c.lat for c in board.cities], [c.lon for c in board.cities])
    earth = np.stack([np.asarray(x, np.float64), np.asarray(y, np.float64)], axis=1)
    size = np.ptp(earth, axis=0)
    aspect = float((size[0] + 1) / (size[1] + 1))  # in kilometres; + 1 as all may lie on one line
    stretch = float(
        np.clip(np.clip(aspect, NARROWEST, WIDEST) / aspect, 1 / MOST_STRETCH, MOST_STRETCH)
    )
    earth *= np.array([math.sqrt(stretch), 1 / math.sqrt(stretch)])
    pairs = pairs_of(board)
    network = Network(pairs, len(earth))
    needs = float((44 * network.spaces + 32).sum())
    has = float(exact.length(*(earth[network.a] - earth[network.b]).T).sum())
    size_up = needs / has if has > 1 else 1.0  # unless all lie at one place
    return np.asarray((earth - earth.mean(axis=0)) * size_up, np.float64)


class _Search:
    def __init__(
        self,
        board: Board,
        earth: Floats,
        rng: np.random.Generator,
        start: Start | None,
        count_problems: Callable[[Layout], int],
    ) -> None:
        self.count_problems = count_problems
        self.names = [city.label for city in board.cities]
        self.pairs = pairs_of(board)
        self.rng, self.start = rng, start
        self.network = Network(self.pairs, len(board.cities))
        self.geography = Geography(earth)
        self.weights = Weights()
        self.forces = Forces(self.network, self.geography, self.weights)
        self.free = np.ones((self.network.count, 1))
        self.free_labels = np.ones((self.network.count, 1))
        self.places = earth + 10 * exact.normal(rng, earth.shape)
        if start is not None:
            self.places = start.places.copy()
            self.forces.bounds = start.size
            self.free[sorted(start.fixed)] = 0.0
            self.free_labels[sorted(start.spots)] = 0.0
        self.bends = np.zeros((len(self.pairs), 2))
        self.spots: list[Spot] = []
        self.failed: list[tuple[int, Box]] = []
        self.label_offsets = np.zeros((0, 2))  # from each city to the middle of its label

    def run(self, effort: float, progress: Callable[[float], None]) -> Layout:
        """Compute a layout from the geographic positions, in rounds."""
        w = self.weights
        if self.start is None:
            # At first mainly the lengths, weakly, so that the map expands before parts collide.
            w.touch, w.short = 0.02, 0.1
            self._settle(int(300 * effort), 4.0)
        best: Layout | None = None
        rounds = ROUNDS + (REPAIRS if effort >= 1 else QUICK_REPAIRS)
        for number in range(rounds):
            repairs = max(0, number - ROUNDS + 1)
            if repairs:
                # Less distance is acceptable, overlaps are not: the repairs aim only at overlaps.
                w.air, w.city_air, w.label_air, w.shape, w.bend = 3.5, 6.0, 2.5, 250.0, 1500.0
            stronger = math.prod([1.3] * repairs)
            w.touch = min(1.0, 0.15 + 0.25 * number) * stronger
            w.short = 3 * w.touch
            w.label = (2 + 0.5 * repairs) * w.touch
            w.finger = 0.2 * stronger
            if number < 5:
                self._untangle()
            # An overlapping label has two rounds to move before it gets another place.
            self._place_labels(failing=repairs > 0 and repairs % 2 == 0)
            self._settle(int((500 if number >= ROUNDS - 1 else 300) * effort), _pace(number))
            progress((number + 1) / rounds)
            if number >= ROUNDS - 1:
                layout = self._layout()
                layout = replace(layout, problems=self.count_problems(layout))
                if best is None or layout.problems < best.problems:
                    best = layout
                if not layout.problems:
                    break
        assert best is not None
        return best

    def _settle(self, steps: int, pace: float) -> None:
        """Minimise the energy by gradient descent (Adam) with a falling rate."""
        parts = (self.places, self.bends * _BEND_UNIT, self.label_offsets)
        flat = np.concatenate([part.ravel() for part in parts])
        ends = np.cumsum([part.size for part in parts])[:-1]
        free_labels = (
            np.repeat(self.free_labels.ravel(), 2) if len(self.label_offsets) else np.zeros(0)
        )
        moving = np.concatenate(
            [np.repeat(self.free.ravel(), 2), np.ones(self.bends.size), free_labels]
        )
        # Adam's running means of the gradient and of its square, and the weights that their
        # initial zeros still have.
        mean, spread = np.zeros_like(flat), np.zeros_like(flat)
        left, left_spread = 1.0, 1.0
        for step in range(steps):
            places, bends, offsets = _split(flat, ends)
            if step % 25 == 0:
                self.forces.refresh(places, bends, offsets)
            _, grad_places, grad_bends, grad_offsets = self.forces.energy_and_gradient(
                places, bends, offsets
            )
            slopes = (grad_places, grad_bends / _BEND_UNIT, grad_offsets)
            slope = np.concatenate([part.ravel() for part in slopes])
            mean = 0.9 * mean + 0.1 * slope
            spread = 0.99 * spread + 0.01 * np.square(slope)
            left, left_spread = 0.9 * left, 0.99 * left_spread
            rate = pace * (1 - step / steps) + 0.02
            size = np.sqrt(spread / (1 - left_spread)) + 1e-3
            flat -= rate * moving * (mean / (1 - left)) / size
        self.places, self.bends, self.label_offsets = _split(flat, ends)
        self.forces.refresh(self.places, self.bends, self.label_offsets)
        self.spots = [
            moved(spot, float(x), float(y))
            for spot, (x, y) in zip(self.spots, self.label_offsets, strict=True)
        ]

    def _untangle(self) -> None:
        """Try other bends for tracks that cross others or run over cities."""
        for _ in range(3):
            lines = self._lines(self.bends)
            worst = [self._penalty(number, lines[number], lines) for number in range(len(lines))]
            changed = False
            for number in np.argsort(worst, kind="stable")[::-1]:
                if worst[number] < 1:
                    break
                options = [(worst[number], 0.0, self.bends[number])]
                for aside in _ASIDE:
                    bends = self.bends.copy()
                    bends[number] = aside
                    line = self._lines(bends, number)[0]
                    penalty = self._penalty(number, line, lines) + 2 * abs(aside)
                    options.append((penalty, aside, bends[number]))
                best = min(options, key=lambda option: option[0])
                if best[0] < worst[number] - 0.5:
                    self.bends[number] = best[2]
                    lines[number] = self._lines(self.bends, int(number))[0]
                    changed = True
            if not changed:
                break

    def _lines(self, bends: Floats, only: int | None = None) -> Floats:
        t = np.linspace(0.04, 0.96, 12)
        chosen = slice(None) if only is None else slice(only, only + 1)
        start, end = self.places[self.network.a[chosen]], self.places[self.network.b[chosen]]
        chord = (end - start)[:, None]
        right = np.stack([-chord[..., 1], chord[..., 0]], axis=-1)
        one, two = bends[chosen, 0, None, None], bends[chosen, 1, None, None]
        t = t[:, None]
        aside = 3 * (1 - t) * t * ((1 - t) * one + t * two)
        return np.asarray(start[:, None] + t * chord + aside * right)

    def _penalty(self, number: int, line: Floats, lines: Floats) -> float:
        """A penalty for crossings with other tracks, and for cities on the track."""
        p, q = line[:-1, None], line[1:, None]
        others = np.delete(lines, number, axis=0)
        r, s = others[:, :-1].reshape(1, -1, 2), others[:, 1:].reshape(1, -1, 2)
        crossing = (right_of(p, q, r) != right_of(p, q, s)) & (
            right_of(r, s, p) != right_of(r, s, q)
        )
        ends = [self.network.a[number], self.network.b[number]]
        cities = np.delete(self.places, ends, axis=0)
        far = exact.length(*(line[:, None] - cities[None]).transpose(2, 0, 1)).min(axis=0)
        width = RADIUS + (self.network.lanes[number] - 1) * 8.5 + 14
        lack = np.maximum(width - far, 0) / width
        return float(10 * crossing.sum() + 4 * np.square(lack).sum())

    def _place_labels(self, failing: bool) -> None:
        self.forces.refresh(self.places, self.bends, self.label_offsets)
        discs = self.forces.discs(self.places, self.bends)
        fixed = self.start.spots if self.start else {}
        radii = np.full(len(discs), RADIUS)
        if failing:
            self.failed += crowded(self.places, self.spots, discs, radii)
        self.spots = choose_spots(
            self.names, self.places, discs, radii, self.rng, fixed, self.spots, self.failed
        )
        self.label_offsets = self.forces.set_labels([spot.box for spot in self.spots])

    def _layout(self) -> Layout:
        # With the default weights, so that tries can be compared.
        changed = self.weights
        self.forces.weights = Weights()
        energy = self.forces.energy_and_gradient(self.places, self.bends, self.label_offsets)[0]
        self.forces.weights = changed
        places = np.where(self.free > 0, np.round(self.places), self.places)
        bends: dict[tuple[int, int], Bend] = {}
        for pair, controls in zip(self.pairs, self.bends, strict=True):
            distance = float(exact.length(*(places[pair.a] - places[pair.b])))
            first, second = bend_of_controls((controls[0] * distance, controls[1] * distance))
            if abs(first - second) < 0.6:  # nearly symmetric: one number, for the middle
                middle = round((first + second) * 9 / 16, 1)
                bend = middle * 8 / 9, middle * 8 / 9
            else:
                bend = round(first, 1), round(second, 1)
            if max(map(abs, bend)) >= 0.6:
                bends[pair.a, pair.b] = bend
        layout = Layout(0, 0, places, tuple(self.spots), bends, energy)
        discs = self.forces.discs(self.places, self.bends)
        return framed(layout, discs, self.start.size if self.start else None)


def framed(layout: Layout, discs: Floats, size: Floats | None) -> Layout:
    """The layout, shifted onto a board that contains all of it with margins.

    With fixed cities nothing is shifted, and the given `size` grows if necessary.
    """
    boxes = np.array(
        [[s.box.dx, s.box.dy, s.box.half_width, s.box.half_height] for s in layout.spots]
    )
    corners = np.vstack(
        [
            layout.places + boxes[:, :2] - boxes[:, 2:],
            layout.places + boxes[:, :2] + boxes[:, 2:],
            layout.places - 14,
            layout.places + 14,
            discs - RADIUS,
            discs + RADIUS,
        ]
    )
    low, high = np.floor(corners.min(axis=0)) - MARGIN, np.ceil(corners.max(axis=0)) + MARGIN
    if size is not None:
        width, height = np.maximum(size, high)
        return replace(layout, width=float(width), height=float(height))
    width, height = high - low
    # A board that is too narrow or too wide gets more space on two sides.
    more = np.array([max(0, NARROWEST * height - width), max(0, width / WIDEST - height)])
    low -= np.floor(more / 2)
    width, height = np.array([width, height]) + np.ceil(more)
    return replace(layout, width=float(width), height=float(height), places=layout.places - low)


def _split(flat: Floats, ends: NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
    places, bends, offsets = (part.reshape(-1, 2) for part in np.split(flat, ends))
    return places, bends / _BEND_UNIT, offsets


def _pace(number: int) -> float:
    """The initial step of gradient descent in a round, in units of the drawing."""
    return max(0.4, 2.5 - 0.33 * number)
