"""Every question is seen whole: all of its answers, and beside them the seats with their clocks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.page import situations as at
from tests.page.browser import shot
from tests.page.questions import pick
from tests.page.scenes import Scene
from tests.page.screens import SCREENS
from tests.page.situations import Tables, sheet

SIZES = [(1440, 900), (1366, 768), (1280, 720), (1024, 768), (768, 1024), (390, 844), (360, 640)]
CLOCK = 86_400  # seconds
# What cannot be seen whole, or is covered: answers of the question, and every seat with its clock.
# An answer may be out of sight where the sheet says so, by a sign at the edge beyond which it is.
HIDDEN = """
async () => {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  const sheet = document.querySelector(".decision [role=dialog]");
  const content = sheet.querySelector(".content");
  const seen = (part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const edge = 3;
    return [[left, top], [right, top], [left, bottom], [right, bottom]].every(([x, y]) => {
      const [inX, inY] = [x === left ? x + edge : x - edge, y === top ? y + edge : y - edge];
      const hit = document.elementFromPoint(inX, inY);
      return hit && (part.contains(hit) || hit.contains(part));
    });
  };
  const name = (part) => part.ariaLabel ?? part.innerText.replace(/\\s+/g, " ");
  const answers = [...sheet.querySelectorAll(".content button, footer button")];
  const seats = [...document.querySelectorAll(".seats [data-seat], .seats [role=timer]")];
  const signs = [...sheet.querySelectorAll(".sign")].filter((sign) => sign.checkVisibility());
  return {
    answers: answers.length,
    hidden: answers.filter((answer) => !seen(answer)).map(name),
    covered: seats.filter((seat) => !seen(seat)).map(name),
    signs: signs.length,
    room: sheet.dataset.room,
    map: document.querySelector(".board .view").getBoundingClientRect().height,
    wide: document.documentElement.scrollWidth - innerWidth,
  };
}
"""

Opens = Callable[[Page, Scene, Tables], None]


def first_tickets(edition: str, seats: int) -> Opens:
    """The first choice, at a table with as many bots as it can have."""

    def way(page: Page, scene: Scene, _: Tables) -> None:
        bots = ["random"] * (seats - 1)
        table = scene.ana.table("me", *bots, edition=edition, move_seconds=CLOCK)
        page.goto(f"/tables/{table}")

    return way


def payments(situation: at.Situation) -> Opens:
    """The payments for a route."""

    def way(page: Page, _: Scene, tables: Tables) -> None:
        pick(page, tables.arrange(situation, page, move_seconds=CLOCK))

    return way


def screen(name: str) -> Opens:
    """A question that other tests look at, too."""
    [wanted] = [one for one in SCREENS if one.name == name]
    return lambda page, scene, _: wanted.open(page, scene)


QUESTIONS: dict[str, Opens] = {
    "first tickets of usa-classic": first_tickets("usa-classic", 5),
    "first tickets of usa": first_tickets("usa", 5),
    "first tickets of europe": first_tickets("europe", 5),
    "first tickets of old-west": first_tickets("old-west", 6),
    "later tickets": screen("keep-tickets"),
    "drawing tickets": screen("draw-tickets"),
    "many payments": payments(at.MANY_PAYMENTS),
    "two lanes": payments(at.TWO_LANES),
    "tunnel before": screen("tunnel-odds"),
    "tunnel after": screen("tunnel"),
    "station": screen("station"),
    "start": screen("start-city"),
    "marker": screen("marker"),
    "alvin": screen("alvin"),
}


@pytest.fixture
def tables(scene: Scene) -> Iterator[Tables]:
    people = Tables(scene.url)
    yield people
    people.close()


def look(page: Page, name: str) -> list[str]:
    """What is wrong with a question in every size of the window."""
    wrong = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found = page.evaluate(HIDDEN)
        print(name, width, height, found)
        shot(page, f"room-{name.replace(' ', '-')}-{width}")
        assert found["answers"] > 0, name
        if found["covered"] or found["wide"] > 0 or found["map"] < 110 or found["hidden"]:
            wrong.append(f"{name} at {width}×{height}: {found}")
    return wrong


@pytest.mark.parametrize("name", QUESTIONS)
def test_all_answers_are_seen_beside_the_seats(
    page: Page, scene: Scene, tables: Tables, name: str
) -> None:
    page.goto("/favicon.svg")
    scene.ana.enter(page.context)
    page.evaluate(
        "(settings) => localStorage.setItem('macaz-settings', settings)",
        json.dumps({"guide": True, "speed": "off"}),
    )
    QUESTIONS[name](page, scene, tables)
    expect(sheet(page)).to_be_visible()
    guide = page.locator("main > .guide")
    wrong = []
    if name != "drawing tickets":  # it needs no explanation
        expect(guide.locator("h2 button")).to_have_attribute("aria-expanded", "false")
        wrong = look(page, f"{name} guide")
        guide.locator("h2 button").click()
        guide.locator(".primary").click()
    expect(guide).to_have_count(0)
    wrong += look(page, name)
    assert wrong == []
