"""Tests of the reference implementation: whole random games, and rules one at a time."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from tests.reference import Move, Reference, longest_path, no_cards

from macaz.edition import load_edition
from macaz.edition.board import COLORS, LOCOMOTIVE, Ticket

BLUE, GREEN, RED = (COLORS.index(color) for color in ("blue", "green", "red"))
GAMES = [
    ("tiny", 2),
    ("tiny", 3),
    ("usa-classic", 2),
    ("usa-classic", 4),
    ("usa", 3),
    ("usa", 5),
    ("europe", 2),
    ("europe", 4),
    ("old-west", 2),
    ("old-west", 6),
    ("old-west+alvin", 3),
    ("old-west+alvin", 5),
]


def random_move(game: Reference, rng: random.Random) -> Move:
    actors = game.actors()
    if actors == "chance":
        weights = game.chance()
        return rng.choices(list(weights), list(weights.values()))[0]
    assert not isinstance(actors, str)
    moves = sorted(game.legal(rng.choice(sorted(actors))), key=repr)
    claims = [move for move in moves if move[0] in {"claim", "pay", "mark", "alvin"}]
    return rng.choice(claims if claims and rng.random() < 0.7 else moves)


def random_game(name: str, seats: int, seed: int) -> Iterator[tuple[Reference, Move]]:
    """The game before each move, and the move, until the game is over."""
    game = Reference(load_edition(name), seats)
    rng = random.Random(seed)
    while game.actors() != "over":
        move = random_move(game, rng)
        yield game, move
        game.apply(move)


def at_first_turn(name: str, seats: int, seed: int = 0) -> Reference:
    """A game at seat 0's first turn, with all cards moved to the deck."""
    game = Reference(load_edition(name), seats, first=0)
    rng = random.Random(seed)
    while game.current < 0:
        game.apply(random_move(game, rng))
    game.deck = list(game.rules.cards)
    game.row = no_cards()
    game.hand = [no_cards() for _ in range(seats)]
    return game


def give(game: Reference, seat: int, **cards: int) -> None:
    for name, count in cards.items():
        color = LOCOMOTIVE if name == "locomotive" else COLORS.index(name)
        game.hand[seat][color] += count
        game.deck[color] -= count


def lay_out(game: Reference, **cards: int) -> None:
    for name, count in cards.items():
        color = LOCOMOTIVE if name == "locomotive" else COLORS.index(name)
        game.row[color] += count
        game.deck[color] -= count


def route(game: Reference, start: str, end: str, lane: int = 0) -> int:
    a, b = sorted((game.board.city_index(start), game.board.city_index(end)))
    for index, one in enumerate(game.board.routes):
        if (one.a, one.b, one.lane) == (a, b, lane):
            return index
    raise KeyError((start, end, lane))


def settle(game: Reference) -> None:
    """Play random outcomes of chance until a seat must decide."""
    rng = random.Random(1)
    while game.actors() == "chance":
        game.apply(random_move(game, rng))


