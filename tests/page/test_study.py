"""The analysis board: from a moment of a game, and from a position that is set up by hand."""

from __future__ import annotations

import os
from typing import Any

from playwright.sync_api import Page, expect


def shot(page: Page, name: str) -> None:
    if folder := os.environ.get("MACAZ_SHOTS"):
        page.screenshot(path=f"{folder}/study-{name}.png")


def test_a_position_is_set_up_and_played_on(page: Page) -> None:
    page.goto("/analysis")
    expect(page.locator("[data-setup-check] .sound")).to_be_visible()
    shot(page, "setup")
    page.locator("[data-setup-clear]").click()
    page.locator("[data-setup-seat='0'] [data-more='0']").click()
    shot(page, "setup-cleared")
    page.locator("[data-setup-done]").click()
    expect(page.locator("[data-study-moves] li").first).to_be_visible(timeout=60_000)
    shot(page, "board")
