"""Networks: checking files, the columns of an edition, and the computation."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.bots.test_players import TABLES, decisions, lineup_of
from tests.networks import untrained

from macaz.bots.compiled import layout as of
from macaz.bots.compiled.program import working_memory
from macaz.bots.learned import sense
from macaz.bots.network import (
    BadNetwork,
    Layer,
    Network,
    about_network,
    board_digest,
    columns_for,
    network_at,
    network_for,
    packaged,
    read_network,
    write_network,
)
from macaz.bots.styled import counted_state
from macaz.edition import edition_text, list_editions, load_edition, read_edition
from macaz.game.worlds import sample_world

pytestmark = pytest.mark.portable

NAMES = np.repeat([f.name for f in of.SENSE], [prod(f.shape) for f in of.SENSE])
Arrays = dict[str, np.ndarray]


def some_network(edition: str = "tiny", seed: int = 1) -> Network:
    """A network of random numbers, in the form in which a file holds them."""
    rng = np.random.default_rng(seed)
    network = untrained(load_edition(edition), 16, 2, seed=seed)

    def any_layer(layer: Layer) -> Layer:
        weight = rng.normal(0, 0.3, layer.weight.shape).astype(np.float16).astype(np.float32)
        return Layer(weight, rng.normal(0, 0.3, layer.bias.shape).astype(np.float32))

    return replace(
        network,
        enter=any_layer(network.enter),
        blocks=tuple((any_layer(grow), any_layer(fold)) for grow, fold in network.blocks),
        speak=any_layer(network.speak),
    )


def rows_of(edition: str, seats: int, count: int, seed: int = 1) -> np.ndarray:
    """The input rows of a network in the first decisions of a game."""
    found = []
    for game, seat in decisions(edition, lineup_of(seats, seed), seed):
        view = game.view(seat)
        found.append(sense(view, counted_state(view)).copy())
        if len(found) == count:
            break
    return np.concatenate(found)


# -- inputs, and which of them are read -----------------------------------------------------------


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_view_tells_all_that_a_network_is_told(edition: str, seats: int) -> None:
    """The same row from the state, from its view, and from any state with that view."""
    rng = np.random.default_rng(seats)
    columns, scales = columns_for(load_edition(edition))
    assert len(columns) == len(scales)
    read = np.zeros(of.SENSE_SIZE, bool)
    read[columns] = True
    lineup = ["random", *lineup_of(seats, seats)[1:]]
    for game, seat in decisions(edition, lineup, seed=seats):
        view = game.view(seat)
        true = sense(view, game.state.copy()).view(np.int8).copy()
        legal = working_memory().legal[0].copy()
        for states in (counted_state(view), sample_world(view, rng)):
            row = sense(view, states).view(np.int8)
            assert set(NAMES[row != true]) == set(), view.phase
            assert np.array_equal(working_memory().legal[0], legal), view.phase
        unread = (true != 0) & ~read
        assert set(NAMES[unread]) == set(), "a network does not read an input that is set"


def test_an_edition_reads_nothing_that_it_has_not() -> None:
    def fields(name: str) -> set[str]:
        return set(NAMES[columns_for(load_edition(name))[0]].tolist())

    special = {"borrowed", "marks", "alvin", "alvin_holder", "paid_color", "extra", "claiming"}
    assert fields("usa") & special == set()
    assert fields("europe") & special == special - {"alvin", "alvin_holder"}
    assert fields("old-west") & special == special - {"borrowed", "paid_color", "extra"}
    assert "spare" not in fields("europe")
    for name in list_editions():
        columns, scales = columns_for(load_edition(name))
        assert len(set(columns.tolist())) == len(columns)
        assert (scales > 0).all()
        lanes = len(load_edition(name).board.routes)
        assert np.count_nonzero(NAMES[columns] == "open") == lanes


def test_one_network_serves_an_edition_with_all_its_options() -> None:
    plain, with_alvin = load_edition("old-west"), load_edition("old-west+alvin")
    assert board_digest(plain) == board_digest(with_alvin)
    assert np.array_equal(columns_for(plain)[0], columns_for(with_alvin)[0])


def test_a_board_has_a_digest_of_its_own() -> None:
    digests = {board_digest(load_edition(name)) for name in list_editions()}
    assert len(digests) == len(list_editions())


# -- the computation ------------------------------------------------------------------------------


def by_the_formula(network: Network, row: np.ndarray) -> np.ndarray:
    """All outputs for a row, one step after the other, in double precision."""
    flat = row.view(np.int8)

    def level(h: np.ndarray) -> np.ndarray:
        leveled: np.ndarray = h / np.sqrt((h * h).mean() + 1e-5)
        return leveled

    x = flat[network.columns].astype(np.float64) * network.scales
    h = np.maximum(x @ network.enter.weight + network.enter.bias, 0)
    for grow, fold in network.blocks:
        u = np.maximum(level(h) @ grow.weight + grow.bias, 0)
        h = h + u @ fold.weight + fold.bias
    out: np.ndarray = level(h) @ network.speak.weight + network.speak.bias
    record = row.view(of.dtypes["sense"])[0]
    out[: of.INTENTS] += network.trust[0] * record["hint"]
    out[of.INTENTS : of.WISHES] += network.trust[1] * record["hint_color"]
    out[-1] = 1 / (1 + np.exp(-out[-1]))
    return out


@pytest.mark.parametrize(("edition", "seats"), [("tiny", 2), ("europe", 3), ("old-west+alvin", 4)])
def test_a_network_computes_what_its_file_says(edition: str, seats: int) -> None:
    network = some_network(edition)
    rows = rows_of(edition, seats, 20)
    wishes, values, wins = network.run(rows)
    assert wishes.shape == (len(rows), of.WISHES)
    for i in range(len(rows)):
        expected = by_the_formula(network, rows[i : i + 1])
        found = np.concatenate([wishes[i], values[i : i + 1], wins[i : i + 1]])
        assert found == pytest.approx(expected, abs=2e-4)
        alone = network.run(rows[i : i + 1])
        assert alone[0][0] == pytest.approx(expected[: of.WISHES], abs=2e-4)
    flat = network.run(rows.view(np.int8).reshape(len(rows), -1))
    assert np.array_equal(flat[0], wishes)


def test_an_untrained_network_wishes_for_what_the_planner_suggests() -> None:
    rows = rows_of("usa", 2, 30)
    wishes, values, wins = untrained(load_edition("usa")).run(rows)
    assert np.array_equal(wishes[:, : of.INTENTS], 4 * rows["hint"].astype(np.float32))
    assert np.array_equal(wishes[:, of.INTENTS :], 3 * rows["hint_color"].astype(np.float32))
    assert set(values) == {0.0}
    assert set(wins) == {0.5}


# -- files ----------------------------------------------------------------------------------------


def written(network: Network) -> io.BytesIO:
    file = io.BytesIO()
    write_network(file, network)
    file.seek(0)
    return file


def test_what_is_written_is_read(tmp_path: Path) -> None:
    network = replace(some_network(), about=about_network(load_edition("tiny"), games=7, note="ü"))
    rows = rows_of("tiny", 2, 10)
    write_network(tmp_path / "one.npz", network)
    for found in (read_network(tmp_path / "one.npz"), read_network(written(network))):
        assert found.about == network.about
        assert found.about["games"] == 7
        assert found.about["seats"] == [2, 3]
        for one, other in zip(found.run(rows), network.run(rows), strict=True):
            assert np.array_equal(one, other)


def test_a_file_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    write_network(path, some_network(seed=1))
    one = network_at(str(path))
    assert network_at(str(path)) is one
    write_network(path, untrained(load_edition("tiny"), 8))
    assert network_at(str(path)).width == 8


def change_about(arrays: Arrays, **changes: Any) -> None:
    about = json.loads(arrays["about"].tobytes()) | changes
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda a: a.pop("about"), "its metadata is missing"),
        (lambda a: a.update(about=np.arange(3)), "its metadata is missing"),
        (lambda a: change_about(a, format=2), "another version of Macaz"),
        (lambda a: change_about(a, row="00000000"), "another version of Macaz"),
        (lambda a: a.pop("enter"), "is a damaged network"),
        (lambda a: a.pop("grow1"), "is a damaged network"),
        (lambda a: a.pop("fold0_bias"), "is a damaged network"),
        (lambda a: a.update(enter=a["enter"][1:]), "is a damaged network"),
        (lambda a: a.update(enter=np.float16(1)), "is a damaged network"),
        (lambda a: a.update(speak=a["speak"][:, 1:]), "is a damaged network"),
        (lambda a: a.update(speak_bias=a["speak_bias"] * np.nan), "is a damaged network"),
        (lambda a: a.update(scales=a["scales"][1:]), "is a damaged network"),
        (lambda a: a.update(columns=a["columns"] + of.SENSE_SIZE), "is a damaged network"),
        (lambda a: a.update(columns=a["columns"].astype(float)), "is a damaged network"),
        (lambda a: a.update(trust=np.zeros(3)), "is a damaged network"),
    ],
)
def test_a_broken_network_is_refused(spoil: Callable[[Arrays], object], said: str) -> None:
    with np.load(written(some_network())) as archive:
        arrays = {name: archive[name] for name in archive.files}
    spoil(arrays)
    file = io.BytesIO()
    np.savez(file, **arrays)
    file.seek(0)
    with pytest.raises(BadNetwork, match=said):
        read_network(file)


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadNetwork, match="there is no network"):
        read_network(tmp_path / "none.npz")
    with pytest.raises(BadNetwork, match="cannot be read"):
        read_network(tmp_path)
    text, cut, array = (tmp_path / name for name in ("text.npz", "cut.npz", "array.npz"))
    text.write_text("A B 3\n")
    cut.write_bytes(written(some_network()).getvalue()[:-400])
    with array.open("wb") as file:
        np.save(file, np.arange(4))
    pickled = tmp_path / "pickled.npz"
    np.savez(pickled, about=np.array([{}], object))
    for path in (text, cut, array, pickled):
        with pytest.raises(BadNetwork, match="is not a network, or is damaged"):
            read_network(path)


def test_a_network_is_for_its_board() -> None:
    network = some_network("usa")
    network.check(load_edition("usa"))
    with pytest.raises(BadNetwork, match="for usa, and Europe has another board"):
        network.check(load_edition("europe"))


# -- the networks that come with Macaz ------------------------------------------------------------


@pytest.mark.parametrize("name", packaged())
def test_what_comes_with_macaz_fits_its_edition(name: str) -> None:
    edition = load_edition(name)
    network = network_for(edition)
    assert network is not None
    network.check(edition)
    assert np.array_equal(network.columns, columns_for(edition)[0])


def test_a_map_of_ones_own_has_no_network() -> None:
    text = edition_text(load_edition("europe"))
    assert "London" in text
    edition = read_edition(text.replace("London", "Londinium"))
    assert network_for(edition) is None