def assert_sound(game: Reference) -> None:
    rules = game.rules
    piles = [game.deck, game.discards, game.row, game.laid, game.revealed, *game.hand]
    assert all(count >= 0 for pile in piles for count in pile)
    assert tuple(map(sum, zip(*piles, strict=True))) == rules.cards  # S1
    assert sum(game.deck) > 0 or sum(game.discards) == 0  # D6
    assert sum(game.row) <= rules.row
    for seat in range(game.seats):
        seen = zip(game.seen[seat], game.hand[seat], strict=True)
        assert all(0 <= known <= held for known, held in seen)  # P2
        mine = [game.board.routes[i] for i, owner in game.owner.items() if owner == seat]
        assert game.trains[seat] == rules.trains - sum(one.length for one in mine) >= 0  # C3
        assert len({(one.a, one.b) for one in mine}) == len(mine)  # C7
        assert len(game.stations[seat]) <= rules.stations
        assert len(game.markers[seat]) <= rules.markers
    pieces = [city for cities in game.marks for city in cities]
    assert len(set(pieces)) == len(pieces)  # G1, W1
    assert game.alvin_start not in pieces  # A1
    places = [game.ticket_deck, game.ticket_bundle, game.ticket_queue, game.long_deck]
    places += [*game.offer, *game.tickets, game.returning]
    if ("choose",) in game.agenda:
        places += game.chosen.values()
    tickets = [ticket for place in places for ticket in place]
    assert len(set(tickets)) == len(tickets)
    if rules.setup_return != "out" and game.agenda != [("first",)]:
        assert len(tickets) == len(game.board.tickets)


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_random_games_are_sound_and_end(name: str, seats: int) -> None:
    game = Reference(load_edition(name), seats)
    for game, _ in random_game(name, seats, seed=seats):
        assert_sound(game)
        actors = game.actors()
        if actors == "chance":
            assert all(weight > 0 for weight in game.chance().values())
            assert not any(game.legal(seat) for seat in range(seats))
        else:
            assert not isinstance(actors, str)
            assert {seat for seat in range(seats) if game.legal(seat)} == actors
            full = sum(game.row) == game.rules.row or sum(game.deck) == 0
            assert full  # D2, D6
            locomotives = game.row[LOCOMOTIVE]
            assert locomotives < game.rules.row_locomotives or game.row_stays  # D7
    assert_sound(game)
    assert not any(game.legal(seat) for seat in range(seats))
    final = game.final()
    parts = ("routes", "tickets", "longest", "stations", "globetrotter", "alvin")
    for seat in range(seats):
        assert final[seat]["total"] == sum(final[seat][part] for part in parts)
        assert final[seat]["completed"] <= len(game.tickets[seat])
    top = max(final[seat]["total"] for seat in range(seats))
    assert final["winners"] <= {seat for seat in range(seats) if final[seat]["total"] == top}
    assert (final["tie_break"] == "shared") == (len(final["winners"]) > 1)


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_the_last_round_gives_everybody_one_turn(name: str, seats: int) -> None:
    """E1, counted independently: the turns after the one that ended with too few trains."""
    turns = []
    game = Reference(load_edition(name), seats)
    for game, _ in random_game(name, seats, seed=10 + seats):
        if game.agenda[-1] == ("turn",):
            turns.append((game.current, min(game.trains)))
    by_passing = game.passes == seats
    low = [seat for seat, trains in turns if trains <= game.rules.last_trains]
    assert by_passing or (len(low) == seats and set(low) == set(range(seats)))
    for (seat, _), (after, _) in pairwise(turns):
        assert after == (seat + 1) % seats  # S6


def test_a_copy_goes_its_own_way() -> None:
    game = at_first_turn("europe", 2)
    settle(game)
    before = {name: repr(value) for name, value in vars(game).items()}
    other = game.copy()
    rng = random.Random(5)
    for _ in range(200):
        if other.actors() == "over":
            break
        other.apply(random_move(other, rng))
    assert {name: repr(value) for name, value in vars(game).items()} == before


def test_chance_says_who_is_first_and_deals_in_order() -> None:
    game = Reference(load_edition("tiny"), 3)
    assert game.chance() == {("first", 0): 1, ("first", 1): 1, ("first", 2): 1}
    game.apply(("first", 1))
    assert game.chance() == {
        ("card", BLUE): 4,
        ("card", GREEN): 4,
        ("card", RED): 4,
        ("card", LOCOMOTIVE): 2,
    }
    for color in (BLUE, BLUE, GREEN, GREEN, RED, RED):
        game.apply(("card", color))
    assert [game.hand[seat].index(2) for seat in (1, 2, 0)] == [BLUE, GREEN, RED]


def test_setup_choices_do_not_wait_for_each_other() -> None:
    """S4."""
    states = []
    for order in ((0, 1), (1, 0)):
        game = Reference(load_edition("usa-classic"), 2, first=1)
        while game.actors() == "chance":
            game.apply(min(game.chance()))
        assert game.actors() == {0, 1}
        for seat in order:
            kept = frozenset(sorted(game.offer[seat])[:2])
            assert len(game.legal(seat)) == 4
            game.apply(("choose", seat, kept))
        states.append((game.tickets, game.ticket_queue, game.current))
        # Tickets 0 to 2 went to the first player, seat 1: its return goes under first.
        assert game.ticket_queue == [2, 5]
    assert states[0] == states[1]


