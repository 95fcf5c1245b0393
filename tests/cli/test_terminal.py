"""`macaz terminal`: whole games typed in a terminal, piped moves, stopping and resuming."""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from macaz.cli import main
from macaz.game import Game
from macaz.game.record import open_record, save_record

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")

COMMAND = [sys.executable, "-m", "macaz", "terminal"]
PROMPT = re.compile(r"(Keep which\?.*|Your move|Your payment.*|go on later\?.*)[:\]] $")
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """The game in a pseudo-terminal of some size, and the input that is typed into it."""

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        lines: int = 24,
        cwd: Path,
        before: Callable[[], object] = lambda: None,  # in the process that becomes the game
    ) -> None:
        self.master, slave = pty.openpty()
        size = lines.to_bytes(2, sys.byteorder) + columns.to_bytes(2, sys.byteorder) + bytes(4)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, size)
        environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}

        def prepare() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            before()

        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=cwd,
            env=environment | {"TERM": "xterm-256color"},
            start_new_session=True,
            preexec_fn=prepare,  # noqa: PLW1509
        )
        os.close(slave)
        self.text = ""

    def __del__(self) -> None:
        if self.process.poll() is None:  # a test has failed
            self.process.kill()
            self.process.wait()

    def wait(self) -> str:
        """The output up to the next prompt, or to the end."""
        start, deadline = len(self.text), time.monotonic() + 60
        while time.monotonic() < deadline:
            ready, _, _ = select.select([self.master], [], [], 1)
            if ready:
                try:
                    data = os.read(self.master, 65536)
                except OSError:
                    data = b""  # the other side is closed
                if not data:
                    break
                self.text += CONTROL.sub("", data.decode(errors="replace")).replace("\r", "")
            if PROMPT.search(self.text[start:]):
                return self.text[start:]
        assert time.monotonic() < deadline, f"no answer after {self.text[-500:]!r}"
        return self.text[start:]

    def type(self, text: str) -> str:
        os.write(self.master, text.encode() + b"\n")
        return self.wait()

    def interrupt(self, number: signal.Signals) -> str:
        """Send a signal, or Ctrl-C for SIGINT, once the game waits for a line."""
        time.sleep(0.2)  # the prompt is shown a moment before the game starts to read
        if number == signal.SIGINT:
            os.write(self.master, b"\x03")
        else:
            self.process.send_signal(number)
        return self.wait()

    def close(self) -> int:
        status = self.process.wait(30)
        os.close(self.master)
        return status


def play_on(terminal: Terminal, shown: str, answer: Callable[[str], str]) -> str:
    """Answer every prompt until the game is over."""
    for _ in range(400):
        if not PROMPT.search(shown):
            return shown
        shown = terminal.type(answer(shown))
    raise AssertionError("the game does not end")


def first_choice(shown: str) -> str:
    return "all" if "Keep which" in shown.splitlines()[-1] else "1"


@pytest.mark.parametrize(("edition", "seats"), [("tiny", 2), ("europe", 3), ("old-west+alvin", 2)])
def test_a_whole_game_by_typing(tmp_path, edition, seats):
    table = ["--edition", edition, "--players", str(seats)]
    terminal = Terminal(*table, "--seed", "4", "--record", "game.macaz", cwd=tmp_path)
    last = play_on(terminal, terminal.wait(), first_choice)
    assert terminal.close() == 0
    assert "The score" in last
    assert re.search(r" won with -?\d+ points", last)
    assert "The record of the game is in game.macaz" in last
    game = open_record(tmp_path / "game.macaz")
    assert game.outcome is not None
    for total in game.outcome.totals:
        assert str(total).replace("-", "−") in last
    if edition != "tiny":
        assert max(len(line) for line in terminal.text.splitlines()) <= 80


def test_a_game_with_the_defaults_reaches_its_first_decision_at_once(tmp_path):
    terminal = Terminal(cwd=tmp_path)
    shown = terminal.wait()
    assert "Macaz: USA Classic, you against Greedy bot. Type ? for help." in shown
    assert len(shown.splitlines()) <= 24
    assert "take red" in terminal.type("?")
    assert "Save the game" in terminal.type("quit")
    assert "Not saved" in terminal.type("n")
    assert terminal.close() == 0
    assert not list(tmp_path.iterdir())


