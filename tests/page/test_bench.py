"""The benchmark of the page: every measurement works, at a server and in the browser."""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import Browser
from tests.page.hosts import Host

from macaz.bots.search import Tree
from macaz.lab.bench import local, page, targets
from macaz.lab.bench.browser import SPEEDS, new_page
from macaz.lab.bench.games import on
from macaz.lab.bench.measure import Measured, Skipped, run_rounds
from macaz.lab.bench.server.process import Process


@pytest.fixture
def process(server: Host, monkeypatch: pytest.MonkeyPatch) -> Process:
    """A server for short measurements."""
    monkeypatch.setattr(page, "SECONDS", 0.1)
    monkeypatch.setattr(local, "DECISIONS", 1)
    monkeypatch.setattr(local, "EFFORT", 200)
    monkeypatch.setattr(local, "THINKING", ("expert",))
    monkeypatch.setattr(targets, "usable", lambda: ([targets.WASM], []))
    return Process(0, server.url)


def test_a_frame_may_take_longer_than_the_measurement(browser: Browser) -> None:
    with new_page(browser) as opened:
        found = opened.evaluate(page.COUNT_FRAMES, 0)
    assert 0 < found["frames"] < math.inf
    assert 0 < found["longest"] < math.inf


@pytest.mark.slow
def test_a_round(browser: Browser, process: Process) -> None:
    jobs = page.page_jobs(browser, process)
    measured = Measured({}, run_rounds(jobs, 1))
    assert [job.skipped for job in jobs if job.skipped] == []
    assert all(min(figures) > 0 for job in jobs for figures in job.samples.values())
    rows = {sheet.title: [row[0] for row in sheet.rows] for sheet in page.sheets(measured)}
    assert rows["Until the first decision, in seconds, with an empty cache"] == list(SPEEDS)
    assert rows["The bots of a game in the browser"] == ["expert"]
    assert rows["Playouts of the search, a second of processor time"] == [
        "WebAssembly",
        "WebAssembly in the browser, by V8",
    ]
    assert "the kernel" in rows["A first game in the browser loads beside the page"]


def test_another_search_is_not_compared(
    browser: Browser, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tree, "lead", lambda tree: -1)
    with on(targets.WASM), pytest.raises(Skipped, match="another tree grew"):
        local.search_in(browser, targets.some_positions()[:1])
