"""Games in bulk: independent of threads, summed up exactly, written completely or not at all."""

from __future__ import annotations

import itertools
import math
import sys
import threading
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from macaz.edition import load_edition
from macaz.errors import MissingExtra
from macaz.kernel import cpu, native_code
from macaz.kernel.spec import compile_spec
from macaz.lab.figures import check_picture
from macaz.lab.simulate import Histogram, Summary, score_parts, simulate
from macaz.lab.simulate import table as simulate_table
from macaz.lab.simulate.plot import draw

pytestmark = pytest.mark.portable

DOCS = Path(__file__).parents[2] / "docs" / "simulate.md"
TINY = load_edition("tiny")


def games_of(name: str, seats: int, games: int, **settings: int) -> tuple[np.ndarray, np.ndarray]:
    spec = compile_spec(load_edition(name), seats)
    batches = list(cpu.random_games(spec, games, 7, **settings))
    assert [b.start for b in batches] == sorted(b.start for b in batches)
    return (
        np.concatenate([b.tallies for b in batches]),
        np.concatenate([b.lengths for b in batches]),
    )


@pytest.mark.parametrize(("name", "seats"), [("tiny", 3), ("old-west+alvin", 2), ("europe", 4)])
def test_games_depend_on_the_seed_alone(name, seats):
    tallies, lengths = games_of(name, seats, 100, workers=1, batch=100)
    for workers, batch in ((1, 7), (3, 1), (4, 33)):
        other, other_lengths = games_of(name, seats, 100, workers=workers, batch=batch)
        assert other.tobytes() == tallies.tobytes()
        assert (other_lengths == lengths).all()
    later, _ = games_of(name, seats, 40, start=60, batch=9)
    assert later.tobytes() == tallies[60:].tobytes()


class Kept:
    """A fake cache of native code."""

    ready = False

    def usable(self, name: str) -> bool:
        assert name == cpu.PLAYED_BY
        return self.ready


@pytest.fixture
def kept(monkeypatch):
    found = Kept()
    monkeypatch.delenv("MACAZ_TARGET", raising=False)
    monkeypatch.setattr(cpu, "kernel", lambda target: found)
    return found


def test_native_code_is_used_where_it_is_worth_loading(kept, monkeypatch):
    kept.ready = True
    with cpu.Native(cpu.WORTH_LOADING - 1) as few, cpu.Native(cpu.WORTH_LOADING) as many:
        assert (few.target(), many.target()) == ("wasm", "cpu")
    kept.ready = False
    with cpu.Native(cpu.WORTH_LOADING) as many:
        assert many.target() == "wasm"
        kept.ready = True  # another process has compiled it
        assert many.target() == "cpu"
    monkeypatch.setenv("MACAZ_TARGET", "cpu")
    with cpu.Native(1) as few:
        assert few.target() == "cpu"


def test_a_very_long_run_compiles_beside_it_and_leaves_no_process(kept, monkeypatch, tmp_path):
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(
        native_code, "COMPILER", (sys.executable, "-c", "import time; time.sleep(600)")
    )
    started: list[native_code.Compiler] = []

    class Noted(native_code.Compiler):
        def __init__(self, wanted):
            super().__init__(wanted)
            started.append(self)

    monkeypatch.setattr(native_code, "Compiler", Noted)
    with cpu.Native(cpu.WORTH_COMPILING - 1):
        assert not started
    with cpu.Native(cpu.WORTH_COMPILING) as native:
        assert [part.entry for part in started[0]._wanted] == [cpu.PLAYED_BY]
        assert started[0].running
        assert native.target() == "wasm"
    assert not started[0].running


