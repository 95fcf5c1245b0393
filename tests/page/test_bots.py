"""Whom somebody plays against: every bot of the server by name, strength and character."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect
from tests.page.browser import WEB, NewPage

from macaz.bots import BOTS

# Whether a choice says all of it: its longest text beside the arrow of the box.
CUT = """
(select) => {
  const style = getComputedStyle(select);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const arrow = 20;
  const room = select.clientWidth
    - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
  return [...select.options].map((option) => option.text)
    .filter((text) => pen.measureText(text).width > room);
}
"""


@pytest.mark.parametrize("language", ["en", "ro"])
def test_there_are_words_for_every_bot(language: str) -> None:
    words: dict[str, object] = {}
    for path in (WEB / "src/words" / language).glob("*.json"):
        words |= json.loads(path.read_text(encoding="utf-8"))
    for kind in ("bot", "bot-name", "bot-strength"):
        texts = [words.get(f"{kind}.{name}") for name in BOTS]
        assert None not in texts, kind
        assert len(set(texts)) == len(BOTS), kind


def test_the_first_opponent_is_neither_the_weakest_nor_the_strongest(page: Page) -> None:
    page.goto("/")
    seat = page.locator("fieldset select").nth(1)
    expect(seat).to_have_value("bot:conductor")
    offered = seat.locator("optgroup option")
    assert [one.get_attribute("value") for one in offered.all()] == [f"bot:{n}" for n in BOTS]
    expect(page.locator("fieldset li small")).to_have_text(BOTS["conductor"].character)
    seat.select_option("bot:master")
    expect(page.locator("fieldset li small")).to_have_text(BOTS["master"].character)


@pytest.mark.parametrize("language", ["en", "ro"])
def test_every_choice_can_be_read_on_a_small_phone(new_page: NewPage, language: str) -> None:
    page = new_page(locale=language, viewport={"width": 360, "height": 740})
    page.goto("/")
    page.locator("fieldset .add").click()  # a third seat, so that each can be removed
    page.locator("details summary").click()
    page.evaluate("() => document.fonts.ready.then(() => undefined)")
    for select in page.locator("form select").all():
        assert select.evaluate(CUT) == [], select.get_attribute("aria-label")
