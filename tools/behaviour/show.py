"""What `macaz arena behaviour` shows and writes: a column for each bot, a line for each figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from figures import MEASURES, SPECIAL, BotBehaviour, Measure
from macaz.cli.text import new_table, signed, stdout

if TYPE_CHECKING:
    from macaz.lab.arena.ratings import Estimate

ABREAST = 3  # bots in a table: more do not fit a line


def print_behaviour(bots: Sequence[BotBehaviour]) -> None:
    """The figures side by side, those that make no sense in the edition left out."""
    shown = {
        section: [measure for measure in measures if _matters(measure, bots)]
        for section, measures in MEASURES.items()
    }
    for start in range(0, len(bots), ABREAST):
        _print_some(bots[start : start + ABREAST], shown)


def _print_some(bots: Sequence[BotBehaviour], sections: dict[str, list[Measure]]) -> None:
    table = new_table()
    table.add_column("")
    for bot in bots:
        table.add_column(Text(bot.name), justify="right")
        table.add_column("95 %", justify="right", style="dim")
    games = [cell for bot in bots for cell in (f"{bot.games:,}", "")]
    table.add_row("games", *games)
    for section, measures in sections.items():
        table.add_row("")
        table.add_row(Text(section, style="bold"))
        for measure in measures:
            found = [bot.figures[measure.name] for bot in bots]
            cells = [cell for one in found for cell in (_value(measure, one), _range(measure, one))]
            table.add_row(f"  {measure.words}", *cells)
    stdout().print(table)


def behaviour_json(bots: Sequence[BotBehaviour], settings: dict[str, Any]) -> dict[str, Any]:
    """The same as plain data; what cannot be said is null."""
    return {
        "settings": settings,
        "measures": {
            measure.name: {"section": section, "words": measure.words, "kind": measure.kind}
            for section, measures in MEASURES.items()
            for measure in measures
        },
        "bots": [
            {
                "name": bot.name,
                "games": bot.games,
                "figures": {name: _plain(one) for name, one in bot.figures.items()},
            }
            for bot in bots
        ],
    }


def _plain(estimate: Estimate) -> dict[str, float | None]:
    def number(value: float) -> float | None:
        return value if math.isfinite(value) else None

    return {
        "value": number(estimate.value),
        "low": number(estimate.low),
        "high": number(estimate.high),
    }


def _matters(measure: Measure, bots: Sequence[BotBehaviour]) -> bool:
    found = [bot.figures[measure.name].value for bot in bots]
    if all(math.isnan(value) for value in found):
        return False
    return measure.name not in SPECIAL or any(found)


def _value(measure: Measure, estimate: Estimate) -> str:
    return "–" if math.isnan(estimate.value) else _words(measure, estimate.value)


def _range(measure: Measure, estimate: Estimate) -> str:
    if not estimate.low < estimate.high:  # nothing is known of it, or it was always the same
        return ""
    if measure.kind == "share":
        return f"{100 * estimate.low:.1f}–{100 * estimate.high:.1f} %"
    low, high = _digits(measure, estimate.low), _digits(measure, estimate.high)
    return f"{low} to {high}" if estimate.low < 0 else f"{low}–{high}"


def _words(measure: Measure, value: float) -> str:
    return f"{100 * value:.1f} %" if measure.kind == "share" else _digits(measure, value)


def _digits(measure: Measure, value: float) -> str:
    return signed(value, 2 if measure.kind == "times" or abs(value) < 10 else 1)
