"""Puzzles in the page: one is solved after a wrong move, another by its answer."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect
from tests.page.browser import assert_accessible, shot

from macaz.edition import load_edition
from macaz.game.moves import Choose, Keep, notation_of
from macaz.help.puzzles import Puzzle, puzzles_of
from macaz.help.puzzles.check import view_of

EDITION = "usa-classic"


@pytest.fixture
def puzzle() -> Puzzle:
    """A puzzle about tickets, which is answered by the same clicks everywhere."""
    found = puzzles_of(load_edition(EDITION))
    kept = [one for one in (found.puzzles if found else ()) if one.kind == "keep"]
    if not kept:
        pytest.skip(f"no such puzzle comes with {EDITION}")
    return kept[0]


def keep(page: Page, puzzle: Puzzle, text: str) -> None:
    """Keep the tickets of a move."""
    view = view_of(puzzle, load_edition)
    seat = view.seat if view.phase == "choose" else -1
    assert seat is not None
    move = notation_of(view.spec).parse(text, seat)
    assert isinstance(move, Keep | Choose)
    for ticket in move.tickets:
        page.locator(f".decision [data-ticket='{ticket}']").click()
    page.locator(".decision .button.primary").click()


def wrong(puzzle: Puzzle) -> str:
    return next(move.move for move in puzzle.moves if move.move not in puzzle.answers)


def test_a_puzzle_is_solved_after_a_wrong_move(page: Page, puzzle: Puzzle) -> None:
    page.goto("/puzzles")
    expect(page.locator("main table")).to_be_visible()
    expect(page.locator("[data-puzzle-today]")).to_be_visible()
    assert_accessible(page)
    shot(page, "puzzles")
    page.locator(f"main li a[href$='/puzzles/{puzzle.id}']").click()
    panel = page.locator(".guide")
    expect(panel).to_contain_text("Find the best move")
    keep(page, puzzle, wrong(puzzle))
    said = page.locator("[data-puzzle-said]")
    expect(said).to_have_attribute("data-puzzle-said", "wrong")
    expect(said).to_contain_text("%")
    shot(page, "puzzle-wrong")
    page.locator("[data-puzzle-again]").click()
    keep(page, puzzle, puzzle.answers[0])
    expect(said).to_have_attribute("data-puzzle-said", "right")
    expect(panel.locator("table tr").first).to_contain_text("%")
    assert_accessible(page)
    shot(page, "puzzle-right")
    kept = json.loads(page.evaluate("localStorage.getItem('macaz-puzzles')"))
    assert kept["tried"][puzzle.id] == {"grade": puzzle.grade, "wrong": 1, "result": "solved"}


def test_an_answer_that_is_shown_is_not_solved(page: Page, puzzle: Puzzle) -> None:
    page.goto(f"/puzzles/{puzzle.id}")
    page.locator("[data-puzzle-answer]").click()
    expect(page.locator(".guide")).to_contain_text("The right move")
    keep(page, puzzle, puzzle.answers[0])
    expect(page.locator("[data-puzzle-said]")).to_have_attribute("data-puzzle-said", "right")
    page.goto("/puzzles")
    expect(page.locator("main table tbody tr").last).to_contain_text("0")
    kept = json.loads(page.evaluate("localStorage.getItem('macaz-puzzles')"))
    assert kept["tried"][puzzle.id]["result"] == "shown"
