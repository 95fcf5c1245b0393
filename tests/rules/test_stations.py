"""G1 to G4: stations."""

# mypy: check-untyped-defs=False

import random
from itertools import product

import pytest
from tests.arrange import arrange, bits, deal, field, hand, legal, make_edition, pile

from macaz.game.moves import IllegalMove, InvalidMove


def pays(game, city="Wien"):
    start = f"station {city} "
    return {text.removeprefix(start) for text in legal(game) if text.startswith(start)}


@pytest.mark.rule("G1")
def test_g1_any_city_without_a_station():
    game = arrange(
        "europe",
        3,
        hands=[{"red": 1}],
        marks={1: ["Wien"], 2: ["Paris", "Roma"]},
        routes={1: ["Berlin–Wien"]},
    )
    cities = {text.split()[1] for text in legal(game) if text.startswith("station")}
    assert len(cities) == 47 - 3
    assert cities.isdisjoint({"Wien", "Paris", "Roma"})
    assert "Berlin" in cities  # another's routes are there
    assert "Lisboa" in cities  # no routes are there
    for taken in ("Wien", "Paris"):
        with pytest.raises(IllegalMove):
            game.push(f"station {taken} red")


@pytest.mark.rule("G1")
def test_g1_one_a_turn_and_three_a_game():
    game = arrange("europe", hands=[{"red": 9}])
    game.push("station Wien red")
    assert game.turn == 1
    assert game.view(None).marks_of(0) == (game.notation.city_named("Wien"),)
    game = arrange("europe", hands=[{"red": 9}], marks={0: ["Wien", "Paris", "Roma"]})
    assert not any(text.startswith("station") for text in legal(game))
    with pytest.raises(IllegalMove):
        game.push("station Berlin red")


@pytest.mark.rule("G1")
def test_g1_only_in_europe():
    for name in ("usa-classic", "usa", "old-west"):
        game = arrange(name, hands=[{"red": 3}], marks={0: ["Denver"]} if "west" in name else None)
        assert not any(text.startswith("station") for text in legal(game))
        with pytest.raises(InvalidMove):
            game.push("station Denver red")


@pytest.mark.rule("G2")
@pytest.mark.parametrize(
    ("built", "held", "ways"),
    [
        (0, {"red": 1}, {"red"}),
        (0, {"red": 1, "blue": 3, "loco": 1}, {"red", "blue", "loco"}),
        (0, {}, set()),
        (1, {"red": 1, "blue": 1}, set()),
        (1, {"red": 2}, {"red"}),
        (1, {"red": 1, "loco": 1}, {"red loco 1"}),
        (1, {"red": 2, "blue": 1, "loco": 2}, {"red", "red loco 1", "blue loco 1", "loco"}),
        (2, {"red": 2}, set()),
        (2, {"red": 2, "blue": 1}, set()),
        (2, {"red": 3, "loco": 3}, {"red", "red loco 1", "red loco 2", "loco"}),
        (2, {"red": 2, "blue": 1, "loco": 1}, {"red loco 1"}),
        (2, {"blue": 1, "loco": 2}, {"blue loco 2"}),
        (2, {"loco": 2}, set()),
    ],
)
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_g2_the_first_costs_one_the_second_two_the_third_three(built, held, ways, target):
    marks = {0: ["Paris", "Roma"][:built]}
    game = arrange("europe", hands=[held], marks=marks, target=target)
    assert pays(game) == ways
    before = sum(held.values())
    for way in ways:
        game.push(f"station Wien {way}")
        assert sum(hand(game, 0).values()) == before - built - 1
        assert sum(pile(game, "discards").values()) == built + 1
        game.pop()


@pytest.mark.rule("G2")
def test_g2_the_cards_are_discarded():
    game = arrange("europe", hands=[{"red": 2, "loco": 1}], marks={0: ["Paris", "Roma"]})
    game.push("station Wien red loco 1")
    assert pile(game, "discards") == {"red": 2, "loco": 1}
    assert game.view(None).trains == (45, 45)


