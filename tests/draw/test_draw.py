"""From a map to its plate: tracks, layouts, and the stored plates."""

from __future__ import annotations

import runpy
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from macaz.draw.check import problems
from macaz.draw.layout import geography_of
from macaz.draw.plates import draw, new_section, plate_from, plate_of
from macaz.draw.shapes import path_points
from macaz.draw.tracks import (
    bend_of_controls,
    block_of,
    controls_of_bend,
    course_between,
    pairs_of,
)
from macaz.draw.triangles import delaunay
from macaz.edition import Edition, list_editions, load_edition, read_edition
from macaz.edition.board import City, make_board
from macaz.edition.picture import picture_of
from macaz.edition.plate import LANE_STEP, SPACE_LENGTH
from macaz.edition.plate_section import CityMark

TOOL = Path(__file__).parent.parent.parent / "tools" / "make_plates.py"


def without_plate(name: str) -> Edition:
    text = files("macaz").joinpath("editions", f"{name}.toml").read_text(encoding="utf-8")
    return read_edition(text[: text.index("[plate]")])


# --- stored plates --------------------------------------------------------------------------


@pytest.mark.parametrize("name", list_editions())
def test_a_kept_plate_is_up_to_date(name):
    kept = files("macaz").joinpath("editions", "plates", f"{name}.json").read_bytes()
    assert kept == runpy.run_path(str(TOOL))["text"](name), "stale; run tools/make_plates.py"


def test_options_share_the_plate_of_their_edition():
    base, alvin = load_edition("old-west"), load_edition("old-west+alvin")
    assert (base.board.cities, base.board.routes) == (alvin.board.cities, alvin.board.routes)
    assert plate_of(alvin) == plate_of(base)


def test_the_two_maps_of_the_usa_are_one():
    assert plate_of(load_edition("usa")) == plate_of(load_edition("usa-classic"))


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("usa", 1.35, 1.65), ("europe", 1.35, 1.65), ("old-west", 1.0, 1.3)],
)
def test_boards_have_the_shape_of_a_screen(name, low, high):
    plate = plate_of(load_edition(name))
    assert low <= plate.width / plate.height <= high


@pytest.mark.parametrize("name", ["usa", "europe", "old-west"])
def test_north_stays_north(name):
    """Routes run in about the direction they have on Earth."""
    edition = load_edition(name)
    earth, plate = geography_of(edition.board), plate_of(edition)
    places = np.array([[city.x, city.y] for city in plate.cities])
    ends = np.array([[pair.a, pair.b] for pair in pairs_of(edition.board)]).T
    true, drawn = (at[ends[0]] - at[ends[1]] for at in (earth, places))
    angles = [np.degrees(np.arctan2(vectors[:, 0], vectors[:, 1])) for vectors in (true, drawn)]
    turned = np.abs((angles[0] - angles[1] + 180) % 360 - 180)
    assert turned.max() < 66
    assert turned.mean() < 13


# --- tracks ---------------------------------------------------------------------------------


def test_a_bend_is_seen_from_its_first_city():
    edition = load_edition("tiny")
    assert edition.plate
    ends = ("Brașov", "Pitești")
    straight = replace(edition.plate, bends={})
    right = plate_from(edition.board, replace(straight, bends={ends: (20.0, 10.0)}))
    left = plate_from(edition.board, replace(straight, bends={ends[::-1]: (-10.0, -20.0)}))
    assert right == left != plate_from(edition.board, straight)


@pytest.mark.parametrize("bend", [(0.0, 0.0), (12.0, 12.0), (-20.0, 8.0)])
def test_a_course_passes_where_its_bend_says(bend):
    course = course_between(np.array([10.0, 20.0]), np.array([310.0, 20.0]), bend)
    for third, aside in zip((110.0, 210.0), bend, strict=True):
        nearest = course.points[np.abs(course.points[:, 0] - third).argmin()]
        assert nearest == pytest.approx([third, 20 + aside], abs=0.5)
    assert bend_of_controls(controls_of_bend(bend)) == pytest.approx(bend)


def test_spaces_keep_away_from_crowded_cities():
    assert block_of(200, 3, 20, 40) == pytest.approx((24, 200 - 44), abs=4)
    start, stop = block_of(150, 3, 20, 40)  # too short for that
    assert stop - start >= 3 * SPACE_LENGTH
    start, stop = block_of(100, 3, 20, 40)  # too short for anything
    assert (start + stop) / 2 == pytest.approx(50)


