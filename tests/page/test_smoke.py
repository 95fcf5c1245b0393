"""The built page opens in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.page.browser import NewPage, assert_accessible, shot


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


@pytest.mark.parametrize("language", ["en", "ro"])
def test_on_a_small_laptop_nothing_of_the_form_is_behind_the_button(
    new_page: NewPage, language: str
) -> None:
    page = new_page(locale=language, viewport={"width": 1280, "height": 720})
    page.goto("/")
    last, stub = page.locator("form summary"), page.locator("form .stub")
    expect(last).to_be_visible()
    above, below = last.bounding_box(), stub.bounding_box()
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"]
    assert below["y"] + below["height"] <= 720
