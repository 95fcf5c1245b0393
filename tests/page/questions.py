"""The questions that the page asks at a table: how to reach each of them, and how to answer it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.page import situations as at
from tests.page.clicks import WORDS, opening, said
from tests.page.situations import ME, Situation, Table, expect_shown, point, sheet

from macaz.edition.board import CARDS
from macaz.game.moves import (
    Blind,
    Choose,
    Claim,
    Decline,
    DrawTickets,
    Keep,
    Move,
    MoveAlvin,
    Return,
    SkipMarker,
    Start,
    Station,
    Take,
)


def counted(n: int, key: str) -> str:
    """A number of things, in the words of the page."""
    return str(WORDS[key]["one" if n == 1 else "other"]).format(n=n)


def city_name(table: Table, city: int) -> str:
    return table.game.edition.board.cities[city].label


def between(table: Table, a: int, b: int) -> str:
    return f"{city_name(table, a)} – {city_name(table, b)}"


def ticket_name(table: Table, ticket: int) -> str:
    found = table.game.edition.board.tickets[ticket]
    return between(table, found.a, found.b)


def ways(within: Locator) -> list[int]:
    """The actions of the ways to pay, as they are listed."""
    found = within.locator("[data-action]").all()
    return [int(way.get_attribute("data-action") or "") for way in found]


def pay(page: Page, table: Table, action: int) -> None:
    """Pay with one click, and check that the table, its twin and the page agree."""
    sheet(page).locator(f"[data-action='{action}']").click()
    table.did(action)
    expect_shown(page, table)


def pick(page: Page, table: Table) -> Claim:
    """Click the route of the situation, and expect its question."""
    assert isinstance(table.move, Claim)
    route = at.route_at(table.game, table.move)
    point(page, route=table.move.route)
    expect(sheet(page).get_by_role("heading", level=2)).to_have_text(
        between(table, route.a, route.b)
    )
    return table.move


def in_words(move: dict[str, Any]) -> str:
    parts = [f"{move['cards']} {CARDS[move['color']]}"] if move["cards"] else []
    if move["locomotives"]:
        parts.append(counted(move["locomotives"], "locomotives"))
    return said("pay.with", payment=" and ".join(parts))


def try_tunnel(page: Page, table: Table) -> None:
    """Pay for a tunnel, which reveals cards."""
    assert isinstance(table.move, Claim)
    pick(page, table)
    action = table.game.parse(table.move)
    sheet(page).locator(f"[data-action='{action}']").click()
    table.did(action)


def build_in(page: Page, city: int) -> None:
    page.locator("[data-station]").click()
    expect(page.locator("[data-prompt]")).to_have_text(said("prompt.building"))
    point(page, city=city)


def claim_first(page: Page, table: Table) -> None:
    """Claim the route of the situation, with its payment."""
    assert isinstance(table.move, Claim)
    point(page, route=table.move.route)
    action = table.game.parse(table.move)
    sheet(page).locator(f"[data-action='{action}']").click()
    table.did(action)


def keep_button(page: Page) -> Locator:
    return sheet(page).locator("footer button")


def draw(page: Page, table: Table) -> tuple[int, ...]:
    """Draw tickets; returns the offered ones."""
    page.locator("button[data-pile=tickets]").click()
    sheet(page).get_by_role("button", name=said("draw.do"), exact=True).click()
    table.did(DrawTickets())
    title = sheet(page).get_by_role("heading", level=2)
    expect(title).to_have_text(said("choose.drawn"))
    offer = table.game.offer(ME)
    expect(sheet(page).locator("[data-ticket]")).to_have_count(len(offer))
    return offer


# -- all questions, each with one answer -----------------------------------------------------------


def heading(page: Page) -> Locator:
    """The heading of the question."""
    return sheet(page).get_by_role("heading", level=2)


def pay_first(page: Page, table: Table) -> Move | int:
    """Pay the sensible way."""
    del table
    [action, *_] = ways(sheet(page))
    sheet(page).locator(f"[data-action='{action}']").click()
    return action


def keep_two(page: Page, table: Table) -> Move | int:
    """Keep the first two tickets."""
    kept = table.game.offer(ME)[:2]
    for ticket in kept:
        sheet(page).locator(f"[data-ticket='{ticket}']").click()
    keep_button(page).click()
    return Choose(ME, kept) if table.game.view(ME).phase == "choose" else Keep(kept)


def return_last(page: Page, table: Table) -> Move | int:
    """Put the last ticket under the deck first."""
    ticket = table.game.offer(ME)[-1]
    sheet(page).locator(f"[data-ticket='{ticket}']").click()
    return Return(ticket)


def ask_to_return(page: Page, table: Table) -> None:
    """Draw tickets, and keep only one."""
    [first, *_] = draw(page, table)
    sheet(page).locator(f"[data-ticket='{first}']").click()
    keep_button(page).click()
    table.did(Keep((first,)))


def take_back(page: Page, table: Table) -> Move | int:
    """Give up a tunnel that cannot be paid."""
    del table
    sheet(page).get_by_role("button", name=said("tunnel.take-back")).click()
    return Decline()


def a_station(table: Table) -> Station:
    """Any move that builds a station."""
    return next(move for move in at.moves_of(table.game) if isinstance(move, Station))


def ask_to_start(page: Page, table: Table) -> None:
    """Select a city to start from."""
    assert isinstance(table.move, Start)
    point(page, city=table.move.city)


def start_there(page: Page, table: Table) -> Move | int:
    """Start in that city."""
    assert isinstance(table.move, Start)
    sheet(page).locator("footer button").click()
    return table.move


def skip_marker(page: Page, table: Table) -> Move | int:
    """Go on without a marker."""
    del table
    sheet(page).get_by_role("button", name=said("marker.skip")).click()
    return SkipMarker()


def ask_about_alvin(page: Page, table: Table) -> None:
    """Catch Alvin."""
    claim_first(page, table)
    if table.game.view(ME).phase == "mark":
        table.did(skip_marker(page, table))


def send_alvin(page: Page, table: Table) -> Move | int:
    """Send Alvin to the first city."""
    sheet(page).locator(".cities button").first.click()
    return next(move for move in at.moves_of(table.game) if isinstance(move, MoveAlvin))


def draw_blind(page: Page, table: Table) -> Move | int:
    """Take the top card of the deck."""
    del table
    page.locator("button[data-pile=deck]").click()
    return Blind()


def end_the_game(page: Page, table: Table) -> None:
    """Take the card after which the game is over."""
    pile = page.locator("button[data-pile=deck]")
    if isinstance(table.move, Take):
        pile = page.locator(f"[data-take='{table.move.color}']").first
    pile.click()
    table.did(table.move)


def nothing(page: Page, table: Table) -> None:
    """The question is asked without any action of the player."""


@dataclass(frozen=True)
class Question:
    """A question of the page."""

    situation: Situation
    title: str  # the beginning of its heading
    ask: Callable[[Page, Table], Any]
    answer: Callable[[Page, Table], Move | int]
    local: bool = False  # only this page knows of it: after a reload, it must be asked again

    def expect_asked(self, page: Page) -> None:
        """Expect the question, with no earlier action still in progress."""
        expect(heading(page) if self.title else page.locator(".banners .last")).to_contain_text(
            self.title or opening("last-round")
        )
        expect(page.locator("[inert]")).to_have_count(0)

    def ask_again(self, page: Page, table: Table) -> None:
        """Ask again after a reload of the page."""
        expect(page.locator("[data-prompt]")).not_to_be_empty()
        if self.local:
            expect(page.locator(".board [role=option]").first).to_be_attached()
            self.ask(page, table)
        self.expect_asked(page)


QUESTIONS = {
    "first tickets": Question(at.FIRST_TICKETS, said("choose.first"), nothing, keep_two),
    "payment": Question(at.MANY_PAYMENTS, " – ", pick, pay_first, local=True),
    "lanes": Question(at.TWO_LANES, " – ", pick, pay_first, local=True),
    "ferry": Question(at.FERRY, " – ", pick, pay_first, local=True),
    "odds": Question(at.TUNNEL_1, " – ", pick, pay_first, local=True),
    "tunnel": Question(at.TUNNEL_1, opening("tunnel.title"), try_tunnel, pay_first),
    "dear tunnel": Question(at.TUNNEL_TOO_DEAR, opening("tunnel.title"), try_tunnel, take_back),
    "station": Question(
        at.A_TURN,
        opening("station.title"),
        lambda page, table: build_in(page, a_station(table).city),
        pay_first,
        local=True,
    ),
    "start": Question(at.START, "Albuquerque", ask_to_start, start_there, local=True),
    "marker": Question(at.MARKER, said("marker.title"), claim_first, pay_first),
    "no marker": Question(at.MARKER, said("marker.title"), claim_first, skip_marker),
    "alvin": Question(at.ALVIN, said("alvin.title"), ask_about_alvin, send_alvin),
    "tickets": Question(at.A_TURN, said("choose.drawn"), draw, keep_two),
    "return": Question(at.RETURN_ORDER, said("return.title"), ask_to_return, return_last),
    "last round": Question(at.LAST_ROUND, "", nothing, draw_blind),
}
