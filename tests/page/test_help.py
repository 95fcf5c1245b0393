"""Hints during a game and the review after it, against a server that thinks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page, Route, expect
from tests.page.browser import NewPage, Troubles, assert_accessible, shot
from tests.page.hosts import Host
from tests.page.scenes import Guest, NeverCameError, Scene, of
from tests.page.screens import Screen, show, sit
from tests.page.test_screens import LOOKS, SIZES, fits

AXED = (SIZES[0], SIZES[2])  # a phone and a desktop
THINKING = 120_000  # milliseconds until a result is there: code may have to be compiled first


def enter(page: Page, guest: Guest) -> None:
    """Sign a browser in as this person, with the guide turned off."""
    guest.enter(page.context)
    page.goto("/favicon.svg")
    page.evaluate("""() => localStorage.setItem("macaz-settings", '{"guide": false}')""")


def hint(page: Page) -> None:
    """Ask for a hint, and wait for it."""
    page.locator("[data-hint]:visible").click()
    expect(page.locator(".move").first).to_be_visible(timeout=THINKING)


@pytest.fixture
def ana(server: Host) -> Iterator[Guest]:
    """A person with tables of her own, which a test may change."""
    guest = Guest(server.url, "Ana")
    yield guest
    guest.close()


@pytest.fixture(scope="module")
def badly_played(scene: Scene) -> str:
    """A small game that Ana only drew cards in."""
    table = scene.ana.table("me", "greedy", edition="tiny")
    with pytest.raises(NeverCameError):
        scene.ana.play(table, lambda _: False, likes=of("blind"))
    return table


@pytest.fixture
def screens(scene: Scene, badly_played: str) -> list[Screen]:
    """The screens that are tested here."""

    def at(table: Callable[[], str]) -> Callable[[Page, Scene], None]:
        def way(page: Page, _: Scene) -> None:
            sit(page, table())
            hint(page)

        return way

    def reviewed(page: Page, _: Scene) -> None:
        page.goto(f"/tables/{badly_played}?v=9#review")
        page.locator(".mistake").first.click(timeout=THINKING)

    return [
        Screen("hint", at(lambda: scene.turn("europe"))),
        Screen("hint-choose", at(lambda: scene.choosing)),
        Screen("review", reviewed),
    ]


@pytest.mark.parametrize(("language", "theme"), LOOKS)
def test_help_fits_and_is_accessible(
    new_page: NewPage,
    scene: Scene,
    screens: list[Screen],
    language: str,
    theme: Literal["light", "dark"],
) -> None:
    page = new_page(locale=language, color_scheme=theme)
    problems: list[str] = []
    for wanted in screens:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            show(page, scene, wanted)
            problems += fits(page, wanted)
            if (width, height) in AXED:
                expect(page.locator(f"html[data-theme={theme}]")).to_be_attached()
                shot(page, f"{wanted.name}-{width}-{language}-{theme}")
                assert_accessible(page)
    assert problems == [], "\n".join(problems)


def test_a_hint_is_asked_for_looked_at_and_followed(page: Page, ana: Guest) -> None:
    enter(page, ana)
    sit(page, ana.table("me", "greedy", edition="usa"))

    # the selected tickets are still selected after a hint was opened
    ticket = page.locator(".decision [data-ticket]").first
    ticket.click()
    expect(page.locator(".chances")).to_have_count(0)  # never without a request
    hint(page)
    expect(ticket).to_be_hidden()
    expect(page.locator(".chances li")).to_have_text([re.compile(r"\d+%")] * 2)
    expect(page.locator(".stands").first).to_have_text(re.compile(r"\d+ cards?, \d+ turns?"))
    page.keyboard.press("Escape")
    expect(ticket).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".bar [data-hint]")).to_be_focused()

    # a suggestion is followed with one more click, and the hint disappears with the update
    hint(page)
    page.get_by_role("button", name="Do it").click()
    expect(page.locator("[data-take][aria-disabled=false]").first).to_be_visible()
    expect(page.locator(".move")).to_have_count(0)

    # by its key; the selected suggestion is shown on the map or among the cards
    page.keyboard.press("h")
    moves = page.locator(".move")
    expect(moves.first).to_be_visible(timeout=THINKING)
    assert 1 <= moves.count() <= 5
    for at in range(moves.count()):
        moves.nth(at).click()
        expect(moves.nth(at)).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".pile.hinted, .board .selected").first).to_be_attached()
    page.locator("[data-pile=deck]").click()
    expect(moves).to_have_count(0)
    expect(page.locator("[data-prompt]")).to_have_text("Take a second card.")


def test_a_hint_that_cannot_be_had_says_why(page: Page, ana: Guest, troubles: Troubles) -> None:
    troubles.forgive("503")
    enter(page, ana)
    busy = {"code": "too-many", "message": "Too much is being thought about.", "request": None}
    page.route("**/packed-view?*", lambda asked: asked.fulfill(status=503, json=busy))
    sit(page, ana.table("me", "greedy", edition="usa"))
    page.locator("[data-hint]:visible").click()
    expect(page.locator(".decision").get_by_role("alert")).to_contain_text("Too much is being")
    page.unroute("**/packed-view?*")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".move").first).to_be_visible(timeout=THINKING)


def test_a_game_is_reviewed(page: Page, scene: Scene, badly_played: str) -> None:
    enter(page, scene.ana)
    page.goto(f"/tables/{badly_played}")
    page.get_by_role("link", name="Review").click()
    mistake = page.locator(".mistake").first
    expect(mistake).to_be_visible(timeout=THINKING)
    expect(mistake).to_contain_text(
        re.compile(r"Turn \d+ · Ana.*−\d+% to win.*Played:.*Better:", re.DOTALL)
    )
    expect(page.get_by_role("list", name="How it was played")).to_contain_text("without a mistake")
    expect(page.get_by_role("list", name="Chances to win at this moment")).to_have_text(
        re.compile(r"Ana\s*\d+%.*Greedy\s*\d+%", re.DOTALL)
    )

    # it leads to the moment before the mistake
    before = page.url
    mistake.click()
    expect(mistake).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".told")).to_contain_text("Better:")
    page.wait_for_url(lambda url: url != before)
    page.keyboard.press("ArrowRight")
    expect(mistake).to_have_attribute("aria-pressed", "false")

    # at the end the winner is certain, and without the review the scores are shown again
    page.keyboard.press("End")
    expect(page.get_by_role("list", name="Chances to win at this moment")).to_contain_text("100%")
    page.get_by_role("button", name="Close the review").click()
    expect(page.get_by_role("list", name="Scores at this moment")).to_be_visible()


def test_of_a_review_that_goes_on_what_is_ready_is_shown(
    page: Page, scene: Scene, badly_played: str
) -> None:
    """The review is stopped before its end, so that there is time to look."""

    def stop_before_the_end(asked: Route) -> None:
        told = asked.fetch().json()
        if told["complete"]:
            told |= {"complete": False, "done": told["total"] - 2, "skipped": [0, 1]}
            told["review"]["curve"] = told["review"]["curve"][:-3]
        asked.fulfill(json=told)

    enter(page, scene.ana)
    page.route("**/review", stop_before_the_end)
    page.goto(f"/tables/{badly_played}?v=9#review")
    expect(page.locator(".mistake").first).to_be_visible(timeout=THINKING)
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text("2 decisions took too long to look at")).to_be_visible()
    chances = page.get_by_role("list", name="Chances to win at this moment")
    page.keyboard.press("End")
    expect(chances).to_contain_text("Ana …")
    page.locator(".mistake").first.click()
    expect(page.locator(".mistake").first).to_have_attribute("aria-pressed", "true")
    page.unroute("**/review")
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.locator(".mistake").first).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("took too long")).to_have_count(0)


def test_a_review_that_cannot_be_had_says_why(
    page: Page, scene: Scene, badly_played: str, troubles: Troubles
) -> None:
    troubles.forgive("500")
    enter(page, scene.ana)
    failed = {"code": "failed", "message": "The adviser failed.", "request": None}
    page.route("**/review", lambda asked: asked.fulfill(status=500, json=failed))
    page.goto(f"/tables/{badly_played}?v=9")
    page.locator("[data-review]").click()
    expect(page.get_by_role("alert")).to_contain_text("The review cannot be had just now.")
    page.unroute("**/review")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".mistake").first).to_be_visible(timeout=THINKING)


def test_where_people_play_each_other_there_are_no_hints(page: Page, scene: Scene) -> None:
    enter(page, scene.ana)
    sit(page, scene.theirs)
    expect(page.locator("[data-hint]")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator(".decision")).to_have_count(0)
