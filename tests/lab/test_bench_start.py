"""The benchmark of starting: it visits, counts and reports; speed is not tested."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from macaz.bots import BOTS
from macaz.cli import main
from macaz.lab.bench.measure import Skipped
from macaz.lab.bench.start import install, suite
from macaz.lab.bench.start.newcomer import empty_home

WAITS = {"page s": 2.0, "table s": 0.5, "legal s": 0.1, "tickets s": 0.7, "turn s": 0.2}


def bench(*words: str) -> str:
    result = CliRunner().invoke(main, ["bench", "start", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def made_up(monkeypatch):
    """Fake measurements."""

    def imports() -> dict[str, float]:
        times = {"python": 0.01, "numpy": 0.1, "first": 0.3, "later": 0.2}
        times |= {"first longer": 0.2, "later longer": 0.1}
        return {f"{name} s": seconds for name, seconds in times.items()}

    sizes = {"install s": 3.0, "MB": 150.0, "compiled MB": 200.0}
    monkeypatch.setattr(suite, "missing_page", lambda: None)
    monkeypatch.setattr(suite, "_imports", imports)
    monkeypatch.setattr(suite, "visit", lambda bot: WAITS)
    monkeypatch.setattr(install, "prepare", lambda: None)
    monkeypatch.setattr(install, "measure", lambda: sizes | WAITS)


@pytest.mark.slow
def test_the_bench_visits_a_server_and_writes_what_it_found(tmp_path, monkeypatch):
    monkeypatch.setattr(suite, "RUNS", 1)
    words = ("--rounds", "1", "--bots", "planner", "--no-install", "--out", str(tmp_path))
    shown = bench(*words)
    page = (tmp_path / "bench-start-results.md").read_text()
    found = json.loads((tmp_path / "assets" / "bench-start.json").read_text())
    for text in ("page answers", "planner", "all cores busy", "import numpy"):
        assert text in page
        assert text in shown
    assert found["notes"] == ["The install is left out, as asked."]
    jobs = {(job["group"], job["name"]): job["figures"] for job in found["results"]}
    for load in (suite.IDLE, suite.BUSY):
        assert set(jobs[load, "planner"]) == set(WAITS)
        assert all(figure["median"] >= 0 for figure in jobs[load, "planner"].values())
        assert jobs[load, "imports"]["first s"]["median"] > 0


@pytest.mark.usefixtures("made_up")
def test_all_bots_move_and_the_install_is_measured(tmp_path):
    bench("--rounds", "2", "--out", str(tmp_path))
    page = (tmp_path / "bench-start-results.md").read_text()
    for row in (
        "| a table is opened, after the page | 0.5 (0.5–0.5) | 0.5 (0.5–0.5) |",
        "| greedy | at once | 0.7 (0.7–0.7) | 0.7 (0.7–0.7) | 0.2 (0.2–0.2) | 0.2 (0.2–0.2) |",
        "| its size | 150 (150–150) MB |",
    ):
        assert row in page
    for bot in BOTS:
        assert f"| {bot} |" in page


@pytest.mark.usefixtures("made_up")
def test_a_bot_that_fails_and_an_install_that_cannot_be_tried_are_said(monkeypatch):
    def visit(bot: str) -> dict[str, float]:
        if bot == "expert":
            raise Skipped("it failed, and planner decided in its place after 11 s")
        return WAITS

    def nowhere() -> None:
        raise Skipped("there is no checkout")

    monkeypatch.setattr(suite, "visit", visit)
    monkeypatch.setattr(install, "prepare", nowhere)
    shown = " ".join(bench("--rounds", "1", "--bots", "greedy,expert").split())
    assert "The install is left out: there is no checkout." in shown
    assert (
        "expert, idle: left out: it failed, and planner decided in its place after 11 s." in shown
    )


def test_without_a_checkout_there_is_no_install(monkeypatch, tmp_path):
    monkeypatch.setattr(install, "ROOT", tmp_path)
    with pytest.raises(Skipped, match="from a checkout of Macaz only"):
        install.prepare()


def test_an_unknown_bot_and_a_missing_page_are_said_at_once(monkeypatch):
    result = CliRunner().invoke(main, ["bench", "start", "--bots", "greedy,unknown"])
    assert result.exit_code == 2
    assert "there is no bot 'unknown'" in result.stderr
    monkeypatch.setattr(suite, "missing_page", lambda: "the page is not built.")
    result = CliRunner().invoke(main, ["bench", "start"])
    assert result.exit_code != 0
    assert "This cannot be measured: the page is not built." in result.stderr


def test_the_cores_are_busy_only_while_something_is_measured():
    with suite.busy(2) as working:
        assert [process.poll() for process in working] == [None, None]
    assert None not in [process.poll() for process in working]


def test_an_empty_home_knows_nothing_of_its_owner(monkeypatch, tmp_path):
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "MACAZ_CACHE_DIR", "MACAZ_DATABASE"):
        monkeypatch.setenv(name, "somewhere")
    place = empty_home(tmp_path)
    assert place["HOME"] == str(tmp_path)
    assert "somewhere" not in place.values()
