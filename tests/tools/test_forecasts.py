"""The comparison of forecasts with the results of games."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from forecasts import forecasts, share
from macaz.lab.arena.store import read_games

TOOL = Path(__file__).parents[2] / "tools" / "behaviour"


def arena(folder: Path, bots: str, edition: str, games: int) -> Path:
    """A tournament with its records."""
    play = [sys.executable, "-m", "macaz", "arena", "--bots", bots, "-e", edition, "--seed", "1"]
    command = [*play, "--games", str(games), "--out", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def test_every_decision_of_the_bot_has_a_forecast(tmp_path):
    cup = arena(tmp_path / "cup", "learned,random", "usa-classic", 4)
    found = [*forecasts(cup, "learned")]
    games = [*read_games(cup)]
    seats = [game.lineup.index("learned") for game in games]
    assert len(found) == sum(game.decisions[p] for game, p in zip(games, seats, strict=True))
    assert {won for _, won, _ in found} == {1.0}, "it wins against the random bot"
    assert all(0 <= forecast <= 1 for forecast, _, _ in found)
    assert np.mean([forecast for forecast, _, _ in found]) > 0.7, "and forecasts it"
    printed = subprocess.run(
        [sys.executable, str(TOOL), "forecasts", str(cup)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert printed.startswith(f"{len(found)} decisions of learned, in 2 deals\n")
    rows = re.findall(r"^ *\d+%– *\d+% +([\d,]+) +[\d.]+% +100\.0%(?: |$)", printed, re.MULTILINE)
    assert sum(int(row.replace(",", "")) for row in rows) == len(found)


def test_a_share_has_an_interval_over_whole_deals():
    won = np.array([1.0, 1.0, 0.0, 0.0])
    assert share(won, np.array([3, 3, 5, 5])) == " 50.0% (0.0%–100.0%)"
    assert share(won, np.array([3, 5, 3, 5])) == " 50.0% (50.0%–50.0%)"
    assert share(won, np.array([3, 3, 3, 3])) == " 50.0%", "one deal has no interval"


def test_an_edition_without_a_network_is_reported(tmp_path):
    cup = arena(tmp_path / "cup", "greedy,random", "tiny", 2)
    wrong = subprocess.run(
        [sys.executable, str(TOOL), "forecasts", str(cup)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("behaviour: Macaz has no network for ")
