"""U1 to U6: tunnels."""

# mypy: check-untyped-defs=False

import pytest
from tests.arrange import (
    all_cards,
    arrange,
    claims,
    deal,
    field,
    fill_row,
    hand,
    legal,
    phase,
    pile,
    scores,
)

GRAY = "Barcelona–Pamplona"  # 2 spaces
BLACK = "Madrid–Pamplona"  # 3 spaces


def lay(payment, *revealed, route=GRAY, held=None, **rest):
    """Lay cards for a tunnel and reveal these cards."""
    game = arrange("europe", hands=[held or {"red": 5, "green": 3, "loco": 5}], **rest)
    game.push(f"claim {route} {payment}")
    deal(game, *revealed)
    return game


@pytest.mark.rule("U1")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_u1_cards_are_laid_then_three_are_revealed(target):
    game = arrange("europe", hands=[{"red": 2}], target=target)
    before = all_cards(game)
    game.push(f"claim {GRAY} red 2")
    for n in range(3):
        assert phase(game) == "deal-tunnel"
        assert sum(pile(game, "revealed").values()) == n
        assert hand(game, 0) == {}
        assert pile(game, "discards") == {}
        assert all_cards(game) == before
        deal(game, "blue")
    assert game.turn == 1
    assert scores(game) == [2, 0]
    assert pile(game, "discards") == {"red": 2, "blue": 3}
    assert all_cards(game) == before


@pytest.mark.rule("U1")
def test_u1_a_tunnel_is_paid_like_any_route():
    game = arrange("europe", hands=[{"black": 2, "white": 3, "loco": 1}])
    assert claims(game, BLACK) == {"black 2 loco 1"}
    assert claims(game, BLACK + "#2") == {"white 3", "white 2 loco 1"}


@pytest.mark.rule("U1")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_u1_laid_cards_are_not_shuffled_into_the_deck_they_meet(target):
    game = arrange(
        "europe",
        hands=[{"red": 3}],
        row={"white": 5},
        deck={"blue": 1},
        discards={"green": 5},
        target=target,
    )
    game.push(f"claim {GRAY} red 2")
    deal(game, "blue")
    assert pile(game, "deck") == {"green": 5}  # no red in it
    deal(game, "green", "green")
    assert game.turn == 1
    assert pile(game, "deck") == {"green": 3}
    assert pile(game, "discards") == {"red": 2, "blue": 1, "green": 2}


@pytest.mark.rule("U2")
def test_u2_two_red_laid_and_one_red_revealed_cost_one_more():
    game = lay("red 2", "red", "blue", "white")
    assert phase(game) == "tunnel"
    assert field(game, "extra") == 1
    assert legal(game) == {"pay", "pay loco 1", "decline"}
    game.push("pay")
    assert hand(game, 0) == {"red": 2, "green": 3, "loco": 5}
    assert pile(game, "discards") == {"red": 4, "blue": 1, "white": 1}
    assert scores(game) == [2, 0]
    assert game.turn == 1


@pytest.mark.rule("U2")
def test_u2_two_green_laid_and_one_locomotive_revealed_cost_one_more():
    game = lay("green 2", "loco", "blue", "red")
    assert field(game, "extra") == 1
    game.push("pay")
    assert hand(game, 0) == {"red": 5, "loco": 5}
    assert pile(game, "discards") == {"green": 3, "loco": 1, "blue": 1, "red": 1}


@pytest.mark.rule("U2")
@pytest.mark.parametrize("locos", [0, 1, 2, 3])
def test_u2_all_three_may_cost_and_each_in_either_way(locos):
    game = lay("red 2", "red", "loco", "red")
    assert legal(game) == {"pay", "pay loco 1", "pay loco 2", "pay loco 3", "decline"}
    game.push(f"pay loco {locos}" if locos else "pay")
    assert game.state["hand"][0, 0].tolist()[-2:] == [3 - (3 - locos), 5 - locos]


@pytest.mark.rule("U2")
def test_u2_only_what_the_hand_holds():
    game = lay("red 2", "red", "red", "blue", held={"red": 3, "loco": 1})
    assert legal(game) == {"pay loco 1", "decline"}
    game = lay("red 2", "red", "red", "blue", held={"red": 4})
    assert legal(game) == {"pay", "decline"}


@pytest.mark.rule("U2")
def test_u2_a_mixed_payment_counts_as_its_colour():
    game = lay("red 1 loco 1", "red", "loco", "green")
    assert field(game, "extra") == 2
    assert "pay" in legal(game)


@pytest.mark.rule("U2")
def test_u2_the_colour_laid_counts_not_the_routes():
    game = lay("green 2", "red", "red", "red")  # a gray tunnel paid with green
    assert game.turn == 1
    assert scores(game) == [2, 0]