def test_long_tickets_are_dealt_once_and_leave() -> None:
    """S5."""
    game = Reference(load_edition("europe"), 3, first=0)
    settle(game)
    for seat in range(3):
        kinds = [game.board.tickets[ticket].deck for ticket in game.offer[seat]]
        assert sorted(kinds) == ["long", "normal", "normal", "normal"]
    for seat in range(3):
        game.apply(("choose", seat, frozenset(sorted(game.offer[seat])[:2])))
    assert len(game.ticket_deck) == 40 - 9
    assert not game.long_deck
    assert not game.ticket_bundle
    assert not game.ticket_queue


def test_the_last_player_starts_first_and_not_from_roswell() -> None:
    """S7, A1."""
    game = Reference(load_edition("old-west+alvin"), 3, first=1)
    rng = random.Random(0)
    order: list[int] = []
    while game.current < 0:
        move = random_move(game, rng)
        if move[0] == "start":
            actors = game.actors()
            assert isinstance(actors, set)
            order += actors
            roswell = game.board.city_index("Roswell")
            assert ("start", roswell) not in game.legal(order[-1])
        game.apply(move)
    assert order == [0, 2, 1]
    assert game.current == 1


def test_a_locomotive_from_the_row_is_the_whole_turn() -> None:
    """D1 to D4."""
    game = at_first_turn("usa-classic", 2)
    lay_out(game, red=3, green=1, locomotive=1)
    assert ("take", LOCOMOTIVE) in game.legal(0)
    other = game.copy()
    game.apply(("take", LOCOMOTIVE))
    settle(game)
    assert game.current == 1
    other.apply(("take", GREEN))
    assert other.actors() == "chance"  # the place is filled before the second card
    other.apply(("card", LOCOMOTIVE))
    assert other.legal(0) == {("take", RED), ("blind",)}
    other.apply(("blind",))
    other.apply(("card", LOCOMOTIVE))
    assert other.current == 1
    assert other.seen[0][GREEN] == 1
    assert other.seen[0][LOCOMOTIVE] == 0


def test_three_locomotives_replace_the_row() -> None:
    """D7."""
    game = at_first_turn("usa-classic", 2)
    lay_out(game, red=3, locomotive=2)
    game.apply(("take", RED))
    game.apply(("card", LOCOMOTIVE))
    assert sum(game.row) == 0
    assert sum(game.discards) == 5
    settle(game)
    assert sum(game.row) == 5


def test_a_row_of_locomotives_stays_when_there_is_nothing_better() -> None:
    """D7: five cards outside the hands, three of them locomotives."""
    game = at_first_turn("usa-classic", 2)
    game.hand[1], game.deck = game.deck, no_cards()
    for pile, color, count in ((game.row, RED, 3), (game.row, LOCOMOTIVE, 2)):
        pile[color] += count
        game.hand[1][color] -= count
    game.hand[1][LOCOMOTIVE] -= 1
    game.deck[LOCOMOTIVE] += 1
    game.apply(("take", RED))
    game.apply(("card", LOCOMOTIVE))
    assert game.row_stays
    assert game.legal(0) == {("take", RED)}  # nothing to draw blind
    game.apply(("take", RED))
    assert game.current == 1
    assert (sum(game.row), game.row[LOCOMOTIVE]) == (4, 3)
    assert game.row_stays  # lifted by the taking, and refused again


def test_the_row_changes_ten_times_at_most() -> None:
    """D7: six cards outside the hands, three coloured: a better row exists but never comes."""
    game = at_first_turn("usa-classic", 2)
    game.hand[1], game.deck = game.deck, no_cards()
    for color, row, deck in ((RED, 3, 1), (LOCOMOTIVE, 2, 4)):
        game.row[color] += row
        game.deck[color] += deck
        game.hand[1][color] -= row + deck
    game.apply(("take", RED))
    changes = 0
    while game.actors() == "chance":
        outcomes = game.chance()
        if sum(game.row) == 0:
            changes += 1
        loco = ("card", LOCOMOTIVE)
        game.apply(loco if loco in outcomes and game.row[LOCOMOTIVE] < 4 else min(outcomes))
    assert changes == 10
    assert game.row_stays


def test_cards_discarded_fill_an_empty_row_at_once() -> None:
    """D6."""
    game = at_first_turn("usa-classic", 2)
    game.hand[0], game.deck = game.deck, no_cards()
    assert not any(move[0] in {"take", "blind"} for move in game.legal(0))  # D8
    six = next(i for i, one in enumerate(game.board.routes) if one.length == 6)
    move = next(move for move in game.legal(0) if move[:2] == ("claim", six))
    game.apply(move)
    assert sum(game.deck) == 6
    settle(game)
    assert (sum(game.row), sum(game.deck)) == (5, 1)
    assert game.current == 1


