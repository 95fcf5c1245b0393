"""What all tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings
from tests.installs import Installed, build

from macaz.cli.signals import restore_signals

# Programs that tests start inherit what is ignored: Ctrl-C, in a shell's background job.
restore_signals()

# Tables on a terminal of another width would wrap elsewhere.
os.environ.pop("COLUMNS", None)
os.environ.pop("LINES", None)

# The first example may compile the kernel. `thorough` is for a long night:
# HYPOTHESIS_PROFILE=thorough make test
settings.register_profile("quick", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# A board is drawn from floats, all of it.
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
    """An environment with Macaz and what it needs to be played, and nothing else."""
    kind = str(request.param)
    return Installed(tmp_path_factory.mktemp(kind), packages[kind])
