"""Test networks in place of those that come with Macaz."""

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
    """Replace the packaged networks, for these editions, during the test; returns their folder."""
    networks = folder / "networks"
    networks.mkdir()
    for name in editions:
        write_network(networks / f"{name}.npz", make(load_edition(name)))
    monkeypatch.setattr(of, "files", lambda package: folder)
    # Cached results belong to other networks; teardown restores these functions.
    for name in ("packaged_network", "_packaged_boards"):
        monkeypatch.setattr(of, name, _fresh(getattr(of, name)))
    return networks


def _fresh(cached: Callable[..., object]) -> Callable[..., object]:
    """The same function with an empty cache."""
    from functools import cache

    return cache(cached.__wrapped__)  # type: ignore[attr-defined]
