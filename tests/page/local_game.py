"""Games at a table in the browser: the form that is filled in, the start, decisions by keys."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect
from tests.page.browser import READY, NewPage, Troubles
from tests.page.clicks import Keys, Mind, Player

HERE = re.compile(r"/tables/local-[\w-]+$")
# All files that the index names, but the networks, are in the cache.
CACHED = """
async () => {
  const cache = await caches.open("macaz-data");
  return (await cache.match("/data/index.json")) !== undefined;
}
"""


def form(*bots: str, edition: str = "usa", friends: tuple[str, ...] = ()) -> dict[str, Any]:
    """The form of a game against bots, and with friends on the same screen."""
    here = [{"who": "here", "name": name} for name in friends]
    return {
        "edition": edition,
        "chairs": [{"who": "me"}, *here, *({"who": "bot", "bot": bot} for bot in bots)],
    }


def fill(page: Page, wanted: dict[str, Any]) -> None:
    """Store a form, as if it had been filled in before."""
    text = json.dumps(json.dumps(wanted))
    page.context.add_init_script(f'try {{ localStorage["macaz-wish"] = {text}; }} catch {{}}')


def begin(page: Page) -> None:
    """Start the game of the form in this browser."""
    expect(page.locator("[data-place]")).to_have_attribute("data-place", "browser")
    page.locator("[data-play]").click()
    expect(page).to_have_url(HERE)
    expect(page.locator("main.play, main:has-text('Pass the screen')").first).to_be_visible()


def new_game(new_page: NewPage, *bots: str, **more: Any) -> Page:
    """A page with a new game."""
    page = new_page(at_server=False, **more)
    fill(page, form(*bots))
    page.goto("/")
    begin(page)
    return page


def decide(page: Page, times: int, mind: Mind | None = None) -> None:
    """Make this number of decisions with the keyboard."""
    player = Player(mind or Mind("local"), Keys(page))  # notices may cover the cards
    for _ in range(times):
        assert player.step(patience=60), "nothing is to be decided"


def begin_offline(new_page: NewPage, troubles: Troubles, wanted: dict[str, Any]) -> Page:
    """A page with a new game, opened again and begun without a network."""
    page = new_page(at_server=False, service_workers="allow")
    fill(page, wanted)
    page.goto("/")
    page.evaluate(READY)
    page.wait_for_function(CACHED)
    page.context.set_offline(True)
    troubles.forgive("ERR_INTERNET_DISCONNECTED|could not load|Failed to (load|fetch)")
    page.reload()
    begin(page)
    return page
