"""Outlines as smooth SVG paths that are as short as those of a polygon.

The points of an outline become the control points of a quadratic spline through the midpoints of
the edges. SVG's `t` derives each control point from the previous one, so only the midpoints are
written. They are rounded to tenths without accumulating rounding errors.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from macaz.draw import exact
from macaz.draw.projection import Floats

TENTHS = 10


def ring_path(points: Floats) -> str:
    """A closed smooth path around at least three points."""
    controls = [(float(x) * TENTHS, float(y) * TENTHS) for x, y in points]
    start = _middle(controls[-1], controls[0])
    return _path(start, controls, start) + "z"


def line_path(points: Floats) -> str:
    """A smooth path from the first of at least two points to the last."""
    start, *controls, end = [(float(x) * TENTHS, float(y) * TENTHS) for x, y in points]
    controls = controls or [(float(start[0] + end[0]) / 2, float(start[1] + end[1]) / 2)]
    return _path(_rounded(start), controls, _rounded(end))


def straight_path(points: Floats) -> str:
    """A path of straight edges in absolute coordinates, which is easy to parse."""
    start, *others = [_joined(_rounded((float(x) * TENTHS, float(y) * TENTHS))) for x, y in points]
    return f"M{start}L{' '.join(others)}"


def eased(points: Floats, bend: float, *, closed: bool) -> Floats:
    """The outline with points added near corners, so that the spline stays close to it.

    A corner is rounded over at most `bend` of a long edge, so that long edges stay straight.
    """
    after = np.roll(points, -1, axis=0) if closed else np.vstack([points[1:], points[-1:]])
    lengths = exact.length(*(after - points).T).tolist()
    result = []
    for point, following, length in zip(points, after, lengths, strict=True):
        result.append(point)
        if length > 3 * bend:
            step = (following - point) * (bend / length)
            result += [point + step, following - step]
    return np.array(result)


def _middle(one: tuple[float, float], other: tuple[float, float]) -> tuple[int, int]:
    return round((one[0] + other[0]) / 2), round((one[1] + other[1]) / 2)


def _rounded(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def _path(start: tuple[int, int], controls: list[tuple[float, float]], end: tuple[int, int]) -> str:
    """The spline from start to end, in tenths."""
    control = _rounded(controls[0])
    at = start
    numbers = [control[0] - at[0], control[1] - at[1]]
    for following in controls[1:]:
        to = _middle(control, following)
        numbers += (to[0] - at[0], to[1] - at[1])
        control = (2 * to[0] - control[0], 2 * to[1] - control[1])
        at = to
    numbers += (end[0] - at[0], end[1] - at[1])
    text = f"M{_joined(start)}q{_joined(numbers[:4])}"
    return text + (f"t{_joined(numbers[4:])}" if len(numbers) > 4 else "")


def _joined(tenths: Iterable[int]) -> str:
    """Numbers as text, with a space only where no minus sign separates them."""
    texts = [_written(number) for number in tenths]
    return texts[0] + "".join(text if text[0] == "-" else f" {text}" for text in texts[1:])


def _written(tenths: int) -> str:
    """A number of tenths: "1.5", "-2", ".3"."""
    whole, rest = divmod(abs(tenths), TENTHS)
    digits = f"{whole or ''}.{rest}" if rest else str(whole)
    return f"-{digits}" if tenths < 0 else digits
