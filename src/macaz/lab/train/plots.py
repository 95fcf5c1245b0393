"""The figure of a training: share of wins by games and by minutes, and where the time goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from macaz.edition.picture import SEAT_COLORS
from macaz.errors import MacazError
from macaz.lab.figures import FAINT, INK, STYLE, need_matplotlib, save
from macaz.lab.train.folder import read_settings
from macaz.lab.train.journal import Line, read_log
from macaz.lab.train.progress import win_shares
from macaz.lab.train.ratings import Rating, read_ratings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PARTS = {"games": "games", "network": "network", "learning": "learning", "other": "the rest"}
PART_COLORS = ("#0072b2", "#56b4e9", "#e69f00", FAINT)
MAX_POINTS = 40  # of a curve: means over iterations, since single ones are noisy


def draw(folder: Path, path: Path) -> None:
    """Draw the training of a folder into a file."""
    matplotlib = need_matplotlib()
    settings, log, ratings = read_settings(folder), read_log(folder), read_ratings(folder)
    if not log:
        raise MacazError(f"{folder} has no finished iteration yet.")
    with matplotlib.rc_context(STYLE):
        figure = matplotlib.figure.Figure(figsize=(10, 5.4), layout="constrained")
        rows = figure.add_gridspec(2, 2, height_ratios=(5, 1))
        left = figure.add_subplot(rows[0, 0])
        right = figure.add_subplot(rows[0, 1], sharey=left)
        colors = colors_of(log, ratings)
        _draw_curves(left, log, ratings, colors, games=True)
        _draw_curves(right, log, ratings, colors, games=False)
        right.tick_params(labelleft=False)
        _draw_time(figure.add_subplot(rows[1, :]), log)
        seats = ", ".join(map(str, settings.seats))
        figure.suptitle(
            f"{settings.edition}, {seats} seats: {short(log[-1].games)} games in "
            f"{log[-1].minutes:,.0f} minutes on {log[-1].device}",
            x=0.01,
            ha="left",
            fontsize=13,
            fontweight="bold",
        )
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08)
        save(figure, path)


def colors_of(log: Sequence[Line], ratings: Sequence[Rating]) -> dict[str, str]:
    """A colour for each opponent, the same in every panel."""
    named = dict.fromkeys(rating.against for rating in ratings)
    named |= dict.fromkeys(name for line in log for name in win_shares(line.numbers))
    return {name: SEAT_COLORS[i % len(SEAT_COLORS)] for i, name in enumerate(named)}


def short(number: float) -> str:
    """A number in three digits with a unit prefix: 1.25 M."""
    for size, unit in ((1e9, "\u202fG"), (1e6, "\u202fM"), (1e3, "\u202fk")):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return f"{number:.3g}"


def means(
    points: Sequence[tuple[float, float]], most: int = MAX_POINTS
) -> list[tuple[float, float]]:
    """At most `most` points, each the mean of neighbouring ones."""
    size = -(-len(points) // most) or 1
    groups = [points[i : i + size] for i in range(0, len(points), size)]
    return [(sum(x for x, _ in g) / len(g), sum(y for _, y in g) / len(g)) for g in groups]


def _draw_curves(
    axes: Axes,
    log: Sequence[Line],
    ratings: Sequence[Rating],
    colors: Mapping[str, str],
    *,
    games: bool,
) -> None:
    """Draw arena matches as points with intervals, and results during training as lines."""
    axes.set_title("Share of wins, by games" if games else "Share of wins, by minutes")
    axes.axhline(0.5, color=INK, lw=0.9, ls=(0, (4, 3)))
    ends = {}
    for name, color in colors.items():
        seen = [
            (line.games if games else line.minutes, shares[name])
            for line in log
            if name in (shares := win_shares(line.numbers))
        ]
        if seen:
            axes.plot(*zip(*means(seen), strict=True), color=color, lw=1.1, alpha=0.75)
            ends[name] = means(seen)[-1][1]
        rated = [rating for rating in ratings if rating.against == name]
        if rated:
            axes.errorbar(
                [rating.trained_games if games else rating.minutes for rating in rated],
                [rating.share for rating in rated],
                yerr=[
                    [rating.share - rating.low for rating in rated],
                    [rating.high - rating.share for rating in rated],
                ],
                fmt="o",
                ms=4,
                lw=1.1,
                capsize=2.5,
                color=color,
                ls="" if seen else "-",
            )
            ends[name] = rated[-1].share
    axes.set_ylim(0, 1.02)
    axes.set_xlim(0, (log[-1].games if games else log[-1].minutes) * 1.02 or 1)
    axes.set_xlabel("games trained" if games else "minutes trained")
    _label(axes, ends, colors)
    axes.xaxis.set_major_formatter(_ticks(short if games else "{:g}".format))
    axes.yaxis.set_major_formatter(_ticks(lambda share: f"{100 * share:.0f} %"))
    axes.grid()
    if games and ratings:
        axes.text(
            *(0.98, 0.03, "points: matches in the arena, 95 %; lines: in training"),
            transform=axes.transAxes,
            ha="right",
            fontsize=7.5,
        )


def _label(axes: Axes, ends: Mapping[str, float], colors: Mapping[str, str]) -> None:
    """Write names where the curves end, without overlap."""
    gap, above = 0.055, 2.0
    places = {}
    for name in sorted(ends, key=lambda name: -ends[name]):
        above = min(ends[name], above - gap)
        places[name] = above
    lift = max(0.0, 0.02 - min(places.values(), default=1.0))
    for name, place in places.items():
        axes.annotate(
            name,
            (1.01, place + lift),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=8.5,
            color=colors[name],
            annotation_clip=False,
        )


def _draw_time(axes: Axes, log: Sequence[Line]) -> None:
    seconds = time_spent(log)
    whole = sum(seconds.values()) or 1.0
    decisions = log[-1].decisions / max(log[-1].seconds, 1e-9)
    axes.set_title(f"Where the time goes: {short(decisions)} decisions a second")
    begin = 0.0
    for (part, spent), color in zip(seconds.items(), PART_COLORS, strict=True):
        share = spent / whole
        axes.barh(0, share, left=begin, color=color, height=0.7, edgecolor="white")
        if share > 0.06:
            axes.text(
                begin + share / 2,
                0,
                f"{PARTS[part]}\n{100 * share:.0f} %",
                ha="center",
                va="center",
                fontsize=8,
                color="white" if part == "games" else INK,
            )
        begin += share
    axes.set_xlim(0, 1)
    axes.axis("off")


def time_spent(log: Sequence[Line]) -> dict[str, float]:
    """Seconds by part over a whole training; unknown parts count as other."""
    seconds = dict.fromkeys(PARTS, 0.0)
    for line in log:
        for part, spent in line.spent.items():
            seconds[part if part in PARTS else "other"] += spent
    return seconds


def _ticks(words: Callable[[float], str]) -> Any:
    from matplotlib.ticker import FuncFormatter

    return FuncFormatter(lambda value, _: words(value))
