"""The chart of a training shows the data of its folder."""

from __future__ import annotations

import re

import pytest
from tests.lab.train.runs import make_run, rating, settings

from macaz.errors import MacazError
from macaz.lab.train.folder import RATINGS, begin
from macaz.lab.train.journal import read_log
from macaz.lab.train.lines import add_line
from macaz.lab.train.plots import colors_of, draw, means, short, time_spent
from macaz.lab.train.ratings import read_ratings

pytestmark = pytest.mark.portable


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_picture_is_drawn_and_the_same_again(kind, tmp_path):
    folder = make_run(tmp_path / "run")
    one, two = tmp_path / f"one.{kind}", tmp_path / f"two.{kind}"
    draw(folder, one)
    draw(folder, two)
    assert one.read_bytes() == two.read_bytes()
    assert one.stat().st_size > 5000


def test_it_can_be_drawn_before_anything_is_rated(tmp_path):
    folder = make_run(tmp_path / "run", iterations=1, every=5)
    draw(folder, tmp_path / "curve.svg")
    assert re.search("<!-- learning", (tmp_path / "curve.svg").read_text())


def test_nothing_can_be_drawn_of_nothing(tmp_path):
    begin(tmp_path, settings(), resume=False)
    with pytest.raises(MacazError, match="no finished iteration"):
        draw(tmp_path, tmp_path / "curve.svg")


def test_each_table_has_its_own_colour(tmp_path):
    folder = make_run(tmp_path / "run")
    add_line(folder / RATINGS, rating(240, "greedy", players=4))
    colors = colors_of(read_log(folder), read_ratings(folder))
    assert list(colors) == ["greedy", "racer", "planner", "greedy, 4 seats"]
    assert len(set(colors.values())) == 4


def test_the_time_is_summed_by_part(tmp_path):
    log = read_log(make_run(tmp_path / "run", iterations=4))
    found = time_spent(log)
    assert found == pytest.approx({"games": 2, "network": 0.8, "learning": 1, "other": 0.2})


@pytest.mark.parametrize(
    ("number", "words"),
    [(0.25, "0.25"), (999, "999"), (12_345, "12.3 k"), (2.5e6, "2.5 M"), (3e9, "3 G")],
)
def test_large_numbers_are_short(number, words):
    assert short(number).replace("\u202f", " ") == words


def test_many_points_become_few_means():
    points = [(float(i), float(i % 2)) for i in range(100)]
    found = means(points, most=50)
    assert len(found) == 50
    assert found[0] == (0.5, 0.5)
    assert means(points[:3], most=50) == points[:3]
    assert means([]) == []
