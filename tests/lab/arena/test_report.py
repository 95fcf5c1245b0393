"""The report is one page with the results, and names of bots cannot add HTML to it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from tests.lab.arena.synthetic import result, tournament

from macaz.lab.arena.report import MAX_ROWS, write_report

pytestmark = pytest.mark.portable

SETTINGS = {
    "edition": "europe",
    "players": 2,
    "bots": ("strong", "weak"),
    "seed": 77,
    "sprt": None,
    "records": True,
    "command": "macaz arena --bots strong,weak --seed 77",
    "version": "9.8.7",
}
VOID = {"meta", "br", "line", "rect", "circle"}


class Page(HTMLParser):
    """A page's tags and words; raises an error if tags are not nested properly."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def report(tmp_path, results, settings=SETTINGS) -> Page:
    path = tmp_path / "report.html"
    write_report(settings, results, path)
    html = path.read_text(encoding="utf-8")
    assert not re.search(r"https?://|@import|url\(|<script|<link|src=", html)
    return Page(html)


@pytest.mark.parametrize("seats", [2, 3])
def test_it_shows_who_is_better_and_how_it_was_made(tmp_path, seats):
    strengths = {"strong": 1.0, "middle": 0.0, "weak": -1.0}
    page = report(tmp_path, tournament(strengths, seats, 30, np.random.default_rng(1)))
    assert "strong is first: +" in page.text
    for title in ("Ratings", "Standings", "One against another", "Scores", "Margins", "Length"):
        assert title in page.text
    for told in (
        "Time a decision",
        "The first seat",
        "seed 77",
        "macaz 9.8.7",
        SETTINGS["command"],
    ):
        assert str(told) in page.text
    plots = [
        attributes["aria-label"] for tag, attributes in page.tags if "aria-label" in attributes
    ]
    assert sum(str(label).startswith("strong: ") for label in plots) == 5
    heat = [attributes for tag, attributes in page.tags if attributes.get("class") == "more"]
    assert len(heat) == 3


def test_the_plots_stay_inside_and_hold_numbers(tmp_path):
    page = report(tmp_path, tournament({"a": 3, "b": 0, "c": -3}, 2, 40, np.random.default_rng(2)))
    places = [
        float(str(attributes[name]).removesuffix("%"))
        for tag, attributes in page.tags
        for name in ("x", "x1", "x2", "cx")
        if tag in ("line", "rect", "circle", "text") and name in attributes
    ]
    assert len(places) > 100
    assert all(0 <= place <= 100 for place in places)
    assert "nan" not in page.text.split()


def test_names_cannot_break_the_page(tmp_path):
    evil = "cmd:<script>alert('&\"')</script>"
    games = [result(d, (evil, "b"), [0], failures=["", "<b>crashed</b>"]) for d in range(4)]
    page = report(
        tmp_path, games, {**SETTINGS, "edition": "<i>own</i>", "<u>": "<s>", "bots": evil}
    )
    assert {"script", "i", "u", "s"}.isdisjoint(tag for tag, _ in page.tags)
    assert page.text.count(evil) >= 8
    assert "<b>crashed</b>" in page.text


def test_games_can_be_found_and_watched(tmp_path):
    games = [
        result(5, ("a", "b"), [0], scores=(120, 119)),
        result(5, ("b", "a"), [1], scores=(-3, 140), first=1),
    ]
    folder = tmp_path / "my arena"
    folder.mkdir()
    page = report(folder, games)
    assert f"macaz arena watch '{folder}' 1" in page.text
    assert "The closest: game 1" in page.text
    assert "The clearest: game 2" in page.text
    assert "2 5 b −3 , ▸ a 140 ★" in page.text


def test_games_that_were_not_kept_are_not_offered(tmp_path):
    page = report(tmp_path, [result(0, ("a", "b"), [0])], {**SETTINGS, "records": False})
    assert "arena watch" not in page.text
    assert "not kept" in page.text


def test_a_long_tournament_still_opens(tmp_path):
    games = [result(d, ("a", "b"), [d % 2]) for d in range(MAX_ROWS + 500)]
    page = report(tmp_path, games)
    assert f"The first {MAX_ROWS:,} of {len(games):,}" in page.text
    assert sum(tag == "tr" for tag, _ in page.tags) < MAX_ROWS + 20


@pytest.mark.parametrize(
    "games",
    [
        [],
        [result(0, ("a", "b"), [0])],
        [result(d, ("a", "a"), [0, 1]) for d in range(3)],
        [result(d, ("a", "b"), [], failures=["crashed"] * 2) for d in range(3)],
        [result(d, ("a", "b"), [0], scores=(7, 7)) for d in range(3)],
    ],
    ids=["none", "one", "itself", "failed", "alike"],
)
def test_a_report_of_little_can_be_written(tmp_path, games):
    page = report(tmp_path, games, {})
    assert "nan" not in page.text.split()
    assert ("No games yet" in page.text) == (not games)
