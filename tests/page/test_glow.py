"""The map tells which routes serve the player's tickets, and a legend says how."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.page.scenes import Scene

# By route that can be chosen: what the list for screen readers says about it.
LISTED = """
() => Object.fromEntries([...document.querySelectorAll("[role=option][data-route]")].map(
  (option) => [option.dataset.route, option.textContent.trim()]))
"""
LIFTED = "() => [...document.querySelectorAll('g.serving')].map((one) => one.dataset.route)"


def test_routes_for_tickets_stand_out_and_the_legend_can_be_closed(
    page: Page, scene: Scene
) -> None:
    scene.ana.enter(page.context)
    page.goto(f"/tables/{scene.turn('usa')}")
    expect(page.locator("g.serving").first).to_be_attached()
    listed = page.evaluate(LISTED)
    serving = {route for route, words in listed.items() if ", for " in words}
    assert set(page.evaluate(LIFTED)) == serving
    assert len(serving) < len(listed)
    expect(page.locator("[data-glow=strong] path.rim")).to_have_count(len(serving))
    legend = page.get_by_role("region", name="How the map marks routes")
    expect(legend.get_by_role("listitem")).to_have_count(3)
    legend.get_by_role("button").click()
    expect(legend).to_have_count(0)
    page.reload()
    expect(page.locator("g.serving").first).to_be_attached()
    expect(legend).to_have_count(0)
