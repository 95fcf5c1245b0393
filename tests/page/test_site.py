"""A static site in a real browser: served as files under a path, without a server of Macaz."""

from __future__ import annotations

import functools
import json
import re
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.browser import USUAL, Troubles, assert_accessible, shot
from tests.page.clicks import PATIENCE as DECISION_SECONDS
from tests.page.clicks import Mind, Mouse, Player, said
from tests.page.conftest import PATIENCE

from macaz.server.editions import Catalog
from macaz.server.site import write_site

FOLDER = "some/sub/path"
READY = "() => navigator.serviceWorker.ready.then((worker) => worker.active.state)"
LANGUAGES = ("en", "ro")
# The heading of each screen, by language.
HEADINGS = {
    "": ("Where to today?", "Unde mergem astăzi?"),
    "#/rules": ("The game in a minute", "Jocul într-un minut"),
    "#/rules/old-west": ("Rules: Old West", "Reguli: Vechiul Vest"),
    "#/settings": ("Settings", "Setări"),
    "#/me": ("My games", "Partidele mele"),
    "#/about": ("About Macaz", "Despre Macaz"),
    "#/nowhere": ("No station here", "Aici nu oprește niciun tren"),
}


class Files(SimpleHTTPRequestHandler):
    """`python -m http.server` without its log."""

    def log_message(self, *_: Any) -> None: ...


class Site:
    """A site below a path of a host that serves files."""

    def __init__(self, folder: Path) -> None:
        write_site(folder / FOLDER, Catalog())
        self._folder = folder
        self._server: ThreadingHTTPServer | None = None
        self._port = 0
        self.start()

    def start(self) -> None:
        handler = functools.partial(Files, directory=self._folder)
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), handler)
        self._port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._port}/{FOLDER}/"

    def update_kernel(self) -> str:
        """Replace the kernel by another one; returns the name of its file."""
        data = self._folder / FOLDER / "data"
        index = json.loads((data / "index.json").read_bytes())
        old = data / index["kernel"]
        note = b"\4noteof an update"  # a custom section, which changes nothing but the bytes
        code = old.read_bytes() + bytes([0, len(note)]) + note
        old.unlink()
        index["kernel"] = "kernel-0123456789abcdef.wasm"
        (data / index["kernel"]).write_bytes(code)
        (data / "index.json").write_text(json.dumps(index), "utf-8")
        return str(index["kernel"])

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()
            self._server = None


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    served = Site(tmp_path_factory.mktemp("site"))
    yield served
    served.stop()


@pytest.fixture
def site(shared_site: Site) -> Iterator[Site]:
    yield shared_site
    if shared_site._server is None:
        shared_site.start()


@pytest.fixture
def visit(browser: Browser, troubles: Troubles, site: Site) -> Iterator[Any]:
    """Opens the site, or another one, at an address in a new browser."""
    contexts = []
    shared = site

    def open_one(address: str = "", site: Site = shared, **changes: Any) -> Page:
        context = browser.new_context(**{"base_url": site.url, **USUAL, **changes})
        context.set_default_timeout(PATIENCE)
        context.on("page", troubles.watch)
        contexts.append(context)
        page = context.new_page()
        page.goto(site.url + address)
        return page

    yield open_one
    for context in contexts:
        context.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", HEADINGS)
