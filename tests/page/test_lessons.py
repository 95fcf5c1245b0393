"""The lessons: their positions and answers in the kernel, and all five by clicks in the page."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect
from tests.page.browser import NewPage, assert_accessible
from tests.page.test_local_games import data_files
from tests.page.units import ROOT, run_vitest

TOOL = "tools/make_lessons.py"
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
# Where on the screen an option of the board is drawn.
SPOT = """
(option) => {
  const view = option.closest(".view");
  const { route, city } = option.dataset;
  let spots;
  if (route === undefined) {
    const core = view.querySelectorAll("g.city .core")[city];
    const { x, y, width, height } = core.getBoundingClientRect();
    spots = [{ x: x + width / 2, y: y + height / 2 }];
  } else {
    const line = view.querySelector(`.open[data-route="${route}"] .rail`);
    const [length, matrix] = [line.getTotalLength(), line.getScreenCTM()];
    spots = [0.5, 0.3, 0.7].map((share) =>
      line.getPointAtLength(share * length).matrixTransform(matrix));
  }
  const spot = spots.find(({ x, y }) => view.contains(document.elementFromPoint(x, y)));
  return spot ? { x: spot.x, y: spot.y } : null;
}
"""


def test_the_positions_of_the_lessons_are_up_to_date():
    made = runpy.run_path(str(ROOT / TOOL))
    stale = f"stale; run: .venv/bin/python {TOOL}"
    assert made["FILE"].read_text(encoding="utf-8") == made["text"](), stale


def test_every_step_has_an_answer_that_the_kernel_accepts(tmp_path: Path):
    made = data_files()
    (tmp_path / "index.json").write_bytes(made.index)
    for name, content in made.files.items():
        (tmp_path / name).write_bytes(content)
    done = run_vitest("tests/lessons.test.ts", MACAZ_LESSONS=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


Act = Callable[[Page], None]


def place(name: str, then: str = ".decision [data-lesson-mark]") -> Act:
    """Click a place of the map, then what is marked in the sheet, or another button there."""

    def act(page: Page) -> None:
        # by its beginning: the tickets that a place serves are named after it
        named = re.compile(rf"^\s*{re.escape(name)}")
        option = page.locator(".view [role=option]").filter(has_text=named).first
        expect(option).to_be_attached()
        page.wait_for_function(SPOT, arg=option.element_handle())
        spot = option.evaluate(SPOT)
        if option.get_attribute("data-route"):
            page.touchscreen.tap(spot["x"], spot["y"])  # a mouse may claim it without a sheet
        else:
            page.mouse.click(spot["x"], spot["y"])
        page.locator(then).first.click()

    return act


def press(*selectors: str, then: Act | None = None) -> Act:
    def act(page: Page) -> None:
        for selector in selectors:
            page.locator(selector).first.click()
        if then:
            then(page)

    return act


def keep(*tickets: tuple[str, str]) -> Act:
    """Keep the tickets between these cities."""

    def act(page: Page) -> None:
        for one, other in tickets:
            button = page.locator(".decision [data-ticket]").filter(has_text=one)
            button.filter(has_text=other).click()
        page.locator(".decision .button.primary").click()

    return act


PRIMARY = ".decision .button.primary"
LESSONS: list[list[Act]] = [
    [
        keep(("Los Angeles", "Seattle"), ("Phoenix", "Portland")),
        press("button[data-pile=tickets]", PRIMARY),
        keep(("Santa Fe", "Vancouver")),
    ],
    [
        press("[data-take='7'][aria-disabled=false]"),
        press("button[data-pile=deck][aria-disabled=false]"),
        press("[data-take='8'][aria-disabled=false]"),
    ],
    [
        place("Denver – Santa Fe"),
        place("El Paso – Santa Fe"),
        place("El Paso – Los Angeles"),
    ],
    [
        place("München – Venezia"),
        press(".decision [data-lesson-mark]"),
        place("Dieppe – London"),
        press("[data-station]", then=place("Bruxelles")),
    ],
    [
        place("Denver", PRIMARY),
        place("Denver – Grand Junction"),
        press(".decision [data-lesson-mark]"),
        place("Albuquerque – Roswell"),
        press(".decision .button"),
    ],
]


def test_all_lessons_are_completed_by_clicks_on_a_phone(new_page: NewPage):
    page = new_page(at_server=False, **PHONE)
    page.goto("/")
    page.locator("[data-learn] a").click()
    page.locator("main a[href$='/learn/1']").click()
    panel = page.locator("section.guide")
    for number, steps in enumerate(LESSONS, 1):
        for at, act in enumerate(steps, 1):
            expect(panel.locator(".count")).to_have_text(f"{at} / {len(steps)}")
            expect(panel.locator("button")).to_have_count(0)  # nothing was answered yet
            if (number, at) == (2, 1):
                # Another legal move: it is said what it did, and one can try again.
                press("[data-take='1'][aria-disabled=false]")(page)
                expect(panel).to_contain_text("took a blue card. That is allowed, too.")
                page.locator("[data-lesson-again]").click()
                expect(panel).to_contain_text("Take the red one")
            if (number, at) == (3, 2):
                page.reload()  # goes on where it was left
                expect(panel).to_contain_text("El Paso – Santa Fe")
            if (number, at) == (4, 4):
                expect(page.locator(".play > .tickets")).to_contain_text("1 station to go")
                assert_accessible(page)
            act(page)
            page.locator("button[data-lesson-next]").click()
        if number < len(LESSONS):
            page.locator("a[data-lesson-next]").click()
    page.locator("[data-first-game]").click()
    expect(page).to_have_url(re.compile("/tables/local-"))
    expect(page.locator("main.play .seats")).to_contain_text("Apprentice")
    page.goto("/")
    expect(page.locator("[data-play]")).to_be_visible()
    expect(page.locator("[data-learn]")).to_have_count(0)
