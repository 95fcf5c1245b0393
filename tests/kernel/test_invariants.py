"""Whole games at random, with everything counted again after every step."""

# mypy: check-untyped-defs=False

from __future__ import annotations

import dataclasses
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.arrange import all_cards, named

from macaz.edition import Edition, load_edition
from macaz.game import Game
from macaz.game.moves import IllegalMove
from macaz.kernel import layout as at

EDITIONS = ("tiny", "usa-classic", "usa", "europe", "old-west", "old-west+alvin")


def scarce(name: str) -> Edition:
    """An edition with so few cards that decks run out and rows fill with locomotives."""
    edition = load_edition(name)
    rules = dataclasses.replace(edition.rules, cards=(5, 4, 4, 4, 4, 4, 4, 4, 9))
    return dataclasses.replace(edition, id=f"{name}-scarce", rules=rules)


LOADED = {name: load_edition(name) for name in EDITIONS}
LOADED |= {f"{name}-scarce": scarce(name) for name in ("usa", "europe", "old-west+alvin")}
TABLES = [
    (name, seats)
    for name, edition in LOADED.items()
    for seats in range(edition.rules.min_seats, edition.rules.max_seats + 1)
]
# As many games as the profile in force allows: two a table by default.
GAMES = settings(max_examples=max(1, settings().max_examples // 50), deadline=None)
SEEDS = st.integers(0, 2**32)


class Bookkeeper:
    """Counts everything in a game independently, from its public course."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = game.edition.rules
        self.board = game.edition.board
        self.scores = [0] * game.seats
        self.routes: list[set[int]] = [set() for _ in range(game.seats)]
        self.marks: dict[int, int] = {}  # city: seat
        self.alvin = (-1, -1)
        if "alvin" in self.rules.phases:
            self.alvin = (self.board.city_index(self.rules.alvin_city), -1)

    def check(self) -> None:
        self.check_cards()
        self.check_routes()
        self.check_marks()
        self.check_tickets()
        self.check_scores()
        self.check_actor()

    def check_cards(self) -> None:
        s = self.game.state[0]
        assert all_cards(self.game) == Counter(named(self.rules.cards))
        assert s["deck_size"] == s["deck"].sum()
        assert s["row_size"] == s["row"].sum() <= self.rules.row
        for pile in ("deck", "row", "discards", "revealed", "hand", "seen"):
            assert (s[pile] >= 0).all(), pile
        assert (s["seen"] <= s["hand"]).all()

    def check_routes(self) -> None:
        game = self.game
        view = game.view(None)
        for seat in range(game.seats):
            now = set(view.routes_of(seat))
            for route in now - self.routes[seat]:
                self.claimed(seat, route)
            assert self.routes[seat] <= now
            self.routes[seat] = now
            length = sum(self.board.routes[r].length for r in now)
            assert view.trains[seat] == self.rules.trains - length >= 0
            pairs = Counter((self.board.routes[r].a, self.board.routes[r].b) for r in now)
            assert all(n == 1 for n in pairs.values())
        everything = Counter(r for mine in self.routes for r in mine)
        assert all(n == 1 for n in everything.values())
        if game.seats < self.rules.parallel_from:
            pairs = Counter((self.board.routes[r].a, self.board.routes[r].b) for r in everything)
            assert all(n == 1 for n in pairs.values())

    def claimed(self, seat: int, route: int) -> None:
        """W4 and A2, from the markers and Alvin as they stood before the claim."""
        r = self.board.routes[route]
        points = self.rules.route_points[r.length]
        controllers = [self.marks[c] for c in (r.a, r.b) if c in self.marks]
        if "controllers" not in self.rules.scorers or not controllers:
            controllers = [seat]
        for scorer in controllers:
            self.scores[scorer] += points
        city, holder = self.alvin
        if city in (r.a, r.b) and holder != seat:
            self.scores[seat] += self.rules.alvin_points
            self.alvin = (city, seat)

    def check_marks(self) -> None:
        marks = self.game.state["marks"][0]
        placed = [
            (int(city), seat)
            for seat in range(self.game.seats)
            for city in marks[seat]
            if city >= 0
        ]
        assert len({city for city, _ in placed}) == len(placed)
        assert all(max((marks[seat] >= 0).sum(), 0) <= 3 for seat in range(self.game.seats))
        assert self.marks.items() <= dict(placed).items()
        self.marks = dict(placed)
        state = self.game.state[0]
        if state["phase"] not in (at.MARK, at.ALVIN, at.DEAL_ROW):
            self.alvin = (int(state["alvin_city"]), self.alvin[1])
        assert self.alvin[1] == state["alvin_holder"]
        if self.alvin[1] >= 0 and not state["captured"]:
            assert self.marks[self.alvin[0]] == self.alvin[1]

    def check_tickets(self) -> None:
        s = self.game.state[0]
        places = s["ticket"][: len(self.board.tickets)].tolist()
        assert (s["ticket"][len(self.board.tickets) :] == at.NO_TICKET).all()
        under = sorted(p - at.QUEUE for p in places if p >= at.QUEUE)
        assert under == list(range(int(s["queue"])))
        drawable = sum(p in (at.IN_DECK, at.IN_BUNDLE) for p in places) + len(under)
        assert s["stock"] == drawable
        for ticket, place in enumerate(places):
            if place < at.RETURNED:  # a seat knows the tickets that it holds or is offered
                assert int(s["known"][ticket]) >> place % 8 & 1

    def check_scores(self) -> None:
        assert self.game.state["score"][0, : self.game.seats].tolist() == self.scores

    def check_actor(self) -> None:
        game = self.game
        if game.over:
            assert not game.legal_moves
        elif game.chance_pending:
            assert game.deciding == ()
            assert game.engine.chance_ways(game.state) > 0
        else:
            assert game.deciding
            assert all(len(game.legal_moves_of(seat)) > 0 for seat in game.deciding)


def a_move(game: Game, rng: random.Random) -> int:
    """A legal action: first its kind, so that rare kinds come up too."""
    seat = rng.choice(game.deciding)
    actions = game.legal_moves_of(seat).actions
    kinds = sorted({game.notation.kind(a) for a in actions})
    kind = rng.choice(kinds)
    return rng.choice([a for a in actions if game.notation.kind(a) == kind])


def go_on(game: Game, rng: random.Random) -> None:
    """One step, of chance or of a seat."""
    if game.chance_pending:
        way = rng.randrange(game.engine.chance_ways(game.state))
        game.push_chance(game.engine.chance_outcome(game.state, way))
    else:
        game.push(a_move(game, rng))


def check_legal_moves(game: Game, rng: random.Random) -> None:
    """The list of legal moves, its length, `in`, and every single action number agree."""
    moves = game.legal_moves
    actions = moves.actions
    assert len(moves) == len(actions) == len(set(actions)) == len(list(moves))
    for seat in game.deciding:
        mine = game.legal_moves_of(seat)
        assert mine.actions == sorted(mine.actions)
        for action, move in zip(mine.actions, mine, strict=True):
            assert game.notation.action(move, game.offer(seat)) == action
            assert move in mine
    every = range(-2, game.spec.actions + 3)
    assert {a for a in every if game.engine.is_legal(game.state, a)} == set(actions)
    assert all(game.is_legal(a) for a in rng.sample(actions, min(5, len(actions))))
    illegal = sorted(set(range(game.spec.actions)) - set(actions))
    before = game.state.tobytes(), len(game.history), game.deciding
    for action in rng.sample(illegal, 5):
        assert not game.is_legal(action)
        with pytest.raises(IllegalMove):
            game.push(action)
        assert (game.state.tobytes(), len(game.history), game.deciding) == before


def play(game: Game, seed: int, limit: int = 20_000, looks: float = 0.02) -> None:
    """Play on, with checks, to the end of the game or for some steps; then undo everything."""
    rng = random.Random(seed)
    books = Bookkeeper(game)
    books.check()
    start = game.state.tobytes()
    befores = []
    for _ in range(limit):
        if game.over:
            break
        if not game.chance_pending:
            befores.append(game.state.tobytes())
            if rng.random() < looks:
                check_legal_moves(game, rng)
        go_on(game, rng)
        books.check()
    else:
        assert limit < 20_000, "the game does not end"
    if game.over:
        check_result(game)
    while befores:
        step = game.pop()
        assert game.state.tobytes() == step.before == befores.pop()
    with pytest.raises(IndexError):
        game.pop()
    assert len(start) == len(game.state.tobytes())


def check_result(game: Game) -> None:
    result = game.outcome
    assert result is not None
    for seat, score in enumerate(result.seats):
        parts = score.longest_path + score.stations + score.globetrotter + score.alvin
        assert score.total == score.routes + score.ticket_points + parts
        assert score.routes == game.state["score"][0, seat]
    best = max(result.totals)
    assert all(result.totals[seat] == best for seat in result.winners)
    assert result.winners
    assert (result.tie_break is None) == (result.totals.count(best) == 1)


@pytest.mark.parametrize(("name", "seats"), TABLES)
@GAMES
@given(seed=SEEDS)
def test_whole_games(name, seats, seed):
    play(Game(LOADED[name], seats, dealer=None, target="cpu"), seed)


@pytest.mark.parametrize("name", LOADED)
@GAMES
@given(seed=SEEDS, data=st.data())
def test_games_in_plain_python(name, seed, data):
    rules = LOADED[name].rules
    seats = data.draw(st.integers(rules.min_seats, rules.max_seats))
    play(Game(LOADED[name], seats, dealer=None, target="plain"), seed, limit=250, looks=0.01)


@pytest.mark.parametrize("name", LOADED)
@GAMES
@given(seed=SEEDS)
def test_plain_and_compiled_games_are_the_same_byte_for_byte(name, seed):
    games = [
        Game(LOADED[name], LOADED[name].rules.max_seats, dealer=None, target=target)
        for target in ("plain", "cpu")
    ]
    dice = [random.Random(seed), random.Random(seed)]
    for _ in range(300):
        if games[0].over:
            break
        for game, rng in zip(games, dice, strict=True):
            go_on(game, rng)
        assert games[0].state.tobytes() == games[1].state.tobytes()
    tallies = [game.engine.tally(game.state).tobytes() for game in games]
    assert tallies[0] == tallies[1]


@pytest.mark.parametrize("name", LOADED)
@GAMES
@given(seed=SEEDS)
def test_the_ways_of_chance_add_up(name, seed):
    rng = random.Random(seed)
    game = Game(LOADED[name], 2, dealer=None, target="cpu")
    for _ in range(200):
        if game.over:
            break
        if game.chance_pending:
            ways = game.engine.chance_ways(game.state)
            outcomes = Counter(game.engine.chance_outcome(game.state, w) for w in range(ways))
            weights = {o: game.engine.chance_weight(game.state, o) for o in range(-1, 80)}
            assert outcomes == Counter({o: w for o, w in weights.items() if w})
            impossible = next(o for o, w in weights.items() if not w)
            before = game.state.tobytes()
            with pytest.raises(IllegalMove):
                game.push_chance(impossible)
            assert game.state.tobytes() == before
        else:
            with pytest.raises(IllegalMove):
                game.push_chance(0)
        go_on(game, rng)


@pytest.mark.parametrize("name", LOADED)
@GAMES
@given(seed=SEEDS)
def test_no_view_depends_on_what_it_hides(name, seed):
    """Shuffle what a seat cannot see: its view must not change."""
    rng = random.Random(seed)
    seats = LOADED[name].rules.max_seats
    game = Game(LOADED[name], seats, dealer=None, target="cpu")
    for _ in range(rng.randrange(1, 250)):
        if game.over:
            return
        go_on(game, rng)
    if game.over:
        return
    seat = rng.randrange(seats)
    other = Game(LOADED[name], seats, dealer=None, target="cpu")
    other.state[:] = game.state
    state = other.state[0]
    # Unseen cards of other hands and the deck are exchanged; each keeps its number of cards.
    piles = [s for s in range(seats) if s != seat]
    hidden = state["hand"][piles] - state["seen"][piles]
    pool = [c for row in [*hidden, state["deck"]] for c, n in enumerate(row) for _ in range(n)]
    rng.shuffle(pool)
    for s, row in zip(piles, hidden, strict=True):
        taken, pool = pool[: row.sum()], pool[row.sum() :]
        state["hand"][s] = state["seen"][s] + np.bincount(np.array(taken, int), minlength=9)
    state["deck"] = np.bincount(np.array(pool, int), minlength=9)
    # Tickets that the seat does not know are exchanged too.
    unknown = [
        t for t in range(len(game.edition.board.tickets)) if not int(state["known"][t]) >> seat & 1
    ]
    mixed = rng.sample(unknown, len(unknown))
    for field in ("ticket", "known"):
        values = state[field].copy()
        state[field][unknown] = values[mixed]
    assert bytes(other.view(seat)) == bytes(game.view(seat))
