"""Shares of many cases, with their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

Z95 = 1.959963984540054  # a normal variable lies within this many deviations 95 % of the time


@dataclass(frozen=True, slots=True)
class Share:
    """A share, with its 95 % interval."""

    share: float
    low: float
    high: float


def wilson(part: float, cases: int) -> Share:
    """The share of so many cases, with Wilson's interval.

    It is meant for whole numbers; with shared wins, which vary less, it errs on the wide side.
    """
    if not cases:
        return Share(math.nan, 0.0, 1.0)
    share = part / cases
    middle = (share + Z95**2 / (2 * cases)) / (1 + Z95**2 / cases)
    reach = math.sqrt(share * (1 - share) / cases + Z95**2 / (4 * cases**2))
    reach *= Z95 / (1 + Z95**2 / cases)
    return Share(share, max(0.0, middle - reach), min(1.0, middle + reach))