def test_bad_input_gets_a_sentence_and_loses_nothing(tmp_path):
    terminal = Terminal("--seed", "5", cwd=tmp_path)
    terminal.wait()
    assert "That is too few" in terminal.type("1")
    assert "numbers from 1 to 3" in terminal.type("1 9")
    assert "Not a move" in terminal.type("hello there")
    shown = terminal.type("1 2")
    assert "You kept" in shown
    taken = re.search(r"Greedy bot claimed (\S+ ?\S*–.+) with", shown)
    if taken:
        assert re.search(
            "belongs to Greedy|which closes both", terminal.type(f"claim {taken[1]} red 1")
        )
    for typed, answer in {
        "999": "There is no choice 999",
        "take pink": "There is no card 'pink'",
        "take": "Take which card?",
        "claim Denver–Omaha purple 4": "these cards are not in the hand",
        "claim Denver–Omah purple 4": "did you mean Denver–Omaha",
        "pass": "passing is only possible when nothing else is",
        "map": "Which city?",
        "map denver": "Salt Lake City",
        "map Atlantis": "No city 'Atlantis'",
        "Denver": "nothing you can do now at Denver",
        "portl": "Portland–Seattle 1 gray",
        "goals": "Dallas–New York",
        "log": "Greedy bot kept",
        "[red]": "Not a move",
        "": "Face up",
    }.items():
        shown = terminal.type(typed)
        assert answer in shown, typed
        assert "Traceback" not in shown
    assert "You took red" in terminal.type("take red")
    assert "a second card is to be taken" in terminal.type("claim Dallas–Houston blue 1")
    terminal.type("quit")
    terminal.type("n")
    assert terminal.close() == 0


def test_interrupt_saves_and_continue_goes_on(tmp_path):
    terminal = Terminal("--edition", "tiny", "--seed", "2", "--name", "Ana", cwd=tmp_path)
    terminal.wait()
    terminal.type("all")
    shown = terminal.interrupt(signal.SIGINT)
    assert terminal.close() == 130
    (saved,) = tmp_path.iterdir()
    assert f"macaz terminal --continue {saved.name}" in shown
    before = open_record(saved)
    assert "Ana" in before.names
    terminal = Terminal("--continue", saved.name, cwd=tmp_path)
    last = play_on(terminal, terminal.wait(), first_choice)
    assert terminal.close() == 0
    assert "The score" in last
    after = open_record(saved)
    assert after.over
    assert after.history[: len(before.history)] == before.history


def test_a_closed_terminal_saves_too(tmp_path):
    terminal = Terminal("--edition", "tiny", "--seed", "2", cwd=tmp_path)
    terminal.wait()
    assert "--continue" in terminal.interrupt(signal.SIGTERM)
    assert terminal.close() == 128 + signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_that_were_ignored_before_save_too(tmp_path, number):
    def ignore() -> None:
        signal.signal(number, signal.SIG_IGN)

    terminal = Terminal("--edition", "tiny", "--seed", "2", cwd=tmp_path, before=ignore)
    terminal.wait()
    assert "--continue" in terminal.interrupt(number)
    assert terminal.close() == 128 + number
    (saved,) = tmp_path.iterdir()
    assert not open_record(saved).over


def test_a_hangup_that_is_ignored_stays_so(tmp_path):
    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    terminal = Terminal("--edition", "tiny", "--seed", "2", cwd=tmp_path, before=ignore)
    terminal.wait()
    terminal.process.send_signal(signal.SIGHUP)
    assert "Traceback" not in terminal.type("all")
    terminal.type("quit")
    terminal.type("n")
    assert terminal.close() == 0


def piped(cwd: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        check=False,
        timeout=120,
    )


def test_piped_moves_play_and_the_end_of_input_leaves_cleanly(tmp_path):
    done = piped(tmp_path, "all\nblind\n1\n", "--edition", "tiny", "--seed", "1")
    assert done.returncode == 0
    assert "from the deck." in done.stdout
    assert "The game is saved" in done.stdout
    assert "\x1b" not in done.stdout
    (saved,) = tmp_path.iterdir()
    done = piped(tmp_path, "1\n" * 200, "--continue", saved.name)
    assert done.returncode == 0
    assert "The score" in done.stdout


def test_bots_are_named_by_their_texts(tmp_path):
    railway = f"cmd:{sys.executable} {Path(__file__).parents[2] / 'examples/bots/railway.py'}"
    table = ["--edition", "tiny", "--seed", "1", "--record", "game.macaz"]
    done = piped(tmp_path, "all\n", *table, "--bots", f"search:8,{railway}")
    assert done.returncode == 0, done.stderr
    assert "you against Search 8 bot, Program bot." in done.stdout
    [again] = re.findall(r"macaz (terminal --continue .*)", done.stdout)
    # The record says that it was a program, but not which: the file may be from a stranger.
    asked = piped(tmp_path, "1\n", "--continue", "game.macaz")
    assert "Say it with --bots" in asked.stderr
    done = piped(tmp_path, "1\n" * 200, *shlex.split(again)[1:])
    assert done.returncode == 0, done.stderr
    assert "The score" in done.stdout
    assert open_record(tmp_path / "game.macaz").names == ("You", "Search 8 bot", "Program bot")


