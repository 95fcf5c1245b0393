"""Compare the speed of this checkout with that of another one, such as an earlier commit.

git worktree add ../before COMMIT
python bench/before.py ../before [--rounds N] [--seconds S] [--gpu] [--out FILE.json]

A process for each checkout measures on request. The two take turns, so that other work of the
machine affects both. Each round gives the ratio of this checkout's speed to the other's; the table
has the median, the lowest and the highest of these ratios. Speeds are measured in processor time of
the process, on a GPU in wall-clock time.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
EDITIONS = (("usa-classic", 2), ("europe", 4), ("old-west", 3))
# WebAssembly first: the records of players must be in its memory, which native code can use too.
TARGETS = {"wasm": "WebAssembly", "cpu": "native"}
ENVIRONMENTS = 1024  # games of the vector environment
GPU_GAMES = 1 << 17
POSITIONS = 24  # in which a bot decides
SEED = 20_241

Measure = Callable[[float], float]  # takes the seconds to measure; returns units of work per second


# -- measuring in one checkout ---------------------------------------------------------------------


def find(*places: str) -> Any:
    """The first of several "module:name" that exists: older checkouts have other packages."""
    for place in places:
        module, _, name = place.partition(":")
        try:
            return getattr(importlib.import_module(module), name)
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError(places[0])


def spec_of(edition: str, seats: int) -> Any:
    """The compiled spec of an edition and a number of seats."""
    compile_spec = find("macaz.kernel.spec:compile_spec")
    return compile_spec(find("macaz.edition:load_edition")(edition), seats)


def pace(work: Callable[[], int], seconds: float, clock: Callable[[], float]) -> float:
    """Units of work per second, measured for some seconds."""
    done, began = 0, clock()
    while (elapsed := clock() - began) < seconds:
        done += work()
    return done / elapsed


def random_games(edition: str, seats: int) -> Measure:
    """Whole random games in the kernel, in one thread."""
    play_batch, spec = find("macaz.kernel.cpu:play_batch"), spec_of(edition, seats)
    play_batch(spec, 0, 8, SEED)

    def play() -> int:
        return len(play_batch(spec, 0, 256, SEED))

    return lambda seconds: pace(play, seconds, time.process_time)


def environment(edition: str, seats: int) -> Measure:
    """Decisions of the vector environment, with observations and masks."""
    env = find("macaz.lab.env.vector:VectorEnv", "macaz.env.vector:VectorEnv")(
        edition, seats, ENVIRONMENTS, seed=SEED
    )
    env.reset()
    for _ in range(100):  # so that the games are in different phases
        env.step(env.sample_actions())

    def step() -> int:
        env.step(env.sample_actions())
        return ENVIRONMENTS

    return lambda seconds: pace(step, seconds, time.process_time)


def pettingzoo(edition: str, seats: int) -> Measure:
    """Decisions of the PettingZoo environment from a loop in Python, with actions by the masks."""
    table = find("macaz.lab.env.pettingzoo:env", "macaz.env.pettingzoo:env")(edition, seats)
    table.reset(seed=SEED)
    draw = random.Random(1).random

    def play() -> int:
        table.reset()
        decisions = 0
        for _ in table.agent_iter():
            seen, _, terminated, _, _ = table.last()
            legal = [] if terminated else seen["action_mask"].nonzero()[0]
            table.step(None if terminated else legal[int(draw() * len(legal))])
            decisions += not terminated
        return decisions

    play()
    return lambda seconds: pace(play, seconds, time.process_time)


def positions(edition: str, seats: int) -> list[tuple[Any, list[Any]]]:
    """Views and legal moves of a random game, spread over its length."""
    game = find("macaz:Game")(edition, seats, seed=1)
    chance, found = random.Random(1), []
    while not game.over:
        legal = list(game.legal_moves_of(game.deciding[0]))
        if len(legal) > 1:
            found.append((game.view(game.deciding[0]), legal))
        game.push(chance.choice(legal), game.deciding[0])
    return [found[len(found) * number // POSITIONS] for number in range(POSITIONS)]


def bot_decisions(name: str, edition: str, seats: int, count: int) -> Measure:
    """Decisions of a bot in some positions."""
    make_bot, chosen = find("macaz.bots:make_bot"), positions(edition, seats)[:count]

    def decide() -> int:
        bot = make_bot(name, seed=1)
        for view, legal in chosen:
            bot.choose(view, legal)
        return len(chosen)

    decide()
    return lambda seconds: pace(decide, seconds, time.process_time)


def gpu_games(edition: str, seats: int) -> Measure:
    """Whole random games on the GPU."""
    table = find("macaz.kernel.gpu:Table")(spec_of(edition, seats), GPU_GAMES)
    slot = table.slot()

    def play() -> int:
        table.launch(slot, 0, GPU_GAMES, SEED)
        slot.stream.synchronize()
        return GPU_GAMES

    play()
    return lambda seconds: pace(play, seconds, time.perf_counter)


def gpu_environment(edition: str, seats: int) -> Measure:
    """Decisions of the vector environment on the GPU."""
    games = 1 << 16
    env = find("macaz.lab.env.vector:VectorEnv", "macaz.env.vector:VectorEnv")(
        edition, seats, games, seed=SEED, target="cuda"
    )
    env.reset()
    cuda = importlib.import_module("numba.cuda")

    def step() -> int:
        for _ in range(20):
            env.step(env.sample_actions())
        cuda.synchronize()
        return 20 * games

    for _ in range(5):
        step()
    return lambda seconds: pace(step, seconds, time.perf_counter)


def figures(with_gpu: bool) -> Iterator[tuple[str, str, Callable[[], Measure]]]:
    """Name, target and maker of each measurement."""
    for target, label in TARGETS.items():
        for table in EDITIONS:
            title = f"{table[0]} {table[1]}, {label}"
            yield f"random games, {title}", target, lambda t=table: random_games(*t)
        table = EDITIONS[0]
        title = f"{table[0]} {table[1]}, {label}"
        yield (
            f"planner, {title}",
            target,
            lambda t=table: bot_decisions("planner", *t, POSITIONS),
        )
        yield f"search, {title}", target, lambda t=table: bot_decisions("search:200", *t, 3)
        for name in ("tiny", "usa"):
            title = f"{name} 2, {label}"
            yield f"PettingZoo, {title}", target, lambda n=name: pettingzoo(n, 2)
    for table in EDITIONS:
        title = f"{table[0]} {table[1]}, native"
        yield f"vector environment, {title}", "cpu", lambda t=table: environment(*t)
    if with_gpu:
        for table in EDITIONS:
            title = f"{table[0]} {table[1]}, GPU"
            yield f"random games, {title}", "cpu", lambda t=table: gpu_games(*t)
            yield f"vector environment, {title}", "cpu", lambda t=table: gpu_environment(*t)


def serve(with_gpu: bool) -> None:
    """Answer lines "seconds name" with units of work per second, until the input ends."""
    known = {name: (target, make) for name, target, make in figures(with_gpu)}
    made: dict[str, Measure] = {}
    answers, sys.stdout = sys.stdout, sys.stderr  # other output must not be read as an answer
    for line in sys.stdin:
        seconds, _, name = line.strip().partition(" ")
        target, make = known[name]
        os.environ["MACAZ_TARGET"] = target
        try:
            if name not in made:
                made[name] = make()
            answer = {"speed": made[name](float(seconds))} if float(seconds) else {}
        except Exception as error:
            answer = {"failed": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


# -- comparing two checkouts -----------------------------------------------------------------------


class Checkout:
    """A process that measures in a checkout."""

    def __init__(self, folder: Path, with_gpu: bool) -> None:
        variables = {
            **os.environ,
            "PYTHONPATH": f"{folder / 'src'}:{os.environ.get('PYTHONPATH', '')}",
        }
        command = [sys.executable, __file__, "--serve", *(["--gpu"] if with_gpu else [])]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=variables)

    def ask(self, name: str, seconds: float) -> None:
        """Request a measurement; `answer` returns its result."""
        assert self._process.stdin is not None
        print(seconds, name, file=self._process.stdin, flush=True)

    def answer(self) -> dict[str, Any]:
        """The result of a request: {"speed": …}, {"failed": …}, or {} if it only prepared."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found: dict[str, Any] = json.loads(line) if line else {"failed": "the process ended"}
        return found

    def measure(self, name: str, seconds: float) -> float | None:
        """Units of work per second, or None if the measurement failed."""
        self.ask(name, seconds)
        return self.answer().get("speed")


