"""The command line: quick to start, clear about errors, and results are kept when it is stopped."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from rich.console import Console
from tests.editions import MAIN

from macaz.cli import COMMANDS, main
from macaz.cli.options import count, program
from macaz.cli.terminal.show import Screen
from macaz.cli.text import stdout
from macaz.edition import list_editions, load_edition
from macaz.edition.rules import KNOBS
from macaz.errors import Problem
from macaz.game import Game
from macaz.game.moves import InvalidMove
from macaz.game.position import InvalidPosition
from macaz.lab.simulate import simulate


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


@pytest.mark.parametrize("args", [["--help"], ["simulate", "--help"], ["edition", "--help"], []])
def test_help_imports_nothing_heavy(args):
    code = (
        "import sys; from macaz.cli import main\n"
        f"try: main({args!r})\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "heavy = {'numpy', 'numba', 'rich', 'pyarrow', 'matplotlib', 'platformdirs'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Usage: macaz" in done.stdout


def test_every_command_of_the_table_is_there():
    text = run("--help").output
    for name, (_, line) in COMMANDS.items():
        assert name in text
        assert line in text
        assert run(name, "--help").exit_code == 0


def test_the_version_is_said():
    assert run("--version").output.startswith("macaz ")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ("simulat", "'simulate'"),
        ("simulate --seeds 1", "--seeds"),
        ("simulate -e usa-clasic", "Did you mean 'usa-classic'?"),
        ("simulate -e old-west+alvni", "Did you mean 'alvin'?"),
        ("simulate -e nowhere/map.toml", "there is no edition file"),
        ("simulate -p 6", "2 to 5 players, not 6"),
        ("simulate -n 0", "10k"),
        ("simulate -n 1.5", "10k"),
        ("simulate -n 0e99", "10k"),
        ("simulate -n 1e30", "'1e30' is too large: the maximum is 1e15."),
        ("simulate -n 1e99999", "the maximum is 1e15"),
        ("simulate -n 999999999999g", "the maximum is 1e15"),
        ("simulate --workers 0", "not a number of threads from 1 to 1024"),
        ("simulate --workers 10k", "not a number of threads from 1 to 1024"),
        ("simulate --out games.csv", "--out: the name of the file ends in .parquet"),
        ("simulate --seed -1", "--seed"),
        ("simulate --seed 9223372036854775808", "--seed"),
        ("simulate --out nowhere/games.parquet", "there is no folder nowhere"),
        ("simulate --out .", "not a file"),
        ("simulate --plot scores.jpg", ".png"),
        ("simulate --plot nowhere/scores.png", "there is no folder nowhere"),
        ("edition show europ", "Did you mean 'europe'?"),
        ("edition shwo europe", "'show'"),
        ("edition check nowhere.toml", "there is no edition file 'nowhere.toml'."),
        ("edition show nope", "there is no edition 'nope'. Known:"),
    ],
)
def test_an_error_is_one_sentence_that_helps(args, words):
    result = run(*args.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("macaz: ")
    assert result.stderr.count("\n") == 1
    assert words in result.stderr


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1000000", 10**6),
        ("1_000_000", 10**6),
        ("1e6", 10**6),
        ("1E6", 10**6),
        ("10k", 10**4),
        ("1M", 10**6),
        ("1.5M", 1_500_000),
        ("7", 7),
        ("1e15", 10**15),
    ],
)
def test_counts_are_read_as_people_write_them(text, number):
    assert count(text) == number


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "k", "1e", "ten", "1e999999999", "٣"])
def test_other_counts_are_refused(text):
    with pytest.raises(click.BadParameter):
        count(text)


def test_editions_are_listed():
    output = run("edition", "list").output
    for name in list_editions():
        assert name in output
    assert "alvin" in output


def test_an_edition_is_shown_whole():
    result = run("edition", "show", "old-west+alvin")
    edition = load_edition("old-west+alvin")
    assert result.exit_code == 0
    assert edition.fingerprint in result.output
    for knob in KNOBS:
        assert knob in result.output
    for city in edition.board.cities:
        assert city.name in result.output


def test_a_sound_file_has_no_problem():
    result = run("edition", "check", "europe")
    assert (result.exit_code, result.output) == (0, "europe: no problem found\n")


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "map.toml").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    result = run("edition", "check", "map.toml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "macaz: map.toml: cannot be read: Permission denied.\n"


def test_one_number_of_players_is_no_range(tmp_path):
    source = Path(sys.modules["macaz"].__path__[0]) / "editions" / "tiny.toml"
    file = tmp_path / "two.toml"
    file.write_text(re.sub(r"(?m)^max_seats .*", "max_seats = 2", source.read_text()))
    assert "\n2 players, 6 cities" in run("edition", "show", str(file)).output
    assert "is for 2 players, not 3" in run("simulate", "-e", str(file), "-p", "3").stderr


@pytest.mark.skipif(sys.platform == "win32", reason="programs have other names there")
def test_the_program_is_named_as_it_was_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "bin" / "macaz"
    script.parent.mkdir()
    script.touch(0o755)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "argv", ["bin/macaz", "play"])
    assert program() == "bin/macaz"
    monkeypatch.setenv("PATH", str(script.parent))
    assert program() == "macaz"
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "macaz" / "__main__.py"), "play"])
    assert program() == "python -m macaz"


def test_all_problems_of_a_file_are_said(tmp_path):
    source = Path(sys.modules["macaz"].__path__[0]) / "editions" / "tiny.toml"
    text = re.sub(r"(?m)^trains .*", "trains = 600", source.read_text())
    text = re.sub(r"(?m)^hand .*", "hnad = 2", text)
    file = tmp_path / "broken.toml"
    file.write_text(text)
    result = run("edition", "check", str(file))
    line = text.splitlines().index("trains = 600") + 1
    assert result.exit_code == 1
    assert f"line {line}, " in result.output
    assert "600 is out of range" in result.output
    assert "Use a whole number from 1 to 60." in result.output
    assert 'Did you mean "hand"?' in result.output


def test_simulate_says_what_the_library_says():
    result = run("simulate", "-e", "tiny", "-n", "300", "--seed", "5", "--json")
    assert result.exit_code == 0
    said, known = json.loads(result.stdout), simulate(load_edition("tiny"), 2, 300, 5).to_dict()
    said.pop("seconds")
    known.pop("seconds")
    assert said == known
    assert "--seed 5" in result.stderr


def test_simulate_shows_tables_and_writes_files(tmp_path):
    out, plot = tmp_path / "games.parquet", tmp_path / "scores.svg"
    out.write_text("an older file")
    result = run(
        *("simulate", "-e", "europe", "-p", "3", "-n", "200"),
        *("--out", str(out), "--plot", str(plot)),
    )
    assert result.exit_code == 0, result.stderr
    for words in ("Europe, 3 players, 200 random games", "1, begins", "stations", "Decisions"):
        assert words in result.stdout.replace("\n", " ")
    assert pq.read_metadata(out).num_rows == 200
    assert plot.read_text().lstrip().startswith("<?xml")
    assert "\x1b" not in result.output


def test_a_new_seed_is_chosen_and_said():
    seeds = {
        json.loads(run("simulate", "-e", "tiny", "-n", "1", "--json").stdout)["seed"]
        for _ in range(3)
    }
    assert len(seeds) > 1


def test_a_missing_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = run("simulate", "--out", str(tmp_path / "games.parquet"))
    assert result.exit_code == 2
    assert "[lab]'" in result.stderr


@pytest.fixture
def heard_hangup() -> Iterator[None]:
    """Programs started meanwhile receive SIGHUP, though the tests may run under nohup."""
    before = signal.signal(signal.SIGHUP, lambda *_: None)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.usefixtures("heard_hangup")
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_keeps_the_games_so_far(name, status, tmp_path):
    out, plot = tmp_path / "games.parquet", tmp_path / "scores.png"
    command = [sys.executable, "-m", "macaz", "simulate", "-e", "tiny", "-n", "1e9", "--json"]
    with subprocess.Popen(
        [*command, "--out", str(out), "--plot", str(plot)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        # Once it writes output, compiling is over and signals are handled.
        while not list(tmp_path.glob(".games.parquet.*")) and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(getattr(signal, name))
        stdout, stderr = process.communicate()
    assert process.returncode == status, stderr
    found = json.loads(stdout)
    assert found["stopped"]
    assert pq.read_metadata(out).num_rows == found["games"] > 0
    assert "Stopped early" in stderr
    assert f"{found['games']:,} games" in stderr
    assert "Traceback" not in stderr
    assert plot.stat().st_size > 0
    assert {path.name for path in tmp_path.iterdir()} == {"games.parquet", "scores.png"}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
@pytest.mark.usefixtures("heard_hangup")
def test_a_closed_terminal_keeps_the_games_so_far(tmp_path):
    import pty

    out = tmp_path / "games.parquet"
    child, terminal = pty.fork()
    if child == 0:
        command = ["-m", "macaz", "simulate", "-e", "tiny", "-n", "1e9", "--out", str(out)]
        os.execv(sys.executable, [sys.executable, *command])
    while not list(tmp_path.glob(".games.parquet.*")):
        time.sleep(0.02)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 129
    assert pq.read_metadata(out).num_rows > 0
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]


def test_a_run_stopped_before_its_first_game_says_so(monkeypatch, tmp_path):
    def stop_at_once(*args, stop, **settings):
        signal.raise_signal(signal.SIGTERM)
        return simulate(*args, stop=stop, **settings)

    monkeypatch.setattr("macaz.lab.simulate.simulate", stop_at_once)
    out = tmp_path / "games.parquet"
    result = run("simulate", "-e", "tiny", "-n", "5", "--json", "--out", str(out))
    assert result.exit_code == 143
    assert result.stdout == ""
    assert result.stderr == "macaz: stopped before the first game was finished.\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "error", [InvalidMove("no such move."), InvalidPosition([Problem("row", "empty", "Fill it.")])]
)
def test_every_error_of_ours_becomes_a_sentence(error, monkeypatch):
    def fail(*args):
        raise error

    monkeypatch.setattr("macaz.edition.load_edition", fail)
    result = run("simulate", "-e", "tiny")
    assert result.exit_code == 2
    assert result.stderr == f"macaz: {error}\n"


def test_a_closed_pipe_is_no_cause_for_words():
    with subprocess.Popen(
        [sys.executable, "-m", "macaz", "edition", "show", "old-west"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""


# -- the texts of a game in the terminal -----------------------------------------------------------


def screen(edition: str, width: int) -> tuple[Screen, io.StringIO]:
    shown = io.StringIO()
    game = Game(edition, 2, seed=3, target="plain")
    return Screen(Console(file=shown, width=width), game, 0), shown


@pytest.mark.parametrize("edition", [*MAIN, "old-west+alvin"])
def test_the_help_of_a_game_breaks_no_line_and_knows_the_edition(edition):
    narrow, wide = screen(edition, 80), screen(edition, 300)
    for one, _ in (narrow, wide):
        one.help()
    lines = [[line.rstrip() for line in one.getvalue().splitlines()] for _, one in (narrow, wide)]
    assert lines[0] == lines[1]
    words = {line.split()[0] for line in lines[0]}
    phases = narrow[0].rules.phases
    for word, phase in {
        "station": "station",
        "pay": "tunnel",
        "start": "start-city",
        "mark": "marker",
        "alvin": "alvin",
    }.items():
        assert (word in words) == (phase in phases), word


def test_the_help_of_a_game_shows_moves():
    one, _ = screen("europe", 80)
    for typed, _ in one._moves_to_type():
        if not typed.startswith("claim") or "loco" in typed:  # the short form is the terminal's
            one.game.notation.parse(typed, 0 if typed.startswith("keep") else -1)


def test_lists_are_broken_between_items_only():
    one, _ = screen("tiny", 80)
    items = ["[red]3 red[/]", "Sault Ste. Marie 8", "Salt Lake City 7", "x" * 30]
    assert one.dotted(items, 26) == (
        f"[red]3 red[/] · Sault Ste. Marie 8\nSalt Lake City 7\n{'x' * 30}"
    )
    assert one.dotted([]) == ""


def test_only_a_clear_answer_throws_a_game_away(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ("terminal", "--edition", "tiny", "--seed", "1")
    result = CliRunner().invoke(main, command, input="quit\nnope\nN\n")
    assert result.exit_code == 0
    assert result.stdout.count("[Y/n]") == 2
    assert "Not saved" in result.stdout
    assert not list(tmp_path.iterdir())
    result = CliRunner().invoke(main, command, input="quit\n\n")
    assert "terminal --continue tiny-" in result.stdout


def test_the_deck_keeps_its_number_between_two_cards(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ("terminal", "--edition", "tiny", "--seed", "1")
    shown = CliRunner().invoke(main, command, input="all\n1\n").stdout
    assert shown.count("1) from the deck") == 2
    assert re.search("(You begin|begins)\\.", shown)


def test_the_name_of_a_bot_is_no_picture(capsys: pytest.CaptureFixture[str]) -> None:
    stdout().print("my.py:Train: it failed", markup=False)
    assert capsys.readouterr().out == "my.py:Train: it failed\n"
