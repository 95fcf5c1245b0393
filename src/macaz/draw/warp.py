"""A distortion of the map that moves every city to its position in the layout.

An affine map brings the projected cities near their positions; then the plane is deformed in small
steps, each of which moves every city a part of the way and decays with the distance from it. No
step may fold the plane, so that coasts never cross themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from macaz.draw import exact
from macaz.draw.projection import Floats

WHOLE_WAY = 64  # how many of the smallest steps make the whole distance
FIRST_STEP = 16  # of these 64 parts
LEAST_STRETCH = 0.3  # the smallest factor by which a step may scale an area
RANGE = 0.25  # the range of a city's influence, as a fraction of the longer side
EXACT = 1e-7  # the least softness: with none, two cities at one point have no solution
CHECKED = 60  # points along each side of the board at which a step is checked
AROUND = 0.25  # margin around the board where it is checked, as a fraction of the longer side
FLAT = 0.05  # cities whose spread across over spread along is smaller count as collinear
BLOCK = 16_384  # numbers computed at once, which fit into the processor's cache


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a sum of radial kernels around `centres` with these weights."""

    centres: Floats
    weights: Floats
    reach: float

    @classmethod
    def moving(cls, centres: Floats, moves: Floats, reach: float, softness: float) -> Step:
        """The step that moves the centres by `moves`, or by less with more softness."""
        *_, far = _from_centres(centres, centres, reach)
        kernel = (1 + far) * exact.exp(-far) + softness * np.eye(len(centres))
        return cls(centres, exact.solve(kernel, moves), reach)

    def __call__(self, points: Floats) -> Floats:
        moved = points.copy()
        for block in self._blocks(moved):
            *_, far = _from_centres(block, self.centres, self.reach)
            block[:] += np.stack(self._sums((1 + far) * exact.exp(-far)), axis=1)
        return moved

    def least_stretch(self, points: Floats) -> float:
        """The smallest factor by which it scales areas at these points; negative: a fold."""
        least = math.inf
        for block in self._blocks(points):
            right, down, far = _from_centres(block, self.centres, self.reach)
            fall = -exact.exp(-far) / (self.reach * self.reach)
            (xx, xy), (yx, yy) = self._sums(right * fall), self._sums(down * fall)
            least = min(least, float(((1 + xx) * (1 + yy) - xy * yx).min()))
        return least

    def _blocks(self, points: Floats) -> list[Floats]:
        size = max(1, BLOCK // len(self.centres))
        return [points[first : first + size] for first in range(0, len(points), size)]

    def _sums(self, pull: Floats) -> tuple[Floats, Floats]:
        """The displacement of each point (column) by all centres (rows), to the right and down."""
        right, down = self.weights.T
        return (pull * right[:, None]).sum(axis=0), (pull * down[:, None]).sum(axis=0)


@dataclass(frozen=True, slots=True)
class Warp:
    """A smooth, one-to-one map of the plane: an affine map, then steps."""

    matrix: Floats
    shift: Floats
    steps: tuple[Step, ...]

    @classmethod
    def onto(cls, sources: Floats, places: Floats, width: float, height: float) -> Warp:
        """The map that takes each source to its place on a board of this size."""
        rough = cls.roughly(sources, places)
        steps = _flow(rough(sources), places, width, height)
        return cls(rough.matrix, rough.shift, steps)

    @classmethod
    def roughly(cls, sources: Floats, places: Floats) -> Warp:
        """The affine part alone, which takes sources near their positions."""
        return cls(*_affine(sources, places), ())

    def __call__(self, points: Floats) -> Floats:
        """The positions on the board of points of the projection."""
        moved = exact.product(points, self.matrix) + self.shift
        for step in self.steps:
            moved = step(moved)
        return np.asarray(moved)

    def back(self, points: Floats) -> Floats:
        """The approximate inverse: of the affine part alone."""
        return exact.product(points - self.shift, exact.inverse(self.matrix))


def _from_centres(points: Floats, centres: Floats, reach: float) -> tuple[Floats, Floats, Floats]:
    """From each centre (row) to each point (column): x, y, and distance in units of `reach`."""
    right = points[None, :, 0] - centres[:, None, 0]
    down = points[None, :, 1] - centres[:, None, 1]
    return right, down, exact.length(right, down) / reach


def _flow(start: Floats, places: Floats, width: float, height: float) -> tuple[Step, ...]:
    """Steps that move the cities to their positions, each as large as possible.

    If even the smallest step would fold the plane, it is made softer, and moves cities less.
    """
    side = max(width, height)
    edge = AROUND * side
    x, y = np.meshgrid(
        np.linspace(-edge, width + edge, CHECKED), np.linspace(-edge, height + edge, CHECKED)
    )
    grid = np.stack([x, y], axis=-1).reshape(-1, 2)
    steps: list[Step] = []
    at, left, size, softness = start, WHOLE_WAY, FIRST_STEP, EXACT
    while left > 0:
        step = Step.moving(at, (places - at) * (size / left), RANGE * side, softness)
        if step.least_stretch(np.vstack([grid, at, _between(at)])) >= LEAST_STRETCH:
            steps.append(step)
            at, left = step(at), left - size
            size, softness = min(2 * size, left), max(softness / 10, EXACT)
        elif size > 1:
            size //= 2
        else:
            softness *= 10
    return tuple(steps)


def _between(points: Floats) -> Floats:
    """The middles of all pairs of points."""
    one, other = np.triu_indices(len(points), 1)
    return np.asarray((points[one] + points[other]) / 2)


def _affine(sources: Floats, places: Floats) -> tuple[Floats, Floats]:
    """The best affine map without reflection; a similarity for few or collinear cities."""
    middle, target = sources.mean(axis=0), places.mean(axis=0)
    apart, wanted = sources - middle, places - target
    # The squares of the spread along the axis where it is greatest, and across that axis.
    moments = exact.product(apart.T, apart)
    (xx, xy), (_, yy) = moments
    along = (xx + yy) / 2 + exact.length((xx - yy) / 2, xy)
    across = exact.determinant(moments) / along if along > 0 else 0.0
    matrix = np.eye(2)
    flat = len(sources) <= 3 or across <= FLAT * FLAT * along
    if not flat:
        matrix = exact.product(exact.inverse(moments), exact.product(apart.T, wanted))
    if flat or exact.determinant(matrix) <= 0:
        (x, y), (to_x, to_y) = apart.T, wanted.T
        cos, sin = float((x * to_x + y * to_y).sum()), float((x * to_y - y * to_x).sum())
        size = float(xx + yy)
        if float(exact.length(cos, sin)) <= 1e-9 * size:
            cos, sin, size = 1.0, 0.0, 1.0
        matrix = np.array([[cos, sin], [-sin, cos]]) / size
    return matrix, target - exact.product(middle, matrix)
