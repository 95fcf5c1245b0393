"""Datasets: the rows are what happened, the files are complete, and the page describes them."""

from __future__ import annotations

import gc
import json
import multiprocessing
import multiprocessing.queues
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from macaz import Game, MacazError
from macaz.bots import make_bot
from macaz.edition import load_edition
from macaz.game.record import dump_record, load_record, save_record
from macaz.lab.dataset.columns import DECISIONS, GAMES
from macaz.lab.dataset.sources import matches, records
from macaz.lab.dataset.write import write_dataset
from macaz.lab.env.observation import observe
from macaz.lab.pool import _expect_no_more

pq = pytest.importorskip("pyarrow.parquet")

ROOT = Path(__file__).parents[2]
BOTS = ("greedy", "random")


def write(folder, edition="tiny", seats=2, games=4, seed=7, **options):
    sources = matches(load_edition(edition), seats, BOTS, games, seed)
    return write_dataset(sources, folder, **{"workers": 1, **options})


def read(folder, name):
    return pq.read_table(folder / f"{name}.parquet").to_pylist()


def macaz(*arguments, **options):
    command = [sys.executable, "-m", "macaz", "dataset", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    assert write(folder).games == 4
    return folder


def test_a_row_a_game_tells_how_it_ended(tiny):
    rows = read(tiny, "games")
    assert [row["game"] for row in rows] == [0, 1, 2, 3]
    assert [row["lineup"] for row in rows] == [["greedy", "random"], ["random", "greedy"]] * 2
    for row in rows:
        game = load_record(row["record"])
        outcome = game.outcome
        assert outcome is not None
        assert (row["edition"], row["seats"]) == ("tiny", 2)
        assert row["fingerprint"] == game.edition.fingerprint
        assert row["scores"] == list(outcome.totals)
        assert row["winners"] == list(outcome.winners)
        assert row["tie_break"] == outcome.tie_break
        assert row["completed"] == [s.completed for s in outcome.seats]
        assert row["path"] == [s.path_length for s in outcome.seats]
        assert row["decisions"] == sum(step.seat is not None for step in game.history)
        parts = ("routes", "tickets", "longest", "stations", "globetrotter", "alvin")
        assert [sum(row[part][seat] for part in parts) for seat in (0, 1)] == row["scores"]
        again = Game(row["edition"], row["seats"], seed=row["seed"])
        assert (
            again.state["hand"].tobytes()
            == game.history[again.chance_count].state["hand"].tobytes()
        )


def test_a_row_a_decision_tells_what_was_seen_and_done(tiny):
    games = {row["game"]: row for row in read(tiny, "games")}
    rows = read(tiny, "decisions")
    for number, told in games.items():
        game = load_record(told["record"])
        steps = [(ply, step) for ply, step in enumerate(game.history) if step.seat is not None]
        mine = [row for row in rows if row["game"] == number]
        assert [row["ply"] for row in mine] == [ply for ply, _ in steps]
        assert sum(row["phase"] == "turn" for row in mine) == told["turns"]
        for row, (_, step) in zip(mine, steps, strict=True):
            there = Game.from_state("tiny", 2, step.state)
            seat = row["seat"]
            assert seat == step.seat
            assert row["bot"] == told["lineup"][seat]
            assert row["phase"] == there.view(seat).phase
            assert row["observation"] == observe(there.view(seat)).tobytes()
            assert row["legal"] == there.legal_moves_of(seat).actions
            assert row["action"] == step.number
            assert there.parse(row["move"], seat) == step.number
            assert row["score"] == told["scores"][seat]
            share = (seat in told["winners"]) / len(told["winners"])
            assert row["share"] == pytest.approx(share)


def test_the_bots_are_those_of_the_library(tiny):
    """The greedy bot of a lineup decides as it does alone, from the same view."""
    [row] = read(tiny, "games")[:1]
    game = load_record(row["record"])
    bots = [make_bot(bot, seed=f"{row['seed']} {seat}") for seat, bot in enumerate(row["lineup"])]
    for step in game.history:
        if step.seat is not None:
            there = Game.from_state("tiny", 2, step.state)
            if there.view(0).phase == "choose":
                continue  # chosen at the same time: the state already shows later choices
            legal = list(there.legal_moves_of(step.seat))
            if row["lineup"][step.seat] == "greedy":
                move = bots[step.seat].choose(there.view(step.seat), legal)
                assert there.parse(move) == step.number


def test_they_are_read_as_the_page_says(tiny, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").symlink_to(tiny)
    text = (ROOT / "docs" / "dataset.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^## Reading them\n\n```python\n(.*?)^```", text, re.M | re.S)
    found: dict[str, Any] = {}
    exec(compile(block, "docs/dataset.md", "exec"), found)
    rows = read(tiny, "decisions")
    assert found["rows"].tobytes() == b"".join(row["observation"] for row in rows)
    assert found["hands"].shape == (len(rows), 9)
    assert found["actions"].tolist() == [row["action"] for row in rows]


def test_every_edition_can_be_written(tmp_path):
    for edition, seats in [("europe", 3), ("old-west+alvin", 4)]:
        write(tmp_path, edition, seats, games=1)
        [game] = read(tmp_path, "games")
        assert game["edition"] == edition
        assert len(game["scores"]) == seats
        assert len(read(tmp_path, "decisions")) == game["decisions"]


@pytest.mark.portable
def test_the_files_do_not_depend_on_the_processes(tiny, tmp_path):
    done = macaz(
        *("--bots", "greedy,random", "-e", "tiny", "-n", 4, "--seed", 7),
        *("--out", tmp_path / "new" / "data", "--workers", 2),
    )
    assert done.returncode == 0, done.stderr
    assert "Wrote 4 games and " in done.stderr
    for name in ("games.parquet", "decisions.parquet"):
        assert (tmp_path / "new" / "data" / name).read_bytes() == (tiny / name).read_bytes()


def test_games_alone_can_be_had(tmp_path):
    written = write(tmp_path, decisions=False)
    assert (written.games, written.decisions) == (4, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]


# -- from records ----------------------------------------------------------------------------------


def finished(seed):
    game = Game("tiny", 2, seed=seed, names=["Ana", "Bogdan"])
    while not game.over:
        game.push(next(iter(game.legal_moves)))
    return game


def test_records_are_taken_as_they_are(tmp_path):
    for seed in (1, 2):
        save_record(tmp_path / f"{seed}.macaz", finished(seed))
    save_record(tmp_path / "3.macaz", Game("tiny", 2, seed=3))
    out = tmp_path / "out"
    written = write_dataset(records(tmp_path), out, workers=1)
    assert (written.games, written.unfinished) == (2, 1)
    rows = read(out, "games")
    assert [row["record"] for row in rows] == [dump_record(finished(seed)) for seed in (1, 2)]
    assert rows[0]["lineup"] == ["Ana", "Bogdan"]
    one = write_dataset(records(tmp_path / "2.macaz"), out, workers=1)
    assert one.games == 1
    assert read(out, "games")[0]["scores"] == rows[1]["scores"]


def test_the_games_of_an_arena_are_taken(tmp_path):
    lines = [json.dumps({"deal": 0, "record": dump_record(finished(seed))}) for seed in (1, 2)]
    (tmp_path / "games.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for path in (tmp_path, tmp_path / "games.jsonl"):
        assert write_dataset(records(path), tmp_path / "out", workers=1).games == 2


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("games.jsonl", '{"deal": 0, "record": ""}\n', "line 1: the record was not kept"),
        ("games.jsonl", "[]\n", "line 1: this is no game of an arena"),
        ("game.macaz", "macaz record 1\nnonsense\n", "game.macaz: line 2"),
        ("readme.txt", "", "no records"),
    ],
)
def test_what_is_no_game_is_said(tmp_path, name, text, says):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(MacazError, match=says):
        write_dataset(records(tmp_path), tmp_path / "out", workers=1)
    assert list((tmp_path / "out").iterdir()) == []


# -- errors and interruptions ----------------------------------------------------------------------


def test_a_bot_that_fails_is_named_and_leaves_no_half_file(tmp_path, monkeypatch):
    from macaz.bots.greedy import GreedyBot

    write(tmp_path, games=1)
    before = (tmp_path / "games.parquet").read_bytes()

    def fall_asleep(self, view, legal):
        raise RuntimeError("zzz")

    monkeypatch.setattr(GreedyBot, "choose", fall_asleep)
    with pytest.raises(MacazError, match=r"game 0 .* greedy.*: zzz"):
        write(tmp_path)
    assert (tmp_path / "games.parquet").read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["decisions.parquet", "games.parquet"]


def test_stopping_early_keeps_the_games_so_far(tmp_path):
    stop = threading.Event()

    def progress(done):
        stop.set()

    assert write(tmp_path, games=1000, progress=progress, stop=stop).games == 1
    assert len(read(tmp_path, "games")) == 1


def die_in_a_result() -> None:
    """Write the beginning of a long result to the pool's pipe, and end."""
    results: list[Any] = [
        each for each in gc.get_objects() if isinstance(each, multiprocessing.queues.SimpleQueue)
    ]
    os.write(results[0]._writer.fileno(), struct.pack("!i", 100_000) + b"the beginning")
    os._exit(1)


@pytest.mark.skipif(os.name == "nt", reason="pipes")
def test_a_process_that_ends_while_it_writes_a_result_holds_nothing_up():
    pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    job = pool.submit(die_in_a_result)
    while multiprocessing.active_children():
        time.sleep(0.05)
    _expect_no_more(pool)
    ending = threading.Thread(target=pool.shutdown, daemon=True)
    ending.start()
    ending.join(60)
    assert not ending.is_alive()
    assert isinstance(job.exception(), BrokenProcessPool)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_the_command_and_its_processes(tmp_path):
    command = [sys.executable, "-m", "macaz", "dataset", "-e", "tiny", "-n", "1M", "--seed", "7"]
    process = subprocess.Popen(
        [*command, "--out", str(tmp_path), "--workers", "2"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not list(tmp_path.glob(".decisions.parquet.*")):  # until it has started to work
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    # Its worker processes share its standard error, which is closed when the last of them ends.
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130, said
    [told] = re.findall(r"^Wrote ([\d,]+) games?", said)
    games = int(told.replace(",", ""))
    assert len(read(tmp_path, "games")) == games


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--bots", "gredy"], "Did you mean 'greedy'?"),
        (["--bots", " , "], "is empty"),
        (["--players", "9"], "2 to 5 players, not 9"),
        (["--from", ".", "--games", "5"], "leave out --games"),
        (["--from", "nowhere"], "does not exist"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path, arguments, says):
    done = macaz(*arguments, "--out", tmp_path / "out")
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


# -- the documentation -----------------------------------------------------------------------------


@pytest.mark.parametrize(("file", "columns"), [("games", GAMES), ("decisions", DECISIONS)])
def test_the_page_has_every_column(file, columns):
    text = (ROOT / "docs" / "dataset.md").read_text(encoding="utf-8")
    [section] = re.findall(rf"^## {file}\.parquet\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", section, re.M)
    assert rows == [tuple(column) for column in columns]


def test_the_files_have_the_columns_that_are_declared(tiny):
    for file, columns in (("games", GAMES), ("decisions", DECISIONS)):
        schema = pq.read_schema(tiny / f"{file}.parquet")
        assert schema.names == [column.name for column in columns]
