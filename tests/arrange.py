"""Set up any position, choose the outcomes of chance, and read the state.

    game = arrange("europe", 3, hands=[{"red": 3, "loco": 1}], routes={1: ["Paris–Zürich"]})
    game.push("claim Bruxelles–Paris red 2")
    deal(game, "green", "loco")

Cards and tickets are conserved: a card that is not named lies in the deck, or, where the deck is
named too, in the hand of the seat before the one to move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from macaz.edition import Edition, load_edition
from macaz.edition.board import City, make_board
from macaz.edition.rules import Rules
from macaz.game import Game
from macaz.game.moves import CARD_WORDS
from macaz.kernel import layout as at

Cards = Mapping[str, int]
ROW = {"purple": 1, "blue": 1, "orange": 1, "white": 1, "green": 1}


def counts(cards: Cards) -> np.ndarray:
    """Cards by name, as the nine numbers of a state."""
    found = np.zeros(at.CARDS, np.int64)
    for word, n in cards.items():
        found[CARD_WORDS.index(word)] = n
    return found


def named(cards: Iterable[int]) -> dict[str, int]:
    """The nine numbers of a state as cards by name, those that are not there left out."""
    return {word: int(n) for word, n in zip(CARD_WORDS, cards, strict=True) if n}


def hand(game: Game, seat: int) -> dict[str, int]:
    return named(game.state["hand"][0, seat])


def pile(game: Game, field: str) -> dict[str, int]:
    """The cards of `row`, `discards`, `deck` or `revealed`."""
    return named(game.state[field][0])


def field(game: Game, name: str) -> int:
    """A scalar field of the state."""
    return int(game.state[name][0])


def phase(game: Game) -> str:
    return at.PHASE_NAMES[field(game, "phase")]


def scores(game: Game) -> list[int]:
    """The points scored so far."""
    values: list[int] = game.state["score"][0, : game.seats].tolist()
    return values


def tickets_at(game: Game, place: int) -> list[str]:
    """The names of the tickets in a place (`at.HELD + seat`, `at.IN_BOX`, …)."""
    where = game.state["ticket"][0].tolist()
    return [game.notation.ticket_name(t) for t, p in enumerate(where) if p == place]


def under(game: Game) -> list[str]:
    """The names of the tickets under the deck, as they will be drawn."""
    where = game.state["ticket"][0].tolist()
    queued = sorted((p, t) for t, p in enumerate(where) if p >= at.QUEUE)
    return [game.notation.ticket_name(t) for _, t in queued]


def legal(game: Game) -> set[str]:
    """The legal moves as texts."""
    return {game.notation.text(move) for move in game.legal_moves}


def claims(game: Game, route: str) -> set[str]:
    """The payments with which a route can be claimed: {"red 2", "red 1 loco 1"}."""
    start = f"claim {game.notation.route_name(game.notation.route_named(route))} "
    return {text.removeprefix(start) for text in legal(game) if text.startswith(start)}


def kinds(game: Game) -> set[str]:
    """The first words of the legal moves."""
    return {text.split()[0] for text in legal(game)}


def deal(game: Game, *cards: str) -> None:
    """Push these cards as outcomes of chance, in this order."""
    for word in cards:
        assert phase(game).startswith("deal-"), f"no card is to come: {phase(game)}"
        game.push_chance(CARD_WORDS.index(word))


def deal_tickets(game: Game, *tickets: str) -> None:
    """Push these tickets as outcomes of chance, in this order."""
    for name in tickets:
        game.push_chance(game.notation.ticket_named(name))


def fill_row(game: Game) -> None:
    """Fill the row as chance would, with the commonest colour, which makes no difference."""
    while phase(game) == "deal-row":
        game.push_chance(int(np.argmax(game.state["deck"][0][: at.LOCO])))


def auto(game: Game, way: int = 0) -> None:
    """Push the first outcome of chance until a seat must decide."""
    while game.chance_pending:
        game.push_chance(game.engine.chance_outcome(game.state, way))


def begin(edition: str | Edition, seats: int, first: int = 0, target: str = "plain") -> Game:
    """A new game whose seats are about to choose their tickets."""
    game = Game(edition, seats, dealer=None, first=first, target=target)
    auto(game)
    assert phase(game) == "choose"
    return game


def choose(game: Game, seat: int, *tickets: str) -> None:
    """A seat keeps setup tickets."""
    from macaz.game.moves import Choose

    game.push(Choose(seat, tuple(sorted(game.notation.ticket_named(t) for t in tickets))))


def bits(game: Game, routes: Iterable[str]) -> list[int]:
    """Routes by name, as the words of `claimed`."""
    words = [0] * at.WORDS
    for name in routes:
        lane = game.spec.lane_of_route[game.notation.route_named(name)]
        words[lane // at.WORD_BITS] |= 1 << lane % at.WORD_BITS
    return words


def arrange(  # noqa: PLR0912, PLR0915
    edition: str | Edition = "usa-classic",
    seats: int = 2,
    *,
    hands: Sequence[Cards] = (),
    row: Cards | None = None,
    discards: Cards | None = None,
    deck: Cards | None = None,
    routes: Mapping[int, Sequence[str]] | None = None,
    trains: Mapping[int, int] | None = None,
    score: Sequence[int] = (),
    tickets: Mapping[int, Sequence[str]] | None = None,
    ticket_deck: Sequence[str] | None = None,
    bundle: Sequence[str] = (),
    queue: Sequence[str] = (),
    marks: Mapping[int, Sequence[str]] | None = None,
    turn: int = 0,
    first: int = 0,
    last: int = 0,
    alvin: str | None = None,
    holder: int = -1,
    target: str = "plain",
) -> Game:
    """A game at the beginning of a turn, with chance to be pushed by hand.

    Without `ticket_deck` every ticket that is not named lies in the deck; with it, in the box.
    """
    game = Game(edition, seats, dealer=None, first=first, target=target)
    state = game.state
    notation = game.notation
    rules = game.edition.rules
    for name, value in (("phase", at.TURN), ("after", at.TURN), ("left", 0), ("last", last)):
        state[name] = value
    state["turn"] = turn

    rest = np.array(rules.cards, np.int64)
    held = np.zeros((at.SEATS, at.CARDS), np.int64)
    for seat, cards in enumerate(hands):
        held[seat] = counts(cards)
    rest -= held.sum(axis=0)
    gone = counts(discards or {})
    rest -= gone
    if row is None:
        shown = np.minimum(counts(ROW), rest)
        if deck is not None:
            shown[:] = 0
    else:
        shown = counts(row)
    rest -= shown
    if deck is not None:
        wanted = counts(deck)
        held[(turn - 1) % seats] += rest - wanted
        rest = wanted
    assert (rest >= 0).all(), f"more cards are named than there are: {named(-rest)}"
    assert (held >= 0).all(), "more cards are named than there are"
    state["hand"][0] = held
    state["row"][0] = shown
    state["row_size"] = shown.sum()
    state["discards"][0] = gone
    state["deck"][0] = rest
    state["deck_size"] = rest.sum()

    used = {}
    for seat in range(seats):
        mine = (routes or {}).get(seat, ())
        state["claimed"][0, seat] = bits(game, mine)
        lengths = [notation.board.routes[notation.route_named(name)].length for name in mine]
        used[seat] = rules.trains - sum(lengths)
        assert used[seat] >= 0, f"seat {seat} does not have so many trains"
    for seat, left in (used | dict(trains or {})).items():
        state["trains"][0, seat] = left
    for seat, points in enumerate(score):
        state["score"][0, seat] = points

    where = state["ticket"][0]
    every = range(len(notation.board.tickets))
    where[: len(every)] = at.IN_DECK if ticket_deck is None else at.IN_BOX
    long = [t for t in every if notation.board.tickets[t].deck == "long"]
    where[long] = at.IN_BOX
    places: list[tuple[int, Iterable[str]]] = [(at.IN_DECK, ticket_deck or ())]
    places.append((at.IN_BUNDLE, bundle))
    places += [(at.QUEUE + i, [name]) for i, name in enumerate(queue)]
    places += [(at.HELD + seat, names) for seat, names in (tickets or {}).items()]
    for place, names in places:
        for name in names:
            ticket = notation.ticket_named(name)
            where[ticket] = place
            if place < at.OFFERED:
                state["known"][0, ticket] = 1 << place
    state["queue"] = len(queue)
    state["stock"] = sum(p in (at.IN_DECK, at.IN_BUNDLE) or p >= at.QUEUE for p in where.tolist())

    placed = {
        seat: [notation.city_named(c) for c in names] for seat, names in (marks or {}).items()
    }
    if "start-city" in rules.phases:
        taken = {city for cities in placed.values() for city in cities}
        taken.add(notation.city_named(rules.alvin_city) if rules.alvin_city else -1)
        free = (c for c in reversed(range(len(notation.board.cities))) if c not in taken)
        placed = {seat: placed.get(seat) or [next(free)] for seat in range(seats)}
    for seat, cities in placed.items():
        state["marks"][0, seat, : len(cities)] = cities
    if alvin is not None:
        state["alvin_city"] = notation.city_named(alvin)
        state["alvin_holder"] = holder
    game._actor = game.engine.actor(state)
    return game


def all_cards(game: Game) -> Counter[str]:
    """All train cards, wherever they are, including those laid for a tunnel."""
    s = game.state[0]
    total = s["deck"] + s["row"] + s["discards"] + s["revealed"] + s["hand"].sum(axis=0)
    total = total.astype(int)
    if phase(game) in ("deal-tunnel", "tunnel"):
        route = game.notation.board.routes[game.spec.route_of_lane[int(s["lane"])]]
        total[at.LOCO] += int(s["paid_locos"])
        if s["paid_color"] != at.LOCO:
            total[int(s["paid_color"])] += route.length - int(s["paid_locos"])
    return Counter(named(total))


# -- custom boards -------------------------------------------------------------------------------

Row = tuple[str, str, int, str, int, tuple[str, ...]]


def make_edition(
    routes: Iterable[tuple[str, str, int]],
    tickets: Iterable[tuple[str, str, int]] = (),
    base: str = "usa-classic",
    **knobs: Any,
) -> Edition:
    """An edition with the rules of another, on a board of gray routes."""
    import dataclasses

    rows: list[Row] = [(a, b, n, "track", 0, ("gray",)) for a, b, n in routes]
    names = sorted({row[0] for row in rows} | {row[1] for row in rows})
    board = make_board(
        "Test",
        [City(name, 0.0, float(i)) for i, name in enumerate(names)],
        rows,
        [(a, b, points, "normal", "") for a, b, points in tickets],
    )
    like = load_edition(base)
    rules: Rules = dataclasses.replace(like.rules, **knobs)
    return dataclasses.replace(
        like, id="test", name="Test", board=board, rules=rules, source="test"
    )
