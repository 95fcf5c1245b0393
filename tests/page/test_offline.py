"""The page can be installed, opens while the server is down, and survives an upgrade.

What local games need is cached beside the page.
"""

from __future__ import annotations

import functools
import json
import re
import shutil
import threading
import time
from collections.abc import Iterator
from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect
from tests.page.browser import BUILT, READY, NewPage, Troubles
from tests.page.hosts import Host

from macaz.server.data_files import DataFiles, make_data_files
from macaz.server.editions import Catalog

# The newest cache belongs to the active worker, once it has deleted the older ones.
VERSION = """
async () => {
  const { active, installing, waiting } = await navigator.serviceWorker.getRegistration();
  const names = (await caches.keys()).filter((name) => name !== "macaz-data");
  const settled = active?.state === "activated" && !installing && !waiting;
  return settled ? Number(names.at(-1).replace("macaz-", "")) : 0;
}
"""
UPDATE = "() => navigator.serviceWorker.getRegistration().then((worker) => worker.update())"
STATUS = "(address) => fetch(address).then((answer) => answer.status, () => 0)"


def wait_for_version(page: Page, version: int) -> None:
    """Make the page look for a new service worker, and return when it is active."""
    page.evaluate(UPDATE)
    deadline = time.monotonic() + 60
    while page.evaluate(VERSION) != version:
        assert time.monotonic() < deadline, "the new service worker does not take over"
        page.wait_for_timeout(20)


def test_the_page_opens_while_the_server_is_away(
    own_server: Host, new_page: NewPage, troubles: Troubles
) -> None:
    page = new_page(service_workers="allow")
    page.goto("/")
    page.evaluate(READY)
    own_server.kill()
    troubles.forgive("ERR_CONNECTION_REFUSED|WebSocket|could not load")
    page.goto("/tables/some-table")
    expect(page).to_have_title(re.compile("Macaz"))
    expect(page.locator("#app > *").first).to_be_attached()
    own_server.start()
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_the_page_can_be_installed(page: Page) -> None:
    page.goto("/")
    seen = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert seen["errors"] == []
    manifest = json.loads(seen["data"])
    assert (manifest["name"], manifest["display"]) == ("Macaz", "standalone")
    assert seen["url"].endswith("/manifest.webmanifest")
    for icon in manifest["icons"]:
        answer = page.request.get(urljoin(seen["url"], icon["src"]))
        assert answer.ok
        assert answer.headers["content-type"] == icon["type"]
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}


@cache
def data_files() -> DataFiles:
    return make_data_files(Catalog())


