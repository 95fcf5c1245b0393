"""Bending the map so that every city comes to lie where the layout wants it.

An affine map brings the projected cities near their places; then the plane flows the rest of the
way in small steps, each of which pulls every city a little further and dies away from them. No
step may turn any part of the plane over, so a coast never crosses itself however far cities move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from macaz.plate.projection import Floats

WHOLE_WAY = 64  # of the smallest steps
FIRST_STEP = 16
LEAST_STRETCH = 0.3  # what a step leaves of a small area, at the very least
RANGE = 0.25  # how far a city's pull reaches, of the board's longer side
EXACT = 1e-7  # as soft as a step must be to stay solvable with two cities at one place
CHECKED = 60  # points along each side of the board at which a step is checked
AROUND = 0.25  # how far beyond the board it is checked, of its longer side


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the flow: what is at `centres` moves by `weights` through a common kernel."""

    centres: Floats
    weights: Floats
    reach: float

    @classmethod
    def moving(cls, centres: Floats, moves: Floats, reach: float, softness: float) -> Step:
        """The step that moves the centres by `moves`, or by less the softer it is."""
        kernel = _kernel(centres, centres, reach) + softness * np.eye(len(centres))
        return cls(centres, np.asarray(np.linalg.solve(kernel, moves), np.float64), reach)

    def __call__(self, points: Floats) -> Floats:
        """Where points come to lie."""
        return np.asarray(points + _kernel(points, self.centres, self.reach) @ self.weights)

    def least_stretch(self, points: Floats) -> float:
        """The smallest factor by which it scales areas at these points; negative: a fold."""
        right = points[:, None, 0] - self.centres[None, :, 0]
        down = points[:, None, 1] - self.centres[None, :, 1]
        fall = -np.exp(-np.hypot(right, down) / self.reach) / self.reach**2
        (xx, xy), (yx, yy) = ((right * fall) @ self.weights).T, ((down * fall) @ self.weights).T
        return float(((1 + xx) * (1 + yy) - xy * yx).min())


@dataclass(frozen=True, slots=True)
class Warp:
    """A smooth, one-to-one map of the plane: affine first, then the steps of the flow."""

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
        """The affine part alone, which takes sources near their places."""
        return cls(*_affine(sources, places), ())

    def __call__(self, points: Floats) -> Floats:
        """Where points of the projection come to lie on the board."""
        moved = points @ self.matrix + self.shift
        for step in self.steps:
            moved = step(moved)
        return np.asarray(moved)

    def back(self, points: Floats) -> Floats:
        """Roughly which points of the projection come to lie here: the flow is left out."""
        return np.asarray((points - self.shift) @ np.linalg.inv(self.matrix))


def _kernel(points: Floats, centres: Floats, reach: float) -> Floats:
    """How much of each centre's pull arrives at each point."""
    apart = points[:, None, :] - centres[None, :, :]
    far = np.hypot(apart[..., 0], apart[..., 1]) / reach
    return np.asarray((1 + far) * np.exp(-far))


def _flow(start: Floats, places: Floats, width: float, height: float) -> tuple[Step, ...]:
    """The flow that takes the cities the rest of the way, in steps as large as they may be.

    Where even the smallest is too large, it is made softer, and leaves the cities a little short.
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
    """The best affine map without a mirror; of few or lined up cities, only turned and scaled."""
    middle, target = sources.mean(axis=0), places.mean(axis=0)
    apart, wanted = sources - middle, places - target
    spread = np.linalg.svd(apart, compute_uv=False)
    matrix = np.eye(2)
    if len(sources) > 3 and spread[1] > 0.05 * spread[0]:
        matrix = np.linalg.lstsq(apart, wanted, rcond=None)[0]
    if len(sources) <= 3 or spread[1] <= 0.05 * spread[0] or np.linalg.det(matrix) <= 0:
        # As complex numbers, turning and scaling is one multiplication.
        before, after = apart @ (1, 1j), wanted @ (1, 1j)
        size = float((abs(before) ** 2).sum())
        turn = complex((before.conj() * after).sum()) / size if size > 0 else 1
        turn = turn if abs(turn) > 1e-9 else 1
        matrix = np.array([[turn.real, turn.imag], [-turn.imag, turn.real]])
    return matrix, target - middle @ matrix
