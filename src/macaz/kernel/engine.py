"""The kernel for one table, with a call for each question and ordinary Python values around it."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from macaz.kernel.compile import AUTO, default_target, kernel
from macaz.kernel.layout import ACTIONS, MOST_EVENTS, OFFERED, dtype_of
from macaz.kernel.once import once

if TYPE_CHECKING:
    from collections.abc import Sequence

    from macaz.kernel.spec import Spec

NO_ACTOR = -2  # the game is over
CHANCE = -1


class Scratch(threading.local):
    """Working memory, one for each thread: the kernel runs without the interpreter's lock."""

    def __init__(self, target: str) -> None:
        zeros = kernel(target).zeros
        self.out = zeros(ACTIONS, np.int16)
        self.states = zeros(1, dtype_of("state"))
        self.works = zeros(1, dtype_of("work"))
        self.dice = zeros(1, dtype_of("dice"))
        self.events = zeros(MOST_EVENTS, dtype_of("event"))


def scratch(target: str = AUTO) -> Scratch:
    """The working memory of whichever thread uses it, for a target."""
    return _scratch(default_target() if target == AUTO else target)


@once
def _scratch(target: str) -> Scratch:
    return Scratch(target)


@lru_cache(maxsize=64)
def engine_of(spec: Spec, target: str = AUTO) -> Engine:
    """The engine of a table; all its games share it, in any thread."""
    return Engine(spec, target)


def _written(events: np.ndarray) -> bytes:
    """The events of a step, as bytes."""
    return events[: np.count_nonzero(events["kind"])].tobytes()


class Engine:
    """Runs the rules of one table on state records."""

    def __init__(self, spec: Spec, target: str = AUTO) -> None:
        self.spec = spec
        self.target = default_target() if target == AUTO else target
        self._run = kernel(target)
        self._specs = spec.table
        self._scratch = scratch(target)

    def new_state(self, first: int = -1) -> np.ndarray:
        """A new game, as an array of one state record."""
        states = np.zeros(1, dtype_of("state"))
        self._run.new_game(self._specs, states, 0, first)
        return states

    def actor(self, states: np.ndarray) -> int:
        """The seat that decides next, CHANCE or NO_ACTOR."""
        return int(self._run.to_move(self._specs, states, 0))

    def legal(self, states: np.ndarray, seat: int) -> Sequence[int]:
        """A seat's legal action numbers, ascending."""
        out = self._scratch.out
        n = self._run.list_legal(self._specs, states, 0, self._scratch.works, seat, out)
        numbers: list[int] = out[:n].tolist()
        return numbers

    def is_legal(self, states: np.ndarray, action: int) -> bool:
        """Whether an action may be taken."""
        return bool(self._run.is_legal(self._specs, states, 0, self._scratch.works, action))

    def act(self, states: np.ndarray, action: int) -> tuple[int, bytes]:
        """Take a legal action, in place; returns who decides next, and what happened.

        What happened is the bytes of event records, which `macaz.game.events` reads.
        """
        events = self._scratch.events
        actor = self._run.act(self._specs, states, 0, action, events)
        return int(actor), _written(events)

    def chance_ways(self, states: np.ndarray) -> int:
        """How many equally likely ways chance has."""
        return int(self._run.chance_ways(self._specs, states, 0))

    def chance_outcome(self, states: np.ndarray, way: int) -> int:
        """The outcome of one of the ways."""
        return int(self._run.chance_outcome(self._specs, states, 0, way))

    def chance_weight(self, states: np.ndarray, outcome: int) -> int:
        """How many ways lead to an outcome; 0 where it cannot come."""
        return int(self._run.outcome_weight(self._specs, states, 0, outcome))

    def chance(self, states: np.ndarray, outcome: int) -> tuple[int, bytes]:
        """Apply an outcome of chance, in place; returns what `act` returns."""
        events = self._scratch.events
        actor = self._run.chance(self._specs, states, 0, outcome, events)
        return int(actor), _written(events)

    def tally(self, states: np.ndarray) -> np.void:
        """The score as if the game ended now."""
        tallies = np.zeros(1, dtype_of("tally"))
        self._run.tally_up(
            self._specs,
            states,
            0,
            self._scratch.works,
            tallies,
        )
        tally: np.void = tallies[0]
        return tally

    def longest_path(self, states: np.ndarray, seat: int) -> int:
        """The length of a seat's longest continuous path."""
        return int(self._run.path_length(self._specs, states, 0, self._scratch.works, seat))

    def offer(self, states: np.ndarray, seat: int) -> tuple[int, ...]:
        """The tickets that lie before a seat to choose from, ascending."""
        where = states["ticket"][0, : len(self.spec.edition.board.tickets)]
        return tuple(np.flatnonzero(where == OFFERED + seat).tolist())
