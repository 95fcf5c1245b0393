"""Fixtures for the tests of the training."""

import pytest

from macaz.lab.train import rater


@pytest.fixture(autouse=True)
def usual_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings, which these tests wait for, run with normal priority."""
    monkeypatch.setattr(rater, "LOWEST_PRIORITY", 0)
