"""The distortion of the plane: cities reach their positions, and nothing is folded."""

from __future__ import annotations

import numpy as np
import pytest

from macaz.draw.warp import LEAST_STRETCH, Step, Warp

WIDTH, HEIGHT = 1600.0, 1000.0


def some_cities(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2000, 2000, (count, 2)) * (1, 0.6)


def on_board(sources: np.ndarray) -> np.ndarray:
    return sources * 0.35 + (800, 500)


def areas_after(warp: Warp) -> np.ndarray:
    """The growth factor of the areas of tiny squares all over the board after the distortion."""
    x, y = np.meshgrid(np.arange(-300, 1900, 25.0), np.arange(-300, 1300, 25.0))
    flat = np.stack([x, y], axis=-1).reshape(-1, 2)
    tiny = 1e-3
    corner, right, down = (
        warp(warp.back(flat + np.array(step))) for step in ((0, 0), (tiny, 0), (0, tiny))
    )
    (a, b), (c, d) = (right - corner).T / tiny, (down - corner).T / tiny
    return np.asarray(a * d - b * c)


@pytest.mark.parametrize("count", [1, 2, 3, 6, 40])
def test_cities_that_need_not_move_leave_the_plane_flat(count):
    sources = some_cities(count)
    warp = Warp.onto(sources, on_board(sources), WIDTH, HEIGHT)
    if count > 1:
        assert warp(np.array([[0.0, 0.0]])) == pytest.approx(np.array([[800.0, 500.0]]))
        assert areas_after(warp) == pytest.approx(1)
    assert warp(sources) == pytest.approx(on_board(sources))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [2, 5, 40])
def test_every_city_comes_to_its_place_and_nothing_is_turned_over(count, seed):
    sources = some_cities(count, seed)
    places = on_board(sources) + np.random.default_rng(seed + 100).uniform(-60, 60, (count, 2))
    warp = Warp.onto(sources, places, WIDTH, HEIGHT)
    assert warp(sources) == pytest.approx(places, abs=0.05)
    assert areas_after(warp).min() > 0


def test_the_plane_is_not_turned_over_even_where_cities_change_places():
    sources = some_cities(30)
    places = on_board(sources)
    places[[3, 4]] = places[[4, 3]]
    warp = Warp.onto(sources, places, WIDTH, HEIGHT)
    assert areas_after(warp).min() > 0


def test_far_away_the_plane_is_only_shifted_and_scaled():
    sources = some_cities(40)
    places = on_board(sources) + np.random.default_rng(7).uniform(-40, 40, (40, 2))
    warp = Warp.onto(sources, places, WIDTH, HEIGHT)
    far = np.array([[40000.0, 0.0], [0.0, -40000.0]])
    assert warp(far) == pytest.approx(far @ warp.matrix + warp.shift, abs=0.1)


def test_two_cities_at_one_place_are_no_trouble():
    sources = np.array([[0.0, 0.0], [0.0, 0.0], [100.0, 50.0], [-80.0, 90.0], [60.0, -70.0]])
    warp = Warp.onto(sources, sources * 5 + 800, WIDTH, HEIGHT)
    assert warp(sources) == pytest.approx(sources * 5 + 800, abs=0.05)


def test_all_cities_at_one_place_are_no_trouble():
    warp = Warp.onto(np.zeros((3, 2)), np.full((3, 2), 500.0), WIDTH, HEIGHT)
    assert warp(np.zeros((1, 2))) == pytest.approx(500.0)


def test_a_step_knows_how_much_it_squeezes():
    centres = np.array([[0.0, 0.0], [100.0, 0.0]])
    towards = np.array([[1.0, 0.0], [-1.0, 0.0]])
    grid = np.array([[50.0, 0.0], [20.0, 5.0]])
    gentle = Step.moving(centres, 5 * towards, 100.0, 0.0)
    harsh = Step.moving(centres, 90 * towards, 100.0, 0.0)
    assert LEAST_STRETCH < gentle.least_stretch(grid) < 1
    assert harsh.least_stretch(grid) < 0
    small = 1e-3
    for point in grid:
        corner, right, down = gentle(point + np.array([[0, 0], [small, 0], [0, small]]))
        measured = np.linalg.det(np.array([right - corner, down - corner])) / small**2
        assert gentle.least_stretch(point[None]) == pytest.approx(measured, rel=1e-3)
