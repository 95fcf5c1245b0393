"""D1 to D8: drawing train cards."""

# mypy: check-untyped-defs=False

from typing import Any

import pytest
from tests.arrange import (
    all_cards,
    arrange,
    deal,
    field,
    fill_row,
    hand,
    kinds,
    legal,
    phase,
    pile,
)

from macaz.game.moves import IllegalMove

MIXED = {"red": 2, "blue": 1, "green": 1, "loco": 1}
NO_TICKETS: dict[str, Any] = {"ticket_deck": []}


@pytest.mark.rule("D1")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_d1_two_cards_each_from_the_row_or_the_deck(target):
    for first in ("take red", "blind"):
        for second in ("take red", "blind"):
            game = arrange(row=MIXED, target=target)
            for move in (first, second):
                game.push(move)
                deal(game, "red")
            assert hand(game, 0) == {"red": 2}
            assert game.turn == 1


@pytest.mark.rule("D1")
def test_d1_the_second_card_must_be_taken():
    game = arrange(row=MIXED, hands=[{"red": 9}])
    game.push("blind")
    deal(game, "black")
    assert phase(game) == "second"
    assert legal(game) == {"take red", "take blue", "take green", "blind"}


@pytest.mark.rule("D2")
def test_d2_the_row_is_filled_before_the_second_card_is_chosen():
    game = arrange(row={"red": 1, "blue": 4})
    game.push("take red")
    assert phase(game) == "deal-row"
    assert pile(game, "row") == {"blue": 4}
    deal(game, "yellow")
    assert pile(game, "row") == {"blue": 4, "yellow": 1}
    game.push("take yellow")
    assert phase(game) == "deal-row"
    deal(game, "black")
    assert game.turn == 1
    assert pile(game, "row") == {"blue": 4, "black": 1}


@pytest.mark.rule("D3")
def test_d3_a_face_up_locomotive_is_the_only_card_of_the_turn():
    game = arrange(row=MIXED)
    game.push("take loco")
    deal(game, "white")
    assert game.turn == 1
    assert hand(game, 0) == {"loco": 1}


@pytest.mark.rule("D3")
@pytest.mark.parametrize("first", ["take red", "blind"])
def test_d3_a_face_up_locomotive_is_never_the_second_card(first):
    game = arrange(row=MIXED)
    assert "take loco" in legal(game)
    game.push(first)
    deal(game, "white")
    assert "take loco" not in legal(game)
    with pytest.raises(IllegalMove):
        game.push("take loco")


@pytest.mark.rule("D3")
def test_d3_nor_one_that_has_just_come_to_the_row():
    game = arrange(row={"red": 5})
    game.push("take red")
    deal(game, "loco")
    assert legal(game) == {"take red", "blind"}


@pytest.mark.rule("D4")
def test_d4_a_blind_locomotive_is_one_ordinary_card():
    game = arrange(row=MIXED)
    game.push("blind")
    deal(game, "loco")
    assert game.turn == 0
    assert phase(game) == "second"
    game.push("blind")
    deal(game, "loco")
    assert game.turn == 1
    assert hand(game, 0) == {"loco": 2}


@pytest.mark.rule("D5")
def test_d5_a_hand_has_no_limit():
    game = arrange(hands=[{}, {}], row={"red": 5}, deck={"blue": 2})
    held = sum(hand(game, 1).values())
    assert held == 110 - 7
    game.state["turn"] = 1
    game._actor = 1
    game.push("blind")
    deal(game, "blue")
    game.push("blind")
    deal(game, "blue")
    assert sum(hand(game, 1).values()) == held + 2
    # All cards in one hand: the kernel's integers are large enough.
    game = arrange(deck={}, row={})
    assert sum(hand(game, 1).values()) == 110
    assert game.view(0).hand_sizes == (0, 110)


@pytest.mark.rule("D6")
def test_d6_a_blind_draw_empties_the_deck_and_the_discards_become_it():
    game = arrange(row={"red": 5}, deck={"blue": 1}, discards={"green": 3, "loco": 1})
    game.push("blind")
    deal(game, "blue")
    assert pile(game, "deck") == {"green": 3, "loco": 1}
    assert pile(game, "discards") == {}
    assert field(game, "deck_size") == 4


