"""The projection: north is up and distances are right, for cities anywhere."""

from __future__ import annotations

import math

import numpy as np
import pytest

from macaz import load_edition
from macaz.draw.projection import EARTH_RADIUS, Projection
from macaz.edition.board import City

EDITIONS = ("tiny", "usa-classic", "usa", "europe", "old-west")


def cities(*places: tuple[float, float]) -> list[City]:
    return [City(f"City {number}", *place) for number, place in enumerate(places)]


MAPS = {
    **{name: load_edition(name).board.cities for name in EDITIONS},
    "one": cities((47.2, 27.6)),
    "two": cities((47.2, 27.6), (44.4, 26.1)),
    "one at the equator": cities((0.0, 32.6)),
    "around the equator": cities((4.7, -74.1), (-12.0, -77.0), (-0.2, -78.5)),
    "across the antimeridian": cities((-36.8, 174.7), (-18.1, 178.4), (-13.8, -171.8)),
    "south": cities((-33.4, -70.6), (-34.6, -58.4), (-53.1, -70.9)),
    "far north": cities((69.6, 18.9), (69.0, 33.1), (78.2, 15.6)),
}


def on_earth(one: City, other: City) -> float:
    """The distance over the globe, in kilometres."""
    a, b = math.radians(one.lat), math.radians(other.lat)
    turn = math.radians(other.lon - one.lon)
    cosine = math.sin(a) * math.sin(b) + math.cos(a) * math.cos(b) * math.cos(turn)
    return EARTH_RADIUS * math.acos(min(1.0, cosine))


@pytest.mark.parametrize("name", MAPS)
def test_north_is_up_and_east_is_right(name):
    projection = Projection.for_cities(MAPS[name])
    for city in MAPS[name]:
        x, y = projection.project(
            [city.lat, city.lat + 0.1, city.lat], [city.lon] * 2 + [city.lon + 0.1]
        )
        assert y[1] < y[0]
        assert x[2] > x[0]
        lean = math.degrees(math.atan2(x[1] - x[0], y[0] - y[1]))
        assert abs(lean) < 45


@pytest.mark.parametrize("name", MAPS)
def test_neighbours_are_as_far_apart_as_on_earth(name):
    projection = Projection.for_cities(MAPS[name])
    for city in MAPS[name]:
        near = City("Near", city.lat + 0.2, city.lon + 0.3)
        x, y = projection.project([city.lat, near.lat], [city.lon, near.lon])
        assert math.hypot(x[1] - x[0], y[1] - y[0]) == pytest.approx(on_earth(city, near), rel=0.06)


@pytest.mark.parametrize("name", MAPS)
def test_the_middle_of_the_cities_is_near_the_origin(name):
    lats, lons = zip(*((city.lat, city.lon) for city in MAPS[name]), strict=True)
    x, y = Projection.for_cities(MAPS[name]).project(lats, lons)
    size = max(np.ptp(x), np.ptp(y))
    assert abs(x.max() + x.min()) <= 0.15 * size + 1e-6
    assert abs(y.max() + y.min()) <= 0.35 * size + 1e-6


@pytest.mark.parametrize("name", MAPS)
def test_the_way_back_leads_to_the_same_place(name):
    projection = Projection.for_cities(MAPS[name])
    lats, lons = zip(*((city.lat, city.lon) for city in MAPS[name]), strict=True)
    back_lats, back_lons = projection.unproject(*projection.project(lats, lons))
    assert back_lats == pytest.approx(lats)
    assert np.cos(np.radians(back_lons - lons)) == pytest.approx(1)


def test_a_map_across_the_antimeridian_stays_in_one_piece():
    x, _ = Projection.for_cities(MAPS["across the antimeridian"]).project(
        [-18.1, -18.1, -18.1], [179.9, 180.0, -179.9]
    )
    assert np.diff(x) == pytest.approx([10.57, 10.57], rel=0.05)


def test_cities_around_a_pole_are_drawn_on_a_disc():
    around = cities((69.6, 18.9), (71.6, 128.8), (64.5, -165.4), (64.2, -51.7))
    projection = Projection.for_cities(around)
    assert projection.cone == 1
    x, y = projection.project([80, 80, 80, 80], [0, 90, 180, 270])
    opposite = np.hypot(x[2:] - x[:2], y[2:] - y[:2])
    assert opposite == pytest.approx(2 * math.radians(10) * EARTH_RADIUS, rel=0.06)


def test_a_map_of_the_world_is_drawn_on_a_cylinder():
    world = cities((40.7, -74.0), (35.7, 139.7), (-33.8, 151.2), (51.5, 0.0), (-33.9, 18.4))
    projection = Projection.for_cities(world)
    x, y = projection.project([0, 0, 60], [0, 10, 0])
    assert (x[0], y[0]) == pytest.approx((x[2], y[1]))
    assert y[2] < y[0]


def test_the_poles_have_a_place_too():
    for board in MAPS.values():
        x, y = Projection.for_cities(board).project([90, -90], [0, 0])
        assert np.isfinite([x, y]).all()


def test_no_city_is_no_map():
    with pytest.raises(ValueError, match="at least one city"):
        Projection.for_cities([])
