"""Lost connections: nothing is lost, and nothing is done twice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from tests.page import situations as at
from tests.page.browser import READY, NewPage, Troubles
from tests.page.clicks import said
from tests.page.hosts import Host
from tests.page.questions import (
    QUESTIONS,
    Question,
    counted,
    end_the_game,
    heading,
    try_tunnel,
)
from tests.page.situations import (
    ME,
    OTHER,
    Situation,
    Table,
    Tables,
    collect,
    expect_shown,
    hand,
    settle,
    sheet,
    show_table,
)

from macaz.game.moves import Blind, Take

Arrange = Callable[..., Table]
# Errors of a browser while the server is down; which one depends on the moment.
AWAY = "net::ERR_|WebSocket|Failed to load resource"
CLOCK = 10  # seconds for a decision: enough for Bogdan on a slow machine


@pytest.fixture
def tables(host: Host) -> Iterator[Tables]:
    found = Tables(host.url)
    yield found
    found.close()


@pytest.fixture
def arrange(tables: Tables, page: Page) -> Arrange:
    """Opens the page of a table in a situation, as Ana's."""

    def arranged(situation: Situation, **more: Any) -> Table:
        settle(page)
        return tables.arrange(situation, page, **more)

    return arranged


def lost(page: Page) -> Any:
    """The message that the connection is lost."""
    return page.locator(".banners").get_by_text(said("line.lost"))


# -- in the middle of a question -------------------------------------------------------------------


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS.keys())
def test_no_break_loses_a_question_or_doubles_its_answer(
    arrange: Arrange, page: Page, own_server: Host, troubles: Troubles, question: Question
) -> None:
    troubles.forgive(AWAY)
    table = arrange(question.situation)
    question.ask(page, table)
    question.expect_asked(page)

    page.reload()
    question.ask_again(page, table)

    page.context.set_offline(True)
    expect(lost(page)).to_be_visible()
    question.expect_asked(page)
    page.context.set_offline(False)
    expect(lost(page)).to_have_count(0)
    question.expect_asked(page)

    own_server.kill()
    expect(lost(page)).to_be_visible()
    question.expect_asked(page)
    done = question.answer(page, table)  # while the server is down
    own_server.start()
    expect(lost(page)).to_have_count(0)
    table.did(done)
    expect_shown(page, table)
    if not table.game.over and OTHER in table.game.deciding:
        expect(sheet(page)).to_have_count(0)
        table.bogdan_does(collect(table.game))
        expect_shown(page, table)


class Wire:
    """The connection between a page and the server; loses messages on request."""

    def __init__(self, page: Page) -> None:
        self.sent: list[dict[str, Any]] = []  # acts that the page sent
        self.loses = ""
        page.route_web_socket(re.compile("/api/v1/socket"), self._connect)

    def _connect(self, near: WebSocketRoute) -> None:
        far = near.connect_to_server()

        def there(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] == "act":
                self.sent.append(said)
            if said["type"] == "act" and self.loses == "the act":
                self.loses = ""
                near.close()
                far.close()
            else:
                far.send(message)

        def back(message: str | bytes) -> None:
            if json.loads(message)["type"] in ("done", "update") and self.loses == "the answer":
                self.loses = ""
                near.close()
                far.close()
            else:
                near.send(message)

        near.on_message(there)
        far.on_message(back)


@pytest.mark.parametrize("what", ["the act", "the answer"])
@pytest.mark.parametrize("name", ["first tickets", "payment", "tunnel", "last round"])
def test_what_the_network_loses_is_done_once(
    tables: Tables, page: Page, troubles: Troubles, what: str, name: str
) -> None:
    troubles.forgive("WebSocket")
    question = QUESTIONS[name]
    wire = Wire(page)
    settle(page)
    table = tables.arrange(question.situation, page)
    question.ask(page, table)
    question.expect_asked(page)
    asked = len(wire.sent)
    wire.loses = what
    before = page.locator("[data-prompt]").inner_text()
    done = question.answer(page, table)
    expect(page.locator("[data-prompt]")).not_to_have_text(before)
    expect(lost(page)).to_have_count(0)
    table.did(done)
    expect_shown(page, table)
    first, again = wire.sent[asked:]
    assert first == again


def test_a_move_of_another_player_while_i_was_away_is_shown(
    arrange: Arrange, page: Page, troubles: Troubles
) -> None:
    troubles.forgive(AWAY)
    table = arrange(at.A_TURN)
    for _ in range(2):
        page.locator("button[data-pile=deck]").click()
        table.did(Blind())
    page.context.set_offline(True)
    expect(lost(page)).to_be_visible()
    table.bogdan_turns()
    page.context.set_offline(False)
    expect(page.locator(f"[data-seat='{ME}'].deciding")).to_be_visible()
    expect_shown(page, table)


