"""What the tests of the training share."""

import pytest

from macaz.lab.train import rater


@pytest.fixture(autouse=True)
def usual_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings, which these tests wait for, run as soon as others do."""
    monkeypatch.setattr(rater, "LOWEST_PRIORITY", 0)
