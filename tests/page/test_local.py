"""Games that are in the browser only: played, stored, continued, and without any server."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Route, Worker, expect
from tests.page.browser import NewPage, Troubles, assert_accessible, shot
from tests.page.clicks import Keys, Mind, Mouse, Player, SharedScreen, said
from tests.page.local_game import HERE, begin, begin_offline, decide, fill, form, new_game

from macaz.game.record import verify_record

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}


def requests_of(page: Page) -> list[str]:
    """The requests to the server's API from now on."""
    asked: list[str] = []
    page.on(
        "request", lambda request: asked.append(request.url) if "/api/" in request.url else None
    )
    return asked


def worker_of(page: Page, name: str) -> Worker:
    return next(worker for worker in page.workers if re.search(rf"/{name}-[^/]+\.js$", worker.url))


def run_first(page: Page, worker: str, code: str) -> None:
    """Run something in a worker before its own code."""

    def answer(route: Any) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=code + response.text())

    page.route(re.compile(rf"/assets/{worker}-[^/]+\.js$"), answer)


def crash(worker: Worker) -> None:
    worker.evaluate("() => void setTimeout(() => { throw new Error('a crash of the test') })")


@pytest.mark.slow
def test_a_whole_game_with_the_network_cut(new_page: NewPage, troubles: Troubles) -> None:
    page = begin_offline(new_page, troubles, form("apprentice", "planner"))
    asked = requests_of(page)
    Player(Mind("a plane"), Keys(page)).play()
    expect(page.get_by_role("heading", name=re.compile("wins|victory"))).to_be_visible()
    expect(page.locator(".proved")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name=said("room.record")).click()
    proof = verify_record(download.value.path().read_bytes())
    assert proof.verdict == "consistent", proof
    assert proof.in_browser
    page.get_by_role("link", name=said("ending.replay")).click()
    expect(page.get_by_role("slider").first).to_be_visible()
    page.get_by_role("link", name=said("replay.to-result")).click()
    rematch = page.get_by_role("button", name=said("ending.rematch"))
    expect(rematch).to_be_visible()
    ended = page.url
    rematch.click()
    expect(page).not_to_have_url(ended)
    expect(page).to_have_url(HERE)
    expect(page.locator("[data-total]")).to_have_count(0)
    decide(page, 2)
    assert asked == []
    page.goto("/me")
    expect(page.get_by_text(said("local.label")).first).to_be_visible()
    expect(page.locator("ol > li")).to_have_count(1)


def test_friends_on_one_screen_need_no_server(new_page: NewPage) -> None:
    page = new_page(at_server=False)
    fill(page, form("conductor", friends=("Bogdan",)))
    page.goto("/")
    page.get_by_label(said("my-name"), exact=True).fill("Ana")
    page.locator("[data-play]").click()
    expect(page).to_have_url(HERE)
    minds = {"Ana": Mind("one"), "Bogdan": Mind("two")}
    screen = SharedScreen(minds, Mouse(page), lambda: None)
    while screen.covers < 4:
        assert screen.step(patience=60)


# In the worker of the tables: tells of each question to a bot and of each answer.
TELL_THINKING = """
const told = new BroadcastChannel("test-thinking");
self.Worker = class extends self.Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => told.postMessage(data.kind));
  }
  postMessage(message) {
    told.postMessage(message.kind);
    super.postMessage(message);
  }
};
"""
# Reloads the page when a bot is asked, if the test wants it. The reports survive the reload.
RELOAD_WHEN_ASKED = """
new BroadcastChannel("test-thinking").onmessage = ({ data }) => {
  sessionStorage.told = `${sessionStorage.told ?? ""}${data},`;
  if (data !== "question" || sessionStorage.reload !== "wanted") return;
  sessionStorage.reload = "done";
  sessionStorage.told += "reload,";
  location.reload();
};
"""