# -- two pages -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["payment", "tunnel", "tickets", "marker"])
def test_two_tabs_show_the_same(arrange: Arrange, page: Page, name: str) -> None:
    question = QUESTIONS[name]
    table = arrange(question.situation)
    second = page.context.new_page()
    show_table(second, table)
    question.ask(page, table)
    question.expect_asked(page)
    if question.local:
        expect(sheet(second)).to_have_count(0)
        question.ask(second, table)
    question.expect_asked(second)
    table.did(question.answer(page, table))
    for tab in (page, second):
        expect(sheet(tab)).to_have_count(0)
        expect_shown(tab, table)


def open_menu(page: Page) -> None:
    page.get_by_role("button", name=said("menu.open")).click()


def test_a_second_device_takes_over(
    arrange: Arrange, page: Page, new_page: NewPage, troubles: Troubles
) -> None:
    question = QUESTIONS["tunnel"]
    table = arrange(question.situation)
    question.ask(page, table)
    open_menu(page)
    page.get_by_role("button", name=said("link.move", name="Ana")).click()
    address = page.get_by_role("textbox", name=said("link-kind.seat", n=1)).input_value()

    phone = new_page(viewport={"width": 390, "height": 844})
    settle(phone)
    phone.goto(address)
    phone.get_by_role("button", name=said("join.enter")).click()
    question.expect_asked(phone)
    troubles.forgive("404")  # the old device asks for what it may no longer see
    expect(page.locator(".banners")).to_contain_text(said("line.moved"))
    before = table.version
    question.answer(phone, table)
    expect(sheet(phone)).to_have_count(0)
    expect(phone.locator(".board .taken")).to_have_count(1)
    told = table.bogdan.get(f"/tables/{table.id}/updates?after={before}")["updates"]
    claimed = [event for update in told for event in update["events"] if "route" in event]
    assert [event["type"] for event in claimed].count("route-claimed") == 1


# -- a bot replaces a person -----------------------------------------------------------------------


def expect_bot(page: Page, reason: str) -> None:
    expect(page.locator("[data-prompt]")).to_have_text(said("prompt.stand-in"))
    expect(page.locator(f"[data-seat='{ME}']")).to_contain_text(
        said("seats.stand-in", reason=said(f"reason.{reason}"))
    )
    expect(sheet(page)).to_have_count(0)


def come_back(page: Page, table: Table) -> None:
    """When the bot has played, take the seat back; after Bogdan's turn it is Ana's again."""
    expect(page.locator(f"[data-seat='{OTHER}'].deciding")).to_be_visible()
    page.get_by_role("button", name=said("bar.back")).click()
    expect(page.get_by_role("button", name=said("bar.back"))).to_have_count(0)
    table.bogdan_takes_a_turn()
    deck = page.locator("button[data-pile=deck]")
    expect(deck).to_have_attribute("aria-disabled", "false")
    cards = page.locator(f"[data-seat='{ME}'] .counts .count").nth(1)
    many = sum(hand(page).values())
    expect(cards).to_contain_text(counted(many, "cards"))
    deck.click()
    expect(cards).to_contain_text(counted(many + 1, "cards"))


@pytest.mark.parametrize("name", ["first tickets", "payment", "tunnel"])
def test_a_bot_plays_for_who_leaves_and_hands_back(arrange: Arrange, page: Page, name: str) -> None:
    question = QUESTIONS[name]
    table = arrange(question.situation)
    if OTHER in table.game.deciding:
        table.bogdan_does(at.moves_of(table.game, OTHER)[-1])
    question.ask(page, table)
    question.expect_asked(page)
    open_menu(page)
    page.get_by_role("button", name=said("room.bot-for-me")).click()
    expect_bot(page, "left")
    page.reload()
    expect_bot(page, "left")
    come_back(page, table)


def test_a_bot_plays_for_who_runs_out_of_time_and_hands_back(arrange: Arrange, page: Page) -> None:
    table = arrange(at.FIRST_TICKETS, move_seconds=CLOCK)
    table.bogdan_does(at.moves_of(table.game, OTHER)[-1])
    expect_bot(page, "time")
    come_back(page, table)


# -- other people ----------------------------------------------------------------------------------


def watch(page: Page, table: Table) -> None:
    """Open a table as a spectator. A table with a seed is not listed: it is watched by a link."""
    settle(page)
    page.request.post("/api/v1/people", data={"name": "Costin"})
    link = table.ana.post(f"/tables/{table.id}/links", {"kind": "watch"})["url"]
    page.request.post("/api/v1/links/open", data={"token": link.partition("#")[2]})
    show_table(page, table)


