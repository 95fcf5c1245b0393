"""The lanes that the seats of a table need at a moment of a game, with knowledge of every hand.

A seat needs the lanes of the plan that the exact planner makes for it, from its own hand and
tickets. This definition is the same for all bots; a bot itself may have planned something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from macaz.bots.compiled import layout as bots_at
from macaz.bots.compiled.program import guide_of, players
from macaz.bots.styles import style_of
from macaz.kernel import layout as at
from macaz.kernel.help import free_lanes

if TYPE_CHECKING:
    from macaz.kernel.spec import Spec

DETOUR = 2  # trains: how much longer than the shortest path a useful one may be
_FAR = 10_000.0  # trains: there is no path


@lru_cache(maxsize=16)
def needs_of(spec: Spec) -> Needs:
    """The `Needs` of a spec, shared by all its games."""
    return Needs(spec)


class Needs:
    """Computes what the seats of a table need. Not thread-safe."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        table = spec.table[0]
        self._lanes = np.array(sorted(spec.route_of_lane))
        self._a, self._b = (table[end][self._lanes].astype(int) for end in ("lane_a", "lane_b"))
        self._length = table["lane_length"][self._lanes].astype(float)
        self._cities = int(table["cities"])
        self._rooted = bool(table["start_city"])
        beside: dict[tuple[int, int], list[int]] = {}
        for lane, a, b in zip(self._lanes.tolist(), self._a, self._b, strict=True):
            beside.setdefault((int(a), int(b)), []).append(lane)
        self._beside = {lane: tuple(pair) for pair in beside.values() for lane in pair}
        self._minds = np.zeros(1, bots_at.dtypes["mind"])
        self._works = np.zeros(1, at.dtype_of("work"))
        self._dice = np.ones(1, at.dtype_of("dice"))

    def plan(self, states: np.ndarray, seat: int) -> frozenset[int]:
        """The lanes that a seat needs at the beginning of a turn, its own or another seat's."""
        self._make_plan(states, seat)
        return frozenset(_bits(self._minds["plan"][0]))

    def pairs(self, lanes: Iterable[int]) -> frozenset[int]:
        """These lanes and all parallel ones, because any of them serves the same need."""
        return frozenset(beside for lane in lanes for beside in self._beside[lane])

    def shut(self, states: np.ndarray, seat: int, lane: int) -> bool:
        """Whether no other seat can connect the two cities directly once a seat has this lane."""
        after = states.copy()
        after["claimed"][0, seat, lane // at.WORD_BITS] |= 1 << lane % at.WORD_BITS
        others = (p for p in range(self.spec.seats) if p != seat)
        return all(
            {*_bits(free_lanes(self.spec, after, p))}.isdisjoint(self._beside[lane]) for p in others
        )

    def useful(self, states: np.ndarray, seat: int) -> frozenset[int]:
        """The lanes on paths for its open tickets that are at most `DETOUR` above the shortest."""
        own, free = self._own_and_free(states, seat)
        cost = np.where(own, 0.0, np.where(free, self._length, _FAR))
        far = self._distances(cost)
        a, b = self._a, self._b
        found = np.zeros(len(self._lanes), bool)
        for start, goal in self._goals(states, seat):
            best = far[start, goal]
            if 0 < best <= states["trains"][0, seat]:
                there = far[start, a] + cost + far[b, goal]
                back = far[start, b] + cost + far[a, goal]
                found |= np.minimum(there, back) <= best + DETOUR
        return frozenset(self._lanes[found & free].tolist())

    def tickets_for(self, states: np.ndarray, seat: int, lane: int) -> tuple[int, ...]:
        """The tickets that a seat's plan completes only if it gets a lane or a parallel one."""
        self._make_plan(states, seat)
        lanes = {one for name in ("plan", "borrow") for one in _bits(self._minds[name][0])}
        return self._depending(states, seat, lanes, {*self._beside[lane]})

    def tickets_by(self, states: np.ndarray, seat: int, lane: int) -> tuple[int, ...]:
        """The tickets that a seat has completed and would not have without a lane of its own."""
        return self._depending(states, seat, set(), {lane})

    def _depending(
        self, states: np.ndarray, seat: int, more: set[int], less: set[int]
    ) -> tuple[int, ...]:
        """The tickets that a seat completes with the lanes `more`, but not without `less`."""
        lanes = {*_bits(states["claimed"][0, seat])} | more | self._borrowable(states, seat)
        whole, without = self._joined(lanes), self._joined(lanes - less)
        table = self.spec.table[0]
        ends = [
            (t, int(table["ticket_a"][t]), int(table["ticket_b"][t]))
            for t in self._tickets(states, seat)
        ]
        return tuple(t for t, a, b in ends if whole[a] == whole[b] and without[a] != without[b])

    def _make_plan(self, states: np.ndarray, seat: int) -> None:
        assert states["phase"][0] == at.TURN, "plans are made at the beginning of a turn"
        players().choose_for(
            self.spec.table,
            guide_of(self.spec),
            style_of("planner", self.spec),
            states.copy(),  # the states of a history are read-only, and players need writable ones
            self._minds,
            self._dice,
            self._works,
            seat,
        )

    def _own_and_free(self, states: np.ndarray, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """Which lanes a seat owns, and which it may still claim, in the order of `_lanes`."""
        claimed = states["claimed"][0]
        mine = {*_bits(claimed[seat])}
        open_ = {*_bits(free_lanes(self.spec, states.copy(), seat))}
        own = np.array([lane in mine for lane in self._lanes.tolist()])
        free = np.array([lane in open_ for lane in self._lanes.tolist()])
        return own, free

    def _distances(self, cost: np.ndarray) -> np.ndarray:
        """The cost in trains of the shortest path between every two cities (Floyd–Warshall)."""
        far = np.full((self._cities, self._cities), _FAR)
        np.fill_diagonal(far, 0.0)
        np.minimum.at(far, (self._a, self._b), cost)
        np.minimum.at(far, (self._b, self._a), cost)
        for city in range(self._cities):
            np.minimum(far, far[:, city, None] + far[None, city], out=far)
        return far

    def _tickets(self, states: np.ndarray, seat: int) -> list[int]:
        held: list[int] = np.flatnonzero(states["ticket"][0] == at.HELD + seat).tolist()
        return held

    def _goals(self, states: np.ndarray, seat: int) -> Iterator[tuple[int, int]]:
        """Pairs of cities to connect for its tickets.

        If networks start at a city, each end of a ticket has to be connected with that city.
        """
        table = self.spec.table[0]
        for t in self._tickets(states, seat):
            a, b = int(table["ticket_a"][t]), int(table["ticket_b"][t])
            if self._rooted:
                root = int(states["marks"][0, seat, 0])
                yield root, a
                yield root, b
            else:
                yield a, b

    def _borrowable(self, states: np.ndarray, seat: int) -> set[int]:
        """The lanes of other seats that end at a city with a station of this seat."""
        if not self.spec.table["stations"][0]:
            return set()
        station_cities = {*states["marks"][0, seat].tolist()}
        taken = {*_bits(np.bitwise_or.reduce(states["claimed"][0], axis=0))}
        return {
            lane
            for lane, a, b in zip(self._lanes.tolist(), self._a, self._b, strict=True)
            if lane in taken and (int(a) in station_cities or int(b) in station_cities)
        }

    def _joined(self, lanes: Iterable[int]) -> list[int]:
        """For each city a representative of all cities that these lanes connect with it."""
        table = self.spec.table[0]
        group = list(range(self._cities))
        for lane in lanes:
            one, other = group[table["lane_a"][lane]], group[table["lane_b"][lane]]
            if one != other:
                group = [one if city == other else city for city in group]
        return group


def _bits(words: np.ndarray) -> Iterator[int]:
    """The lanes of a bit set, in ascending order."""
    for word, bits in enumerate(words.tolist()):
        rest = bits
        while rest:
            yield word * at.WORD_BITS + (rest & -rest).bit_length() - 1
            rest &= rest - 1
