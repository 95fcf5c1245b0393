"""W1 to W6: networks from a starting city, markers, and the points for routes."""

# mypy: check-untyped-defs=False

import pytest
from tests.arrange import (
    arrange,
    claims,
    deal,
    field,
    hand,
    legal,
    phase,
    pile,
    scores,
)

from macaz.game.moves import IllegalMove

GEORGE = "Salt Lake City–St. George"  # red, 4 spaces, 7 points


def west(seats=2, **rest):
    return arrange("old-west", seats, **rest)


def marks(game, seat):
    return [game.notation.city_name(c) for c in game.view(None).marks_of(seat)]


@pytest.mark.rule("W1")
def test_w1_three_markers_the_start_included():
    pay = {"red": 4, "blue": 2}
    game = west(hands=[pay], marks={0: ["Salt Lake City", "Denver"]})
    game.push(f"claim {GEORGE} red 4")
    assert phase(game) == "mark"
    game = west(hands=[pay], marks={0: ["Salt Lake City", "Denver", "Boise"]})
    game.push(f"claim {GEORGE} red 4")
    assert phase(game) == "turn"
    assert game.turn == 1


@pytest.mark.rule("W1")
def test_w1_one_marker_a_city():
    game = west(hands=[{"red": 6}], marks={0: ["Salt Lake City"], 1: ["St. George"]})
    game.push(f"claim {GEORGE} red 4")
    assert phase(game) == "turn"  # both ends are taken
    game = west(hands=[{"red": 6}], marks={0: ["Salt Lake City"], 1: ["Denver"]})
    game.push(f"claim {GEORGE} red 4")
    assert legal(game) == {"skip", "mark St. George red"}


@pytest.mark.rule("W1")
def test_w1_a_marker_never_moves():
    game = west(hands=[{"red": 6}], marks={0: ["Salt Lake City"]})
    game.push(f"claim {GEORGE} red 4")
    game.push("mark St. George red")
    assert marks(game, 0) == ["Salt Lake City", "St. George"]


@pytest.mark.rule("W2")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_w2_the_network_grows_from_salt_lake_city(target):
    held = {"loco": 9, "red": 9}
    start = {0: ["Salt Lake City"], 1: ["Seattle"]}
    green, cheyenne, denver = (
        "Green River–Salt Lake City",
        "Cheyenne–Green River",
        "Cheyenne–Denver",
    )

    def open_to(routes):
        game = west(hands=[held], marks=start, routes={0: routes}, target=target)
        return [bool(claims(game, route)) for route in (green, cheyenne, denver)]

    assert open_to([]) == [True, False, False]
    assert open_to([green]) == [False, True, False]
    assert open_to([green, cheyenne]) == [False, False, True]


@pytest.mark.rule("W2")
def test_w2_every_first_claim_touches_the_start():
    game = west(hands=[{"loco": 9}], marks={0: ["Denver"]})
    names = {text.split(" loco")[0] for text in legal(game) if text.startswith("claim")}
    assert names
    assert all("Denver" in name for name in names)
    with pytest.raises(IllegalMove):
        game.push("claim Cheyenne–Green River loco 4")


@pytest.mark.rule("W2")
def test_w2_a_second_marker_is_no_second_start():
    # A controlled city is always on the network, so only the routes and the start count.
    game = west(hands=[{"loco": 9}], marks={0: ["Denver"]}, routes={0: ["Cheyenne–Denver"]})
    names = [text for text in legal(game) if text.startswith("claim")]
    assert all("Denver" in name or "Cheyenne" in name for name in names)


@pytest.mark.rule("W3")
@pytest.mark.parametrize(
    ("held", "pays"),
    [
        ({"blue": 2}, {"blue"}),
        ({"blue": 1, "loco": 1}, {"blue loco 1"}),
        ({"loco": 2}, {"loco"}),
        ({"blue": 2, "green": 1, "loco": 2}, {"blue", "blue loco 1", "green loco 1", "loco"}),
    ],
)
def test_w3_a_pair_of_one_colour_or_locomotives(held, pays):
    game = west(hands=[{"red": 4} | held], marks={0: ["Salt Lake City"]})
    game.push(f"claim {GEORGE} red 4")
    assert legal(game) == {"skip"} | {f"mark St. George {pay}" for pay in pays}
    for pay in pays:
        game.push(f"mark St. George {pay}")
        left = sum(held.values()) - 2
        assert sum(hand(game, 0).values()) == left
        assert game.turn == 1
        game.pop()
    game.push("skip")
    assert game.turn == 1
    assert marks(game, 0) == ["Salt Lake City"]


@pytest.mark.rule("W3")
@pytest.mark.parametrize("held", [{}, {"blue": 1}, {"loco": 1}])
def test_w3_with_fewer_than_two_cards_there_is_nothing_to_decide(held):
    game = west(hands=[{"red": 4} | held], marks={0: ["Salt Lake City"]})
    game.push(f"claim {GEORGE} red 4")
    assert game.turn == 1


@pytest.mark.rule("W3")
def test_w3_being_asked_betrays_no_pair():
    """Two hands that look the same to others lead to the same question."""
    pair, none = (
        west(hands=[{"red": 4} | held], marks={0: ["Salt Lake City"]})
        for held in ({"blue": 2}, {"blue": 1, "green": 1})
    )
    for game in (pair, none):
        game.push(f"claim {GEORGE} red 4")
    assert pair.view(1) == none.view(1)
    assert legal(none) == {"skip"}
    assert "mark St. George blue" in legal(pair)