def expect_row(page: Page, row: list[str]) -> None:
    """The face-up cards lie in these slots."""
    slots = page.locator("[data-pile=row] button")
    for slot, color in enumerate(row):
        expect(slots.nth(slot)).to_have_attribute("data-take", color)


def test_face_up_cards_lie_alike_for_all_and_after_a_reload(
    arrange: Arrange, page: Page, new_page: NewPage
) -> None:
    table = arrange(at.A_TURN)
    card = page.locator("[data-take][aria-disabled=false]").last
    color = card.get_attribute("data-take") or ""
    card.click()
    table.did(Take(int(color)))
    expect_shown(page, table)
    row = page.locator("[data-pile=row] button").evaluate_all(
        "all => all.map(one => one.dataset.take)"
    )
    assert row != sorted(row)  # they lie as they came
    watcher = new_page()
    watch(watcher, table)
    expect_row(watcher, row)
    show_table(page, table)
    expect_row(page, row)


def test_a_spectator_follows_and_sees_no_secret(
    arrange: Arrange, page: Page, new_page: NewPage
) -> None:
    table = arrange(at.TUNNEL_2)
    heard: list[dict[str, Any]] = []
    watcher = new_page()
    watcher.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: heard.append(json.loads(frame))),
    )
    watch(watcher, table)
    expect(watcher.get_by_text(said("watch.note"))).to_be_visible()
    expect(page.get_by_text(said("watch.note"))).to_have_count(0)
    expect(watcher.locator("[data-hand]")).to_have_count(0)
    expect(watcher.locator("[data-ticket]")).to_have_count(0)
    expect(watcher.locator(".board [role=option]")).to_have_count(0)
    try_tunnel(page, table)
    expect(watcher.locator(".show")).to_contain_text(
        said("tunnel.other", name="Ana", route="").strip()
    )
    expect(watcher.locator(".show .turned")).to_have_count(3)
    tunnel = QUESTIONS["tunnel"]
    tunnel.expect_asked(page)
    table.did(tunnel.answer(page, table))
    expect(watcher.locator(".show")).to_have_count(0)
    expect(watcher.locator(".board .taken")).to_have_count(1)
    score = str(table.game.view(None).scores[ME])
    expect(watcher.locator(f"[data-seat='{ME}'] .score")).to_contain_text(f" {score}")
    table.bogdan_turns()
    expect(watcher.locator(f"[data-seat='{ME}'].deciding")).to_be_visible()
    views = [message["view"] for message in heard if message.get("view")]
    assert views
    for view in views:
        for seat in view["seats"]:
            assert (seat["hand"], seat["tickets"], seat["offer"]) == (None, None, None)
    for message in heard:
        assert not message.get("legal")
        for event in message.get("events", ()):
            if event["type"] in ("blind-drawn", "card-dealt"):
                assert event["color"] is None


def test_a_rematch_is_found_by_the_other(
    arrange: Arrange, page: Page, new_page: NewPage, tables: Tables
) -> None:
    table = arrange(at.LAST_DECISION)
    other = new_page()
    settle(other)
    tables.bogdan.enter(other.context)
    show_table(other, table)
    end_the_game(page, table)
    assert table.game.outcome
    for one in (page, other):
        expect(one.locator(".ending h2").first).not_to_be_empty()
    page.get_by_role("button", name=said("ending.rematch")).click()
    expect(page).not_to_have_url(re.compile(table.id))
    other.get_by_role("link", name=said("ending.next-game")).click()
    expect(other).to_have_url(page.url)
    other.get_by_role("button", name=re.compile(said("room.sit"))).click()
    for one in (page, other):
        expect(heading(one)).to_have_text(said("choose.first"))


# -- the server is down when the page is opened ----------------------------------------------------


def test_a_table_opened_while_the_server_is_away_comes_when_it_is_back(
    own_server: Host, tables: Tables, new_page: NewPage, troubles: Troubles
) -> None:
    troubles.forgive(AWAY)
    page = new_page(service_workers="allow")
    settle(page)
    question = QUESTIONS["tunnel"]
    table = tables.arrange(question.situation, page)
    page.evaluate(READY)
    show_table(page, table)  # now the service worker has cached the whole page
    question.ask(page, table)
    question.expect_asked(page)
    own_server.kill()
    page.reload()
    expect(page.get_by_text(said("code.offline"))).to_be_visible()
    own_server.start()
    question.expect_asked(page)
    table.did(question.answer(page, table))
    expect_shown(page, table)