def test_lanes_run_beside_each_other():
    edition = load_edition("tiny")
    plate = plate_of(edition)
    lanes = [
        i for i, route in enumerate(edition.board.routes) if len(edition.board.pair_lanes(i)) == 2
    ]
    first, second = (path_points(plate.tracks[lane].path) for lane in lanes)
    assert np.hypot(*(first - second).T) == pytest.approx(LANE_STEP, abs=0.1)


# --- layouts --------------------------------------------------------------------------------


def test_a_map_without_a_section_is_laid_out():
    edition = without_plate("tiny")
    plate = plate_of(edition)
    assert problems(plate, edition) == []
    assert plate == draw(edition)  # the same every time


@pytest.mark.parametrize("name", ["tiny", pytest.param("usa", marks=pytest.mark.slow)])
def test_a_layout_is_the_same_on_every_machine(name):
    kept = (Path(__file__).parent / "layouts" / f"{name}.toml").read_text(encoding="utf-8")
    assert kept == runpy.run_path(str(TOOL))["layout"](name), "changed; run tools/make_plates.py"


def test_a_seed_tries_another_layout():
    edition = without_plate("tiny")
    assert new_section(edition, 0, seed=1) != new_section(edition, 0, seed=2)


def test_progress_is_told():
    told: list[float] = []
    new_section(without_plate("tiny"), 1, progress=told.append)
    assert told == sorted(told)
    assert 0 < told[0] <= told[-1] <= 1


def test_fixed_cities_stay_where_they_are():
    edition = load_edition("tiny")
    assert edition.plate
    cities = dict(edition.plate.cities)
    at = cities["Sinaia"]
    cities["Sinaia"] = CityMark(at.x + 12.5, at.y - 7, "w", fixed=True)
    moved = new_section(replace(edition, plate=replace(edition.plate, cities=cities)), 0)
    assert moved.cities["Sinaia"] == cities["Sinaia"]
    assert moved.cities["Brașov"] != cities["Brașov"]


@pytest.mark.parametrize(
    ("cities", "routes"),
    [
        ([("Nord", 47, 25), ("Sud", 44, 25)], [("Nord", "Sud", 2, 3)]),
        ([("A", 45, 24), ("B", 45, 25), ("C", 45, 26)], [("A", "B", 1, 1), ("B", "C", 9, 2)]),
        ([("A", 45, 24), ("B", 45, 24), ("C", 45, 24)], [("A", "B", 2, 1), ("B", "C", 3, 1)]),
    ],
    ids=["two cities", "in a line", "all at one place"],
)
def test_the_oddest_maps_have_a_plate(cities, routes):
    board = make_board(
        "odd",
        [City(name, lat, lon) for name, lat, lon in cities],
        [(a, b, n, "track", 0, ("gray",) * lanes) for a, b, n, lanes in routes],
        [],
    )
    edition = replace(without_plate("tiny"), board=board, source="odd")
    assert problems(plate_of(edition), edition) == []


def test_triangles_cover_the_points():
    points = np.random.default_rng(1).uniform(0, 100, (30, 2))
    triangles = delaunay(points)
    corners = points[np.array(triangles)]
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    assert (one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0] > 0).all()
    assert {corner for triangle in triangles for corner in triangle} == set(range(30))
    for triangle in triangles:  # no point inside the circle of another triangle
        a, b, c = points[list(triangle)]
        matrix = 2 * np.array([b - a, c - a])
        middle = np.linalg.solve(matrix, [b @ b - a @ a, c @ c - a @ a])
        assert (np.hypot(*(points - middle).T) >= np.hypot(*(a - middle)) - 1e-6).all()


def test_points_in_a_line_have_no_triangles():
    assert delaunay(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])) == []
    assert delaunay(np.array([[0.0, 0.0], [1.0, 1.0]])) == []


def test_a_picture_shows_everything():
    edition = load_edition("tiny")
    picture = picture_of(plate_of(edition), edition.board)
    assert picture.count("<circle") == len(edition.board.cities)
    assert picture.count("rotate(") == sum(route.length for route in edition.board.routes)
    assert "Târgoviște" in picture
