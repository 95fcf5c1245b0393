"""Compare forecasts of the chance to win with the results: how well advice is calibrated.

    python tools/calibration.py measure calibration.json --games 2000
    python tools/calibration.py table calibration.json
    python tools/calibration.py plot calibration.json docs/pictures/calibration.svg

Bots of several strengths play each other. At some decisions the move that is made is tried, with
what its seat knows, and the game goes on to its end. `measure` uses all cores and needs no more
than `macaz` itself; `plot` needs Matplotlib. Forecasts are kept for several widths of a smoothed
win (`KAPPA` of macaz.help.compiled.rank); `table` shows the errors of all of them as corrected, and
before them those of an even chance and of the tries without the correction (`PREPARED`).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

TABLES = (
    *("usa-classic 2", "usa-classic 4", "usa 3", "europe 2", "europe 4", "old-west 3"),
    *("ireland 3", "romania 3", "caribbean 4"),
)
BOTS = ("planner", "planner", "conductor", "apprentice", "racer", "search:60")
TRIES = 64  # of the move that is made
DIGITS = 8  # of a chance: small ones grow when they are corrected
EACH = 0.06  # share of the decisions that are forecast
WIDTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.6)  # of a smoothed win; 0: shares of won games
BINS = 10


class Forecast(NamedTuple):
    """A forecast at a decision, and the result."""

    table: str
    game: int
    seats: int
    won: float  # the share of the win that the seat got
    spread: float  # of the margins in the tries
    chances: tuple[float, ...]  # by width


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    measuring = commands.add_parser("measure", help="play games, and write forecasts to a file")
    measuring.add_argument("file", type=Path)
    measuring.add_argument("--games", type=int, default=200, help="at each table")
    measuring.add_argument("--tables", default=",".join(TABLES), help="as 'europe 4,usa 3'")
    measuring.add_argument("--seed", type=int, default=18)
    measuring.add_argument("--processes", type=int, default=os.cpu_count())
    measuring.add_argument("--seconds", type=float, default=1e9, help="play no longer than this")
    measuring.set_defaults(run=measure)
    telling = commands.add_parser("table", help="print reliability and errors")
    telling.add_argument("file", type=Path)
    telling.set_defaults(run=tell)
    drawing = commands.add_parser("plot", help="draw reliability")
    drawing.add_argument("file", type=Path)
    drawing.add_argument("picture", type=Path)
    drawing.set_defaults(run=plot)
    args = parser.parse_args()
    args.run(args)


# -- measuring -------------------------------------------------------------------------------------


def measure(args: argparse.Namespace) -> None:
    """Play the games in several processes; the result does not depend on how many."""
    jobs = [
        (args.seed, name, game) for game in range(args.games) for name in args.tables.split(",")
    ]
    found: list[Forecast] = []
    n, end = 0, time.monotonic() + args.seconds
    with multiprocessing.get_context("spawn").Pool(args.processes) as pool:
        for n, some in enumerate(pool.imap(forecasts_of, jobs, chunksize=4), 1):
            found += some
            if n % 100 == 0:
                print(f"{n} of {len(jobs)} games", file=sys.stderr, flush=True)
            if time.monotonic() > end:
                break
    write(args.file, n, found)
    print(f"Wrote {args.file}: {len(found)} forecasts in {n} games")


def forecasts_of(job: tuple[int, str, int]) -> list[Forecast]:
    """The forecasts of a game."""
    from macaz.bots import make_bot
    from macaz.game import Game

    seed, table, number = job
    edition, _, seats = table.partition(" ")
    rng = random.Random(f"{seed} {table} {number}")
    game = Game(edition, int(seats), seed=rng.getrandbits(31))
    bots = [make_bot(rng.choice(BOTS), seed=rng.getrandbits(31)) for _ in range(game.seats)]
    found: list[tuple[int, float, tuple[float, ...]]] = []
    while not game.over:
        seat = game.deciding[0]
        view, legal = game.view(seat), list(game.legal_moves_of(seat))
        move = bots[seat].choose(view, legal)
        if len(legal) > 1 and rng.random() < EACH:
            action = game.notation.action(move, view.offer)
            found.append((seat, *forecast(view, action, rng.getrandbits(31))))
        game.push(move, seat)
    assert game.outcome is not None
    winners = game.outcome.winners
    return [
        Forecast(table, number, game.seats, (seat in winners) / len(winners), spread, chances)
        for seat, spread, chances in found
    ]


def forecast(view: Any, action: int, seed: int) -> tuple[float, tuple[float, ...]]:
    """The spread of the margins after a move, and the chance to win by each width."""
    from macaz.help.comparison import Comparison
    from macaz.help.compiled.layout import WHOLE

    tried = Comparison(view, seed=seed, only=(action,))
    tried.run(TRIES // 16)
    [line] = tried.lines
    points = tried.results[0, :TRIES, : view.seats].astype(float)
    exact = float(line["won"][view.seat]) / (WHOLE * TRIES)
    chances = []
    for width in WIDTHS:
        scale = width * float(line["spread"])
        chances.append(smoothed(points, view.seat, scale) if scale else exact)
    return float(line["spread"]), tuple(round(chance, DIGITS) for chance in chances)


def smoothed(points: np.ndarray, seat: int, width: float) -> float:
    """The mean share of the win, smoothed as macaz.help.compiled.rank does it."""
    gaps = np.minimum((points - points[:, [seat]]) / width, 700)
    return float((1 / np.exp(gaps).sum(axis=1)).mean())


# -- results ---------------------------------------------------------------------------------------


def write(path: Path, games: int, found: list[Forecast]) -> None:
    """Write a file of forecasts."""
    content = {"tries": TRIES, "widths": WIDTHS, "games": games, "forecasts": found}
    path.write_text(json.dumps(content))


def read(path: Path) -> tuple[dict[str, Any], list[Forecast]]:
    """The content of a file of forecasts."""
    content = json.loads(path.read_text())
    return content, [Forecast(*row) for row in content["forecasts"]]


def used(content: dict[str, Any]) -> int:
    """The number of the width that the analysis uses."""
    from macaz.help.compiled.rank import KAPPA

    return int(np.argmin(np.abs(np.array(content["widths"]) - KAPPA)))


def groups(found: list[Forecast]) -> Iterator[tuple[str, list[Forecast]]]:
    """All forecasts, then those of each table."""
    yield "all", found
    for table in dict.fromkeys(one.table for one in found):
        yield table, [one for one in found if one.table == table]


def bins(found: list[Forecast], width: int) -> list[tuple[float, float, float, int]]:
    """By tenths of the forecast: its mean, the share that was won, its error, and how many."""
    chance = np.array([shown(one, width) for one in found])
    won = np.array([one.won for one in found])
    games = np.unique([f"{one.table} {one.game}" for one in found], return_inverse=True)[1]
    which = np.minimum((chance * BINS).astype(int), BINS - 1)
    rows = []
    for n in range(BINS):
        some = which == n
        if some.any():
            # Forecasts of one game share its result: their gaps are added up first.
            gaps = np.bincount(games[some], won[some] - won[some].mean())
            error = float(np.sqrt(np.sum(gaps**2)) / some.sum())
            rows.append(
                (float(chance[some].mean()), float(won[some].mean()), error, int(some.sum()))
            )
    return rows


def shown(one: Forecast, width: int) -> float:
    """The forecast as it is shown, corrected for what the tries get wrong."""
    from macaz.help.compiled.rank import corrected

    return corrected(one.chances[width], one.seats)


def brier(found: list[Forecast], width: int) -> float:
    """The mean square error of the forecasts."""
    return float(np.mean([(shown(one, width) - one.won) ** 2 for one in found]))


def brier_in_tries(found: list[Forecast], width: int) -> float:
    """The same of the chances in the tries, without the correction."""
    return float(np.mean([(one.chances[width] - one.won) ** 2 for one in found]))


def tell(args: argparse.Namespace) -> None:
    """Print the reliability of the forecasts, and the errors by width."""
    content, found = read(args.file)
    print(f"{len(found):,} forecasts of {content['tries']} tries; square error by width:")
    print(
        f"{'table':16s}{'even':>8s}{'tries':>8s}"
        + "".join(f"{width:8.1f}" for width in content["widths"])
    )
    for name, some in groups(found):
        even = float(np.mean([(1 / one.seats - one.won) ** 2 for one in some]))
        errors = [brier(some, n) for n in range(len(content["widths"]))]
        best = content["widths"][int(np.argmin(errors))]
        plain = brier_in_tries(some, used(content))
        print(
            f"{name:16s}{even:8.4f}{plain:8.4f}"
            + "".join(f"{e:8.4f}" for e in errors)
            + f"  best {best}"
        )
    print("\nforecast     won        ±   forecasts")
    for chance, won, error, count in bins(found, used(content)):
        print(f"{chance:7.1%} {won:8.1%} {error:8.1%} {count:11,}")


def plot(args: argparse.Namespace) -> None:
    """Draw forecast against outcome, for each table."""
    from macaz.lab.figures import STYLE, check_picture, need_matplotlib, save

    check_picture(args.picture)
    matplotlib = need_matplotlib()
    content, found = read(args.file)
    width = used(content)
    shown = list(groups(found))
    columns = min(5, len(shown))
    rows = -(-len(shown) // columns)
    with matplotlib.rc_context(STYLE):
        figure = matplotlib.figure.Figure(figsize=(2.3 * columns, 2.5 * rows), layout="constrained")
        for n, (name, some) in enumerate(shown, 1):
            axes = figure.add_subplot(rows, columns, n)
            points = [row for row in bins(some, width) if row[3] >= 20]
            axes.plot([0, 1], [0, 1], color="#c9ced6", linewidth=1)
            axes.errorbar(
                [row[0] for row in points],
                [row[1] for row in points],
                yerr=[2 * row[2] for row in points],
                fmt="o",
                markersize=3.5,
                color="#2f6db3",
                elinewidth=1,
            )
            axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xticks=[0, 0.5, 1])
            axes.set_yticks([0, 0.5, 1])
            axes.set_title(f"{name}, {brier(some, width):.3f}")
        figure.supxlabel("forecast chance to win")
        figure.supylabel("share that was won")
        save(figure, args.picture)
    print(f"Drawn: {args.picture}")


if __name__ == "__main__":
    main()
