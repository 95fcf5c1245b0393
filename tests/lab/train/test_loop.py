"""A whole training, small enough for a CPU: it learns, is saved, and is resumed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from macaz.bots.network import board_digest, read_network
from macaz.edition import load_edition
from macaz.errors import MacazError
from macaz.game import Game
from macaz.lab.train import loop
from macaz.lab.train.folder import CHECKPOINT, NETWORK
from macaz.lab.train.learner import Iteration, Learner
from macaz.lab.train.loop import train
from macaz.lab.train.progress import WINS, Progress
from macaz.lab.train.settings import Settings, settings_for

OTHER_TICKET = 'to = "Sinaia",     points =  3', 'to = "Sinaia",     points =  5'


def small(**more: Any) -> Settings:
    """Settings with so many minutes that the learning rate stays constant on any machine."""
    usual = settings_for("tiny", "small")
    return msgspec.structs.replace(usual, **{"seats": (2,), "minutes": 1000.0, **more})


def run(settings: Settings, folder: Path, iterations: int) -> list[Progress]:
    reports: list[Progress] = []
    train(settings, folder, reports.append, lambda: len(reports) >= iterations)
    return reports


def share(reports: list[Progress], name: str) -> float:
    return float(np.mean([p.numbers[WINS + name] for p in reports if WINS + name in p.numbers]))


@pytest.mark.slow
def test_it_learns(tmp_path: Path) -> None:
    """After some thousand games it beats its initial state, and the players it learned from."""
    settings = small(games=192, past=0.3, scripted=0.2, remember=1000)
    reports = run(settings, tmp_path, 45)
    before, after = reports[: settings.warm], reports[-15:]
    assert 0.35 < share(before, "past") < 0.65, "it is still equal to its past self"
    assert share(after, "past") > 0.7
    assert share(after, "playout") > 0.7
    network = read_network(tmp_path / NETWORK)
    network.check(load_edition("tiny"))
    assert network.about["games"] == reports[-1].games


def test_until_it_is_warm_only_values_are_learned(tmp_path: Path) -> None:
    run(small(games=32, warm=2), tmp_path, 2)
    kept = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    assert kept["network"]["trust"][0] == 6.0
    run(small(games=32, warm=2), tmp_path, 1)
    kept = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    assert kept["network"]["trust"][0] != 6.0


@pytest.mark.portable
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
        assert torch.equal(value, kept["past"][1][name]), "the past networks are kept"
    # No time is left, so nothing is learned: the network is unchanged.
    assert run(msgspec.structs.replace(settings, minutes=1e-9), tmp_path, 9) == []
    same = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    for name, value in again["network"].items():
        assert torch.equal(value, same["network"][name])
    assert read_network(tmp_path / NETWORK).trust == pytest.approx(same["network"]["trust"].numpy())


@pytest.mark.portable
def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    settings = small(games=32, warm=1)
    kept = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        run(settings, tmp_path / name, 4)
        kept.append(read_network(tmp_path / name / NETWORK))
    # The learning rate depends on the time that has passed, though very little here.
    assert kept[0].speak.weight == pytest.approx(kept[1].speak.weight, abs=1e-3)


def test_nothing_is_written_where_nothing_was_learned(tmp_path: Path) -> None:
    """A training whose time is over does not change its files."""
    settings = small(games=16, steps=4)
    run(settings, tmp_path, 1)
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.iterdir()}
    assert run(msgspec.structs.replace(settings, minutes=1e-9), tmp_path, 9) == []
    after = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.iterdir()}
    assert after == before


def test_the_file_says_which_tables_were_learned(tmp_path: Path) -> None:
    run(small(games=16, steps=4), tmp_path, 1)
    assert read_network(tmp_path / NETWORK).about["seats"] == [2, 2]


def test_games_that_were_played_are_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Learner] = []
    began: list[torch.Tensor] = []

    class Watched(Learner):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            made.append(self)
            began.append(self.envs.numbers.clone())

    monkeypatch.setattr(loop, "Learner", Watched)
    settings = small(games=16, steps=48)
    run(settings, tmp_path, 2)
    run(settings, tmp_path, 1)
    assert began[1].min() > made[0].envs.numbers.max()


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), 70_000.0])
def test_a_network_that_went_astray_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: float
) -> None:
    settings = small(games=16, steps=4)
    run(settings, tmp_path, 1)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    class Astray(Learner):
        def iterate(self, done: float, *, warm: bool) -> Iteration:
            found = super().iterate(done, warm=warm)
            self.network.enter.weight.data[0, 0] = wrong
            return found

    monkeypatch.setattr(loop, "Learner", Astray)
    with pytest.raises(MacazError, match=r"diverged.* --resume"):
        run(settings, tmp_path, 1)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_more_games_than_there_is_memory_for(tmp_path: Path) -> None:
    with pytest.raises(MacazError, match=r"memory for 1,000,000,000,000 games.* --games"):
        run(small(games=10**12), tmp_path, 1)


@pytest.mark.parametrize(
    "trouble",
    [
        MemoryError(),
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 9 GiB"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: 12"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: not enough memory: 12"),
        Exception("[CUresult.CUDA_ERROR_OUT_OF_MEMORY] Call to cuMemAlloc"),
    ],
)
def test_too_little_memory_to_go_on_is_no_fault_of_the_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    settings = small(games=16, steps=4)
    run(settings, tmp_path, 1)

    def fail(*_: object, **__: object) -> None:
        raise trouble

    monkeypatch.setattr(torch, "load", fail)
    with pytest.raises(MacazError, match="not enough memory for 16 games"):
        run(settings, tmp_path, 1)


def test_a_checkpoint_that_may_not_be_read_is_no_broken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = small(games=16, steps=4)
    run(settings, tmp_path, 1)

    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / CHECKPOINT))

    monkeypatch.setattr(torch, "load", fail)
    with pytest.raises(PermissionError):
        run(settings, tmp_path, 1)


def test_a_mistake_of_ours_is_no_lack_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("shapes cannot be multiplied")

    monkeypatch.setattr(loop, "Learner", fail)
    with pytest.raises(RuntimeError, match="shapes"):
        run(small(), tmp_path, 1)


def test_a_training_does_not_go_on_with_another_board(tmp_path: Path) -> None:
    """The rows keep their length, so nothing else would detect it."""
    mine = tmp_path / "mine.toml"
    text = (files("macaz") / "editions" / "tiny.toml").read_text(encoding="utf-8")
    mine.write_text(text, encoding="utf-8")
    before = board_digest(load_edition(str(mine)))
    folder = tmp_path / "run"
    folder.mkdir()
    settings = small(games=16, steps=4, edition=str(mine))
    run(settings, folder, 1)
    kept = (folder / CHECKPOINT).read_bytes()
    mine.write_text(text.replace(*OTHER_TICKET), encoding="utf-8")
    assert board_digest(load_edition(str(mine))) != before
    with pytest.raises(MacazError, match=r"another board.* --out"):
        run(settings, folder, 1)
    assert (folder / CHECKPOINT).read_bytes() == kept


def test_a_training_does_not_go_on_with_other_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = small(games=16, steps=4)
    run(settings, tmp_path, 1)
    monkeypatch.setattr("macaz.bots.network._row_digest", lambda: "another")
    with pytest.raises(MacazError, match=r"another version of Macaz.* --out"):
        run(settings, tmp_path, 1)


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
    with pytest.raises(MacazError, match=r"is not a usable checkpoint .* choose another"):
        run(settings, tmp_path, 2)
    path.unlink()  # as the message says
    assert [p.iteration for p in run(settings, tmp_path, 1)] == [1]


def test_what_was_learned_plays(tmp_path: Path) -> None:
    """The network of the folder can be used by a bot at once."""
    from macaz.bots import make_bot

    run(small(games=16, steps=4), tmp_path, 1)
    bots = [make_bot(f"learned:{tmp_path / NETWORK}", seed=1), make_bot("random", seed=2)]
    game = Game("tiny", 2, seed=5)
    while not game.over:
        seat = game.deciding[0]
        game.push(bots[seat].choose(game.view(seat), list(game.legal_moves_of(seat))), seat)
    assert game.over


@pytest.fixture
def two_threads() -> Iterator[None]:
    """More threads than a small network is trained with."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("two_threads")
def test_threads_are_as_before(tmp_path: Path) -> None:
    seen: list[int] = []
    train(
        small(games=16, steps=4),
        tmp_path,
        lambda _: seen.append(torch.get_num_threads()),
        lambda: bool(seen),
    )
    assert seen == [1]
    assert torch.get_num_threads() == 2


def test_sizes() -> None:
    full = settings_for("old-west", "full")
    assert (full.device, full.seats) == ("cuda", (2, 3, 4, 5, 6))
    assert settings_for("europe", "small").device == "cpu"
    with pytest.raises(MacazError, match="use small or full"):
        settings_for("tiny", "huge")
