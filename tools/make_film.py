"""Make docs/pictures/play.webp, the moving picture of a game in the page.

python tools/make_film.py                        the picture of the README
python tools/make_film.py --frames FOLDER        also every frame as a PNG file, to look at

One real game is played by the page's own elements. The parts that matter are filmed in slow motion,
since a screenshot takes longer than a frame; the middle of the game is shown every few decisions.
The pointer is drawn afterwards: a screenshot has none.
"""

from __future__ import annotations

import argparse
import io
import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from make_pictures import KEPT, opened  # first: it makes the tests' modules known
from PIL import Image, ImageChops, ImageDraw
from playwright.sync_api import Locator, Page, ViewportSize, expect
from tests.page.clicks import SPOT, Mind, Mouse, Offer, Player, Seen, said
from tests.page.scenes import Guest, Moment, NeverCameError

FILM = KEPT / "play.webp"
MOST_BYTES = 1_500_000
QUALITIES = (75, 65, 55, 45)
WINDOW: ViewportSize = {"width": 1152, "height": 720}
HOME: ViewportSize = {
    "width": 1280,
    "height": 800,
}  # two maps side by side; shown as large as WINDOW
SLOW = 3  # how much slower than usual the page moves while it is filmed
SEED = "film 1"
BOTS = ("apprentice", "greedy")
LAPSE = 8  # decisions between two frames of the middle of the game
LAPSE_MS = 110
ALL_SHOWN_MS = 2500  # until the page has shown what the bots did
GLIDE_MS = 45  # a frame of the pointer on its way
GLIDE_FRAMES = 4
# What makes the page slower: timers here, animations by the browser.
TIMERS = """
window.slow = 1;
const usual = window.setTimeout;
window.setTimeout = (call, ms = 0, ...more) => usual(call, ms * window.slow, ...more);
"""
# What glows without end would change the whole map in every frame.
CALM = """
() => {
  for (const animation of document.getAnimations()) {
    if (animation.effect.getTiming().iterations !== Infinity) continue;
    animation.pause();
    animation.currentTime = 0;
  }
}
"""
POINTER = ((0, 0), (0, 17), (4, 13.4), (6.6, 19.4), (9.4, 18.2), (6.9, 12.4), (12, 12))
RING = "#9a2c1b"


class Spot(NamedTuple):
    """A point of the window."""

    x: float
    y: float


AWAY = Spot(WINDOW["width"] * 0.74, WINDOW["height"] * 0.96)  # where nothing is shown


class Frame(NamedTuple):
    """What the window shows, and for how long."""

    picture: Image.Image
    ms: float


