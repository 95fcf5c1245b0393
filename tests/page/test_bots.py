"""The choice of opponents: every bot of the server by name, strength and character."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect
from tests.page.browser import WEB, NewPage
from tests.page.hosts import Host
from tests.page.scenes import Guest
from tests.page.screens import sit
from tests.page.test_help import THINKING, enter, hint

from macaz.bots import BOTS

# Whether a choice is cut off: its longest text beside the arrow of the box.
CUT = """
(select) => {
  const style = getComputedStyle(select);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const arrow = 20;
  const room = select.clientWidth
    - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
  return [...select.options].map((option) => option.text)
    .filter((text) => pen.measureText(text).width > room);
}
"""


@pytest.fixture
def ana(server: Host) -> Iterator[Guest]:
    guest = Guest(server.url, "Ana")
    yield guest
    guest.close()


def let_learned(page: Page, *, but: str = "") -> None:
    """Let there be networks for all boards but one, whichever networks come with Macaz."""

    def answer(route: Route) -> None:
        lines = route.fetch().json()
        route.fulfill(json=[{**line, "learned": line["id"] != but} for line in lines])

    page.route("**/api/v1/editions", answer)


@pytest.mark.parametrize("language", ["en", "ro"])
def test_there_are_words_for_every_bot(language: str) -> None:
    words: dict[str, object] = {}
    for path in (WEB / "src/words" / language).glob("*.json"):
        words |= json.loads(path.read_text(encoding="utf-8"))
    for kind in ("bot", "bot-name", "bot-strength"):
        texts = [words.get(f"{kind}.{name}") for name in BOTS]
        assert None not in texts, kind
        assert len(set(texts)) == len(BOTS), kind


def test_the_first_opponent_is_neither_the_weakest_nor_the_strongest(page: Page) -> None:
    let_learned(page)
    page.goto("/")
    seat = page.locator("fieldset select").nth(1)
    expect(seat).to_have_value("bot:conductor")
    offered = seat.locator("optgroup option")
    assert [one.get_attribute("value") for one in offered.all()] == [f"bot:{n}" for n in BOTS]
    expect(page.locator("fieldset li small")).to_have_text(BOTS["conductor"].character)
    seat.select_option("bot:master")
    expect(page.locator("fieldset li small")).to_have_text(BOTS["master"].character)
    expect(offered.last).to_have_text("Expert · hardest")


def test_a_map_without_a_network_offers_no_bot_that_learned(page: Page) -> None:
    let_learned(page, but="europe")
    page.goto("/")
    seat = page.locator("fieldset select").nth(1)
    seat.select_option("bot:expert")
    page.locator("label", has=page.locator("input[value=europe]")).click()
    expect(seat).to_have_value("bot:master")
    page.locator("details summary").click()
    plain = [name for name, kind in BOTS.items() if not kind.network]
    stand_in = page.locator("details select").nth(1)
    for options in (seat.locator("optgroup option"), stand_in.locator("option")):
        names = [text.partition(" ")[0].lower() for text in options.all_text_contents()]
        assert names == plain


def test_bots_that_learned_play_at_a_table(page: Page, ana: Guest) -> None:
    enter(page, ana)
    sit(page, ana.table("learned", "me", "expert", edition="usa"))
    hint(page)
    page.get_by_role("button", name="Do it").click()
    # All have chosen their tickets, and the first player has made a turn.
    expect(page.locator("[data-take][aria-disabled=false]").first).to_be_visible(timeout=THINKING)
    for name in ("Learned", "Expert"):
        expect(page.get_by_text(name, exact=True).first).to_be_visible()


def test_a_bot_of_the_host_is_chosen_by_its_name(own_server: Host, page: Page) -> None:
    own_server.kill()
    own_server.start(bots={"Iron Horse": "search:8"})
    page.goto("/")
    seat = page.locator("fieldset select").nth(1)
    seat.select_option("bot:Iron Horse")
    expect(seat.locator("option:checked")).to_have_text("Iron Horse")
    guest = Guest(own_server.url, "Ana")
    enter(page, guest)
    sit(page, guest.table("me", "Iron Horse", edition="tiny"))
    expect(page.get_by_text("Iron Horse", exact=True).first).to_be_visible()
    guest.close()


@pytest.mark.parametrize("language", ["en", "ro"])
def test_every_choice_can_be_read_on_a_small_phone(new_page: NewPage, language: str) -> None:
    page = new_page(locale=language, viewport={"width": 360, "height": 740})
    let_learned(page)
    page.goto("/")
    page.locator("fieldset .add").click()  # a third seat, so that each can be removed
    page.locator("details summary").click()
    page.evaluate("() => document.fonts.ready.then(() => undefined)")
    for select in page.locator("form select").all():
        assert select.evaluate(CUT) == [], select.get_attribute("aria-label")
