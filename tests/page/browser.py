"""Shared by the tests of the page: a Chromium, the errors in its pages, and checks of a page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright
from tests.installs import HOOK, ROOT

WEB = ROOT / "web"
BUILT = ROOT / "src/macaz/server/page_files"

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--disable-sync",
)
# One person's browser, unless a test says otherwise. A service worker would answer instead of
# the server; the tests of the worker allow it with service_workers="allow".
USUAL: dict[str, Any] = {
    "locale": "en",
    "color_scheme": "light",
    "reduced_motion": "reduce",
    "service_workers": "block",
    "viewport": {"width": 1440, "height": 900},
}
# Whether the service worker is active.
READY = "() => navigator.serviceWorker.ready.then((worker) => worker.active.state)"
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
RUN_AXE = """
async (tags) => {
  const found = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
  return found.violations.map(({ id, impact, help, nodes }) => ({
    id, impact, help,
    nodes: nodes.map((node) => ({ where: node.target.join(" "), why: node.failureSummary })),
  }));
}
"""


def stale_page() -> str:
    """Why the built page cannot be tested, if it cannot. MACAZ_OLD_PAGE=1 accepts an old one."""
    why: str = HOOK["why_stale"](ROOT)
    if why and not (os.environ.get("MACAZ_OLD_PAGE") and (ROOT / HOOK["BUILT"]).exists()):
        return f"{why}: run `make page`"
    return ""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running Chromium. No other event loop can run in this thread meanwhile."""
    found = subprocess.run(
        [sys.executable, ROOT / "tools/browser.py"], stdout=subprocess.PIPE, text=True, check=True
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found.stdout.strip(), args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Troubles:
    """Errors in the pages of a test, which fail it unless it expects them."""

    def __init__(self) -> None:
        self._found: list[str] = []
        self._forgiven: list[str] = []

    def watch(self, page: Page) -> None:
        """Record the errors of a page."""
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._note("threw", error.stack or error.message))
        page.on("requestfailed", self._miss)

    def forgive(self, pattern: str) -> None:
        """Expect errors that match a pattern, before or after they occur."""
        self._forgiven.append(pattern)

    @property
    def left(self) -> list[str]:
        """Errors that were not expected."""
        return [
            trouble
            for trouble in self._found
            if not any(re.search(pattern, trouble) for pattern in self._forgiven)
        ]

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self._note("said", said.text)

    def _miss(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # not cancelled by the page
            self._note("could not load", f"{request.url}: {request.failure}")

    def _note(self, how: str, what: str) -> None:
        self._found.append(f"the page {how} {what}")


class NewPage(Protocol):
    """Opens a page in a browser of its own: `new_page(locale="ro", viewport=…)`."""

    def __call__(self, **changes: Any) -> Page: ...


@cache
def _axe() -> str:
    return (WEB / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


def barriers(page: Page) -> list[str]:
    """Violations of WCAG 2.2 AA, as far as a program can find them, or of best practices."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_axe())
    found = []
    for rule in page.evaluate(RUN_AXE, list(RULES)):
        lines = [f"{rule['id']} ({rule['impact']}): {rule['help']}"]
        for node in rule["nodes"]:
            why = node["why"].replace("\n", "\n      ")
            lines.append(f"    {node['where']}\n      {why}")
        found.append("\n".join(lines))
    return found


def assert_accessible(page: Page) -> None:
    """Check that the page, in its present state, has no accessibility violations."""
    found = barriers(page)
    assert not found, "\n".join([f"{page.url} has {len(found)} accessibility violations", *found])


def shot(page: Page, name: str, *, whole: bool = False) -> None:
    """Save a screenshot of the page in the folder $MACAZ_SHOTS, if it is set."""
    if folder := os.environ.get("MACAZ_SHOTS"):
        page.evaluate("() => document.fonts.ready.then(() => undefined)")
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=whole)
