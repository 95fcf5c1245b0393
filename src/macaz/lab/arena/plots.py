"""The figures of the report: rows of a name, a small plot and a number, on one scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from macaz.lab.arena import svg
from macaz.lab.arena.ratings import BotRating, Estimate, Ratings

MINUS = "\u2212"
ORDER = ("begins", "second", "third", "fourth", "fifth", "sixth")


class Row(NamedTuple):
    """A row of a figure; the plot is SVG, the others are plain text."""

    name: str
    plot: str
    value: str
    note: str = ""


def signed(value: float) -> str:
    """A whole number with its sign, where minus is U+2212 and not a hyphen."""
    return f"{value:+.0f}".replace("-", MINUS) if round(value) else "0"


def percent(value: float) -> str:
    return f"{100 * value:.1f}\u202f%"


def number(value: float, digits: int = 1) -> str:
    """A number, where minus is U+2212 and not a hyphen."""
    return f"{value:,.{digits}f}".replace("-", MINUS)


def milliseconds(value: float) -> str:
    """A time given in milliseconds, to two or three digits, in the unit that fits."""
    size, unit = (1e3, "s") if value >= 1e3 else (1, "ms") if value >= 1 else (1e-3, "µs")
    value /= size
    return f"{value:.2g}\u202f{unit}" if value < 10 else f"{value:,.0f}\u202f{unit}"


def between(estimate: Estimate, words: Callable[[float], str]) -> str:
    """The interval as text; empty if it is not finite."""
    if not math.isfinite(estimate.low) or not math.isfinite(estimate.high):
        return ""
    return f"{words(estimate.low)} to {words(estimate.high)}"


def percents(share: Estimate) -> str:
    """The interval of a share, in per cent."""
    return f"{100 * share.low:.1f} to {percent(share.high)}"


def ratings_figure(ratings: Ratings) -> str:
    scale = _padded(
        svg.scale_over(
            end for bot in ratings.bots for end in (bot.elo.low, bot.elo.value, bot.elo.high, 0)
        )
    )
    rows = []
    for bot in ratings.bots:
        value, note = signed(bot.elo.value), between(bot.elo, signed)
        plot = svg.interval(scale, bot.elo, f"{bot.name}: {value}, {note}", mark=0)
        rows.append(Row(bot.name, plot, value, note))
    return _figure(
        "Ratings",
        "Elo points around the mean of the bots, with 95\u202f% intervals. At a table of two, "
        "100 points more win 64\u202f% of the games, and 200 win 76\u202f%.",
        rows,
        svg.axis(scale, signed),
        kind="wide",
    )


def scores_figure(ratings: Ratings) -> str:
    """Histograms of the scores."""

    def value(bot: BotRating) -> tuple[str, str]:
        return number(bot.score.value), between(bot.score, number)

    return _histograms(
        ratings,
        "Scores",
        "How often each score occurred. The line is the mean, at the right with its interval.",
        lambda bot: bot.scores,
        value,
    )


def margins_figure(ratings: Ratings) -> str:
    """Histograms of the margins to the best of the others."""

    def value(bot: BotRating) -> tuple[str, str]:
        low, high = np.quantile(bot.margins, (0.25, 0.75))
        return signed(float(bot.margins.mean())), f"half: {signed(low)} to {signed(high)}"

    return _histograms(
        ratings,
        "Margins",
        "Points ahead of the best of the others, or behind: how clear the games were.",
        lambda bot: bot.margins,
        value,
        mark=0,
    )


def turns_figure(ratings: Ratings) -> str:
    """Histograms of the lengths of games, in turns of the bot."""

    def value(bot: BotRating) -> tuple[str, str]:
        low, high = np.quantile(bot.lengths, (0.05, 0.95))
        return number(bot.turns), f"90\u202f%: {low:.0f} to {high:.0f}"

    return _histograms(
        ratings,
        "Length",
        "Turns of a bot in a game. Bots that race end games early.",
        lambda bot: bot.lengths,
        value,
    )


def places_figure(ratings: Ratings) -> str:
    """Share of the wins by order of play."""
    fair = 1 / ratings.seats
    scale = _padded(
        svg.scale_over(
            end for place in ratings.places for end in (place.wins.low, place.wins.high, fair)
        )
    )
    rows = []
    for index, place in enumerate(ratings.places):
        name = ORDER[index] if index < len(ORDER) else f"no. {index + 1}"
        value = percent(place.wins.value)
        note = f"{percents(place.wins)}, {signed(place.elo.value)} Elo"
        plot = svg.interval(scale, place.wins, f"{name}: {value}, {note}", mark=fair)
        rows.append(Row(name, plot, value, note))
    return _figure(
        "The first seat",
        "Share of the wins by order of play. Dashed: an even share.",
        rows,
        svg.axis(scale, lambda share: f"{100 * share:.3g}\u202f%"),
        kind="wide",
    )


def times_figure(ratings: Ratings) -> str:
    """Time per decision: the mean, and the slowest."""
    scale = svg.log_scale_over(
        time for bot in ratings.bots for time in (bot.decision_ms, bot.slowest_ms)
    )
    rows = []
    for bot in ratings.bots:
        mean, slowest = max(bot.decision_ms, scale.low), max(bot.slowest_ms, scale.low)
        value, note = milliseconds(bot.decision_ms), f"slowest {milliseconds(bot.slowest_ms)}"
        plot = svg.reach(scale, mean, slowest, f"{bot.name}: {value}, {note}")
        rows.append(Row(bot.name, plot, value, note))
    return _figure(
        "Time a decision",
        "The mean, and a line to the slowest. Each step of the scale is ten times as long.",
        rows,
        svg.axis(scale, milliseconds),
    )


def _histograms(
    ratings: Ratings,
    title: str,
    caption: str,
    values: Callable[[BotRating], np.ndarray],
    value_and_note: Callable[[BotRating], tuple[str, str]],
    mark: float | None = None,
) -> str:
    """A histogram for each bot, all on one scale and of one height."""
    every = np.concatenate([values(bot) for bot in ratings.bots])
    # Without the extreme tails, which would squeeze the rest.
    low, high = np.quantile(every, (0.001, 0.999))
    edges = svg.edges_over(svg.Scale(float(low), float(high)))
    ticks = svg.scale_over((float(edges[0]), float(edges[-1]))).ticks
    scale = svg.Scale(float(edges[0]), float(edges[-1]), ticks)
    top = max(
        float(np.histogram(values(bot), edges)[0].max() / len(values(bot))) for bot in ratings.bots
    )
    rows = []
    for bot in ratings.bots:
        value, note = value_and_note(bot)
        label = f"{bot.name}: mean {value}, {note}"
        plot = svg.histogram(scale, values(bot), edges, max(top, 1e-9), label, mark)
        rows.append(Row(bot.name, plot, value, note))
    return _figure(title, caption, rows, svg.axis(scale, lambda tick: number(tick, 0)))


def _padded(scale: svg.Scale) -> svg.Scale:
    """The same scale with a margin at both ends."""
    margin = 0.06 * (scale.high - scale.low)
    return svg.Scale(scale.low - margin, scale.high + margin, scale.ticks)


def _figure(title: str, caption: str, rows: Sequence[Row], axis: str, kind: str = "") -> str:
    lines = "".join(
        f'<div class="row"><b title="{escape(row.name)}">{escape(row.name)}</b>{row.plot}'
        f"<span>{escape(row.value)} <small>{escape(row.note)}</small></span></div>"
        for row in rows
    )
    return (
        f'<figure class="{kind}"><figcaption><h2>{escape(title)}</h2><p>{escape(caption)}</p>'
        f'</figcaption>{lines}<div class="row axis"><b></b>{axis}<span></span></div></figure>'
    )
