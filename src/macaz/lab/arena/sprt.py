"""Wald's sequential probability ratio test (SPRT), which stops as soon as it is decided.

It compares two hypotheses about a bot's mean share of the wins: `p0`, and the larger `p1`. The
sample is the average of a whole deal with rotated seats, because the games of a deal have the same
random stream. The distribution of those averages is unknown. So each hypothesis is represented by
the distribution that has its mean and fits the samples best: the generalised test, as used for
chess engines, here with empirical likelihood.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Literal

import numpy as np

from macaz.errors import MacazError

Verdict = Literal["go on", "accept", "reject"]

_UNSEEN = 0.5  # half a deal won and half a deal lost are added, so that any mean is possible
_BISECTIONS = 40  # for about 12 digits


class Sprt:
    """Decides whether the mean share of the wins is `p1` ("accept") or `p0` ("reject").

    `alpha` is the probability of "accept" if `p0` is true, `beta` that of "reject" if `p1` is true,
    however often the test is updated.
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
        return self._seen.total()

    @property
    def mean(self) -> float:
        """The mean share of the wins so far; NaN before the first deal."""
        total = sum(score * count for score, count in self._seen.items())
        return total / self.deals if self.deals else math.nan

    @property
    def llr(self) -> float:
        """The log-likelihood ratio; the test is decided when it leaves `low` to `high`."""
        weight = Counter({0.0: _UNSEEN, 1.0: _UNSEEN})
        weight.update(self._seen)
        values, counts = np.array(sorted(weight.items())).T
        at_p0, at_p1 = _likelihoods(values, counts, np.array([self.p0, self.p1]))
        return float(at_p1 - at_p0)

    def update(self, averages: Iterable[float]) -> Verdict:
        """Add the averages of more deals; "accept" and "reject" are final.

        The order of deals must not depend on their results: add them by number, not as they finish.
        """
        for score in averages:
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
    """The maximal log-likelihood of the counts for each of the means, up to a constant.

    The best distribution has probabilities proportional to count / (1 + tilt * (value - mean)), for
    the one tilt that gives the mean. The sum below decreases in the tilt: bisection finds it.
    """
    away = values - means[:, None]
    low, high = -1 / away.max(axis=1), -1 / away.min(axis=1)
    for _ in range(_BISECTIONS):
        tilt = (low + high) / 2
        more = (away / (1 + tilt[:, None] * away)) @ counts > 0
        low, high = np.where(more, tilt, low), np.where(more, high, tilt)
    tilt = (low + high) / 2
    return np.asarray(-np.log1p(tilt[:, None] * away) @ counts)
