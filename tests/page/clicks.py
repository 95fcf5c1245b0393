"""Plays a seat through the page as a person does: looks at what is offered, decides, clicks.

A `Mind` decides; `Mouse`, `Keys` and `MoveList` are three ways to carry it out; a `Player` does one
after the other until the scores are shown. No move is made but by the page's own elements.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from playwright.sync_api import Page
from tests.page.browser import WEB

from macaz.game.moves import Blind, Choose, Claim, DrawTickets, Keep, Move, Take

PATIENCE = 60  # seconds until another player must have decided
ARROWS = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowUp": (0, -1), "ArrowDown": (0, 1)}
SHORT = {"deck": "d", "tickets": "t", "station": "s", "pass": "p", "back": "Escape"}
LOCOMOTIVE = 8
WORDS: dict[str, Any] = {
    key: words
    for path in sorted((WEB / "src/words/en").glob("*.json"))
    for key, words in json.loads(path.read_text(encoding="utf-8")).items()
}

# What the page offers a person who is to decide; null if there is nothing to decide. The elements
# are kept in `window.offers`, to be clicked by their number.
LOOK = """
(here) => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const seen = { over: false, covered: false, title: "", text: "", trains: -1, hand: {} };
  seen.offers = [];
  window.offers = [];
  const offer = (kind, element, more = {}) => {
    if (element.disabled || element.ariaDisabled === "true" || element.closest("[inert]")) return;
    const text = element.role === "option" ? element.textContent : element.innerText;
    const name = (element.ariaLabel ?? text).trim().replace(/\\s+/g, " ");
    const { take, route, city, ticket, action } = element.dataset;
    const value = Number(take ?? route ?? city ?? ticket ?? action ?? -1);
    seen.offers.push({ kind, name, value, number: window.offers.push(element) - 1, ...more });
  };
  if (document.querySelector("[data-total]")) return { ...seen, over: true };
  const play = document.querySelector("main.play");
  if (!play) {
    const buttons = all("main button").filter((button) => button.innerText.startsWith(here));
    buttons.forEach((button) => offer("here", button));
    return buttons.length ? { ...seen, covered: true } : null;
  }
  const trains = document.querySelector("[data-seat].mine .counts .count"); // the first count
  seen.trains = parseInt(trains?.title ?? "-1");
  const list = document.querySelector("dialog:modal");
  if (list) {
    for (const group of all("ul", list)) {
      const heading = document.getElementById(group.getAttribute("aria-labelledby")).textContent;
      all("button", group).forEach((button) => offer("entry", button, { group: heading }));
    }
    return seen.offers.length ? seen : null;
  }
  all(".bar button.quiet:not(.key, [data-hint])").forEach((button) => offer("moves", button));
  all(".bar button.primary").forEach((button) => offer("bar", button));
  if (!seen.offers.length) return null; // it is not my turn, or what I did is on its way
  for (const pile of all("[data-hand] [data-color]")) {
    seen.hand[pile.dataset.color] = Number(pile.querySelector(".count").textContent);
  }
  const sheet = document.querySelector(".decision [role=dialog]");
  if (sheet) {
    seen.title = sheet.querySelector("h2").textContent;
    seen.text = sheet.innerText;
    for (const button of all(".content button, footer button", sheet)) {
      const { ticket, action } = button.dataset;
      if (ticket !== undefined) offer("ticket", button, { chosen: button.ariaPressed === "true" });
      else offer(action === undefined ? "button" : "way", button);
    }
    all(".sheet header button:not([data-hint])").forEach((button) => offer("back", button));
  } else {
    all("[data-take]", play).forEach((button, slot) => offer("take", button, { slot }));
    all("button[data-pile=deck]").forEach((button) => offer("deck", button));
    all("button[data-pile=tickets]").forEach((button) => offer("tickets", button));
    all(".bar button[data-station]").forEach((button) => offer("station", button));
  }
  for (const option of all(".view [role=option]")) {
    offer(option.dataset.route === undefined ? "city" : "route", option);
  }
  return seen;
}
"""
# The same as soon as there is something to decide, or after some time; a frame later, so that
# one change is complete.
AWAIT = f"""
async ({{ patience, here }}) => {{
  const look = {LOOK.strip()};
  const until = performance.now() + patience;
  for (;;) {{
    await new Promise(requestAnimationFrame);
    const seen = look(here);
    const left = until - performance.now();
    if (seen || left <= 0) return seen;
    await new Promise((resolve) => {{
      const observer = new MutationObserver(() => done());
      const timer = setTimeout(() => done(), left);
      const done = () => {{ observer.disconnect(); clearTimeout(timer); resolve(); }};
      observer.observe(document, {{ subtree: true, childList: true, attributes: true }});
    }});
  }}
}}
"""
# Where on the screen to click an offer: a place of the map, or an element.
SPOT = """
(number) => {
  const element = window.offers[number];
  const { route, city } = element.dataset;
  const view = document.querySelector(".board .view");
  const free = ({ x, y }, within) => within.contains(document.elementFromPoint(x, y));
  let spots, within = view;
  if (element.role === "option" && route !== undefined) {
    const line = view.querySelector(`.open[data-route="${route}"] .rail`);
    const [length, matrix] = [line.getTotalLength(), line.getScreenCTM()];
    spots = [0.5, 0.3, 0.7, 0.15, 0.85].map((share) =>
      line.getPointAtLength(share * length).matrixTransform(matrix));
  } else {
    if (element.role !== "option") {
      within = element;
      element.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    const place = element.role === "option" ? view.querySelectorAll("g.city .core")[city] : element;
    const { x, y, width, height } = place.getBoundingClientRect();
    spots = [{ x: x + width / 2, y: y + height / 2 }];
  }
  const spot = spots.find((one) => free(one, within));
  return spot ? { x: spot.x, y: spot.y } : null;
}
"""
# Whether the focus is on an offer, or else whether the offer comes after the focus.
FOCUS = """
(number) => {
  const offer = window.offers[number];
  const wanted = offer.role === "option" ? offer.closest(".view") : offer;
  const at = document.activeElement;
  if (at === wanted) return "here";
  if (!wanted.isConnected) return "gone";
  const later = at.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_FOLLOWING;
  return later ? "Tab" : "Shift+Tab";
}
"""
# For the place that the arrow keys have reached on the board: its distance from the wanted offer,
# on the screen and in reading order.
POINTED = """
(number) => {
  const view = document.querySelector(".board .view");
  const options = [...view.querySelectorAll("[role=option]")];
  const wanted = window.offers[number];
  const at = document.getElementById(view.getAttribute("aria-activedescendant"));
  const place = ({ dataset: { route, city } }) => {
    const drawn = route === undefined
      ? view.querySelectorAll("g.city .core")[city]
      : view.querySelector(`.open[data-route="${route}"] .rail`);
    const { x, y, width, height } = drawn.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  if (!at) return null;
  const [[x, y], [toX, toY]] = [place(at), place(wanted)];
  const pages = options.indexOf(wanted) - options.indexOf(at);
  return { x: toX - x, y: toY - y, pages, many: options.length };
}
"""


def said(key: str, **parts: object) -> str:
    """A text of the page in English."""
    return str(WORDS[key]).format(**parts)


def opening(key: str) -> str:
    """The part of a sentence before its first placeholder."""
    words = WORDS[key]
    return str(words if isinstance(words, str) else words["other"]).partition("{")[0]


class Offer(NamedTuple):
    """Something that can be clicked."""

    kind: str
    name: str
    value: int  # of the card, route, city, ticket or action
    number: int
    slot: int = 0
    chosen: bool = False
    group: str = ""

    @property
    def spaces(self) -> int:
        """How long a route is."""
        found = re.search(r"(\d+) spaces?\b", self.name)
        return int(found[1]) if found else 0


# The kinds of the entries in the list of all moves; those of places have no word of their own.
ENTRIES = {
    opening(f"move.{move}"): kind
    for move, kind in {
        "take": "take",
        "blind": "deck",
        "draw-tickets": "tickets",
        "pass": "pass",
        "choose": "keep",
        "keep": "keep",
        "return": "return",
        "pay-tunnel": "pay",
        "decline": "decline",
        "mark": "mark",
        "skip-marker": "skip",
        "move-alvin": "alvin",
    }.items()
}


@dataclass
class Seen:
    """What the page offers a person who is to decide."""

    over: bool
    covered: bool
    title: str
    text: str
    hand: dict[int, int]
    trains: int  # that I have
    offers: list[Offer]

    @classmethod
    def of(cls, raw: dict[str, Any]) -> Seen:
        """The data of the page, with each offer as an object of the game."""
        hand = {int(color): count for color, count in raw["hand"].items()}
        offers = [Offer(**offer) for offer in raw["offers"]]
        seen = cls(**{**raw, "hand": hand, "offers": offers})
        seen.offers = [offer._replace(kind=seen._meaning(offer)) for offer in offers]
        return seen

    def _meaning(self, offer: Offer) -> str:
        """The kind of an offer, by its place on the page."""
        if offer.kind == "entry":
            if offer.group == said("list.routes"):
                return "route"
            return ENTRIES.get(offer.name.partition(":")[0], "city")
        if offer.kind == "bar":
            return "pass" if offer.name == said("bar.pass") else "hand-over"
        asked = {
            opening("tunnel.title"): {"way": "pay", "button": "decline"},
            said("marker.title"): {"way": "mark", "button": "skip"},
            said("alvin.title"): {"button": "alvin"},
            said("return.title"): {"ticket": "return"},
            said("choose.first"): {"button": "keep"},
            said("choose.drawn"): {"button": "keep"},
        }
        for title, kinds in asked.items():
            if self.title.startswith(title):
                return kinds.get(offer.kind, offer.kind)
        if self.title == said("draw.title") and offer.kind == "button":
            return "draw" if offer.name == said("draw.do") else "not-now"
        return "start" if offer.kind == "button" else offer.kind

    def __getitem__(self, kind: str) -> list[Offer]:
        return [offer for offer in self.offers if offer.kind == kind]


@dataclass
class Mind:
    """Decides by a seed: prefers long routes, so that games end, and does some of everything."""

    seed: str
    likes: Sequence[str] = ()  # cities to go to
    did: Counter[str] = field(default_factory=Counter)
    _turns: int = 0
    _waited: int = 0  # turns since the last route
    _wanted: set[int] = field(default_factory=set)
    _about: str = ""  # what the picked place is
    _left: int | None = None  # the trains that are left if the click on a route claimed it

    def __post_init__(self) -> None:
        self._dice = random.Random(self.seed)

    def choose(self, seen: Seen) -> Offer:
        """What to click."""
        if seen.trains == self._left:  # it had one payment, and was not asked about
            self._claimed()
        self._left = None
        for question in (self._tickets, self._tunnel, self._marker, self._place, self._turn):
            if offer := question(seen):
                if offer.kind == "route":
                    self._left = seen.trains - offer.spaces
                return offer
        raise AssertionError(f"nothing to choose among {seen}")

    def _done(self, kind: str, offer: Offer) -> Offer:
        self.did[kind] += 1
        return offer

    def _tickets(self, seen: Seen) -> Offer | None:
        if seen["return"]:
            return self._done("return", self._dice.choice(seen["return"]))
        if lie := seen["ticket"]:
            tickets = sorted(offer.value for offer in lie)
            if not self._wanted or not self._wanted.issubset(tickets):
                self._wanted = self._some(tickets, seen.text)
            changes = [offer for offer in lie if offer.chosen != (offer.value in self._wanted)]
            if changes:
                return self._done("ticket", changes[0])
        if keep := seen["keep"]:
            self._wanted = set()
            few = min(offer.name.count(" – ") for offer in keep)
            fewest = [offer for offer in keep if offer.name.count(" – ") == few]
            return self._done("keep", self._dice.choice(fewest))
        return None

    def _some(self, tickets: list[int], text: str) -> set[int]:
        """As few as may be kept, or one more; few of the first drawn, so that some are returned."""
        found = re.search(opening("choose.least") + r"(\d+)", text)
        assert found, f"the text does not say how many must be kept: {text}"
        more = self.did["keep"] != 1 and self._dice.random() < 0.25
        return set(self._dice.sample(tickets, min(int(found[1]) + more, len(tickets))))

    def _tunnel(self, seen: Seen) -> Offer | None:
        ways, [*decline] = seen["pay"], seen["decline"]
        if ways and (not decline or self.did["pay"] <= self.did["decline"]):
            return self._done("pay", self._dice.choice(ways))
        return self._done("decline", decline[0]) if decline else None

    def _marker(self, seen: Seen) -> Offer | None:
        if alvin := seen["alvin"]:
            pointed = [offer for offer in alvin if self._about and self._about in offer.name]
            if not pointed and seen["city"]:  # show it on the map first
                city = self._dice.choice(seen["city"])
                self._about = city.name.partition(",")[0]
                return self._done("point", city)
            return self._done("alvin", (pointed or alvin)[0])
        marks, skip = seen["mark"], seen["skip"]
        if marks and (not skip or self.did["mark"] <= self.did["skip"]):
            return self._done("mark", self._dice.choice(marks))
        return self._done("skip", skip[0]) if skip else None

    def _place(self, seen: Seen) -> Offer | None:
        cancels = seen["back"] and not self.did["back"]  # once
        if seen["draw"]:
            if cancels and self.did["draw"]:  # no payment was asked for until now
                return self._done("back", seen["back"][0])
            return self._done("draw", seen["draw"][0])
        if seen["start"]:
            return self._done("start", seen["start"][0])
        if not (ways := seen["way"]):
            return None
        if cancels:
            return self._done("back", seen["back"][0])
        self._claimed()
        return ways[0] if self._dice.random() < 0.6 else self._dice.choice(ways)

    def _claimed(self) -> None:
        """Count the picked place."""
        self._waited = 0
        self.did[self._about] += 1

    def _turn(self, seen: Seen) -> Offer | None:
        building = any(offer.name == said("bar.no-station") for offer in seen["station"])
        if building or (seen["city"] and not seen["deck"] + seen["take"] + seen["route"]):
            return self._city(seen, "station" if building else "start")
        if seen["pass"]:
            return self._done("pass", seen["pass"][0])
        if seen["tickets"] + seen["route"] + seen["station"] + seen["city"]:  # a new turn
            self._turns += 1
            self._waited += 1
        return self._seldom(seen) or self._claim(seen) or self._card(seen)

    def _seldom(self, seen: Seen) -> Offer | None:
        """Rare actions, which should occur a few times in a game."""
        if self._turns in (3, 8) and self.did["tickets"] < self._turns / 4 and seen["tickets"]:
            return self._done("tickets", seen["tickets"][0])
        if self._turns in (5, 11) and self.did["station"] < self._turns / 6:
            if seen["station"]:
                return seen["station"][0]
            if seen["city"]:
                return self._city(seen, "station")
        return None

    def _claim(self, seen: Seen) -> Offer | None:
        if route := self._route(seen["route"], seen.hand):
            self._about = "tunnel" if said("kind.tunnel") in route.name else "route"
        return route

    def _city(self, seen: Seen, about: str) -> Offer:
        self._about = about
        liked = [offer for offer in seen["city"] if offer.name in self.likes]
        return self._dice.choice(liked or seen["city"])

    def _route(self, routes: list[Offer], hand: dict[int, int]) -> Offer | None:
        least = max(1, 5 - self._waited)
        longest = hand.get(LOCOMOTIVE, 0) + max(
            [n for c, n in hand.items() if c != LOCOMOTIVE] or [0]
        )
        untried = not self.did["pay"] or not self.did["decline"]

        def rank(offer: Offer) -> tuple[bool, int]:
            liked = any(name in offer.name for name in self.likes) and not self.did["alvin"]
            # A tunnel for which there are some cards more.
            tunnel = said("kind.tunnel") in offer.name and offer.spaces + 2 <= longest
            return liked or (untried and tunnel), offer.spaces

        best = max(map(rank, routes), default=(False, 0))
        if not best[0] and best[1] < least:
            return None
        return self._dice.choice([offer for offer in routes if rank(offer) == best])

    def _card(self, seen: Seen) -> Offer | None:
        """A card of a colour that is frequent in the hand, or else any."""

        def many(offer: Offer) -> int:
            for color, count in seen.hand.items():
                if said(f"card.{color}") in offer.name:
                    return 1 if color == LOCOMOTIVE else count
            return 0

        if takes := seen["take"]:
            best = max(takes, key=lambda offer: (many(offer), offer.name))  # in any slot
            if not seen["deck"] or many(best) > 1 or self._dice.random() < 0.3:
                return self._done("take", best)
        if seen["deck"]:
            return self._done("deck", seen["deck"][0])
        for last in ("tickets", "route", "station", "city"):  # there are no cards
            if seen[last]:
                self._about = {"city": "station"}.get(last, last)
                return seen[last][0]
        return None


class Script:
    """Repeats decisions that were recorded before."""

    def __init__(self) -> None:
        self._moves: deque[tuple[Move, int, bool]] = deque()

    def then(self, move: Move, action: int, *, asked: bool) -> None:
        """The next move, its number, and whether a claim must be asked about after a click."""
        self._moves.append((move, action, asked))

    def choose(self, seen: Seen) -> Offer:
        """What to click."""
        move, action, asked = self._moves[0]
        match move:
            case Take(color):
                found = [offer for offer in seen["take"] if offer.value == color]
            case Blind():
                found = seen["deck"]
            case DrawTickets():
                if not seen["draw"]:
                    return seen["tickets"][0]
                found = seen["draw"]
            case Choose(_, tickets) | Keep(tickets):
                lie = seen["ticket"]
                found = [offer for offer in lie if offer.chosen != (offer.value in tickets)]
                if found:
                    return found[0]
                found = seen["keep"]
            case Claim(route):
                if seen["way"]:
                    found = [offer for offer in seen["way"] if offer.value == action]
                else:
                    found = [offer for offer in seen["route"] if offer.value == route]
                    if asked:
                        return found[0]
            case _:
                found = seen["pass"]
        self._moves.popleft()
        return found[0]

    @property
    def done(self) -> bool:
        """Whether all decisions have been made."""
        return not self._moves


class Mouse:
    """Clicks things where they are shown."""

    listed = False

    def __init__(self, page: Page) -> None:
        self.page = page

    def do(self, offer: Offer) -> None:
        """Click it."""
        spot = self.page.evaluate(SPOT, offer.number)
        assert spot, f"something covers {offer}"
        self.page.mouse.click(spot["x"], spot["y"])


class MoveList(Mouse):
    """Clicks in the list of all moves."""

    listed = True


class StaleOfferError(Exception):
    """The page has replaced what was to be chosen, as after a message from another tab."""


class Keys:
    """Uses the keyboard only."""

    listed = False

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed: Counter[str] = Counter()

    def do(self, offer: Offer) -> None:
        """Press its key, or move the focus there and press Enter."""
        if offer.kind == "take":
            return self._press(str(offer.slot + 1))
        if key := SHORT.get(offer.kind):
            return self._press(key)
        self._go(offer)
        if offer.kind in ("route", "city"):
            self._point(offer)
        return self._press("Enter")

    def _press(self, key: str) -> None:
        self.pressed[key] += 1
        self.page.keyboard.press(key)

    def _go(self, offer: Offer) -> None:
        for _ in range(150):
            key = self.page.evaluate(FOCUS, offer.number)
            if key == "here":
                return
            if key == "gone":
                raise StaleOfferError
            self._press(key)
        raise AssertionError(f"the keyboard does not reach {offer}")

    def _point(self, offer: Offer) -> None:
        """On the board: by arrow keys, and by Page Up or Page Down where these miss it."""
        self._press("ArrowUp")
        for arrows in range(200):
            to = self.page.evaluate(POINTED, offer.number)
            assert to, "the arrow keys reach nothing"
            if not to["pages"]:
                return
            if arrows < 6:
                self._press(max(ARROWS, key=lambda key: _along(ARROWS[key], to)))
            else:
                ahead = to["pages"] % to["many"]
                self._press("PageDown" if ahead <= to["many"] / 2 else "PageUp")
        raise AssertionError(f"the keyboard does not reach {offer} on the board")


def _along(arrow: tuple[int, int], to: dict[str, float]) -> float:
    return arrow[0] * to["x"] + arrow[1] * to["y"]


Hands = Mouse | MoveList | Keys


class Player:
    """A person at a page."""

    def __init__(self, mind: Mind | Script, hands: Hands) -> None:
        self.mind, self.hands, self.page = mind, hands, hands.page
        self.over = False

    def look(self, patience: float = 0) -> Seen | None:
        """What the page offers, at once or within some seconds."""
        asked = {"here": opening("cover.here"), "patience": 1000 * patience}
        raw = self.page.evaluate(AWAIT, asked)
        return Seen.of(raw) if raw else None

    def step(self, patience: float = 0) -> bool:
        """Make one decision, if there is one to make; returns whether there was."""
        seen = self.look(patience)
        if seen is None or self.over:
            return False
        self.over = seen.over
        if not self.over:
            try:
                self.decide(seen)
            except StaleOfferError:
                return self.step(patience)
        return True

    def decide(self, seen: Seen) -> None:
        """Make one decision."""
        if self.hands.listed and seen["moves"] and not seen["way"] + seen["start"] + seen["draw"]:
            return self._do(seen["moves"][0])
        return self._do(self.mind.choose(seen))

    def _do(self, offer: Offer) -> None:
        self.hands.do(offer)

    def play(self) -> None:
        """Play to the score screen."""
        play_together([self])


class SharedScreen(Player):
    """Several people at one page, which is covered while it passes from one to another."""

    def __init__(self, minds: dict[str, Mind], hands: Hands, check: Callable[[], None]) -> None:
        super().__init__(next(iter(minds.values())), hands)
        self.minds, self.check = minds, check
        self.covers = 0

    def decide(self, seen: Seen) -> None:
        """Uncover the screen for the next person, or decide for the present one."""
        if seen.covered:
            self.check()
            self.covers += 1
            here = seen["here"][0]
            [self.mind] = [mind for name, mind in self.minds.items() if here.name.endswith(name)]
            self._do(here)
        elif seen["hand-over"]:
            self._do(seen["hand-over"][0])
        else:
            super().decide(seen)


def play_together(players: Sequence[Player]) -> None:
    """All players decide when they are asked, until all see the scores."""
    heard = time.monotonic()
    while not all(player.over for player in players):
        alone = len(players) == 1
        for player in players:
            if player.step(PATIENCE if alone else 0):
                heard = time.monotonic()
        assert time.monotonic() < heard + PATIENCE, "no player is asked to decide"
