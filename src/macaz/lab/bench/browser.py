"""Opens pages in a real browser, and slows them down."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any

from macaz.lab.bench.measure import Skipped

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_MS = 60_000
SLOWDOWN = 6  # of a phone, as developer tools have it
RUN_SECONDS = 0.002  # for which a process that is slowed down runs before it is stopped again


@contextmanager
def open_browser(chromium: str) -> Iterator[Browser]:
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
def new_page(browser: Browser, width: int = 1440, height: int = 900) -> Iterator[Page]:
    """A page in a new browser context, with an empty cache."""
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en")
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def _page_processes(browser: Browser) -> list[dict[str, Any]]:
    """The processes of all open pages: their ids and processor times."""
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return [process for process in found["processInfo"] if process["type"] == "renderer"]


def processor_seconds(browser: Browser) -> dict[int, float]:
    """Processor time so far of each process of pages, with their workers."""
    return {int(found["id"]): float(found["cpuTime"]) for found in _page_processes(browser)}


def processor_time(before: dict[int, float], after: dict[int, float]) -> float:
    """The processor time between two answers of `processor_seconds`."""
    return sum(after[pid] - before.get(pid, 0) for pid in after)


@contextmanager
def main_thread_slowed(page: Page) -> Iterator[None]:
    """Chromium's own slowdown, which it refuses for workers: they stay as fast as they are."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    yield
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})


@contextmanager
def _processes_slowed(page: Page) -> Iterator[None]:
    """Stop the processes of pages, with all their threads, for most of the time."""
    browser = page.context.browser
    if browser is None or not hasattr(signal, "SIGSTOP"):
        raise Skipped("processes cannot be stopped here")
    pids = [int(process["id"]) for process in _page_processes(browser)]
    done = threading.Event()

    def send(what: signal.Signals) -> float:
        for pid in pids:
            with suppress(ProcessLookupError):  # one that was kept for a next page
                os.kill(pid, what)
        return time.perf_counter()

    def slow() -> None:
        began = time.perf_counter()
        while not done.wait(RUN_SECONDS):
            stopped = send(signal.SIGSTOP)
            time.sleep((SLOWDOWN - 1) * (stopped - began))
            began = send(signal.SIGCONT)

    thread = threading.Thread(target=slow)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


# What is slowed down, for the tables of results.
SPEEDS: dict[str, Callable[[Page], AbstractContextManager[None]]] = {
    "as fast as the machine": lambda page: nullcontext(),
    f"{SLOWDOWN}× slower: the page's main thread": main_thread_slowed,
    f"{SLOWDOWN}× slower: its process, with all workers": _processes_slowed,
}
