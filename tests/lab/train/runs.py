"""Creates folders and settings of trainings for tests."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.networks import untrained

from macaz.bots.network import about_network, write_network
from macaz.edition import load_edition
from macaz.lab.train.folder import NETWORK, RATINGS, begin
from macaz.lab.train.journal import Journal
from macaz.lab.train.lines import add_line
from macaz.lab.train.progress import Progress
from macaz.lab.train.ratings import LADDER, Mark, Rating
from macaz.lab.train.settings import Settings, settings_for

LEVELS = dict(zip(LADDER, (0.97, 0.85, 0.72), strict=True))


def settings() -> Settings:
    return settings_for("tiny", "small")


def settings_of(edition: str, seats: tuple[int, ...], games: int, **more: Any) -> Settings:
    return Settings(edition=edition, seats=seats, games=games, device="cpu", **more)


def progress_after(iteration: int, **numbers: float) -> Progress:
    """An iteration of a second, 1000 decisions and 10 games."""
    return Progress(
        iteration=iteration,
        seconds=float(iteration),
        decisions=1000 * iteration,
        games=10 * iteration,
        rate=1000.0,
        spent={"games": 0.5, "network": 0.2, "learning": 0.25, "other": 0.05},
        numbers={"loss": 1 / iteration, "learning/entropy": 0.5, **numbers},
    )


def share_after(iteration: int, level: float) -> float:
    return level * (1 - math.exp(-iteration / 60))


def make_run(folder: Path, iterations: int = 240, every: int = 60) -> Path:
    """A folder with a log and ratings of a training that went well."""
    begin(folder, settings(), resume=False)
    with Journal(folder, device="a machine") as journal:
        for i in range(1, iterations + 1):
            wins = {f"wins/{bot}": share_after(i, level) for bot, level in LEVELS.items()}
            journal.add(progress_after(i, **wins))
            for bot in LADDER if i % every == 0 else ():
                add_line(folder / RATINGS, rating(i, bot))
    return folder


def make_network(folder: Path, iteration: int) -> None:
    """Save an untrained network, as if after this iteration."""
    tiny, done = load_edition("tiny"), progress_after(iteration)
    about = about_network(tiny, decisions=done.decisions, games=done.games)
    write_network(folder / NETWORK, replace(untrained(tiny), about=about))


def rating(iteration: int, opponent: str, players: int = 2) -> Rating:
    share = share_after(iteration, LEVELS[opponent])
    return Rating(
        iteration=iteration,
        decisions=1000 * iteration,
        trained_games=10 * iteration,
        minutes=iteration / 60,
        players=players,
        opponent=opponent,
        share=share,
        low=share - 0.05,
        high=share + 0.04,
        games=200,
        failures=0,
        opponent_failures=0,
    )


def mark(iteration: int) -> Mark:
    return Mark.of(progress_after(iteration))
