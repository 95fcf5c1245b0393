"""Every screen fits every window, is accessible, and says nothing in the wrong language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect
from tests.page.browser import WEB, NewPage, Troubles, barriers, shot
from tests.page.scenes import Scene
from tests.page.screens import DESK, EDITIONS, PHONE, SCREENS, Screen, show

PARTS = 8  # so that several processes can share the work
SIZES = [(360, 740), (390, 844), (1440, 900), (820, 1180)]
# Contrasts do not depend on the language, nor names and structure on the theme.
LOOKS: tuple[tuple[str, Literal["light", "dark"]], ...] = (("en", "light"), ("ro", "dark"))
RAW_KEY = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9_-]+)+")
SHORT = 14  # a shorter text may well be a part of another one

# Texts that do not fit. A box that scrolls may hold more than it shows; the end of a person's name,
# and of the last event, which is also in the log, may be cut off where there is no room.
MISFITS = """
() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} wide`);
  const hides = (overflow) => overflow === "hidden" || overflow === "clip";
  const scrolls = (overflow) => overflow === "auto" || overflow === "scroll";

  /** Where the letters of a text are; the white above and below them does not count. */
  const extent = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
    return lines.length && {
      left: Math.min(...lines.map((line) => line.left)) + 1.5,
      right: Math.max(...lines.map((line) => line.right)) - 1.5,
      top: Math.min(...lines.map((line) => line.top + line.height * 0.2)),
      bottom: Math.max(...lines.map((line) => line.bottom - line.height * 0.2)),
    };
  };
  const across = (text, box) => text.left < box.left || text.right > box.right;
  const along = (text, box) => text.top < box.top || text.bottom > box.bottom;

  const problem = (element, text) => {
    let [box, whole] = [null, true];  // whole: nothing scrolls upwards or downwards so far
    for (let around = element; around !== root; around = around.parentElement) {
      const style = getComputedStyle(around);
      const edge = around.getBoundingClientRect();
      if (style.clipPath !== "none" || scrolls(style.overflowX)) return "";
      if (!box && style.display !== "inline" && style.display !== "contents") {
        box = edge;
        if (across(text, edge)) {
          const mayEnd = style.textOverflow === "ellipsis" && around.matches(".name, .news");
          return mayEnd ? "" : "is wider than its box";
        }
      }
      if (around.matches(".news") && style.webkitLineClamp !== "none") return "";  // see the log
      if (scrolls(style.overflowY)) whole = false;
      if (hides(style.overflowX) && across(text, edge)) return "is cut at its side";
      if (whole && hides(style.overflowY) && along(text, edge)) return "is cut above or below";
    }
    return text.left < 0 || text.right > root.clientWidth ? "lies beyond the window" : "";
  };

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: element } = texts.currentNode;
    if (!data.trim() || element.closest("svg, select, script, style")) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const text = extent(texts.currentNode);
    const why = text && problem(element, text);
    if (why) found.push(`“${data.trim().slice(0, 60)}” ${why}`);
  }
  return found;
}
"""
# The visible and spoken texts of a page.
SAID = """
() => {
  const said = [document.title];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (element.closest("[lang]") !== document.documentElement) continue;
    if (!element.closest("script, style, svg text")) said.push(texts.currentNode.data);
  }
  for (const element of document.body.querySelectorAll("*")) {
    if (element.closest("[lang]") !== document.documentElement) continue;
    for (const name of ["aria-label", "aria-valuetext", "title", "placeholder", "alt"]) {
      said.push(element.getAttribute(name) ?? "");
    }
  }
  return [...new Set(said.map((text) => text.replace(/\\s+/g, " ").trim()))].filter(Boolean);
}
"""
TOUCH = 40  # pixels of a button for a finger
# The parts of a table that must be within the window, and how much of each at least.
IN_REACH = {
    "[data-prompt]": (80, 12),
    ".board .view": (300, 240),
    "[data-hand]": (200, 40),
    "[data-pile=row]": (150, 40),
    "[data-pile=deck]": (24, 24),
    "[data-pile=tickets]": (24, 24),
}


def words(language: str) -> Iterator[tuple[str, str]]:
    """All texts of a language with their keys; each form of a counted noun separately."""
    for path in sorted((WEB / "src/words" / language).glob("*.json")):
        for key, text in json.loads(path.read_text(encoding="utf-8")).items():
            if isinstance(text, str):
                yield key, text
            else:
                yield from ((f"{key} {form}", one) for form, one in text.items())
    rules = (WEB / f"src/rules/{language}.ts").read_text(encoding="utf-8")
    for text in re.findall(r'"((?:[^"\\\n]|\\.){3,})"', rules):
        yield f"rules {text}", text


@cache
def english_only() -> re.Pattern[str]:
    """Finds English texts for which there are Romanian ones."""
    romanian = {text for _, text in words("ro")}
    patterns = []
    for _, text in words("en"):
        letters = re.sub(r"\{\w+\}|[^a-zA-Z]", "", text)
        if text in romanian or len(letters) < 3 or text.startswith((".", "/", "#")):
            continue
        pattern = re.sub(r"\\\{\w+\\\}", ".{1,60}?", re.escape(text))
        patterns.append(pattern if len(letters) >= SHORT else f"^{pattern}$")
    return re.compile("|".join(sorted(set(patterns))))


def fits(page: Page, wanted: Screen) -> list[str]:
    """What does not fit into a window of this size."""
    size = page.viewport_size
    assert size
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    problems: list[Any] = page.evaluate(MISFITS)
    where = f"{wanted.name} at {size['width']}×{size['height']}"
    return [f"{where}: {problem}" for problem in problems]


@pytest.mark.parametrize(("language", "theme"), LOOKS)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_screen_fits_is_accessible_and_speaks_one_language(
    new_page: NewPage,
    scene: Scene,
    troubles: Troubles,
    part: int,
    language: str,
    theme: Literal["light", "dark"],
) -> None:
    troubles.forgive("404")  # an address without a screen
    page = new_page(locale=language, color_scheme=theme)
    problems: list[str] = []
    for wanted in SCREENS[part::PARTS]:
        for number, (width, height) in enumerate(SIZES):
            if wanted.phone and width > 640:
                continue
            page.set_viewport_size({"width": width, "height": height})
            if wanted.placed or number % 2 == 0:
                show(page, scene, wanted)
            problems += fits(page, wanted)
            if page.viewport_size == (PHONE if wanted.phone else DESK):
                expect(page.locator(f"html[data-theme={theme}][lang={language}]")).to_be_attached()
                shot(page, f"{wanted.name}-{language}-{theme}")
                problems += [f"{wanted.name}: {barrier}" for barrier in barriers(page)]
        said: list[str] = page.evaluate(SAID)
        problems += [f"{wanted.name}: {text} is a key" for text in said if RAW_KEY.fullmatch(text)]
        if language == "ro":
            english = [text for text in said if english_only().search(text)]
            problems += [f"{wanted.name}: “{text}” is English" for text in english]
    assert problems == [], "\n".join(problems)


@pytest.mark.parametrize("edition", EDITIONS)
def test_on_a_phone_all_that_a_turn_needs_is_in_reach(
    new_page: NewPage, scene: Scene, edition: str
) -> None:
    page = new_page(locale="ro")
    [wanted] = [screen for screen in SCREENS if screen.name == f"turn-{edition}"]
    for width, height in SIZES[:2]:
        page.set_viewport_size({"width": width, "height": height})
        show(page, scene, wanted)
        for button in page.locator(".head > button").all():
            box = button.bounding_box()
            assert box, "hidden"
            assert min(box["width"], box["height"]) >= TOUCH, box
        for part, (least_width, least_height) in IN_REACH.items():
            box = page.locator(part).bounding_box()
            assert box, part
            assert box["width"] >= least_width, (part, box)
            assert box["height"] >= least_height, (part, box)
            assert box["x"] >= 0, (part, box)
            assert box["y"] >= 0, (part, box)
            assert box["x"] + box["width"] <= width, (part, box)
            assert box["y"] + box["height"] <= height, (part, box)


def test_a_text_that_does_not_fit_is_found(page: Page) -> None:
    page.goto("/about")
    expect(page.locator("h1")).to_be_visible()
    assert page.evaluate(MISFITS) == []
    page.locator("h1").evaluate("(title) => { title.style.width = '3rem'; }")
    page.locator("h1").evaluate("(title) => { title.style.whiteSpace = 'nowrap'; }")
    assert page.evaluate(MISFITS) == ["“About Macaz” is wider than its box"]
    page.locator("h1").evaluate("(title) => { title.style.width = '300vw'; }")
    assert re.match(r"the page is \d+ wide", page.evaluate(MISFITS)[0])


def test_a_text_in_the_wrong_language_is_found(new_page: NewPage) -> None:
    page = new_page(locale="ro")
    page.goto("/about")
    expect(page.locator("h1")).to_have_text("Despre Macaz")
    assert not any(english_only().search(text) for text in page.evaluate(SAID))
    assert english_only().search("About Macaz")
    assert english_only().search("Still choosing tickets: Ana.")
    assert not RAW_KEY.fullmatch("1.5")
    assert RAW_KEY.fullmatch("board.name")