class Film:
    """Frames of a page, with a pointer that clicks."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Frame] = []
        self._slow = 1.0
        self.at = Spot(WINDOW["width"] * 0.55, WINDOW["height"] * 0.62)
        self._cdp = page.context.new_cdp_session(page)
        self._cdp.send("Animation.enable")

    def hold(self, ms: float) -> None:
        """Show the page as it is now for some time."""
        self._add(self._shot(), ms)

    def click(self, spot: Spot, *, hold: float = 0) -> None:
        """Move the pointer somewhere, look for a moment, and click."""
        self.point(spot)
        if hold:
            self.hold(hold)
        self._add(self._shot(), 2 * GLIDE_MS, pressed=True)
        self.page.mouse.click(*self._in_page(spot))

    def point(self, spot: Spot) -> None:
        """Move the pointer somewhere."""
        there, before = self._shot(), self.at
        for n in range(1, GLIDE_FRAMES + 1):
            share = n / GLIDE_FRAMES
            eased = share * share * (3 - 2 * share)
            self.at = Spot(
                before.x + eased * (spot.x - before.x), before.y + eased * (spot.y - before.y)
            )
            self._add(there, GLIDE_MS)
        self.page.mouse.move(*self._in_page(spot))

    def run(self, until: Callable[[float], bool], *, faster: float = 1) -> None:
        """Film the page while it moves, until a condition on the milliseconds of the film holds."""
        began = last = time.monotonic()
        while not until(1000 * (last - began) / self._slow / faster):
            there = self._shot()
            now = time.monotonic()
            self._add(there, 1000 * (now - last) / self._slow / faster)
            last = now

    def slow_down(self, slow: float) -> None:
        """Make the page slower, while nothing moves: what moves would jump."""
        self._slow = slow
        self._cdp.send("Animation.setPlaybackRate", {"playbackRate": 1 / slow})
        self.page.evaluate("(slow) => { window.slow = slow; }", slow)

    def save(self, path: Path) -> None:
        """Write the film, as well as it can be written in a file that is not too large."""
        frames = self._merged()
        pictures = [frame.picture for frame in frames]
        for quality in QUALITIES:
            pictures[0].save(
                path,
                save_all=True,
                append_images=pictures[1:],
                duration=[max(20, round(frame.ms)) for frame in frames],
                loop=0,
                quality=quality,
                method=4,
                kmax=1000,
                kmin=999,
                allow_mixed=True,
            )
            if path.stat().st_size <= MOST_BYTES:
                break
        seconds = sum(frame.ms for frame in frames) / 1000
        size = path.stat().st_size // 1000
        print(f"{path} ({size} kB, {len(frames)} frames, {seconds:.1f} s, quality {quality})")

    def save_frames(self, folder: Path) -> None:
        """Write each frame as a file that is named by its moment."""
        folder.mkdir(parents=True, exist_ok=True)
        ms = 0.0
        for frame in self._merged():
            frame.picture.save(folder / f"{round(ms):05}.png")
            ms += frame.ms

    def _in_page(self, spot: Spot) -> Spot:
        share = self._size["width"] / WINDOW["width"]
        return Spot(spot.x * share, spot.y * share)

    @property
    def _size(self) -> ViewportSize:
        size = self.page.viewport_size
        assert size
        return size

    def _shot(self) -> Image.Image:
        self.page.evaluate(CALM)
        picture = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        size = (WINDOW["width"], WINDOW["height"])
        return picture if picture.size == size else picture.resize(size, Image.Resampling.LANCZOS)

    def _add(self, there: Image.Image, ms: float, *, pressed: bool = False) -> None:
        self.frames.append(Frame(with_pointer(there, self.at, pressed), ms))

    def _merged(self) -> list[Frame]:
        """The frames, without those that show nothing new."""
        merged: list[Frame] = []
        for frame in self.frames:
            if merged and not ImageChops.difference(merged[-1].picture, frame.picture).getbbox():
                merged[-1] = merged[-1]._replace(ms=merged[-1].ms + frame.ms)
            else:
                merged.append(frame)
        return merged


def with_pointer(picture: Image.Image, at: Spot, pressed: bool) -> Image.Image:
    """A picture with a pointer, drawn four times as large and made smaller, for smooth edges."""
    large, size = 4, 48
    patch = Image.new("RGBA", (size * large, size * large))
    draw = ImageDraw.Draw(patch)
    middle = size / 2
    if pressed:
        ring = [(middle - 13) * large] * 2 + [(middle + 13) * large] * 2
        draw.ellipse(ring, outline=RING, width=3 * large)
    shape = [((middle + 1.25 * x) * large, (middle + 1.25 * y) * large) for x, y in POINTER]
    draw.polygon(shape, fill="white", outline="black", width=round(1.3 * large))
    patch = patch.resize((size, size), Image.Resampling.LANCZOS)
    shown = picture.copy()
    shown.paste(patch, (round(at.x - middle), round(at.y - middle)), patch)
    return shown


class Game:
    """The game that is filmed: Ana's, against bots."""

    def __init__(self, film: Film, ana: Guest) -> None:
        self.film, self.page, self.ana = film, film.page, ana
        self.player = Player(Mind(SEED), Mouse(self.page))
        self.table = ""

    def begin(self) -> None:
        """Choose a map at the start, and play."""
        page, film = self.page, self.film
        page.set_viewport_size(HOME)
        page.goto("/")
        expect(page.locator(".poster .picture svg").nth(1)).to_be_visible()
        page.mouse.move(*film.at)
        page.wait_for_timeout(ALL_SHOWN_MS)
        film.slow_down(SLOW)
        film.hold(600)
        film.click(centre(page.locator("label:has(input[value=europe])")))
        film.hold(250)
        self.set_seed()
        film.click(centre(page.locator("[data-play]")))
        page.wait_for_url("**/tables/*")
        page.set_viewport_size(WINDOW)
        page.wait_for_timeout(ALL_SHOWN_MS * SLOW)
        self.table = page.url.rpartition("/")[2]
        self.look()

    def set_seed(self) -> None:
        """Choose the cards, to film the same game every time; choosing a map would forget it."""
        details = self.page.locator("details summary")
        details.click()
        self.page.get_by_label(said("seed")).fill(SEED)
        details.click()
        self.page.evaluate("() => { document.activeElement.blur(); window.scrollTo(0, 0); }")

    def choose_tickets(self) -> None:
        """Keep the three tickets that are quickest to reach."""
        tickets = sorted(self.look()["ticket"], key=lambda offer: self.spaces[offer.value])
        self.film.hold(400)
        for offer in tickets[:3]:
            [there] = [one for one in self.look()["ticket"] if one.value == offer.value]
            self.film.click(self.spot(there))
            self.film.run(lambda ms: ms > 250)
        [keep] = self.look()["keep"]
        self.film.click(self.spot(keep))
        self.film.run(lambda ms: ms > 300)

    def take_cards(self) -> None:
        """Take a face-up card and the top card of the deck."""
        for kind in ("take", "deck"):
            offer = self.look()[kind][0]
            self.film.click(self.spot(offer))
            self.film.run(lambda ms: ms > 450)

    def claim(self) -> None:
        """Claim a route for a ticket, as soon as the cards are there."""
        self.page.wait_for_timeout(ALL_SHOWN_MS * SLOW)
        good = self.useful(self.look())
        assert good, "there is no route to claim yet: choose another seed"
        self.film.click(self.spot(max(good, key=lambda offer: offer.spaces)), hold=150)
        ways = self.look()["way"]
        self.film.hold(300)
        self.film.click(self.spot(ways[0]), hold=150)
        self.page.mouse.move(*AWAY)  # not over a ticket: the map would move to show it
        self.film.run(lambda ms: ms > 600)

    def play_on(self, decisions: int) -> bool:
        """Let Ana decide in a hurry, and the bots; returns whether the last round has begun."""
        wanted = int(self.ana.get(f"/tables/{self.table}")["version"]) + decisions
        last = False

        def late(now: Moment) -> bool:
            nonlocal last
            last = "last-round-began" in now.happened
            # A second card: no routes are offered then, which would glow all over the map.
            second = now.offers("blind", "take") and not now.offers("draw-tickets", "claim")
            return last or (now.version >= wanted and second)

        self.ana.play(self.table, late)
        self.page.wait_for_timeout(300)  # the page hears of it at the same time
        return last

    def end(self) -> None:
        """Show how the board fills, and then the points."""
        page, film = self.page, self.film
        film.at = AWAY
        page.mouse.move(*film.at)
        while not self.play_on(LAPSE):
            film.hold(LAPSE_MS)
        film.hold(LAPSE_MS)
        page.emulate_media(reduced_motion="no-preference")
        with suppress(NeverCameError):
            self.ana.play(self.table, lambda _: False)
        done = page.locator(".ending .actions")
        film.run(lambda _: done.is_visible(), faster=7)
        film.hold(1800)
        print(page.locator(".ending h1, .ending h2").first.inner_text())

    def look(self) -> Seen:
        """What the page offers, when nothing moves any more."""
        seen = self.player.look(60)
        assert seen, "the page offers nothing"
        return seen

    def useful(self, seen: Seen) -> list[Offer]:
        """Plain routes on the way to a ticket."""
        way = {route for aid in self.aids() for route in aid["way"] or ()}
        special = (said("kind.tunnel"), said("kind.ferry"))
        return [
            offer
            for offer in seen["route"]
            if offer.value in way and not any(word in offer.name for word in special)
        ]

    @property
    def spaces(self) -> dict[int, int]:
        """How far each ticket is from being completed."""
        return {aid["ticket"]: aid["spaces"] for aid in self.aids()}

    def aids(self) -> list[dict[str, object]]:
        """What the server says about Ana's tickets."""
        return list(self.ana.get(f"/tables/{self.table}/aids?seat=0")["tickets"])

    def spot(self, offer: Offer) -> Spot:
        """Where an offer is."""
        found = self.page.evaluate(SPOT, offer.number)
        assert found, f"something covers {offer}"
        return Spot(found["x"], found["y"])


