"""Every screen and state of the page, and the shortest way to open each of them in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Frame, Page, ViewportSize, WebSocketRoute, expect
from tests.page.scenes import Guest, Scene

EDITIONS = ("usa", "europe", "old-west+alvin", "usa-classic")
DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}


@dataclass(frozen=True)
class Screen:
    """A state of the page, and how to open it."""

    name: str
    open: Callable[[Page, Scene], None]
    who: Callable[[Scene], Guest | None] = lambda scene: scene.ana
    guide: bool = False
    """Whether the guide explains what is met."""
    phone: bool = False
    """Whether only narrow windows have it."""
    placed: bool = False
    """Whether it must be opened again when the window gets another size."""


SCREENS: list[Screen] = []


def screen(
    name: str,
    *,
    who: Callable[[Scene], Guest | None] = lambda scene: scene.ana,
    guide: bool = False,
    phone: bool = False,
    placed: bool = False,
) -> Callable[[Callable[[Page, Scene], None]], Callable[[Page, Scene], None]]:
    """Add a function that opens a screen to the list."""

    def listed(way: Callable[[Page, Scene], None]) -> Callable[[Page, Scene], None]:
        SCREENS.append(Screen(name, way, who, guide, phone, placed))
        return way

    return listed


def signed_out(_: Scene) -> None:
    """A browser that is not signed in."""


def show(page: Page, scene: Scene, wanted: Screen) -> None:
    """Show a screen in a browser, whichever person it was signed in as before."""
    # An address of this site that is none of its screens: no screen may still send requests while
    # the browser is signed out, or signed in as another person.
    page.goto("/favicon.svg")
    page.context.clear_cookies()
    if person := wanted.who(scene):
        person.enter(page.context)
    page.evaluate(
        """(settings) => {
          localStorage.clear();
          sessionStorage.clear();
          localStorage.setItem("macaz-settings", settings);
        }""",
        json.dumps({"guide": wanted.guide}),
    )
    wanted.open(page, scene)
    expect(page.get_by_role("heading", level=1, include_hidden=True).first).to_be_attached()
    page.evaluate("() => document.fonts.ready.then(() => undefined)")


# -- around the game -------------------------------------------------------------------------------


@screen("home-new", who=signed_out)
def _home_new(page: Page, scene: Scene) -> None:
    page.goto("/")
    expect(page.locator("form .posters label")).to_have_count(7)
    expect(page.locator(".poster .picture svg").first).to_be_visible()


@screen("home")
def _home(page: Page, scene: Scene) -> None:
    scene.turn("usa")
    page.goto("/")
    expect(page.locator("section[aria-labelledby=go-on] a").first).to_be_visible()
    expect(page.locator(".poster .picture svg").first).to_be_visible()


@screen("more-choices", who=signed_out)
def _more_choices(page: Page, scene: Scene) -> None:
    _home_new(page, scene)
    page.locator("input[value=old-west]").check(force=True)
    seats = page.locator("fieldset select")
    seats.nth(1).select_option("here")
    page.locator("fieldset .add").click()
    seats.nth(2).select_option("link")
    page.locator("details summary").click()


@screen("top-menu", phone=True)
def _top_menu(page: Page, scene: Scene) -> None:
    page.goto("/about")
    page.locator("[popovertarget=top-menu]").click()
    expect(page.locator("#top-menu")).to_be_visible()


@screen("waiting-room", who=lambda scene: scene.bogdan)
def _waiting_room(page: Page, scene: Scene) -> None:
    page.goto(f"/tables/{scene.new_room()}")  # the address of a link is shown only once
    expect(page.locator("section[aria-labelledby=waiting] input[readonly]").first).to_be_visible()
    page.locator("details summary").click()


@screen("join", who=signed_out)
def _join(page: Page, scene: Scene) -> None:
    page.goto(scene.invitation)
    expect(page.locator("form.panel")).to_be_visible()


@screen("join-broken", who=signed_out)
def _join_broken(page: Page, scene: Scene) -> None:
    page.goto("/join#no")
    expect(page.get_by_role("alert")).to_be_visible()


@screen("rules")
def _rules(page: Page, scene: Scene) -> None:
    page.goto("/rules")
    expect(page.locator("main h1")).to_be_visible()


def _rules_of(edition: str) -> Callable[[Page, Scene], None]:
    def way(page: Page, scene: Scene) -> None:
        page.goto(f"/rules/{edition}")
        expect(page.locator("main h2").first).to_be_visible()

    return way


for _edition in EDITIONS:
    screen(f"rules-{_edition.split('+')[0]}")(_rules_of(_edition.split("+")[0]))


@screen("statistics-empty", who=lambda scene: scene.newcomer)
def _statistics_empty(page: Page, scene: Scene) -> None:
    page.goto("/me")
    expect(page.locator("main h1")).to_be_visible()
    page.wait_for_load_state("networkidle")


@screen("statistics")
def _statistics(page: Page, scene: Scene) -> None:
    for edition in ("europe", "usa", "old-west"):
        scene.finished(edition)
    page.goto("/me")
    expect(page.locator("main table").first).to_be_visible()


@screen("settings")
def _settings(page: Page, scene: Scene) -> None:
    page.goto("/settings")
    expect(page.locator("main .panel")).to_have_count(7)
    expect(page.locator("[aria-labelledby=devices] li button")).to_be_visible()


@screen("sign-out")
def _sign_out(page: Page, scene: Scene) -> None:
    _settings(page, scene)
    page.locator("[aria-labelledby=devices] li button").click()
    expect(page.get_by_role("dialog")).to_be_visible()


@screen("about")
def _about(page: Page, scene: Scene) -> None:
    page.goto("/about")


@screen("lost")
def _lost(page: Page, scene: Scene) -> None:
    page.goto("/nowhere/at/all")


@screen("closed")
def _closed(page: Page, scene: Scene) -> None:
    page.goto(f"/tables/{scene.closed}")


# -- at the table ----------------------------------------------------------------------------------


def sit(page: Page, table: str) -> None:
    """Open a game in progress."""
    page.goto(f"/tables/{table}")
    expect(page.locator("[data-prompt]")).not_to_be_empty()
    expect(page.locator(".log .lines li, .log .lines p").first).to_be_attached()


def _turn(edition: str) -> Callable[[Page, Scene], None]:
    def way(page: Page, scene: Scene) -> None:
        sit(page, scene.turn(edition))
        expect(page.locator("[role=option][data-route]").first).to_be_attached()

    return way


for _edition in EDITIONS:
    screen(f"turn-{_edition}")(_turn(_edition))


@screen("guide", guide=True)
def _guide(page: Page, scene: Scene) -> None:
    _turn("europe")(page, scene)
    button = page.locator("section h2 button[aria-expanded]").last
    if button.get_attribute("aria-expanded") == "false":
        button.click()


def _choice(page: Page) -> None:
    """A question is shown beside the map."""
    expect(page.locator(".decision [role=dialog]")).to_be_visible()


@screen("choose-tickets")
def _choose(page: Page, scene: Scene) -> None:
    sit(page, scene.choosing)
    _choice(page)
    page.locator("[data-ticket]").first.click()


@screen("draw-tickets")
def _draw(page: Page, scene: Scene) -> None:
    _turn("usa")(page, scene)
    page.locator("button[data-pile=tickets]").click()
    _choice(page)


@screen("keep-tickets")
def _keep(page: Page, scene: Scene) -> None:
    sit(page, scene.keeping)
    _choice(page)


@screen("payment")
def _payment(page: Page, scene: Scene) -> None:
    _turn("usa")(page, scene)
    page.dispatch_event("body", "pointerdown", {"pointerType": "touch"})  # a finger is asked
    page.locator("[role=option][data-route]").first.dispatch_event("click")
    _choice(page)


@screen("tunnel-odds")
def _tunnel_odds(page: Page, scene: Scene) -> None:
    _turn("europe")(page, scene)
    tunnel = page.locator("[role=option][data-route]").filter(has_text=re.compile("tunn?el"))
    tunnel.first.dispatch_event("click")
    _choice(page)
    expect(page.locator(".decision figure").first).to_be_visible()


@screen("tunnel")
def _tunnel(page: Page, scene: Scene) -> None:
    sit(page, scene.tunnel)
    _choice(page)


@screen("station")
def _station(page: Page, scene: Scene) -> None:
    _turn("europe")(page, scene)
    page.locator("[data-station]").click()
    page.locator("[role=option][data-city]").first.dispatch_event("click")
    _choice(page)


@screen("start-city")
def _start(page: Page, scene: Scene) -> None:
    sit(page, scene.starting)
    page.locator("[role=option][data-city]").first.dispatch_event("click")
    _choice(page)


@screen("marker")
def _marker(page: Page, scene: Scene) -> None:
    sit(page, scene.marking)
    _choice(page)


@screen("alvin")
def _alvin(page: Page, scene: Scene) -> None:
    sit(page, scene.alvin)
    _choice(page)


@screen("move-list")
def _move_list(page: Page, scene: Scene) -> None:
    _turn("europe")(page, scene)
    page.keyboard.press("a")
    expect(page.locator("dialog[open]")).to_be_visible()


@screen("keys")
def _keys(page: Page, scene: Scene) -> None:
    _turn("usa")(page, scene)
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()


@screen("menu")
def _menu(page: Page, scene: Scene) -> None:
    _turn("usa")(page, scene)
    page.locator(".head > .button").last.click()
    expect(page.locator("dialog[open]")).to_be_visible()


@screen("seat-card", placed=True)
def _seat_card(page: Page, scene: Scene) -> None:
    _turn("usa")(page, scene)
    page.locator("[data-seat='1'] > button").click()
    expect(page.locator("[popover]:popover-open")).to_be_visible()


@screen("tickets-tab", phone=True)
def _tickets_tab(page: Page, scene: Scene) -> None:
    _turn("europe")(page, scene)
    page.locator(".tabs button").nth(1).click()


@screen("log-tab", phone=True)
def _log_tab(page: Page, scene: Scene) -> None:
    _turn("europe")(page, scene)
    page.locator(".tabs button").nth(2).click()


@screen("others-turn")
def _others_turn(page: Page, scene: Scene) -> None:
    sit(page, scene.theirs)


@screen("watching")
def _watching(page: Page, scene: Scene) -> None:
    sit(page, scene.watched)


@screen("last-round")
def _last_round(page: Page, scene: Scene) -> None:
    sit(page, scene.last_round)
    expect(page.locator(".banners .last")).to_be_visible()


@screen("cover")
def _cover(page: Page, scene: Scene) -> None:
    page.goto(f"/tables/{scene.two_here}")
    expect(page.locator("main section h1")).to_be_visible()


@screen("connection-lost")
def _connection_lost(page: Page, scene: Scene) -> None:
    lines: list[WebSocketRoute] = []
    cut = False

    def connect(line: WebSocketRoute) -> None:
        if cut:
            line.close()
        else:
            line.connect_to_server()
            lines.append(line)

    def mend(_: Frame) -> None:
        nonlocal cut
        cut = False

    page.route_web_socket("**/api/v1/socket", connect)
    _turn("usa")(page, scene)
    cut = True
    page.once("framenavigated", mend)
    lines[-1].close()
    expect(page.locator(".banners .line")).to_be_visible()


@screen("ending")
def _ending(page: Page, scene: Scene) -> None:
    page.goto(f"/tables/{scene.finished('europe')}")
    expect(page.locator(".ending .actions")).to_be_visible()


def _replay(share: float, eyes: str | None = None) -> Callable[[Page, Scene], None]:
    def way(page: Page, scene: Scene) -> None:
        table = scene.finished("europe")
        page.goto(f"/tables/{table}?v={max(1, int(share * scene.versions(table)))}")
        expect(page.locator("input[type=range]")).to_be_visible()
        if eyes:
            page.locator("select:has(option[value=all])").select_option(eyes)
            expect(page.locator("input[type=range]")).to_be_visible()

    return way


screen("replay-start")(_replay(0, "0"))
screen("replay-middle")(_replay(0.6, "spectator"))
screen("replay-all-hands")(_replay(1, "all"))
