"""C1 to C7: claiming a route."""

# mypy: check-untyped-defs=False

import pytest
from tests.arrange import (
    all_cards,
    arrange,
    claims,
    deal,
    field,
    hand,
    legal,
    make_edition,
    pile,
    scores,
)

from macaz.game.moves import IllegalMove, InvalidMove


@pytest.mark.rule("C1")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_c1_a_route_of_three_is_paid_in_four_ways(target):
    # Montréal–New York is blue, Amsterdam–Essen yellow.
    game = arrange(hands=[{"blue": 3, "loco": 3}], target=target)
    ways = {"blue 3", "blue 2 loco 1", "blue 1 loco 2", "loco 3"}
    assert claims(game, "Montréal–New York") == ways
    game = arrange("europe", hands=[{"yellow": 3, "loco": 3}], target=target)
    assert claims(game, "Amsterdam–Essen") == {way.replace("blue", "yellow") for way in ways}


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    ("held", "ways"),
    [
        ({"blue": 3}, {"blue 3"}),
        ({"blue": 5, "loco": 1}, {"blue 3", "blue 2 loco 1"}),
        ({"blue": 1, "loco": 2}, {"blue 1 loco 2"}),
        ({"loco": 3}, {"loco 3"}),
        ({"loco": 5}, {"loco 3"}),
        ({"blue": 2, "red": 1}, set()),
        ({"blue": 1, "loco": 1}, set()),
        ({"loco": 2}, set()),
    ],
)
def test_c1_exactly_what_the_hand_allows(held, ways):
    game = arrange(hands=[held])
    assert claims(game, "Montréal–New York") == ways


@pytest.mark.rule("C1")
def test_c1_locomotives_alone_pay_any_route():
    game = arrange(hands=[{"loco": 6}])
    paid = {text.split()[-1] for text in legal(game) if text.startswith("claim")}
    assert paid == {"1", "2", "3", "4", "5", "6"}
    routes = {text.split(" loco ")[0] for text in legal(game) if text.startswith("claim")}
    assert len(routes) == 100  # every lane of the map
    game.push("claim El Paso–Houston loco 6")
    assert hand(game, 0) == {}
    assert pile(game, "discards") == {"loco": 6}


@pytest.mark.rule("C1")
def test_c1_the_player_decides_how_many_locomotives():
    game = arrange(hands=[{"blue": 3, "loco": 2}])
    game.push("claim Montréal–New York blue 1 loco 2")
    assert hand(game, 0) == {"blue": 2}


@pytest.mark.rule("C1")
@pytest.mark.parametrize("text", ["blue 4", "blue 2", "blue 3 loco 1", "loco 4"])
def test_c1_more_or_fewer_cards_are_no_payment(text):
    game = arrange(hands=[{"blue": 6, "loco": 6}])
    with pytest.raises(InvalidMove):
        game.push(f"claim Montréal–New York {text}")


@pytest.mark.rule("C2")
def test_c2_a_coloured_route_takes_its_colour_only():
    game = arrange(hands=[{"red": 3, "green": 3}])
    assert claims(game, "Montréal–New York") == set()
    assert claims(game, "Chicago–Duluth") == {"red 3"}
    with pytest.raises(InvalidMove):
        game.push("claim Chicago–Duluth green 3")


@pytest.mark.rule("C2")
def test_c2_a_gray_route_of_two_takes_any_one_colour():
    game = arrange(hands=[{"red": 2, "yellow": 1, "blue": 1, "loco": 2}])
    assert claims(game, "Dallas–Little Rock") == {
        "red 2",
        "red 1 loco 1",
        "yellow 1 loco 1",
        "blue 1 loco 1",
        "loco 2",
    }


@pytest.mark.rule("C2")
def test_c2_two_colours_are_not_one():
    game = arrange(hands=[{"red": 1, "yellow": 1}])
    assert claims(game, "Dallas–Little Rock") == set()


@pytest.mark.rule("C3")
def test_c3_as_many_trains_as_spaces():
    game = arrange(hands=[{"blue": 6, "red": 6}], trains={0: 3})
    assert claims(game, "Montréal–New York") == {"blue 3"}
    assert claims(game, "Chicago–Omaha") == set()  # blue, 4 spaces
    game = arrange(hands=[{"blue": 6}], trains={0: 2})
    assert claims(game, "Montréal–New York") == set()
    with pytest.raises(IllegalMove):
        game.push("claim Montréal–New York blue 3")


@pytest.mark.rule("C3")
def test_c3_the_trains_are_put_on_the_route():
    game = arrange(hands=[{"blue": 3}], trains={0: 3})
    game.push("claim Montréal–New York blue 3")
    assert game.view(None).trains == (0, 45)


@pytest.mark.rule("C4")
def test_c4_any_open_route_connected_or_not():
    game = arrange(hands=[{"red": 3}], routes={0: ["Seattle–Vancouver"]})
    assert claims(game, "Chicago–Duluth") == {"red 3"}


@pytest.mark.rule("C4")
def test_c4_one_route_a_turn():
    game = arrange(hands=[{"red": 6}])
    game.push("claim Chicago–Duluth red 3")
    assert game.turn == 1


@pytest.mark.rule("C4")
def test_c4_a_claimed_route_is_closed_to_all():
    for turn in (0, 1):
        game = arrange(
            hands=[{"red": 3}, {"red": 3}], routes={1: ["Chicago–Duluth"]}, turn=turn, seats=5
        )
        assert claims(game, "Chicago–Duluth") == set()