def centre(locator: Locator) -> Spot:
    """The middle of an element of the start, as the film shows it."""
    box = locator.bounding_box()
    assert box, f"{locator} is not visible"
    share = WINDOW["width"] / HOME["width"]
    return Spot(share * (box["x"] + box["width"] / 2), share * (box["y"] + box["height"] / 2))


def make_film() -> Film:
    """Film a whole game."""
    chairs = [{"who": "me"}, *({"who": "bot", "bot": bot} for bot in BOTS)]
    stored = {
        "macaz-settings": {"guide": False},
        "macaz-wish": {"edition": "usa", "chairs": chairs, "first": 0, "atServer": True},
    }
    with opened() as (page, scene):
        page.set_viewport_size(WINDOW)
        page.add_init_script(TIMERS)
        page.goto("/favicon.svg")
        scene.ana.enter(page.context)
        for key, value in stored.items():
            store = "([key, value]) => localStorage.setItem(key, value)"
            page.evaluate(store, [key, json.dumps(value)])
        film = Film(page)
        game = Game(film, scene.ana)
        page.emulate_media(reduced_motion="no-preference")
        game.begin()
        game.choose_tickets()
        game.take_cards()
        game.claim()
        page.emulate_media(reduced_motion="reduce")
        film.slow_down(1)
        game.end()
        return film


def main() -> None:
    """Make the film."""
    parser = argparse.ArgumentParser(description="Make the moving picture of the page.")
    parser.add_argument("--frames", type=Path, metavar="FOLDER", help="also keep every frame")
    chosen = parser.parse_args()
    film = make_film()
    film.save(FILM)
    if chosen.frames:
        film.save_frames(chosen.frames)


if __name__ == "__main__":
    main()
