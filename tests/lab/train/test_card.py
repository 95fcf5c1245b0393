"""The card of a network states how it was trained, and how strong it is."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from tests.lab.train.runs import make_network, make_run, rating, settings

from macaz.bots.network import BadNetwork
from macaz.errors import MacazError
from macaz.lab.train.card import card
from macaz.lab.train.folder import NETWORK, RATINGS, begin
from macaz.lab.train.lines import add_line
from macaz.lab.train.plots import short


def test_it_has_everything(tmp_path):
    folder = make_run(tmp_path / "run")
    add_line(folder / RATINGS, rating(240, "planner", players=4))
    make_network(folder, 240)
    with np.load(folder / NETWORK) as arrays:
        numbers = short(sum(arrays[name].size for name in arrays.files)).replace("\u202f", " ")
    text = card(folder).replace("\u202f", " ")
    assert text.startswith("# A network for tiny, 2, 3 seats\n")
    for row in (
        "| network | 1 blocks, 64 wide |",
        f"| numbers in it | {numbers} |",
        "| trained on | a machine |",
        "| minutes | 4.0 |",
        "| games | 2,400 |",
        "| decisions | 240,000 |",
        "| decisions a second | 1 k |",
        "| where the time went | games 50 %, network 20 %, learning 25 %, the rest 5 % |",
        "| greedy | 2 | 95.2 % | 90.2 to 99.2 % | 200 | 4.0 |",
        "| planner | 4 | 70.7 % | 65.7 to 74.7 % | 200 | 4.0 |",
        "| `batch` | 512 |",
    ):
        assert row in text, row
    assert text.count("| greedy |") == 1, "only the last rating"


def test_it_tells_of_the_network_and_not_of_what_came_after_it(tmp_path):
    """A training that was killed has logged more than it saved."""
    folder = make_run(tmp_path / "run", iterations=240)
    make_network(folder, 180)
    text = card(folder)
    assert "| minutes | 3.0 |" in text
    assert "| games | 1,800 |" in text
    assert "| iterations | 180 |" in text


def test_a_broken_network_is_named(tmp_path):
    folder = make_run(tmp_path / "run", iterations=2)
    (folder / NETWORK).write_bytes(b"PK\x03\x04 no network")
    with pytest.raises(BadNetwork, match=r"network\.npz is not a network"):
        card(folder)


def test_a_network_that_was_not_rated_says_so(tmp_path):
    assert "not rated" in card(make_run(tmp_path / "run", iterations=2))


def test_what_failed_is_told(tmp_path):
    folder = make_run(tmp_path / "run", iterations=2)
    add_line(folder / RATINGS, msgspec.structs.replace(rating(2, "racer"), opponent_failures=7))
    assert "| 0 and 7 |" in card(folder)


def test_there_is_no_card_of_nothing(tmp_path):
    begin(tmp_path, settings(), resume=False)
    with pytest.raises(MacazError, match="no finished iteration"):
        card(tmp_path)
