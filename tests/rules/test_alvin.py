"""A1 to A5: Alvin."""

# mypy: check-untyped-defs=False

import pytest
from tests.arrange import arrange, begin, deal, field, legal, make_edition, phase, scores

from macaz.edition import load_edition
from macaz.game.moves import Choose, IllegalMove

ROSWELL = "Albuquerque–Roswell"  # red, 2 spaces


def alvin(seats=2, **rest):
    return arrange("old-west+alvin", seats, **rest)


def where(game):
    return game.notation.city_name(field(game, "alvin_city"))


@pytest.mark.rule("A1")
def test_a1_alvin_starts_at_roswell_where_no_seat_starts():
    game = begin("old-west+alvin", 2)
    assert where(game) == "Roswell"
    assert game.view(None).alvin_holder is None
    for seat in range(2):
        game.push(Choose(seat, game.offer(seat)))
    assert len(legal(game)) == 40
    assert "start Roswell" not in legal(game)
    with pytest.raises(IllegalMove):
        game.push("start Roswell")


@pytest.mark.rule("A1")
@pytest.mark.parametrize("city", ["Roswell", "Denver"])
def test_a1_no_marker_at_roswell_even_when_alvin_has_left(city):
    game = alvin(
        hands=[{"red": 4, "blue": 2}],
        marks={0: ["Albuquerque"], 1: ["Denver"]},
        alvin=city,
        holder=1 if city == "Denver" else -1,
    )
    game.push(f"claim {ROSWELL} red 2")
    assert not any(text.startswith("mark Roswell") for text in legal(game))


@pytest.mark.rule("A1")
def test_a1_the_other_end_of_a_route_to_roswell_may_be_marked():
    game = alvin(
        hands=[{"red": 4}],
        marks={0: ["Santa Fe"], 1: ["Denver"]},
        routes={0: ["Albuquerque–Santa Fe"]},
    )
    game.push(f"claim {ROSWELL} red 2")
    assert legal(game) == {"skip", "mark Albuquerque red"}


@pytest.mark.rule("A1")
def test_a1_without_the_option_roswell_is_a_city_like_any_other():
    game = arrange("old-west", hands=[{"red": 4}], marks={0: ["Albuquerque"]})
    game.push(f"claim {ROSWELL} red 2")
    assert "mark Roswell red" in legal(game)
    assert scores(game) == [2, 0]


@pytest.mark.rule("A2")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_a2_the_first_route_to_roswell_captures_alvin(target):
    game = alvin(
        hands=[{"red": 2}], marks={0: ["Albuquerque", "Boise"], 1: ["Denver"]}, target=target
    )
    game.push(f"claim {ROSWELL} red 2")
    assert scores(game) == [2 + 10, 0]
    assert phase(game) == "alvin"
    assert legal(game) == {"alvin Albuquerque", "alvin Boise"}
    game.push("alvin Boise")
    assert where(game) == "Boise"
    assert game.view(None).alvin_holder == 0
    assert game.turn == 1


@pytest.mark.rule("A2")
def test_a2_ten_points_to_the_captor_not_to_the_scorers_of_the_route():
    game = alvin(
        hands=[{"red": 2}],
        marks={0: ["Santa Fe"], 1: ["Albuquerque"]},
        routes={0: ["Albuquerque–Santa Fe"]},
    )
    game.push(f"claim {ROSWELL} red 2")
    assert scores(game) == [10, 2]
    assert legal(game) == {"alvin Santa Fe"}  # the starting city is controlled too


@pytest.mark.rule("A3")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_a3_another_player_captures_him_in_the_holders_city(target):
    game = alvin(
        hands=[{"purple": 1}],
        marks={0: ["Cheyenne"], 1: ["Denver"]},
        alvin="Denver",
        holder=1,
        target=target,
    )
    game.push("claim Cheyenne–Denver purple 1")
    # The route touches a city of each: both score it; the capture is seat 0's alone.
    assert scores(game) == [1 + 10, 1]
    assert legal(game) == {"alvin Cheyenne"}
    game.push("alvin Cheyenne")
    assert (where(game), game.view(None).alvin_holder) == ("Cheyenne", 0)


