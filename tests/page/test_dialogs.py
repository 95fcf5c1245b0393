"""Every question that the page asks: it offers what the server offers, and one click answers it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.page import situations as at
from tests.page.clicks import WORDS, said
from tests.page.hosts import Host
from tests.page.questions import (
    build_in,
    city_name,
    claim_first,
    counted,
    draw,
    end_the_game,
    in_words,
    keep_button,
    pay,
    pick,
    ticket_name,
    try_tunnel,
    ways,
)
from tests.page.situations import (
    ME,
    Situation,
    Table,
    Tables,
    expect_shown,
    point,
    settle,
    sheet,
    show_table,
)

from macaz.edition.board import CARDS, LOCOMOTIVE
from macaz.game.moves import (
    Choose,
    Claim,
    Decline,
    Keep,
    MoveAlvin,
    PayTunnel,
    Return,
    SkipMarker,
    Start,
    Station,
)

Arrange = Callable[..., Table]
TRIED = 3  # tried payments: the first, one in the middle, the last


@pytest.fixture
def arrange(host: Host, page: Page) -> Iterator[Arrange]:
    """Opens the page of a table in a situation, as Ana's."""
    tables = Tables(host.url)

    def arranged(situation: Situation, **settings: Any) -> Table:
        settle(page, **settings)
        return tables.arrange(situation, page)

    yield arranged
    tables.close()


# -- paying ----------------------------------------------------------------------------------------


def test_a_route_lists_all_payments_and_the_sensible_one_first(
    arrange: Arrange, page: Page
) -> None:
    table = arrange(at.MANY_PAYMENTS)
    claim = pick(page, table)
    offered = {move["action"]: move for move in table.legal("claim", route=claim.route)}
    listed = ways(sheet(page))
    assert len(listed) == len(offered) >= at.MANY_WAYS
    assert set(listed) == set(offered)
    held = table.game.view(ME).hand
    cost = [
        (offered[way]["locomotives"], offered[way]["cards"] - held[offered[way]["color"]])
        for way in listed
    ]
    assert cost == sorted(cost)
    for action, move in offered.items():
        way = sheet(page).locator(f"[data-action='{action}']")
        expect(way).to_have_accessible_name(in_words(move))
        expect(way.locator(".each .card")).to_have_count(move["cards"] + move["locomotives"])
    first = sheet(page).locator("[data-action]").first
    expect(first).to_be_focused()
    route = at.route_at(table.game, claim)
    expect(sheet(page)).to_contain_text(counted(route.length, "spaces"))


