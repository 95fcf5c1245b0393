"""The report of a tournament: one self-contained HTML page.

`report.html.jinja` is the template; this module computes what it shows.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import macaz
from macaz.lab.arena import plots
from macaz.lab.arena.plots import MINUS, between, milliseconds, number, percent, percents, signed
from macaz.lab.arena.ratings import BotRating, Ratings, rate
from macaz.lab.arena.result import GameResult
from macaz.lab.pages import write_html

_TEMPLATE = Path(__file__).with_name("report.html.jinja")
MAX_ROWS = 1000  # of the table of games, so that browsers can open the page
_NOT_LISTED = ("command", "version", "digests")


class _Seat(NamedTuple):
    text: str
    won: bool


def write_report(settings: Mapping[str, object], results: Sequence[GameResult], path: Path) -> None:
    """Write the report of these games.

    The settings are listed; `edition` is in the title, `command` is shown, and with `records`
    the report says how to watch the games in its folder by their numbers.
    """
    ratings = rate(results)
    shown = {name: value for name, value in settings.items() if name not in _NOT_LISTED}
    shown["macaz"] = settings.get("version", macaz.__version__)
    folder = shlex.quote(str(path.parent))
    write_html(
        path,
        _TEMPLATE,
        title=f"Arena: {settings['edition']}" if "edition" in settings else "Arena",
        ratings=ratings,
        counted=_counted(ratings),
        lead=_lead(ratings),
        figures=_figures(ratings) if results else {},
        standings=[(bot.name, _standing(bot)) for bot in ratings.bots],
        failures=list(_failures(results)),
        games=results,
        max_rows=MAX_ROWS,
        watch=f"macaz arena watch {folder}" if settings.get("records") else "",
        worth_watching=_worth_watching(results) if results else (),
        seats_of=_seats,
        command=settings.get("command"),
        settings=[(name, _words(value)) for name, value in shown.items()],
    )


def _figures(ratings: Ratings) -> dict[str, str]:
    rest = (
        plots.scores_figure,
        plots.margins_figure,
        plots.turns_figure,
        plots.times_figure,
        plots.places_figure,
    )
    return {
        "ratings": plots.ratings_figure(ratings),
        "rest": "\n".join(figure(ratings) for figure in rest),
    }


def _counted(ratings: Ratings) -> str:
    deals = f"{ratings.deals:,} deal{'s' * (ratings.deals != 1)}"
    games = f"{ratings.games:,} game{'s' * (ratings.games != 1)}"
    return f"{games} of {ratings.seats} players on {deals}"


def _lead(ratings: Ratings) -> str:
    """The result in a sentence."""
    if not ratings.bots:
        return ""
    best, *others = ratings.bots
    text = f"{best.name} is first: {signed(best.elo.value)} Elo ({between(best.elo, signed)})"
    if others and (pair := ratings.pairs.get((best.name, others[0].name))):
        text += (
            f", with {percent(pair.share.value)} of the wins against {others[0].name}, the second "
            f"({percents(pair.share)})"
        )
    return text


def _standing(bot: BotRating) -> tuple[tuple[str, str], ...]:
    """The cells of a row: a value and a note."""
    return (
        (f"{bot.games:,}", ""),
        (percent(bot.wins.value), percents(bot.wins)),
        (signed(bot.elo.value), between(bot.elo, signed)),
        (number(bot.score.value), between(bot.score, number)),
        (f"{number(bot.tickets_done)} of {number(bot.tickets_kept)}", ""),
        (number(bot.turns), ""),
        (milliseconds(bot.decision_ms), f"slowest {milliseconds(bot.slowest_ms)}"),
        (f"{bot.failures:,}" if bot.failures else "–", ""),
    )


def _failures(results: Sequence[GameResult]) -> Iterator[tuple[int, str, str]]:
    """What went wrong: the game's number, the bot, why."""
    for index, game in enumerate(results, 1):
        for seat, why in enumerate(game.failures):
            if why:
                yield index, game.lineup[seat], why


def _worth_watching(results: Sequence[GameResult]) -> list[tuple[str, int]]:
    """A few remarkable games, with their numbers."""

    def lead(index: int) -> int:
        second, first = sorted(results[index].scores)[-2:]
        return first - second

    every = range(len(results))
    tables = all(len(game.scores) > 1 for game in results)
    return [
        *([("The closest", min(every, key=lead) + 1)] if tables else []),
        *([("The clearest", max(every, key=lead) + 1)] if tables else []),
        ("The highest score", max(every, key=lambda i: max(results[i].scores)) + 1),
        ("The shortest", min(every, key=lambda i: sum(results[i].turns)) + 1),
        ("The longest", max(every, key=lambda i: sum(results[i].turns)) + 1),
    ]


def _seats(game: GameResult) -> Iterator[_Seat]:
    """The bots by seat, with their scores and marks."""
    for seat, (bot, score) in enumerate(zip(game.lineup, game.scores, strict=True)):
        text = f"{'▸ ' * (seat == game.first)}{bot} {str(score).replace('-', MINUS)}"
        won = seat in game.winners
        yield _Seat(f"{text}{' ★' * won}{' ✗' * bool(game.failures[seat])}", won)


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "–"
    if isinstance(value, list | tuple):
        return ", ".join(_words(part) for part in value)
    return str(value)
