"""Fits strengths to wins: the Bradley-Terry model, and Luce's model for more than two seats.

A seat wins with a probability proportional to exp(strength). A strength is a sum of parts, such as
that of the bot and that of its place in the order of play.
"""

from __future__ import annotations

import numpy as np

_MAX_STEP = 1.0  # with shorter steps Newton's method does not overshoot here
_MAX_ITERATIONS = 100
_TOLERANCE = 1e-9


def fit_strengths(
    design: np.ndarray, wins: np.ndarray, precision: np.ndarray, start: np.ndarray
) -> np.ndarray:
    """The MAP estimate of the parts, given the wins and a normal prior around zero.

    `design[table, seat, part]` is how often a part counts for a seat; `wins[sample, table, seat]`
    is the number of wins there; `precision[part]` is one over the prior's variance. Each sample is
    fitted separately, beginning with `start[sample, part]`.
    """
    samples, tables, seats = wins.shape
    parts = design.shape[2]
    flat = design.reshape(-1, parts)
    squares = (flat[:, :, None] * flat[:, None, :]).reshape(-1, parts * parts)
    games = wins.sum(axis=2, keepdims=True)
    prior = np.diag(precision)
    strengths = start.copy()
    for _ in range(_MAX_ITERATIONS):
        chance = _softmax((strengths @ flat.T).reshape(samples, tables, seats))
        expected = games * chance
        slope = (wins - expected).reshape(samples, -1) @ flat - precision * strengths
        centre = np.einsum("nts,tsp->ntp", chance, design, optimize=True)
        spread = (expected.reshape(samples, -1) @ squares).reshape(samples, parts, parts)
        curvature = spread - (games * centre).transpose(0, 2, 1) @ centre + prior
        step = np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True, initial=_TOLERANCE)
        strengths += step * np.minimum(1, _MAX_STEP / longest)
        if longest.max() <= _TOLERANCE:
            break
    return strengths


def information(design: np.ndarray, strengths: np.ndarray) -> np.ndarray:
    """Fisher information of one game about the strength of a seat, [table, seat]: p (1 - p)."""
    chance = _softmax((design @ strengths)[None])[0]
    return np.asarray(chance * (1 - chance))


def _softmax(utility: np.ndarray) -> np.ndarray:
    odds = np.exp(utility - utility.max(axis=2, keepdims=True))
    return np.asarray(odds / odds.sum(axis=2, keepdims=True))
