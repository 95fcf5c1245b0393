"""What measures how well chances are forecast: it measures the figures that are shown."""

from __future__ import annotations

import argparse
import runpy
from pathlib import Path

import pytest
from tests.help.positions import TABLES, positions

from macaz.help.comparison import Comparison
from macaz.help.compiled.rank import KAPPA

TOOL = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "calibration.py"))
WIDTH = TOOL["WIDTHS"].index(KAPPA)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_forecast_is_the_chance_that_is_shown(edition, seats):
    for position in positions(edition, seats, 6)[::2]:
        action = position.actions[0]
        found = Comparison(position.view, seed=7, only=(action,))
        found.run(TOOL["TRIES"] // 16)
        one = TOOL["Forecast"](edition, 0, seats, 0.0, *TOOL["forecast"](position.view, action, 7))
        assert TOOL["shown"](one, WIDTH) == pytest.approx(found.chances[position.seat], abs=1e-3)


def test_games_are_measured_told_and_drawn(tmp_path: Path, capsys):
    jobs = [(3, "tiny 2", number) for number in range(8)]
    found = [one for job in jobs for one in TOOL["forecasts_of"](job)]
    assert found == [one for job in jobs for one in TOOL["forecasts_of"](job)]
    assert {one.won for one in found} <= {0.0, 0.5, 1.0}
    rows = TOOL["bins"](found, WIDTH)
    assert sum(count for *_, count in rows) == len(found) > 5
    asked = argparse.Namespace(file=tmp_path / "found.json", picture=tmp_path / "plot.svg")
    TOOL["write"](asked.file, len(jobs), found)
    TOOL["tell"](asked)
    assert capsys.readouterr().out.startswith(f"{len(found)} forecasts of 64 tries")
    TOOL["plot"](asked)
    assert asked.picture.stat().st_size > 1000
