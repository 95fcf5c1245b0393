"""One source, three ways to run: compiled for the CPU and as plain Python, step by step.

The third way, the GPU, is compared by bench/gpu.py where there is one.
"""

import os

import numpy as np
import pytest

from macaz.edition import list_editions, load_edition
from macaz.kernel.compile import entries, functions, kernel
from macaz.kernel.layout import RECORDS, dtype_of
from macaz.kernel.plain import plain
from macaz.kernel.spec import Spec, compile_spec

NAMES = [
    name
    for edition in list_editions()
    for name in (edition, *(f"{edition}+{o.name}" for o in load_edition(edition).available_options))
]
TABLES = [
    (name, seats)
    for name in NAMES
    for seats in range(load_edition(name).rules.min_seats, load_edition(name).rules.max_seats + 1)
]
SEED = 2026
GAMES = int(os.environ.get("MACAZ_TEST_GAMES", "100"))  # of each table; more for a long check


def records(name: str) -> np.ndarray:
    return np.zeros(1, dtype_of(name))


class Bench:
    """One game of a seeded series, on one target."""

    def __init__(self, spec: Spec, target: str) -> None:
        self.run = kernel(target)
        self.arrays = {name: records(name) for name in ("state", "work", "tally", "dice")}
        wrap = plain if target == "plain" else lambda _name, array: array
        self.specs = wrap("spec", spec.table)
        self.at = {name: wrap(name, array) for name, array in self.arrays.items()}

    def begin(self, game: int) -> int:
        self.run.new_series_game(self.specs, self.at["state"], 0, self.at["dice"], SEED, game, -1)
        return self.choose(-1)

    def choose(self, k: int) -> int:
        at = self.at
        return int(self.run.choose_nth(self.specs, at["state"], 0, at["work"], at["dice"], k))

    def memory(self) -> bytes:
        return self.arrays["state"].tobytes() + self.arrays["dice"].tobytes()

    def tally(self) -> bytes:
        at = self.at
        self.run.tally_up(self.specs, at["state"], 0, at["work"], at["tally"])
        return self.arrays["tally"].tobytes()


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_plain_and_compiled_give_the_same_bytes(name: str, seats: int) -> None:
    """Every state of many games, after every decision and the chance that follows it."""
    spec = compile_spec(load_edition(name), seats)
    ways = Bench(spec, "cpu"), Bench(spec, "plain")
    rng = np.random.default_rng(seats)
    for game in range(GAMES * 5 if name == "tiny" else GAMES):
        choices = {way.begin(game) for way in ways}
        while choices != {0}:
            assert len(choices) == 1, "a different number of legal actions"
            assert ways[0].memory() == ways[1].memory()
            k = int(rng.integers(choices.pop()))
            choices = {way.choose(k) for way in ways}
        assert ways[0].memory() == ways[1].memory()
        assert ways[0].tally() == ways[1].tally()


def test_a_state_is_at_most_512_bytes() -> None:
    assert dtype_of("state").itemsize <= 512


@pytest.mark.parametrize("record", RECORDS)
def test_plain_records_share_memory_and_refuse_what_does_not_fit(record: str) -> None:
    array = records(record)
    (one,) = plain(array)
    field = RECORDS[record][0]
    values = getattr(one, field.name)
    index = (0,) * len(field.shape)
    values[index] = 7
    assert array[field.name].flat[0] == 7
    with pytest.raises(ValueError, match=r"range|value"):
        values[index] = 1 << 63


def test_an_unknown_way_to_run_is_refused() -> None:
    with pytest.raises(ValueError, match="cpu, plain or cuda"):
        kernel("abacus")


def test_entries_are_functions_of_the_kernel() -> None:
    assert set(entries()) <= set(functions())