@pytest.mark.rule("D6")
def test_d6_filling_the_row_empties_the_deck():
    game = arrange(row={"red": 5}, deck={"blue": 1}, discards={"green": 3})
    game.push("take red")
    deal(game, "blue")
    assert pile(game, "deck") == {"green": 3}
    assert legal(game) == {"take red", "take blue", "blind"}


@pytest.mark.rule("D6")
def test_d6_places_stay_empty_while_there_are_no_cards():
    game = arrange(row={"red": 2, "blue": 2}, deck={}, **NO_TICKETS)
    game.push("take red")
    assert phase(game) == "second"
    assert pile(game, "row") == {"red": 1, "blue": 2}
    game.push("take blue")
    assert pile(game, "row") == {"red": 1, "blue": 1}
    assert game.turn == 1


@pytest.mark.rule("D6")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_d6_a_claims_cards_fill_the_empty_places_at_once(target):
    game = arrange(hands=[{"red": 3, "loco": 1}], row={"blue": 2}, deck={}, target=target)
    game.push("claim Chicago–Duluth red 2 loco 1")
    assert phase(game) == "deal-row"
    assert pile(game, "deck") == {"red": 2, "loco": 1}
    deal(game, "red", "loco", "red")
    assert pile(game, "row") == {"blue": 2, "red": 2, "loco": 1}
    assert pile(game, "deck") == pile(game, "discards") == {}
    assert game.turn == 1


@pytest.mark.rule("D6")
def test_d6_what_the_row_does_not_need_is_the_new_deck():
    game = arrange(hands=[{"red": 4}], row={"blue": 3}, deck={})
    game.push("claim Calgary–Helena red 4")
    deal(game, "red", "red")
    assert pile(game, "row") == {"blue": 3, "red": 2}
    assert pile(game, "deck") == {"red": 2}


@pytest.mark.rule("D6")
def test_d6_a_stations_card_fills_an_empty_place_too():
    game = arrange("europe", hands=[{"red": 1}], row={"blue": 4}, deck={})
    game.push("station Wien red")
    deal(game, "red")
    assert pile(game, "row") == {"blue": 4, "red": 1}


@pytest.mark.rule("D7")
def test_d7_three_locomotives_in_the_row_replace_it_at_once():
    game = arrange(row={"loco": 2, "red": 3})
    game.push("take red")
    deal(game, "loco")
    assert phase(game) == "deal-row"
    assert pile(game, "row") == {}
    assert pile(game, "discards") == {"loco": 3, "red": 2}
    deal(game, "white", "white", "blue", "blue", "black")
    assert phase(game) == "second"
    assert game.turn == 0
    assert pile(game, "row") == {"white": 2, "blue": 2, "black": 1}


@pytest.mark.rule("D7")
def test_d7_it_happens_after_the_second_card_and_a_locomotive_too():
    game = arrange(row={"loco": 2, "red": 3})
    game.push("blind")
    deal(game, "blue")
    game.push("take red")
    deal(game, "loco")
    assert pile(game, "row") == {}
    fill_row(game)
    assert game.turn == 1
    game = arrange(row={"loco": 2, "red": 3})
    game.push("take loco")
    deal(game, "loco")
    assert pile(game, "row") == {"loco": 2, "red": 3}
    assert game.turn == 1


@pytest.mark.rule("D7")
def test_d7_a_row_of_fewer_than_five_is_replaced_too():
    # 4 cards face up and none to fill the place: 3 of them locomotives after the claim.
    game = arrange(hands=[{"red": 1, "loco": 1}], row={"loco": 2, "blue": 1}, deck={})
    game.push("claim Boston–New York red 1 loco 1")
    deal(game, "loco", "red")
    # Outside the hands: 3 locomotives and 2 others. No row of 5 has fewer than 3: it stays.
    assert pile(game, "row") == {"loco": 3, "blue": 1, "red": 1}
    assert phase(game) == "turn"


