"""The analysis board: from a moment of a game, and from a position that is set up by hand."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Locator, Page, expect
from tests.page.browser import NewPage, assert_accessible
from tests.page.scenes import Scene
from tests.page.test_local_games import data_files
from tests.page.units import run_vitest

from macaz.game import Game

EDITIONS = (("usa-classic", 2), ("usa", 3), ("europe", 4), ("old-west", 3), ("old-west+alvin", 2))
MOMENTS = 25
# Press a button, and return what stands on it first.
TRY = "(one) => { const said = one.querySelector('span').innerText; one.click(); return said; }"


def states_of(edition: str, seats: int) -> tuple[list[str], list[list[str]]]:
    """States of a game by random moves, and the views of all seats, in base64."""
    rng = random.Random(f"study {edition}")
    game = Game(edition, seats, seed=3)
    states: list[str] = []
    views: list[list[str]] = []
    while not game.over:
        game.push(rng.choice(game.legal_moves.actions))
        states.append(base64.b64encode(game.state.tobytes()).decode())
        seen = [game.view(seat) for seat in range(seats)]
        views.append([base64.b64encode(bytes(view)).decode() for view in seen])
    chosen = [*range(4), *sorted(rng.sample(range(4, len(states) - 1), MOMENTS))]
    return [states[i] for i in chosen], [views[i] for i in chosen]


def test_positions_and_addresses_of_all_editions(tmp_path: Path) -> None:
    made = data_files()
    for name, content in made.files.items():
        (tmp_path / name).write_bytes(content)
    index = json.loads(made.index)
    for edition, seats in EDITIONS:
        states, views = states_of(edition, seats)
        story = {"edition": edition, "seats": seats, "states": states, "views": views}
        files = {"map": index["maps"][edition], "table": index["tables"][edition][str(seats)]}
        (tmp_path / f"story-{edition}").write_text(json.dumps(story | files), encoding="utf-8")
    done = run_vitest("tests/study.test.ts", MACAZ_STUDY=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_position_is_set_up_and_played_on(page: Page) -> None:
    page.goto("/analysis")
    expect(page.locator("[data-setup-check] .sound")).to_be_visible()
    page.locator("[data-setup-clear]").click()
    page.locator(".setup [role=option][data-route='0']").dispatch_event("click")
    page.locator("[data-tool='trains 1']").click()
    page.locator(".setup [role=option][data-route='1']").dispatch_event("click")
    expect(page.locator("[data-setup-seat='0'] h3")).not_to_contain_text("45")
    for _ in range(15):
        page.locator("[data-setup-seat='0'] [data-more='8']").click()
    problem = page.locator("[data-setup-check] li")
    expect(problem).to_have_count(1)
    expect(problem).to_contain_text("15")
    expect(page.locator("[data-setup-done]")).to_have_attribute("aria-disabled", "true")
    for _ in range(9):
        page.locator("[data-setup-seat='0'] button").nth(16).click()
    expect(page.locator("[data-setup-check] .sound")).to_be_visible()
    assert_accessible(page)
    page.locator("[data-setup-done]").click()
    expect(page.locator("[data-study-moves] li").first).to_be_visible()
    page.locator("[data-study-play]").click()
    page.locator("[data-study-begin]").click()
    expect(page.locator(".play:not(.study) [data-hand]")).to_be_visible()
    expect(page).to_have_url(re.compile("/tables/local-"))


# The middle of a route that is in sight, on the screen.
MIDDLE = """
() => {
  const view = document.querySelector("[data-board]");
  for (const line of document.querySelectorAll(".open[data-route] .rail")) {
    const middle = line.getPointAtLength(line.getTotalLength() / 2);
    const at = middle.matrixTransform(line.getScreenCTM());
    if (view.contains(document.elementFromPoint(at.x, at.y))) return [at.x, at.y];
  }
}
"""


def drag(page: Page, what: Locator, to: Sequence[float]) -> None:
    """Drag something by mouse to a point of the window."""
    what.hover()
    page.mouse.down()
    page.mouse.move(to[0], to[1], steps=4)
    page.mouse.up()


def touch_drag(page: Page, what: Locator, to: Sequence[float]) -> None:
    """The same with a finger."""
    what.scroll_into_view_if_needed()
    x, y = middle_of(what)
    session = page.context.new_cdp_session(page)
    points = [(x + (to[0] - x) * n / 4, y + (to[1] - y) * n / 4) for n in range(5)]
    for kind, point in zip(("touchStart", *4 * ("touchMove",)), points, strict=True):
        at = [{"x": point[0], "y": point[1]}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def middle_of(what: Locator) -> tuple[float, float]:
    box = what.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_trains_cards_and_tickets_are_dragged(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 1500})  # all hands are in sight
    page.goto("/analysis")
    page.locator("[data-setup-clear]").click()
    left = [page.locator(f"[data-setup-seat='{seat}'] h3 span") for seat in (0, 1)]
    expect(left[1]).to_contain_text("45")
    route = page.evaluate(MIDDLE)
    drag(page, page.locator("[data-tool='trains 1']"), route)
    expect(left[1]).not_to_contain_text("45")
    laid = left[1].inner_text()
    drag(page, page.locator("[data-tool='trains 1']"), route)  # it lies there
    expect(left[1]).to_have_text(laid)
    drag(page, page.locator("[data-tool='none']"), route)
    expect(left[1]).to_contain_text("45")

    # a card from the supply to a hand, to the other hand, and away
    hands = [page.locator(f"[data-drop='hand {seat}']") for seat in (0, 1)]
    numbers = [hand.locator("output").nth(8) for hand in hands]
    drag(page, page.locator("[data-supply='8']"), middle_of(hands[0]))
    expect(numbers[0]).to_have_text("1")
    drag(page, hands[0].locator("[data-card='8']"), middle_of(hands[1]))
    expect(numbers[0]).to_have_text("0")
    expect(numbers[1]).to_have_text("1")
    drag(page, hands[1].locator("[data-card='8']"), (300, 300))
    expect(numbers[1]).to_have_text("0")

    # a ticket that nobody holds to a seat, and to the other one
    page.locator(".free summary").click()
    ticket = page.locator(".free li").first
    name = ticket.inner_text().strip()
    ticket.scroll_into_view_if_needed()
    drag(page, ticket, middle_of(hands[1]))
    held = [page.locator(f"[data-setup-seat='{seat}'] li") for seat in (0, 1)]
    expect(held[1]).to_contain_text(name)
    held[1].scroll_into_view_if_needed()
    drag(page, held[1], middle_of(hands[0]))
    expect(held[0]).to_contain_text(name)
    expect(held[1]).to_have_count(0)
    expect(page.locator("[data-setup-check] .sound")).to_be_visible()


def test_a_finger_drags_and_escape_returns_it(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto("/analysis")
    page.locator("[data-setup-clear]").click()
    left = page.locator("[data-setup-seat='0'] h3 span")
    expect(left).to_contain_text("45")
    route = page.evaluate(MIDDLE)
    touch_drag(page, page.locator("[data-tool='trains 0']"), route)
    expect(left).not_to_contain_text("45")
    laid = left.inner_text()
    tool = page.locator("[data-tool='none']")
    tool.hover()
    page.mouse.down()
    page.mouse.move(route[0], route[1], steps=4)
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(left).to_have_text(laid)
    row = page.locator("[data-drop='row']")
    row.scroll_into_view_if_needed()
    before = int(row.locator("output").nth(8).inner_text())
    touch_drag(page, page.locator("[data-supply='8']"), middle_of(row))
    expect(row.locator("output").nth(8)).to_have_text(str(before + 1))


def test_a_moment_of_a_game_is_analysed(page: Page, scene: Scene) -> None:
    table = scene.finished("europe")
    scene.ana.enter(page.context)
    page.goto(f"/tables/{table}?v={scene.versions(table) // 2}")
    page.locator("[data-analyse]").click()
    moves = page.locator("[data-study-moves] li button")
    expect(moves.first).to_be_visible()
    expect(page.locator("[data-study-moves] .figure").first).to_contain_text("%")
    assert_accessible(page)
    # At once: another move may become the first one at any time.
    tried = moves.first.evaluate(TRY)
    page.locator("[data-study-tab=lines]").click()
    lines = page.locator("[data-study-lines] li")
    expect(lines).to_have_count(2)
    expect(lines.nth(1)).to_have_class(re.compile("here"))
    lines.first.locator("button").first.click()
    page.locator("[data-study-tab=figures]").click()
    # The order may change under the pointer while the figures get more precise.
    moves.filter(has_not_text=tried).first.dispatch_event("click")
    page.locator("[data-study-tab=lines]").click()
    expect(lines).to_have_count(3)
    lines.nth(1).locator("button").nth(1).click()
    expect(page.locator("[data-study-compare] td").nth(1)).to_contain_text("%")
    # The address holds all of it, also elsewhere.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".share button").click()
    expect(page.get_by_text("The link is copied").first).to_be_visible()
    address = page.evaluate("() => navigator.clipboard.readText()")
    page.goto("/")
    page.goto(address)
    page.locator("[data-study-tab=lines]").click()
    expect(lines).to_have_count(3)
    expect(page.locator("[data-study-compare]")).to_be_visible()


def test_a_damaged_address_is_told(page: Page) -> None:
    page.goto("/analysis#1broken")
    expect(page.get_by_role("alert")).to_be_visible()
    page.locator("main .button").click()
    expect(page.locator("[data-setup-check]")).to_be_visible()