@pytest.mark.rule("C5")
@pytest.mark.parametrize(
    ("name", "route", "length", "points"),
    [
        ("usa-classic", "Dallas–Houston", 1, 1),
        ("usa-classic", "Dallas–Little Rock", 2, 2),
        ("usa-classic", "Calgary–Vancouver", 3, 4),
        ("usa-classic", "Calgary–Helena", 4, 7),
        ("usa", "Atlanta–Miami", 5, 10),
        ("usa", "Sault Ste. Marie–Winnipeg", 6, 15),
        ("old-west", "Boise–Seattle", 7, 18),
        ("europe", "Petrograd–Stockholm", 8, 21),
    ],
)
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_c5_points_by_length(name, route, length, points, target):
    start = {0: ["Boise"]} if name == "old-west" else None
    game = arrange(name, hands=[{"loco": length}], marks=start, target=target)
    game.push(f"claim {route} loco {length}")
    if game.chance_pending:
        deal(game, "red", "red", "red")  # a tunnel, and no locomotive revealed
    assert scores(game) == [points, 0]


@pytest.mark.rule("C6")
@pytest.mark.parametrize("name", ["usa-classic", "usa"])
def test_c6_paid_cards_are_discarded(name):
    game = arrange(name, hands=[{"blue": 3, "loco": 2}], discards={"red": 1})
    before = all_cards(game)
    game.push("claim Montréal–New York blue 2 loco 1")
    assert pile(game, "discards") == {"red": 1, "blue": 2, "loco": 1}
    assert hand(game, 0) == {"blue": 1, "loco": 1}
    assert all_cards(game) == before


TWO = "Portland–Seattle", "Portland–Seattle#2"


@pytest.mark.rule("C7")
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("taken", [0, 1])
def test_c7_one_lane_closes_the_other_at_small_tables(seats, taken):
    for turn in range(seats):
        game = arrange(hands=[{"red": 1}] * seats, routes={1: [TWO[taken]]}, turn=turn, seats=seats)
        assert claims(game, TWO[0]) == claims(game, TWO[1]) == set()


@pytest.mark.rule("C7")
@pytest.mark.parametrize("seats", [4, 5])
@pytest.mark.parametrize("taken", [0, 1])
def test_c7_the_other_lane_stays_open_to_others_at_large_tables(seats, taken):
    for turn in range(seats):
        game = arrange(hands=[{"red": 1}] * seats, routes={1: [TWO[taken]]}, turn=turn, seats=seats)
        assert claims(game, TWO[taken]) == set()
        assert claims(game, TWO[1 - taken]) == (set() if turn == 1 else {"red 1"})


@pytest.mark.rule("C7")
def test_c7_both_lanes_taken_close_the_pair():
    game = arrange(hands=[{"red": 1}], routes={1: [TWO[0]], 2: [TWO[1]]}, seats=4)
    assert claims(game, TWO[0]) == claims(game, TWO[1]) == set()


THREE = "Portland–Seattle", "Portland–Seattle#2", "Portland–Seattle#3"


@pytest.mark.rule("C7")
@pytest.mark.parametrize("taken", THREE)
def test_c7_triple_routes_of_the_old_west(taken):
    for seats in (2, 3, 4, 5, 6):
        for turn in (0, 1):
            game = arrange(
                "old-west",
                seats,
                hands=[{"loco": 2}] * 2,
                routes={1: [taken]},
                marks={0: ["Portland"], 1: ["Seattle"]},
                turn=turn,
            )
            lanes = [lane for lane in THREE if claims(game, lane)]
            open_to = [lane for lane in THREE if lane != taken]
            assert lanes == (open_to if seats > 3 and turn == 0 else [])


@pytest.mark.rule("C7")
def test_c7_three_owners_of_a_triple_route():
    game = arrange(
        "old-west",
        4,
        hands=[{"loco": 2}],
        routes={1: [THREE[0]], 2: [THREE[2]]},
        marks={0: ["Portland"]},
    )
    assert [lane for lane in THREE if claims(game, lane)] == [THREE[1]]


@pytest.mark.rule("C7")
def test_c7_tracks_side_by_side_between_different_cities_are_not_double():
    # Chicago–Toronto runs beside Chicago–Pittsburgh and Pittsburgh–Toronto.
    game = arrange(
        hands=[{"white": 4, "black": 3}], routes={0: ["Chicago–Pittsburgh", "Pittsburgh–Toronto"]}
    )
    assert claims(game, "Chicago–Toronto") == {"white 4"}
    # Barcelona–Pamplona beside Madrid–Pamplona, in Europe.
    game = arrange("europe", hands=[{"red": 2}], routes={1: ["Madrid–Pamplona"]})
    assert claims(game, "Barcelona–Pamplona") == {"red 2"}


@pytest.mark.rule("C7")
def test_c7_single_routes_do_not_share_the_bits_of_double_ones():
    # Every lane alone on the board of a small table closes itself and its pair, nothing else.
    game = arrange(hands=[{"loco": 6}])
    board = game.edition.board
    for route, lane in enumerate(game.spec.lane_of_route):
        game.state["claimed"][0, 1] = [(1 << lane % 60) if w == lane // 60 else 0 for w in range(3)]
        open_now = {m.route for m in game.legal_moves if hasattr(m, "route")}
        assert open_now == set(range(len(board.routes))) - set(board.pair_lanes(route))


@pytest.mark.rule("C7")
def test_c7_a_map_of_single_routes():
    edition = make_edition([("A", "B", 1), ("B", "C", 1)], [("A", "C", 2)] * 6)
    game = arrange(edition, hands=[{"red": 2}], routes={1: ["A–B"]})
    assert claims(game, "B–C") == {"red 1"}
    assert claims(game, "A–B") == set()
    assert field(game, "lane") == -1
