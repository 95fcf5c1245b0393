"""The link to a moment opens for anyone who gets it; files that fail to load are reported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect
from tests.page.browser import NewPage, Troubles
from tests.page.clicks import said
from tests.page.hosts import Host
from tests.page.scenes import Guest


@pytest.fixture(scope="module")
def ana(shared_server: Host) -> Iterator[Guest]:
    guest = Guest(shared_server.url, "Ana")
    yield guest
    guest.close()


@pytest.fixture(scope="module")
def finished(ana: Guest) -> str:
    return ana.finish(ana.table("me", "random", edition="europe"))


def copied(page: Page) -> str:
    """The address that the button copies."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=said("replay.copy")).click()
    expect(page.get_by_text(said("replay.copied")).first).to_be_attached()
    return str(page.evaluate("navigator.clipboard.readText()"))


def eyes(page: Page) -> str:
    return page.get_by_label(said("replay.eyes")).input_value()


def test_a_stranger_opens_the_moment_that_the_host_shares(
    page: Page, new_page: NewPage, ana: Guest, finished: str
) -> None:
    ana.enter(page.context)
    page.goto(f"/tables/{finished}?v=20")
    page.get_by_label(said("replay.eyes")).select_option("1")
    expect(page).to_have_url(re.compile(r"\?v=20&eyes=1$"))
    shared = copied(page)
    assert re.search(r"/join\?v=20&eyes=1#[\w-]", shared)

    stranger = new_page()
    stranger.goto(shared)
    stranger.get_by_role("button", name=said("join.enter")).click()
    expect(stranger).to_have_url(re.compile(rf"/tables/{finished}\?v=20&eyes=1$"))
    expect(stranger.locator("[data-board]")).to_be_visible()
    assert eyes(stranger) == "1"

    # They came in by the link, and cannot share access.
    own = copied(stranger)
    assert urlsplit(own).path == f"/tables/{finished}"
    expect(stranger.get_by_text(said("share.members")).first).to_be_attached()


def test_the_host_makes_one_link_to_watch_however_often_they_share(
    page: Page, ana: Guest, finished: str
) -> None:
    before = len(ana.get(f"/tables/{finished}/links"))
    ana.enter(page.context)
    page.goto(f"/tables/{finished}?v=30")
    first, again = copied(page), copied(page)
    assert first == again
    assert len(ana.get(f"/tables/{finished}/links")) == before + 1


def test_one_seat_s_eyes_see_how_its_tickets_stood_before_the_end(
    page: Page, ana: Guest, finished: str
) -> None:
    last = ana.get(f"/tables/{finished}")["version"]
    stood = {}
    for version in range(last - 1, 0, -1):
        aids = ana.get(f"/tables/{finished}/aids?seat=0&version={version}")
        stood = {aid["ticket"]: aid["state"] for aid in aids["tickets"]}
        if "done" in stood.values():
            break
    assert "done" in stood.values(), "the game has no completed ticket to look at"
    ana.enter(page.context)
    page.goto(f"/tables/{finished}?v={version}&eyes=0")
    done = [state for state in stood.values() if state == "done"]
    expect(page.get_by_text(said("ticket.done"), exact=True)).to_have_count(len(done))


def test_a_screen_that_does_not_arrive_says_so_and_can_be_asked_for_again(
    page: Page, troubles: Troubles
) -> None:
    troubles.forgive("About-|ERR_FAILED|Failed to fetch|could not load")
    page.goto("/")
    missing = re.compile(r"/assets/About-.*\.js$")
    page.route(missing, lambda route: route.abort())
    page.get_by_role("link", name=said("nav.about"), exact=True).first.click()
    expect(page.get_by_role("heading", level=1, name=said("lazy.title"))).to_be_visible()
    page.unroute(missing)
    page.get_by_role("button", name=said("try-again")).click()
    expect(page.get_by_role("heading", level=1, name=said("about.title"))).to_be_visible()
    licences = page.get_by_role("link", name=said("about.licences")).get_attribute("href")
    assert "SIL OPEN FONT LICENSE" in page.request.get(licences or "").text()


def test_another_language_steps_in_for_one_that_does_not_arrive(
    new_page: NewPage, troubles: Troubles
) -> None:
    troubles.forgive("ro-|ERR_FAILED|Failed to fetch|could not load")
    page = new_page(locale="ro")
    page.route(re.compile(r"/assets/ro-.*\.js$"), lambda route: route.abort())
    page.goto("/")
    expect(page.get_by_role("heading", level=1, name=said("home.title"))).to_be_visible()
