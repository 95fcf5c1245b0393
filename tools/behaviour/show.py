"""Tell what the bots of a tournament do: tickets, claims, blocking, the end.

    python tools/behaviour figures cup --json figures.json

All games are replayed from their records. A column for each bot, a line for each figure, with its
interval of 95 %.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.progress import track
from rich.text import Text

from figures import MEASURES, SPECIAL, BotBehaviour, Measure, Seated, behaviour
from folder import facts_of_folder
from macaz.cli.text import new_table, plural, signed, stderr, stdout
from macaz.errors import MacazError
from macaz.lab.arena.store import read_results, read_settings

if TYPE_CHECKING:
    from macaz.lab.arena.ratings import Estimate

ABREAST = 3  # bots in a table: more do not fit a line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked for."""
    parser.add_argument("folder", type=Path, help="of a tournament")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file too")
    parser.add_argument(
        "--workers", type=int, help="games at the same time; as many as there are cores otherwise"
    )


def run(asked: argparse.Namespace) -> None:
    """Print the figures, and write them where that is asked for."""
    settings = read_settings(asked.folder)
    seated, failed = _replayed(asked.folder, asked.workers)
    if not seated:
        raise MacazError(f"no game in {asked.folder} is finished yet, with no bot failing.")
    bots = behaviour(seated)
    print_behaviour(bots)
    if failed:
        print(f"{plural(failed, 'game')} in which a bot failed left out", file=sys.stderr)
    if asked.json is not None:
        told = behaviour_json(bots, msgspec.structs.asdict(settings))
        asked.json.write_bytes(msgspec.json.format(msgspec.json.encode(told)) + b"\n")
        print(f"Wrote {asked.json}", file=sys.stderr)


def _replayed(folder: Path, workers: int | None) -> tuple[list[Seated], int]:
    """The facts of all games, with a bar, and how many games were left out."""
    console = stderr()
    total = sum(1 for _ in read_results(folder))
    with closing(facts_of_folder(folder, workers)) as games:
        shown = track(
            games,
            "Replaying",
            total,
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        found = list(shown)
    return [one for facts in found for one in facts], sum(not facts for facts in found)


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
