"""A turn a day: the offer, the next table that waits, a notice and the click on it."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect
from tests.page.browser import READY, NewPage, Troubles, assert_accessible, shot
from tests.page.clicks import PATIENCE, Mind, Mouse, Player
from tests.page.hosts import Host, NewPerson, Person

ASK = """async ([path, body]) => {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const answer = await fetch(`/api/v1${path}`, request);
  if (!answer.ok) throw new Error(await answer.text());
}"""
# A browser without a screen allows no notifications.
ALLOWED = """
Object.defineProperty(Notification, "permission", { get: () => self.asked ?? "default" });
Notification.requestPermission = async () => (self.asked = "granted");
"""
LISTEN = """() => {
  self.heard = [];
  navigator.serviceWorker.addEventListener("message", ({ data }) => self.heard.push(data.type));
}"""
OPEN = """(table) => {
  const data = { type: "open", table };
  navigator.serviceWorker.dispatchEvent(new MessageEvent("message", { data }));
}"""


def slow_table(page: Page, other: Person, edition: str) -> str:
    """A table with a clock of a day, at which the page's player has to choose tickets."""
    seats = [{"kind": "person"}, {"kind": "person"}]
    terms = {"edition": edition, "seats": seats, "listed": True, "move_seconds": 86_400}
    table = str(other.post("/tables", terms)["id"])
    page.evaluate(ASK, [f"/tables/{table}/sit", {}])
    return table


def test_a_turn_a_day(
    new_page: NewPage, new_person: NewPerson, host: Host, troubles: Troubles
) -> None:
    page = new_page(service_workers="allow")
    page.add_init_script(ALLOWED)
    page.goto("/")
    page.evaluate(READY)
    page.evaluate(ASK, ["/people", {"name": "Ana"}])
    bogdan = new_person("Bogdan")
    first, second = (slow_table(page, bogdan, edition) for edition in ("usa", "europe"))

    # What a push service would deliver reaches the worker, which tells the page; and what the
    # worker says after a click on it. `web/tests/worker.test.ts` has the rest.
    notice = {
        "kind": "soon",
        "table": second,
        "edition": "europe",
        "title": "Europe",
        "names": ["Bogdan", "Greedy"],
        "language": "ro",
    }
    devtools = page.context.new_cdp_session(page)
    registrations: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registrations.extend(r["registrationId"] for r in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    page.wait_for_function(READY)
    delivered = {
        "origin": host.url.rstrip("/"),
        "registrationId": registrations[-1],
        "data": json.dumps(notice),
    }
    page.evaluate(LISTEN)
    troubles.forgive("No notification permission")
    devtools.send("ServiceWorker.deliverPushMessage", delivered)
    page.wait_for_function("() => self.heard.includes('turns')")
    page.evaluate(OPEN, second)
    page.wait_for_url(f"**/tables/{second}")

    # The table offers notices once; the other table is marked, and waits behind this one.
    page.goto(f"/tables/{first}")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    player = Player(Mind("notices"), Mouse(page))
    refuse = page.get_by_role("button", name="No, thanks")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(refuse).to_have_count(0)
    assert player.step(PATIENCE)
    for _ in range(PATIENCE):  # the tickets that go back may have to be put in an order
        if refuse.is_visible():
            break
        player.step(1)
    shot(page, "notices-offer")
    refuse.click()
    waiting = page.get_by_role("link", name="Next: Europe with Bogdan (your turn)")
    expect(waiting).to_be_visible()
    shot(page, "notices-next")
    assert_accessible(page)
    waiting.click()
    page.wait_for_url(f"**/tables/{second}")
    expect(page.get_by_role("button", name="No, thanks")).to_have_count(0)

    # Without a push service the settings say that it works while the page is open.
    troubles.forgive("does not support the Push API in incognito mode")
    page.goto("/settings")
    page.get_by_role("switch", name="Tell me when it is my turn").check()
    expect(page.get_by_text("It works while a page of Macaz is open")).to_be_visible()
    shot(page, "notices-settings", whole=True)
