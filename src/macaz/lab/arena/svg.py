"""Small plots as SVG text.

Horizontal positions are in per cent, so that a plot fits the width of the page without scaling its
text. Colours come from the style sheet of the page, by class.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from macaz.lab.arena.ratings import Estimate

ROW, MID = 38, 19  # height of a row, in pixels: two lines of text; its middle
_STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps numbers to horizontal positions in a plot."""

    low: float
    high: float
    ticks: tuple[float, ...] = ()
    log: bool = False

    def at(self, value: float) -> float:
        """The position of a number in per cent, clamped to the ends."""
        low, high, here = self.low, self.high, min(max(value, self.low), self.high)
        if self.log:
            low, high, here = math.log(low), math.log(high), math.log(here)
        return 100 * (here - low) / (high - low)


def scale_over(values: Iterable[float], *, most_ticks: int = 5) -> Scale:
    """A scale that covers these numbers, with round ticks."""
    known = [value for value in values if math.isfinite(value)] or [0.0]
    low, high = min(known), max(known)
    if low == high:
        low, high = low - 1, high + 1
    size = 10 ** math.floor(math.log10((high - low) / most_ticks))
    step = next(s * size for s in _STEPS if (high - low) / (s * size) <= most_ticks)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return Scale(low, high, tuple(step * i for i in range(first, last + 1)))


def log_scale_over(values: Iterable[float]) -> Scale:
    """A logarithmic scale that covers these numbers, with powers of ten as ticks."""
    known = [value for value in values if value > 0] or [1.0]
    low = 10.0 ** math.floor(math.log10(min(known)))
    high = 10.0 ** max(math.ceil(math.log10(max(known))), math.log10(low) + 1)
    powers = range(round(math.log10(low)), round(math.log10(high)) + 1)
    return Scale(low, high, tuple(10.0**power for power in powers), log=True)


def interval(scale: Scale, estimate: Estimate, label: str, *, mark: float | None = None) -> str:
    """A dot with its interval, and a dashed line at `mark`."""
    parts = _grid(scale, ROW) + _line(scale, mark, ROW, "mark")
    if math.isfinite(estimate.low) and math.isfinite(estimate.high):
        low, high = scale.at(estimate.low), scale.at(estimate.high)
        parts += _level(low, high, "whisker")
    return _svg(ROW, label, parts + _dot(scale.at(estimate.value)))


def histogram(
    scale: Scale, values: np.ndarray, edges: np.ndarray, top: float, label: str, mark: float | None
) -> str:
    """A histogram of shares up to `top`, with lines at the mean and at `mark`."""
    height, tallest = 46, 40.0
    counts, _ = np.histogram(values, edges)
    shares = counts / max(1, len(values))
    parts = _grid(scale, height)
    for share, left, right in zip(shares, edges[:-1], edges[1:], strict=True):
        if share > 0:
            x, wide, tall = scale.at(left), scale.at(right) - scale.at(left), tallest * share / top
            kind = "bar" if mark is None or (left + right) / 2 > mark else "bar below"
            parts += (
                f'<rect class="{kind}" x="{x:.2f}%" width="{max(wide - 0.15, 0.1):.2f}%" '
                f'y="{height - tall:.1f}" height="{tall:.1f}"/>'
            )
    parts += _line(scale, mark, height, "mark") + _line(scale, float(values.mean()), height, "mean")
    return _svg(height, label, parts)


def edges_over(scale: Scale, *, most: int = 48) -> np.ndarray:
    """Edges of equal bins over a scale, halfway between whole numbers."""
    low, high = math.floor(scale.low), math.ceil(scale.high)
    width = max(1, -(-(high - low + 1) // most))
    return np.arange(low, high + width + 1, width) - 0.5


def reach(scale: Scale, low: float, high: float, label: str) -> str:
    """A dot at `low`, and a thin line from there to `high`."""
    from_, to = scale.at(low), scale.at(high)
    end = f'<line class="reach" x1="{to:.2f}%" x2="{to:.2f}%" y1="{MID - 4}" y2="{MID + 4}"/>'
    return _svg(ROW, label, _grid(scale, ROW) + _level(from_, to, "reach") + end + _dot(from_))


def axis(scale: Scale, words: Callable[[float], str]) -> str:
    """The numbers below a plot."""
    return _svg(
        18,
        "",
        "".join(
            f'<text class="tick" x="{scale.at(tick):.2f}%" y="13">{escape(words(tick))}</text>'
            for tick in _few_ticks(scale.ticks)
        ),
    )


def _few_ticks(ticks: Sequence[float]) -> Sequence[float]:
    """At most six ticks, so that their labels do not touch on a phone."""
    return ticks[:: -(-len(ticks) // 6)] if ticks else ticks


def _grid(scale: Scale, height: int) -> str:
    return "".join(_line(scale, tick, height, "grid") for tick in _few_ticks(scale.ticks))


def _level(start: float, end: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{start:.2f}%" x2="{end:.2f}%" y1="{MID}" y2="{MID}"/>'


def _dot(at: float) -> str:
    return f'<circle class="dot" cx="{at:.2f}%" cy="{MID}" r="4.5"/>'


def _line(scale: Scale, value: float | None, height: int, kind: str) -> str:
    if value is None or not scale.low <= value <= scale.high:
        return ""
    x = f"{scale.at(value):.2f}%"
    return f'<line class="{kind}" x1="{x}" x2="{x}" y1="0" y2="{height}"/>'


def _svg(height: int, label: str, parts: str) -> str:
    label_attributes = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return f'<svg width="100%" height="{height}" {label_attributes}>{parts}</svg>'