def settled(game, seat=0):
    """A seat's completed tickets, and the routes its stations borrow."""
    score = game.standing().seats[seat]
    name = game.notation.ticket_name
    borrowed = [r if r is None else game.notation.route_name(r) for r in score.borrowed]
    return {name(t.ticket) for t in score.tickets if t.completed}, borrowed


@pytest.mark.rule("G3")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_g3_a_station_borrows_one_route_of_another(target):
    game = arrange(
        "europe",
        routes={0: ["Frankfurt–Paris"], 1: ["Frankfurt–München", "München–Wien"]},
        marks={0: ["München"]},
        tickets={0: ["Paris–Wien 8"]},
        target=target,
    )
    # München–Wien and Frankfurt–München would both be needed.
    assert settled(game)[0] == set()
    game = arrange(
        "europe",
        routes={0: ["Frankfurt–Paris", "Frankfurt–München"], 1: ["München–Wien"]},
        marks={0: ["München"]},
        tickets={0: ["Paris–Wien 8"]},
        target=target,
    )
    assert settled(game) == ({"Paris–Wien 8"}, ["München–Wien"])


@pytest.mark.rule("G3")
def test_g3_it_must_enter_the_stations_city():
    game = arrange(
        "europe",
        routes={0: ["Frankfurt–Paris", "Frankfurt–München"], 1: ["München–Wien"]},
        marks={0: ["Paris"]},
        tickets={0: ["Paris–Wien 8"]},
    )
    assert settled(game) == (set(), [None])


@pytest.mark.rule("G3")
def test_g3_two_stations_make_a_way_over_two_routes():
    game = arrange(
        "europe",
        3,
        routes={0: ["Frankfurt–Paris"], 1: ["Frankfurt–München"], 2: ["München–Wien"]},
        marks={0: ["München", "Wien"]},
        tickets={0: ["Paris–Wien 8"]},
    )
    assert settled(game) == ({"Paris–Wien 8"}, ["Frankfurt–München", "München–Wien"])


@pytest.mark.rule("G3")
def test_g3_the_same_route_serves_all_tickets():
    # From Wien one way leads to München (for Paris), another to Budapest (for Sofia).
    game = arrange(
        "europe",
        routes={
            0: ["Frankfurt–Paris", "Frankfurt–München", "Budapest–Sarajevo", "Sarajevo–Sofia"],
            1: ["München–Wien", "Budapest–Wien"],
        },
        marks={0: ["Wien"]},
        tickets={0: ["Paris–Wien 8", "Budapest–Sofia 5", "London–Wien 10"]},
    )
    done, borrowed = settled(game)
    assert done == {"Paris–Wien 8", "Budapest–Sofia 5"}  # the second needs no station
    assert borrowed == ["München–Wien"]


@pytest.mark.rule("G3")
def test_g3_the_route_that_serves_a_ticket_is_borrowed():
    # Two routes of the opponent enter Berlin; only one of them leads to Moskva.
    game = arrange(
        "europe",
        routes={
            0: ["Wien–Zagrab", "Smolensk–Wilno", "Warszawa–Wilno", "Moskva–Smolensk"],
            1: ["Berlin–Wien", "Berlin–Warszawa"],
        },
        marks={0: ["Berlin"]},
        tickets={0: ["Berlin–Moskva 12"]},
    )
    assert settled(game) == ({"Berlin–Moskva 12"}, ["Berlin–Warszawa"])


@pytest.mark.rule("G3")
@pytest.mark.parametrize(
    ("values", "way"),
    [((5, 2, 2), "one"), ((3, 2, 2), "two"), ((4, 2, 2), "two"), ((4, 1, 3), "two")],
)
def test_g3_most_points_then_most_tickets(values, way):
    big, small, other = values
    # A station at S: to L, where one ticket ends, or to R, where two do.
    edition = make_edition(
        [("S", "L", 1), ("S", "R", 1), ("R", "T", 1), ("L", "M", 1)],
        [("S", "M", big), ("S", "R", small), ("S", "T", other), *[("L", "R", 1)] * 9],
        base="europe",
        setup_long=0,
    )
    game = arrange(
        edition,
        routes={0: ["L–M", "R–T"], 1: ["L–S", "R–S"]},
        marks={0: ["S"]},
        tickets={0: [f"M–S {big}", f"R–S {small}", f"S–T {other}"]},
    )
    assert settled(game)[1] == (["L–S"] if way == "one" else ["R–S"])


