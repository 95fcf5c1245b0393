"""F1: ferries."""

# mypy: check-untyped-defs=False

import pytest
from tests.arrange import arrange, claims, hand, pile, scores

from macaz.game.moves import InvalidMove


@pytest.mark.rule("F1")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_f1_smyrna_palermo_takes_four_cards_and_two_locomotives(target):
    game = arrange("europe", hands=[{"red": 4, "loco": 2}], target=target)
    assert claims(game, "Smyrna–Palermo") == {"red 4 loco 2"}
    game.push("claim Smyrna–Palermo red 4 loco 2")
    assert scores(game) == [15, 0]
    assert pile(game, "discards") == {"red": 4, "loco": 2}
    assert hand(game, 0) == {}


@pytest.mark.rule("F1")
@pytest.mark.parametrize(
    ("held", "ways"),
    [
        ({"red": 6, "loco": 1}, set()),
        ({"red": 6}, set()),
        ({"red": 6, "loco": 2}, {"red 4 loco 2"}),
        ({"red": 3, "loco": 3}, {"red 3 loco 3"}),
        ({"red": 2, "blue": 2, "loco": 2}, set()),
        ({"red": 4, "blue": 4, "loco": 2}, {"red 4 loco 2", "blue 4 loco 2"}),
        ({"loco": 6}, {"loco 6"}),
        ({"red": 1, "loco": 6}, {"red 1 loco 5", "loco 6"}),
    ],
)
def test_f1_a_locomotive_for_each_symbol_the_rest_as_usual(held, ways):
    game = arrange("europe", hands=[held])
    assert claims(game, "Palermo–Smyrna") == ways


@pytest.mark.rule("F1")
def test_f1_symbols_on_every_space_take_locomotives_only():
    game = arrange("europe", hands=[{"red": 6, "loco": 2}])
    assert claims(game, "Amsterdam–London") == {"loco 2"}
    with pytest.raises(InvalidMove):
        game.push("claim Amsterdam–London red 1 loco 1")


@pytest.mark.rule("F1")
def test_f1_the_ferry_of_the_old_west():
    game = arrange("old-west", hands=[{"red": 5, "loco": 3}], marks={0: ["Los Angeles"]})
    assert claims(game, "Los Angeles–San Francisco") == {"red 4 loco 3"}
    game = arrange("old-west", hands=[{"red": 5, "loco": 2}], marks={0: ["Los Angeles"]})
    assert claims(game, "Los Angeles–San Francisco") == set()


@pytest.mark.rule("F1")
def test_f1_double_ferries():
    game = arrange("europe", 4, hands=[{"red": 1, "loco": 1}], routes={1: ["Dieppe–London"]})
    assert claims(game, "Dieppe–London#2") == {"red 1 loco 1"}
    assert claims(game, "Dieppe–London") == set()
