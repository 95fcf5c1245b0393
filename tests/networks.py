"""Networks that tests take for those that come with Macaz, whichever do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from macaz.bots import network as of
from macaz.bots.network import Network, untrained, write_network
from macaz.edition import Edition, load_edition

EDITIONS = ("usa-classic", "usa", "europe", "old-west")


def pretend_packaged(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    editions: Iterable[str] = EDITIONS,
    make: Callable[[Edition], Network] = lambda edition: untrained(edition, 64),
) -> Path:
    """Let these be the editions with a network, until the test is over; returns where they lie."""
    networks = folder / "networks"
    networks.mkdir()
    for name in editions:
        write_network(networks / f"{name}.npz", make(load_edition(name)))
    monkeypatch.setattr(of, "files", lambda package: folder)
    # What was found before is another's; teardown puts these back with all the rest.
    for name in ("packaged_network", "_packaged_boards"):
        monkeypatch.setattr(of, name, _fresh(getattr(of, name)))
    return networks


def _fresh(cached: Callable[..., object]) -> Callable[..., object]:
    """The same function with nothing found yet."""
    from functools import cache

    return cache(cached.__wrapped__)  # type: ignore[attr-defined]
