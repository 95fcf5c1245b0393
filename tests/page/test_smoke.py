"""The built page opens in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.page.browser import assert_accessible, shot


def test_the_page_opens(page: Page) -> None:
    page.goto("/")
    expect(page).to_have_title(re.compile("Macaz"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    shot(page, "smoke")


def test_the_page_is_accessible(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert_accessible(page)


def test_the_last_map_is_chosen_and_played_without_scrolling_back(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto("/")
    page.locator(".poster").last.scroll_into_view_if_needed()
    page.locator(".poster").last.click()
    expect(page.locator("button[data-play]")).to_be_in_viewport()
