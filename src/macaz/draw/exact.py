"""Mathematical functions whose results are identical, bit by bit, on every processor.

IEEE 754 defines the rounding of + - * / and the square root, so these agree everywhere. Other
functions do not: NumPy's loops for AVX2 and AVX-512, BLAS and LAPACK, and the C library's versions
with and without fused multiply-add differ in the last bit, and a board drawn with them would too.
Layouts and drawings are therefore computed only with the functions of this module, which use those
operations and integers. Their error is at most about two units in the last place.

Arguments are numbers or arrays. The sign of a zero is undefined, as it depends on the processor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# --- constants, computed as fixed-point integers with 256 fractional bits -------------------

_ONE = 1 << 256
_SHORT = 32  # bits of a part of a constant: its product with a number of 21 bits is exact


def _arc(over: int, under: int, sign: int) -> int:
    """The inverse tangent (sign -1) or inverse hyperbolic tangent (sign 1) of a small fraction."""
    power = _ONE * over // under
    total, number, side = 0, 1, 1
    while power:
        total += side * (power // number)
        power = power * over * over // (under * under)
        number += 2
        side *= sign
    return total


def _float(fixed: int) -> float:
    return fixed / _ONE  # Python divides integers to the nearest float


def _pieces(fixed: int, count: int) -> tuple[float, ...]:
    """Floats whose sum is a constant; all but the last have few bits."""
    found = []
    for _ in range(count - 1):
        rest = fixed % (1 << (fixed.bit_length() - _SHORT))
        found.append(_float(fixed - rest))
        fixed = rest
    return (*found, _float(fixed))


_PI = 16 * _arc(1, 5, -1) - 4 * _arc(1, 239, -1)
_LN2 = 2 * _arc(1, 3, 1)
_QUARTER = _pieces(_PI // 2, 3)  # of a turn
_LOG_2 = _pieces(_LN2, 2)

_PARTS = 2048  # table entries of `exp` for a factor of 2
_LOG_STEP = _pieces(_LN2 // _PARTS, 2)
_TO_EXPONENT = 52 - (_PARTS.bit_length() - 1)  # a float's exponent begins at bit 52
_TO_WHOLE = 1.5 * (1 << 52)  # adding it rounds a number to an integer, in the last bits


def _powers_of_two() -> NDArray[np.int64]:
    """The bits of 2 to the power of n/_PARTS, minus those that adding n changes."""
    step = 2 * _ONE
    for _ in range(_PARTS.bit_length() - 1):
        step = math.isqrt(step * _ONE)
    found = [_ONE]
    for _ in range(_PARTS - 1):
        found.append(found[-1] * step // _ONE)
    bits = np.array([_float(power) for power in found]).view(np.int64)
    return np.asarray(bits - (np.arange(_PARTS) << _TO_EXPONENT))


_POWERS = _powers_of_two()

_TANGENTS = 16  # table entries of `atan2`, for tangents up to 1


def _angles() -> Floats:
    """The inverse tangents of 0, 1/_TANGENTS, 2/_TANGENTS and so on to 1."""
    found = [0]
    for n in range(_TANGENTS):  # each is the previous one plus the angle of a small difference
        found.append(found[-1] + _arc(_TANGENTS, _TANGENTS * _TANGENTS + n * (n + 1), -1))
    return np.array([_float(angle) for angle in found])


_ANGLES = _angles()

# Coefficients of series, the highest power first.
_SINE = [1 / math.factorial(2 * n + 1) for n in range(9, 0, -1)]
_COSINE = [1 / math.factorial(2 * n) for n in range(9, 0, -1)]
_ARC_TANGENT = [1 / (2 * n + 1) for n in range(6, 0, -1)]
_LOGARITHM = [1 / (2 * n + 1) for n in range(11, 0, -1)]


def _series(x: Floats, coefficients: Sequence[float]) -> Floats:
    total = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        total = total * x + coefficient
    return total


# --- functions ------------------------------------------------------------------------------


def length(x: ArrayLike, y: ArrayLike) -> Floats:
    """The length of the vectors (x, y)."""
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    return np.asarray(np.sqrt(x * x + y * y))


def exp(x: ArrayLike) -> Floats:
    """The exponential function; the argument is clipped to -708 to 709."""
    x = np.clip(np.asarray(x, np.float64), -708.0, 709.0)
    shifted = x * (_PARTS / _LOG_2[0]) + _TO_WHOLE
    steps, whole = shifted - _TO_WHOLE, shifted.view(np.int64)
    rest = x - steps * _LOG_STEP[0] - steps * _LOG_STEP[1]
    near = (_POWERS[whole & (_PARTS - 1)] + (whole << _TO_EXPONENT)).view(np.float64)
    return np.asarray(near + near * (rest + rest * rest * (0.5 + rest * (1 / 6))))


def log(x: ArrayLike) -> Floats:
    """The natural logarithm of numbers that are not negative."""
    x = np.asarray(x, np.float64)
    part, power = np.frexp(x)
    small = part < math.sqrt(0.5)
    off = np.where(small, 2 * part, part) - 1
    power = power - small
    ratio = off / (off + 2)
    square = ratio * ratio
    near = off - ratio * (off - 2 * square * _series(square, _LOGARITHM))
    return np.asarray(np.where(x > 0, power * _LOG_2[0] + (near + power * _LOG_2[1]), -np.inf))


def power(x: ArrayLike, exponent: ArrayLike) -> Floats:
    """Positive numbers to any power."""
    return exp(np.asarray(exponent) * log(x))


def sin(x: ArrayLike) -> Floats:
    """The sine of angles up to some thousand turns."""
    return _wave(x, 0)


def cos(x: ArrayLike) -> Floats:
    """The cosine of angles up to some thousand turns."""
    return _wave(x, 1)


def _wave(x: ArrayLike, ahead: int) -> Floats:
    """The sine of an angle plus a number of quarter turns."""
    x = np.asarray(x, np.float64)
    quarters = np.rint(x / _QUARTER[0])
    rest = x
    for piece in _QUARTER:
        rest = rest - quarters * piece
    square = -rest * rest
    sine = rest + rest * (square * _series(square, _SINE))
    cosine = 1 + square * _series(square, _COSINE)
    side = quarters.astype(np.int64) + ahead
    return np.asarray(np.where(side & 1, cosine, sine) * np.where(side & 2, -1.0, 1.0))


def atan2(y: ArrayLike, x: ArrayLike) -> Floats:
    """The angle of the vectors (x, y), from -pi to pi; 0 for the null vector."""
    y, x = np.asarray(y, np.float64), np.asarray(x, np.float64)
    high, wide = np.abs(y), np.abs(x)
    steep = high > wide
    more = np.where(steep, high, wide)
    tangent = np.where(steep, wide, high) / np.where(more > 0, more, 1.0)
    steps = np.rint(tangent * _TANGENTS)
    middle = steps / _TANGENTS
    rest = (tangent - middle) / (1 + tangent * middle)
    square = -rest * rest
    angle = _ANGLES[steps.astype(np.int64)] + (rest + rest * square * _series(square, _ARC_TANGENT))
    angle = np.where(steep, math.pi / 2 - angle, angle)
    angle = np.where(x < 0, math.pi - angle, angle)
    return np.asarray(np.where(y < 0, -angle, angle))


def interpolate(wanted: ArrayLike, at: Floats, values: Floats) -> Floats:
    """Linear interpolation at `wanted` of values, or rows of values, given at ascending `at`.

    Beyond the first and the last point it is constant.
    """
    inside = np.clip(np.asarray(wanted, np.float64), at[0], at[-1])
    before = np.clip(np.searchsorted(at, inside, "right") - 1, 0, len(at) - 2)
    width = at[before + 1] - at[before]
    share = (inside - at[before]) / np.where(width > 0, width, 1.0)
    share = share.reshape(share.shape + (1,) * (values.ndim - 1))
    return np.asarray(values[before] + share * (values[before + 1] - values[before]))


# --- matrices -------------------------------------------------------------------------------


def product(rows: Floats, matrix: Floats) -> Floats:
    """The matrix product of rows and a matrix with few rows."""
    total = rows[..., 0, None] * matrix[0]
    for index in range(1, len(matrix)):
        total = total + rows[..., index, None] * matrix[index]
    return np.asarray(total)


def determinant(matrix: Floats) -> float:
    """The determinant of a 2×2 or 3×3 matrix."""
    if len(matrix) == 2:
        (a, b), (c, d) = matrix.tolist()
        return float(a * d - b * c)
    (a, b, c), (d, e, f), (g, h, i) = matrix.tolist()
    return float(a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g))


def inverse(matrix: Floats) -> Floats:
    """The inverse of a 2×2 matrix."""
    (a, b), (c, d) = matrix
    return np.array([[d, -b], [-c, a]]) / determinant(matrix)


def solve(matrix: Floats, right: Floats) -> Floats:
    """The solution of `matrix @ x = right`, by Gaussian elimination with partial pivoting."""
    count = len(matrix)
    rows = np.hstack([matrix, right])
    for step in range(count):
        pivot = step + int(np.abs(rows[step:, step]).argmax())
        rows[[step, pivot]] = rows[[pivot, step]]
        factors = rows[step + 1 :, step] / rows[step, step]
        rows[step + 1 :, step:] -= factors[:, None] * rows[step, step:]
    found = rows[:, count:]
    for step in reversed(range(count)):
        found[step] /= rows[step, step]
        found[:step] -= rows[:step, step, None] * found[step]
    return found.copy()


# --- random ---------------------------------------------------------------------------------


def normal(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Numbers of the standard normal distribution (Box and Muller).

    NumPy's own use the C library's logarithm; `random` uses integers only.
    """
    far = np.sqrt(-2 * log(1 - rng.random(shape)))
    return np.asarray(far * cos(2 * math.pi * rng.random(shape)))
