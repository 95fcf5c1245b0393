"""`macaz train`: trains, resumes, prints progress and reports errors, with a fake training."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path
from types import ModuleType

import msgspec
import pytest
from click.testing import CliRunner, Result
from rich.console import Console
from tests.lab.train.runs import make_network, make_run, progress_after, rating, settings

from macaz.cli import expected, main
from macaz.cli.train.show import LINE_INTERVAL, Show, print_ratings
from macaz.kernel.gpu import NoGPU
from macaz.lab.train.folder import CHECKPOINT, NETWORK, read_settings
from macaz.lab.train.journal import read_log
from macaz.lab.train.rater import Rater
from macaz.lab.train.ratings import read_ratings
from macaz.lab.train.settings import settings_for

ITERATIONS = 5


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["train", *map(str, args)])


@pytest.fixture
def interrupted(monkeypatch) -> list[int]:
    """Replaces the training by a fake; a list of the iterations at which Ctrl-C is pressed."""
    presses: list[int] = []

    def train(settings, folder, report, stop):
        kept = folder / CHECKPOINT
        done = int(kept.read_text()) if kept.exists() else 0
        for iteration in range(done + 1, done + ITERATIONS + 1):
            if progress_after(iteration).seconds > 60 * settings.minutes:
                return
            if iteration in presses:
                os.kill(os.getpid(), signal.SIGINT)
            report(progress_after(iteration))
            make_network(folder, iteration)
            kept.write_text(str(iteration))
            if stop():
                return

    loop = ModuleType("macaz.lab.train.loop")
    loop.train = train  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "macaz.lab.train.loop", loop)
    return presses


@pytest.fixture
def folder(tmp_path, interrupted) -> Path:
    """The folder of a finished training."""
    place: Path = tmp_path / "run"
    done = run("-e", "tiny", "--device", "cpu", "--out", place)
    assert done.exit_code == 0, done.output
    return place


def test_a_training_leaves_its_network_its_log_its_curve_and_its_card(folder):
    assert read_settings(folder) == settings()
    assert len(read_log(folder)) == ITERATIONS
    assert "# A network for tiny" in (folder / "card.md").read_text(encoding="utf-8")
    assert (folder / "curve.svg").read_bytes().startswith(b"<?xml")


def test_it_goes_on(folder):
    again = run("--out", folder, "--resume", "--minutes", 3)
    assert again.exit_code == 0, again.output
    assert read_settings(folder).minutes == 3
    assert len(read_log(folder)) == 2 * ITERATIONS


def test_a_training_whose_minutes_are_over_says_so_and_changes_nothing(folder):
    def kept() -> dict[Path, bytes]:
        return {
            path: path.read_bytes() for path in folder.iterdir() if path.name != "settings.json"
        }

    before = kept()
    over = run("--out", folder, "--resume", "--minutes", 0.05, "--rated", 1)
    assert over.exit_code == 0, over.output
    assert "0.05 minutes are over" in over.stderr
    assert "--minutes" in over.stderr
    assert "Wrote" not in over.stderr
    assert kept() == before


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path, interrupted):
    interrupted.append(3)
    place = tmp_path / "a run"
    done = run("-e", "tiny", "--device", "cpu", "--out", place)
    assert done.exit_code == 130
    assert len(read_log(place)) == 3
    assert f"train --out '{place}' --resume" in done.stderr
    assert (place / "card.md").exists()


def test_what_is_asked_for_is_used(tmp_path, interrupted):
    options = "--seats 2 --width 32 --blocks 3 --games 1k --seed 9 --minutes 0.5 --size small"
    done = run("-e", "tiny", "--device", "cpu", "--out", tmp_path, *options.split())
    assert done.exit_code == 0, done.output
    found = read_settings(tmp_path)
    assert (found.seats, found.width, found.blocks, found.games) == ((2,), 32, 3, 1000)
    assert (found.seed, found.minutes, found.device) == (9, 0.5, "cpu")


@pytest.mark.usefixtures("interrupted")
def test_it_is_rated_while_it_is_trained_and_at_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr("macaz.cli.train.RATED_GAMES", 2)
    told_of = []

    class Fake(Rater):
        def __init__(self, folder, match, *, minutes):
            told_of.append((match.bot, minutes))
            match = msgspec.structs.replace(match, bot="greedy", opponents=("random",))
            super().__init__(folder, match, minutes=minutes)

    monkeypatch.setattr("macaz.lab.train.rater.Rater", Fake)
    done = run("-e", "tiny", "--device", "cpu", "--out", tmp_path, "--rated", 4)
    assert done.exit_code == 0, done.output
    assert told_of == [(f"learned:{tmp_path / 'rated.npz'}", 4)]
    found = read_ratings(tmp_path)
    assert [one.iteration for one in found] == [1, ITERATIONS]
    assert "random" in done.stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ("", "name the edition"),
        ("-e tinny", "Did you mean 'tiny'?"),
        ("-e tiny --seats 2,9", "players, not 9"),
        ("-e tiny --seats two", "no list of numbers"),
        ("-e tiny --size huge", "'huge'"),
        ("-e tiny --games 0", "10k"),
        ("-e tiny --minutes 0", "--minutes"),
        ("--resume", "--out"),
        ("--resume --out nowhere", "has no training"),
        ("--resume --out nowhere --size full", "for a new training"),
    ],
)
@pytest.mark.usefixtures("interrupted")
def test_mistakes_are_explained(args, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed = run("--device", "cpu", *args.split())
    assert failed.exit_code == 2, failed.output
    assert words in failed.stderr.replace("\n", " ")
    assert not list(tmp_path.iterdir()), "no folder is created"


def test_a_folder_of_another_training_is_left_alone(folder):
    before = (folder / "settings.json").read_bytes()
    assert "--resume" in run("-e", "tiny", "--device", "cpu", "--out", folder).stderr
    other = run("--out", folder, "--resume", "--width", 7)
    assert "width is 64, not 7" in other.stderr
    assert (folder / "settings.json").read_bytes() == before


def test_without_pytorch_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    failed = run("-e", "tiny", "--out", tmp_path / "run")
    assert failed.exit_code == 2
    assert "needs torch" in failed.stderr
    assert ".[train]" in failed.stderr
    assert not (tmp_path / "run").exists()


def test_without_a_gpu_it_learns_on_the_cpu_unless_a_gpu_is_asked_for(
    tmp_path, monkeypatch, interrupted
):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    failed = run("-e", "tiny", "--device", "cuda", "--out", tmp_path / "run")
    assert failed.exit_code == 2
    assert "--device cpu" in failed.stderr
    assert not (tmp_path / "run").exists()
    assert run("-e", "tiny", "--out", tmp_path / "run").exit_code == 0
    assert read_settings(tmp_path / "run") == settings()


def test_where_games_cannot_be_played_on_the_gpu_it_learns_on_the_cpu_unless_asked(
    tmp_path, monkeypatch, interrupted
):
    """PyTorch alone is not enough: the games need numba-cuda."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr("macaz.kernel.gpu.gpu_problem", lambda: "numba-cuda is missing")
    failed = run("-e", "tiny", "--device", "cuda", "--out", tmp_path / "run")
    assert failed.exit_code == 2
    assert "numba-cuda is missing" in failed.stderr
    assert "--device cpu" in failed.stderr
    assert not (tmp_path / "run").exists()
    done = run("-e", "tiny", "--out", tmp_path / "run")
    assert done.exit_code == 0, done.output
    assert "numba-cuda is missing" in done.stderr
    assert read_settings(tmp_path / "run") == settings()


