"""K1 to K3: drawing tickets, keeping them, completing them."""

# mypy: check-untyped-defs=False

import pytest
from tests.arrange import (
    arrange,
    deal_tickets,
    field,
    kinds,
    legal,
    phase,
    tickets_at,
    under,
)

from macaz.game.moves import IllegalMove, InvalidMove, Keep
from macaz.kernel import layout as at

A, B, C, D = "Boston–Miami 12", "Dallas–New York 11", "Denver–El Paso 4", "Duluth–Houston 8"
WEST = ["Bend–Las Vegas 10", "Boise–San Diego 10", "Denver–Seattle 17", "Fresno–Phoenix 8"]


@pytest.mark.rule("K1")
@pytest.mark.parametrize(
    ("name", "tickets", "ways"),
    [("usa-classic", [A, B, C], 7), ("usa", [A, B, C], 7), ("old-west", WEST, 15)],
)
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_k1_draw_and_keep_any_of_them_but_not_none(name, tickets, ways, target):
    game = arrange(name, target=target)
    game.push("tickets")
    deal_tickets(game, *tickets)
    assert phase(game) == "keep"
    assert tickets_at(game, at.OFFERED) == tickets
    assert len(legal(game)) == len(game.legal_moves) == ways
    with pytest.raises(IllegalMove):
        game.push(Keep(()))


@pytest.mark.rule("K1")
def test_k1_europe_draws_three_normal_ones_and_keeps_one_or_more():
    game = arrange("europe")
    assert field(game, "stock") == 40
    game.push("tickets")
    assert game.engine.chance_ways(game.state) == 40  # no long ticket among them
    deal_tickets(game, "Angora–Athina 5", "London–Wien 10", "Paris–Wien 8")
    assert len(legal(game)) == 7
    game.push("keep Paris–Wien 8")
    assert tickets_at(game, at.HELD) == ["Paris–Wien 8"]
    assert under(game) == ["Angora–Athina 5", "London–Wien 10"]
    assert field(game, "stock") == 39


@pytest.mark.rule("K1")
@pytest.mark.parametrize("kept", [[A], [A, B], [A, C], [A, B, C]])
def test_k1_one_two_or_three_in_mid_game(kept):
    game = arrange(tickets={0: [D]})
    game.push("tickets")
    deal_tickets(game, A, B, C)
    game.push("keep " + ", ".join(kept))
    assert tickets_at(game, at.HELD) == sorted([*kept, D])
    assert under(game) == [t for t in (A, B, C) if t not in kept]  # in the order of the list
    assert game.turn == 1


@pytest.mark.rule("K1")
@pytest.mark.parametrize("left", [[A], [A, B]])
@pytest.mark.parametrize("name", ["usa-classic", "usa"])
def test_k1_fewer_tickets_are_all_drawn(name, left):
    game = arrange(name, ticket_deck=left)
    game.push("tickets")
    deal_tickets(game, *left)
    assert phase(game) == "keep"
    assert tickets_at(game, at.OFFERED) == left
    assert len(legal(game)) == 2 ** len(left) - 1


@pytest.mark.rule("K1")
def test_k1_an_empty_ticket_deck_offers_nothing():
    game = arrange(ticket_deck=[])
    assert kinds(game) == {"take", "blind"}
    with pytest.raises(IllegalMove):
        game.push("tickets")


@pytest.mark.rule("K1")
def test_k1_keeping_the_last_ticket_leaves_no_stock():
    game = arrange("usa", ticket_deck=[A])
    game.push("tickets")
    deal_tickets(game, A)
    game.push(f"keep {A}")
    assert field(game, "stock") == 0
    assert "tickets" not in legal(game)


@pytest.mark.rule("K1")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_k1_usa_the_player_chooses_the_order_under_the_deck(target):
    game = arrange("usa", ticket_deck=[A, B, C], target=target)
    game.push("tickets")
    deal_tickets(game, C, A, B)
    game.push(f"keep {B}")
    assert phase(game) == "return"
    assert legal(game) == {f"return {A}", f"return {C}"}
    game.push(f"return {C}")
    assert game.turn == 1  # the last one follows by itself
    assert under(game) == [C, A]


@pytest.mark.rule("K1")
def test_k1_returned_tickets_come_again_in_that_order():
    game = arrange("usa", ticket_deck=[A, B, C, D])
    game.push("tickets")
    deal_tickets(game, A, B, C)
    game.push(f"keep {A}")
    game.push(f"return {C}")
    assert under(game) == [C, B]
    # Seat 1 draws: first D, the rest of the deck; then C and B, which no chance decides.
    game.push("tickets")
    deal_tickets(game, D)
    assert tickets_at(game, at.OFFERED + 1) == sorted([B, C, D])
    game.push(f"keep {D}")
    game.push(f"return {B}")
    assert under(game) == [B, C]
    game.push("tickets")
    assert phase(game) == "keep"
    assert tickets_at(game, at.OFFERED) == [B, C]


