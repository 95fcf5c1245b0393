"""A review as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from macaz.help.advice.review_words import (
    percent,
    point_sentences,
    point_title,
    seat_story,
    ticket_line,
)

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from macaz.game import Game
    from macaz.help.advice import Review

BARS = "▁▂▃▄▅▆▇█"
CURVE_WIDTH = 60


def show(game: Game, found: Review, names: Sequence[str], most: int, file: Path) -> None:
    """Print a review, with at most so many of its mistakes."""
    from rich.text import Text

    from macaz.cli.text import stdout

    console = stdout()
    for seat in found.seats:
        console.print(Text(seat_story(found, seat, names[seat.seat])))
    console.print("\nChance of winning, as each seat could know it", style="bold")
    for line in _curves(found, names):
        console.print(line, soft_wrap=True)
    console.print("\nTurning points", style="bold")
    for number, point in enumerate(found.turning_points, 1):
        console.print(Text(f"{number}. {point_title(point, names[point.seat])}"))
        for sentence in point_sentences(game, found, point, names):
            console.print(Text(f"   {sentence}"))
    if not found.turning_points:
        console.print("No moment clearly changed a chance.")
    console.print()
    console.print(_standings(found, names))
    console.print(_story(found, names))
    for seat in found.seats:
        console.print(Text(f"Tickets of {names[seat.seat]}", style="bold"))
        for ticket in seat.tickets:
            console.print(Text(f"  {ticket_line(ticket)}"))
    console.print()
    if found.mistakes and most:
        console.print(_mistakes(found, names, most))
        console.print(f"See one of them: macaz replay {file} --turn N", style="dim")
    elif not found.mistakes:
        console.print("No move clearly cost anything.")


def _story(found: Review, names: Sequence[str]) -> Table:
    """What each seat's chance was made of, and its accuracy by phase."""
    from rich.text import Text

    from macaz.cli.text import new_table

    table = new_table()
    table.add_column("seat")
    for heading in ("deal", "decisions", "luck", "opening", "middle", "end", "whole game"):
        table.add_column(heading, justify="right")
    for seat in found.seats:
        accuracies = [phase.accuracy for phase in seat.phases] + [seat.accuracy]
        table.add_row(
            Text(names[seat.seat]),
            percent(seat.deal, signed=True),
            f"{percent(seat.skill, signed=True)} ± {percent(seat.error)}",
            percent(seat.luck, signed=True),
            *("–" if one is None else f"{one:.0f}" for one in accuracies),
        )
    return table


def _standings(found: Review, names: Sequence[str]) -> Table:
    """The points of each seat by reason, and the quality of its decisions."""
    from rich.text import Text

    from macaz.cli.text import new_table, signed

    parts = {
        "routes": [s.score.routes for s in found.seats],
        "tickets": [s.score.ticket_points for s in found.seats],
        "longest": [s.score.longest_path for s in found.seats],
        "stations": [s.score.stations for s in found.seats],
        "most tickets": [s.score.globetrotter for s in found.seats],
        "Alvin": [s.score.alvin for s in found.seats],
    }
    shown = {name: row for name, row in parts.items() if any(row)}
    table = new_table()
    table.add_column("seat")
    for heading in (
        *shown,
        "final",
        "completed",
        "decisions",
        "agreed",
        "mistakes",
        "lost",
    ):
        table.add_column(heading, justify="right")
    for i, seat in enumerate(found.seats):
        table.add_row(
            Text(names[seat.seat]),
            *(signed(row[i], 0) for row in shown.values()),
            signed(seat.score.total, 0) + " ★" * (seat.seat in found.winners),
            f"{seat.score.completed} of {len(seat.score.tickets)}",
            str(seat.decisions),
            str(seat.agreed),
            str(seat.mistakes),
            percent(seat.lost),
        )
    return table


def _mistakes(found: Review, names: Sequence[str], most: int) -> Table:
    """The costliest moves, with better ones."""
    from rich.text import Text

    from macaz.cli.text import new_table

    table = new_table("Moves that cost most")
    table.add_column("turn", justify="right")
    for heading in ("seat", "played", "better"):
        table.add_column(heading)
    for heading in ("chance", "instead of", "cost"):
        table.add_column(heading, justify="right")
    for mistake in found.mistakes[:most]:
        table.add_row(
            str(mistake.turn),
            Text(names[mistake.seat]),
            Text(mistake.played_text),
            Text(mistake.best_text),
            percent(mistake.chance_played),
            percent(mistake.chance_best),
            f"{percent(mistake.cost)} ± {percent(mistake.error)}",
        )
    return table


def _curves(found: Review, names: Sequence[str]) -> Iterator[Text]:
    """A bar chart of the chance of winning for each seat, as text."""
    from rich.text import Text

    width = max(map(len, names))
    for seat, name in enumerate(names):
        values = _thinned([row[seat] for row in found.curve], CURVE_WIDTH)
        bars = "".join(BARS[min(len(BARS) - 1, int(value * len(BARS)))] for value in values)
        yield Text(f"{name:<{width}}  {bars}")


def _thinned(values: Sequence[float], most: int) -> list[float]:
    """At most `most` of the values, including the first and the last."""
    if len(values) <= most:
        return list(values)
    return [values[round(i * (len(values) - 1) / (most - 1))] for i in range(most)]
