"""Several tournaments together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from macaz.lab.arena.store import read_games
from pool import pooled

TOOL = Path(__file__).parents[2] / "tools" / "behaviour"


def test_every_game_has_the_same_weight(tmp_path):
    cups = []
    for edition, games in (("tiny", 4), ("usa-classic", 2)):
        cups.append(tmp_path / edition)
        play = [sys.executable, "-m", "macaz", "arena", "--bots", "greedy,random", "-e", edition]
        command = [*play, "--games", str(games), "--seed", "1", "--out", str(cups[-1])]
        subprocess.run(command, check=True, capture_output=True)
    found = pooled(cups)
    played = [game for cup in cups for game in read_games(cup)]
    assert {bot: rows.shape for bot, rows in found.items()} == dict.fromkeys(
        ("greedy", "random"), (3, 2)
    ), "two deals of the first tournament, one of the second"
    for bot, rows in found.items():
        won = sum(game.share(game.lineup.index(bot)) for game in played)
        assert rows.sum(axis=0).tolist() == [won, 6]
    printed = subprocess.run(
        [sys.executable, str(TOOL), "pool", *map(str, cups)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    assert [line.split()[:3] for line in printed] == [
        ["greedy", "6", "games"],
        ["random", "6", "games"],
    ]
    assert all("–" in line for line in printed)