def test_ways_to_pay() -> None:
    """C1, C2, F1."""
    game = at_first_turn("europe", 2)
    give(game, 0, red=2, blue=1, locomotive=2)

    def ways(kind: str, symbols: int) -> set[Move]:
        index = next(
            i
            for i, one in enumerate(game.board.routes)
            if (one.kind, one.color, one.length, one.locomotives) == (kind, -1, 2, symbols)
        )
        return {move[2:] for move in game.legal(0) if move[:2] == ("claim", index)}

    assert ways("track", 0) == {(RED, 0), (RED, 1), (BLUE, 1), (LOCOMOTIVE, 2)}
    assert ways("ferry", 1) == {(RED, 1), (BLUE, 1), (LOCOMOTIVE, 2)}
    assert ways("ferry", 2) == {(LOCOMOTIVE, 2)}


@pytest.mark.parametrize(("seats", "others"), [(2, False), (3, False), (4, True), (5, True)])
def test_double_routes(seats: int, others: bool) -> None:
    """C7."""
    game = at_first_turn("usa-classic", seats)
    lane = next(i for i in range(len(game.board.routes)) if len(game.lanes[i]) == 2)
    first, second = game.lanes[lane]
    game.owner[first] = 0
    assert not game._is_open(second, 0)
    assert game._is_open(second, 1) == others


def tunnel(game: Reference, length: int) -> int:
    return next(
        i
        for i, one in enumerate(game.board.routes)
        if (one.kind, one.length, one.color) == ("tunnel", length, -1)
    )


def test_tunnels() -> None:
    """U1 to U5."""
    game = at_first_turn("europe", 2)
    lay_out(game, green=5)
    give(game, 0, red=3, locomotive=1)
    index = tunnel(game, 2)
    game.apply(("claim", index, RED, 0))
    assert game.hand[0][RED] == 1
    assert sum(game.discards) == 0
    free = game.copy()
    for color in (BLUE, BLUE, GREEN):
        free.apply(("card", color))
    assert free.owner == {index: 0}
    assert sum(free.discards) == 5
    for color in (RED, LOCOMOTIVE, GREEN):
        game.apply(("card", color))
    assert game.legal(0) == {("pay", 1), ("decline",)}
    paid = game.copy()
    paid.apply(("pay", 1))
    assert paid.owner == {index: 0}
    assert sum(paid.hand[0]) == 0
    assert sum(paid.discards) == 7
    assert paid.trains[0] == 43
    game.apply(("decline",))
    assert game.owner == {}
    assert game.hand[0][RED] == 3
    assert game.seen[0][RED] == 2
    assert sum(game.discards) == 3
    assert game.current == 1


def test_tunnels_with_locomotives_only() -> None:
    """U3."""
    game = at_first_turn("europe", 2)
    lay_out(game, green=5)
    give(game, 0, red=3, locomotive=3)
    game.apply(("claim", tunnel(game, 2), LOCOMOTIVE, 2))
    for color in (RED, LOCOMOTIVE, LOCOMOTIVE):
        game.apply(("card", color))
    assert game.legal(0) == {("decline",)}


def test_tunnels_with_few_cards_left() -> None:
    """U1, U6: the deck runs out, and the laid cards are not there to be shuffled."""
    game = at_first_turn("europe", 2)
    lay_out(game, green=5)
    give(game, 0, red=2)
    game.hand[1], game.deck = game.deck, no_cards()
    game.hand[1][BLUE] -= 2
    game.deck[BLUE] = 1
    game.discards[BLUE] = 1
    game.apply(("claim", tunnel(game, 2), RED, 0))
    game.apply(("card", BLUE))
    assert game.deck[BLUE] == 1
    game.apply(("card", BLUE))
    assert game.owner
    assert game.current == 1
    assert sum(game.deck) + sum(game.discards) == 4


