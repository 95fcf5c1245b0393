"""Every network of Macaz has a model card that matches its file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from macaz.bots.network import packaged
from macaz.lab.train.plots import short

FOLDER = Path(__file__).parents[2] / "src/macaz/bots/networks"
NETWORKS = sorted(FOLDER.glob("*.npz"))
MOST = 30_000_000  # bytes of all networks together
ROW = re.compile(r"^\| ([a-z][a-z ]*) \| (.*) \|$", re.MULTILINE)

each_network = pytest.mark.parametrize("network", NETWORKS, ids=lambda path: path.stem)


def about(network: Path) -> dict[str, Any]:
    """The metadata of the file."""
    with np.load(network, allow_pickle=False) as arrays:
        found: dict[str, Any] = json.loads(arrays["about"].tobytes())
    return found


def head(network: Path) -> dict[str, str]:
    """The first table of the card, by the names of its rows."""
    text = network.with_suffix(".md").read_text(encoding="utf-8")
    return dict(ROW.findall(text.partition("\n## ")[0]))


def number(text: str) -> float:
    return float(text.replace(",", ""))


@each_network
def test_the_card_is_of_this_training(network: Path) -> None:
    told, said = head(network), about(network)
    text = network.with_suffix(".md").read_text(encoding="utf-8")
    fewest, most = said["seats"]
    seats = ", ".join(map(str, range(fewest, most + 1)))
    assert said["edition"] == network.stem
    assert text.startswith(f"# A network for {said['edition']}, {seats} seats\n")
    assert number(told["games"]) == said["games"]
    assert number(told["decisions"]) == said["decisions"]
    assert number(told["minutes"]) == pytest.approx(said["minutes"], abs=0.06)  # rounded in a card


@each_network
def test_the_card_tells_its_size(network: Path) -> None:
    told = head(network)
    with np.load(network, allow_pickle=False) as arrays:
        width = len(arrays["enter_bias"])
        blocks = sum(re.fullmatch(r"grow\d+", name) is not None for name in arrays.files)
        numbers = sum(arrays[name].size for name in arrays.files)
    assert told["network"] == f"{blocks} blocks, {width} wide"
    assert told["numbers in it"] == short(numbers)
    assert told["its file"] == f"{network.stat().st_size / 1e6:.1f} MB"


@each_network
def test_the_card_tells_how_strong_it_is(network: Path) -> None:
    text = network.with_suffix(".md").read_text(encoding="utf-8")
    rated = text.partition("\n## How strong it is\n")[2].partition("\n#")[0]
    for opponent in ("greedy", "racer", "planner"):
        assert re.search(rf"^\| {opponent} \| .*\d %", rated, re.MULTILINE), opponent


def test_no_card_is_without_its_network() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.md")) == sorted(packaged())


def test_all_networks_together_are_small() -> None:
    assert 0 < sum(path.stat().st_size for path in NETWORKS) <= MOST
