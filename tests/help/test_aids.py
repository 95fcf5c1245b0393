"""Planning aids, compared with slow independent searches."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.arrange import arrange, counts, make_edition

from macaz.bots import make_bot
from macaz.edition import Edition, load_edition
from macaz.edition.board import LOCOMOTIVE
from macaz.game import Game
from macaz.game.moves import CARD_WORDS, Claim, Station
from macaz.game.view import View
from macaz.help.aids import TicketAid, aids_of
from macaz.help.aids.known import Known
from macaz.kernel import layout as at

Assigned = dict[int, str]  # the routes of a path: "own", "claim" or "lent"


def tiny(**knobs: Any) -> Edition:
    edition = load_edition("tiny")
    return replace(edition, rules=replace(edition.rules, **knobs))


PHASES = load_edition("tiny").rules.phases
SMALL = {
    "tiny": tiny(),
    "lanes open": tiny(parallel_from=2),
    "many trains": tiny(trains=9, last_trains=0),
    "stations": tiny(phases=(*PHASES, "station"), stations=2, trains=5),
    "three stations": tiny(phases=(*PHASES, "station"), stations=3, trains=4, last_trains=1),
    "networks": tiny(phases=(*PHASES, "start-city", "marker"), markers=3, trains=7),
}
PLAYED = [("usa-classic", 3), ("usa", 5), ("europe", 2), ("europe", 4), ("old-west+alvin", 4)]


def positions(edition: Edition | str, seats: int, seed: int, share: float = 1.0) -> Iterator[Game]:
    """The decisions of a game, half of them by a bot and half at random."""
    game, dice = Game(edition, seats, seed=seed), random.Random(seed)
    bots = [make_bot("greedy", seed=seat) for seat in range(seats)]
    while not game.over:
        if dice.random() < share:
            yield game
        seat = dice.choice(game.deciding)
        moves = list(game.legal_moves_of(seat))
        stations = [move for move in moves if isinstance(move, Station)]
        # On a large map, players who build stations at once have none left when one would help.
        if stations and dice.random() < 1 / len(game.edition.board.cities):
            game.push(dice.choice(stations), seat)
        elif dice.random() < 0.5:
            game.push(dice.choice(moves), seat)
        else:
            game.push(bots[seat].choose(game.view(seat), moves), seat)
    yield game


# -- a slow search ---------------------------------------------------------------------------------


class Table(NamedTuple):
    """The information in a view, read independently of the code under test."""

    view: View
    seat: int

    @property
    def built(self) -> tuple[int, ...]:
        return self.view.marks_of(self.seat) if self.stations else ()

    @property
    def stations(self) -> bool:
        return "station" in self.view.edition.rules.phases

    @property
    def sites(self) -> set[int]:
        marked = {c for p in range(self.view.seats) for c in self.view.marks_of(p)}
        return set(range(len(self.view.edition.board.cities))) - marked

    def claimable(self, seat: int) -> set[int]:
        """Cards aside (C3, C7)."""
        board, rules, owners = self.view.edition.board, self.view.edition.rules, self.view.owners
        found = set()
        for i, route in enumerate(board.routes):
            others = [owners[j] for j in board.pair_lanes(i) if owners[j] is not None]
            closed = seat in others or (others and self.view.seats < rules.parallel_from)
            if owners[i] is None and not closed and route.length <= self.view.trains[seat]:
                found.add(i)
        return found

    @property
    def taken(self) -> set[int]:
        return {i for i, owner in enumerate(self.view.owners) if owner not in (None, self.seat)}

    def turns(self, seat: int) -> int | None:
        """How many whole turns a seat still has: None if it is unknown."""
        view = self.view
        order = [(view.turn + i) % view.seats for i in range(view.last_turns)]
        if view.last_turns:
            begun = view.turn == seat and view.phase not in ("turn", "tunnel")
            return order.count(seat) - begun
        ends = view.trains[view.turn] <= view.edition.rules.last_trains
        return 1 if ends and view.phase not in ("turn", "tunnel") else None

    def paths(self, a: int, b: int) -> Iterator[tuple[int, ...]]:
        """All paths between two cities that visit no city twice."""
        routes = self.view.edition.board.routes

        def on(city: int, seen: tuple[int, ...], way: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if city == b:
                yield way
                return
            for i, route in enumerate(routes):
                if city in (route.a, route.b):
                    other = route.a + route.b - city
                    if other not in seen:
                        yield from on(other, (*seen, other), (*way, i))

        yield from on(a, (a,), ())

    def assignments(
        self, path: tuple[int, ...], free: set[int], claims: set[int], lent: set[int]
    ) -> Iterator[Assigned]:
        """The possible uses of each route of a path."""
        kinds = [
            [k for k, s in (("own", free), ("claim", claims), ("lent", lent)) if i in s]
            for i in path
        ]
        for choice in itertools.product(*kinds):
            yield dict(zip(path, choice, strict=True))

    def new_stations(self, used: Assigned, built: tuple[int, ...]) -> int | None:
        """The fewest new stations for the lent routes, each in its own city; None if impossible."""
        routes = self.view.edition.board.routes
        lent = [routes[i] for i, kind in used.items() if kind == "lent"]
        fits = [
            sum(city not in built for city in cities)
            for cities in itertools.product(*[(r.a, r.b) for r in lent])
            if len(set(cities)) == len(cities) and set(cities) <= self.sites | set(built)
        ]
        return min(fits, default=None)

    def spaces(self, used: Assigned) -> int:
        routes = self.view.edition.board.routes
        return sum(routes[i].length for i, kind in used.items() if kind == "claim")


def cheapest(
    table: Table,
    ticket: int,
    *,
    free: set[int],
    lent: set[int],
    built: tuple[int, ...],
    new: int,
) -> tuple[int, int, int, tuple[int, ...]] | None:
    """(new stations, spaces, routes, their numbers) of the best path."""
    wanted = table.view.edition.board.tickets[ticket]
    acts = table.turns(table.seat)
    claims = table.claimable(table.seat)
    if table.view.phase == "tunnel" and table.view.turn == table.seat and acts is not None:
        claims &= {table.view.claiming}
        new = 0
    found = []
    for path in table.paths(wanted.a, wanted.b):
        for used in table.assignments(path, free, claims, lent):
            needs = table.new_stations(used, built)
            done = list(used.values()).count("claim") + (needs or 0)
            if needs is None or needs > new or (acts is not None and done > acts):
                continue
            if table.spaces(used) <= table.view.trains[table.seat]:
                found.append((needs, table.spaces(used), len(path), tuple(sorted(path))))
    return min(found, default=None)


def check_ticket(table: Table, aid: TicketAid, settled: list[int | None]) -> str:
    """Compare an aid with the slow search; returns which of its variants found the path."""
    rules = table.view.edition.rules
    mine = set(table.view.routes_of(table.seat))
    unsettled = tuple(c for c, r in zip(table.built, settled, strict=True) if r is None)
    hoped = {
        i
        for p in range(table.view.seats)
        if p != table.seat and table.turns(p) != 0
        for i in table.claimable(p)
    }
    left = rules.stations - len(table.built) if table.stations else 0
    every: dict[str, dict[str, Any]] = {
        "claims": {
            "free": mine | {r for r in settled if r is not None},
            "lent": table.taken,
            "built": unsettled,
            "new": 0,
        },
        "other loans": {"free": mine, "lent": table.taken, "built": table.built, "new": 0},
        "stations": {"free": mine, "lent": table.taken, "built": table.built, "new": left},
        "hope": {"free": mine, "lent": table.taken | hoped, "built": table.built, "new": 0},
        "more hope": {"free": mine, "lent": table.taken | hoped, "built": table.built, "new": left},
    }
    for name, how in every.items() if not table.view.over else ():
        if (best := cheapest(table, aid.ticket, **how)) is not None:
            assert (aid.state, aid.stations, aid.spaces) == ("open", *best[:2]), name
            if name == "claims":
                assert aid.way == best[3]
            return name
    assert (aid.state, aid.spaces, aid.stations, aid.way) == ("impossible", None, 0, ())
    return "nothing"


def joined(view: View, routes: set[int], a: int, b: int) -> bool:
    reached, before = {a}, set[int]()
    while reached != before:
        before = set(reached)
        for i in routes:
            ends = {view.edition.board.routes[i].a, view.edition.board.routes[i].b}
            if ends & reached:
                reached |= ends
    return b in reached


# -- tickets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in SMALL if n != "networks"])
def test_tickets_stand_as_a_search_of_all_ways_says(name: str) -> None:
    found = set()
    for seed in range(16):
        for game in positions(SMALL[name], 2 + seed % 2, seed):
            standing = game.standing()
            for seat in range(game.seats):
                view = game.view(seat)
                score = standing.seats[seat]
                done = {t.ticket for t in score.tickets if t.completed}
                aids = aids_of(view).tickets
                assert [aid.ticket for aid in aids] == [*view.tickets, *view.offer]
                for aid in aids:
                    assert aid.offered == (aid.ticket in view.offer)
                    if aid.offered and view.marks_of(seat):
                        continue  # routes that its stations would then borrow: another test
                    if aid.ticket in done or (aid.offered and aid.state == "done"):
                        lent = {r for r in score.borrowed if r is not None}
                        ends = game.edition.board.tickets[aid.ticket]
                        assert (aid.state, aid.spaces, aid.stations) == ("done", 0, 0)
                        assert set(aid.way) <= {*view.routes_of(seat), *lent}
                        assert joined(view, set(aid.way), ends.a, ends.b)
                        found.add("done")
                    else:
                        found.add(check_ticket(Table(view, seat), aid, list(score.borrowed)))
    assert found >= {"done", "claims", "nothing"}
    if "station" in SMALL[name].rules.phases:
        assert found >= {"stations", "hope", "more hope"}


def grown(view: View, seat: int, a: int, b: int, most: int | None) -> int | None:
    """The fewest spaces that connect two cities, and are connected with the rest (W2)."""
    table, routes = Table(view, seat), view.edition.board.routes
    mine = set(view.routes_of(seat))
    starts = view.marks_of(seat)[:1] or sorted(table.sites)
    found = []
    claimable = sorted(table.claimable(seat))
    for count in range(len(claimable) + 1 if most is None else most + 1):
        for claims in itertools.combinations(claimable, count):
            spaces = sum(routes[i].length for i in claims)
            all_mine = mine | set(claims)
            pairs = {(routes[i].a, routes[i].b) for i in all_mine}
            whole = len(pairs) == len(all_mine) and joined(view, all_mine, a, b)
            hangs = any(all(joined(view, all_mine, s, routes[i].a) for i in claims) for s in starts)
            if spaces <= view.trains[seat] and whole and hangs:
                found.append(spaces)
    return min(found, default=None)


def test_networks_grow_from_their_starting_city() -> None:
    found = set()
    for seed in range(8):
        for game in positions(SMALL["networks"], 2 + seed % 2, seed, 0.5):
            for seat in range(game.seats):
                view = game.view(seat)
                for aid in aids_of(view).tickets:
                    ends = game.edition.board.tickets[aid.ticket]
                    if aid.state == "done" or game.over:
                        continue
                    spaces = grown(view, seat, ends.a, ends.b, Table(view, seat).turns(seat))
                    assert aid.spaces == spaces
                    assert (aid.state == "impossible") == (spaces is None)
                    found.add(aid.state)
                    if aid.state == "open":
                        claims = set(aid.way) - set(view.routes_of(seat))
                        assert spaces == sum(game.edition.board.routes[i].length for i in claims)
                        assert joined(view, {*aid.way, *view.routes_of(seat)}, ends.a, ends.b)
    assert found == {"open", "impossible"}


@pytest.mark.parametrize(("edition", "seats"), PLAYED)
def test_what_is_called_impossible_never_happens(edition: str, seats: int) -> None:
    gone: set[tuple[int, int]] = set()
    seen = set()
    for seed in range(2):
        gone.clear()
        for game in positions(edition, seats, seed, 0.3):
            for seat in range(seats):
                for aid in aids_of(game.view(seat)).tickets:
                    seen.add(aid.state)
                    if aid.state == "impossible" and not aid.offered:
                        gone.add((seat, aid.ticket))
        for seat, score in enumerate(game.standing().seats):
            done = {(seat, t.ticket) for t in score.tickets if t.completed}
            assert not done & gone
            told = [aid for aid in aids_of(game.view(seat)).tickets if not aid.offered]
            assert {(seat, aid.ticket) for aid in told if aid.state == "done"} == done
            assert {aid.state for aid in told} <= {"done", "impossible"}
    assert seen == {"done", "open", "impossible"}


@pytest.mark.parametrize(("edition", "seats"), [("usa-classic", 4), ("usa", 2), ("old-west", 3)])
def test_in_the_last_turn_one_claim_must_do(edition: str, seats: int) -> None:
    """With all cards in hand, the rules themselves say what one more claim can complete."""
    found = set()
    for seed in range(6):
        for game in positions(edition, seats, seed):
            if not game.state["last"][0] or game.over or game.view(None).phase != "turn":
                continue
            seat = game.turn
            assert seat is not None
            rich = game.copy(dealer=False)
            rich.state["hand"][0, seat] = 9
            # Tickets that no seat holds serve as well as the others.
            rich.state["ticket"][0, : len(game.edition.board.tickets)] = at.HELD + seat
            rich.state["known"][0, : len(game.edition.board.tickets)] = 1 << seat
            before = _done(rich, seat)
            could = set()
            for move in rich.legal_moves:
                if isinstance(move, Claim) and move.color == LOCOMOTIVE:
                    after = rich.copy()
                    after.push(move)
                    could |= _done(after, seat) - before
            aids = aids_of(rich.view(seat)).tickets
            assert {aid.ticket for aid in aids if aid.state == "done"} == before
            assert {aid.ticket for aid in aids if aid.state == "open"} == could
            found |= {aid.state for aid in aids}
    assert found == {"done", "open", "impossible"}


def _done(game: Game, seat: int) -> set[int]:
    return {t.ticket for t in game.standing().seats[seat].tickets if t.completed}


@pytest.mark.parametrize(("edition", "seats"), [("usa-classic", 2), ("europe", 5)])
def test_ways_are_as_short_as_relaxing_every_route_makes_them(edition: str, seats: int) -> None:
    checked = 0
    for game in positions(edition, seats, 7, 0.1):
        if game.over or game.state["last"][0]:
            continue
        for seat in range(seats):
            view = game.view(seat)
            if view.marks_of(seat):
                continue
            mine, board = set(view.routes_of(seat)), game.edition.board
            cost = {i: board.routes[i].length for i in Table(view, seat).claimable(seat)}
            cost |= dict.fromkeys(mine, 0)
            for aid in aids_of(view).tickets:
                far = dict.fromkeys(range(len(board.cities)), 1000)
                far[board.tickets[aid.ticket].a] = 0
                for _ in board.cities:
                    for i, spaces in cost.items():
                        a, b = board.routes[i].a, board.routes[i].b
                        far[a], far[b] = min(far[a], far[b] + spaces), min(far[b], far[a] + spaces)
                spaces = far[board.tickets[aid.ticket].b]
                if spaces <= view.trains[seat]:
                    assert (aid.stations, aid.spaces) == (0, spaces)
                    assert sum(cost[i] for i in aid.way) == spaces
                    checked += 1
                else:
                    assert aid.state == "impossible" or aid.stations
    assert checked > 30


def test_the_way_has_few_routes_and_low_numbers() -> None:
    edition = make_edition(
        [
            *(("A", "B", 1), ("B", "Z", 3), ("A", "C", 2), ("C", "Z", 2)),
            *(("A", "D", 1), ("D", "E", 1), ("E", "Z", 2)),
        ],
        [("A", "Z", 5)],
    )
    game = arrange(edition, 2, tickets={0: ["A–Z 5"]})
    [aid] = aids_of(game.view(0)).tickets
    routes = [game.notation.route_name(i) for i in aid.way]
    assert (routes, aid.spaces) == (["A–B", "B–Z"], 4)
    game = arrange(edition, 2, tickets={0: ["A–Z 5"]}, routes={1: ["A–B"]})
    [aid] = aids_of(game.view(0)).tickets
    routes = [game.notation.route_name(i) for i in aid.way]
    assert (routes, aid.spaces) == (["A–C", "C–Z"], 4)
    game = arrange(edition, 2, tickets={0: ["A–Z 5"]}, routes={0: ["A–D", "D–E", "E–Z"]})
    [aid] = aids_of(game.view(0)).tickets
    assert (aid.state, aid.spaces, len(aid.way)) == ("done", 0, 3)


def test_a_spectator_plans_nothing() -> None:
    with pytest.raises(ValueError, match="spectator"):
        aids_of(Game("tiny", seed=1).view(None))


# -- stations --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "seats", "games"),
    [(SMALL["stations"], 2, 12), (SMALL["three stations"], 3, 12), ("europe", 5, 3)],
    ids=["two", "three", "europe"],
)
def test_stations_rescue_what_building_one_completes(
    edition: Edition | str, seats: int, games: int
) -> None:
    rescued = 0
    for seed in range(games):
        for game in positions(edition, seats, seed):
            for seat in game.deciding:
                want = {}
                before = _done(game, seat)
                cities = {m.city: m for m in game.legal_moves_of(seat) if isinstance(m, Station)}
                for city, move in cities.items():
                    after = game.copy(dealer=False)
                    after.push(move, seat)
                    if rescues := _done(after, seat) - before:
                        want[city] = tuple(sorted(rescues))
                told = {aid.city: aid.rescues for aid in aids_of(game.view(seat)).stations}
                assert told == want
                rescued += len(want)
    assert rescued > 3


# -- tunnels ---------------------------------------------------------------------------------------


def reveals(game: Game) -> dict[int, Fraction]:
    """The chances of each extra cost, as the kernel deals them out."""
    if not game.chance_pending or game.view(None).phase != "deal-tunnel":
        extra = int(game.state["extra"][0]) if game.view(None).phase == "tunnel" else 0
        return {extra: Fraction(1)}
    ways = game.engine.chance_ways(game.state)
    found: dict[int, Fraction] = {}
    for outcome in range(at.CARDS):
        if weight := game.engine.chance_weight(game.state, outcome):
            after = game.copy(dealer=False)
            after.push_chance(outcome)
            for extra, chance in reveals(after).items():
                found[extra] = found.get(extra, Fraction(0)) + chance * Fraction(weight, ways)
    return found


@pytest.mark.parametrize(
    "deck",
    [{"red": 4, "loco": 2, "blue": 3}, {"red": 1, "loco": 1}, {"blue": 2}, {}],
    ids=["enough", "two cards", "no red", "none"],
)
@pytest.mark.parametrize("discards", [{}, {"red": 3, "blue": 5, "loco": 1}, {"loco": 1}])
def test_odds_are_those_of_the_kernel(deck: dict[str, int], discards: dict[str, int]) -> None:
    hands = [{"red": 4, "loco": 4}]
    game = arrange("europe", 2, hands=hands, deck=deck, discards=discards)
    if not deck and discards:
        return  # an empty deck is reshuffled at once
    game.state["pool"][0] = counts(deck)
    game.state["seen"][0, 1] = game.state["hand"][0, 1]  # only the order of the deck is hidden
    told = {aid.color: aid.odds for aid in aids_of(game.view(0)).tunnels}
    assert set(told) == {CARD_WORDS.index("red"), LOCOMOTIVE}
    for color, chances in told.items():
        move = next(
            m
            for m in game.legal_moves
            if isinstance(m, Claim)
            and m.color == color
            and game.edition.board.routes[m.route].kind == "tunnel"
        )
        after = game.copy(dealer=False)
        after.push(move)
        want = reveals(after)
        assert chances == pytest.approx([float(want.get(n, 0)) for n in range(4)], abs=1e-12)


def test_odds_are_those_of_all_cards_that_may_lie_on_top() -> None:
    checked = 0
    for game in positions("europe", 3, 3, 0.2):
        if game.over:
            continue
        for seat in game.deciding:
            view = game.view(seat)
            legal = game.legal_moves_of(seat)
            tunnels = {
                m.color
                for m in legal
                if isinstance(m, Claim) and game.edition.board.routes[m.route].kind == "tunnel"
            }
            told = {aid.color: aid.odds for aid in aids_of(view).tunnels}
            assert set(told) == tunnels
            if view.deck_size < 3 or len(told) == 0:
                continue
            others = [view.seen(p) for p in range(view.seats) if p != seat]
            hidden = np.array(view.unseen) - np.array(others).sum(axis=0)
            cards = np.repeat(np.arange(at.CARDS), np.minimum(hidden, view.pool))
            top = np.array(list(itertools.combinations(cards.tolist(), 3)))
            for color, chances in told.items():
                extra = np.isin(top, [color, LOCOMOTIVE]).sum(axis=1)
                counted = np.bincount(extra, minlength=4) / len(top)
                assert chances == pytest.approx(counted.tolist(), abs=1e-12)
                assert sum(chances) == pytest.approx(1, abs=1e-15)
                checked += 1
    assert checked > 10


def test_extra_cards_that_could_be_paid_are_those_that_the_kernel_takes() -> None:
    checked = set()
    for game in positions("europe", 2, 5, 0.3):
        if game.over or game.view(None).phase != "turn":
            continue
        seat = game.deciding[0]
        told = {aid.color: aid.payable for aid in aids_of(game.view(seat)).tunnels}
        for move in game.legal_moves:
            if not isinstance(move, Claim):
                continue
            route = game.edition.board.routes[move.route]
            if route.kind != "tunnel":
                continue
            after = game.copy(dealer=False)
            after.push(move)
            for extra in range(1, 4):
                after.state["phase"], after.state["extra"] = at.TUNNEL, extra
                payable = len(after.engine.legal(after.state, seat)) > 1
                assert payable == (extra <= told[move.color][route.length])
                checked.add((extra, payable))
    assert len(checked) >= 5


# -- the source of the aids ------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "seats"), [*PLAYED, ("tiny", 2)])
def test_a_view_knows_what_is_legal(edition: str, seats: int) -> None:
    for game in positions(edition, seats, 5, 0.2):
        for seat in range(seats):
            assert Known(game.view(seat), seat).legal == list(game.legal_moves_of(seat))
