from __future__ import annotations
import pytest
from tests.page.test_breaks import *  # noqa
from tests.page.test_breaks import tables, arrange, open_menu, expect_bot, come_back

def test_probe_menu(arrange, page):
    q = QUESTIONS["payment"]
    t = arrange(q.situation)
    q.ask(page, t); q.expect_asked(page)
    page.screenshot(path="/tmp/shots/menu-payment.png")
    page.keyboard.press("Escape")
    open_menu(page)
    page.get_by_role("button", name=said("room.bot-for-me")).click()
    page.wait_for_timeout(500)
    print("BACK", page.locator("[data-prompt]").inner_text(), page.get_by_role("button", name=said("bar.back")).count())
    page.get_by_role("button", name=said("bar.back")).click()
    expect(page.get_by_role("button", name=said("bar.back"))).to_have_count(0)
    t.bogdan_takes_a_turn()
    page.wait_for_timeout(1500)
    page.screenshot(path="/tmp/shots/back.png")
    info = t.ana.get(f"/tables/{t.id}"); print(info["seats"], info["version"])
    print(t.legal("blind"))
    print("PROMPT", page.locator("[data-prompt]").inner_text())

def test_probe_offline(arrange, page, troubles):
    troubles.forgive(".")
    t = arrange(at.A_TURN)
    page.context.set_offline(True)
    for i in range(10):
        page.wait_for_timeout(300)
        print("LOST", i, lost(page).count(), page.evaluate("navigator.onLine"))
    page.context.set_offline(False)
    page.wait_for_timeout(1500)
    print("LOST", lost(page).count())
