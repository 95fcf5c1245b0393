"""The output of `macaz arena`: progress bar, ratings, list of games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.text import Text

from macaz.cli.text import new_table, plural, signed, stdout

if TYPE_CHECKING:
    from rich.console import Console

    from macaz.lab.arena.result import GameResult


@contextmanager
def progress(
    console: Console, total: int, before: int, results: Iterable[GameResult]
) -> Iterator[Callable[[GameResult], None]]:
    """Show a progress bar with rate, time left and standing; nothing without a terminal."""
    if not console.is_terminal:
        yield lambda result: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from macaz.cli.bars import GamesRate

    standing = Standing()
    for result in results:
        standing.add(result)
    with Progress(
        BarColumn(),
        MofNCompleteColumn(),
        GamesRate(),
        TextColumn("left"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
    ) as bar:
        task = bar.add_task(str(standing), total=total, completed=before)

        def advance(result: GameResult) -> None:
            standing.add(result)
            bar.update(task, advance=1, description=str(standing))

        yield advance


class Standing:
    """The shares of the wins so far, for the progress bar."""

    def __init__(self) -> None:
        self._wins: dict[str, float] = {}
        self._games: dict[str, int] = {}

    def add(self, result: GameResult) -> None:
        for seat, bot in enumerate(result.lineup):
            self._wins[bot] = self._wins.get(bot, 0.0) + result.share(seat)
            self._games[bot] = self._games.get(bot, 0) + 1

    def __str__(self) -> str:
        """The best four bots in one line."""
        shares = {bot: self._wins[bot] / games for bot, games in self._games.items()}
        best = sorted(shares, key=lambda bot: -shares[bot])
        more = " …" if best[4:] else ""
        return " · ".join(f"{bot} {100 * shares[bot]:.0f} %" for bot in best[:4]) + more


def print_ratings(results: Sequence[GameResult]) -> None:
    """Print a row for each bot, the best first, and the failures."""
    from macaz.lab.arena.ratings import rate

    console, ratings = stdout(), rate(results)
    table = new_table()
    table.add_column("bot")
    for heading in ("games", "wins", "95 %", "rating", "95 %", "score", "turns", "ms a decision"):
        table.add_column(heading, justify="right")
    for bot in ratings.bots:
        table.add_row(
            Text(bot.name),
            f"{bot.games:,}",
            f"{100 * bot.wins.value:.1f} %",
            f"{100 * bot.wins.low:.1f}–{100 * bot.wins.high:.1f} %",
            signed(bot.elo.value, 0),
            f"{signed(bot.elo.low, 0)} to {signed(bot.elo.high, 0)}",
            signed(bot.score.value),
            f"{bot.turns:.1f}",
            f"{bot.decision_ms:.2f}",
        )
    console.print(table)
    for bot in ratings.bots:
        if bot.failures:
            console.print(Text(_failures(bot.name, bot.failures, results)), soft_wrap=True)


def _failures(bot: str, times: int, results: Sequence[GameResult]) -> str:
    number, why = next(
        (number, why)
        for number, result in enumerate(results, 1)
        for text, why in zip(result.lineup, result.failures, strict=True)
        if text == bot and why
    )
    return f"{bot} failed {plural(times, 'time')}, and lost; first in game {number}, {why}"


def list_games(results: Iterable[GameResult]) -> None:
    """Print a row for each game, with its number."""
    table = new_table()
    for heading in ("game", "deal"):
        table.add_column(heading, justify="right")
    table.add_column("bots by seat, with their scores; ★ won, ✗ failed")
    for number, result in enumerate(results, 1):
        seats = (
            f"{bot} {signed(score, 0)}{' ★' * (seat in result.winners)}{' ✗' * bool(why)}"
            for seat, (bot, score, why) in enumerate(
                zip(result.lineup, result.scores, result.failures, strict=True)
            )
        )
        table.add_row(str(number), str(result.deal), Text(", ".join(seats)))
    stdout().print(table)
