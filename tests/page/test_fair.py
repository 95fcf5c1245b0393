"""Fair tables in the browser: seeds, names, seats from one address, and closing a table."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.page.browser import NewPage, Troubles, assert_accessible
from tests.page.clicks import said
from tests.page.hosts import NewPerson, Person

REFUSED = "409"  # a browser notes every refusal in its console
PERSON = {"kind": "person"}


def table(host: Person, *seats: dict[str, str], **more: Any) -> str:
    """Create a table whose host has its first seat."""
    wanted = {"edition": "usa", "seats": [PERSON, *seats], **more}
    return str(host.post("/tables", wanted)["id"])


def named(page: Page, name: str) -> None:
    """Sign a browser in as a new person of this name."""
    assert page.request.post("/api/v1/people", data={"name": name}).ok


def name_field(page: Page | Locator) -> Locator:
    return page.get_by_label(said("my-name"), exact=True)


def taken(name: str) -> str:
    return said("code.name-taken", name=name)


def test_a_table_with_a_seed_cannot_be_listed(page: Page) -> None:
    page.goto("/")
    page.get_by_text(said("more"), exact=True).click()
    listed = page.get_by_role("switch", name=said("listed"))
    listed.check()
    expect(page.get_by_text(said("listed.note"))).to_be_visible()
    seed = page.get_by_label(said("seed"))
    seed.fill("7")
    expect(listed).to_be_disabled()
    expect(listed).not_to_be_checked()
    expect(page.get_by_text(said("listed.seeded"))).to_be_visible()
    assert_accessible(page)
    seed.fill(" ")
    expect(listed).to_be_checked()
    seed.fill("7")
    page.locator("[data-play]").click()
    page.wait_for_url(re.compile(r"/tables/[\w-]+$"))
    made = page.request.get(f"/api/v1{page.url[page.url.index('/tables/') :]}").json()
    assert (made["seeded"], made["listed"]) == (True, False)


def test_a_name_like_a_bots_is_changed_where_it_stands(page: Page, troubles: Troubles) -> None:
    troubles.forgive(REFUSED)
    page.goto("/")
    page.get_by_label(said("seat-number", n=2), exact=True).select_option("bot:greedy")
    name_field(page).fill("GREЕDY")  # one letter is Cyrillic
    page.locator("[data-play]").click()
    expect(page.get_by_role("alert")).to_have_text(taken("Greedy"))
    expect(name_field(page)).to_be_focused()
    expect(name_field(page)).to_have_attribute("aria-invalid", "true")
    assert_accessible(page)
    name_field(page).fill("Ana")
    page.locator("[data-play]").click()
    page.wait_for_url(re.compile(r"/tables/[\w-]+$"))


def test_a_name_that_looks_like_anothers_is_changed_at_the_table(
    page: Page, new_person: NewPerson, troubles: Troubles
) -> None:
    troubles.forgive(REFUSED)
    made = table(new_person("Bogdan"), PERSON, PERSON, listed=True)
    named(page, "Воgdan")
    page.goto(f"/tables/{made}")
    page.get_by_label(said("room.sit-at", n=2)).click()
    expect(page.get_by_role("alert")).to_have_text(taken("Bogdan"))
    expect(name_field(page)).to_be_focused()
    assert_accessible(page)
    page.keyboard.type("Dana")
    page.keyboard.press("Enter")
    expect(page.get_by_role("listitem").nth(1)).to_contain_text(f"Dana {said('room.me')}")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_link_asks_for_another_name(
    page: Page, new_person: NewPerson, troubles: Troubles
) -> None:
    troubles.forgive(REFUSED)
    bogdan = new_person("Bogdan")
    made = table(bogdan, PERSON, PERSON)
    link = bogdan.post(f"/tables/{made}/links", {"kind": "join"})["url"]
    page.goto(link)
    name_field(page).fill("bogdan")
    page.get_by_role("button", name=said("join.enter")).click()
    expect(page.get_by_role("alert")).to_have_text(taken("Bogdan"))
    name_field(page).fill("Dana")
    page.get_by_role("button", name=said("room.sit")).click()
    page.wait_for_url(f"**/tables/{made}")
    expect(page.get_by_role("listitem").nth(1)).to_contain_text(f"Dana {said('room.me')}")


def test_on_a_phone_marked_tables_lie_in_their_own_row(
    new_page: NewPage, new_person: NewPerson
) -> None:
    bogdan, eva = new_person("Bogdan"), new_person("Eva")
    for _ in range(2):  # the second one lies beyond the edge of the window
        made = table(bogdan, PERSON, PERSON, listed=True)
        eva.post(f"/tables/{made}/sit", {"seat": 1})
    page = new_page(viewport={"width": 360, "height": 640})
    page.goto("/")
    marks = page.get_by_role("region", name=said("lobby")).get_by_text(said("shared.mark"))
    expect(marks.nth(3)).to_be_attached()
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360


def test_seats_of_one_address_are_marked(
    page: Page, new_page: NewPage, new_person: NewPerson
) -> None:
    bogdan, eva = new_person("Bogdan"), new_person("Eva")
    made = table(bogdan, PERSON, PERSON, listed=True)
    eva.post(f"/tables/{made}/sit", {"seat": 1})
    named(page, "Ana")
    page.goto("/")
    lobby = page.get_by_role("region", name=said("lobby"))
    line = lobby.get_by_role("listitem").filter(has_text="Bogdan").filter(has_text="Eva").first
    expect(line.get_by_text(said("shared.lobby"))).to_be_visible()
    page.goto(f"/tables/{made}")
    seat = page.get_by_role("listitem").first
    expect(seat).to_contain_text(said("shared.with", names="Eva"))
    expect(page.get_by_text(said("shared.note"))).to_be_visible()
    assert_accessible(page)
    page.get_by_label(said("room.sit-at", n=3)).click()
    seats = page.get_by_role("list", name=said("seats.label"))
    expect(seats.get_by_text(said("shared.mark"))).to_have_count(3)
    # With the keyboard: the choice of the first tickets covers it.
    seats.get_by_role("button").filter(has_text="Bogdan").press("Enter")
    expect(page.get_by_text(said("shared.note"))).to_be_visible()
    expect(page.get_by_text(said("shared.with", names="Eva and Ana"))).to_be_visible()
    assert_accessible(page)
    # There are no such marks for people who came by link.
    private = table(bogdan, PERSON, PERSON)
    link = bogdan.post(f"/tables/{private}/links", {"kind": "join"})["url"]
    eva.post("/links/open", {"token": link.partition("#")[2]})
    other = new_page()
    named(other, "Dana")
    other.goto(link)
    seats = other.get_by_role("list", name=said("seats.label"))
    expect(seats.get_by_text("Eva")).to_be_visible()
    expect(seats.get_by_text(said("shared.mark"))).to_have_count(0)


def test_a_game_of_others_cannot_be_closed(page: Page, new_person: NewPerson) -> None:
    named(page, "Ana")
    seats = [PERSON, PERSON]
    made = page.request.post("/api/v1/tables", data={"edition": "usa", "seats": seats}).json()["id"]
    link = page.request.post(f"/api/v1/tables/{made}/links", data={"kind": "join"}).json()["url"]
    page.goto(f"/tables/{made}")
    close = page.get_by_role("button", name=said("room.close"))
    expect(close).to_be_enabled()
    bogdan = new_person("Bogdan")
    bogdan.post("/links/open", {"token": link.partition("#")[2]})
    bogdan.post(f"/tables/{made}/seats/1/leave")
    page.get_by_role("button", name=said("menu.open")).click()
    expect(close).to_be_disabled()
    expect(close).to_have_accessible_description(said("room.close-others"))
    assert_accessible(page)