def test_every_screen_opens_at_its_address(visit: Any, address: str, language: str) -> None:
    page = visit(address, locale=language)
    heading = HEADINGS[address][LANGUAGES.index(language)]
    expect(page.get_by_role("heading", level=1, name=heading, exact=True)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert_accessible(page)


def test_links_stay_within_the_site(visit: Any, site: Site) -> None:
    page = visit()
    page.get_by_role("link", name="Rules").first.click()
    expect(page).to_have_url(f"{site.url}#/rules")
    page.get_by_role("link", name=re.compile("Europe")).first.click()
    expect(page).to_have_url(f"{site.url}#/rules/europe")
    section = page.locator("nav.contents a").nth(3)
    name = section.get_attribute("href").rpartition("#")[2]
    section.click()
    expect(page).to_have_url(f"{site.url}#/rules/europe#{name}")
    expect(page.locator(f"#{name}")).to_be_in_viewport()
    page.reload()
    expect(page.locator(f"#{name}")).to_be_in_viewport()
    page.go_back()
    page.go_back()
    expect(page).to_have_url(f"{site.url}#/rules")
    page.get_by_role("link", name="Macaz").first.click()
    expect(page).to_have_url(f"{site.url}#/")


def test_the_skip_link_leads_to_the_content_and_not_to_another_screen(visit: Any) -> None:
    page = visit("#/rules/europe")
    page.get_by_role("heading", level=1).wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    expect(page).to_have_url(re.compile("#/rules/europe$"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Europe")


def test_the_site_says_what_friends_elsewhere_need(visit: Any) -> None:
    page = visit()
    expect(page.get_by_text(said("no-server.friends"))).to_be_visible()
    shot(page, "site-home")
    page.get_by_role("link", name=said("nav.about")).first.click()
    for key in ("about.what-site", "about.fair-site", "about.program-note"):
        expect(page.get_by_text(said(key))).to_be_visible()
    shot(page, "site-about")


def test_the_licences_lie_beside_the_page(visit: Any) -> None:
    page = visit("#/about")
    page.locator("a[href$='licences.txt']").click()
    expect(page.locator("body")).to_contain_text("Macaz")
    assert page.url.endswith(f"/{FOLDER}/licences.txt")


def test_the_site_opens_without_its_host_after_one_visit(
    visit: Any, site: Site, troubles: Troubles
) -> None:
    page = visit(service_workers="allow")
    page.evaluate(READY)
    site.stop()
    troubles.forgive("ERR_CONNECTION_REFUSED|could not load")
    for address in ("", "#/rules/usa", "#/settings", "index.html#/about"):
        page.goto("about:blank")
        page.goto(site.url + address)
        expect(page.get_by_role("heading", level=1).first).to_be_visible()


def test_two_sites_of_one_host_have_their_own_caches(
    visit: Any, site: Site, tmp_path: Path
) -> None:
    page = visit(service_workers="allow")
    page.evaluate(READY)
    names = page.evaluate("() => caches.keys()")
    assert [name.rpartition("-")[0] for name in names] == [f"macaz-/{FOLDER}/"] * 2


# -- playing ---------------------------------------------------------------------------------------


def test_a_game_is_played_and_replayed_while_the_host_is_away(
    visit: Any, site: Site, troubles: Troubles
) -> None:
    page = visit(service_workers="allow")
    page.evaluate(READY)
    site.stop()
    troubles.forgive("ERR_CONNECTION_REFUSED|could not load")
    page.reload()
    page.locator("[data-play]").click()
    expect(page).to_have_url(re.compile(r"/#/tables/local-[\w-]+$"))
    table = page.url
    player = Player(Mind("a plane"), Mouse(page))
    for _ in range(8):
        assert player.step(DECISION_SECONDS)
    page.reload()
    expect(page.locator("main.play")).to_be_visible()
    assert player.step(DECISION_SECONDS)
    page.locator("[data-hint][aria-disabled=false]:visible").click(timeout=PATIENCE)
    expect(page.locator(".move").first).to_be_visible(timeout=PATIENCE)
    page.goto(f"{table}?v=1")
    expect(page.get_by_role("slider").first).to_be_visible()
    expect(page).to_have_title(re.compile("Replay"))
    page.goto(site.url)
    page.get_by_role("heading", level=1, name="Where to today?").wait_for()
    address = table.removeprefix(site.url)
    page.locator(f"a[href='{address}']").first.click()
    expect(page.locator("main.play")).to_be_visible()
    assert page.url == table


def test_puzzles_and_the_analysis_board_need_no_host(
    visit: Any, site: Site, troubles: Troubles
) -> None:
    page = visit(service_workers="allow")
    page.evaluate(READY)
    site.stop()
    troubles.forgive("ERR_CONNECTION_REFUSED|could not load")

    def go(address: str) -> None:
        page.goto("about:blank")
        page.goto(address)

    go(f"{site.url}#/puzzles")
    page.locator("[data-puzzle-today]").click()
    page.locator("[data-puzzle-answer]").click()
    expect(page.locator(".guide")).to_contain_text("The right move")
    go(f"{site.url}#/analysis")
    page.locator("[data-setup-done]").click()
    moves = page.locator("[data-study-moves] li")
    expect(moves.first).to_be_visible()
    expect(page).to_have_url(re.compile("#/analysis#1"))
    go(page.url)
    expect(moves.first).to_be_visible()


def test_a_game_goes_on_with_the_kernel_of_an_update(
    visit: Any, tmp_path: Path, troubles: Troubles
) -> None:
    own = Site(tmp_path)
    try:
        page = visit(site=own, service_workers="allow")
        page.evaluate(READY)
        page.locator("[data-play]").click()
        expect(page).to_have_url(re.compile(r"/#/tables/local-[\w-]+$"))
        player = Player(Mind("an update"), Mouse(page))
        for _ in range(4):
            assert player.step(DECISION_SECONDS)
        kernel = own.update_kernel()
        page.reload()  # the previous kernel is in the cache, and no longer on the host
        expect(page.locator("main.play")).to_be_visible()
        for _ in range(3):
            assert player.step(DECISION_SECONDS)
        cached = f"() => caches.match('data/{kernel}').then((found) => found !== undefined)"
        page.wait_for_function(cached)
    finally:
        own.stop()
    troubles.forgive("ERR_CONNECTION_REFUSED|could not load")
    page.reload()
    expect(page.locator("main.play")).to_be_visible()
    assert player.step(DECISION_SECONDS)