@pytest.mark.rule("A3")
def test_a3_the_holders_own_claims_do_nothing():
    game = alvin(
        hands=[{"purple": 1}],
        marks={0: ["Denver"], 1: ["Boise"]},
        alvin="Denver",
        holder=0,
    )
    game.push("claim Cheyenne–Denver purple 1")
    assert scores(game) == [1, 0]
    assert game.turn == 1
    assert where(game) == "Denver"


@pytest.mark.rule("A3")
def test_a3_roswell_itself_is_of_no_use_once_he_has_left():
    game = alvin(
        hands=[{"red": 2}], marks={0: ["Albuquerque"], 1: ["Boise"]}, alvin="Boise", holder=1
    )
    game.push(f"claim {ROSWELL} red 2")
    assert scores(game) == [2, 0]
    assert game.turn == 1


@pytest.mark.rule("A3")
def test_a3_a_route_elsewhere_captures_nothing():
    game = alvin(
        hands=[{"purple": 1}], marks={0: ["Cheyenne"], 1: ["Boise"]}, alvin="Boise", holder=1
    )
    game.push("claim Cheyenne–Denver purple 1")
    assert scores(game) == [1, 0]


@pytest.mark.rule("A4")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_a4_points_then_alvin_then_the_marker_then_his_move(target):
    game = alvin(
        hands=[{"red": 4}],
        marks={0: ["Santa Fe"], 1: ["Denver"]},
        routes={0: ["Albuquerque–Santa Fe"]},
        target=target,
    )
    game.push(f"claim {ROSWELL} red 2")
    assert scores(game) == [12, 0]  # route and capture are scored before anything is decided
    assert phase(game) == "mark"
    game.push("mark Albuquerque red")
    assert phase(game) == "alvin"
    assert legal(game) == {"alvin Albuquerque", "alvin Santa Fe"}
    game.push("alvin Albuquerque")  # the city just marked
    assert where(game) == "Albuquerque"
    assert game.turn == 1


@pytest.mark.rule("A4")
def test_a4_he_moves_when_the_marker_is_skipped_too():
    game = alvin(
        hands=[{"red": 4}],
        marks={0: ["Santa Fe"], 1: ["Denver"]},
        routes={0: ["Albuquerque–Santa Fe"]},
    )
    game.push(f"claim {ROSWELL} red 2")
    game.push("skip")
    assert legal(game) == {"alvin Santa Fe"}


@pytest.mark.rule("A4")
def test_a4_an_empty_row_fills_before_he_moves():
    game = alvin(hands=[{"red": 2}], row={"blue": 4}, deck={}, marks={0: ["Albuquerque"]})
    game.push(f"claim {ROSWELL} red 2")
    assert phase(game) == "deal-row"
    deal(game, "red")
    assert phase(game) == "alvin"


@pytest.mark.rule("A5")
def test_a5_ten_points_to_the_holder_at_the_end():
    game = alvin(score=[3, 4], alvin="Denver", holder=0, marks={0: ["Denver"]})
    result = game.standing()
    assert [s.alvin for s in result.seats] == [10, 0]
    assert result.totals == (13, 4)


@pytest.mark.rule("A5")
def test_a5_a_free_alvin_scores_for_no_seat():
    game = alvin(score=[3, 4])
    assert [s.alvin for s in game.standing().seats] == [0, 0]
    assert load_edition("old-west+alvin").rules.alvin_points == 10


@pytest.mark.rule("A3")
def test_a3_he_goes_from_hand_to_hand():
    edition = make_edition(
        [("A", "B", 1), ("B", "C", 1), ("C", "D", 1), ("A", "D", 1)],
        [("A", "C", 2)] * 12,
        base="old-west+alvin",
        alvin_city="D",
    )
    game = arrange(edition, hands=[{"red": 2}, {"blue": 2}], marks={0: ["A"], 1: ["B"]}, alvin="D")
    game.push("claim A–D red 1")
    game.push("alvin A")
    game.push("claim A–B blue 1")
    assert scores(game) == [1 + 10 + 1, 1 + 10]
    game.push("alvin B")
    assert game.view(None).alvin_holder == 1
