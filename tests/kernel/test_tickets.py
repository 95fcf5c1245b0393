"""The state of tickets: the kernel on every target, compared with all paths of a small map."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.amount import SPARSE
from tests.arrange import arrange, auto, deal, make_edition
from tests.game.test_worlds import TABLES, moments

from macaz import Game
from macaz.edition import Edition
from macaz.game.view import routes_of
from macaz.kernel import layout as at
from macaz.kernel.compile import compiled
from macaz.kernel.help import HELP, ticket_plans
from macaz.kernel.views import redact, redacted_state

TARGETS = ("wasm", "cpu", "plain")
CITIES = "ABCDEFG"
OWN, CLAIM = -1, -2  # how a route of a path is used, if no station borrows it
Told = tuple[str, int, int, tuple[int, ...]]  # state, spaces, new stations, the routes of the path


def told(game: Game, seat: int, target: str = "auto") -> dict[int, Told]:
    """The kernel's plans for the tickets of a seat, by ticket."""
    [plan] = ticket_plans(game.spec, game.state, seat, target)
    return {
        t: (
            at.TICKET_STATES[plan["state"][t] - at.TICKET_DONE],
            int(plan["spaces"][t]),
            int(plan["stations"][t]),
            routes_of(game.spec, plan["way"][t]),
        )
        for t in np.flatnonzero(plan["state"]).tolist()
    }


def named(game: Game, seat: int, target: str = "auto") -> tuple[str, int, int, list[str]]:
    """The kernel's plan for the only ticket of a seat, with the names of its routes."""
    [(state, spaces, stations, way)] = told(game, seat, target).values()
    return state, spaces, stations, [game.notation.route_name(i) for i in way]


# -- on every target -------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "seats"), [*TABLES, ("europe", 5), ("old-west", 2)])
def test_targets_say_the_same_and_ask_nothing_hidden(edition: str, seats: int) -> None:
    seen = set()
    for game in moments(edition, seats, 4, 0.005 if SPARSE else 0.02):
        before = game.state.tobytes()
        for seat in range(seats):
            view = redacted_state(redact(game.state, seat))
            plans = {ticket_plans(game.spec, game.state, seat, way).tobytes() for way in TARGETS}
            plans.add(ticket_plans(game.spec, view, seat).tobytes())
            assert len(plans) == 1
            seen |= {state for state, *_ in told(game, seat).values()}
        assert game.state.tobytes() == before
    assert seen >= {"open", "impossible"}


