"""Test networks in place of those that come with Macaz."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

from macaz.bots import network as of
from macaz.bots.columns import columns_for
from macaz.bots.network import OUTPUTS, Layer, Network, about_network, write_network
from macaz.edition import Edition, load_edition

EDITIONS = ("usa-classic", "usa", "europe", "old-west")


def untrained(
    edition: Edition,
    width: int = 16,
    blocks: int = 1,
    *,
    trust: tuple[float, float] = (4.0, 3.0),
    seed: int = 0,
) -> Network:
    """A network with random weights and zero output: it follows the quick planner."""
    columns, scales = columns_for(edition)
    rng = np.random.default_rng(seed)

    def layer(inputs: int, outputs: int) -> Layer:
        spread = np.sqrt(2 / inputs)
        weight = rng.normal(0, spread, (inputs, outputs)).astype(np.float16)
        return Layer(weight.astype(np.float32), np.zeros(outputs, np.float32))

    return Network(
        columns=columns,
        scales=scales,
        enter=layer(len(columns), width),
        blocks=tuple((layer(width, width), layer(width, width)) for _ in range(blocks)),
        speak=Layer(np.zeros((width, OUTPUTS), np.float32), np.zeros(OUTPUTS, np.float32)),
        trust=np.array(trust, np.float32),
        about=about_network(edition),
    )


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
