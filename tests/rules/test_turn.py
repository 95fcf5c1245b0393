"""T1 and T2: one action per turn, and passing only without another legal move."""

# mypy: check-untyped-defs=False

from typing import Any

import pytest
from tests.arrange import arrange, deal, field, fill_row, kinds, legal, phase

from macaz.game.moves import IllegalMove

# Nothing to draw and no tickets: only what is in hand can be played.
BARE: dict[str, Any] = {"row": {}, "deck": {}, "ticket_deck": []}


@pytest.mark.rule("T1")
@pytest.mark.parametrize("name", ["usa-classic", "usa", "old-west"])
def test_t1_three_actions_to_choose_from(name):
    start = {0: ["Denver"]} if name == "old-west" else None
    game = arrange(name, hands=[{"red": 6, "blue": 6, "green": 6}], marks=start)
    assert kinds(game) == {"take", "blind", "tickets", "claim"}


@pytest.mark.rule("T1")
def test_t1_four_in_europe():
    game = arrange("europe", hands=[{"red": 6}])
    assert kinds(game) == {"take", "blind", "tickets", "claim", "station"}


@pytest.mark.rule("T1")
def test_t1_a_turn_is_over_after_one_action():
    game = arrange("europe", 3, hands=[{"red": 6}, {"blue": 4}, {"green": 2}])
    game.push("claim Bruxelles–Paris red 2")
    assert game.turn == 1
    game.push("station Wien blue")
    assert game.turn == 2
    game.push("blind")
    deal(game, "red")
    assert kinds(game) == {"take", "blind"}  # only the second card may follow the first
    game.push("take blue")
    fill_row(game)
    assert game.turn == 0


@pytest.mark.rule("T2")
def test_t2_who_can_do_nothing_passes():
    game = arrange(hands=[{"red": 1}], trains={0: 0}, **BARE)
    assert legal(game) == {"pass"}
    assert len(game.legal_moves) == 1
    game.push("pass")
    assert game.turn == 1


@pytest.mark.rule("T2")
@pytest.mark.parametrize("name", ["usa-classic", "europe", "old-west"])
@pytest.mark.parametrize(
    "chance",
    [
        {"row": {"red": 1}, "deck": {}, "ticket_deck": []},
        {"row": {}, "deck": {"red": 1}, "ticket_deck": []},
        {"row": {}, "deck": {}},
    ],
)
def test_t2_passing_is_illegal_with_another_legal_move(name, chance):
    game = arrange(name, trains={0: 0, 1: 0}, **chance)
    assert "pass" not in legal(game)
    assert legal(game)
    with pytest.raises(IllegalMove):
        game.push("pass")


@pytest.mark.rule("T2")
def test_t2_a_claim_or_a_station_that_can_be_paid_forbids_the_pass():
    game = arrange(hands=[{"red": 1}], trains={0: 1}, **BARE)
    assert kinds(game) == {"claim"}
    game = arrange("europe", hands=[{"red": 1}], trains={0: 0}, **BARE)
    assert kinds(game) == {"station"}
    game = arrange("europe", trains={0: 0}, **BARE)
    assert legal(game) == {"pass"}


@pytest.mark.rule("T2")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_t2_a_round_of_passes_ends_the_game_and_it_is_scored(target):
    game = arrange(
        seats=3, trains={0: 0, 1: 0, 2: 0}, score=[5, 9, 7], turn=1, target=target, **BARE
    )
    game.push("pass")
    game.push("pass")
    assert not game.over
    game.push("pass")
    assert game.over
    assert game.outcome.totals == (5, 9, 7)
    assert game.outcome.winners == (1,)
    assert not game.legal_moves


@pytest.mark.rule("T2")
def test_t2_passes_must_follow_one_another():
    # The last seat's claim puts its cards into the empty row: the others can draw again.
    game = arrange(seats=3, hands=[{}, {}, {"red": 2}], trains={0: 20, 1: 20, 2: 20}, **BARE)
    game.state["hand"][0, 0] = 0
    game.push("pass")
    game.push("pass")
    assert field(game, "passes") == 2
    game.push("claim Boston–New York red 2")
    assert field(game, "passes") == 0
    deal(game, "red", "red")
    assert phase(game) == "turn"
    assert legal(game) == {"take red"}