def thicket(dice: random.Random) -> Game:
    """A late position of Europe that needs stations: most routes are taken, few trains are left."""
    game = Game("europe", 3, seed=1)
    state, board = game.state[0], game.edition.board
    state["phase"], state["turn"], state["last"] = at.TURN, 0, dice.choice([0, 0, 0, 1, 3])
    taken = dice.choice([0.5, 0.8, 0.95])
    for lane in game.spec.lane_of_route:
        if dice.random() < taken:
            bit = 1 << lane % at.WORD_BITS
            state["claimed"][dice.choice([0, 1, 1, 2]), lane // at.WORD_BITS] |= bit
    cities = dice.sample(range(len(board.cities)), 9)
    for seat in range(3):
        state["trains"][seat] = dice.choice([1, 4, 10, 30])
        for i in range(dice.randrange(4)):
            state["marks"][seat, i] = cities.pop()
    for t in range(len(board.tickets)):
        place = dice.choice([at.HELD, at.HELD + 1, at.HELD + 2, at.OFFERED, at.IN_DECK])
        state["ticket"][t] = place
    return game


def test_targets_find_the_same_stations() -> None:
    dice, seen = random.Random(6), set()
    for _ in range(6 if SPARSE else 30):
        game = thicket(dice)
        for seat in range(3):
            plans = {ticket_plans(game.spec, game.state, seat, way).tobytes() for way in TARGETS}
            assert len(plans) == 1
            seen |= {(state, new) for state, _, new, _ in told(game, seat).values()}
    assert seen >= {("done", 0), ("impossible", 0), *(("open", n) for n in range(4))}


def test_native_code_and_webassembly_have_the_entry() -> None:
    for target in TARGETS:
        assert callable(compiled(HELP, target).plan_seat)


# -- compared with all paths of small maps ---------------------------------------------------------


class Slow(NamedTuple):
    """A position of a small map in which seat 0 of two is to decide, with one ticket."""

    game: Game
    ends: tuple[int, int]

    def ways(self) -> Iterator[tuple[int, ...]]:
        """All paths between the cities of the ticket that visit no city twice."""
        routes = self.game.edition.board.routes
        stack: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((self.ends[0],), ())]
        while stack:
            cities, way = stack.pop()
            if cities[-1] == self.ends[1]:
                yield way
                continue
            for i, route in enumerate(routes):
                if cities[-1] in (route.a, route.b):
                    other = route.a + route.b - cities[-1]
                    if other not in cities:
                        stack.append(((*cities, other), (*way, i)))

    def uses(
        self, way: tuple[int, ...], stations: tuple[int, ...], lent: set[int]
    ) -> Iterator[tuple[int, int]]:
        """The missing spaces and claims of a path, for every use of its routes."""
        view, routes = self.game.view(0), self.game.edition.board.routes
        mine = set(view.routes_of(0))
        closed = {r for r, owner in enumerate(view.owners) if owner is not None}
        pairs = {(routes[r].a, routes[r].b) for r in closed}
        options: list[list[int]] = []  # by route: OWN, CLAIM or the city of a station
        for i in way:
            a, b, length = routes[i].a, routes[i].b, routes[i].length
            options.append([OWN] * (i in mine))
            options[-1] += [CLAIM] * ((a, b) not in pairs and length <= view.trains[0])
            options[-1] += [city for city in stations if i in lent and city in (a, b)]
        for used in itertools.product(*options):
            lenders = [city for city in used if city not in (OWN, CLAIM)]
            claims = [routes[i].length for i, use in zip(way, used, strict=True) if use == CLAIM]
            if len(set(lenders)) == len(lenders) and sum(claims) <= view.trains[0]:
                yield sum(claims), len(claims)

    def best(
        self, stations: tuple[int, ...], lent: set[int], acts: int | None, new: int
    ) -> list[tuple[int, int, tuple[int, ...]]]:
        """The best path with these stations, if any: its spaces, their number, the path."""
        found = [
            (spaces, len(way), tuple(sorted(way)))
            for way in self.ways()
            for spaces, claims in self.uses(way, stations, lent)
            if acts is None or claims + new <= acts
        ]
        return [min(found)] if found else []

    def told(self) -> Told:
        """The result expected of the kernel."""
        view = self.game.view(0)
        acts = 1 if view.last_turns else None
        built, cities = view.marks_of(0), range(len(self.game.edition.board.cities))
        sites = set(cities) - {c for seat in range(2) for c in view.marks_of(seat)}
        routes = self.game.edition.board.routes
        owned = {r for r, owner in enumerate(view.owners) if owner is not None}
        pairs = {(routes[r].a, routes[r].b) for r in owned}
        hoped = {
            r
            for r, route in enumerate(routes)
            if (route.a, route.b) not in pairs and route.length <= view.trains[1]
        }
        others = set(view.routes_of(1))
        for lent in (others, others | (hoped if acts is None or view.last_turns > 1 else set())):
            for new in range(3 - len(built) + 1):
                found = [
                    (best[0], more, best)
                    for more in itertools.combinations(sorted(sites), new)
                    for best in self.best((*built, *more), lent, acts, new)
                ]
                if found:
                    _, _, (spaces, _, way) = min(found)
                    return "open", spaces, new, way
        return "impossible", 0, 0, ()


def small_map(dice: random.Random) -> Edition:
    """A ring of cities with a few more routes across it, and stations."""
    cities = CITIES[: dice.randrange(4, 8)]
    pairs = [(a, b) for a, b in itertools.pairwise(cities)] + [(cities[0], cities[-1])]
    pairs += dice.sample([p for p in itertools.combinations(cities, 2) if p not in pairs], 1)
    if dice.random() < 0.3:
        pairs.append(dice.choice(pairs))
    routes = [(a, b, dice.randrange(1, 4)) for a, b in pairs]
    dice.shuffle(routes)
    one, other = dice.sample(cities, 2)
    return make_edition(
        routes,
        [(one, other, 5)],
        phases=("station",),
        scorers=("tickets", "stations"),
        stations=3,
        trains=9,
        last_trains=0,
    )


@pytest.mark.parametrize("target", ["wasm", "plain"])
def test_a_ticket_stands_as_all_ways_of_a_small_map_say(target: str) -> None:
    dice, seen = random.Random(11), set()
    for _ in range(200):
        edition = small_map(dice)
        game = Game(edition, 2, dealer=None)
        state, board = game.state[0], game.edition.board
        state["phase"], state["turn"], state["last"] = at.TURN, 0, dice.choice([0, 0, 1, 2])
        state["ticket"][0], state["known"][0] = at.HELD, 1
        state["trains"][:2] = [dice.randrange(1, 8), dice.randrange(1, 8)]
        pairs, full = set(), dice.choice([0.7, 0.95])
        for route, lane in enumerate(game.spec.lane_of_route):
            pair = (board.routes[route].a, board.routes[route].b)
            if pair not in pairs and dice.random() < full:
                pairs.add(pair)
                word, bit = divmod(lane, at.WORD_BITS)
                state["claimed"][int(dice.random() < full), word] |= 1 << bit
        cities = dice.sample(range(len(board.cities)), 3)
        for seat, count in enumerate(dice.choice([(0, 0), (1, 0), (2, 0), (1, 1), (0, 1), (3, 0)])):
            state["marks"][seat, :count] = [cities.pop() for _ in range(count)]
        [found] = told(game, 0, target).values()
        if found[0] == "done":
            assert game.standing().seats[0].tickets[0].completed
        else:
            ticket = board.tickets[0]
            assert found == Slow(game, (ticket.a, ticket.b)).told()
        seen.add((found[0], found[2], bool(state["last"])))
    assert seen >= {("done", 0, False), ("open", 0, True), ("open", 1, True)}
    assert seen >= {("impossible", 0, True), *(("open", n, False) for n in range(4))}


