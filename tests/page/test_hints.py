"""Hints that are found in the browser: without a network, and without the server's advice."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.page.browser import NewPage, Troubles
from tests.page.hosts import Host
from tests.page.local_game import begin_offline, form
from tests.page.scenes import Guest, turn
from tests.page.screens import sit
from tests.page.test_help import THINKING, enter, hint

FIGURE = re.compile(r"^(not known yet|\d+%( ± \d+)?)$")
OTHERS = re.compile(r"^(as good|not known yet|(0|−\d+)%( ± \d+)?)$")
IDLE = "() => new Promise((resolve) => setTimeout(resolve))"


def workers(page: Page) -> int:
    return sum("/analysis-worker-" in worker.url for worker in page.workers)


def check_ended(page: Page) -> None:
    """No worker is left, as soon as the browser has told of it."""
    for _ in range(100):
        if not workers(page):
            return
        page.evaluate(IDLE)
    raise AssertionError("workers go on")


def check_figures(page: Page) -> None:
    figures: list[str] = []
    while not figures:  # they begin again when a bot has chosen its tickets
        expect(page.locator(".move .figure").first).to_be_visible(timeout=THINKING)
        figures = page.locator(".move .figure").all_inner_texts()
    assert FIGURE.match(figures[0]), figures
    assert all(OTHERS.match(figure) for figure in figures[1:]), figures


def test_a_hint_at_a_local_table_needs_no_network(new_page: NewPage, troubles: Troubles) -> None:
    page = begin_offline(new_page, troubles, form("planner", edition="tiny"))
    hint(page)
    check_figures(page)
    expect(page.locator("[data-tries]")).to_have_text(re.compile(r"\d tr(y|ies)"))
    expect(page.locator(".reasons")).to_have_text(re.compile(r"\w.*\."))
    # It becomes more precise by itself, and then stops.
    done = page.locator("[data-tries]").filter(has_text=re.compile(r"^[\d,]+ tries$"))
    expect(done).to_be_visible(timeout=THINKING)
    check_figures(page)
    check_ended(page)
    page.get_by_role("button", name="Do it").click()
    expect(page.locator(".move")).to_have_count(0)


def test_a_hint_at_a_served_table_costs_the_server_nothing(page: Page, server: Host) -> None:
    guest = Guest(server.url, "Ana")
    enter(page, guest)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    sit(page, guest.play(guest.table("me", "greedy", edition="europe"), turn()))
    hint(page)
    check_figures(page)
    assert workers(page) >= 1
    page.keyboard.press("Escape")  # closing it ends the workers
    expect(page.locator(".move")).to_have_count(0)
    check_ended(page)
    assert sum("/packed-view?" in url for url in asked) == 1
    assert not any("/advice" in url for url in asked)
    guest.close()


def test_where_no_worker_starts_the_server_is_asked(
    page: Page, server: Host, troubles: Troubles
) -> None:
    troubles.forgive("analysis-worker|ERR_FAILED")
    guest = Guest(server.url, "Ana")
    enter(page, guest)
    page.route(re.compile("/assets/analysis-worker-"), lambda route: route.abort())
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    sit(page, guest.play(guest.table("me", "greedy", edition="tiny"), turn()))
    hint(page)
    check_figures(page)
    assert sum("/advice?" in url for url in asked) == 1
    guest.close()