@pytest.mark.parametrize("which", range(TRIED))
def test_one_click_pays(arrange: Arrange, page: Page, which: int) -> None:
    table = arrange(at.MANY_PAYMENTS)
    pick(page, table)
    listed = ways(sheet(page))
    pay(page, table, listed[which * (len(listed) - 1) // (TRIED - 1)])
    expect(sheet(page)).to_have_count(0)


def test_enter_pays_the_sensible_way(arrange: Arrange, page: Page) -> None:
    table = arrange(at.MANY_PAYMENTS)
    pick(page, table)
    [first, *_] = ways(sheet(page))
    page.keyboard.press("Enter")
    table.did(first)
    expect_shown(page, table)


@pytest.mark.parametrize("how", ["Escape", "button"])
def test_a_payment_can_be_thought_over(arrange: Arrange, page: Page, how: str) -> None:
    table = arrange(at.MANY_PAYMENTS)
    pick(page, table)
    if how == "button":
        sheet(page).get_by_role("button", name=said("sheet.back")).click()
    else:
        page.keyboard.press(how)
    expect(sheet(page)).to_have_count(0)
    table.check()
    expect_shown(page, table)
    pick(page, table)


def test_a_setting_pays_the_sensible_way_at_once(arrange: Arrange, page: Page) -> None:
    table = arrange(at.MANY_PAYMENTS)
    pick(page, table)
    [first, *_] = ways(sheet(page))
    page.goto("/settings")
    page.get_by_text(said("settings.confirm.never"), exact=True).click()
    show_table(page, table)
    assert isinstance(table.move, Claim)
    point(page, route=table.move.route)
    table.did(first)
    expect_shown(page, table)


@pytest.mark.parametrize("picked", [0, 1])
@pytest.mark.parametrize("paid", [0, 1])
def test_a_double_route_asks_which_lane(
    arrange: Arrange, page: Page, picked: int, paid: int
) -> None:
    table = arrange(at.TWO_LANES)
    assert isinstance(table.move, Claim)
    lanes = table.game.edition.board.pair_lanes(table.move.route)
    routes = [table.game.edition.board.routes[lane] for lane in lanes]
    point(page, route=lanes[picked])
    sections = sheet(page).locator("section")
    expect(sections).to_have_count(2)
    for place, lane in enumerate((picked, 1 - picked)):
        color = said(f"card.{routes[lane].color}")
        key = "pay.other-lane" if place else "pay.lane"
        expect(sections.nth(place).get_by_role("heading")).to_have_text(said(key, color=color))
        offered = {move["action"] for move in table.legal("claim", route=lanes[lane])}
        assert set(ways(sections.nth(place))) == offered
    pay(page, table, ways(sections.nth(0 if paid == picked else 1))[0])
    assert table.game.view(ME).routes_of(ME) == (lanes[paid],)
    for lane in lanes:
        taken = page.locator(f".board .taken[data-route='{lane}']")
        expect(taken).to_have_count(1 if lane == lanes[paid] else 0)


def test_a_ferry_says_what_it_needs(arrange: Arrange, page: Page) -> None:
    table = arrange(at.FERRY)
    claim = pick(page, table)
    needed = at.route_at(table.game, claim).locomotives
    expect(sheet(page)).to_contain_text(
        said("pay.ferry", locomotives=counted(needed, "locomotives"))
    )
    offered = {move["action"]: move for move in table.legal("claim", route=claim.route)}
    listed = ways(sheet(page))
    assert set(listed) == set(offered)
    assert all(move["locomotives"] >= needed for move in offered.values())
    pay(page, table, listed[-1])


# -- tunnels ---------------------------------------------------------------------------------------


def expect_revealed(page: Page, table: Table) -> None:
    """The laid and revealed cards and the price are those of the table."""
    view = table.game.view(ME)
    expect(sheet(page)).to_contain_text(counted(view.extra, "tunnel.extra"))
    names = [CARDS[color] for color, many in enumerate(view.revealed) for _ in range(many)]
    revealed = sheet(page).locator("[data-pile=tunnel] .turned [role=img]")
    expect(revealed).to_have_count(len(names))
    shown = [card.get_attribute("aria-label") for card in revealed.all()]
    assert sorted(map(str, shown)) == sorted(names)
    laid = sheet(page).locator("[data-pile=tunnel] .cards .card")
    expect(laid).to_have_count(sum(view.laid))


def test_a_tunnel_shows_its_odds_first(arrange: Arrange, page: Page) -> None:
    table = arrange(at.TUNNEL_2, confirm="never")  # also with this setting
    claim = pick(page, table)
    cards = table.game.edition.rules.tunnel_cards
    expect(sheet(page)).to_contain_text(said("pay.tunnel", cards=counted(cards, "cards")))
    offered = {move["action"]: move for move in table.legal("claim", route=claim.route)}
    assert set(ways(sheet(page))) == set(offered)
    aids = {aid["color"]: aid["odds"] for aid in table.aids()["tunnels"]}
    length = table.game.edition.board.routes[claim.route].length
    payable = {aid["color"]: aid["payable"][length] for aid in table.aids()["tunnels"]}
    groups = sheet(page).locator(".group")
    expect(groups.locator("figure")).to_have_count(groups.count())
    laid = set()
    for group in groups.all():
        [color] = {
            offered[way]["color"] if offered[way]["cards"] else LOCOMOTIVE for way in ways(group)
        }
        laid.add(color)
        assert sum(aids[color]) == pytest.approx(1)
        parts = {
            said("odds.more", n=extra) if extra else said("odds.none"): chance
            for extra, chance in enumerate(aids[color])
            if extra <= payable[color]
        }
        parts[said("odds.beyond")] = sum(aids[color][payable[color] + 1 :])
        odds = {words: chance for words, chance in parts.items() if chance}
        bar = group.locator(".bar span").evaluate_all("all => all.map((x) => x.style.flexGrow)")
        assert [float(share) for share in bar] == pytest.approx(list(odds.values()), abs=1e-5)
        shown = group.locator("figcaption > span").all_inner_texts()
        for text, (words, chance) in zip(shown, odds.items(), strict=True):
            number = re.match(r"(< )?(\d+)\s?%", text.strip())
            assert number
            assert int(number[2]) == pytest.approx(max(100 * chance, 1), abs=0.5 + 1e-9)
            assert text.strip().endswith(words)
    assert len(laid) == groups.count()
    table.check()


def test_a_tunnel_may_cost_nothing_more(arrange: Arrange, page: Page) -> None:
    table = arrange(at.TUNNEL_FREE)
    try_tunnel(page, table)
    assert isinstance(table.move, Claim)
    assert table.game.view(ME).routes_of(ME) == (table.move.route,)
    expect_shown(page, table)
    expect(sheet(page)).to_have_count(0)


@pytest.mark.parametrize(
    ("situation", "way"),
    [
        *[(at.TUNNEL_1, way) for way in range(2)],
        *[(at.TUNNEL_2, way) for way in range(3)],
        *[(at.TUNNEL_3, way) for way in range(2)],
    ],
)
def test_a_tunnel_is_paid_in_each_way(
    arrange: Arrange, page: Page, situation: Situation, way: int
) -> None:
    table = arrange(situation)
    try_tunnel(page, table)
    expect_revealed(page, table)
    offered = {move["action"]: move for move in table.legal("pay-tunnel")}
    listed = ways(sheet(page))
    assert set(listed) == set(offered)
    assert [offered[one]["locomotives"] for one in listed] == sorted(
        move["locomotives"] for move in offered.values()
    )
    pay(page, table, listed[way])
    assert isinstance(table.move, Claim)
    assert table.move.route in table.game.view(ME).routes_of(ME)
    expect(sheet(page)).to_have_count(0)


def test_a_tunnel_can_be_given_up(arrange: Arrange, page: Page) -> None:
    table = arrange(at.TUNNEL_1)
    before = table.game.view(ME).hand
    try_tunnel(page, table)
    expect_revealed(page, table)
    sheet(page).get_by_role("button", name=said("tunnel.decline")).click()
    table.did(Decline())
    assert table.game.view(ME).hand == before
    expect_shown(page, table)


def test_a_tunnel_that_is_too_dear_gives_the_cards_back(arrange: Arrange, page: Page) -> None:
    table = arrange(at.TUNNEL_TOO_DEAR)
    before = table.game.view(ME).hand
    try_tunnel(page, table)
    expect_revealed(page, table)
    expect(sheet(page)).to_contain_text(said("tunnel.cannot"))
    assert ways(sheet(page)) == []
    sheet(page).get_by_role("button", name=said("tunnel.take-back")).click()
    table.did(Decline())
    assert table.game.view(ME).hand == before
    expect_shown(page, table)


# -- cities ----------------------------------------------------------------------------------------


def test_a_station_says_what_it_rescues(arrange: Arrange, page: Page) -> None:
    table = arrange(at.RESCUE)
    assert isinstance(table.move, Station)
    [aid] = [aid for aid in table.aids()["stations"] if aid["city"] == table.move.city]
    build_in(page, table.move.city)
    expect(sheet(page).get_by_role("heading", level=2)).to_have_text(
        said("station.title", city=city_name(table, table.move.city))
    )
    for ticket in aid["rescues"]:
        expect(sheet(page)).to_contain_text(ticket_name(table, ticket))
    offered = {move["action"] for move in table.legal("station", city=table.move.city)}
    listed = ways(sheet(page))
    assert set(listed) == offered
    pay(page, table, listed[0])
    for ticket in aid["rescues"]:
        held = page.locator(f".tickets [data-ticket='{ticket}']")
        expect(held).to_have_attribute("data-state", "done")


def test_a_station_that_helps_nothing_says_so(arrange: Arrange, page: Page) -> None:
    table = arrange(at.A_TURN)
    [station, *_] = [move for move in at.moves_of(table.game) if isinstance(move, Station)]
    build_in(page, station.city)
    expect(sheet(page)).to_contain_text(said("station.rescues-none"))
    points = table.game.edition.rules.station_points
    expect(sheet(page)).to_contain_text(said("station.points", points=counted(points, "points")))
    pay(page, table, ways(sheet(page))[0])
    left = counted(table.game.edition.rules.stations - 1, "seats.stations")
    expect(page.locator(f"[data-seat='{ME}'] .counts")).to_contain_text(left)


def test_a_station_can_be_thought_over(arrange: Arrange, page: Page) -> None:
    table = arrange(at.A_TURN)
    [station, *_] = [move for move in at.moves_of(table.game) if isinstance(move, Station)]
    build_in(page, station.city)
    expect(sheet(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet(page)).to_have_count(0)
    expect(page.locator("[data-prompt]")).to_have_text(said("prompt.building"))
    page.mouse.move(0, 0)  # otherwise Escape would first deselect the place under the mouse
    page.keyboard.press("Escape")
    expect(page.locator("[data-prompt]")).not_to_have_text(said("prompt.building"))
    table.check()


def test_a_starting_city_is_chosen_on_the_map(arrange: Arrange, page: Page) -> None:
    table = arrange(at.START)
    cities = {move.city for move in at.moves_of(table.game) if isinstance(move, Start)}
    glowing = page.locator(".board [role=option]")
    expect(glowing).to_have_count(len(cities))
    city = sorted(cities)[len(cities) // 2]
    point(page, city=city)
    sheet(page).get_by_role("button", name=said("start.here", city=city_name(table, city))).click()
    table.did(Start(city))
    assert table.game.view(ME).marks_of(ME) == (city,)
    expect(sheet(page)).to_have_count(0)


@pytest.mark.parametrize("which", [0, -1, None])
def test_a_marker_is_paid_or_not(arrange: Arrange, page: Page, which: int | None) -> None:
    table = arrange(at.MARKER)
    claim_first(page, table)
    title = sheet(page).get_by_role("heading", level=2)
    expect(title).to_have_text(said("marker.title"))
    offered = {move["action"]: move for move in table.legal("mark")}
    assert set(ways(sheet(page))) == set(offered)
    for section in sheet(page).locator("section").all():
        [city] = {offered[way]["city"] for way in ways(section)}
        expect(section.get_by_role("heading")).to_have_text(city_name(table, city))
    if which is None:
        sheet(page).get_by_role("button", name=said("marker.skip")).click()
        table.did(SkipMarker())
        assert len(table.game.view(ME).marks_of(ME)) == 1
        expect_shown(page, table)
    else:
        pay(page, table, ways(sheet(page))[which])
        assert len(table.game.view(ME).marks_of(ME)) == 2
    expect(sheet(page)).to_have_count(0)


def test_alvin_goes_where_he_is_sent(arrange: Arrange, page: Page) -> None:
    table = arrange(at.ALVIN)
    claim_first(page, table)
    skip = sheet(page).get_by_role("button", name=said("marker.skip"))
    title = sheet(page).get_by_role("heading", level=2)
    if table.game.view(ME).phase == "mark":
        expect(title).to_have_text(said("marker.title"))
        skip.click()
        table.did(SkipMarker())
    expect(title).to_have_text(said("alvin.title"))
    moves = [move for move in at.moves_of(table.game) if isinstance(move, MoveAlvin)]
    cities = sheet(page).locator(".cities button")
    assert sorted(cities.all_inner_texts()) == sorted(
        said("alvin.to", city=city_name(table, move.city)) for move in moves
    )
    cities.first.click()
    [sent] = moves
    table.did(sent)
    assert table.game.view(ME).alvin_city == sent.city
    expect_shown(page, table)
    expect(page.locator(f"[data-seat='{ME}'] .counts")).to_contain_text(said("seats.alvin"))
    expect(sheet(page)).to_have_count(0)


# -- tickets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("situation", [at.FIRST_TICKETS, at.LONG_TICKETS])
def test_enough_first_tickets_must_be_kept(
    arrange: Arrange, page: Page, situation: Situation
) -> None:
    table = arrange(situation)
    title = sheet(page).get_by_role("heading", level=2)
    expect(title).to_have_text(said("choose.first"))
    least = table.game.edition.rules.setup_keep
    offer = table.game.offer(ME)
    lie = sheet(page).locator("[data-ticket]")
    expect(lie).to_have_count(len(offer))
    kept: list[int] = []
    for ticket in offer[: least + 1]:
        lie_there = sheet(page).locator(f"[data-ticket='{ticket}']")
        for name in ticket_name(table, ticket).split(" – "):
            expect(lie_there).to_contain_text(name)
        lie_there.click()
        kept.append(ticket)
        expect(lie_there).to_have_attribute("aria-pressed", "true")
        if len(kept) < least:
            expect(keep_button(page)).to_be_disabled()
        else:
            expect(keep_button(page)).to_be_enabled()
        expect(keep_button(page)).to_have_text(counted(len(kept), "choose.keep"))
    sheet(page).locator(f"[data-ticket='{kept[0]}']").click()
    expect(keep_button(page)).to_have_text(counted(least, "choose.keep"))
    keep_button(page).click()
    table.did(Choose(ME, tuple(kept[1:])))
    expect(sheet(page)).to_have_count(0)
    expect(page.locator(".tickets [data-ticket]")).to_have_count(least)


def test_one_of_the_tickets_drawn_must_be_kept(arrange: Arrange, page: Page) -> None:
    table = arrange(at.A_TURN)
    offer = draw(page, table)
    expect(keep_button(page)).to_be_disabled()
    sheet(page).locator(f"[data-ticket='{offer[1]}']").click()
    keep_button(page).click()
    table.did(Keep((offer[1],)))
    expect(page.locator(f".tickets [data-ticket='{offer[1]}']")).to_be_visible()
    expect(sheet(page)).to_have_count(0)


def test_tickets_go_back_without_a_question(arrange: Arrange, page: Page) -> None:
    table = arrange(at.RETURN_ORDER, returns=False)
    kept, first, last = draw(page, table)
    sheet(page).locator(f"[data-ticket='{kept}']").click()
    keep_button(page).click()
    table.did(Keep((kept,)), Return(first))  # the page answers the second question itself
    under = table.game.view(ME).known_tickets
    assert under[first] < under[last]
    expect(sheet(page)).to_have_count(0)


def test_tickets_go_back_in_the_order_chosen(arrange: Arrange, page: Page) -> None:
    table = arrange(at.RETURN_ORDER)
    one, kept, other = draw(page, table)
    sheet(page).locator(f"[data-ticket='{kept}']").click()
    keep_button(page).click()
    table.did(Keep((kept,)))
    title = sheet(page).get_by_role("heading", level=2)
    expect(title).to_have_text(said("return.title"))
    expect(sheet(page).locator("[data-ticket]")).to_have_count(2)
    sheet(page).locator(f"[data-ticket='{other}']").click()
    table.did(Return(other))
    under = table.game.view(ME).known_tickets
    assert under[other] < under[one]
    expect(sheet(page)).to_have_count(0)


# -- the end ---------------------------------------------------------------------------------------


def test_the_last_round_is_announced(arrange: Arrange, page: Page) -> None:
    table = arrange(at.LAST_ROUND)
    banner = page.locator(".banners .last")
    turns = table.game.view(ME).last_turns
    expect(banner).to_have_text(said("last-round", turns=counted(turns, "turns")))
    show_table(page, table)
    expect(banner).to_have_text(said("last-round", turns=counted(turns, "turns")))


def test_no_last_round_is_announced_before_it(arrange: Arrange, page: Page) -> None:
    arrange(at.A_TURN)
    expect(page.locator(".banners .last")).to_have_count(0)


@pytest.mark.parametrize("situation", [at.LAST_DECISION, at.TIE_BY_TICKETS, at.SHARED])
def test_the_end_says_who_won_and_why(arrange: Arrange, page: Page, situation: Situation) -> None:
    table = arrange(situation)
    end_the_game(page, table)
    outcome = table.game.outcome
    assert outcome
    names = " and ".join(("Ana", "Bogdan")[seat] for seat in outcome.winners)
    verdict = "ending.share-victory" if len(outcome.winners) > 1 else "ending.wins"
    ending = page.get_by_role("region", name=said("ending.title"))
    expect(ending.get_by_role("heading").first).to_have_text(said(verdict, names=names))
    page.set_viewport_size(
        {"width": 390, "height": 844}
    )  # the points before the count are not shown
    expect(page.locator(".seats [data-seat]").first).to_be_visible()
    expect(page.locator(".seats .score").first).to_be_hidden()
    ties = [key for key in WORDS if key.startswith("tie.")]
    for key in ties:
        shown = ending.get_by_role("status").get_by_text(said(key))
        expect(shown).to_have_count(1 if key == f"tie.{outcome.tie_break}" else 0)


# -- the guide -------------------------------------------------------------------------------------

TOLD = ["turn", "claim", "control", "ferry", "double", "gray"]  # all earlier chapters


@pytest.mark.parametrize(
    ("chapter", "told"), [("tunnel", TOLD), ("station", [*TOLD, "tunnel", "reveal"])]
)
def test_the_guide_explains_and_can_be_skipped(
    arrange: Arrange, page: Page, chapter: str, told: list[str]
) -> None:
    table = arrange(at.TUNNEL_2, guide=True, told=told)
    guide = page.get_by_role("region", name=said("guide.label"))
    expect(guide.get_by_role("heading")).to_contain_text(said(f"guide.{chapter}.title"))
    text = WORDS[f"guide.{chapter}.text"].partition("{")[0]
    expect(guide).to_contain_text(text)
    pick(page, table)  # the guide does not cover it
    page.keyboard.press("Escape")
    guide.get_by_role("button", name=said("guide.skip")).click()
    expect(guide).to_have_count(0)
    show_table(page, table)
    expect(sheet(page)).to_have_count(0)
    expect(guide).to_have_count(0)


def test_the_guide_explains_a_station_that_is_being_built(arrange: Arrange, page: Page) -> None:
    arrange(at.TUNNEL_2, guide=True, told=["turn", "claim"])
    guide = page.get_by_role("region", name=said("guide.label"))
    expect(guide.get_by_role("heading")).to_contain_text(said("guide.tunnel.title"))
    page.locator("[data-station]").click()
    expect(guide.get_by_role("heading")).to_contain_text(said("guide.station.title"))
    guide.get_by_role("button", name=said("guide.got-it")).click()
    expect(guide).to_have_count(0)


def test_the_guide_explains_what_a_tunnel_revealed(arrange: Arrange, page: Page) -> None:
    table = arrange(at.TUNNEL_2, guide=True, told=[*TOLD, "tunnel", "station"])
    try_tunnel(page, table)
    guide = page.get_by_role("region", name=said("guide.label"))
    guide.get_by_role("button", name=said("guide.reveal.title")).click()  # folded until then
    expect(guide).to_contain_text(said("guide.reveal.text"))
    guide.get_by_role("button", name=said("guide.got-it")).click()
    expect(guide).to_have_count(0)
    [first, *_] = [move for move in at.moves_of(table.game) if isinstance(move, PayTunnel)]
    pay(page, table, table.game.parse(first))
