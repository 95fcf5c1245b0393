"""Make the pictures of the page under docs/pictures/, or of every screen in a folder to look at.

python tools/make_pictures.py                 the main ones, kept with the docs
python tools/make_pictures.py --all FOLDER    every screen, size and theme
python tools/make_pictures.py --vision FOLDER boards without colour, and as the colour-blind see
python tools/make_pictures.py --boards        only the boards of our own maps; needs no browser
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page, expect  # noqa: E402
from tests.editions import OWN  # noqa: E402
from tests.page.browser import USUAL, chromium, stale_page  # noqa: E402
from tests.page.hosts import Host  # noqa: E402
from tests.page.scenes import Scene  # noqa: E402
from tests.page.screens import EDITIONS, SCREENS, show  # noqa: E402
from tests.server.zygote import Zygote  # noqa: E402

from macaz.draw.plates import plate_of  # noqa: E402
from macaz.edition import load_edition  # noqa: E402
from macaz.edition.picture import picture_of  # noqa: E402

KEPT = ROOT / "docs/pictures"
MOST_BYTES = 200_000
QUALITIES = (88, 80, 70, 60, 50)
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1440, 900), "wall": (2560, 1440)}
VISIONS = ("achromatopsia", "protanopia", "deuteranopia", "tritanopia")
PATIENCE = 60_000  # milliseconds
Theme = Literal["light", "dark"]


class Picture(NamedTuple):
    """One of the pictures in the docs."""

    name: str
    screen: str
    size: str = "desk"
    theme: Theme = "light"


MAIN = (
    Picture("home", "home-new"),
    *(Picture(f"play-{edition.split('+')[0]}", f"turn-{edition}") for edition in EDITIONS),
    Picture("play-night", "turn-europe", theme="dark"),
    Picture("play-phone", "turn-europe", "phone"),
    Picture("tickets", "choose-tickets"),
    Picture("tunnel", "tunnel-odds"),
    Picture("ending", "ending"),
    Picture("replay", "replay-middle"),
    Picture("rules", "rules-europe"),
)


@contextmanager
def opened() -> Iterator[tuple[Page, Scene]]:
    """A browser, and a server with tables to look at."""
    if trouble := stale_page():
        raise SystemExit(trouble)
    expect.set_options(timeout=PATIENCE)
    with (
        tempfile.TemporaryDirectory() as folder,
        Zygote("tests.server.processes:serve") as zygote,
        chromium() as browser,
    ):
        host = Host(zygote, Path(folder))
        scene = Scene(host.url)
        page = browser.new_page(**{**USUAL, "base_url": host.url})
        page.set_default_timeout(PATIENCE)
        try:
            yield page, scene
        finally:
            scene.close()
            host.kill()


def bring(page: Page, scene: Scene, screen: str, size: str, theme: Theme) -> None:
    """Bring the browser to a screen, in a window of a size."""
    [wanted] = [one for one in SCREENS if one.name == screen]
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=theme)
    show(page, scene, wanted)
    page.mouse.move(0, 0)
    page.wait_for_load_state("networkidle")


def take(page: Page, path: Path) -> None:
    """Keep what the window shows, as well as it can be kept in a small file."""
    session = page.context.new_cdp_session(page)
    picture = b""
    for quality in QUALITIES:
        answer = session.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        picture = base64.b64decode(answer["data"])
        if len(picture) <= MOST_BYTES:
            break
    session.detach()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(picture)
    print(f"{path} ({len(picture) // 1000} kB)")


def boards() -> None:
    """The boards of the maps that have no other picture."""
    for name in OWN:
        edition = load_edition(name)
        path = KEPT / f"board-{name}.svg"
        picture = picture_of(plate_of(edition), edition.board)
        path.write_text(picture, encoding="utf-8", newline="\n")
        print(f"{path} ({path.stat().st_size // 1000} kB)")


def main_ones() -> None:
    """The pictures that the docs show."""
    boards()
    with opened() as (page, scene):
        for picture in MAIN:
            bring(page, scene, picture.screen, picture.size, picture.theme)
            take(page, KEPT / f"{picture.name}.webp")


def every_one(folder: Path) -> None:
    """Every screen in every size and theme."""
    themes: tuple[Theme, ...] = ("light", "dark")
    with opened() as (page, scene):
        for screen in SCREENS:
            for size in SIZES if not screen.phone else ["phone"]:
                for theme in themes:
                    bring(page, scene, screen.name, size, theme)
                    take(page, folder / size / f"{screen.name}-{theme}.webp")


def visions(folder: Path) -> None:
    """The boards in play, as seen with colour blindness."""
    themes: tuple[Theme, ...] = ("light", "dark")
    with opened() as (page, scene):
        session = page.context.new_cdp_session(page)
        for edition in EDITIONS:
            for theme in themes:
                bring(page, scene, f"turn-{edition}", "desk", theme)
                for vision in VISIONS:
                    session.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
                    take(page, folder / f"{edition}-{theme}-{vision}.webp")
                session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})


def main() -> None:
    """Make what the command line asks for."""
    parser = argparse.ArgumentParser(description="Make pictures of the page.")
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every screen, size and theme")
    parser.add_argument("--vision", type=Path, metavar="FOLDER", help="boards without some colours")
    parser.add_argument("--boards", action="store_true", help="the boards of our own maps")
    chosen = parser.parse_args()
    if chosen.boards:
        boards()
    if chosen.all:
        every_one(chosen.all)
    if chosen.vision:
        visions(chosen.vision)
    if not (chosen.all or chosen.vision or chosen.boards):
        main_ones()


if __name__ == "__main__":
    main()
