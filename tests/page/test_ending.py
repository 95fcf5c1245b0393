"""The end of a game: the whole board and its picture; a click that does not wait for a card."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.page.browser import NewPage
from tests.page.clicks import said
from tests.page.hosts import Host
from tests.page.scenes import Guest, Scene, offers
from tests.page.screens import SCREENS, show

PNG = b"\x89PNG\r\n\x1a\n"
# Whether the whole board is in view; the frame is a part of it.
WHOLE = """() => {
  const [view, plane] = ["[data-board]", "[data-board] > .plane"].map(
    (name) => document.querySelector(name).getBoundingClientRect());
  return plane.left >= view.left - 1 && plane.right <= view.right + 1 &&
    plane.top >= view.top - 1 && plane.bottom <= view.bottom + 1;
}"""
# Whether the map and the scores reach the bottom of the window.
TO_THE_EDGE = """() => ["[data-board]", ".play > .decision"].every(
  (name) => document.querySelector(name).getBoundingClientRect().bottom > innerHeight - 1)"""

# Count changes of what never changes: to draw it with every move is too slow on a phone.
WATCH_GROUND = """() => {
  window.redrawn = 0;
  new MutationObserver((changes) => (window.redrawn += changes.length)).observe(
    document.querySelector("svg.ground"), { subtree: true, childList: true, attributes: true });
}"""

# Texts on the map that are not as wide as their letters.
MISFITS = """() => {
  const context = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("[data-board] text")].filter((text) => {
    const { fontWeight, fontSize, fontFamily, letterSpacing } = getComputedStyle(text);
    context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    context.letterSpacing = letterSpacing === "normal" ? "0px" : letterSpacing;
    const wide = text.getComputedTextLength() / context.measureText(text.textContent.trim()).width;
    return wide < 0.85 || wide > 1.15;
  }).map((text) => text.textContent);
}"""


@pytest.fixture(scope="module")
def ana(shared_server: Host) -> Iterator[Guest]:
    guest = Guest(shared_server.url, "Ștefania & <Ana>")
    yield guest
    guest.close()


def test_the_end_shows_the_whole_board_and_makes_a_picture_of_it(
    new_page: NewPage, ana: Guest, tmp_path: Path
) -> None:
    page: Page = new_page(viewport={"width": 390, "height": 844}, accept_downloads=True)
    ana.enter(page.context)
    page.goto(f"/tables/{ana.finish(ana.table('me', 'random', edition='tiny'))}")
    expect(page.locator(".picture img")).to_be_visible()
    page.wait_for_function(WHOLE)
    assert page.locator("[data-board] .trace").count() > 0
    # below the trains, whose colours it does not hide
    assert page.locator("[data-board] .taken ~ g > .trace").count() == 0
    page.set_viewport_size({"width": 1024, "height": 768})
    page.wait_for_function(WHOLE)
    page.wait_for_function(TO_THE_EDGE)  # with the guide open
    page.set_viewport_size({"width": 768, "height": 1024})
    page.wait_for_function(WHOLE)
    # a sign says that more is below, until it has been seen
    result = page.get_by_role("region", name=said("ending.title"))
    expect(result.locator(".sign")).to_be_visible()
    result.evaluate("(box) => box.scrollTo(0, box.scrollHeight)")
    expect(result.locator(".sign")).to_be_hidden()
    with page.expect_download() as saved:
        page.get_by_role("button", name=said("picture.save")).last.click()
    file = tmp_path / "end.png"
    saved.value.save_as(file)
    content = file.read_bytes()
    assert content[:8] == PNG
    assert struct.unpack(">II", content[16:24]) == (1600, 1182)
    colors = page.evaluate(
        """async (address) => {
          const image = new Image();
          image.src = address;
          await image.decode();
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
          const found = new Set();
          for (let i = 0; i < data.length; i += 4)
            found.add([data[i], data[i + 1], data[i + 2]].join());
          return [...found];
        }""",
        page.locator(".picture img").get_attribute("src"),
    )
    # Paper, land and the longest path, as in style/tokens.css: the styles are in the picture.
    assert {"245,238,221", "243,234,211", "255,216,77"} <= set(colors)


def test_names_on_the_map_have_their_size_when_the_end_is_opened_again(
    page: Page, scene: Scene
) -> None:
    [ending] = [screen for screen in SCREENS if screen.name == "ending"]
    for _ in range(2):  # the fonts are in the cache for the second one
        page.set_viewport_size({"width": 1366, "height": 768})
        show(page, scene, ending)
        expect(page.locator(".picture img")).to_be_visible()
        assert page.evaluate(MISFITS) == []


def test_a_click_during_an_animation_acts(new_page: NewPage, ana: Guest) -> None:
    table = ana.table("me", "random", edition="tiny")
    ana.play(table, offers("blind"))
    page: Page = new_page(reduced_motion="no-preference")
    page.add_init_script(
        """localStorage.setItem("macaz-settings", '{"guide": false, "speed": "slow"}')"""
    )
    ana.enter(page.context)
    page.goto(f"/tables/{table}")
    before = ana.get(f"/tables/{table}")["version"]
    deck = page.locator("[data-pile=deck]")
    deck.wait_for()
    page.evaluate(WATCH_GROUND)
    deck.click()
    page.locator(".animations .animation").first.wait_for(state="attached")
    deck.click()  # while the first card is on its way

    def drawn() -> int:
        updates = ana.get(f"/tables/{table}/updates?after={before}")["updates"]
        events = [event for update in updates for event in update["events"]]
        return sum(e["type"] == "blind-drawn" and e["seat"] == 0 for e in events)

    expect(page.locator("[data-prompt]")).not_to_have_text(said("prompt.second"))
    while drawn() < 2:  # the test has a time-out
        page.wait_for_timeout(50)
    assert page.evaluate("redrawn") == 0
