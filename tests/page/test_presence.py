"""The page shows who is here, and lets a bot go on for a person who is away until they are back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.page.browser import NewPage, assert_accessible, shot
from tests.page.clicks import said
from tests.page.hosts import Host
from tests.page.scenes import Guest
from tests.server.zygote import Zygote


@pytest.fixture
def own_server(zygote: Zygote, tmp_path: Path) -> Iterator[Host]:
    """A server that asks the others as soon as a person is away."""
    host = Host(zygote, tmp_path, absence=0.0)
    yield host
    host.kill()
    assert host.errors == []


def test_a_bot_goes_on_for_the_absent_who_takes_the_seat_back(
    own_server: Host, page: Page, new_page: NewPage
) -> None:
    ana, ion, zoe, dan = (Guest(own_server.url, name) for name in ("Ana", "Ion", "Zoe", "Dan"))
    table = ana.table("me", "person", "person", edition="usa")
    ana.let_in(table, ion)
    ana.let_in(table, dan, "watch")
    ana.enter(page.context)
    page.goto(f"/tables/{table}")
    room = page.get_by_role("listitem").filter(has_text="Ion")
    expect(room).to_contain_text(said("presence.away"))
    other = new_page()
    ion.enter(other.context)
    other.goto(f"/tables/{table}")
    expect(room).to_contain_text(said("presence.here"))
    with dan._socket() as (say, hear):
        say("hello", table=table)
        hear()
        expect(page.get_by_text("Watching: Dan")).to_be_visible()
        shot(page, "presence-room")

    ana.let_in(table, zoe)
    zoe.post(f"/tables/{table}/seats/2/leave")
    seat = page.locator('[data-seat="1"]')
    expect(seat.locator("[data-here]")).to_have_attribute("data-here", said("presence.here"))
    expect(other.locator("[data-prompt]")).to_be_visible()

    other.close()
    expect(seat.locator("[data-here]")).to_have_attribute("data-here", said("presence.away"))
    asked = page.locator('[data-absent="1"]')
    expect(asked).to_contain_text(said("presence.waiting-unknown", name="Ion"))
    shot(page, "presence-asked")
    assert_accessible(page)
    asked.get_by_role("button", name=said("presence.bot")).click()
    expect(seat).to_contain_text(said("reason.called"))
    expect(asked).to_have_count(0)

    back = other.context.new_page()
    back.goto(f"/tables/{table}")
    expect(back.locator("[data-prompt]")).to_have_text(said("prompt.stand-in"))
    back.get_by_role("button", name=said("bar.back")).click()
    expect(back.locator("[data-prompt]")).not_to_have_text(said("prompt.stand-in"))
    expect(seat.locator("[data-here]")).to_have_attribute("data-here", said("presence.here"))
    for guest in (ana, ion, zoe, dan):
        guest.close()
