"""A game is started and played with the keyboard alone, and the focus is always visible.

That every screen is accessible is tested with its sizes: test_screens.py.
"""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

# Whether the focus is visible: a line around the focused element, or around what is shown in its
# place, within the window.
FOCUS = """
() => {
  const focused = document.activeElement;
  const told = focused.matches(".sr-only") ? focused.nextElementSibling : focused;
  const { outlineStyle, outlineWidth } = getComputedStyle(told);
  const box = told.getBoundingClientRect();
  const line = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  const inside = box.width > 0 && box.right > 0 && box.bottom > 0
    && box.left < innerWidth && box.top < innerHeight;
  return line && inside ? "" : `${focused.outerHTML.slice(0, 200)}: line ${line}, inside ${inside}`;
}
"""


def tab_to(page: Page, wanted: Locator, *, most: int = 60) -> None:
    """Press Tab until an element has the focus, which must be visible at each stop."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement === document.body"):
            continue  # past the browser's own controls
        assert page.evaluate(FOCUS) == ""
        if wanted.evaluate("(element) => element === document.activeElement"):
            return
    raise AssertionError(f"Tab does not lead to {wanted}")


def my_turn(page: Page) -> None:
    """Wait until the face-up cards can be taken."""
    expect(page.locator("[data-take][aria-disabled=false]").first).to_be_visible()


def draw_two_cards(page: Page) -> None:
    """One with Tab and Enter, another one with its key."""
    my_turn(page)
    before = in_hand(page)
    tab_to(page, page.locator("[data-take]:not([data-take='8'])").first)
    page.keyboard.press("Enter")
    expect(page.locator("[data-prompt]")).to_have_text("Take a second card.")
    my_turn(page)  # the text appears a moment before the server confirms the first card
    page.keyboard.press("d")
    expect(page.locator("[data-prompt]")).not_to_have_text("Take a second card.")
    my_turn(page)
    assert in_hand(page) == before + 2


def test_a_game_is_begun_and_played_by_keys_alone(page: Page) -> None:
    keys = page.keyboard
    page.goto("/")
    expect(page.locator(".posters label")).to_have_count(7)

    # the map, by arrows; what is behind "more choices"; then Play
    tab_to(page, page.locator("input[name=edition][value=usa]"))
    keys.press("ArrowRight")
    expect(page.locator("input[name=edition][value=europe]")).to_be_focused()
    keys.press("ArrowLeft")
    tab_to(page, page.locator("details summary"))
    keys.press("Enter")
    tab_to(page, page.locator("details input[maxlength='64']"))
    keys.type("by keys alone")
    tab_to(page, page.locator("form button.primary"))
    keys.press("Enter")

    # the tickets: the first of them has the focus already
    first = page.locator("[data-ticket][data-first]")
    expect(first).to_be_focused()
    for ticket in range(2):
        keys.press("Space")
        expect(page.locator("[data-ticket]").nth(ticket)).to_have_attribute("aria-pressed", "true")
        keys.press("Tab")
    tab_to(page, page.locator(".decision footer button"))
    keys.press("Enter")

    draw_two_cards(page)

    # a route on the board by arrows; the sensible payment has the focus
    tab_to(page, page.get_by_role("listbox"))
    keys.press("ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_have_count(1)
    expect(page.locator(".caption.shown")).to_have_text(re.compile("–"))
    keys.press("Enter")
    expect(page.locator(".decision button[data-first]")).to_be_focused()
    assert page.evaluate(FOCUS) == ""
    keys.press("Enter")
    expect(page.locator(".board g.taken").first).to_be_attached()
    my_turn(page)

    # the settings, through the menu
    tab_to(page, page.locator(".head > .button").last)
    keys.press("Enter")
    tab_to(page, page.locator("dialog a[href='/settings']"))
    keys.press("Enter")
    expect(page.locator("main h1")).to_be_focused()
    group = page.get_by_role("group", name="Day or night")
    tab_to(page, group.get_by_role("radio", checked=True))
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    expect(page.locator("html[data-theme=dark]")).to_be_attached()
    assert page.evaluate(FOCUS) == ""


def in_hand(page: Page) -> int:
    """How many cards the page shows in my hand."""
    shown = page.locator("[data-hand] li[data-color]").all_inner_texts()
    return sum(int(text or 1) for text in shown)
