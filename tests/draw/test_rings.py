"""Rings, lines and their smooth paths."""

from __future__ import annotations

import re

import numpy as np
import pytest

from macaz.draw.curves import eased, line_path, ring_path, straight_path
from macaz.draw.rings import (
    clip_line,
    clip_ring,
    inside,
    line_length,
    nearest_on_rings,
    ring_area,
    ring_length,
    subdivided,
    thinned,
    without_spikes,
)

SQUARE = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])
BOX = (0.0, 0.0, 10.0, 10.0)


def circle(radius: float, count: int = 200) -> np.ndarray:
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)


@pytest.mark.parametrize(
    ("shift", "area"), [((0, 0), 100), ((5, 0), 50), ((5, -5), 25), ((20, 0), 0), ((-3, 8), 14)]
)
def test_an_area_is_cut_to_a_box(shift, area):
    cut = clip_ring(SQUARE + shift, BOX)
    assert (ring_area(cut) if len(cut) else 0) == pytest.approx(area)


def test_an_area_around_the_box_becomes_the_box():
    cut = clip_ring(circle(100), BOX)
    assert ring_area(cut) == pytest.approx(100)
    assert cut.min() == 0
    assert cut.max() == 10


def test_a_line_is_cut_into_its_pieces_inside_a_box():
    line = np.array([[-5.0, 2.0], [15.0, 2.0], [15.0, 6.0], [5.0, 6.0], [5.0, 8.0]])
    first, second = clip_line(line, BOX)
    assert first.tolist() == [[0, 2], [10, 2]]
    assert second.tolist() == [[10, 6], [5, 6], [5, 8]]
    assert clip_line(line + 100, BOX) == []


def test_edges_are_divided_without_changing_the_outline():
    divided = subdivided(SQUARE, 3.0, closed=True)
    assert len(divided) == 16
    assert ring_area(divided) == pytest.approx(100)
    assert ring_length(divided) == pytest.approx(40)
    line = subdivided(SQUARE, 3.0, closed=False)
    assert len(line) == 13
    assert line_length(line) == pytest.approx(30)
    assert line[-1].tolist() == SQUARE[-1].tolist()


def test_thinning_keeps_the_shape_and_the_ends():
    ring = circle(100)
    few = thinned(ring, 5.0, closed=True)
    assert len(few) < 60
    assert ring_area(few) == pytest.approx(ring_area(ring), rel=0.03)
    line = ring[:100]
    short = thinned(line, 5.0, closed=False)
    assert len(short) < 30
    assert (short[[0, -1]] == line[[0, -1]]).all()
    assert len(thinned(ring, 1e9, closed=True)) == 4
    assert len(thinned(line, 1e9, closed=False)) == 2


@pytest.mark.parametrize("turn", range(8))
def test_a_spike_is_taken_back_to_its_root(turn):
    spiked = np.array(
        [[0, 0], [40, 0], [40, 19], [90, 19.5], [150, 20], [90, 20.5], [40, 21], [40, 40]]
    )
    found = without_spikes(np.roll(np.vstack([spiked, [[0, 40]]]), turn, axis=0), 20.0, 2.0)
    assert found.max() == 40
    assert ring_area(found) == pytest.approx(1600)
    assert len(without_spikes(circle(100), 20.0, 2.0)) == 200


def test_a_hole_is_outside():
    points = np.array([[5.0, 5.0], [1.0, 1.0], [-1.0, 5.0], [11.0, 5.0]])
    hole = SQUARE * 0.5 + 2.5
    assert inside(points, [SQUARE]).tolist() == [True, True, False, False]
    assert inside(points, [SQUARE, hole]).tolist() == [False, True, False, False]


def test_the_nearest_shore_is_found():
    shore = nearest_on_rings(np.array([13.0, 4.0]), [SQUARE, SQUARE + 100])
    assert shore is not None
    assert shore.tolist() == [10, 4]
    assert nearest_on_rings(np.array([13.0, 4.0]), []) is None


def numbers(path: str) -> list[float]:
    return [float(text) for text in re.findall(r"-?\d*\.?\d+", path)]


def test_a_square_becomes_a_smooth_ring():
    assert ring_path(SQUARE) == "M0 5q0-5 5-5t5 5-5 5-5-5z"


def test_a_line_keeps_its_ends():
    assert line_path(np.array([[0, 0], [10.04, -0.26]])) == "M0 0q5-.1 10-.3"
    x, y, *rest = numbers(line_path(circle(100)[:30]))
    ends = np.reshape([rest[2:]], (-1, 2)).sum(axis=0) + np.array((x, y))
    assert ends == pytest.approx(circle(100)[29], abs=0.06)


def test_a_straight_path_says_where_its_points_are():
    assert straight_path(np.array([[0, 0], [10.04, -0.26], [7, 1]])) == "M0 0L10-.3 7 1"


def test_rounding_does_not_add_up_along_a_long_path():
    points = circle(500, 3000)
    x, y, *rest = numbers(ring_path(points))
    at, control = np.array([x, y]), np.array([x, y]) + rest[:2]
    for number, move in enumerate(np.reshape(rest[2:], (-1, 2))):
        assert control == pytest.approx(points[number], abs=0.11)
        at = at + move
        control = 2 * at - control
    assert at == pytest.approx((x, y))


def test_corners_are_rounded_only_a_little():
    big = SQUARE * 10
    assert eased(big, 5.0, closed=True).tolist()[:4] == [[0, 0], [5, 0], [95, 0], [100, 0]]
    assert len(eased(big, 5.0, closed=True)) == 12
    assert len(eased(big, 5.0, closed=False)) == 10
    assert (eased(SQUARE, 5.0, closed=True) == SQUARE).all()