@pytest.mark.rule("K1")
def test_k1_a_returned_ticket_goes_below_those_that_lie_there():
    game = arrange("usa-classic", ticket_deck=[A, B, C], queue=[D])
    game.push("tickets")
    deal_tickets(game, A, B, C)
    game.push(f"keep {B}")
    assert under(game) == [D, A, C]
    game.push("tickets")
    assert tickets_at(game, at.OFFERED + 1) == sorted([A, C, D])
    game.push(f"keep {D}")
    assert under(game) == [A, C]


@pytest.mark.rule("K1")
def test_k1_the_shuffled_bundle_lies_between_the_deck_and_later_returns():
    game = arrange("usa", ticket_deck=[A], bundle=[B, C], queue=[D])
    assert field(game, "stock") == 4
    game.push("tickets")
    assert game.engine.chance_ways(game.state) == 1
    deal_tickets(game, A)
    assert game.engine.chance_ways(game.state) == 2  # which of the bundle is chance
    deal_tickets(game, C)
    assert game.engine.chance_ways(game.state) == 1
    deal_tickets(game, B)
    game.push(f"keep {A}, {B}, {C}")
    game.push("tickets")
    assert tickets_at(game, at.OFFERED + 1) == [D]


@pytest.mark.rule("K2")
def test_k2_only_tickets_just_drawn_are_returned():
    game = arrange("usa", tickets={0: [D]})
    game.push("tickets")
    deal_tickets(game, A, B, C)
    with pytest.raises(InvalidMove):
        game.push(f"keep {D}")
    game.push(f"keep {A}")
    with pytest.raises(InvalidMove):
        game.push(f"return {D}")
    with pytest.raises(InvalidMove):
        game.push(f"return {A}")
    game.push(f"return {B}")
    assert tickets_at(game, at.HELD) == sorted([A, D])


@pytest.mark.rule("K2")
def test_k2_tickets_are_secret_their_number_is_not():
    one = arrange(tickets={0: [A, B], 1: [C]})
    other = arrange(tickets={0: [B, D], 1: [C]})
    for seat in (1, None):
        assert one.view(seat) == other.view(seat)
        assert one.view(seat).tickets_held == (2, 1)
        assert one.view(seat).tickets_of(0) == ()
    assert one.view(0).tickets == tuple(map(one.notation.ticket_named, (A, B)))


@pytest.mark.rule("K2")
def test_k2_all_are_shown_at_the_end():
    game = arrange(
        tickets={0: [A, B], 1: [C]}, row={}, deck={}, ticket_deck=[], trains={0: 0, 1: 0}
    )
    game.push("pass")
    game.push("pass")
    assert game.over
    assert game.view(1).tickets_of(0) == tuple(map(game.notation.ticket_named, (A, B)))


def done(game, seat, ticket):
    wanted = game.notation.ticket_named(ticket)
    (result,) = [t for t in game.standing().seats[seat].tickets if t.ticket == wanted]
    return result.completed


@pytest.mark.rule("K3")
@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_k3_a_continuous_path_of_ones_own(target):
    path = ["Denver–Santa Fe", "El Paso–Santa Fe"]
    game = arrange(routes={0: path}, tickets={0: [C], 1: []}, target=target)
    assert done(game, 0, C)
    for missing in path:
        game = arrange(routes={0: [missing]}, tickets={0: [C]}, target=target)
        assert not done(game, 0, C)


@pytest.mark.rule("K3")
def test_k3_routes_of_others_do_not_join():
    game = arrange(routes={0: ["Denver–Santa Fe"], 1: ["El Paso–Santa Fe"]}, tickets={0: [C]})
    assert not done(game, 0, C)


@pytest.mark.rule("K3")
def test_k3_any_lane_and_any_detour_will_do():
    game = arrange(
        routes={0: ["Denver–Oklahoma City", "El Paso–Oklahoma City", "Denver–Kansas City#2"]},
        tickets={0: [C]},
    )
    assert done(game, 0, C)


@pytest.mark.rule("K3")
def test_k3_the_rulebooks_example():
    # One player completes both tickets (+15), the other one of two (8 - 4 = +4).
    game = arrange(
        "usa",
        routes={
            0: [
                "Montréal–New York",
                "New York–Pittsburgh",
                "Nashville–Pittsburgh",
                "Atlanta–Nashville",
            ],
            1: [
                "Sault Ste. Marie–Toronto",
                "Pittsburgh–Toronto",
                "Pittsburgh–Raleigh",
                "Nashville–Raleigh",
            ],
        },
        tickets={
            0: ["Montréal–Atlanta 9", "New York–Atlanta 6"],
            1: ["Sault Ste. Marie–Nashville 8", "Atlanta–Washington 4"],
        },
    )
    blue, green = game.standing().seats
    assert (blue.ticket_points, blue.completed) == (15, 2)
    assert (green.ticket_points, green.completed) == (4, 1)
