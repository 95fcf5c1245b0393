"""Whole games by clicks and keys, to the score screen, whose scores must be the kernel's."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.page.browser import NewPage
from tests.page.clicks import (
    PATIENCE,
    Keys,
    Mind,
    Mouse,
    MoveList,
    Player,
    Script,
    SharedScreen,
    play_together,
    said,
)

from macaz.edition import load_edition
from macaz.game import Game
from macaz.game.moves import Claim, Move
from macaz.game.outcome import Outcome
from macaz.game.record import load_record

PRIVATE = "main.play, .card, .ticket, [data-hand], [data-ticket], [data-take], [data-total]"
ROWS = ("routes", "tickets", "longest_path", "stations", "globetrotter", "alvin")
READ_SCORES = """
() => ({
  verdict: document.querySelector(".ending h2").textContent.trim(),
  why: document.querySelector(".ending header p")?.textContent ?? "",
  rows: Object.fromEntries([...document.querySelectorAll(".ending tbody tr")].map((row) => {
    const cells = [...row.querySelectorAll("[data-row]")];
    return [cells[0].dataset.row, cells.map((cell) => cell.textContent)];
  })),
  totals: [...document.querySelectorAll(".ending [data-total]")].map((cell) => cell.textContent),
  tickets: [...document.querySelectorAll(".ending .all section")].map((seat) =>
    [...seat.querySelectorAll("strong")].map((points) => points.textContent)),
})
"""


def new_table(page: Page, edition: str, *bots: str, seed: str, people: int = 1, **more: Any) -> str:
    """Create a table of Ana with some people and some bots, and open it."""
    me = page.request.post("/api/v1/people", data={"name": "Ana"})
    assert me.ok, me.text()
    seats = [{"kind": "person"}] * people + [{"kind": "bot", "bot": bot} for bot in bots]
    wanted = {"edition": edition, "seats": seats, "seed": seed, **more}
    made = page.request.post("/api/v1/tables", data=wanted)
    assert made.ok, made.text()
    table = str(made.json()["id"])
    if bots:
        wait_until_asked(page, table, 0)  # so that Ana is the last to choose her first tickets
    page.goto(f"/tables/{table}")
    return table


def wait_until_asked(page: Page, table: str, seat: int) -> None:
    """Wait until all other seats have chosen their first tickets.

    Tickets go under the pile in the order in which they are returned. A seed leads to one game only
    if this order is fixed; it is for bots, which think one after the other.
    """
    until = time.monotonic() + PATIENCE
    while True:
        told = page.request.get(f"/api/v1/tables/{table}/updates")
        assert told.ok, told.text()
        if told.json()["updates"][-1]["deciding"] == [seat]:
            return
        assert time.monotonic() < until, "the others do not choose"
        page.wait_for_timeout(50)


def numbers(cells: list[str]) -> list[int]:
    return [int(cell.replace("−", "-")) for cell in cells]


def assert_scores(page: Page, table: str) -> Outcome:
    """The page shows the outcome of the game, as the kernel finds it in the record."""
    record = page.request.get(f"/api/v1/tables/{table}/record")
    assert record.ok, record.text()
    outcome = load_record(record.text()).outcome
    assert outcome is not None, "the game is not over"
    shown = page.evaluate(READ_SCORES)
    names = [seat["name"] for seat in page.request.get(f"/api/v1/tables/{table}").json()["seats"]]
    for row in ROWS:
        scored = [getattr(seat, row) for seat in outcome.seats]
        if row == "tickets":
            scored = [sum(result.points for result in seat.tickets) for seat in outcome.seats]
        assert numbers(shown["rows"].pop(row, ["0"] * len(scored))) == scored, row
    assert shown["rows"] == {}
    assert numbers(shown["totals"]) == list(outcome.totals)
    tickets = [[result.points for result in seat.tickets] for seat in outcome.seats]
    assert [numbers(seat) for seat in shown["tickets"]] == tickets
    for seat, name in enumerate(names):
        assert (name in shown["verdict"]) == (seat in outcome.winners), shown["verdict"]
    assert shown["why"] == (said(f"tie.{outcome.tie_break}") if outcome.tie_break else "")
    return outcome


# The kinds of decisions in each game; `MoveList` picks all tickets at once.
EVERYWHERE = {"keep", "take", "deck", "tickets", "back", "route"}
SOMEWHERE = {
    "europe": {"tunnel", "station"},
    "old-west": {"start", "mark", "skip"},
    "old-west+alvin": {"start", "mark", "skip", "alvin"},
}
# Cities to prefer, near Alvin.
NEAR = {"old-west+alvin": ("Las Cruces", "Albuquerque", "Santa Fe", "Roswell")}
ONE, THREE = ("greedy",), ("greedy", "random", "greedy")
# Each map, and each way to decide at small and large tables; two people at a table, who use the
# mouse, have tests of their own.
GAMES = [
    ("usa-classic", THREE, MoveList),
    ("usa", ONE, MoveList),
    ("usa", THREE, Mouse),
    ("europe", THREE, Keys),
    ("old-west", ONE, Keys),
    ("old-west+alvin", ONE, MoveList),
]


@pytest.mark.parametrize(
    ("edition", "bots", "hands"),
    GAMES,
    ids=[f"{edition}-{1 + len(bots)}-{hands.__name__}" for edition, bots, hands in GAMES],
)
def test_a_game_against_bots(
    page: Page, edition: str, bots: tuple[str, ...], hands: type[Mouse | MoveList | Keys]
) -> None:
    table = new_table(page, edition, *bots, seed=f"{edition} {len(bots)}")
    mind = Mind(edition, NEAR.get(edition, ()))
    Player(mind, hands(page)).play()
    assert EVERYWHERE | SOMEWHERE.get(edition, set()) <= set(mind.did)
    assert_scores(page, table)


def found_table(page: Page, edition: str, friend: str, seed: str) -> None:
    """Create a table on the first page, for me and a friend."""
    name, _, option = edition.partition("+")
    page.goto("/")
    page.locator(f'label:has(input[name=edition][value="{name}"])').click()
    page.get_by_label(said("seat-number", n=2), exact=True).select_option(friend)
    if friend == "here":
        page.get_by_label(said("friend-name")).fill("Bogdan")
    if option:
        page.get_by_role("switch", name=said(f"option-title.{option}")).click()
    page.get_by_text(said("more"), exact=True).click()
    page.get_by_label(said("seed")).fill(seed)
    page.get_by_label(said("my-name"), exact=True).fill("Ana")
    page.get_by_role("button", name=said("play"), exact=True).click()
    page.wait_for_url("**/tables/*")


def table_of(page: Page) -> str:
    return page.url.rpartition("/")[2]


@pytest.mark.parametrize("edition", ["europe", "old-west+alvin"])
def test_a_game_of_two_browsers(page: Page, new_page: NewPage, edition: str) -> None:
    found_table(page, edition, "link", f"two browsers, {edition}")
    link = page.get_by_label(said("link-kind.join"), exact=True)
    expect(link).to_be_visible()
    friend = new_page(viewport={"width": 1024, "height": 768})
    friend.goto(link.input_value())
    friend.get_by_label(said("my-name"), exact=True).fill("Bogdan")
    friend.get_by_role("button", name=said("join.enter")).click()
    minds = [Mind(f"{name} {edition}, seed 2", NEAR.get(edition, ())) for name in ("Ana", "Bogdan")]
    players = [Player(mind, Mouse(one)) for mind, one in zip(minds, (page, friend), strict=True)]
    while not minds[0].did["keep"]:
        assert players[0].step(PATIENCE), "Ana is not asked for her first tickets"
    wait_until_asked(page, table_of(page), 1)
    play_together(players)
    for one, mind in zip((page, friend), minds, strict=True):
        assert EVERYWHERE | SOMEWHERE[edition] <= set(mind.did)
        assert_scores(one, table_of(page))
    if edition == "europe":
        assert {"pay", "decline"} <= set(minds[0].did + minds[1].did)


def shared_screen(page: Page, edition: str) -> SharedScreen:
    """Ana and Bogdan at one page. While it is covered, it shows nothing of the game."""
    board = load_edition(edition).board
    cities = [city.name for city in board.cities]

    def check() -> None:
        assert page.locator(PRIVATE).count() == 0
        html = page.content()
        assert not [city for city in cities if city in html]

    return SharedScreen({name: Mind(name) for name in ("Ana", "Bogdan")}, Mouse(page), check)


def test_a_game_on_one_screen(page: Page) -> None:
    found_table(page, "europe", "here", "one screen")
    screen = shared_screen(page, "europe")
    while not all(mind.did["route"] + mind.did["tunnel"] for mind in screen.minds.values()):
        assert screen.step(PATIENCE)
    assert screen.covers > 4


def test_a_whole_game_on_one_screen(page: Page) -> None:
    table = new_table(page, "tiny", seed="one screen", people=2, mine=["Ana", "Bogdan"])
    screen = shared_screen(page, "tiny")
    screen.play()
    assert all(mind.did["route"] for mind in screen.minds.values())
    assert_scores(page, table)


def several_payments(game: Game, move: Move) -> bool:
    """Whether a route, or a lane beside it, can be claimed in another way, too."""
    if not isinstance(move, Claim):
        return False
    lanes = game.edition.board.pair_lanes(move.route)
    claims = [one for one in game.legal_moves if isinstance(one, Claim) and one.route in lanes]
    return len(claims) > 1


@pytest.mark.parametrize(("seed", "decided"), [("tie 52", "shared"), ("tie 268", "tickets")])
def test_a_tie(page: Page, new_page: NewPage, seed: str, decided: str) -> None:
    friend = new_page()
    table = new_table(page, "tiny", seed=seed, first=0, people=2)
    friend.request.post("/api/v1/people", data={"name": "Bogdan"})
    link = page.request.post(f"/api/v1/tables/{table}/links", data={"kind": "join"}).json()["url"]
    assert friend.request.post("/api/v1/links/open", data={"token": link.partition("#")[2]}).ok
    friend.goto(f"/tables/{table}")
    scripts = [Script(), Script()]
    players = [
        Player(script, Mouse(one)) for script, one in zip(scripts, (page, friend), strict=True)
    ]
    game, dice = Game("tiny", 2, seed=seed, first=0), random.Random(seed)
    while not game.over:
        seat = game.deciding[0]
        moves = list(game.legal_moves_of(seat))
        move = dice.choice([one for one in moves if isinstance(one, Claim)] or moves)
        scripts[seat].then(move, game.parse(move, seat), asked=several_payments(game, move))
        while not scripts[seat].done:
            assert players[seat].step(30), f"{move} is not asked for"
        game.push(move, seat)
    play_together(players)
    outcome = assert_scores(page, table)
    assert outcome == game.outcome
    assert outcome.tie_break == decided
    expect(page.get_by_text(said(f"tie.{decided}")).first).to_be_visible()