@pytest.mark.rule("D7")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_d7_stays_where_the_cards_allow_nothing_better(target):
    game = arrange(
        hands=[{"green": 4}, {"white": 6}],
        row={"red": 3, "loco": 2},
        deck={"loco": 5},
        target=target,
    )
    game.push("take red")
    deal(game, "loco")
    assert phase(game) == "second"
    assert pile(game, "row") == {"red": 2, "loco": 3}
    game.push("blind")
    deal(game, "loco")
    # Cards are discarded that would make a better row, but no card of this one was taken.
    assert game.turn == 1
    game.push("claim Calgary–Winnipeg white 6")
    assert game.turn == 0
    assert pile(game, "row") == {"red": 2, "loco": 3}
    assert pile(game, "discards") == {"white": 6}
    # A card of it is taken: the next card makes three again, and now the row goes.
    game.push("take loco")
    deal(game, "loco")
    assert phase(game) == "deal-row"
    assert pile(game, "row") == {}
    assert pile(game, "discards") == {"white": 6, "red": 2, "loco": 3}


@pytest.mark.rule("D7")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_d7_ten_rows_in_succession_and_the_last_stays(target):
    game = arrange(row={"red": 3, "loco": 2}, deck={"red": 2, "loco": 3}, target=target)
    before = all_cards(game)
    game.push("take red")
    dealt = rows = 0
    while phase(game) == "deal-row":
        deal(game, "loco" if pile(game, "deck").get("loco") else "red")
        dealt += 1
        rows += sum(pile(game, "row").values()) == 0
    assert (dealt, rows) == (51, 10)
    assert all_cards(game) == before
    assert phase(game) == "second"
    assert pile(game, "row")["loco"] >= 3
    assert field(game, "refreshed") == 10
    # A blind card changes nothing about it; a card of the row does.
    other = arrange(row={"red": 3, "loco": 2}, target=target)
    other.state[:] = game.state
    other.push("blind")
    deal(other, "red")
    assert other.turn == 1
    assert pile(other, "row") == pile(game, "row")
    game.push("take red")
    while pile(game, "row"):
        deal(game, "loco")
    assert field(game, "refreshed") == 1


@pytest.mark.rule("D7")
def test_d7_a_good_row_restarts_the_count():
    game = arrange(row={"red": 3, "loco": 2})
    game.push("take red")
    deal(game, "loco", "loco", "loco", "loco", "blue", "blue")
    assert field(game, "refreshed") == 2
    fill_row(game)
    assert field(game, "refreshed") == 0


@pytest.mark.rule("D8")
def test_d8_without_a_card_anywhere_drawing_is_illegal():
    game = arrange(row={}, deck={})
    assert kinds(game) == {"tickets"}
    for move in ("blind", "take red", "take loco"):
        with pytest.raises(IllegalMove):
            game.push(move)


@pytest.mark.rule("D8")
def test_d8_no_blind_card_from_an_empty_deck():
    game = arrange(row={"red": 3}, deck={}, **NO_TICKETS)
    assert legal(game) == {"take red"}


@pytest.mark.rule("D8")
@pytest.mark.parametrize("row", [{"red": 1}, {"red": 1, "loco": 2}])
def test_d8_one_card_ends_the_turn_where_no_second_is_legal(row):
    game = arrange(row=row, deck={}, **NO_TICKETS)
    game.push("take red")
    assert game.turn == 1
    assert hand(game, 0) == {"red": 1}


@pytest.mark.rule("D8")
def test_d8_after_a_blind_card_too():
    game = arrange(row={"loco": 2}, deck={"red": 1}, **NO_TICKETS)
    # (A deck beside a short row: the card is the last of all.)
    game.push("blind")
    deal(game, "red")
    assert game.turn == 1


@pytest.mark.rule("D8")
def test_d8_the_last_blind_card_reshuffles_and_a_second_follows():
    game = arrange(row={"loco": 2, "red": 3}, deck={"red": 1}, discards={"blue": 1})
    game.push("blind")
    deal(game, "red")
    assert phase(game) == "second"
    assert "blind" in legal(game)


@pytest.mark.rule("D8")
def test_d8_ending_the_turn_so_still_starts_the_last_round():
    game = arrange(row={"red": 1}, deck={}, trains={0: 2}, **NO_TICKETS)
    game.push("take red")
    assert field(game, "last") == 2
