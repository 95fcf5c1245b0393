"""Exact planning: cheapest forests for a few tickets, compared with brute force."""

from __future__ import annotations

import itertools
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.arrange import arrange, make_edition

from macaz.bots.compiled import layout as of
from macaz.bots.compiled.program import PLAYERS, guide_of
from macaz.bots.compiled.ways import NO_WAY
from macaz.game import Game
from macaz.kernel import layout as at
from macaz.kernel.compile import compiled
from macaz.kernel.plain import plain

CITIES = "ABCDEFG"
HOPE = 10_000.0  # of a ticket: more than all lanes together cost


class Network:
    """A random map with random costs of its lanes, some free, some out of reach."""

    def __init__(self, seed: int, *, start: bool, lanes: int = 10, tickets: int = 3) -> None:
        rng = random.Random(seed)
        # A path along all cities, and some more: the map is connected unless a lane is closed.
        pairs = list(itertools.pairwise(rng.sample(CITIES, len(CITIES))))
        others = [p for p in itertools.combinations(CITIES, 2) if p not in pairs]
        others = [p for p in others if (p[1], p[0]) not in pairs]
        pairs += rng.sample(others, lanes - len(pairs))
        goals = rng.sample(list(itertools.combinations(CITIES, 2)), tickets)
        edition = make_edition(
            [(a, b, rng.randint(1, 4)) for a, b in pairs],
            [(a, b, 5) for a, b in goals],
            base="old-west" if start else "usa-classic",
        )
        self.game = arrange(edition, 2, hands=[{"red": 8, "blue": 8}])
        self.start = start
        self.lanes = sorted(self.game.spec.route_of_lane)
        self.goals = list(range(tickets))
        self.run = compiled(PLAYERS, "plain")
        minds, styles = np.zeros(1, of.dtypes["mind"]), np.zeros(1, of.dtypes["style"])
        self.m = plain(minds)[0]
        self.y = plain(styles)[0]
        self.y.slack = 1e6
        self.g = plain(guide_of(self.game.spec))[0]
        self.spec = plain(self.game.spec.table)[0]
        self.s = plain(self.game.state)[0]
        # In quarters, which floats hold exactly; irregular, so that sets rarely cost the same.
        self.cost = {}
        for lane in self.lanes:
            draw = rng.random()
            cost = 0.0 if draw < 0.15 else NO_WAY if draw < 0.25 else rng.randint(1, 4000) / 4
            self.cost[lane] = self.m.cost[lane] = cost
        for i, ticket in enumerate(self.goals):
            self.m.todo[i] = ticket
            self.m.hope[i] = HOPE

    def ends(self, lane: int) -> tuple[int, int]:
        return self.spec.lane_a[lane], self.spec.lane_b[lane]

    def joined(self, lanes: Any, group: int) -> bool:
        """Whether these lanes connect the ends of each ticket of a group, and the start if any."""
        parent = list(range(len(CITIES)))

        def find(city: int) -> int:
            while parent[city] != city:
                city = parent[city]
            return city

        for lane in lanes:
            a, b = self.ends(lane)
            parent[find(a)] = find(b)
        goals = [t for i, t in enumerate(self.goals) if group >> i & 1]
        pairs = [(self.spec.ticket_a[t], self.spec.ticket_b[t]) for t in goals]
        if self.start:
            pairs += [(self.s.marks[0, 0], a) for a, _ in pairs]
        return all(find(a) == find(b) for a, b in pairs)

    def cheapest(self) -> dict[int, tuple[float, tuple[int, ...]]]:
        """By group of tickets: the lowest cost of lanes that connect it, and these lanes."""
        free = [lane for lane in self.lanes if self.cost[lane] == 0]
        priced = [lane for lane in self.lanes if 0 < self.cost[lane] < NO_WAY]
        found: dict[int, tuple[float, tuple[int, ...]]] = {}
        for count in range(len(priced) + 1):
            for some in itertools.combinations(priced, count):
                price = sum(self.cost[lane] for lane in some)
                for group in range(1, 1 << len(self.goals)):
                    if price < found.get(group, (NO_WAY,))[0] and self.joined(
                        some + tuple(free), group
                    ):
                        found[group] = price, some
        return found

    def plan(self) -> float:
        return float(
            self.run.plan_forest(self.spec, self.g, self.y, self.s, 0, self.m, len(self.goals), 1e6)
        )

    def planned(self, words: Any) -> set[int]:
        return {
            lane for lane in self.lanes if words[lane // at.WORD_BITS] >> (lane % at.WORD_BITS) & 1
        }


@pytest.mark.parametrize("start", [False, True], ids=["anywhere", "from a start"])
@pytest.mark.parametrize("seed", range(8))
def test_forests_cost_what_the_cheapest_sets_of_lanes_cost(seed: int, start: bool) -> None:
    net = Network(seed, start=start)
    best = net.cheapest()
    gain = net.plan()
    every = (1 << len(net.goals)) - 1
    for group in range(1, every + 1):
        cost, _ = best.get(group, (NO_WAY, ()))
        assert net.m.forest[group] == pytest.approx(cost)
    # A ticket is worth more than all lanes together, so as many as possible are connected.
    wanted = max(best, key=lambda group: (group.bit_count(), -best[group][0]))
    cost, _ = best[wanted]
    assert gain == pytest.approx(wanted.bit_count() * HOPE - cost)
    assert net.m.open == wanted.bit_count()
    planned = net.planned(net.m.plan)
    assert sum(net.cost[lane] for lane in planned) == pytest.approx(cost)
    free = {lane for lane in net.lanes if net.cost[lane] == 0}
    assert net.joined(planned | free, wanted)
    assert net.m.trains == sum(net.spec.lane_length[lane] for lane in planned)
    assert net.m.turns == len(planned)


def test_some_maps_part_the_tickets_into_trees_and_some_do_not() -> None:
    """Some of the forests above are a single tree, and some are not."""
    parted = set()
    for seed in range(8):
        net = Network(seed, start=False)
        net.plan()
        parted |= {net.m.split[group] != 0 for group in (3, 5, 6) if net.m.forest[group] < NO_WAY}
    assert parted == {True, False}


@pytest.mark.parametrize("seed", range(8))
def test_too_few_trains_leave_the_best_that_can_be_laid(seed: int) -> None:
    net = Network(seed, start=False)
    best = net.cheapest()
    length = {
        group: sum(net.spec.lane_length[lane] for lane in lanes)
        for group, (_, lanes) in best.items()
    }
    net.s.trains[0] = trains = (max(length.values()) + min(length.values())) // 2
    gain = {
        group: group.bit_count() * HOPE - cost
        for group, (cost, _) in best.items()
        if length[group] <= trains
    }
    assert net.plan() == pytest.approx(max(gain.values()))
    assert net.m.trains <= trains


def test_a_ticket_that_costs_more_than_it_is_worth_is_left() -> None:
    for seed in range(8):
        net = Network(seed, start=False)
        best = net.cheapest()
        for i, hope in enumerate((30.0, 400.0, 900.0)):
            net.m.hope[i] = hope
        gain = {
            group: sum(net.m.hope[i] for i in range(3) if group >> i & 1) - cost
            for group, (cost, _) in best.items()
        }
        assert net.plan() == pytest.approx(max(0.0, *gain.values()))


def test_four_tickets_with_eight_ends() -> None:
    """The largest number allowed: the records have room for them."""
    names = "ABCDEFGH"
    edition = make_edition(
        [(a, b, 2) for a, b in itertools.pairwise(names)] + [("A", "H", 2)],
        [("A", "E", 9), ("B", "F", 9), ("C", "G", 9), ("D", "H", 9)],
    )
    game = arrange(edition, 2, tickets={0: ["A–E 9", "B–F 9", "C–G 9", "D–H 9"]})
    m, result = planned_by_the_planner(game)
    assert m.open == 4
    assert m.trains == 14  # all but one of the eight lanes
    assert result > 0


def planned_by_the_planner(game: Game) -> tuple[Any, float]:
    run = compiled(PLAYERS, "plain")
    m = plain(np.zeros(1, of.dtypes["mind"]))[0]
    styles = np.zeros(1, of.dtypes["style"])
    y = plain(styles)[0]
    y.exact, y.tickets, y.slack, y.sure, y.rate, y.draw = 1, 60, 100.0, 1.0, 1.0, 0.3
    y.kind = of.PLANNER
    r = SimpleNamespace(
        spec=plain(game.spec.table)[0],
        g=plain(guide_of(game.spec))[0],
        s=plain(game.state)[0],
    )
    run.no_plan(m)
    return m, float(run.plan_for(r.spec, r.g, y, r.s, 0, m, 0))


def test_what_others_laid_is_borrowed_and_takes_no_trains() -> None:
    """With a station in hand a ticket is possible, though no trains are left for its path."""
    edition = make_edition(
        [("A", "B", 2), ("B", "C", 6), ("C", "D", 2)], [("A", "D", 20)], base="europe"
    )
    game = arrange(
        edition,
        2,
        tickets={0: ["A–D 20"]},
        routes={0: ["A–B", "C–D"], 1: ["B–C"]},
        trains={0: 3},
        hands=[{"red": 2}],
    )
    m, gain = planned_by_the_planner(game)
    assert gain > 0
    assert m.open == 1
    assert m.trains == 0
    lane = game.spec.lane_of_route[game.notation.route_named("B–C")]
    assert m.borrow[lane // at.WORD_BITS] == 1 << lane % at.WORD_BITS


def test_a_station_that_stands_is_not_built_again_at_the_other_end() -> None:
    edition = make_edition(
        [("A", "B", 2), ("B", "C", 6), ("C", "D", 2)], [("A", "D", 20)], base="europe"
    )
    for stations in (["B"], ["C"], ["B", "A"]):
        game = arrange(
            edition,
            2,
            tickets={0: ["A–D 20"]},
            routes={0: ["A–B", "C–D"], 1: ["B–C"]},
            marks={0: stations},
            hands=[{"red": 4}],
        )
        m, gain = planned_by_the_planner(game)
        assert (m.open, m.trains, gain) == (0, 0, 0.0)  # the ticket is complete
        assert not any(m.borrow)


def test_a_plan_starts_anywhere_until_there_is_a_starting_city() -> None:
    """Tickets are chosen before the city: their paths count, though there is no network yet."""
    edition = make_edition(
        [("A", "B", 2), ("B", "C", 2), ("C", "D", 2)],
        [("A", "C", 20), ("B", "D", 20)],
        base="old-west",
    )
    game = arrange(edition, 2, tickets={0: ["A–C 20", "B–D 20"]}, marks={0: ["A"], 1: ["B"]})
    rooted, _ = planned_by_the_planner(game)
    game.state["marks"][0, 0] = -1
    free, gain = planned_by_the_planner(game)
    assert gain > 0
    assert (free.open, free.trains) == (rooted.open, rooted.trains) == (2, 6)