def test_tickets_come_from_deck_then_bundle_then_queue() -> None:
    """K1, with the order of the player's choice."""
    game = at_first_turn("usa", 2)
    lay_out(game, green=5)
    a, b, c, d = sorted(game.ticket_deck)[:4]
    rest = game.ticket_deck - {a, b, c, d}
    game.ticket_deck, game.ticket_bundle, game.ticket_queue = {a}, {b}, [c, d]
    game.tickets[1] |= rest
    game.apply(("tickets",))
    assert game.chance() == {("ticket", a): 1}
    game.apply(("ticket", a))
    assert game.chance() == {("ticket", b): 1}
    game.apply(("ticket", b))
    assert game.offer[0] == {a, b, c}
    assert len(game.legal(0)) == 7
    game.apply(("keep", frozenset({b})))
    assert game.legal(0) == {("return", a), ("return", c)}
    game.apply(("return", c))
    assert game.ticket_queue == [d, c, a]
    assert game.current == 1


def test_stations_cost_more_and_more() -> None:
    """G1, G2."""
    game = at_first_turn("europe", 2)
    lay_out(game, green=5)
    give(game, 0, red=2, locomotive=1)
    assert {move[2:] for move in game.legal(0) if move[0] == "station"} == {
        (RED, 0),
        (LOCOMOTIVE, 1),
    }
    game.stations[0], game.stations[1] = [3], [4]
    stations = {move for move in game.legal(0) if move[0] == "station"}
    assert {move[2:] for move in stations} == {(RED, 0), (RED, 1)}
    assert {move[1] for move in stations} == set(range(47)) - {3, 4}
    game.stations[0] = [3, 5, 6]
    assert not any(move[0] == "station" for move in game.legal(0))


def test_a_station_borrows_one_route_for_all_tickets() -> None:
    """G3: three routes of another player meet in a city, and each ticket needs one or two."""
    game = at_first_turn("europe", 2)
    near: dict[int, int] = {}
    hub = game.board.city_index("Paris")
    for index, one in enumerate(game.board.routes):
        if hub in {one.a, one.b}:
            near[one.a + one.b - hub] = index
    x, y, z = sorted(near)[:3]
    game.owner = {near[x]: 1, near[y]: 1, near[z]: 1}
    pairs = {(hub, x): 7, (hub, y): 5, (hub, z): 5, (x, y): 20}
    tickets = [Ticket(min(pair), max(pair), points, "normal", "") for pair, points in pairs.items()]
    game.board = dataclasses.replace(game.board, tickets=tuple(tickets))
    game.tickets = [{0, 1, 2, 3}, set()]
    assert game._settle_tickets(0) == (-37, 0)
    game.stations[0] = [hub]
    assert game._settle_tickets(0) == (-37 + 2 * 7, 1)  # the best of three; never two at once
    game.stations[0] = [hub, y]
    assert game._settle_tickets(0) == (-37 + 2 * (7 + 5 + 20), 3)  # two stations, two routes
    game.tickets[0] = {1, 2}
    game.stations[0] = [hub]
    assert game._settle_tickets(0) == (0, 1)
    final = game.final()
    assert [final[seat]["stations"] for seat in range(2)] == [8, 12]  # G4
    assert [final[seat]["path"] > 0 for seat in range(2)] == [False, True]


def test_old_west_networks_grow() -> None:
    """W2."""
    game = at_first_turn("old-west", 2)
    lay_out(game, green=5)
    give(game, 0, red=6, blue=6, locomotive=6)
    start = game.markers[0][0]
    for move in game.legal(0):
        if move[0] == "claim":
            one = game.board.routes[move[1]]
            assert start in {one.a, one.b}


@pytest.mark.parametrize(
    ("controller_a", "controller_b", "points"),
    [
        (None, None, (1, 0, 0)),
        (0, None, (1, 0, 0)),
        (0, 0, (2, 0, 0)),
        (1, None, (0, 1, 0)),
        (0, 1, (1, 1, 0)),
        (1, 2, (0, 1, 1)),
        (1, 1, (0, 2, 0)),
    ],
)
def test_controllers_score(
    controller_a: int | None, controller_b: int | None, points: tuple[int, ...]
) -> None:
    """W4, W5."""
    game = at_first_turn("old-west", 3)
    game.markers = [[], [], []]
    if controller_a is not None:
        game.markers[controller_a].append(10)
    if controller_b is not None:
        game.markers[controller_b].append(11)
    game._score_route(10, 11, 1)
    assert tuple(game.score) == points


