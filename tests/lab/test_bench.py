"""The benchmark: jobs alternate, spreads are reported, and every outcome has a report."""

from __future__ import annotations

import json
import os

import pytest
from click.testing import CliRunner

from macaz.cli import main
from macaz.edition import load_edition
from macaz.kernel.spec import compile_spec
from macaz.lab.bench import games, peers, report, starts, suite, targets
from macaz.lab.bench.measure import Job, Skipped, Spread, run_rounds


def test_jobs_take_turns_and_slow_ones_run_once():
    order: list[str] = []

    def job(name: str, once: bool = False) -> Job:
        def run() -> dict[str, float]:
            order.append(name)
            return {"s": len(order)}

        return Job("group", name, run, once)

    done = run_rounds([job("a"), job("b", once=True), job("c")], 3)
    assert "".join(order) == "abcacac"
    assert done[0].samples == {"s": [1, 4, 6]}
    assert done[0].spread("s") == Spread(4, 1, 6)


def test_ratios_are_taken_round_by_round():
    ours, theirs = Job("g", "ours", dict), Job("g", "theirs", dict)
    ours.samples["games/s"], theirs.samples["games/s"] = [10, 40, 30], [1, 2, 10]
    assert ours.ratio(theirs, "games/s") == Spread(10, 3, 20)


def test_what_cannot_be_measured_is_left_out():
    def fail() -> dict[str, float]:
        raise Skipped("it is not here")

    bad, good = Job("g", "bad", fail), Job("g", "good", lambda: {"s": 1.0})
    assert run_rounds([bad, good], 2) == [good]
    assert bad.skipped == "it is not here"


@pytest.mark.parametrize(
    ("number", "text"),
    [(24815, "24,800"), (3.94e6, "3.94 M"), (999.6, "1,000"), (0.4242, "0.424"), (103, "103")],
)
def test_figures_have_three_digits(number, text):
    assert report.figure(number) == text


@pytest.fixture
def short(monkeypatch):
    """A suite that takes a second: one table, no compiling, fake peers."""

    def peer_jobs(python: object, seconds: float) -> list[Job]:
        job = Job("peers", "Other, chess", lambda: {"games/s": 2.0, "decisions/s": 100.0})
        job.about = {"engine": "Other", "game": "chess", "players": 2, "version": "1"}
        return [job]

    tiny = suite.Settings(2, 0.001, 0.001, 0.001)
    monkeypatch.setattr(suite.Settings, "quick", lambda rounds, with_peers: tiny)
    monkeypatch.setattr(games, "TABLES", (("usa-classic", 2), ("tiny", 2)))
    monkeypatch.setattr(starts, "start_jobs", lambda found, folder: [])
    monkeypatch.setattr(targets, "POSITIONS", 2)
    monkeypatch.setattr(peers, "set_up", lambda: "python")
    monkeypatch.setattr(peers, "peer_jobs", peer_jobs)


@pytest.mark.usefixtures("short")
def test_the_bench_writes_a_page_a_picture_and_figures(tmp_path):
    result = CliRunner().invoke(main, ["bench", "--quick", "--out", str(tmp_path / "docs")])
    assert result.exit_code == 0, result.output
    page = (tmp_path / "docs" / "bench-results.md").read_text()
    figures = json.loads((tmp_path / "docs" / "assets" / "bench.json").read_text())
    assert (tmp_path / "docs" / "assets" / "bench.svg").stat().st_size > 1000
    said = ("usa-classic", "Other 1", "Other, chess", "legal actions", "plain Python", "PettingZoo")
    for words in said:
        assert words in page
        assert words in result.stdout
    assert {r["unit"] for r in figures["ratios"]} == {"games/s", "decisions/s"}
    assert {r["macaz"] for r in figures["ratios"]} == {"one core", "from Python"}
    assert figures["bytes"]["state"] > 0
    shares = {(share["figure"], share["target"]): share["median"] for share in figures["of_native"]}
    assert all(share > 0 for share in shares.values())
    for figure in ("random games a second, one core", "playouts a second of the search, one core"):
        assert (figure, "wasm") in shares


@pytest.mark.usefixtures("short")
def test_without_a_checkout_the_peers_are_left_out_with_a_note(monkeypatch):
    def nowhere() -> None:
        raise Skipped("not here")

    monkeypatch.setattr(peers, "set_up", nowhere)
    result = CliRunner().invoke(main, ["bench", "--quick"])
    assert result.exit_code == 0, result.output
    assert "Other engines left out: not here." in result.stdout
    assert "How many times as fast" not in result.stdout


@pytest.mark.usefixtures("short")
def test_without_numba_and_node_their_rows_are_left_out_with_notes(monkeypatch, tmp_path):
    monkeypatch.setattr(targets, "find_spec", lambda name: None)
    monkeypatch.setattr(targets, "find_node", lambda: None)
    monkeypatch.setattr(games, "bulk_target", lambda: "wasm")
    folder = tmp_path / "docs"
    result = CliRunner().invoke(main, ["bench", "--quick", "--out", str(folder)])
    assert result.exit_code == 0, result.output
    page = (folder / "bench-results.md").read_text()
    assert "Native code left out: Numba is not installed (the extra 'native')." in page
    assert "WebAssembly in Node left out: no Node is installed." in page
    assert "| WebAssembly |" in page
    assert "| native |" not in page
    assert json.loads((folder / "assets" / "bench.json").read_text())["of_native"] == []


def test_a_target_holds_for_a_measurement_only(monkeypatch):
    seen: list[str | None] = []
    for before in ("plain", None):
        if before is None:
            monkeypatch.delenv("MACAZ_TARGET", raising=False)
        else:
            monkeypatch.setenv("MACAZ_TARGET", before)

        def run() -> dict[str, float]:
            seen.append(os.environ["MACAZ_TARGET"])
            return {}

        games.job_on("wasm", "group", "name", run).run()
        seen.append(os.environ.get("MACAZ_TARGET"))
    assert seen == ["wasm", "plain", "wasm", None]


@pytest.mark.skipif(targets.find_node() is None, reason="there is no Node here")
def test_node_plays_the_same_games(monkeypatch):
    spec = compile_spec(load_edition("europe"), 3)
    found = targets.in_node(spec, 0.001)
    assert found["decisions/s"] > found["games/s"] > 0
    monkeypatch.setattr(targets, "HOST", targets.HOST.with_name("nothing.mjs"))
    with pytest.raises(Skipped, match="Node failed"):
        targets.in_node(spec, 0.001)
