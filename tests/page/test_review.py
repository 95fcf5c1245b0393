"""Reviews of finished games: made in the browser, kept there, and without any server."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect
from tests.page.browser import NewPage, Troubles, assert_accessible, shot
from tests.page.local_game import begin_offline, decide, form, new_game
from tests.page.scenes import NeverCameError, Scene, of
from tests.page.screens import Screen, show
from tests.page.test_help import AXED, enter
from tests.page.test_screens import LOOKS, SIZES, fits

COMPLETE = "[data-stage=complete]"
PATIENCE = 120_000  # milliseconds, on a busy machine
# Ends when what is being written to the kept reviews is there: what is read later waits for it.
KEPT = """
() => new Promise((done) => {
  const opening = indexedDB.open("macaz-reviews");
  opening.onsuccess = () => {
    const count = opening.result.transaction("reviews").objectStore("reviews").count();
    count.onsuccess = () => (opening.result.close(), done(count.result));
  };
})
"""


@pytest.fixture(scope="module")
def badly_played(scene: Scene) -> str:
    """A small game that Ana only drew cards in."""
    table = scene.ana.table("me", "greedy", edition="tiny")
    with pytest.raises(NeverCameError):
        scene.ana.play(table, lambda _: False, likes=of("blind"))
    return table


def compared(page: Page) -> int:
    """How many decisions were compared."""
    return int(page.locator("[data-progress]").get_attribute("data-progress") or 0)


def reviewed(page: Page) -> None:
    """Wait until the review is complete."""
    expect(page.locator(COMPLETE)).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize(("language", "theme"), LOOKS)
def test_a_review_fits_and_is_accessible(
    new_page: NewPage,
    scene: Scene,
    badly_played: str,
    language: str,
    theme: Literal["light", "dark"],
) -> None:
    def way(page: Page, _: Scene) -> None:
        page.goto(f"/tables/{badly_played}?v=9&review=1")
        reviewed(page)
        page.locator(".story button").first.click()
        page.locator(".points button").first.click()

    page = new_page(locale=language, color_scheme=theme)
    wanted = Screen("review", way)
    problems: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        show(page, scene, wanted)
        problems += fits(page, wanted)
        if (width, height) in AXED:
            shot(page, f"review-{width}-{language}-{theme}")
            assert_accessible(page)
    assert problems == [], "\n".join(problems)


def test_a_served_game_is_reviewed_in_the_browser(
    page: Page, scene: Scene, badly_played: str
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    enter(page, scene.ana)
    page.goto(f"/tables/{badly_played}")
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".story button")).to_have_count(2, timeout=PATIENCE)
    expect(page.locator(".story button").first).to_contain_text(
        re.compile(r"Ana.*Accuracy: \d+ of 100.*Ana (won|lost)\. The first deal was", re.DOTALL)
    )
    reviewed(page)
    assert not [url for url in asked if url.endswith("/review")]
    chances = page.get_by_role("list", name="Chances to win at this moment")
    expect(chances).to_have_text(re.compile(r"Ana\s*\d+%.*Greedy\s*\d+%", re.DOTALL))

    # a turning point leads to its moment, from the list and from the curve
    point = page.locator(".points button").first
    before = page.url
    point.click()
    expect(point).to_have_attribute("aria-pressed", "true")
    mark = page.get_by_role("button", name=re.compile("^Turning point 1: ")).first
    expect(mark).to_have_attribute("aria-pressed", "true")
    page.wait_for_url(lambda url: url != before and "review=1" in url)
    page.keyboard.press("Home")
    expect(point).to_have_attribute("aria-pressed", "false")
    mark.click()
    expect(point).to_have_attribute("aria-pressed", "true")

    # a player: what the chance was made of, accuracy by phase, tickets
    page.locator(".story button").first.click()
    own = page.get_by_role("region", name="Ana in this game")
    expect(own.get_by_role("row")).to_have_count(5 + 4)
    expect(own.get_by_role("list", name="Tickets").get_by_role("listitem").first).to_be_visible()

    # the address opens it again at the same moment; without it the scores are shown again
    page.reload()
    expect(page.locator(".story button")).to_have_count(2, timeout=PATIENCE)
    page.keyboard.press("End")
    expect(chances).to_contain_text("100%")
    page.get_by_role("button", name="Close the review").click()
    expect(page.get_by_role("list", name="Scores at this moment")).to_be_visible()
    page.wait_for_url(lambda url: "review" not in url)


def test_a_local_game_is_reviewed_offline_and_the_review_is_kept(
    new_page: NewPage, troubles: Troubles
) -> None:
    page = begin_offline(new_page, troubles, form("apprentice"))
    decide(page, 4)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Resign").click()
    page.locator("footer").get_by_role("button", name="Resign").click()
    page.get_by_role("link", name="Review").click(timeout=PATIENCE)
    story = page.locator(".story button")
    expect(story).to_have_count(2, timeout=PATIENCE)
    expect(story.first).to_contain_text("resigned")
    early = compared(page)
    expect(page.locator(".panel progress")).to_have_count(0, timeout=PATIENCE)  # not complete yet
    once = compared(page)
    assert once > early

    # closed, it is kept, and goes on from there when it is opened again
    page.get_by_role("button", name="Close the review").click()
    page.wait_for_url(lambda url: "review" not in url)
    page.evaluate(KEPT)
    page.reload()
    page.locator("[data-review]").click()
    expect(story).to_have_count(2, timeout=PATIENCE)
    assert compared(page) == once
    reviewed(page)
    told = story.first.text_content()

    # after a reload it is there at once, with the same figures
    page.reload()
    reviewed(page)
    expect(story.first).to_have_text(told or "")


def test_the_link_to_a_local_game_holds_it(new_page: NewPage) -> None:
    page = new_game(new_page, "apprentice")
    decide(page, 4)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Resign").click()
    page.locator("footer").get_by_role("button", name="Resign").click()
    page.get_by_role("link", name="Review").click(timeout=PATIENCE)
    story = page.locator(".story button")
    expect(story).to_have_count(2, timeout=PATIENCE)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link to this review").click()
    expect(page.get_by_text("The link is copied").first).to_be_visible()
    address = urlsplit(page.evaluate("() => navigator.clipboard.readText()"))
    link = f"{address.path}#{address.fragment}"

    # another person has the same game and its review, once however often the link is opened
    other = new_page(at_server=False, locale="ro")
    other.goto(link)
    told = other.locator(".story button")
    expect(told).to_have_count(2, timeout=PATIENCE)
    for seat in (0, 1):
        name = story.nth(seat).locator(".name").inner_text()
        if name != "Apprentice":
            expect(told.nth(seat).locator(".name")).to_have_text(name)
    kept = other.url
    assert "review=1" in kept
    other.goto("/")
    other.goto(link)
    expect(other).to_have_url(kept)
    other.goto("/")
    other.goto(link[:-8])
    expect(other.get_by_role("alert")).to_contain_text("Linkul este deteriorat")


def test_where_the_browser_cannot_the_server_reviews(
    page: Page, scene: Scene, badly_played: str, troubles: Troubles
) -> None:
    """And what it says while it has not looked at all decisions."""
    troubles.forgive("500|404|could not load|Failed to (load|fetch)")
    enter(page, scene.ana)

    def stop_before_the_end(asked: Route) -> None:
        told = asked.fetch().json()
        if told["complete"]:
            told |= {"complete": False, "done": told["total"] - 2, "skipped": [0, 1]}
            told["review"]["curve"] = told["review"]["curve"][:-3]
        asked.fulfill(json=told)

    page.route("**/log", lambda asked: asked.fulfill(status=500, body=""))
    page.route("**/review", stop_before_the_end)
    page.goto(f"/tables/{badly_played}?v=9&review=1")
    expect(page.locator(".story button")).to_have_count(1, timeout=PATIENCE)  # of the person
    expect(page.get_by_text("The server looks at the game")).to_be_visible()
    expect(page.get_by_text("2 decisions could not be looked at")).to_be_visible()
    page.unroute("**/review")
    reviewed(page)
    expect(page.get_by_text("could not be looked at")).to_have_count(0)


def test_a_review_that_cannot_be_had_says_why(
    page: Page, scene: Scene, badly_played: str, troubles: Troubles
) -> None:
    troubles.forgive("500")
    enter(page, scene.ana)
    failed = {"code": "failed", "message": "The adviser failed.", "request": None}
    for path in ("**/log", "**/review"):
        page.route(path, lambda asked: asked.fulfill(status=500, json=failed))
    page.goto(f"/tables/{badly_played}?v=9")
    page.locator("[data-review]").click()
    expect(page.get_by_role("alert")).to_contain_text("The review cannot be had just now.")
    page.unroute("**/review")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".story button").first).to_be_visible(timeout=PATIENCE)
