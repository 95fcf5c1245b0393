"""`macaz arena`: plays, resumes, rates, reports, shows its games, and reports errors."""

from __future__ import annotations

import io
import json
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from macaz.cli import main
from macaz.cli.arena import arena
from macaz.cli.arena.show import print_ratings, progress
from macaz.cli.text import plural
from macaz.game.record import load_record
from macaz.lab.arena.result import GameResult
from macaz.lab.arena.settings import Settings
from macaz.lab.arena.store import Store, read_results

GAMES = 12


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["arena", *map(str, args)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A tournament that has been played, by a real process."""
    place: Path = tmp_path_factory.mktemp("arena") / "first"
    done = run(
        *("--bots", "random, greedy", "-e", "tiny", "-n", GAMES - 1, "--seed", 3),
        *("--workers", 1, "--out", place),
    )
    assert done.exit_code == 0, done.output
    assert re.search(r"greedy +12 +\d+\.\d % ", done.stdout)
    assert re.search(r"random +12 +\d+\.\d % ", done.stdout)
    assert done.stderr == f"12 games, seed 3, in {place}\nWrote {place}/report.html\n"
    return place


def test_a_tournament_is_kept(folder):
    assert json.loads((folder / "arena.json").read_text())["bots"] == ["random", "greedy"]
    results = list(read_results(folder))
    assert len({(r.deal, r.lineup) for r in results}) == len(results) == GAMES
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "macaz arena --bots random,greedy --edition tiny --players 2 --games 11" in page


def test_without_a_folder_nothing_is_kept(tmp_path, monkeypatch):
    """A second tournament with the same seed shows its own games, and not those before it."""
    monkeypatch.chdir(tmp_path)
    for games in (4, 2):
        done = run("--bots", "random,greedy", "-e", "tiny", "-n", games, "--seed", 3)
        assert done.exit_code == 0, done.output
        assert done.stderr == f"{games} games, seed 3; --out FOLDER would keep the games\n"
        assert re.search(rf"greedy +{games} +\d+\.\d % ", done.stdout)
        assert list(tmp_path.iterdir()) == []


def test_going_on_needs_only_the_folder(folder):
    before = (folder / "games.jsonl").read_bytes()
    again = run("--out", folder)
    assert again.exit_code == 0
    assert "12 games of them played before" in again.stderr
    assert (folder / "games.jsonl").read_bytes() == before


def test_the_report_is_written_again(folder):
    page = folder / "report.html"
    before = page.read_bytes()
    page.unlink()
    assert "greedy" in run("report", folder).stdout
    assert page.read_bytes() == before


def test_games_are_listed_and_watched(folder):
    listed = run("watch", folder).stdout
    assert len(re.findall(r"^ +\d+ +\d ", listed, re.MULTILINE)) == GAMES
    assert "★" in listed
    shown = run("watch", folder, 3, "--all").stdout
    assert "The game is over." in shown
    assert "no turn 500" in run("watch", folder, 3, "--turn", 500).output


def test_a_record_is_a_record(folder):
    text = run("record", folder, 3).stdout
    game = load_record(text)
    assert game.outcome is not None
    assert game.outcome.totals == list(read_results(folder))[2].scores


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ("", "name the bots"),
        ("--bots greedy", "at least two bots"),
        ("--bots greedy,gredy -e tiny", "Did you mean 'greedy'?"),
        ("--bots greedy,random -e tinny", "Did you mean 'tiny'?"),
        ("--bots greedy,random -e tiny -p 7", "players, not 7"),
        ("--bots greedy,random --sprt 0.5", "not two shares"),
        ("--bots greedy,random --sprt a,b", "not two shares"),
        ("--bots greedy,random --sprt 0.6,0.5", "p0 < p1"),
        ("--bots greedy,random -p 3 --sprt", "--gauntlet BOT"),
        ("--bots greedy,random -n 0", "10k"),
        ("--bots greedy,random --cluster 127.0.0.1:1", "no Ray cluster at '127.0.0.1:1'"),
        ("--bots greedy,random --cluster here", "an address is HOST:PORT, or auto"),
        ("--bots greedy,random --cluster auto --workers 2", "Ray decides"),
        ("watch nowhere", "nowhere"),
    ],
)
def test_mistakes_are_explained(args, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed = run(*args.split())
    assert failed.exit_code == 2
    assert words in failed.stderr.replace("\n", " ")
    assert not list(tmp_path.iterdir()), "no folder is created"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ("--out {} --seed 4", "another tournament: its seed is 3, not 4"),
        ("--out {} --bots greedy,random", "its bots is random,greedy, not greedy,random"),
        ("--out {} --gauntlet greedy", "its bots is random,greedy"),
        ("watch {} 99", "it has 12"),
        ("record {} 99", "it has 12"),
    ],
)
def test_a_folder_is_guarded(args, words, folder):
    failed = run(*args.format(folder).split())
    assert failed.exit_code == 2
    assert words in failed.stderr


def test_without_records_there_is_nothing_to_watch(tmp_path, result):
    settings = Settings(
        edition="tiny", fingerprint="", players=2, bots=("a", "b"), games=1, seed=1, records=False
    )
    with Store(tmp_path, settings) as store:
        assert "no game in" in run("report", tmp_path).stderr
        store.add(result)
    assert "--no-records" in run("watch", tmp_path, 1).stderr


@pytest.fixture
def result() -> GameResult:
    return GameResult(
        deal=0,
        lineup=("cmd:python3 [bot].py", "greedy"),
        first=0,
        scores=(3, 4),
        winners=(1,),
        decisions=(1, 1),
        turns=(1, 1),
        seconds=(1.0, 1.0),
        slowest=(1.0, 1.0),
        tickets_kept=(1, 1),
        tickets_done=(1, 1),
        failures=("BotFailed: silent", ""),
    )


def test_failures_are_told(result, capsys):
    print_ratings([result])
    told = capsys.readouterr().out
    assert (
        "cmd:python3 [bot].py failed 1 time, and lost; first in game 1, BotFailed: silent" in told
    )


def test_the_bar_shows_the_standing(result):
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120)
    with progress(console, 3, 1, [result]) as advance:
        advance(result)
    assert "2/3" in screen.getvalue()
    assert "greedy 100 % · cmd:python3 [bot].py 0 %" in screen.getvalue()


def test_a_command_that_made_games_makes_them_again():
    bots = ("search:0.1s", 'cmd:python3 "my bot.py" --style a,b')
    made = Settings(
        edition="tiny",
        fingerprint="",
        players=2,
        games=5,
        seed=9,
        bots=bots,
        gauntlet=True,
        sprt=(0.5, 0.55),
    )
    words = shlex.split(made.command)
    assert words[:2] == ["macaz", "arena"]
    params = arena.make_context("arena", words[2:]).params
    assert params["bots"] == bots
    assert params["gauntlet"] == bots[0]
    assert params["sprt"] == (0.5, 0.55)
    assert (params["games"], params["seed"], params["edition"]) == (5, 9, "tiny")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent otherwise there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_and_the_same_command_goes_on(number, tmp_path):
    command = [sys.executable, "-m", "macaz", "arena", "--bots", "greedy,random", "-e", "tiny"]
    command += ["--workers", "1", "--seed", "5", "--out", "cup", "--games"]
    playing = subprocess.Popen(
        [*command, "20k"], cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    games = tmp_path / "cup" / "games.jsonl"
    while not games.exists() or games.stat().st_size < 10_000:
        assert playing.poll() is None
        time.sleep(0.05)
    playing.send_signal(number)
    told, remarks = playing.communicate(timeout=60)
    assert playing.returncode == 128 + number
    kept = len(list(read_results(tmp_path / "cup")))
    games_kept = plural(kept, "game")
    assert f"Stopped with {games_kept}. Resume with: python -m macaz arena --out cup" in remarks
    assert "greedy" in told, "the ratings so far are printed"
    more = 2 * (kept // 2) + 4
    done = subprocess.run(
        [*command, str(more)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    results = list(read_results(tmp_path / "cup"))
    assert len({(r.deal, r.lineup) for r in results}) == len(results) >= more
