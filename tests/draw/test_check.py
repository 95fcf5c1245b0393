"""The geometric check: the plates of Macaz pass, and every planted defect is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from macaz.draw.check import problems
from macaz.draw.labels import label_box, text_width
from macaz.draw.plates import plate_of
from macaz.draw.shapes import (
    distance_to_box,
    distance_to_line,
    lines_cross,
    overlap_depth,
    path_points,
)
from macaz.edition import Edition, list_editions, load_edition
from macaz.edition.plate import CityPlace, Plate, Space, Track

Change = Callable[[Plate, Edition], Plate]


@pytest.mark.parametrize("name", list_editions())
def test_the_plates_that_come_with_macaz_are_sound(name):
    edition = load_edition(name)
    assert problems(plate_of(edition), edition) == []


# --- planted defects ------------------------------------------------------------------------


def lane_of(edition: Edition, one: str, other: str, lane: int = 0) -> int:
    board = edition.board
    ends = {board.city_index(one), board.city_index(other)}
    return next(
        index
        for index, route in enumerate(board.routes)
        if {route.a, route.b} == ends and route.lane == lane
    )


def with_track(plate: Plate, lane: int, track: Track) -> Plate:
    tracks = list(plate.tracks)
    tracks[lane] = track
    return replace(plate, tracks=tuple(tracks))


def with_city(plate: Plate, city: int, **change: Any) -> Plate:
    cities = list(plate.cities)
    cities[city] = replace(cities[city], **change)
    return replace(plate, cities=tuple(cities))


def with_spaces(plate: Plate, lane: int, change: Callable[[list[Space]], list[Space]]) -> Plate:
    track = plate.tracks[lane]
    return with_track(plate, lane, replace(track, spaces=tuple(change(list(track.spaces)))))


def a_city_is_missing(plate: Plate, edition: Edition) -> Plate:
    return replace(plate, cities=plate.cities[1:])


def a_lane_is_missing(plate: Plate, edition: Edition) -> Plate:
    return replace(plate, tracks=plate.tracks[1:])


def a_space_is_missing(plate: Plate, edition: Edition) -> Plate:
    lane = lane_of(edition, "Roma", "Venezia")
    return with_spaces(plate, lane, lambda spaces: spaces[1:])


def a_lane_lies_on_another(plate: Plate, edition: Edition) -> Plate:
    lane = lane_of(edition, "Paris", "Pamplona")
    return with_track(plate, lane, plate.tracks[lane_of(edition, "Paris", "Pamplona", 1)])


def a_space_lies_on_a_city(plate: Plate, edition: Edition) -> Plate:
    wien = plate.cities[edition.board.city_index("Wien")]
    lane = lane_of(edition, "Wien", "München")
    return with_spaces(plate, lane, lambda s: [replace(s[0], x=wien.x, y=wien.y + 18), *s[1:]])


def two_cities_meet(plate: Plate, edition: Edition) -> Plate:
    wien = plate.cities[edition.board.city_index("Wien")]
    return with_city(plate, edition.board.city_index("Zagrab"), x=wien.x + 20, y=wien.y)


def a_label_lies_on_a_track(plate: Plate, edition: Edition) -> Plate:
    space = plate.tracks[lane_of(edition, "Roma", "Venezia")].spaces[0]
    roma = edition.board.city_index("Roma")
    return with_city(plate, roma, label_x=space.x, label_y=space.y)


def a_label_lies_on_its_city(plate: Plate, edition: Edition) -> Plate:
    roma = edition.board.city_index("Roma")
    return with_city(plate, roma, label_x=plate.cities[roma].x, label_y=plate.cities[roma].y)


def a_label_lies_on_a_label(plate: Plate, edition: Edition) -> Plate:
    roma, cadiz = (edition.board.city_index(name) for name in ("Roma", "Cadiz"))
    other = plate.cities[cadiz]
    return with_city(plate, roma, label_x=other.label_x, label_y=other.label_y)


def a_label_strays(plate: Plate, edition: Edition) -> Plate:
    london = edition.board.city_index("London")
    city = plate.cities[london]
    return with_city(plate, london, label_x=city.x - 60, label_y=city.y, anchor="end")


def a_label_lies_behind_a_track(plate: Plate, edition: Edition) -> Plate:
    """The first space of a track points from the city straight at its label."""
    lane = lane_of(edition, "Edinburgh", "London")
    city, space = plate.cities[edition.board.city_index("Edinburgh")], plate.tracks[lane].spaces[0]
    plate = with_city(
        plate, edition.board.city_index("Edinburgh"), label_x=city.x, label_y=city.y + 46
    )
    across = replace(space, x=city.x, y=city.y + 22, angle=0.0)
    return with_spaces(plate, lane, lambda spaces: [across, *spaces[1:]])


def a_label_hangs_over_a_track(plate: Plate, edition: Edition) -> Plate:
    """Above the track to Essen, away from Berlin."""
    berlin = edition.board.city_index("Berlin")
    city = plate.cities[berlin]
    return with_city(plate, berlin, label_x=city.x - 38, label_y=city.y - 32.6, anchor="middle")


def a_label_lies_at_the_track_of_others(plate: Plate, edition: Edition) -> Plate:
    """Below the track to Berlin, at the one from Berlin to Frankfurt."""
    essen = edition.board.city_index("Essen")
    city = plate.cities[essen]
    return with_city(plate, essen, label_x=city.x + 37, label_y=city.y + 43.4, anchor="middle")


def a_label_lies_at_another_city(plate: Plate, edition: Edition) -> Plate:
    smyrna, angora = (edition.board.city_index(name) for name in ("Smyrna", "Angora"))
    other = plate.cities[angora]
    return with_city(plate, smyrna, label_x=other.x, label_y=other.y - 20, anchor="middle")


def a_label_leaves_the_board(plate: Plate, edition: Edition) -> Plate:
    return with_city(plate, edition.board.city_index("Roma"), label_x=plate.width - 4)


def a_city_leaves_the_board(plate: Plate, edition: Edition) -> Plate:
    return with_city(plate, edition.board.city_index("Lisboa"), x=-3.0)


def the_board_is_too_small(plate: Plate, edition: Edition) -> Plate:
    return replace(plate, height=plate.height - 300)


def the_spaces_run_backwards(plate: Plate, edition: Edition) -> Plate:
    lane = lane_of(edition, "Roma", "Marseille")
    return with_spaces(plate, lane, lambda spaces: spaces[::-1])


def a_space_slips_along_its_lane(plate: Plate, edition: Edition) -> Plate:
    lane = lane_of(edition, "Paris", "Marseille")

    def slip(spaces: list[Space]) -> list[Space]:
        along = np.radians(spaces[1].angle)
        x, y = spaces[1].x + 2.0 * np.cos(along), spaces[1].y + 2.0 * np.sin(along)
        return [spaces[0], replace(spaces[1], x=float(x), y=float(y)), *spaces[2:]]

    return with_spaces(plate, lane, slip)


def a_space_slips_off_its_lane(plate: Plate, edition: Edition) -> Plate:
    lane = lane_of(edition, "Edinburgh", "London")

    def slip(spaces: list[Space]) -> list[Space]:
        return [replace(space, x=space.x - 3) for space in spaces]

    return with_spaces(plate, lane, slip)


def two_lanes_are_not_parallel(plate: Plate, edition: Edition) -> Plate:
    lane = lane_of(edition, "Edinburgh", "London")
    track = plate.tracks[lane]
    first, *rest = track.path.removeprefix("M").split("L")
    x, y = map(float, first.split())
    return with_track(plate, lane, replace(track, path=f"M{x - 5:g} {y:g}L{'L'.join(rest)}"))


def two_routes_cross(plate: Plate, edition: Edition) -> Plate:
    """A track across another, between two of its spaces."""
    other = plate.tracks[lane_of(edition, "Paris", "Marseille")].spaces
    x, y = (other[0].x + other[1].x) / 2, (other[0].y + other[1].y) / 2
    across = np.radians(other[0].angle + 90)
    dx, dy = 30 * np.cos(across), 30 * np.sin(across)
    lane = lane_of(edition, "Barcelona", "Madrid")
    spaces = tuple(
        Space(float(x + side * dx), float(y + side * dy), float(np.degrees(across)))
        for side in (-1, 1)
    )
    return with_track(plate, lane, Track(f"M{x - dx:g} {y - dy:g}L{x + dx:g} {y + dy:g}", spaces))


def a_route_runs_between_two_others(plate: Plate, edition: Edition) -> Plate:
    track = plate.tracks[lane_of(edition, "Barcelona", "Pamplona")]
    for lane, aside in (
        (lane_of(edition, "Barcelona", "Madrid"), 16.0),
        (lane_of(edition, "Roma", "Venezia"), -16.0),
    ):
        ends = path_points(track.path)[[0, -1]] + np.array([aside, 0.0])
        path = "M" + "L".join(f"{x:g} {y:g}" for x, y in ends)
        spaces = tuple(replace(space, x=space.x + aside) for space in track.spaces)
        plate = with_track(plate, lane, Track(path, spaces))
    return plate


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (a_city_is_missing, "46 cities are drawn, of 47"),
        (a_lane_is_missing, "100 lanes are drawn, of 101"),
        (a_space_is_missing, "Roma–Venezia (lane 1) has 1 spaces instead of 2"),
        (a_lane_lies_on_another, "spaces of Pamplona–Paris (lane 1) and Pamplona–Paris (lane 2)"),
        (a_space_lies_on_a_city, "a space of München–Wien (lane 1) is too near to Wien"),
        (two_cities_meet, "Wien and Zagrab are too near to each other"),
        (a_label_lies_on_a_track, "the label of Roma touches Roma–Venezia (lane 1)"),
        (a_label_lies_on_its_city, "the label of Roma is too near to it"),
        (a_label_lies_on_a_label, "the labels of Cadiz and Roma touch"),
        (a_label_strays, "the label of London is too far from it"),
        (a_label_lies_behind_a_track, "Edinburgh–London (lane 1) runs between Edinburgh and its"),
        (a_label_hangs_over_a_track, "the label of Berlin lies along Berlin–Essen (lane 1)"),
        (a_label_lies_at_the_track_of_others, "the label of Essen is nearer to Berlin–Frankfurt"),
        (a_label_lies_at_another_city, "the label of Smyrna is nearly as near to Angora"),
        (a_label_leaves_the_board, "the label of Roma leaves the board"),
        (a_city_leaves_the_board, "Lisboa leaves the board"),
        (the_board_is_too_small, "leaves the board"),
        (the_spaces_run_backwards, "the spaces of Marseille–Roma (lane 1) are not in order"),
        (a_space_slips_along_its_lane, "the gaps of Marseille–Paris (lane 1) are"),
        (a_space_slips_off_its_lane, "the spaces of Edinburgh–London (lane 1) lie beside its line"),
        (two_lanes_are_not_parallel, "the lanes of Edinburgh–London are"),
        (two_routes_cross, "Barcelona–Madrid and Marseille–Paris cross"),
        (a_route_runs_between_two_others, "Barcelona–Pamplona leaves a finger only"),
    ],
)
def test_a_planted_defect_is_found(change: Change, words: str) -> None:
    edition = load_edition("europe")
    found = problems(change(plate_of(edition), edition), edition)
    assert any(words in problem for problem in found), found


def test_lanes_are_wide_enough_apart_for_a_finger():
    edition = load_edition("tiny")
    narrow = replace(plate_of(edition), lane_step=11.0)
    assert "the lanes of a double route are too near for a finger" in problems(narrow, edition)


# --- the shapes -----------------------------------------------------------------------------


def square(x: float, y: float, half: float, turn: float = 0.0) -> np.ndarray:
    angles = np.radians(turn + np.array([-135, -45, 45, 135]))
    return np.array([x, y]) + half * 2**0.5 * np.stack([np.cos(angles), np.sin(angles)], axis=1)


@pytest.mark.parametrize(
    ("one", "other", "depth"),
    [
        (square(0, 0, 1), square(1.5, 0, 1), 0.5),
        (square(0, 0, 1), square(2.5, 0, 1), -0.5),
        (square(0, 0, 1), square(2.2, 2.2, 1, turn=45), 2**0.5 + 1 - 2.2 * 2**0.5),
        # Their bounding boxes overlap, but they do not.
        (square(0, 0, 1, turn=45), square(1.6, 1.6, 1, turn=45), 2 - 1.6 * 2**0.5),
    ],
)
def test_how_deep_rectangles_overlap(one, other, depth):
    assert overlap_depth(one[None], other[None])[0] == pytest.approx(depth)
    assert overlap_depth(other[None], one[None])[0] == pytest.approx(depth)


def test_how_far_a_point_is_from_a_rectangle():
    corners = np.stack([square(0, 0, 1, turn=30)] * 3)
    along = np.array([np.cos(np.radians(30)), np.sin(np.radians(30))])
    points = np.stack([0.5 * along, 3 * along, 2 * along + 2 * np.array([-along[1], along[0]])])
    assert distance_to_box(points, corners) == pytest.approx([0, 2, 2**0.5])


def test_a_path_is_followed():
    points = path_points("M0 0L10 0C20 0 20 0 20 10")
    assert points[0] == pytest.approx([0, 0])
    assert points[-1] == pytest.approx([20, 10])
    assert distance_to_line(np.array([[5.0, 3.0], [25.0, 10.0]]), points) == pytest.approx([3, 5])


def test_lines_cross_or_do_not():
    line = np.array([[0.0, 0.0], [10.0, 0.0], [20.0, 5.0]])
    assert lines_cross(line, np.array([[15.0, -5.0], [15.0, 9.0]]))
    assert not lines_cross(line, np.array([[15.0, 4.0], [15.0, 9.0]]))


# --- labels ---------------------------------------------------------------------------------


def test_a_label_is_as_wide_as_its_letters():
    assert text_width("") == 0
    assert text_width("WWW") > 2 * text_width("iii")
    assert text_width("Zürich") == text_width("Zurich")
    assert text_width("ab") == pytest.approx(text_width("a") + text_width("b"))


def test_a_label_hangs_on_its_anchor():
    width = text_width("Roma")
    lefts = {
        anchor: label_box("Roma", CityPlace(0, 0, 100, 50, anchor))[0]
        for anchor in ("start", "middle", "end")
    }
    assert lefts == pytest.approx({"start": 100, "middle": 100 - width / 2, "end": 100 - width})
