"""The guide covers nothing but, unfolded beside a question, the map; in every window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Page
from tests.page.scenes import Scene
from tests.page.screens import SCREENS, show

SIZES = [(360, 640), (390, 844), (844, 390), (820, 1180), (1280, 720), (1440, 900)]
MAP = ".board .view"
# What the guide must not cover; not all of these exist at a time.
PARTS = ".decision > *, [data-prompt], [data-hand], [data-pile], .seats, .head, .tabs"
COVERED = """
(guide, parts) => {
  const box = guide.getBoundingClientRect();
  return [...document.querySelectorAll(parts)].filter((part) => {
    const other = part.getBoundingClientRect();
    const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
    const along = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
    return part.checkVisibility({ visibilityProperty: true }) && across > 1 && along > 1;
  }).map((part) => part.className || part.outerHTML.slice(0, 80));
}
"""


@pytest.mark.parametrize(
    ("name", "question"),
    [("turn-europe", False), ("choose-tickets", True), ("payment", True), ("ending", False)],
)
def test_the_guide_covers_nothing_else(
    page: Page, scene: Scene, name: str, *, question: bool
) -> None:
    [wanted] = [screen for screen in SCREENS if screen.name == name]
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        show(page, scene, replace(wanted, guide=True))
        guide = page.locator("main > section:has(h2 [aria-expanded])").last
        for _ in range(2):  # folded, and not
            size = f"{name} at {width}×{height}"
            unfolded = guide.locator("h2 button").get_attribute("aria-expanded") == "true"
            parts = PARTS if question and unfolded else f"{MAP}, {PARTS}"
            assert guide.evaluate(COVERED, parts) == [], size
            box = guide.bounding_box()
            assert box, size
            assert 0 <= box["y"] <= box["y"] + box["height"] <= height, size
            board = page.locator(MAP).bounding_box()
            assert board, size
            assert board["height"] >= 110, size
            guide.locator("h2 button").click()
