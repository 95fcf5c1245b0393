"""Taking a move back and resigning by clicks: alone against bots, and with others who agree."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.page.browser import NewPage, assert_accessible, shot
from tests.page.hosts import Host
from tests.page.scenes import Guest


def choose_tickets(page: Page) -> None:
    sheet = page.locator(".decision [role=dialog]")
    expect(sheet.locator("[data-ticket]").first).to_be_visible()
    for ticket in sheet.locator("[data-ticket]").all():
        if ticket.get_attribute("aria-pressed") != "true":
            ticket.click()
    sheet.locator("footer button.primary").click()


def test_alone_against_bots_a_move_is_taken_back_and_the_game_resigned(new_page: NewPage) -> None:
    page = new_page(at_server=False, reduced_motion="reduce")
    page.goto("/")
    page.locator("button[data-play]").click()
    choose_tickets(page)
    back = page.get_by_role("button", name="Take back")
    expect(back).to_be_visible()
    shot(page, "takeback")
    back.click()
    expect(page.locator(".decision [role=dialog] [data-ticket]").first).to_be_visible()
    expect(back).to_be_hidden()
    expect(page.get_by_role("log")).to_contain_text("took a move back")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("dialog", name="Resign this game?")).to_be_visible()
    shot(page, "resign")
    assert_accessible(page)
    page.get_by_role("dialog", name="Resign this game?").get_by_role(
        "button", name="Resign"
    ).click()
    ending = page.locator(".ending")
    expect(ending).to_contain_text("Resigned")
    shot(page, "resigned")


def test_another_person_agrees_or_refuses(new_page: NewPage, server: Host) -> None:
    ana, bogdan = Guest(server.url, "Ana"), Guest(server.url, "Bogdan")
    table = ana.table("me", "person", edition="usa-classic")
    ana.let_in(table, bogdan)
    pages = []
    for person in (ana, bogdan):
        page = new_page(reduced_motion="reduce")
        person.enter(page.context)
        page.goto(f"/tables/{table}")
        pages.append(page)
    mine, theirs = pages
    choose_tickets(mine)
    mine.get_by_role("button", name="Ask to take back").click()
    expect(mine.get_by_text("Waiting for Bogdan to agree")).to_be_visible()
    asked = theirs.get_by_text("Ana asks to take the last move back.")
    expect(asked).to_be_visible()
    shot(theirs, "takeback-asked")
    theirs.get_by_role("button", name="Agree").click()
    expect(mine.locator(".decision [data-ticket]").first).to_be_visible()
    expect(asked).to_be_hidden()
    choose_tickets(mine)
    mine.get_by_role("button", name="Ask to take back").click()
    theirs.get_by_role("button", name="Refuse").click()
    expect(mine.get_by_role("log")).to_contain_text("does not agree")
    expect(mine.get_by_role("button", name=re.compile("take back"))).to_be_hidden()
    ana.close()
    bogdan.close()