# -- the last turns (E1) ---------------------------------------------------------------------------


@pytest.mark.rule("E1")
@pytest.mark.parametrize("target", ["wasm", "plain"])
def test_in_the_last_turn_a_tunnel_under_way_is_the_only_claim(target: str) -> None:
    game = arrange(
        "europe",
        hands=[{"green": 3, "loco": 1}],
        tickets={0: ["Barcelona–Bruxelles 8"]},
        routes={0: ["Pamplona–Paris", "Bruxelles–Paris"]},
        last=2,
    )
    way = ["Barcelona–Pamplona", "Bruxelles–Paris", "Pamplona–Paris"]
    assert named(game, 0, target) == ("open", 2, 0, way)
    game.push("claim Barcelona–Pamplona green 2")
    assert named(game, 0, target) == ("open", 2, 0, way)
    deal(game, "green", "red", "red")
    assert named(game, 0, target) == ("open", 2, 0, way)
    game.push("decline")
    assert named(game, 0, target) == ("impossible", 0, 0, [])
    # Any claim but the one in progress comes too late, and so does a station.
    game = arrange(
        "europe",
        hands=[{"purple": 2}],
        tickets={0: ["Barcelona–Bruxelles 8"]},
        routes={
            0: ["Pamplona–Paris", "Barcelona–Pamplona"],
            1: ["Bruxelles–Dieppe", "Dieppe–Paris"],
        },
        last=2,
    )
    assert named(game, 0, target)[0] == "open"
    game.push("claim Marseille–Zürich purple 2")
    assert named(game, 0, target)[0] == "impossible"


@pytest.mark.rule("E1")
@pytest.mark.parametrize("target", ["wasm", "plain"])
def test_who_brings_the_last_round_has_one_turn_more(target: str) -> None:
    edition = make_edition([("A", "B", 1), ("B", "C", 1), ("C", "A", 3)], [("A", "C", 5)])
    game = arrange(edition, 2, tickets={0: ["A–C 5"]}, trains={0: 2})
    assert named(game, 0, target) == ("open", 2, 0, ["A–B", "B–C"])  # the turn may go to drawing
    game.push("blind")
    auto(game)
    assert named(game, 0, target)[0] == "impossible"  # one claim is left, and no route of 2 or less


@pytest.mark.rule("E1")
@pytest.mark.parametrize("target", ["wasm", "plain"])
def test_while_the_row_is_filled_the_next_turn_has_not_begun(target: str) -> None:
    edition = make_edition([("A", "B", 1)], [("A", "B", 5)])
    game = arrange(edition, 2, tickets={0: ["A–B 5"]}, last=2)
    for after, state in ((at.TURN, "open"), (at.SECOND, "impossible"), (at.OVER, "impossible")):
        game.state["phase"], game.state["after"] = at.DEAL_ROW, after
        assert named(game, 0, target)[0] == state
    game.state["phase"] = at.OVER
    assert named(game, 0, target) == ("impossible", 0, 0, [])


@pytest.mark.rule("E1")
@pytest.mark.rule("W2")
@pytest.mark.parametrize("target", ["wasm", "plain"])
def test_the_last_claim_must_touch_the_network(target: str) -> None:
    edition = make_edition(
        [("A", "B", 1), ("B", "C", 2), ("C", "D", 1)], [("A", "C", 5), ("C", "D", 3)], "old-west"
    )
    at_start: dict[str, Any] = {"marks": {0: ["A"], 1: ["D"]}, "routes": {0: ["A–B"]}}
    game = arrange(edition, 2, tickets={0: ["A–C 5"]}, last=2, **at_start)
    assert named(game, 0, target) == ("open", 2, 0, ["A–B", "B–C"])
    game = arrange(edition, 2, tickets={0: ["C–D 3"]}, **at_start)
    assert named(game, 0, target) == ("open", 3, 0, ["B–C", "C–D"])
    game = arrange(edition, 2, tickets={0: ["C–D 3"]}, last=2, **at_start)
    assert named(game, 0, target) == ("impossible", 0, 0, [])