def test_alvin_is_caught_and_moves_last() -> None:
    """W3, A2, A3, A4, A5."""
    game = at_first_turn("old-west+alvin", 2)
    lay_out(game, green=5)
    give(game, 0, red=6)
    give(game, 1, green=4, red=1)
    roswell, albuquerque, cruces = map(
        game.board.city_index, ("Roswell", "Albuquerque", "Las Cruces")
    )
    game.markers = [[albuquerque], [cruces]]
    game.apply(("claim", route(game, "Roswell", "Albuquerque"), RED, 0))
    assert game.score == [2 + 10, 0]
    assert game.legal(0) == {("alvin", albuquerque)}  # no marker in Roswell: the seat is not asked
    assert game.alvin_city == roswell
    game.apply(("alvin", albuquerque))
    assert (game.alvin_city, game.alvin_holder, game.current) == (albuquerque, 0, 1)
    game.apply(("claim", route(game, "Roswell", "Las Cruces"), GREEN, 0))
    assert game.score == [12, 2]  # he has left
    assert game.current == 0
    points = [game.final()[seat]["alvin"] for seat in range(2)]
    assert points == [10, 0]


def test_longest_paths() -> None:
    """E3."""
    assert longest_path([]) == 0
    assert longest_path([(0, 1, 4)]) == 4
    assert longest_path([(0, 1, 4), (2, 3, 5)]) == 5
    star = [(0, 1, 1), (0, 2, 2), (0, 3, 3)]
    assert longest_path(star) == 5
    loop = [(0, 1, 1), (1, 2, 1), (2, 0, 1)]
    assert longest_path(loop) == 3
    assert longest_path([*loop, (0, 3, 6)]) == 9
    eight = [*loop, (0, 3, 1), (3, 4, 1), (4, 0, 1)]
    assert longest_path(eight) == 6
    assert longest_path([*eight, (2, 5, 2), (4, 6, 2)]) == 8


def tied(name: str) -> Reference:
    game = at_first_turn(name, 3)
    game.tickets = [set(), set(), set()]
    game.score = [50, 50, 40]
    return game


def test_ties() -> None:
    """E4."""
    game = tied("usa-classic")
    assert game.final()["winners"] == {0, 1}
    assert game.final()["tie_break"] == "shared"
    ticket = next(i for i, t in enumerate(game.board.tickets) if t.points == 4)
    game.score = [46, 50, 40]
    game.tickets[0] = {ticket}
    one = game.board.tickets[ticket]
    assert game.final()["winners"] == {1}
    game.owner = dict.fromkeys(range(len(game.board.routes)), 0)
    game._edges = lambda seat: [(one.a, one.b, 1)]  # type: ignore[method-assign]
    assert game.final()["winners"] == {0}
    assert game.final()["tie_break"] == "tickets"


def test_ties_by_stations_and_longest_path() -> None:
    """E4."""
    game = tied("europe")
    game.stations[0] = [1]
    game.score = [54, 50, 40]
    assert game.final()["winners"] == {1}
    assert game.final()["tie_break"] == "stations"
    game = tied("usa-classic")
    game.owner = {0: 1}
    game.score = [60, 50, 40]
    assert game.final()["winners"] == {1}
    assert game.final()["tie_break"] == "longest-path"


def test_globetrotter_needs_a_ticket() -> None:
    """W6."""
    game = at_first_turn("old-west", 2)
    final = game.final()
    assert [final[seat]["globetrotter"] for seat in range(2)] == [0, 0]
    game.owner = dict.fromkeys(range(len(game.board.routes)), 1)
    final = game.final()
    assert [final[seat]["globetrotter"] for seat in range(2)] == [0, 15]


def test_everybody_passing_ends_the_game() -> None:
    """T2."""
    game = at_first_turn("tiny", 2)
    game.hand[0], game.deck = game.deck, no_cards()
    game.owner = dict.fromkeys(range(len(game.board.routes)), 1)
    game.tickets[0] |= game.ticket_deck | set(game.ticket_queue)
    game.ticket_deck, game.ticket_queue = set(), []
    for seat in (0, 1):
        assert game.legal(seat) == {("pass",)}
        game.apply(("pass",))
    assert game.actors() == "over"


@pytest.mark.parametrize("broken", [lambda game: ("blind", 3), lambda game: ("pass",)])
def test_illegal_moves_are_refused(broken: Callable[[Reference], Move]) -> None:
    game = at_first_turn("tiny", 2)
    with pytest.raises(AssertionError):
        game.apply(broken(game))
