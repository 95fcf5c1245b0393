"""Drawn boards over HTTP: drawn once, outside the event loop, and cached by browsers."""

from __future__ import annotations

import asyncio
import threading

import httpx
import msgspec
import pytest
from tests.server.harness import Client, Served, serving, settings

from macaz.draw import plates as draw
from macaz.edition import Edition, load_edition
from macaz.edition.plate import CityPlace, Plate, Space, Track
from macaz.server import plates, wire


def drawn(edition: Edition) -> Plate:
    """A valid plate, made quickly."""
    cities = [
        CityPlace(float(i), 2.5, 0.0, 0.0, "middle") for i in range(len(edition.board.cities))
    ]
    track = Track("M0 0L1 1", (Space(0.5, 0.5, 45.0),))
    tracks = (track,) * len(edition.board.routes)
    sizes = (100.0, 50.0, 40.0, 13.0, 17.0, 10.0, 20.0)
    return Plate(*sizes, tuple(cities), tracks, "M0 0h9v9z", "", "", "", "")


class Drawing:
    """Replaces the real drawing; counts calls, and may fail or wait."""

    def __init__(self) -> None:
        self.threads: list[int] = []
        self.failing = False
        self.go = threading.Event()
        self.go.set()

    def __call__(self, edition: Edition) -> Plate:
        self.threads.append(threading.get_ident())
        self.go.wait(10)
        if self.failing:
            raise OSError("no paper")
        return drawn(edition)


@pytest.fixture
def drawing(monkeypatch) -> Drawing:
    made = Drawing()
    monkeypatch.setattr(draw, "plate_of", made)
    return made


def test_a_plate_is_for_everybody_and_only_asked_about_again(tmp_path, drawing):
    with serving(settings(tmp_path)) as server, httpx.Client(base_url=server.address) as browser:
        answer = browser.get("/api/v1/editions/usa/plate")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/json")
        assert answer.headers["cache-control"] == "no-cache"
        found = msgspec.json.decode(answer.content, type=wire.Plate)
        assert found == drawn(load_edition("usa"))
        known = {"if-none-match": answer.headers["etag"]}
        assert browser.get("/api/v1/editions/usa/plate", headers=known).status_code == 304
        assert browser.get("/api/v1/editions/europe/plate", headers=known).status_code == 200
        assert browser.get("/api/v1/editions/nothing/plate").status_code == 404
        assert len(drawing.threads) == 2


def test_a_table_has_the_plate_of_its_map(tmp_path, drawing):
    async def story(server: Served) -> None:
        ana, zoe = await Client.new(server.address), await Client.new(server.address, "Zoe")
        table = await ana.table("me", "person")
        answer = await ana.ask("GET", f"/tables/{table}/plate")
        assert msgspec.json.decode(answer.content, type=wire.Plate) == drawn(load_edition("tiny"))
        assert answer.headers["cache-control"] == "private, no-cache"
        assert (await ana.ask("GET", f"/tables/{table}/map")).headers["etag"]
        assert (await zoe.ask("GET", f"/tables/{table}/plate")).status_code == 404
        for client in (ana, zoe):
            await client.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server))


def test_a_plate_is_drawn_once_beside_the_loop(drawing):
    async def story() -> None:
        shelf, edition = plates.Plates(), load_edition("usa")
        drawing.go.clear()
        waiting = [asyncio.create_task(shelf.of(edition)) for _ in range(5)]
        await asyncio.sleep(0.01)
        waiting.pop().cancel()
        drawing.go.set()
        assert len({await task for task in waiting}) == 1
        await shelf.of(edition)
        assert len(drawing.threads) == 1
        assert drawing.threads[0] != threading.get_ident()

    asyncio.run(story())


def test_what_failed_is_tried_again_and_what_is_old_forgotten(drawing, monkeypatch):
    async def story() -> None:
        shelf = plates.Plates()
        drawing.failing = True
        with pytest.raises(OSError, match="paper"):
            await shelf.of(load_edition("tiny"))
        drawing.failing = False
        monkeypatch.setattr(plates, "KEPT", 2)
        for name in ("tiny", "usa", "tiny", "europe", "tiny", "usa"):
            await shelf.of(load_edition(name))
        assert len(drawing.threads) == 1 + 4

    asyncio.run(story())
