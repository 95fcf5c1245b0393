"""The browser adds to the deal automatically, and verifies this after the game."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.page.browser import NewPage, assert_accessible, shot
from tests.page.clicks import said

from macaz.game.record import verify_record

LEAVE = """
async () => {
  const id = location.pathname.split("/").at(-1);
  const { seats } = await (await fetch(`/api/v1/tables/${id}`)).json();
  const seat = seats.findIndex(({ mine }) => mine);
  const answer = await fetch(`/api/v1/tables/${id}/seats/${seat}/leave`, { method: "POST" });
  return answer.status;
}
"""
LINK = """
async () => {
  const id = location.pathname.split("/").at(-1);
  const body = JSON.stringify({ kind: "join" });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`/api/v1/tables/${id}/links`, { method: "POST", body, headers });
  return new URL((await answer.json()).url).hash;
}
"""
NONCES = """
async () => {
  const id = location.pathname.split("/").at(-1);
  const { seats } = await (await fetch(`/api/v1/tables/${id}`)).json();
  return seats.map(({ nonce }) => nonce);
}
"""
KEPT = "() => JSON.parse(localStorage.getItem('macaz-nonces'))"
RECORD = """
async () => {
  const id = location.pathname.split("/").at(-1);
  return (await fetch(`/api/v1/tables/${id}/record`)).text();
}
"""


def test_a_deal_is_checked_by_the_browser_that_added_to_it(page: Page) -> None:
    page.goto("/")
    page.get_by_label(said("my-name"), exact=True).fill("Ana")
    page.get_by_role("button", name=said("play"), exact=True).click()
    page.wait_for_url("**/tables/*")
    expect(page.locator("[data-prompt]")).to_be_visible()
    assert page.evaluate(LEAVE) == 200  # bots play on in place of Ana
    checked = page.get_by_text(said("deal.proved"))
    expect(checked).to_be_visible(timeout=120_000)
    expect(page.get_by_text(said("deal.added", names="Ana"))).to_be_visible()
    checked.scroll_into_view_if_needed()
    shot(page, "deal-checked")
    assert_accessible(page)
    [kept] = page.evaluate(KEPT)
    record = page.evaluate(RECORD)
    proof = verify_record(record, announced=kept["announcement"], nonce=kept["nonce"])
    assert (proof.verdict, proof.added) == ("fair", (1,))


def test_both_browsers_add_to_the_deal_of_friends(new_page: NewPage) -> None:
    ana, ion = new_page(), new_page()
    ana.goto("/")
    ana.get_by_label(said("seat-number", n=2), exact=True).select_option("link")
    ana.get_by_label(said("my-name"), exact=True).fill("Ana")
    ana.get_by_role("button", name=said("play"), exact=True).click()
    ana.wait_for_url("**/tables/*")
    expect(ana.get_by_role("heading", name=said("room.title"))).to_be_visible()
    assert ana.evaluate(NONCES) == ["pledged", "none"]
    ana.reload()  # the pledge is kept
    ion.goto(f"/join{ana.evaluate(LINK)}")
    ion.get_by_label(said("my-name"), exact=True).fill("Ion")
    ion.locator("form button.primary").click()
    ion.wait_for_url("**/tables/*")
    for page in (ana, ion):
        expect(page.locator("[data-prompt]")).to_be_visible()
    assert ana.evaluate(NONCES) == ["added", "added"]
