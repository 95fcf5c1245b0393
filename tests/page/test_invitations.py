"""An invitation that comes too late offers to watch; a newcomer finds a table on the first page."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.page.browser import assert_accessible
from tests.page.clicks import said
from tests.page.hosts import NewPerson

SEATS = [{"kind": "person"}, {"kind": "person"}]


def test_an_invitation_to_a_full_table_offers_to_watch(page: Page, new_person: NewPerson) -> None:
    bogdan, eva = new_person("Bogdan"), new_person("Eva")
    table = bogdan.post("/tables", {"edition": "europe", "seats": SEATS, "move_seconds": 60})["id"]
    link = bogdan.post(f"/tables/{table}/links", {"kind": "join"})["url"]
    eva.post("/links/open", {"token": link.partition("#")[2]})
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text(said("invite.begun"))
    players = page.get_by_role("list", name=said("invite.players"))
    expect(players.get_by_role("listitem")).to_contain_text(["Bogdan", "Eva"])
    expect(page.get_by_text(said("edition-name.europe"), exact=True)).to_be_visible()
    expect(page.get_by_text(said("room.clock", time=said("clock.60")))).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name=said("invite.watch")).click()
    page.wait_for_url(f"**/tables/{table}")
    expect(page.locator("[data-board]")).to_be_visible()


def test_a_newcomer_sees_a_table_and_joins_it(page: Page, new_person: NewPerson) -> None:
    wanted = {"edition": "romania", "seats": SEATS, "listed": True, "move_seconds": 30}
    made = new_person("Bogdan").post("/tables", wanted)["id"]
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    about = {"edition": said("edition-name.romania"), "names": "Bogdan"}
    join = page.get_by_role("button", name=said("lobby.join-at", **about)).first
    # Without scrolling, and so is the button that starts a game of one's own.
    for button in (join, page.locator("[data-play]")):
        expect(button).to_be_in_viewport(ratio=1)
    assert_accessible(page)
    join.click()
    name = page.get_by_role("dialog").get_by_label(said("my-name"), exact=True)
    name.fill("Dana")
    name.press("Enter")
    page.wait_for_url(f"**/tables/{made}")
    expect(page.locator("[data-board]")).to_be_visible()
