"""The analysis board: from a moment of a game, and from a position that is set up by hand."""

from __future__ import annotations

import base64
import json
import random
import re
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.page.browser import assert_accessible
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
    page.locator("[data-setup-tool]").select_option("trains 1")
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
