"""Measures the page in a real browser: time to the first decision, frame rate, games in it.

An empty page in the same browser and round shows the limit of the machine.
"""

from __future__ import annotations

import gzip
import json
import re
import statistics
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from macaz.lab.bench import local
from macaz.lab.bench.browser import (
    SLOWDOWN,
    SPEEDS,
    main_thread_slowed,
    new_page,
    open_browser,
    processor_seconds,
    processor_time,
)
from macaz.lab.bench.measure import Job, Measured, Skipped, run_rounds
from macaz.lab.bench.report import Sheet, spread, times
from macaz.lab.bench.server.process import Process, serving
from macaz.server.page import missing_page, page_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EMPTY, OURS = "an empty page", "the page"
EMPTY_PHONE, BOTS_PHONE = "an empty page on a phone", "bots on a phone"
PHONE = (390, 844)
OPPONENTS = 4
TURNS = 3  # of the player, each followed by one of every bot
FIRST = "first decision"
SERVER, BROWSER = PLACES = ("server", "browser")  # where a game is, as the form has it
SECONDS = 3
# Milliseconds from the click on Play until the first tickets are shown.
PLAY = """
() => new Promise((done) => {
  const began = performance.now();
  const look = () => {
    if (document.querySelector("[data-ticket]")?.checkVisibility()) done(performance.now() - began);
    else requestAnimationFrame(look);
  };
  document.querySelector("button[data-play]").click();
  look();
})
"""
# Frames per second, and the longest time between two frames: at least one, however slow it is.
COUNT_FRAMES = """
(seconds) => new Promise((done) => {
  const times = [];
  const end = performance.now() + 1000 * seconds;
  const frame = (now) => {
    times.push(now);
    if (now < end || times.length < 2) return requestAnimationFrame(frame);
    const waits = times.slice(1).map((time, i) => time - times[i]);
    done({ frames: (1000 * waits.length) / (now - times[0]), longest: Math.max(...waits) });
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
# The frames until it is the player's turn again, as `COUNT_FRAMES` has them.
COUNT_FRAMES_OF_BOTS = """
() => new Promise((done) => {
  const times = [];
  const frame = (now) => {
    const mine = document.querySelector(".bar.mine") !== null;
    if (!mine) times.push(now);
    if (!mine || times.length < 2) return requestAnimationFrame(frame);
    const waits = times.slice(1).map((time, i) => time - times[i]);
    const passed = times.at(-1) - times[0];
    done({ frames: (1000 * waits.length) / passed, longest: Math.max(...waits) });
  };
  requestAnimationFrame(frame);
})
"""


def run(rounds: int, chromium: str) -> Measured:
    from macaz.lab.bench import machine

    if problem := missing_page():
        raise Skipped(problem)
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder) / 'bench.db'}"
        with serving(database) as server, open_browser(chromium) as browser:
            server.wait_ready()
            return Measured(machine.describe(), run_rounds(page_jobs(browser, server), rounds))


def page_jobs(browser: Browser, server: Process) -> list[Job]:
    """All measurements, of games at this server and in the browser."""
    return [
        *(
            Job(
                f"{FIRST}, {speed}",
                place,
                partial(_first_decision, browser, server, place, speed),
            )
            for speed in SPEEDS
            for place in PLACES
        ),
        Job("frames", EMPTY, lambda: _frames(browser, server, game=False)),
        Job("frames", OURS, lambda: _frames(browser, server, game=True)),
        Job("frames", EMPTY_PHONE, lambda: _empty_phone(browser)),
        Job("frames", BOTS_PHONE, lambda: _frames_of_bots(browser, server)),
        *local.local_jobs(browser, server),
    ]


def _first_decision(browser: Browser, server: Process, place: str, speed: str) -> dict[str, float]:
    """Seconds until the Play button can be clicked, and from there until tickets are shown."""
    form = json.dumps({"atServer": place == SERVER})
    with new_page(browser) as page:
        page.add_init_script(f'localStorage["macaz-wish"] = {json.dumps(form)}')
        page.goto(server.address, wait_until="commit")
        with SPEEDS[speed](page):
            page.locator(f"[data-place={place}]").wait_for()
            page.locator("button[data-play]:enabled").wait_for()
            opened: float = page.evaluate("performance.now()")
            before = processor_seconds(browser)
            decided: float = page.evaluate(PLAY)
            after = processor_seconds(browser)
    return {
        "page, seconds": opened / 1000,
        "first decision, seconds": decided / 1000,
        "processor, seconds": processor_time(before, after),
    }


def _frames(browser: Browser, server: Process, *, game: bool) -> dict[str, float]:
    with new_page(browser) as page:
        page.goto(server.address)
        if game:
            page.locator("button[data-play]:enabled").click()
            page.locator("[data-ticket]").first.wait_for()
            page.evaluate(DRAG, SECONDS)
        else:
            page.goto("about:blank")
        found: dict[str, Any] = page.evaluate(COUNT_FRAMES, SECONDS)
    return {"frames/s": found["frames"], "longest, ms": found["longest"]}


def _empty_phone(browser: Browser) -> dict[str, float]:
    with new_page(browser, *PHONE) as page, main_thread_slowed(page):
        found: dict[str, Any] = page.evaluate(COUNT_FRAMES, SECONDS)
    return {"frames/s": found["frames"], "longest, ms": found["longest"]}


def _frames_of_bots(browser: Browser, server: Process) -> dict[str, float]:
    """While bots move, on a small screen with a slowed main thread: the median of some turns."""
    chairs = [{"who": "me"}, *({"who": "bot", "bot": "greedy"} for _ in range(OPPONENTS))]
    form = json.dumps({"edition": "usa-classic", "chairs": chairs})
    found = []
    with new_page(browser, *PHONE) as page:
        page.add_init_script(f'localStorage["macaz-wish"] = {json.dumps(form)}')
        page.goto(server.address)
        page.locator("button[data-play]:enabled").click()
        page.locator(".decision [data-ticket]").first.wait_for()
        for ticket in page.locator(".decision [data-ticket]").all():
            ticket.click()
        page.locator(".decision footer button").click()
        deck = page.locator("button[data-pile=deck][aria-disabled=false]")
        deck.wait_for()
        with main_thread_slowed(page):
            for _ in range(TURNS):
                deck.click()
                page.locator("[data-prompt]", has_text="second").wait_for()
                deck.click()
                found.append(page.evaluate(COUNT_FRAMES_OF_BOTS))
    return {
        "frames/s": statistics.median(turn["frames"] for turn in found),
        "longest, ms": max(turn["longest"] for turn in found),
    }


def download() -> dict[str, int]:
    """Compressed bytes that a first visit downloads: code and style, and fonts."""
    folder = page_folder()
    html = (folder / "index.html").read_text()
    names = re.findall(r'(?:src|href)="[./]*(assets/[^"]+)"', html)
    code = sum(len(gzip.compress((folder / name).read_bytes())) for name in names)
    fonts = sum(path.stat().st_size for path in (folder / "assets").glob("*.woff2"))
    return {"code and style": code + len(gzip.compress(html.encode())), "fonts": fonts}


def sheets(found: Measured) -> list[Sheet]:
    """The tables."""
    return [
        _first_sheet(found),
        _frames_sheet(found),
        Sheet(
            "A first visit loads",
            ("", "kB, compressed"),
            [(name, f"{size / 1000:.0f}") for name, size in download().items()],
        ),
        *local.sheets(found),
    ]


def _frames_sheet(found: Measured) -> Sheet:
    rows = []
    for group in (
        ((EMPTY, EMPTY), (OURS, "the map, while it is dragged")),
        (
            (EMPTY_PHONE, f"an empty page, {SLOWDOWN}× slower"),
            (BOTS_PHONE, f"a phone's page while bots move, {SLOWDOWN}× slower"),
        ),
    ):
        jobs = [found.find("frames", name) for name, _ in group]
        for job, (_, words) in zip(jobs, group, strict=True):
            if job:
                rows.append(
                    (words, spread(job.spread("frames/s")), spread(job.spread("longest, ms")))
                )
        empty, ours = jobs
        if empty and ours:
            rows.append(("ratio", times(ours.ratio(empty, "frames/s")), ""))
    return Sheet("Frames a second", ("", "frames/s", "longest wait, ms"), rows)


def _first_sheet(found: Measured) -> Sheet:
    rows = []
    for speed in SPEEDS:
        jobs = found.group(f"{FIRST}, {speed}")
        if len(jobs) < len(PLACES):
            continue
        served, here = jobs
        rows.append(
            (
                speed,
                spread(here.spread("page, seconds")),
                *(spread(job.spread("first decision, seconds")) for job in jobs),
                times(here.ratio(served, "first decision, seconds")),
                spread(here.spread("processor, seconds")),
            )
        )
    headings = (
        "seconds",
        "until the page can be used",
        "from the click on Play to the first tickets, at the server",
        "in the browser",
        "ratio",
        "processor time in the browser",
    )
    title = "Until the first decision, in seconds, with an empty cache"
    note = "Chromium's slowdown of the main thread counts as processor time."
    return Sheet(title, headings, rows, note=note)
