"""Tune the weights of the players' styles by games, and write src/macaz/bots/styles.toml.

It uses the cross-entropy method: variations of the current style play against a pool of opponents,
and the best quarter gives the next mean and spread. Some minutes on two cores per kind of table.

    python tools/tune_styles.py [plain-2 stations-more …] [--generations 8] [--games 120]
"""

from __future__ import annotations

import argparse
import tomllib
from multiprocessing import Pool
from pathlib import Path

import numpy as np

from macaz.bots.compiled import layout as at
from macaz.bots.compiled.program import DECIDING_MODULES, guide_of, player_program
from macaz.bots.styles import Numbers, style_record
from macaz.edition import load_edition
from macaz.kernel.compile import bulk_target, compiled
from macaz.kernel.layout import SEATS, dtype_of
from macaz.kernel.spec import Spec, compile_spec

MATCHES = player_program("matches", ("style_match",), *DECIDING_MODULES)
FILE = Path(__file__).parent.parent / "src" / "macaz" / "bots" / "styles.toml"
TABLES = {
    "plain-2": (("usa-classic", 2), ("usa", 2)),
    "plain-more": (("usa-classic", 3), ("usa-classic", 4), ("usa", 5)),
    "stations-2": (("europe", 2),),
    "stations-more": (("europe", 3), ("europe", 4), ("europe", 5)),
    "start-2": (("old-west", 2), ("old-west+alvin", 2)),
    "start-more": (("old-west", 3), ("old-west+alvin", 4), ("old-west", 5)),
}
RANGES = {
    "rate": (0.0, 8.0),
    "card": (0.0, 5.0),
    "loco": (0.0, 6.0),
    "draw": (0.2, 1.2),
    "least": (-3.0, 14.0),
    "network": (-1.0, 5.0),
    "eager": (0.0, 6.0),
    "wild": (0.8, 5.0),
    "hidden": (-0.5, 0.8),
    "marker": (0.0, 1.5),
    "train": (-0.6, 1.5),
    "sure": (0.7, 1.0),
    "slack": (-10.0, 10.0),
    "contest": (0.0, 8.0),
    "more": (0.0, 40.0),
    "bold": (-10.0, 10.0),
    "block": (0.0, 6.0),
}
RACER_FIELDS = tuple(RANGES)[:10]
PLAYOUT_FIELDS = tuple(RANGES)[:15]
EXACT_FIELDS = ("more", "bold", "block")
MARGIN = 0.002  # the value of a point of margin, in wins


def play(spec: Spec, styles: list[Numbers], games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Each style's share of the wins and its mean score; the seats are rotated."""
    n = spec.seats
    wins, scores = np.zeros(n), np.zeros(n)
    records = np.concatenate([style_record(style) for style in styles])
    for rotate in range(n):
        tallies = np.zeros(games // n, dtype_of("tally"))
        compiled(MATCHES, bulk_target()).play_match(
            spec.table,
            guide_of(spec),
            records,
            np.zeros(1, dtype_of("state")),
            np.zeros(SEATS, at.dtypes["mind"]),
            np.zeros(2, dtype_of("dice")),
            np.zeros(1, dtype_of("work")),
            tallies,
            np.zeros(len(tallies), np.int32),
            seed,
            0,
            rotate,
        )
        won = tallies["winners"][:, None] >> np.arange(n) & 1
        shares = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
        for seat in range(n):
            wins[(seat + rotate) % n] += shares[:, seat].mean() / n
            scores[(seat + rotate) % n] += tallies["total"][:, seat].mean() / n
    return wins, scores


def fitness(job: tuple[Numbers, list[Numbers], str, int, int]) -> float:
    """The result of a style at the tables of a kind, against a pool."""
    style, pool, kind, games, seed = job
    found = []
    for name, seats in TABLES[kind]:
        spec = compile_spec(load_edition(name), seats)
        for k in range(len(pool)):
            others = [pool[(k + j) % len(pool)] for j in range(seats - 1)]
            wins, scores = play(spec, [style, *others], games, seed)
            found.append(wins[0] * seats / 2 + MARGIN * (scores[0] - scores[1:].max()))
    return float(np.mean(found))


def improve(
    workers: Pool,  # type: ignore[valid-type]
    start: Numbers,
    pool: list[Numbers],
    kind: str,
    fields: tuple[str, ...],
    args: argparse.Namespace,
    generations: int,
) -> Numbers:
    """Improve a style by the cross-entropy method."""
    rng = np.random.default_rng(len(fields))
    low, high = np.array([RANGES[f] for f in fields]).T
    mean = np.clip([start.get(f, 0.0) for f in fields], low, high)
    spread = (high - low) * args.spread
    for generation in range(generations):
        tries = np.clip(mean + spread * rng.standard_normal((args.size, len(fields))), low, high)
        tries[0] = mean
        jobs = [
            ({**start, **dict(zip(fields, t, strict=True))}, pool, kind, args.games, generation)
            for t in tries
        ]
        worth = np.array(workers.map(fitness, jobs, chunksize=1))  # type: ignore[attr-defined]
        best = tries[np.argsort(-worth)[: args.size // 4]]
        mean = 0.3 * mean + 0.7 * best.mean(axis=0)
        spread = 0.5 * spread + 0.5 * best.std(axis=0) + 0.002 * (high - low)
        print(f"{kind} {generation}: {worth[0]:.3f}, best {worth.max():.3f}", flush=True)
    return {**start, **{f: round(float(v), 3) for f, v in zip(fields, mean, strict=True)}}


def write(found: dict[str, dict[str, Numbers]]) -> None:
    """Write all styles."""
    lines = ["# Found by tools/tune_styles.py. What the numbers mean: macaz.bots.compiled.layout."]
    for name, kinds in found.items():
        for kind, numbers in kinds.items():
            lines += ["", f"[{name}.{kind}]"]
            lines += [f"{field} = {value:g}" for field, value in numbers.items()]
    FILE.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    """Tune the racer, then the planner, for each kind of table asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", default=[], choices=[*TABLES, []])
    parser.add_argument("--generations", type=int, default=8)
    parser.add_argument("--exact", type=int, help="generations with exact plans, which take longer")
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--spread", type=float, default=0.1)
    args = parser.parse_args()
    quick = args.generations
    exact = quick if args.exact is None else args.exact
    compiled(MATCHES, bulk_target())  # before there are several processes
    with Pool() as workers:
        for kind in args.kinds or TABLES:
            found = tomllib.loads(FILE.read_text("utf-8"))
            racer = {"kind": at.RACER, "more": 1e9} | found["racer"][kind]
            playout = {"kind": at.PLANNER, "tickets": 60} | found["playout"][kind]
            racer = improve(workers, racer, [racer, playout], kind, RACER_FIELDS, args, quick)
            # With the quick plans of playouts first, then what only exact plans use.
            playout = improve(workers, playout, [racer, playout], kind, PLAYOUT_FIELDS, args, quick)
            planner = found["planner"][kind] | playout | {"exact": 1}
            planner = improve(workers, planner, [racer, playout], kind, EXACT_FIELDS, args, exact)
            for name, style in (("racer", racer), ("playout", playout), ("planner", planner)):
                found[name][kind] = {f: v for f, v in style.items() if f in RANGES}
            write(found)


if __name__ == "__main__":
    main()
