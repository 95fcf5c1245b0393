"""The page as it is served: every address, its files, and caching."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.server.harness import serving, settings

from macaz.server import page

BUILT = '<!doctype html><title>Macaz</title><script src="./assets/index-Ab12.js"></script>'
BUILT += '<link rel="icon" href="./favicon.svg" /><a href="https://macaz.test/./x">x</a>'
BUILT += "<p>A page.</p>" * 100
HTML = BUILT.replace('"./', '"/')  # it is served at deeper addresses, too
FILES = {
    "index.html": BUILT,
    "sw.js": "self.addEventListener('fetch', () => {});",
    "manifest.webmanifest": "{}",
    "favicon.svg": "<svg/>",
    "assets/index-Ab12.js": "export const words = 1;\n" * 100,
    "assets/index-Cd34.css": "body { margin: 0 }",
    "icons/icon-192.png": "a picture",
}
ADDRESSES = (
    *("/", "/join", "/tables/some-table", "/rules", "/rules/old-west+alvin"),
    *("/me", "/settings", "/about"),
)
UNKNOWN = (
    "/nothing",
    "/tables",
    "/tables/a/b",
    "/rules/a/b",
    "/me/too",
    "/index.html",
    "/web/x.js",
)
AS_PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made: Path = tmp_path_factory.mktemp("built")
    for name, text in FILES.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text)
    return made


@pytest.fixture(scope="module")
def browser(tmp_path_factory, folder) -> Iterator[httpx.Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "page_folder", lambda: folder)
        chosen = settings(tmp_path_factory.mktemp("page"))
        with serving(chosen) as server, httpx.Client(base_url=server.address) as client:
            yield client


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_is_the_page(browser, address):
    answer = browser.get(address, headers=AS_PAGE)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.text == HTML


@pytest.mark.parametrize("address", UNKNOWN)
def test_other_addresses_are_the_page_too_but_not_found(browser, address):
    answer = browser.get(address, headers=AS_PAGE)
    assert (answer.status_code, answer.text) == (404, HTML)
    refused = browser.get(address, headers={"accept": "application/json"})
    assert (refused.status_code, refused.json()["code"]) == (404, "not-found")
    assert browser.post(address, headers=AS_PAGE).status_code in (404, 405)


@pytest.mark.parametrize("address", ["/api/v1/nothing", "/assets/nothing.js", "/icons/nothing.png"])
def test_what_is_no_page_is_just_not_found(browser, address):
    answer = browser.get(address, headers=AS_PAGE)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize(
    ("address", "kind", "kept"),
    [
        ("/assets/index-Ab12.js", "text/javascript", "public, max-age=31536000, immutable"),
        ("/assets/index-Cd34.css", "text/css", "public, max-age=31536000, immutable"),
        ("/icons/icon-192.png", "image/png", "no-cache"),
        ("/sw.js", "text/javascript", "no-cache"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
        ("/favicon.svg", "image/svg+xml", "no-cache"),
    ],
)
def test_parts_have_their_types_and_are_kept_as_long_as_they_hold(browser, address, kind, kept):
    answer = browser.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"].split(";")[0] == kind
    said = answer.headers["cache-control"]
    assert sorted(said.split(", ")) == sorted(kept.split(", "))
    assert answer.text == FILES[address.removeprefix("/")]


def test_the_address_of_the_old_icon_has_the_new_one(browser):
    answer = browser.get("/favicon.ico")
    assert (answer.status_code, answer.text) == (200, FILES["icons/icon-192.png"])
    assert answer.headers["content-type"] == "image/png"


def test_a_page_that_has_not_changed_is_not_sent_again(browser, folder):
    first = browser.get("/")
    again = {"if-none-match": f'"other", {first.headers["etag"]}'}
    answer = browser.get("/join", headers=again)
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["etag"] == first.headers["etag"]
    (folder / "index.html").write_text(BUILT + "<p>New.</p>")
    try:
        assert browser.get("/", headers=again).text.endswith("New.</p>")
    finally:
        (folder / "index.html").write_text(BUILT)


@pytest.mark.parametrize("address", ["/assets/index-Ab12.js", "/", "/api/v1/editions/usa"])
def test_what_is_the_same_for_everybody_is_compressed(browser, address):
    with browser.stream("GET", address, headers={"accept-encoding": "gzip"}) as answer:
        sent = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in answer.headers["vary"].lower()
    plain = browser.get(address, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(sent) == plain.content
    assert len(sent) < len(plain.content) / 2


def test_what_belongs_to_a_person_is_not_compressed(browser):
    browser.post("/api/v1/people", json={"name": "Ana"})
    body = {"edition": "usa", "seats": [{"kind": "person"}] * 2}
    table = browser.post("/api/v1/tables", json=body).json()["id"]
    for path in ("/me", "/me/tables", "/me/statistics", f"/tables/{table}", "/whoami"):
        answer = browser.get(f"/api/v1{path}", headers={"accept-encoding": "gzip"})
        assert answer.status_code == 200
        assert "content-encoding" not in answer.headers
    browser.cookies.clear()


def test_the_policy_allows_what_an_installed_page_needs_and_no_other_site(browser):
    for address in ("/", "/sw.js", "/nothing"):
        said = browser.get(address, headers=AS_PAGE).headers["content-security-policy"]
        policy = dict(directive.split(" ", 1) for directive in said.split("; "))
        assert policy.pop("default-src") == "'none'"
        # WebAssembly may be compiled; text must not be run as a script.
        assert policy.pop("script-src") == "'self' 'wasm-unsafe-eval'"
        assert policy.pop("img-src") == "'self' blob:"  # the final picture is drawn in the page
        none = {name for name, value in policy.items() if value == "'none'"}
        assert none == {"base-uri", "frame-ancestors"}
        assert {name for name, value in policy.items() if value == "'self'"} == {
            *("style-src", "font-src", "connect-src"),
            *("worker-src", "manifest-src", "form-action"),
        }
        assert set(policy.values()) == {"'self'", "'none'"}


def test_a_page_that_was_not_built_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "page_folder", lambda: tmp_path / "nothing")
    with serving(settings(tmp_path)) as server, httpx.Client(base_url=server.address) as client:
        for address in (*ADDRESSES, *UNKNOWN):
            answer = client.get(address, headers=AS_PAGE)
            assert answer.status_code == 503
            assert "<code>macaz serve --check</code>" in answer.text
            assert answer.headers["content-type"].startswith("text/html")
        assert client.get("/sw.js").status_code == 404
        assert client.get("/assets/index-Ab12.js").status_code == 404
        assert client.get("/api/v1/editions").status_code == 200
