"""Print statistics of how the bots of a tournament play: tickets, claims, blocking, the end.

    python tools/behaviour figures cup --json figures.json

All games are replayed from their records. The table has a column for each bot and a line for each
figure, with its 95 % interval.
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

BOTS_PER_TABLE = 3  # more do not fit into a line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("folder", type=Path, help="folder of a tournament")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="also write the figures to this file"
    )
    parser.add_argument(
        "--workers", type=int, help="number of processes; default: the number of cores"
    )


def run(args: argparse.Namespace) -> None:
    """Print the figures, and write them to a file if --json is given."""
    settings = read_settings(args.folder)
    seated, failed = _replayed(args.folder, args.workers)
    if not seated:
        raise MacazError(f"no game in {args.folder} is finished without a failure of a bot.")
    bots = behaviour(seated)
    print_behaviour(bots)
    if failed:
        print(f"Left out {plural(failed, 'game')} in which a bot failed", file=sys.stderr)
    if args.json is not None:
        data = behaviour_json(bots, msgspec.structs.asdict(settings))
        args.json.write_bytes(msgspec.json.format(msgspec.json.encode(data)) + b"\n")
        print(f"Wrote {args.json}", file=sys.stderr)


def _replayed(folder: Path, workers: int | None) -> tuple[list[Seated], int]:
    """The facts of all games, and how many games were left out; shows a progress bar."""
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
    """Print the figures side by side, without those that the edition does not have."""
    shown = {
        section: [measure for measure in measures if _is_shown(measure, bots)]
        for section, measures in MEASURES.items()
    }
    for start in range(0, len(bots), BOTS_PER_TABLE):
        _print_some(bots[start : start + BOTS_PER_TABLE], shown)


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
    """The same as data for JSON; a figure that is not defined is null."""
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
                "figures": {name: _estimate_json(one) for name, one in bot.figures.items()},
            }
            for bot in bots
        ],
    }


def _estimate_json(estimate: Estimate) -> dict[str, float | None]:
    def number(value: float) -> float | None:
        return value if math.isfinite(value) else None

    return {
        "value": number(estimate.value),
        "low": number(estimate.low),
        "high": number(estimate.high),
    }


def _is_shown(measure: Measure, bots: Sequence[BotBehaviour]) -> bool:
    found = [bot.figures[measure.name].value for bot in bots]
    if all(math.isnan(value) for value in found):
        return False
    return measure.name not in SPECIAL or any(found)


def _value(measure: Measure, estimate: Estimate) -> str:
    return "–" if math.isnan(estimate.value) else _words(measure, estimate.value)


def _range(measure: Measure, estimate: Estimate) -> str:
    if not estimate.low < estimate.high:  # NaN, or the same in all deals
        return ""
    if measure.kind == "share":
        return f"{100 * estimate.low:.1f}–{100 * estimate.high:.1f} %"
    low, high = _digits(measure, estimate.low), _digits(measure, estimate.high)
    return f"{low} to {high}" if estimate.low < 0 else f"{low}–{high}"


def _words(measure: Measure, value: float) -> str:
    return f"{100 * value:.1f} %" if measure.kind == "share" else _digits(measure, value)


def _digits(measure: Measure, value: float) -> str:
    return signed(value, 2 if measure.kind == "times" or abs(value) < 10 else 1)
