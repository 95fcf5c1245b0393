"""One source, four targets: WebAssembly, native code and plain Python, step by step.

The fourth, the GPU, is compared by bench/gpu.py where there is one. WebAssembly in another host is
compared by tests/kernel/test_node.py.
"""

from functools import cache

import numpy as np
import pytest
from tests.amount import GAMES
from tests.editions import MAIN

from macaz.edition import load_edition
from macaz.kernel.compile import kernel
from macaz.kernel.engine import CHANCE, NO_ACTOR
from macaz.kernel.layout import ACTIONS, MOST_EVENTS, RECORDS, dtype_of
from macaz.kernel.plain import plain
from macaz.kernel.spec import compile_spec

NAMES = [
    name
    for edition in MAIN
    for name in (edition, *(f"{edition}+{o.name}" for o in load_edition(edition).available_options))
]
TABLES = [
    (name, seats)
    for name in NAMES
    for seats in range(load_edition(name).rules.min_seats, load_edition(name).rules.max_seats + 1)
]
TARGETS = ("wasm", "cpu", "plain")
SEED = 2026
PLAIN_GAMES = max(2, GAMES // 10)  # also played in plain Python, which is a hundred times slower


class Bench:
    """One game of a seeded series, on one target."""

    specs: np.ndarray

    def __init__(self, target: str) -> None:
        self.run = kernel(target)
        names = ("state", "work", "tally", "dice")
        self.at: dict[str, np.ndarray] = {n: self.run.zeros(1, dtype_of(n)) for n in names}
        self.at["event"] = self.run.zeros(MOST_EVENTS, dtype_of("event"))
        self.out = self.run.zeros(ACTIONS, np.int16)

    def begin(self, game: int) -> int:
        self.run.new_series_game(self.specs, self.at["state"], 0, self.at["dice"], SEED, game, -1)
        return self.choose(-1)

    def choose(self, k: int) -> int:
        at = self.at
        return int(self.run.choose_nth(self.specs, at["state"], 0, at["work"], at["dice"], k))

    def actor(self) -> int:
        return int(self.run.to_move(self.specs, self.at["state"], 0))

    def step(self, actor: int, draw: int) -> bytes:
        """One decision or outcome of chance, chosen by a large number; returns the events."""
        at = self.at
        if actor == CHANCE:
            way = draw % self.run.chance_ways(self.specs, at["state"], 0)
            outcome = self.run.chance_outcome(self.specs, at["state"], 0, way)
            self.run.chance(self.specs, at["state"], 0, outcome, at["event"])
        else:
            n = self.run.list_legal(self.specs, at["state"], 0, at["work"], actor, self.out)
            action = int(self.out[draw % n])
            self.run.act(self.specs, at["state"], 0, action, at["event"])
        return at["event"][: np.count_nonzero(at["event"]["kind"])].tobytes()

    def memory(self) -> bytes:
        return self.at["state"].tobytes() + self.at["dice"].tobytes()

    def tally(self) -> bytes:
        at = self.at
        self.run.tally_up(self.specs, at["state"], 0, at["work"], at["tally"])
        return self.at["tally"].tobytes()


@cache
def bench_of(target: str) -> Bench:
    """The records of a target, made once: WebAssembly memory is never freed."""
    return Bench(target)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_all_targets_give_the_same_bytes(name: str, seats: int) -> None:
    """Every state of many games, after every decision and the chance steps that follow it."""
    spec = compile_spec(load_edition(name), seats)
    every = [bench_of(target) for target in TARGETS]
    compiled = [bench_of(target) for target in TARGETS if target != "plain"]
    for way in every:
        way.specs = spec.table
    rng = np.random.default_rng(seats)
    for game in range(GAMES * 5 if name == "tiny" else GAMES):
        ways = every if game < PLAIN_GAMES else compiled
        choices = {way.begin(game) for way in ways}
        while choices != {0}:
            assert len(choices) == 1, "a different number of legal actions"
            assert len({way.memory() for way in ways}) == 1
            k = int(rng.integers(choices.pop()))
            choices = {way.choose(k) for way in ways}
        assert len({way.memory() for way in ways}) == 1
        assert len({way.tally() for way in ways}) == 1


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_all_targets_tell_the_same_events(name: str, seats: int) -> None:
    """Every event of a few games, step by step, chance included."""
    spec = compile_spec(load_edition(name), seats)
    ways = [bench_of(target) for target in TARGETS]
    rng = np.random.default_rng(seats)
    for game in range(max(2, GAMES // 50)):
        for way in ways:
            way.specs = spec.table
            way.run.new_game(spec.table, way.at["state"], 0, game % seats if game % 2 else -1)
        actors = {way.actor() for way in ways}
        while actors != {NO_ACTOR}:
            [actor] = actors
            draw = int(rng.integers(1 << 40))
            assert len({way.step(actor, draw) for way in ways}) == 1
            assert len({way.at["state"].tobytes() for way in ways}) == 1
            actors = {way.actor() for way in ways}


def test_a_state_is_at_most_512_bytes() -> None:
    assert dtype_of("state").itemsize <= 512


@pytest.mark.parametrize("record", RECORDS)
def test_plain_records_share_memory_and_refuse_what_does_not_fit(record: str) -> None:
    array = np.zeros(1, dtype_of(record))
    (one,) = plain(array)
    field = next(field for field in RECORDS[record] if field.kind.startswith("i"))
    values = getattr(one, field.name)
    index = (0,) * len(field.shape)
    values[index] = 7
    assert array[field.name].flat[0] == 7
    with pytest.raises(ValueError, match=r"range|value"):
        values[index] = 1 << 63


def test_an_unknown_way_to_run_is_refused() -> None:
    with pytest.raises(ValueError, match="wasm, cpu, mixed, plain or cuda"):
        kernel("abacus")
