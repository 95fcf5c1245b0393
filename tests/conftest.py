"""Fixtures and settings of all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import settings
from tests.installs import Installed, build

from macaz.cli.signals import restore_signals

# Programs that tests start inherit ignored signals: Ctrl-C, in a shell's background job.
restore_signals()

# Tables on a terminal of another width would wrap differently.
os.environ.pop("COLUMNS", None)
os.environ.pop("LINES", None)

# The first example may compile the kernel. `thorough` takes a night:
# HYPOTHESIS_PROFILE=thorough make test
settings.register_profile("quick", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# All positions on a board are floats.
PORTABLE = Path(__file__).parent / "draw"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark whole folders."""
    for item in items:
        if PORTABLE in item.path.parents:
            item.add_marker("portable")


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel and the source distribution of this checkout."""
    return build(tmp_path_factory.mktemp("packages"))


@pytest.fixture(scope="session", params=["wheel", "sdist"])
def installed(
    request: pytest.FixtureRequest,
    packages: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Installed:
    """An environment with Macaz and its required dependencies only."""
    kind = str(request.param)
    return Installed(tmp_path_factory.mktemp(kind), packages[kind])
