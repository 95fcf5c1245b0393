"""Hints during a game, against a server that thinks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page, expect
from tests.page.browser import NewPage, Troubles, assert_accessible, shot
from tests.page.hosts import Host
from tests.page.scenes import Guest, Scene
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


@pytest.fixture
def screens(scene: Scene) -> list[Screen]:
    """The screens that are tested here."""

    def at(table: Callable[[], str]) -> Callable[[Page, Scene], None]:
        def way(page: Page, _: Scene) -> None:
            sit(page, table())
            hint(page)

        return way

    return [
        Screen("hint", at(lambda: scene.turn("europe"))),
        Screen("hint-choose", at(lambda: scene.choosing)),
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
    for place in range(moves.count()):
        # Which move has this place may change until the click; the chosen one stays in the list.
        moves.nth(place).click()
        expect(page.locator(".move[aria-pressed=true]")).to_have_count(1)
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


def test_where_people_play_each_other_there_are_no_hints(page: Page, scene: Scene) -> None:
    enter(page, scene.ana)
    sit(page, scene.theirs)
    expect(page.locator("[data-hint]")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator(".decision")).to_have_count(0)
