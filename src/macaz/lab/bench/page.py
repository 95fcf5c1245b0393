"""Measures the page in a real browser: time to the first decision, and frame rate.

An empty page in the same browser and round shows the limit of the machine.
"""

from __future__ import annotations

import gzip
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from macaz.lab.bench.measure import Job, Measured, Skipped, run_rounds
from macaz.lab.bench.report import Sheet, spread, times
from macaz.lab.bench.server.process import Process, serving
from macaz.server.page import missing_page, page_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EMPTY, OURS = "an empty page", "the page"
PATIENCE_MS = 60_000
SECONDS = 3
# Frames per second, and the longest time between two frames.
COUNT_FRAMES = """
(seconds) => new Promise((done) => {
  const times = [];
  const end = performance.now() + 1000 * seconds;
  const frame = (now) => {
    times.push(now);
    if (now < end) requestAnimationFrame(frame);
    else {
      const waits = times.slice(1).map((time, i) => time - times[i]);
      done({ frames: waits.length / seconds, longest: Math.max(...waits) });
    }
  };
  requestAnimationFrame(frame);
})
"""
# Drag the map left and right, one step per frame.
DRAG = """
(seconds) => {
  const map = document.querySelector("[data-board]");
  const box = map.getBoundingClientRect();
  const at = (type, x) => map.dispatchEvent(new PointerEvent(type, {
    bubbles: true, cancelable: true, pointerId: 1, isPrimary: true, button: 0, buttons: 1,
    clientX: x, clientY: box.top + box.height / 2,
  }));
  const middle = box.left + box.width / 2;
  const begin = performance.now();
  at("pointerdown", middle);
  const step = (now) => {
    const passed = (now - begin) / 1000;
    if (passed > seconds) return at("pointerup", middle);
    at("pointermove", middle + 120 * Math.sin(4 * passed));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
"""


def run(rounds: int, chromium: str) -> Measured:
    from macaz.lab.bench import machine

    if problem := missing_page():
        raise Skipped(problem)
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder) / 'bench.db'}"
        with serving(database) as server, _browser(chromium) as browser:
            server.wait_ready()
            jobs = [
                Job("first decision", OURS, lambda: _first_decision(browser, server)),
                Job("frames", EMPTY, lambda: _frames(browser, server, game=False)),
                Job("frames", OURS, lambda: _frames(browser, server, game=True)),
            ]
            return Measured(machine.describe(), run_rounds(jobs, rounds))


@contextmanager
def _browser(chromium: str) -> Iterator[Browser]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise Skipped("a browser is driven with Playwright: make check sets it up") from error
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-background-networking"]
        )
        yield browser
        browser.close()


@contextmanager
def _page(browser: Browser) -> Iterator[Page]:
    """A page in a new browser context, with an empty cache."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en")
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def _first_decision(browser: Browser, server: Process) -> dict[str, float]:
    """Seconds until the Play button can be clicked, and until the first tickets are shown."""
    with _page(browser) as page:
        page.goto(server.address, wait_until="commit")
        page.locator("button[data-play]:enabled").wait_for()
        opened: float = page.evaluate("performance.now()")
        page.locator("button[data-play]").click()
        page.locator("[data-ticket]").first.wait_for()
        decided: float = page.evaluate("performance.now()")
    return {"page, seconds": opened / 1000, "first decision, seconds": decided / 1000}


def _frames(browser: Browser, server: Process, *, game: bool) -> dict[str, float]:
    with _page(browser) as page:
        page.goto(server.address)
        if game:
            page.locator("button[data-play]:enabled").click()
            page.locator("[data-ticket]").first.wait_for()
            page.evaluate(DRAG, SECONDS)
        else:
            page.goto("about:blank")
        found: dict[str, Any] = page.evaluate(COUNT_FRAMES, SECONDS)
    return {"frames/s": found["frames"], "longest, ms": found["longest"]}


def download() -> dict[str, int]:
    """Compressed bytes that a first visit downloads: code and style, and fonts."""
    folder = page_folder()
    html = (folder / "index.html").read_text()
    names = re.findall(r'(?:src|href)="/(assets/[^"]+)"', html)
    code = sum(len(gzip.compress((folder / name).read_bytes())) for name in names)
    fonts = sum(path.stat().st_size for path in (folder / "assets").glob("*.woff2"))
    return {"code and style": code + len(gzip.compress(html.encode())), "fonts": fonts}


def sheets(found: Measured) -> list[Sheet]:
    """The tables."""
    first, empty, ours = found.jobs
    return [
        Sheet(
            "Until the first decision, in seconds, with an empty cache",
            ("", "seconds"),
            [
                ("the page can be used", spread(first.spread("page, seconds"))),
                (
                    "the first tickets are to be chosen",
                    spread(first.spread("first decision, seconds")),
                ),
            ],
        ),
        Sheet(
            "Frames a second",
            ("", "frames/s", "longest wait, ms"),
            [
                (EMPTY, spread(empty.spread("frames/s")), spread(empty.spread("longest, ms"))),
                (
                    "the map, while it is dragged",
                    spread(ours.spread("frames/s")),
                    spread(ours.spread("longest, ms")),
                ),
                ("ratio", times(ours.ratio(empty, "frames/s")), ""),
            ],
        ),
        Sheet(
            "A first visit loads",
            ("", "kB, compressed"),
            [(name, f"{size / 1000:.0f}") for name, size in download().items()],
        ),
    ]