def test_a_reload_while_a_bot_thinks(new_page: NewPage) -> None:
    page = new_page(at_server=False)
    run_first(page, "worker", TELL_THINKING)
    page.context.add_init_script(RELOAD_WHEN_ASKED)
    fill(page, form("master"))  # thinks for a second
    page.goto("/")
    begin(page)
    mind = Mind("patience")
    decide(page, 1, mind)
    for _ in range(3):
        page.evaluate("() => { window.old = true; sessionStorage.reload = 'wanted'; }")
        with contextlib.suppress(Error):  # the reload aborts the call of the test
            for _ in range(20):
                if page.evaluate("sessionStorage.reload") == "wanted":
                    decide(page, 1, mind)
        page.wait_for_function("() => !window.old && sessionStorage.reload === 'done'")
    decide(page, 4, mind)
    told = page.evaluate("sessionStorage.told").split(",")
    reloads = [i for i, one in enumerate(told) if one == "reload"]
    assert len(reloads) == 3
    for i in reloads:  # the bot was thinking, and is asked again
        assert told[i - 1] == "question"
        later = told[i + 1 :]
        assert later.index("question") < later.index("answer")


def test_two_tabs_stay_in_step(new_page: NewPage) -> None:
    page = new_game(new_page, "search")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("main.play")).to_be_visible()
    minds = Mind("tabs")
    tabs = [page, other]
    for turn in range(8):
        decide(tabs[turn % 2], 1, minds)
    page.close()  # the other tab takes the bots over
    decide(other, 4, minds)


REFUSED = 'IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); };'
FULL = """
const add = IDBObjectStore.prototype.add;
let left = 5;
IDBObjectStore.prototype.add = function (...given) {
  if ((left -= 1) < 0) throw new DOMException("full", "QuotaExceededError");
  return add.apply(this, given);
};
"""


@pytest.mark.parametrize("before", [REFUSED, FULL], ids=["refused", "full"])
def test_without_storage_the_game_goes_on_in_memory(new_page: NewPage, before: str) -> None:
    page = new_page(at_server=False)
    run_first(page, "worker", before)
    fill(page, form("conductor"))
    page.goto("/")
    said_so = page.get_by_text(said("local.not-stored")).first
    if before == REFUSED:
        expect(said_so).to_be_visible()
    begin(page)
    decide(page, 3)
    if before == FULL:
        expect(said_so).to_be_visible()
    decide(page, 6)


@pytest.mark.parametrize(
    "end", [crash, lambda worker: worker.evaluate("() => self.close()")], ids=["error", "silent"]
)
def test_a_worker_that_ends_is_started_again(
    new_page: NewPage, troubles: Troubles, end: Callable[[Worker], None]
) -> None:
    troubles.forgive("a crash of the test")
    page = new_game(new_page, "conductor")
    mind = Mind("crashes")
    decide(page, 4, mind)
    end(worker_of(page, "worker"))
    decide(page, 4, mind)


def test_a_bot_that_crashes_is_started_again(new_page: NewPage, troubles: Troubles) -> None:
    troubles.forgive("a crash of the test")
    page = new_game(new_page, "conductor")
    mind = Mind("bots")
    decide(page, 4, mind)
    crash(worker_of(page, "bot-worker"))
    decide(page, 6, mind)


def test_what_a_table_needs_is_there_before_the_click(new_page: NewPage) -> None:
    page = new_page(at_server=False)
    fill(page, form("conductor"))
    page.goto("/")
    loaded = "performance.getEntriesByType('resource').map(({ name }) => name).join()"
    page.wait_for_function(f"() => /\\/Play-[^,]+\\.js/.test({loaded})")
    worker = worker_of(page, "worker")
    for _ in range(100):
        if re.search(r"kernel-\w+\.wasm", worker.evaluate(f"() => {loaded}")):
            break
        page.wait_for_timeout(100)
    else:
        pytest.fail("the kernel was not fetched")
    begin(page)