def test_without_a_usable_gpu_the_cli_has_an_answer():
    assert expected(NoGPU("numba-cuda is missing")) == "numba-cuda is missing"


def test_a_picture_and_a_card_are_made_again(tmp_path):
    place = make_run(tmp_path / "run", iterations=3)
    assert run("plot", place, "--out", tmp_path / "a.png").exit_code == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert ".png" in run("plot", place, "--out", tmp_path / "a.gif").stderr
    assert run("card", place).stdout.startswith("# A network for tiny")


def test_a_network_is_rated_when_asked(tmp_path):
    place = make_run(tmp_path / "run", iterations=3)
    assert f"has no {NETWORK}" in run("rate", place).stderr
    make_network(place, 2)  # the third iteration was logged, and never saved
    done = run("rate", place, "--bots", "random", "-n", 2, "--workers", 1)
    assert done.exit_code == 0, done.output
    [found] = read_ratings(place)
    assert (found.opponent, found.players, found.games) == ("random", 2, 2)
    assert (found.iteration, found.decisions, found.trained_games) == (2, 2000, 20)
    [row] = [line.split() for line in done.stdout.splitlines() if "random" in line]
    assert row[:4] == ["random", "2", f"{100 * found.share:.1f}", "%"]


def test_a_broken_network_is_not_rated(tmp_path):
    place = make_run(tmp_path / "run", iterations=3)
    (place / NETWORK).write_bytes(b"no network")
    failed = run("rate", place)
    assert failed.exit_code == 2
    assert "is not a network, or is damaged" in failed.stderr
    assert read_ratings(place) == []


def test_the_help_tells_what_is_usual():
    text = " ".join(run("--help").stdout.split())
    full, small = settings_for("tiny", "full"), settings_for("tiny", "small")
    for name in ("minutes", "games", "width", "blocks", "rated"):
        assert (
            f"by default {getattr(full, name):g}, or {getattr(small, name):g} if small" in text
        ), name
    assert f"random numbers; {full.seed} by default" in text


def test_the_line_tells_how_far_how_fast_and_how_well():
    seen = io.StringIO()
    with Show(Console(file=seen, width=200), minutes=5) as show:
        for iteration in range(1, int(LINE_INTERVAL) + 2):
            show.update(progress_after(iteration, **{"wins/greedy": 0.625}))
    first, last = seen.getvalue().replace("\u202f", " ").splitlines()
    line = "10 games · 1 k decisions/s · 5.0 min left · greedy 62 % · entropy 0.50"
    assert first == line
    assert last.startswith("610 games · ")


def test_the_bar_is_shown_in_a_terminal():
    seen = io.StringIO()
    with Show(Console(file=seen, width=200, force_terminal=True), minutes=5) as show:
        show.update(progress_after(20))
    assert "200 games" in seen.getvalue()


def test_ratings_are_a_table_that_says_what_failed(capsys):
    print_ratings([msgspec.structs.replace(rating(60, "racer"), failures=3)])
    shown = capsys.readouterr().out
    assert "racer" in shown
    assert "Against racer: the network failed in 3 games, and lost." in shown
