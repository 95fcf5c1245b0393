"""Microseconds for single calls from Python, on states from the middle of random games."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np

from macaz.edition import load_edition
from macaz.game import Game
from macaz.kernel.compile import kernel
from macaz.kernel.engine import scratch
from macaz.kernel.layout import OVER, WORD_BITS, dtype_of
from macaz.kernel.spec import Spec, compile_spec
from macaz.lab.bench.games import job_on
from macaz.lab.bench.measure import Job, time_calls

STATES = 256
EDITION, PLAYERS = "usa-classic", 2


def call_jobs(targets: Sequence[str], seconds: float) -> list[Job]:
    """A job for each kind of call, on each target."""
    found = [_jobs(target, seconds) for target in targets]
    return [job for same in zip(*found, strict=True) for job in same]


def _jobs(target: str, seconds: float) -> list[Job]:
    table = Positions(compile_spec(load_edition(EDITION), PLAYERS), target)
    calls: dict[str, Callable[[float], float]] = {
        "copy a state": table.time_copy,
        "list the legal actions": table.time_legal,
        "apply an action": table.time_act,
        "longest path, at the end of a random game": table.time_path,
        "longest path, a hard network": table.time_hard_path,
        "Game.view": _time_view,
        "Game.push": _time_push,
    }
    return [
        job_on(target, f"calls, {target}", name, lambda m=measure: {"µs": m(seconds)})  # type: ignore[misc]
        for name, measure in calls.items()
    ]


class Positions:
    """States from the middle of random games, and from their ends."""

    def __init__(self, spec: Spec, target: str) -> None:
        self.spec = spec
        self.rules = kernel(target)
        self.own = scratch(target)
        self.out, self.works = self.own.out, self.own.works
        self.middle, self.ends, self.fresh = (
            self.rules.zeros(STATES, dtype_of("state")) for _ in range(3)
        )
        chance = random.Random(1)
        for i in range(STATES):
            self._play(i, chance)
        seats = [self.rules.to_move(spec.table, self.middle, i) for i in range(STATES)]
        self.seats = [int(seat) for seat in seats]
        self.actions = []
        for i, seat in enumerate(self.seats):
            count = self.rules.list_legal(spec.table, self.middle, i, self.works, seat, self.out)
            self.actions.append(int(self.out[chance.randrange(count)]))
        self._hard: np.ndarray | None = None
        # The first call of a compiled function sets it up.
        self.fresh[0] = self.middle[0]
        self.rules.act(spec.table, self.fresh, 0, self.actions[0], self.own.events)
        self.rules.path_length(spec.table, self.ends, 0, self.works, 0)

    def _play(self, i: int, chance: random.Random) -> None:
        """Play a game; keep one of its states, chosen uniformly, and its end."""
        spec, rules, states = self.spec, self.rules, self.own.states
        dice, works = self.own.dice, self.works
        dice["word"][0] = [chance.randrange(1, 2**32) for _ in range(4)]
        rules.new_game(spec.table, states, 0, -1)
        choices = rules.choose_nth(spec.table, states, 0, works, dice, -1)
        seen = 0
        while states["phase"][0] != OVER:
            seen += 1
            if chance.random() * seen < 1:
                self.middle[i] = states[0]
            k = chance.randrange(choices)
            choices = rules.choose_nth(spec.table, states, 0, works, dice, k)
        self.ends[i] = states[0]

    def time_copy(self, seconds: float) -> float:
        # As plain bytes: NumPy would copy a record field by field.
        states = list(self.middle.view(np.uint8).reshape(STATES, -1))
        target = np.zeros_like(states[0])

        def copy() -> None:
            for state in states:
                target[:] = state

        return time_calls(copy, STATES, seconds)

    def time_legal(self, seconds: float) -> float:
        """All legal actions of the seat to move."""
        table, middle, works, out = self.spec.table, self.middle, self.works, self.out
        list_legal, seats = self.rules.list_legal, list(enumerate(self.seats))

        def legal() -> None:
            for i, seat in seats:
                list_legal(table, middle, i, works, seat, out)

        return time_calls(legal, STATES, seconds)

    def time_act(self, seconds: float) -> float:
        """A random legal action; copying the states is not counted."""
        table, act, states = self.spec.table, self.rules.act, self.fresh
        actions, events = list(enumerate(self.actions)), self.own.events

        def apply() -> None:
            for i, action in actions:
                act(table, states, i, action, events)

        total, rounds = 0.0, 0
        while total < 1e6 * seconds or not rounds:
            states[:] = self.middle
            total += time_calls(apply, 1, 0)
            rounds += 1
        return total / (rounds * STATES)

    def time_path(self, seconds: float) -> float:
        """The longest path of a seat when a random game is over."""
        return self._time_path(self.ends, seconds)

    def time_hard_path(self, seconds: float) -> float:
        """The longest path in the network that takes longest to search."""
        if self._hard is None:
            self._hard = self._find_hard()
        return self._time_path(self._hard, seconds)

    def _time_path(self, states: np.ndarray, seconds: float) -> float:
        table, works, path_length = self.spec.table, self.works, self.rules.path_length
        count = len(states)

        def paths() -> None:
            for i in range(count):
                path_length(table, states, i, works, 0)

        return time_calls(paths, count, seconds)

    def _find_hard(self) -> np.ndarray:
        """Grow a network from every city, closing loops first; keep the slowest."""
        networks = [self._grow(city) for city in range(len(self.spec.edition.board.cities))]
        # The best of three, against noise of the machine.
        return max(networks, key=lambda n: min(self._time_path(n, 0) for _ in range(3)))

    def _grow(self, city: int) -> np.ndarray:
        routes = self.spec.edition.board.routes
        state: np.ndarray = self.rules.zeros(1, dtype_of("state"))
        self.rules.new_game(self.spec.table, state, 0, 0)
        left = self.spec.edition.rules.trains
        inside, pairs = {city}, set()
        while True:
            best = min(
                (
                    (len({r.a, r.b} - inside), r.length, i)
                    for i, r in enumerate(routes)
                    if r.length <= left and (r.a, r.b) not in pairs and {r.a, r.b} & inside
                ),
                default=None,
            )
            if best is None:
                return state
            route = routes[best[2]]
            inside |= {route.a, route.b}
            pairs.add((route.a, route.b))
            left -= route.length
            lane = self.spec.lane_of_route[best[2]]
            state["claimed"][0, 0, lane // WORD_BITS] |= 1 << (lane % WORD_BITS)


def _time_view(seconds: float) -> float:
    """The view of a seat, in the middle of a game."""
    game, chance = Game(EDITION, PLAYERS, seed=1), random.Random(1)
    for _ in range(60):
        game.push(chance.choice(list(game.legal_moves)))
    game.view(0)
    return time_calls(lambda: game.view(0), 1, seconds)


def _time_push(seconds: float) -> float:
    """A move with its check, its record and the following chance events."""
    game, chance, moves = Game(EDITION, PLAYERS, seed=1), random.Random(1), []
    for _ in range(100):
        moves.append(chance.choice(list(game.legal_moves)))
        game.push(moves[-1])
    total, rounds = 0.0, 0
    while total < 1e6 * seconds or not rounds:
        fresh = Game(EDITION, PLAYERS, seed=1)

        def push(fresh: Game = fresh) -> None:
            for move in moves:
                fresh.push(move)

        total += time_calls(push, 1, 0)
        rounds += 1
    return total / (rounds * len(moves))