def compare(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure everything in both checkouts by turns."""
    here, before = Checkout(HERE, args.gpu), Checkout(args.before.resolve(), args.gpu)
    skipped = args.skip.split(",") if args.skip else []
    names = [
        name
        for name, _, _ in figures(args.gpu)
        if args.only in name and not any(word in name for word in skipped)
    ]
    usable = []
    for name in names:  # compile and prepare in both at the same time
        for checkout in (here, before):
            checkout.ask(name, 0)
        failed = [found["failed"] for c in (here, before) if "failed" in (found := c.answer())]
        print(f"prepared: {name}", *failed, file=sys.stderr, flush=True)
        if not failed:
            usable.append(name)
    speeds: dict[str, list[tuple[float, float]]] = {name: [] for name in usable}
    for number in range(args.rounds):
        for name in usable:
            order = (here, before) if number % 2 == 0 else (before, here)
            found = {checkout: checkout.measure(name, args.seconds) for checkout in order}
            after, then = found[here], found[before]
            if after is not None and then is not None:
                speeds[name].append((after, then))
    return [_row(name, pairs) for name, pairs in speeds.items() if pairs]


def _row(name: str, pairs: list[tuple[float, float]]) -> dict[str, Any]:
    ratios = [after / before for after, before in pairs]
    return {
        "figure": name,
        "before": statistics.median(before for _, before in pairs),
        "after": statistics.median(after for after, _ in pairs),
        "ratio": statistics.median(ratios),
        "lowest": min(ratios),
        "highest": max(ratios),
        "rounds": len(ratios),
    }


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path, nargs="?", help="the other checkout")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure and round")
    parser.add_argument("--gpu", action="store_true", help="measure on the GPU too")
    parser.add_argument("--only", default="", help="only figures whose name contains this")
    parser.add_argument(
        "--skip", default="", help="no figures whose name contains one of these words: a,b"
    )
    parser.add_argument("--out", type=Path)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.gpu)
        return
    if args.before is None or not (args.before / "src/macaz").is_dir():
        parser.error("name the other checkout, a folder with src/macaz")
    rows = compare(args)
    print("| per second | before | after | after : before |\n| --- | ---: | ---: | ---: |")
    for row in rows:
        spread = f"{row['ratio']:.2f} ({row['lowest']:.2f}–{row['highest']:.2f})"
        print(f"| {row['figure']} | {row['before']:,.1f} | {row['after']:,.1f} | {spread} |")
    if args.out:
        args.out.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
