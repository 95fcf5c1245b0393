"""The figure of a review: the chances of winning of all seats, and the costliest mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from macaz.edition.picture import SEAT_COLORS
from macaz.lab.figures import STYLE, need_matplotlib, save

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.help.advice import Review

MARKED = 5  # mistakes in the figure


def draw(game: Game, review: Review, path: Path) -> None:
    """Draw a review into a file."""
    matplotlib = need_matplotlib()
    from matplotlib.ticker import PercentFormatter

    with matplotlib.rc_context(STYLE):
        figure = matplotlib.figure.Figure(figsize=(10, 5), layout="constrained")
        axes = figure.add_subplot()
        axes.set_title(f"{game.edition.title}: chance of winning, as each seat could know it")
        for seat, name in enumerate(game.names):
            values = [row[seat] for row in review.curve]
            axes.step(range(len(values)), values, where="post", color=SEAT_COLORS[seat], label=name)
        for mistake in review.mistakes[:MARKED]:
            axes.plot(mistake.ply, mistake.chance_best, "v", ms=7, color=SEAT_COLORS[mistake.seat])
            axes.annotate(
                f"turn {mistake.turn}: {mistake.played_text}\nbetter: {mistake.best_text}",
                (mistake.ply, mistake.chance_best),
                xytext=(4, 8),
                textcoords="offset points",
                fontsize=7,
                parse_math=False,
                bbox={"fc": "white", "ec": "none", "pad": 0.6, "alpha": 0.8},
            )
        axes.set_xlabel("decisions (triangles: the moves that cost most)")
        axes.set_xlim(0, len(review.curve) - 1)
        axes.set_ylim(-0.02, 1.12)
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.grid(axis="y")
        axes.legend(frameon=False, loc="upper left", ncols=len(game.names))
        save(figure, path)