@pytest.mark.rule("G3")
def test_g3_ones_own_routes_and_empty_ones_are_not_borrowed():
    game = arrange(
        "europe",
        routes={0: ["Frankfurt–Paris"]},
        marks={0: ["Paris"]},
        tickets={0: ["Paris–Wien 8"]},
    )
    assert settled(game) == (set(), [None])


def best_by_hand(game, seat):
    """Every station's every choice, tried out: the most points, then the most tickets."""
    view, board = game.view(None), game.edition.board
    routes = [board.routes[r] for r in view.routes_of(seat)]
    others = [board.routes[r] for s in range(game.seats) if s != seat for r in view.routes_of(s)]
    choices = [[None, *(r for r in others if city in (r.a, r.b))] for city in view.marks_of(seat)]
    held = [
        board.tickets[t]
        for t, place in enumerate(game.state["ticket"][0].tolist())
        if place == seat and t < len(board.tickets)
    ]
    best = None
    for lent in product(*choices):
        group = list(range(len(board.cities)))

        def root(c, group=group):
            while group[c] != c:
                c = group[c]
            return c

        for r in [*routes, *(r for r in lent if r)]:
            group[root(r.a)] = root(r.b)
        done = [t for t in held if root(t.a) == root(t.b)]
        points = 2 * sum(t.points for t in done) - sum(t.points for t in held)
        best = max(best or (points, len(done)), (points, len(done)))
    return best


@pytest.mark.rule("G3")
@pytest.mark.parametrize("seed", range(40))
def test_g3_as_good_as_trying_everything(seed):
    rng = random.Random(seed)
    game = arrange("europe", 3, target="plain" if seed < 10 else "cpu")
    names = [game.notation.route_name(r) for r in range(len(game.edition.board.routes))]
    owned = {0: [], 1: [], 2: []}
    for name in rng.sample(names, 60):
        owned[rng.choice((0, 1, 1, 2))].append(name)
    for seat, mine in owned.items():
        game.state["claimed"][0, seat] = bits(game, mine)
    cities = rng.sample(range(47), 3)
    game.state["marks"][0, 0] = cities
    tickets = rng.sample(range(46), 12)
    for ticket in tickets:
        game.state["ticket"][0, ticket] = 0
    score = game.standing().seats[0]
    assert (score.ticket_points, score.completed) == best_by_hand(game, 0)


@pytest.mark.rule("G4")
@pytest.mark.parametrize("built", [0, 1, 2, 3])
def test_g4_four_points_for_each_station_not_built(built):
    game = arrange("europe", marks={0: ["Wien", "Paris", "Roma"][:built]})
    score = game.standing().seats[0]
    assert score.stations == 4 * (3 - built)
    assert len(score.borrowed) == built


@pytest.mark.rule("G4")
def test_g4_borrowed_routes_do_not_lengthen_a_path():
    game = arrange(
        "europe",
        routes={0: ["Frankfurt–Paris", "Frankfurt–München"], 1: ["München–Wien"]},
        marks={0: ["München"]},
        tickets={0: ["Paris–Wien 8"]},
    )
    score = game.standing().seats[0]
    assert score.completed == 1
    assert score.path_length == 5


@pytest.mark.rule("G4")
def test_g4_a_station_for_the_last_card_refills_the_row():
    game = arrange("europe", hands=[{"red": 1}], row={"blue": 4}, deck={}, ticket_deck=[])
    game.push("station Wien red")
    deal(game, "red")
    assert field(game, "row_size") == 5