class Deployed:
    """The built page on a server without an API, which can be upgraded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.broken = False
        shutil.copytree(BUILT, folder)
        self._worker = (folder / "sw.js").read_text()
        self._data = data_files()
        (folder / "data").mkdir()
        for name, content in self._data.files.items():
            (folder / "data" / name).write_bytes(content)
        self.upgrade_data(1)
        deployed = self

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                deployed.asked.append(self.path)
                if deployed.broken:
                    self.send_error(503)
                elif self.path.startswith("/tables/"):
                    self.path = "/index.html"
                    super().do_GET()
                else:
                    super().do_GET()

            def end_headers(self) -> None:
                self.send_header("cache-control", "no-store")  # only the worker may keep them
                super().end_headers()

            def log_message(self, *_: Any) -> None: ...

        handler = functools.partial(Handler, directory=folder)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def upgrade(self, version: int) -> None:
        """A build whose only new file is named after its version; the previous one is deleted."""
        for old in self.folder.glob("assets/only-*"):
            old.unlink()
        only = f"assets/only-{version}.txt"
        (self.folder / only).write_text("mine")
        worker = re.sub(r'VERSION = "\w+"', f'VERSION = "{version}"', self._worker)
        (self.folder / "sw.js").write_text(worker.replace("FILES = [", f'FILES = ["{only}",'))

    def upgrade_data(self, version: int) -> None:
        """Data files: one map and one network have this version; the previous ones are deleted."""
        for old in self.folder.glob("data/only-*"):
            old.unlink()
        index = json.loads(self._data.index)
        index["maps"]["only"] = f"only-{version}.json"
        index["networks"]["only"] = {"file": f"only-{version}.bin", "bytes": 2}
        for name in ("json", "bin"):
            (self.folder / f"data/only-{version}.{name}").write_text("{}")
        (self.folder / "data/index.json").write_text(json.dumps(index))

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def deployed(tmp_path: Path) -> Iterator[Deployed]:
    running = Deployed(tmp_path / "page")
    running.upgrade(1)
    yield running
    running.close()


@pytest.fixture
def visit(deployed: Deployed, new_page: NewPage, troubles: Troubles) -> Page:
    """A page with an active service worker; requests to the API are not answered."""
    troubles.forgive(".")
    page = new_page(service_workers="allow", base_url=deployed.url)
    page.goto("/")
    page.evaluate(READY)
    wait_for_version(page, 1)
    return page


def test_an_open_page_keeps_its_own_files_when_the_server_is_upgraded(
    deployed: Deployed, visit: Page
) -> None:
    deployed.upgrade(2)
    wait_for_version(visit, 2)
    assert visit.evaluate(STATUS, "/assets/only-1.txt") == 200
    assert visit.evaluate(STATUS, "/assets/only-2.txt") == 200


def test_files_of_old_versions_are_dropped(deployed: Deployed, visit: Page) -> None:
    deployed.upgrade(2)
    wait_for_version(visit, 2)
    deployed.upgrade(3)
    wait_for_version(visit, 3)
    assert visit.evaluate("() => caches.keys()") == ["macaz-data", "macaz-2", "macaz-3"]
    assert visit.evaluate(STATUS, "/assets/only-1.txt") == 404


def test_a_new_page_is_shown_at_the_next_load(deployed: Deployed, visit: Page) -> None:
    index = deployed.folder / "index.html"
    index.write_text(index.read_text().replace("<head>", '<head><meta name="newer">'))
    visit.goto("/tables/one")
    expect(visit.locator("meta[name=newer]")).to_be_attached()


def test_a_server_that_restarts_behind_a_proxy_does_not_hide_the_page(
    deployed: Deployed, visit: Page
) -> None:
    deployed.broken = True
    answer = visit.goto("/tables/one")
    assert answer is not None
    assert answer.ok
    expect(visit).to_have_title(re.compile("Macaz"))


def test_files_that_never_change_are_asked_for_once(deployed: Deployed, visit: Page) -> None:
    deployed.asked.clear()
    visit.reload()
    visit.wait_for_load_state("networkidle")
    assert [path for path in deployed.asked if path.startswith("/assets/")] == []


def test_what_the_game_says_is_never_kept(deployed: Deployed, visit: Page) -> None:
    deployed.asked.clear()
    for _ in range(2):
        visit.evaluate(STATUS, "/api/v1/of-a-test")
    assert deployed.asked.count("/api/v1/of-a-test") == 2
    deployed.broken = True
    assert visit.evaluate(STATUS, "/api/v1/of-a-test") == 503
    answer = visit.goto("/api/v1/of-a-test")
    assert answer is not None
    assert answer.status == 503


# -- what local games need -------------------------------------------------------------------------

KEPT = """
async () => {
  const cache = await caches.open("macaz-data");
  return (await cache.keys()).map(({ url }) => url.slice(url.indexOf("/data/") + 6)).sort();
}
"""
TEXT = "(address) => fetch(address).then((answer) => answer.text())"


def wait_for_data(page: Page, present: str, absent: str) -> None:
    """Ask for the index as a local game does, until the cache has one file and not the other."""
    deadline = time.monotonic() + 60
    page.evaluate(TEXT, "/data/index.json")
    while not (present in (kept := page.evaluate(KEPT)) and absent not in kept):
        assert time.monotonic() < deadline, kept
        page.wait_for_timeout(20)


def test_after_one_visit_local_games_need_no_network(deployed: Deployed, visit: Page) -> None:
    kept = visit.evaluate(KEPT)
    files = data_files()
    needed = files.files.keys() - files.networks
    assert set(kept) == {*needed, "index.json", "only-1.json"}
    index = visit.evaluate(TEXT, "/data/index.json")
    deployed.asked.clear()
    deployed.broken = True
    assert visit.evaluate(TEXT, "/data/index.json") == index
    for name in needed:
        assert visit.evaluate(STATUS, f"/data/{name}") == 200
    assert deployed.asked == ["/data/index.json"]
    visit.context.set_offline(True)
    visit.reload()
    expect(visit).to_have_title(re.compile("Macaz"))
    assert visit.evaluate(TEXT, "/data/index.json") == index


def test_a_network_is_cached_when_it_is_first_used(deployed: Deployed, visit: Page) -> None:
    assert visit.evaluate(STATUS, "/data/only-1.bin") == 200
    wait_for_data(visit, "only-1.bin", absent="none")
    deployed.asked.clear()
    assert visit.evaluate(STATUS, "/data/only-1.bin") == 200
    assert deployed.asked == []


def test_changed_data_files_are_cached_when_the_index_is_asked_for(
    deployed: Deployed, visit: Page
) -> None:
    assert visit.evaluate(STATUS, "/data/only-1.bin") == 200
    deployed.upgrade_data(2)
    assert "only-2.json" in visit.evaluate(TEXT, "/data/index.json")
    wait_for_data(visit, "only-2.json", absent="only-2.bin")
    # An open page of the version before still finds its files.
    assert {"only-1.json", "only-1.bin"} <= set(visit.evaluate(KEPT))
    wait_for_data(visit, "only-2.json", absent="only-2.bin")
    assert visit.evaluate(STATUS, "/data/only-1.json") == 200
    deployed.upgrade_data(3)
    wait_for_data(visit, "only-3.json", absent="only-1.json")
    assert "only-1.bin" not in visit.evaluate(KEPT)
    assert visit.evaluate(STATUS, "/data/only-1.json") == 404


def test_an_index_is_cached_only_with_all_its_files(deployed: Deployed, visit: Page) -> None:
    deployed.upgrade_data(2)
    (deployed.folder / "data/only-2.json").unlink()
    assert "only-2.json" in visit.evaluate(TEXT, "/data/index.json")
    visit.context.set_offline(True)
    cached = visit.evaluate(TEXT, "/data/index.json")
    assert "only-1.json" in cached
    assert "only-2.json" not in cached
