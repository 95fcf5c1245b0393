"""The figure of a simulation: scores, lengths of games, wins by seat."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from macaz.edition.picture import SEAT_COLORS
from macaz.lab.figures import INK, STYLE, need_matplotlib, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from macaz.lab.simulate import Histogram, Summary


def draw(summary: Summary, path: Path) -> None:
    """Draw a summary into a file."""
    matplotlib = need_matplotlib()
    with matplotlib.rc_context(STYLE):
        figure = matplotlib.figure.Figure(figsize=(10, 5.6), layout="constrained")
        columns = figure.add_gridspec(1, 2, width_ratios=(1.6, 1))
        left = columns[0].subgridspec(summary.seats, 1, hspace=0.04)
        right = columns[1].subgridspec(2, 1)
        _draw_scores([figure.add_subplot(row) for row in left], summary)
        _draw_lengths(figure.add_subplot(right[0]), summary.lengths)
        _draw_wins(figure.add_subplot(right[1]), summary)
        games = f"{summary.games:,} random game{'s' if summary.games != 1 else ''}"
        figure.suptitle(
            f"{summary.edition.title}, {summary.seats} players: {games} (seed {summary.seed})",
            x=0.01,
            ha="left",
            fontsize=13,
            fontweight="bold",
        )
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08)
        save(figure, path)


def _binned(histogram: Histogram, low: int, high: int, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """Edges and shares between two numbers, in at most so many bins of one whole width."""
    width = max(1, -(-(high - low + 1) // bins))
    edges = np.arange(low, high + width + 1, width) - 0.5
    counts, _ = np.histogram(histogram.values, edges, weights=histogram.counts)
    return edges, counts / histogram.total


def _draw_scores(rows: list[Axes], summary: Summary) -> None:
    # One scale for all, without the farthest tails, so that the seats can be compared by eye.
    low = min(h.quantile(0.0005) for h in summary.scores)
    high = max(h.quantile(0.9995) for h in summary.scores)
    drawn = [_binned(histogram, low, high, 80) for histogram in summary.scores]
    top = 1.12 * max(shares.max() for _, shares in drawn)
    rows[0].set_title("Final scores")
    for seat, (axes, (edges, shares)) in enumerate(zip(rows, drawn, strict=True)):
        histogram, color = summary.scores[seat], SEAT_COLORS[seat]
        axes.stairs(shares, edges, fill=True, color=color, alpha=0.75)
        axes.axvline(histogram.mean, color=INK, lw=1)
        name = f"seat {seat + 1}, begins" if seat == 0 else f"seat {seat + 1}"
        mean = f"mean {histogram.mean:.1f}"
        half = f"half of them {histogram.quantile(0.25)} to {histogram.quantile(0.75)}"
        for height, text, style in (
            (0.9, name, {"color": color, "fontweight": "bold"}),
            (0.9 - 0.052 * len(rows), f"{mean}\n{half}".replace("-", "\u2212"), {"fontsize": 8}),
        ):
            axes.text(0.005, height, text, transform=axes.transAxes, va="top", **style)
        axes.set_ylim(0, top)
        axes.set_xlim(edges[0] - 0.3 * (edges[-1] - edges[0]), edges[-1])
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x")
        if axes is not rows[-1]:
            axes.tick_params(axis="x", length=0, labelbottom=False)
    rows[-1].set_xlabel("points (line: mean)")


def _draw_lengths(axes: Axes, lengths: Histogram) -> None:
    axes.set_title("Decisions in a game")
    edges, shares = _binned(lengths, lengths.quantile(0.0005), lengths.quantile(0.9995), 45)
    axes.stairs(shares, edges, fill=True, color="#7a8594")
    median = lengths.quantile(0.5)
    axes.axvline(median, color=INK, lw=1)
    axes.annotate(
        f"median {median}",
        (median, 0.98),
        xycoords=("data", "axes fraction"),
        xytext=(4, 0),
        textcoords="offset points",
        va="top",
        fontsize=8,
    )
    axes.set_ylim(0, max(shares) * 1.18)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)


def _draw_wins(axes: Axes, summary: Summary) -> None:
    axes.set_title("Share of wins, with 95 % intervals")
    fair = 1 / summary.seats
    axes.axvline(fair, color=INK, lw=0.9, ls=(0, (4, 3)))
    for seat in range(summary.seats):
        wins = summary.wins(seat)
        axes.errorbar(
            wins.share,
            seat,
            xerr=[[wins.share - wins.low], [wins.high - wins.share]],
            fmt="o",
            ms=5,
            capsize=3,
            color=SEAT_COLORS[seat],
        )
        axes.annotate(
            f"{100 * wins.share:.1f} %",
            (wins.share, seat),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=SEAT_COLORS[seat],
            bbox={"fc": "white", "ec": "none", "pad": 0.6},
        )
    names = [f"seat {seat + 1}" for seat in range(summary.seats)]
    axes.set_yticks(range(summary.seats), ["seat 1\nbegins", *names[1:]])
    axes.set_ylim(summary.seats - 0.5, -0.75)
    axes.margins(x=0.15)
    axes.set_xlabel("dashed: equal shares")
    _percent(axes.xaxis)
    axes.grid(axis="x")


def _percent(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(5))
    axis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:g} %"))
