"""Every question is seen whole: all of its answers, and beside them the seats with their clocks."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.page import situations as at
from tests.page.browser import shot
from tests.page.questions import pick
from tests.page.scenes import Scene, turn
from tests.page.screens import EDITIONS, SCREENS, Screen, show, sit
from tests.page.situations import Tables, sheet

SIZES = [(1440, 900), (1366, 768), (1280, 720), (1024, 768), (768, 1024), (390, 844), (360, 640)]
TINY = (360, 480)  # too small for five tickets
LEAST_MAP = 110  # pixels
CLOCK = 86_400  # seconds
TRIES = 3
# Which of some parts are not seen, when the sheet of a question has found its size.
HIDDEN = """
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  const EDGE = 3;
  const seen = (part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return [left + EDGE, right - EDGE].every((x) => [top + EDGE, bottom - EDGE].every((y) => {
      const hit = document.elementFromPoint(x, y);
      return hit && (part.contains(hit) || hit.contains(part));
    }));
  };
  const hidden = (...parts) => parts.filter((part) => !seen(part))
    .map((part) => part.ariaLabel ?? part.innerText.replace(/\\s+/g, " "));
  const seats = () =>
    hidden(...document.querySelectorAll(".seats [data-seat], .seats [role=timer]"));
"""
# What is hidden: answers of the question, seats with their clocks. A sign says on which side of
# the sheet something is out of sight.
LOOK = f"""
async () => {{
  {HIDDEN}
  const dialog = document.querySelector(".decision [role=dialog]");
  const signs = [...dialog.querySelectorAll(".sign")].filter((sign) => sign.checkVisibility());
  return {{
    answers: hidden(...dialog.querySelectorAll(".content button, footer button")),
    seats: seats(),
    signs: signs.map((sign) => sign.classList.contains("above") ? "above" : "below"),
    map: document.querySelector(".board .view").getBoundingClientRect().height,
  }};
}}
"""
HIDDEN_SEATS = f"async () => {{{HIDDEN} return seats(); }}"

# Whether the whole map is in view, and which names on it are below its buttons.
COVERED_NAMES = """
async () => {
  for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame);
  const buttons = [...document.querySelectorAll(".board .controls .button")]
    .filter((button) => button.checkVisibility({ opacityProperty: true }))
    .map((button) => button.getBoundingClientRect());
  const names = [...document.querySelectorAll(".board .view text")].filter((name) => {
    const { left, right, top, bottom } = name.getBoundingClientRect();
    return buttons.some((box) =>
      left < box.right && box.left < right && top < box.bottom && box.top < bottom);
  });
  return {
    whole: document.querySelectorAll(".board .controls .idle").length > 0,
    names: names.map((name) => name.textContent.trim()),
  };
}
"""


def first_tickets(edition: str, seats: int) -> Screen:
    """The first choice, at a table with as many players as it can have."""

    def way(page: Page, scene: Scene) -> None:
        bots = ["random"] * (seats - 1)
        sit(page, scene.ana.table("me", *bots, edition=edition, move_seconds=CLOCK))

    return Screen(f"first-tickets-{edition}", way)


def payments(name: str, situation: at.Situation) -> Screen:
    """The payments for a route."""

    def way(page: Page, scene: Scene) -> None:
        with closing(Tables(scene.url)) as tables:
            pick(page, tables.arrange(situation, page, move_seconds=CLOCK))

    return Screen(name, way)


FIVE_TICKETS = first_tickets("old-west", 6)
MANY_ODDS = payments("many-odds", at.MANY_ODDS)
OWN = [
    first_tickets("usa-classic", 5),
    first_tickets("usa", 5),
    first_tickets("europe", 5),
    FIVE_TICKETS,
    payments("many-payments", at.MANY_PAYMENTS),
    payments("two-lanes", at.TWO_LANES),
    MANY_ODDS,
]
TALLEST = [FIVE_TICKETS, MANY_ODDS]  # looked at with the guide unfolded, too
SHARED = [
    *("keep-tickets", "draw-tickets", "tunnel-odds", "tunnel"),
    *("station", "start-city", "marker", "alvin"),
]
UNEXPLAINED = "draw-tickets"  # a question without a chapter of the guide


def look(page: Page, size: tuple[int, int]) -> Any:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return page.evaluate(LOOK)


def hides(seen: Any) -> bool:
    """Whether something of a question, or of the table beside it, cannot be seen."""
    return bool(seen["answers"] or seen["seats"] or seen["map"] < LEAST_MAP)


def wrong(page: Page, name: str) -> list[str]:
    """What is wrong with a question, in every size of the window."""
    found = []
    for size in SIZES:
        seen = look(page, size)
        # What the server says meanwhile, such as who is away, moves the question: it needs a frame.
        for _ in range(TRIES - 1):
            if hides(seen):
                seen = look(page, size)
        shot(page, f"room-{name}-{size[0]}")
        if hides(seen):
            found.append(f"{name} at {size}: {seen}")
    return found


def test_every_answer_is_seen_beside_the_seats(page: Page, scene: Scene) -> None:
    found: list[str] = []
    for question in [*OWN, *(screen for screen in SCREENS if screen.name in SHARED)]:
        page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        show(page, scene, replace(question, guide=True))
        expect(sheet(page).locator("button:not(header *)").first).to_be_visible()
        guide = page.locator("main > .guide")
        if question.name != UNEXPLAINED:  # it gives way to the question, until it is wanted
            expect(guide.locator("h2 button")).to_have_attribute("aria-expanded", "false")
            found += wrong(page, f"{question.name}-guide")
            guide.locator("h2 button").click()
            if question in TALLEST:
                found += wrong(page, f"{question.name}-unfolded")
            guide.locator(".primary").click()
        expect(guide).to_have_count(0)
        found += wrong(page, question.name)
    assert found == []


@pytest.mark.parametrize("name", [*(f"turn-{edition}" for edition in EDITIONS), "ending"])
def test_the_buttons_of_a_whole_map_cover_no_name(page: Page, scene: Scene, name: str) -> None:
    [wanted] = [screen for screen in SCREENS if screen.name == name]
    show(page, scene, wanted)
    expect(page.locator(".board .view text").first).to_be_attached()
    seen_whole = 0
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found = page.evaluate(COVERED_NAMES)
        seen_whole += found["whole"]
        shot(page, f"room-map-{name}-{width}")
        assert not found["whole"] or found["names"] == [], (width, height)
    assert seen_whole


@pytest.mark.parametrize(("edition", "seats"), [("usa-classic", 5), ("old-west", 6)])
def test_the_guide_leaves_the_seats_in_sight(
    page: Page, scene: Scene, edition: str, seats: int
) -> None:
    bots = ["random"] * (seats - 1)
    table = scene.ana.table("me", *bots, edition=edition, move_seconds=CLOCK)
    scene.ana.play(table, turn())
    show(page, scene, Screen("first turn", lambda page, _: sit(page, table), guide=True))
    guide = page.locator("main > .guide")
    for _ in range(2):  # folded and unfolded by the player, it stays so in every window
        guide.locator("h2 button").click()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect(guide.locator("h2 button")).to_have_attribute("aria-expanded", "true")
        shot(page, f"room-guide-{edition}-{width}")
        assert page.evaluate(HIDDEN_SEATS) == [], (width, height)


def test_a_sign_says_that_more_is_out_of_sight(page: Page, scene: Scene) -> None:
    show(page, scene, FIVE_TICKETS)
    expect(sheet(page).locator("[data-ticket]")).to_have_count(5)
    seen = look(page, TINY)
    assert seen["answers"]
    assert seen["seats"] == []
    assert seen["signs"] == ["below"]
    sheet(page).locator("[data-ticket]").last.scroll_into_view_if_needed()
    sheet(page).locator(".content").evaluate("(box) => box.scrollTo(0, box.scrollHeight)")
    assert look(page, TINY)["signs"] == ["above"]
    assert look(page, SIZES[0])["signs"] == []


def test_a_spectator_sees_the_log_and_no_moves(page: Page, scene: Scene) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    [watching] = [screen for screen in SCREENS if screen.name == "watching"]
    show(page, scene, watching)
    expect(page.get_by_role("log")).to_be_visible()
    buttons = page.locator(".bar button")
    expect(buttons).to_have_count(1)  # the list of keys
