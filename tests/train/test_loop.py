"""A whole training, small enough for a processor: it learns, is kept, and goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from macaz.bots.network import read_network
from macaz.edition import load_edition
from macaz.errors import MacazError
from macaz.game import Game
from macaz.train.folder import CHECKPOINT, NETWORK
from macaz.train.loop import train
from macaz.train.progress import WINS, Progress
from macaz.train.settings import Settings, settings_for


def small(**more: Any) -> Settings:
    """So many minutes that the rate of learning stays as it is, however quick the machine is."""
    usual = settings_for("tiny", "small")
    return msgspec.structs.replace(usual, **{"seats": (2,), "minutes": 1000.0, **more})


def run(settings: Settings, folder: Path, iterations: int) -> list[Progress]:
    told: list[Progress] = []
    train(settings, folder, told.append, lambda: len(told) >= iterations)
    return told


def share(told: list[Progress], name: str) -> float:
    return float(np.mean([p.numbers[WINS + name] for p in told if WINS + name in p.numbers]))


@pytest.mark.slow
def test_it_learns(tmp_path: Path) -> None:
    """After some thousand games it beats what it was at first, and the players it was taught by."""
    settings = small(games=192, past=0.3, scripted=0.2, remember=1000)
    told = run(settings, tmp_path, 45)
    before, after = told[: settings.warm], told[-15:]
    assert 0.35 < share(before, "past") < 0.65, "it is what it was"
    assert share(after, "past") > 0.7
    assert share(after, "playout") > 0.7
    network = read_network(tmp_path / NETWORK)
    network.check(load_edition("tiny"))
    assert network.about["games"] == told[-1].games


def test_until_it_is_warm_only_values_are_learned(tmp_path: Path) -> None:
    run(small(games=32, warm=2), tmp_path, 2)
    kept = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    assert kept["network"]["trust"][0] == 6.0
    run(small(games=32, warm=2), tmp_path, 1)
    kept = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    assert kept["network"]["trust"][0] != 6.0


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    settings = small(games=32, remember=2)
    first = run(settings, tmp_path, 3)
    [network, checkpoint] = sorted(tmp_path.iterdir(), key=lambda path: path.suffix)
    assert {network.name, checkpoint.name} == {NETWORK, CHECKPOINT}
    kept = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    assert len(kept["past"]) == 2
    then = run(settings, tmp_path, 2)
    assert [p.iteration for p in first + then] == [1, 2, 3, 4, 5]
    assert [p.decisions for p in first + then] == [n * 32 * settings.steps for n in range(1, 6)]
    assert then[0].seconds > first[-1].seconds
    assert then[0].games > first[-1].games
    again = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    assert len(again["past"]) == 3
    for name, value in again["past"][1].items():
        assert torch.equal(value, kept["past"][1][name]), "the league is remembered"
    # No more is learned than the time allows: the network is as it was.
    assert run(msgspec.structs.replace(settings, minutes=1e-9), tmp_path, 9) == []
    same = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    for name, value in again["network"].items():
        assert torch.equal(value, same["network"][name])
    assert read_network(tmp_path / NETWORK).trust == pytest.approx(same["network"]["trust"].numpy())


def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    settings = small(games=32, warm=1)
    kept = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        run(settings, tmp_path / name, 4)
        kept.append(read_network(tmp_path / name / NETWORK))
    # The time that is over decides the rate of learning, ever so little here.
    assert kept[0].speak.weight == pytest.approx(kept[1].speak.weight, abs=1e-3)


@pytest.mark.parametrize("how", ["half", "empty", "text", "another", "less"])
def test_a_broken_checkpoint_is_named(tmp_path: Path, how: str) -> None:
    settings = small(games=16, steps=4)
    path = tmp_path / CHECKPOINT
    run(settings, tmp_path, 1)
    whole = path.read_bytes()
    if how == "another":
        settings = msgspec.structs.replace(settings, width=32)
    elif how == "less":
        kept = torch.load(path, weights_only=True)
        del kept["optimizer"]
        torch.save(kept, path)
    else:
        path.write_bytes({"half": whole[: len(whole) // 2], "empty": b""}.get(how, b"no such"))
    with pytest.raises(MacazError, match=r"checkpoint\.pt is no checkpoint .* choose another"):
        run(settings, tmp_path, 2)


def test_what_was_learned_plays(tmp_path: Path) -> None:
    """The network of the folder is a bot's at once."""
    from macaz.bots import make_bot

    run(small(games=16, steps=4), tmp_path, 1)
    bots = [make_bot(f"learned:{tmp_path / NETWORK}", seed=1), make_bot("random", seed=2)]
    game = Game("tiny", 2, seed=5)
    while not game.over:
        seat = game.deciding[0]
        game.push(bots[seat].choose(game.view(seat), list(game.legal_moves_of(seat))), seat)
    assert game.over


def test_threads_are_as_before(tmp_path: Path) -> None:
    before = torch.get_num_threads()
    run(small(games=16, steps=4), tmp_path, 1)
    assert torch.get_num_threads() == before


def test_sizes() -> None:
    full = settings_for("old-west", "full")
    assert (full.device, full.seats) == ("cuda", (2, 3, 4, 5, 6))
    assert settings_for("europe", "small").device == "cpu"
    with pytest.raises(MacazError, match="use small or full"):
        settings_for("tiny", "huge")
