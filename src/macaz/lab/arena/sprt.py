"""A test that stops as soon as it is decided: Wald's sequential probability ratio test.

It compares two claims about a bot's mean share of the wins: that it is `p0`, and that it is `p1`,
which is more. What is counted is the average of a whole deal, seats rotated, because the games of
a deal share their luck. How those averages spread is not known beforehand, so each claim gets the
distribution that fits the averages seen best among those with its mean: the generalised test, as
used for chess engines, here with empirical likelihood.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Literal

import numpy as np

from macaz.errors import MacazError

Verdict = Literal["go on", "accept", "reject"]

_UNSEEN = 0.5  # deals won and lost outright that are added, so that both claims can be true
_HALVINGS = 40


class Sprt:
    """Is the mean share of the wins `p1` ("accept") or only `p0` ("reject")?

    `alpha` is the risk to accept where the truth is `p0`, `beta` that to reject where it is `p1`.
    Both hold however often it is asked.
    """

    def __init__(self, p0: float, p1: float, alpha: float = 0.05, beta: float = 0.05) -> None:
        if not 0 < p0 < p1 < 1:
            raise MacazError(
                f"a test needs two shares with 0 < p0 < p1 < 1, not {p0:g} and {p1:g}, "
                "such as 0.5 and 0.55"
            )
        for name, risk in (("alpha", alpha), ("beta", beta)):
            if not 0 < risk < 0.5:
                raise MacazError(f"{name} is a risk between 0 and 0.5, not {risk:g}, such as 0.05")
        self.p0, self.p1, self.alpha, self.beta = p0, p1, alpha, beta
        self.low = math.log(beta / (1 - alpha))
        self.high = math.log((1 - beta) / alpha)
        self.verdict: Verdict = "go on"
        self._seen: Counter[float] = Counter()

    @property
    def deals(self) -> int:
        """How many deals it has seen."""
        return self._seen.total()

    @property
    def mean(self) -> float:
        """The mean share in them; not a number before the first."""
        total = sum(score * count for score, count in self._seen.items())
        return total / self.deals if self.deals else math.nan

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio: it is decided outside of `low` to `high`."""
        weight = Counter({0.0: _UNSEEN, 1.0: _UNSEEN})
        weight.update(self._seen)
        values, counts = np.array(sorted(weight.items())).T
        at_p0, at_p1 = _likelihoods(values, counts, np.array([self.p0, self.p1]))
        return float(at_p1 - at_p0)

    def update(self, pair_scores: Iterable[float]) -> Verdict:
        """Count the averages of more deals, each once; a verdict is final.

        Deals must come in an order that does not depend on how they went: by their number, not
        by which was finished first.
        """
        for score in pair_scores:
            if not 0 <= score <= 1:
                raise MacazError(f"the average share in a deal is from 0 to 1, not {score}")
            self._seen[round(float(score), 9)] += 1
        if self.verdict == "go on" and self.deals:
            llr = self.llr
            self.verdict = (
                "accept" if llr >= self.high else "reject" if llr <= self.low else "go on"
            )
        return self.verdict


def _likelihoods(values: np.ndarray, counts: np.ndarray, means: np.ndarray) -> np.ndarray:
    """How likely the counts are, at best, if the values have each of the means (less a constant).

    The best distribution has chances proportional to count / (1 + tilt * (value - mean)), for the
    one tilt that gives the mean. The sum below falls as the tilt grows, so halving finds it.
    """
    away = values - means[:, None]
    low, high = -1 / away.max(axis=1), -1 / away.min(axis=1)
    for _ in range(_HALVINGS):
        tilt = (low + high) / 2
        more = (away / (1 + tilt[:, None] * away)) @ counts > 0
        low, high = np.where(more, tilt, low), np.where(more, high, tilt)
    tilt = (low + high) / 2
    return np.asarray(-np.log1p(tilt[:, None] * away) @ counts)
