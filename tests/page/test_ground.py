"""The helpers of the page's tests do find errors."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.installs import HOOK
from tests.page import browser
from tests.page.browser import NewPage, Troubles, assert_accessible, shot, stale_page

PLAIN = """<!doctype html><html lang="en"><title>Plain</title><main><h1>Plain</h1></main></html>"""
POLICY = {"content-security-policy": "default-src 'self'; style-src 'self'"}


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page without errors."""
    page = new_page()
    page.route(
        "**/", lambda route: route.fulfill(body=PLAIN, content_type="text/html", headers=POLICY)
    )
    page.route("**/cut", lambda route: route.abort("connectionreset"))
    page.goto("/")
    return page


@pytest.mark.parametrize(
    ("script", "trouble"),
    [
        ("() => console.error('oh')", "the page said oh"),
        ("() => { setTimeout(() => { throw new Error('no') }) }", "the page threw Error: no"),
        ("() => { Promise.reject(new Error('never')) }", "the page threw Error: never"),
        ("() => { fetch('/there-is-none') }", "the page said Failed to load resource"),
        ("() => { fetch('http://127.0.0.1:1/').catch(() => 0) }", "violates the following Content"),
        ("() => { fetch('/cut').catch(() => 0) }", "the page could not load http"),
        ("() => { document.body.innerHTML = '<p style=color:red>' }", "Content Security Policy"),
    ],
)
def test_what_goes_wrong_in_a_page_is_noted(
    page: Page, troubles: Troubles, script: str, trouble: str
) -> None:
    assert troubles.left == []
    page.evaluate(script)
    page.wait_for_timeout(300)
    assert any(trouble in found for found in troubles.left), troubles.left
    troubles.forgive(".")
    assert troubles.left == []


def test_only_what_was_named_is_forgiven(page: Page, troubles: Troubles) -> None:
    page.evaluate("() => { console.error('one'); console.error('two') }")
    troubles.forgive("two")
    assert troubles.left == ["the page said one"]
    troubles.forgive("one")


def test_a_page_that_some_cannot_use_is_found(page: Page) -> None:
    assert_accessible(page)
    page.evaluate("() => document.body.append(document.createElement('button'))")
    with pytest.raises(AssertionError, match="button-name"):
        assert_accessible(page)


def test_pictures_are_kept_only_on_request(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MACAZ_SHOTS", raising=False)
    shot(page, "none")
    monkeypatch.setenv("MACAZ_SHOTS", str(tmp_path / "shots"))
    shot(page, "one")
    assert [path.name for path in tmp_path.rglob("*.png")] == ["one.png"]


def test_an_old_page_is_not_tested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    web, built = tmp_path / "web", tmp_path / HOOK["BUILT"]
    monkeypatch.delenv("MACAZ_OLD_PAGE", raising=False)
    monkeypatch.setattr(browser, "ROOT", tmp_path)
    for name in (*HOOK["SOURCES"], "src/App.svelte", "public/favicon.svg", "tools/sw.js"):
        (web / name).parent.mkdir(parents=True, exist_ok=True)
        (web / name).touch()
    assert stale_page() == "the page is not built: run `make page`"
    built.parent.mkdir(parents=True)
    built.touch()
    later = time.time() + 60
    os.utime(built, (later, later))
    assert stale_page() == ""
    os.utime(web / "src/App.svelte", (later + 1, later + 1))
    assert stale_page() == "the built page is older than web/src/App.svelte: run `make page`"
    monkeypatch.setenv("MACAZ_OLD_PAGE", "1")
    assert stale_page() == ""