def test_where_nothing_can_be_kept_a_line_says_so(kept, monkeypatch, tmp_path, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setenv("MACAZ_CACHE_DIR", str(tmp_path / "file"))
    for _ in range(2):
        with cpu.Native(cpu.WORTH_COMPILING) as native:
            assert native.target() == "wasm"
    assert capsys.readouterr().err.count("WebAssembly is used") == 1


@pytest.mark.slow
def test_a_run_that_changes_over_gives_the_same_games(monkeypatch):
    monkeypatch.delenv("MACAZ_TARGET", raising=False)
    targets = itertools.chain(["wasm"] * 3, itertools.repeat("cpu"))
    expected = games_of("europe", 3, 80, workers=1, batch=80)
    monkeypatch.setattr(cpu.Native, "target", lambda _: next(targets))
    changed = games_of("europe", 3, 80, workers=2, batch=10)
    assert [a.tobytes() for a in changed] == [a.tobytes() for a in expected]
    assert next(targets) == "cpu"


def test_closing_early_leaves_no_thread():
    games = cpu.random_games(compile_spec(TINY, 2), 10**9, 1, workers=3)
    next(games)
    assert any(t.name.startswith("macaz-games") for t in threading.enumerate())
    games.close()
    assert not any(t.name.startswith("macaz-games") for t in threading.enumerate())


@pytest.mark.parametrize(
    "wrong",
    [{"seed": -1}, {"seed": 2**63}, {"first": 2}, {"workers": 0}, {"batch": 0}, {"games": -1}],
)
def test_wrong_settings_raise_at_once(wrong):
    settings = {"games": 5, "seed": 1, **wrong}
    with pytest.raises(ValueError, match=r"seed|first|games"):
        cpu.random_games(compile_spec(TINY, 2), **settings)


@given(st.lists(st.lists(st.integers(-300, 300)), min_size=1).filter(any))
def test_a_histogram_is_exact(parts):
    histogram = Histogram()
    for part in parts:
        histogram.add(np.array(part, np.int16))
    values = np.array([v for part in parts for v in part])
    assert histogram.total == len(values)
    assert histogram.mean == pytest.approx(values.mean())
    assert histogram.deviation == pytest.approx(values.std(), abs=1e-6)
    for share in (0.05, 0.5, 0.95):
        assert histogram.quantile(share) == np.quantile(values, share, method="inverted_cdf")


def test_a_summary_counts_what_the_games_say():
    summary = simulate(load_edition("europe"), 3, 500, 7)
    tallies, lengths = games_of("europe", 3, 500, first=0)
    assert summary.games == summary.asked == 500
    assert not summary.stopped
    assert summary.lengths.mean == pytest.approx(lengths.mean())
    for seat in range(3):
        assert summary.scores[seat].mean == pytest.approx(tallies["total"][:, seat].mean())
        won = [(t["winners"] >> seat & 1) / int(t["winners"]).bit_count() for t in tallies]
        wins = summary.wins(seat)
        assert wins.share == pytest.approx(np.mean(won))
        assert 0 < wins.low < wins.share < wins.high < 1
        parts = sum(summary.mean_of(part)[seat] for part in summary.sums)
        assert parts == pytest.approx(summary.scores[seat].mean)
    assert sum(summary.wins(seat).share for seat in range(3)) == pytest.approx(1)
    assert sum(summary.tie_counts.values()) == 500
    assert summary.tie_counts["shared win"] == (tallies["tie_break"] == 4).sum()


def test_the_interval_of_wins_is_wilsons():
    summary = Summary(TINY, 2, seed=1, asked=10, games=10)
    summary.won[1] = [10, 0]
    # z² / (n + z²), by hand
    assert summary.wins(1).low == 0
    assert summary.wins(1).high == pytest.approx(0.27753, abs=1e-5)
    assert summary.wins(0).low == pytest.approx(1 - 0.27753, abs=1e-5)


def test_shared_wins_are_split():
    summary = Summary(TINY, 2, seed=1, asked=4, games=4)
    summary.won[1] = [2, 1]
    summary.won[2] = [1, 1]
    assert [summary.wins(seat).share for seat in range(2)] == [0.625, 0.375]


def test_the_parts_of_a_score_are_those_of_the_edition():
    assert score_parts(TINY) == ("routes", "tickets", "longest")
    parts = score_parts(load_edition("old-west+alvin"))
    assert "alvin" in parts
    assert "stations" not in parts


def test_the_file_holds_every_game(tmp_path):
    out = tmp_path / "games.parquet"
    simulate(load_edition("europe"), 2, 300, 7, out=out)
    table = pq.read_table(out)
    tallies, lengths = games_of("europe", 2, 300, first=0)
    assert table["game"].to_pylist() == list(range(300))
    assert set(table["seed"].to_pylist()) == {7}
    assert table["decisions"].to_pylist() == lengths.tolist()
    for seat in range(2):
        assert table[f"score_{seat + 1}"].to_pylist() == tallies["total"][:, seat].tolist()
        for name in ("routes", "tickets", "longest", "stations", "completed", "path"):
            assert table[f"{name}_{seat + 1}"].to_pylist() == tallies[name][:, seat].tolist()
    won = np.array(table["won_1"]) + np.array(table["won_2"])
    assert (won == 1).all()
    assert [t == "no tie" for t in table["tie_break"].to_pylist()] == [
        t == 0 for t in tallies["tie_break"]
    ]
    about = table.schema.metadata
    assert about[b"macaz.edition"] == b"europe"
    assert about[b"macaz.fingerprint"].decode() == load_edition("europe").fingerprint


def test_the_file_is_the_same_whatever_the_threads(tmp_path, monkeypatch):
    monkeypatch.setattr(simulate_table, "ROW_GROUP", 1000)
    a, b = tmp_path / "a.parquet", tmp_path / "b.parquet"
    simulate(TINY, 2, 2500, 3, out=a, workers=1)
    monkeypatch.setattr(cpu, "BATCH", 77)
    simulate(TINY, 2, 2500, 3, out=b, workers=3)
    assert a.read_bytes() == b.read_bytes()
    assert pq.ParquetFile(a).num_row_groups == 3


def test_every_column_is_documented(tmp_path):
    text = DOCS.read_text()
    for name in ("europe", "old-west+alvin"):
        out = tmp_path / "games.parquet"
        simulate(load_edition(name), 2, 2, 1, out=out)
        for column in pq.read_schema(out).names:
            assert f"`{column.replace('_1', '_N').replace('_2', '_N')}`" in text, column


def test_stopping_keeps_the_games_so_far(tmp_path):
    out, stop = tmp_path / "games.parquet", threading.Event()
    summary = simulate(TINY, 2, 10**9, 3, out=out, progress=lambda _: stop.set(), stop=stop)
    assert summary.stopped
    assert 0 < summary.games < 10**9
    assert pq.read_metadata(out).num_rows == summary.games
    assert [p.name for p in tmp_path.iterdir()] == ["games.parquet"]


def test_stopping_before_the_first_game_leaves_no_figures(tmp_path):
    out, stop = tmp_path / "games.parquet", threading.Event()
    stop.set()
    found = simulate(TINY, 2, 10, 3, out=out, stop=stop).to_dict()
    assert (found["asked"], found["games"], found["stopped"]) == (10, 0, True)
    assert "seats" not in found
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("games", [0, -3])
def test_a_simulation_has_a_game_at_least(games, tmp_path):
    with pytest.raises(ValueError, match=f"1 game at least, not {games}"):
        simulate(TINY, 2, games, 3, out=tmp_path / "games.parquet")
    assert not list(tmp_path.iterdir())


def test_a_writer_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(*args, **settings):
        raise OSError("the disk is full")

    monkeypatch.setattr(pq, "ParquetWriter", fail)
    with pytest.raises(OSError, match="full"):
        simulate(TINY, 2, 10, 3, out=tmp_path / "games.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="rights are another matter there")
def test_the_file_has_the_rights_of_any_other(tmp_path):
    out, other = tmp_path / "games.parquet", tmp_path / "other"
    other.touch()
    simulate(TINY, 2, 10, 3, out=out)
    assert out.stat().st_mode == other.stat().st_mode
    out.chmod(0o600)
    simulate(TINY, 2, 10, 3, out=out)
    assert out.stat().st_mode & 0o777 == 0o600  # and keeps existing ones


def test_an_error_leaves_the_old_file(tmp_path):
    out = tmp_path / "games.parquet"
    out.write_bytes(b"old")

    def break_off(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(TINY, 2, 10**9, 3, out=out, progress=break_off)
    assert out.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["games.parquet"]


@pytest.mark.parametrize("package", ["pyarrow", "matplotlib"])
def test_a_missing_extra_is_named(package, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    need = {
        "pyarrow": lambda: simulate(TINY, 2, 1, 1, out=tmp_path / "games.parquet"),
        "matplotlib": lambda: check_picture(tmp_path / "games.png"),
    }
    with pytest.raises(MissingExtra, match=rf"{package}.*\[lab\]"):
        need[package]()


@pytest.mark.parametrize("games", [1, 400])
def test_a_picture_is_drawn_the_same_twice(games, tmp_path):
    summary = simulate(load_edition("old-west"), 6, games, 1)
    for name in ("a.svg", "b.svg", "a.png", "a.pdf"):
        draw(summary, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_summary_becomes_json_numbers():
    found = simulate(TINY, 2, 50, 1).to_dict()
    assert found["games"] == 50
    assert [seat["seat"] for seat in found["seats"]] == [1, 2]
    assert sum(found["seats"][0]["score"]["histogram"].values()) == 50
    assert math.isfinite(found["seats"][1]["wins"]["share"])