@pytest.mark.rule("W3")
def test_w3_either_end_of_the_route_and_no_other_city():
    game = west(hands=[{"red": 6}], routes={0: ["Cheyenne–Denver"]}, marks={0: ["Denver"]})
    game.push("claim Cheyenne–Green River red 4")
    assert legal(game) == {"skip", "mark Cheyenne red", "mark Green River red"}
    game.push("mark Cheyenne red")
    assert marks(game, 0) == ["Denver", "Cheyenne"]
    assert pile(game, "discards") == {"red": 6}


@pytest.mark.rule("W4")
@pytest.mark.parametrize(
    ("placed", "points"),
    [
        # The rulebook's examples: the markers are seat 1's.
        ({0: ["Idaho Falls"], 1: ["Salt Lake City"]}, [0, 7, 0]),
        ({0: ["Idaho Falls"], 1: ["St. George"]}, [0, 7, 0]),
        ({0: ["Idaho Falls"], 1: ["Salt Lake City", "St. George"]}, [0, 14, 0]),
        # No other seat there.
        ({0: ["Idaho Falls"], 1: ["Denver"]}, [7, 0, 0]),
        ({0: ["Salt Lake City"], 1: ["Denver"]}, [7, 0, 0]),
        # Two who control an end each, the claimer one of them or not.
        ({0: ["Salt Lake City"], 1: ["St. George"]}, [7, 7, 0]),
        ({0: ["Idaho Falls"], 1: ["Salt Lake City"], 2: ["St. George"]}, [0, 7, 7]),
    ],
)
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_w4_controllers_score(placed, points, target):
    game = west(
        3,
        hands=[{"red": 4}],
        routes={0: ["Idaho Falls–Salt Lake City"]},
        marks=placed,
        target=target,
    )
    game.push(f"claim {GEORGE} red 4")
    assert scores(game) == points
    assert game.view(None).trains[0] == 40 - 2 - 4  # the claimer's trains, also if others score


@pytest.mark.rule("W5")
def test_w5_both_ends_ones_own_score_twice():
    game = west(hands=[{"red": 4}], marks={0: ["Salt Lake City", "St. George"], 1: ["Denver"]})
    game.push(f"claim {GEORGE} red 4")
    assert scores(game) == [14, 0]


@pytest.mark.rule("W5")
def test_w5_the_marker_of_the_same_turn_comes_too_late():
    game = west(hands=[{"red": 6}], marks={0: ["Salt Lake City"], 1: ["Denver"]})
    game.push(f"claim {GEORGE} red 4")
    assert scores(game) == [7, 0]
    game.push("mark St. George red")
    assert scores(game) == [7, 0]
    # But it counts from the next claim on, of any seat.
    game = west(
        hands=[{}, {"yellow": 2}],
        marks={0: ["Salt Lake City", "St. George"], 1: ["Flagstaff"]},
        turn=1,
    )
    game.push("claim Flagstaff–St. George yellow 2")
    assert scores(game) == [2, 2]


@pytest.mark.rule("W5")
def test_w5_a_marker_does_not_score_earlier_routes():
    game = west(
        hands=[{"red": 6}],
        marks={0: ["Salt Lake City"], 1: ["Denver"]},
        routes={1: ["Flagstaff–St. George"]},
        score=[0, 2],
    )
    game.push(f"claim {GEORGE} red 4")
    game.push("mark St. George red")
    assert scores(game) == [7, 2]


CHEYENNE, DENVER = "Cheyenne–Salt Lake City 5", "Denver–Las Vegas 9"
ROUTES = ["Green River–Salt Lake City", "Cheyenne–Green River"]


@pytest.mark.rule("W6")
def test_w6_globetrotter_for_the_most_completed_tickets():
    game = west(3, routes={0: ROUTES}, tickets={0: [CHEYENNE], 1: [DENVER]})
    result = game.standing()
    assert [s.globetrotter for s in result.seats] == [15, 0, 0]
    assert result.totals == (20, -9, 0)


@pytest.mark.rule("W6")
def test_w6_all_who_tie_get_it():
    game = west(
        3,
        routes={0: ROUTES, 1: ["Las Vegas–Los Angeles", "Los Angeles–San Francisco"]},
        tickets={0: [CHEYENNE, DENVER], 1: ["Los Angeles–San Francisco 4"], 2: []},
    )
    assert [s.globetrotter for s in game.standing().seats] == [15, 15, 0]


@pytest.mark.rule("W6")
def test_w6_no_seat_gets_it_without_a_completed_ticket():
    game = west(tickets={0: [CHEYENNE], 1: [DENVER]})
    assert [s.globetrotter for s in game.standing().seats] == [0, 0]


@pytest.mark.rule("W6")
def test_w6_there_is_no_bonus_for_the_longest_path():
    game = west(routes={0: ROUTES})
    assert [s.longest_path for s in game.standing().seats] == [0, 0]
    assert [s.path_length for s in game.standing().seats] == [0, 0]
    assert "longest-path" not in game.edition.rules.tie_breaks


@pytest.mark.rule("W3")
def test_w3_the_claims_cards_fill_the_row_before_the_marker():
    game = west(hands=[{"red": 6}], row={"blue": 4}, deck={}, marks={0: ["Salt Lake City"]})
    game.push(f"claim {GEORGE} red 4")
    assert phase(game) == "deal-row"
    deal(game, "red")
    assert phase(game) == "mark"
    assert field(game, "deck_size") == 3
    game.push("mark St. George red")
    assert pile(game, "discards") == {"red": 2}