def test_bots_with_networks_say_what_they_wait_for(new_page: NewPage) -> None:
    page = new_page(at_server=False)
    held: list[Route] = []
    page.context.route("**/data/network-*", lambda route: held.append(route))  # noqa: PLW0108
    fill(page, form("learned"))
    page.goto("/")
    begin(page)
    progress = page.get_by_text(re.compile(r"[\d.]+ of [\d.]+ MB"))
    expect(progress).to_be_visible()
    for route in held:
        route.continue_()
    decide(page, 4)
    expect(progress).to_have_count(0)


# The bots that made the moves in the log of the newest table.
DECIDED_BY = """
() => new Promise((resolve) => {
  const opening = indexedDB.open("macaz");
  opening.onsuccess = () => {
    const asked = opening.result.transaction("entries").objectStore("entries").getAll();
    asked.onsuccess = () => resolve(asked.result.map(({ entry }) => entry.bot).filter(Boolean));
  };
})
"""


def test_a_bot_whose_network_cannot_be_loaded_searches(
    new_page: NewPage, troubles: Troubles
) -> None:
    troubles.forgive("network-.*ERR_FAILED|Failed to load resource")
    page = new_page(at_server=False)
    page.context.route("**/data/network-*", lambda route: route.abort())
    fill(page, form("learned"))
    page.goto("/")
    begin(page)
    expect(
        page.get_by_text(said("local.no-network", bot=said("bot-name.learned"))).first
    ).to_be_visible()
    decide(page, 5)
    assert set(page.evaluate(DECIDED_BY)) == {"learned"}  # not "random", the last resort


def test_a_page_for_another_kernel_asks_to_be_reloaded(new_page: NewPage) -> None:
    def newer(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "sources": "newer"})

    page = new_game(new_page, "conductor")
    decide(page, 2)
    table = page.url
    page.context.route("**/data/index.json", newer)
    page.goto(table)
    expect(page.get_by_role("heading", name=said("table.old-page"))).to_be_visible()
    assert_accessible(page)
    page.context.unroute("**/data/index.json")
    page.get_by_role("button", name=said("table.reload")).click()
    expect(page.locator("main.play")).to_be_visible()


def test_a_local_game_on_a_phone_is_accessible(new_page: NewPage) -> None:
    page = new_page(at_server=False, **PHONE)
    fill(page, form("conductor"))
    page.goto("/")
    expect(page.locator("[data-place=browser]")).to_have_text(said("place.browser"))
    assert_accessible(page)
    shot(page, "local-form-phone")
    begin(page)
    assert_accessible(page)
    page.get_by_role("button", name=said("menu.open")).click()
    expect(page.get_by_role("heading", name=said("local.title"))).to_be_visible()
    assert_accessible(page)
    shot(page, "local-menu-phone")


def test_a_local_game_can_be_sent_to_the_server(new_page: NewPage) -> None:
    page = new_game(new_page, "conductor")
    decide(page, 4)
    page.get_by_role("button", name=said("menu.open")).click()
    page.get_by_role("button", name=said("local.send")).click()
    expect(page).not_to_have_url(HERE)
    expect(page).to_have_url(re.compile(r"/tables/[\w-]+$"))
    page.get_by_role("button", name=said("menu.open")).click()
    expect(page.get_by_role("heading", name=said("menu.links"))).to_be_visible()


def test_a_local_game_can_be_deleted(new_page: NewPage) -> None:
    page = new_game(new_page, "conductor")
    address = page.url
    page.get_by_role("button", name=said("menu.open")).click()
    expect(page.get_by_role("button", name=said("room.close"))).to_have_count(0)
    page.get_by_role("button", name=said("local.delete")).click()
    asked = page.get_by_role("dialog", name=said("local.delete-sure"))
    asked.get_by_role("button", name=said("local.delete")).click()
    expect(page).to_have_url(re.compile(r"/$"))
    expect(page.get_by_text(said("local.label"), exact=True)).to_have_count(0)
    page.goto(address)
    expect(page.get_by_role("heading", name=said("table.elsewhere"))).to_be_visible()
    expect(page.get_by_text(said("table.elsewhere-note"))).to_be_visible()
    shot(page, "local-elsewhere")


