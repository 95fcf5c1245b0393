"""Where a person is signed in: the list, and signing out of one browser or of all."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect
from tests.page.browser import NewPage, Troubles, assert_accessible, shot
from tests.page.clicks import said
from tests.page.hosts import Host
from tests.page.scenes import Guest
from tests.page.screens import DESK, PHONE
from tests.server.harness import NO_CERTIFICATES

from macaz.server.people import digest

SECOND = "the secret of a second session"


@pytest.fixture
def ana(host: Host) -> Iterator[Guest]:
    guest = Guest(host.url, "Ana")
    yield guest
    guest.close()


def cookie_of(guest: Guest) -> str:
    [cookie] = guest._http.cookies.jar
    assert cookie.value
    return cookie.value


def second_session(host: Host, guest: Guest) -> None:
    """A second browser of the same person, which no action of the page can create."""
    with closing(sqlite3.connect(host._folder / "macaz.db", timeout=60)) as store, store:
        [[person, at]] = store.execute(
            "SELECT person_id, created_at FROM session WHERE digest = ?", [digest(cookie_of(guest))]
        )
        store.execute(
            "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, NULL)",
            ["second", person, digest(SECOND), "Safari, iPhone", at, at],
        )


def enter(page: Page, host: Host, cookie: str) -> None:
    page.context.add_cookies([{"name": "macaz", "value": cookie, "url": host.url}])


def knows(host: Host, cookie: str = "", token: str = "") -> bool:
    """Whether the server accepts a cookie or a token."""
    headers = {"cookie": f"macaz={cookie}"} if cookie else {"authorization": f"Bearer {token}"}
    answer: Any = httpx.get(
        f"{host.url}/api/v1/whoami", headers=headers, verify=NO_CERTIFICATES, timeout=30
    ).json()
    return answer["me"] is not None


def devices(page: Page) -> Locator:
    return page.get_by_role("region", name=said("devices.title"))


def button(page: Page, key: str) -> Locator:
    return page.get_by_role("button", name=said(key), exact=True)


def is_signed_out(page: Page) -> None:
    heading = page.get_by_role("heading", level=1, name=said("signed-out.title"))
    expect(heading).to_be_focused()


def test_another_browser_is_signed_out_and_its_table_says_so(
    page: Page, new_page: NewPage, own_server: Host, ana: Guest
) -> None:
    second_session(own_server, ana)
    table = ana.table("me", "random", edition="usa")
    phone = new_page(viewport=PHONE)
    enter(phone, own_server, SECOND)
    phone.goto(f"/tables/{table}")
    expect(phone.locator("[data-prompt]")).to_be_attached()

    ana.enter(page.context)
    page.goto("/settings")
    lines = devices(page).get_by_role("listitem")
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text(said("devices.this"))
    expect(lines.last).to_contain_text("Safari, iPhone")
    shot(page, "devices-desk", whole=True)
    devices(page).get_by_role("button", name=f"{said('devices.end')}: Safari, iPhone").click()
    expect(lines).to_have_count(1)
    expect(page.get_by_role("heading", name=said("devices.title"))).to_be_focused()

    is_signed_out(phone)
    assert_accessible(phone)
    shot(phone, "signed-out-phone")
    assert not knows(own_server, SECOND)
    assert knows(own_server, cookie_of(ana))
    # The page is signed out, and starts again.
    phone.get_by_role("link", name=said("signed-out.again")).click()
    expect(phone.locator("form .posters label").first).to_be_visible()
    expect(phone.locator("section[aria-labelledby=go-on]")).to_have_count(0)


def test_a_person_is_told_what_signing_out_means_before_it_is_done(
    page: Page, own_server: Host, ana: Guest
) -> None:
    ana.enter(page.context)
    page.goto("/settings")
    button(page, "devices.leave").click()
    # Ana has the token that the test uses.
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(said("devices.leave-programs", person="Ana"))
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(button(page, "devices.leave")).to_be_focused()
    assert knows(own_server, cookie_of(ana))

    [token] = ana.get("/me/tokens")
    ana._http.delete(f"/me/tokens/{token['id']}")
    button(page, "devices.leave").click()
    expect(dialog).to_contain_text(said("devices.leave-last", person="Ana"))
    page.keyboard.press("Escape")

    second_session(own_server, ana)
    button(page, "devices.leave").click()
    expect(dialog).to_contain_text(said("devices.leave-others", person="Ana"))
    dialog.get_by_role("button", name=said("devices.leave")).click()
    is_signed_out(page)
    shot(page, "signed-out-desk")
    assert not knows(own_server, cookie_of(ana))
    assert knows(own_server, SECOND)
    assert page.context.cookies() == []


def test_signing_out_everywhere_else(
    page: Page, new_page: NewPage, own_server: Host, ana: Guest, troubles: Troubles
) -> None:
    troubles.forgive("401")
    second_session(own_server, ana)
    other = new_page(viewport=DESK)
    enter(other, own_server, SECOND)
    other.goto("/settings")
    expect(devices(other).get_by_role("listitem")).to_have_count(2)

    ana.enter(page.context)
    page.goto("/settings")
    tokens = page.locator("details.panel")
    tokens.locator("summary").click()
    expect(tokens.get_by_role("listitem")).to_have_count(1)
    button(page, "devices.everywhere").click()
    assert_accessible(page)
    shot(page, "everywhere-desk")
    button(page, "devices.others").click()
    expect(devices(page).get_by_role("listitem")).to_have_count(1)
    tokens.locator("summary").click()
    expect(tokens.get_by_role("textbox")).to_be_visible()
    expect(tokens.get_by_role("listitem")).to_have_count(0)
    assert not knows(own_server, SECOND)
    assert not knows(own_server, token=ana.token)
    assert knows(own_server, cookie_of(ana))

    # A page without a socket learns it from its next request.
    button(other, "settings.save").click()
    other.get_by_label(said("my-name"), exact=True).fill("Another")
    button(other, "settings.save").click()
    is_signed_out(other)


def test_signing_out_everywhere_and_here_by_keys(page: Page, own_server: Host, ana: Guest) -> None:
    second_session(own_server, ana)
    ana.enter(page.context)
    page.goto("/settings")
    button(page, "devices.everywhere").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text(
        said("devices.everywhere-here", person="Ana")
    )
    button(page, "devices.all").focus()
    page.keyboard.press("Enter")
    is_signed_out(page)
    page.get_by_role("link", name=said("nav.rules"), exact=True).click()
    expect(page).to_have_url(re.compile("/rules$"))
    expect(page.get_by_role("heading", level=1)).not_to_have_text(said("signed-out.title"))
    for cookie in (cookie_of(ana), SECOND):
        assert not knows(own_server, cookie)
    assert not knows(own_server, token=ana.token)


def test_a_session_that_ended_while_the_server_was_away_is_not_connected_for_ever(
    page: Page, own_server: Host, ana: Guest, troubles: Troubles
) -> None:
    """The socket broke silently, and a browser does not report why it cannot be opened again."""
    troubles.forgive("WebSocket|ERR_|Failed to load")
    table = ana.table("me", "random", edition="usa")
    ana.enter(page.context)
    page.goto(f"/tables/{table}")
    expect(page.locator("[data-prompt]")).to_be_visible()
    own_server.kill()
    with closing(sqlite3.connect(own_server._folder / "macaz.db", timeout=60)) as store, store:
        store.execute("UPDATE session SET ended_at = 1")
    own_server.start()
    is_signed_out(page)


def test_the_list_speaks_romanian(new_page: NewPage, ana: Guest) -> None:
    page = new_page(locale="ro", viewport=PHONE, color_scheme="dark")
    ana.enter(page.context)
    page.goto("/settings")
    section = page.get_by_role("region", name="Browserele mele")
    expect(section.get_by_role("listitem")).to_contain_text(re.compile("acest browser"))
    section.scroll_into_view_if_needed()
    shot(page, "devices-ro-phone-dark")
    page.get_by_role("button", name="Deconectează-mă aici").click()
    expect(page.get_by_role("dialog")).to_contain_text("Nu există conturi")
    shot(page, "sign-out-ro-phone-dark")