def test_a_record_does_not_say_where_a_network_lies(tmp_path):
    from tests.networks import untrained

    from macaz.bots.network import write_network
    from macaz.edition import load_edition

    write_network(tmp_path / "mine.npz", untrained(load_edition("tiny")))
    table = ["--edition", "tiny", "--seed", "1", "--record", "game.macaz"]
    bots = "learned:mine.npz,expert:8:mine.npz"
    done = piped(tmp_path, "all\n", *table, "--bots", bots)
    assert done.returncode == 0, done.stderr
    assert open_record(tmp_path / "game.macaz").names == ("You", "Learned bot", "Expert 8 bot")
    [again] = re.findall(r"macaz (terminal --continue .*)", done.stdout)
    assert bots in again
    done = piped(tmp_path, "1\n" * 200, *shlex.split(again)[1:])
    assert done.returncode == 0, done.stderr
    assert "The score" in done.stdout


def test_a_game_goes_on_against_others(tmp_path):
    piped(tmp_path, "all\n", "--edition", "tiny", "--record", "game.macaz", "--players", "3")
    assert open_record(tmp_path / "game.macaz").names[1:] == ("Greedy bot 1", "Greedy bot 2")
    done = piped(tmp_path, "", "--continue", "game.macaz", "--bots", "random,greedy")
    assert "you against Random bot, Greedy bot." in done.stdout


def test_a_program_that_fails_leaves_the_game_saved(tmp_path):
    table = ["--edition", "tiny", "--record", "game.macaz", "--bots", "cmd:false"]
    done = piped(tmp_path, "all\n", *table)
    assert done.returncode == 1
    assert "The game is saved" in done.stdout
    assert "Traceback" not in done.stderr
    assert not open_record(tmp_path / "game.macaz").over


def test_a_game_saved_before_chance_has_acted_goes_on(tmp_path):
    game = Game("tiny", 2, names=["You", "Greedy bot"], first=0, target="plain")
    while game.view(0).phase != "turn":
        game.push(game.legal_moves.actions[0])
    dealer, game.dealer = game.dealer, None
    game.push("blind")
    game.dealer = dealer
    assert game.chance_pending
    save_record(tmp_path / "game.macaz", game, disclose=True)
    done = piped(tmp_path, "1\n" * 200, "--continue", "game.macaz")
    assert (done.returncode, "The score" in done.stdout) == (0, True), done.stderr
    save_record(tmp_path / "game.macaz", game)
    done = piped(tmp_path, "1\n", "--continue", "game.macaz")
    assert done.returncode != 0
    assert "has no secret of the deal" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_saved_has_the_secret(tmp_path):
    piped(tmp_path, "all\n", "--edition", "tiny", "--record", "game.macaz")
    game = open_record(tmp_path / "game.macaz", target="plain")
    assert not game.over
    assert game.dealer is not None
    assert game.dealer.seed is None


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--players", "9"], "is for 2 to 5 players, not 9"),
        (["--bots", "gredy"], "Did you mean 'greedy'"),
        (["--bots", "greedy,random", "--players", "2"], "leave room for 1"),
        (["--name", "Greedy bot"], "is what a bot is called"),
        (["--edition", "usb"], "there is no edition 'usb'"),
        (["--continue", "nowhere.macaz"], "nowhere.macaz"),
    ],
)
def test_wrong_options_get_one_sentence(tmp_path, arguments, answer):
    done = piped(tmp_path, "", *arguments)
    assert done.returncode != 0
    assert answer in done.stderr
    assert "Traceback" not in done.stderr


def test_a_record_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "kept.macaz"
    path.write_text("another game", encoding="utf-8")
    result = CliRunner().invoke(
        main, ["terminal", "-e", "tiny", "--record", str(path)], input="quit\n"
    )
    assert result.exit_code != 0
    assert "--continue" in result.output
    assert path.read_text(encoding="utf-8") == "another game"


def test_a_move_is_taken_back_and_the_game_resigned(tmp_path: Path) -> None:
    path = tmp_path / "resigned.macaz"
    typed = "undo\nall\nundo\nall\nblind\nundo\nresign\nno\nresign\nyes\n"
    arguments = ["terminal", "-e", "tiny", "--seed", "3", "--record", str(path)]
    shown = CliRunner().invoke(main, arguments, input=typed)
    assert shown.exit_code == 0, shown.output
    assert shown.output.count("cannot take a move back") == 2  # before any, and after a card
    assert shown.output.count("Your last move is taken back.") == 1
    assert "You resigned." in shown.output
    game = open_record(path)
    assert game.outcome is not None
    assert (game.resigned, game.stopped, len(game.notes)) == (game.outcome.resigned, True, 2)
    replayed = CliRunner().invoke(main, ["replay", str(path), "--all"]).output
    assert "taken back here" in replayed
    assert "resigned, and the game ended." in replayed