def test_a_local_game_stays_if_the_server_does_not_answer(
    new_page: NewPage, troubles: Troubles
) -> None:
    page = new_game(new_page, "conductor")
    troubles.forgive("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    page.get_by_role("button", name=said("menu.open")).click()
    expect(page.get_by_text(said("local.send-note"))).to_be_visible()
    page.get_by_role("button", name=said("local.send")).click()
    expect(page.get_by_text(said("local.send-offline")).first).to_be_visible()
    expect(page).to_have_url(HERE)


def hand_over(page: Page, name: str) -> None:
    """Let a bot play for a person of this screen, who may not be the one that is shown."""
    button = page.get_by_role("button", name=said("room.bot-for-them", name=name))
    before = (
        page.get_by_role("button", name=re.compile("^I am ")).first,
        page.get_by_role("button", name=said("menu.open")),
    )
    for _ in range(200):
        if button.is_visible():
            button.click()
            return expect(button).to_have_count(0)
        for way in before:
            if way.is_visible():
                way.click()
                break
        page.wait_for_timeout(100)
    pytest.fail(f"no bot can play for {name}")


def test_unfinished_games_name_friends_and_say_when_they_go_on(new_page: NewPage) -> None:
    page = new_page(at_server=False)
    fill(page, {**form("conductor", friends=("Bogdan",)), "first": 2})
    page.goto("/")
    page.get_by_label(said("my-name"), exact=True).fill("Ana")
    begin(page)
    page.get_by_role("button", name=re.compile("^I am ")).first.click()
    page.get_by_role("button", name=said("menu.open")).click()
    for name in ("Ana", "Bogdan"):
        expect(
            page.get_by_role("button", name=said("room.bot-for-them", name=name))
        ).to_be_visible()
    shot(page, "local-menu-friends")
    for name in ("Ana", "Bogdan"):
        hand_over(page, name)
    page.goto("/")
    game = page.locator("section[aria-labelledby=go-on] a")
    expect(game).to_contain_text(said("go-on.with", names="Bogdan and Conductor"))
    expect(game).to_contain_text(said("go-on.paused"))
    assert_accessible(page)
    shot(page, "local-unfinished")


def test_the_form_says_where_a_game_is_played(new_page: NewPage) -> None:
    page = new_page(at_server=False)
    page.goto("/")
    place = page.locator("[data-place]")
    expect(place).to_have_text(said("place.browser"))
    second = page.get_by_label(said("seat-number", n=2), exact=True)
    second.select_option("link")
    expect(place).to_have_text(said("place.server"))
    second.select_option("bot:learned")
    expect(place).to_have_text(said("place.download", names=said("bot-name.learned")))
    second.select_option("bot:planner")
    expect(place).to_have_text(said("place.browser"))
    page.get_by_text(said("more"), exact=True).click()
    page.get_by_label(said("clock")).select_option("60")
    expect(place).to_have_text(said("place.server"))
    page.get_by_label(said("clock")).select_option("0")
    page.get_by_role("switch", name=said("at-server")).click()
    expect(place).to_have_text(said("place.server"))


def test_a_friends_name_like_ones_own_is_changed_where_it_stands(new_page: NewPage) -> None:
    page = new_page(at_server=False, viewport={"width": 1024, "height": 768})
    fill(page, form("conductor", friends=("ana",)))
    page.goto("/")
    page.get_by_label(said("my-name"), exact=True).fill("Ana")
    page.locator("[data-play]").click()
    alert = page.get_by_role("alert")
    expect(alert).to_have_text(said("code.name-taken", name="Ana"))
    wrong = page.locator("[aria-invalid=true]")
    expect(wrong).to_have_count(1)
    expect(wrong).to_have_value("ana")
    expect(wrong).to_be_focused()
    foot = page.locator(".stub").bounding_box()
    shown = alert.bounding_box()
    assert foot
    assert shown
    assert shown["y"] + shown["height"] <= foot["y"]
    shot(page, "local-name-taken")
    page.keyboard.type("Bogdan")
    page.locator("[data-play]").click()
    expect(page).to_have_url(HERE)