@pytest.mark.rule("U3")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_u3_two_locomotives_laid_and_one_revealed_cost_a_locomotive(target):
    game = lay("loco 2", "loco", "red", "green", target=target)
    assert field(game, "extra") == 1
    assert legal(game) == {"pay loco 1", "decline"}
    game.push("pay loco 1")
    assert hand(game, 0) == {"red": 5, "green": 3, "loco": 2}


@pytest.mark.rule("U3")
def test_u3_colours_cost_nothing_after_locomotives_alone():
    game = lay("loco 3", "black", "black", "white", route=BLACK)
    assert game.turn == 1
    assert scores(game) == [4, 0]
    assert pile(game, "discards") == {"loco": 3, "black": 2, "white": 1}


@pytest.mark.rule("U3")
def test_u3_without_the_locomotive_only_declining_is_left():
    game = lay("loco 2", "loco", "loco", "green", held={"loco": 3, "red": 9})
    assert legal(game) == {"decline"}


@pytest.mark.rule("U4")
@pytest.mark.parametrize("payment", ["red 2", "red 1 loco 1", "loco 2"])
def test_u4_declining_returns_the_laid_cards_and_ends_the_turn(payment):
    game = lay(payment, "loco", "blue", "white")
    before = all_cards(game)
    game.push("decline")
    assert hand(game, 0) == {"red": 5, "green": 3, "loco": 5}
    assert game.turn == 1
    assert scores(game) == [0, 0]
    assert game.view(None).trains == (45, 45)
    assert game.view(None).routes_of(0) == ()
    assert all_cards(game) == before


@pytest.mark.rule("U4")
def test_u4_a_tunnel_that_costs_nothing_more_is_not_declined():
    game = lay("red 2", "blue", "blue", "white")
    assert phase(game) == "turn"
    assert game.view(None).routes_of(0) == (game.notation.route_named(GRAY),)


@pytest.mark.rule("U4")
def test_u4_the_tunnel_stays_open_after_it():
    game = lay("red 2", "red", "blue", "white")
    game.push("decline")
    game.push("blind")
    deal(game, "black")
    game.push("blind")
    deal(game, "black")
    assert "red 2" in claims(game, GRAY)


@pytest.mark.rule("U5")
@pytest.mark.parametrize("move", ["pay", "decline"])
def test_u5_revealed_cards_are_discarded_at_the_end_of_the_turn(move):
    game = lay("red 2", "red", "blue", "white")
    assert pile(game, "discards") == {}
    assert pile(game, "revealed") == {"red": 1, "blue": 1, "white": 1}
    game.push(move)
    assert pile(game, "revealed") == {}
    for color in ("blue", "white"):
        assert pile(game, "discards")[color] == 1
    assert pile(game, "discards")["red"] == (4 if move == "pay" else 1)


@pytest.mark.rule("U5")
def test_u5_they_fill_an_empty_deck_and_row_at_once():
    game = lay(
        "red 2", "red", "blue", held={"red": 3}, row={"white": 4}, deck={"red": 1, "blue": 1}
    )
    game.push("decline")
    assert phase(game) == "deal-row"
    assert pile(game, "deck") == {"red": 1, "blue": 1}
    fill_row(game)
    assert field(game, "row_size") == 5
    assert field(game, "deck_size") == 1


@pytest.mark.rule("U6")
@pytest.mark.parametrize("available", [1, 2])
def test_u6_fewer_cards_reveal_what_there_is(available):
    game = lay(
        "red 2", *["red"] * available, held={"red": 5}, row={"white": 5}, deck={"red": available}
    )
    assert phase(game) == "tunnel"
    assert field(game, "extra") == available
    assert pile(game, "deck") == {}


@pytest.mark.rule("U6")
def test_u6_the_discards_count_as_available():
    game = lay(
        "red 2",
        "red",
        "blue",
        "blue",
        held={"red": 5},
        row={"white": 5},
        deck={"red": 1},
        discards={"blue": 2},
    )
    assert field(game, "extra") == 1


@pytest.mark.rule("U6")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_u6_no_card_at_all_costs_nothing_more(target):
    game = lay("red 2", held={"red": 2}, row={"white": 3}, deck={}, target=target)
    assert scores(game) == [2, 0]
    # The laid cards are discarded, and fill the row.
    assert pile(game, "deck") == {"red": 2}
    fill_row(game)
    assert pile(game, "row") == {"white": 3, "red": 2}
    assert game.turn == 1


@pytest.mark.rule("U6")
def test_u6_extra_cards_need_no_trains():
    game = lay("red 2", "red", "red", "red", trains={0: 2})
    game.push("pay")
    assert game.view(None).trains == (0, 45)
    assert scores(game) == [2, 0]
