"""What all tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from macaz.cli.signals import hear_signals

# Programs that tests start inherit what is ignored: Ctrl-C, in a shell's background job.
hear_signals()

# Tables on a terminal of another width would wrap elsewhere.
os.environ.pop("COLUMNS", None)
os.environ.pop("LINES", None)

# The first example may compile the kernel. `thorough` is for a long night:
# HYPOTHESIS_PROFILE=thorough make test
settings.register_profile("quick", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# A board is drawn from floats, all of it.
PORTABLE = Path(__file__).parent / "plate"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark whole folders."""
    for item in items:
        if PORTABLE in item.path.parents:
            item.add_marker("portable")
