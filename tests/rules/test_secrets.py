"""P1 and P2: public and hidden information."""

# mypy: check-untyped-defs=False

import numpy as np
import pytest
from tests.arrange import arrange, begin, counts, deal, deal_tickets, fill_row, hand

from macaz.game import Game
from macaz.game.moves import Choose
from macaz.kernel import layout as at

A, B, C, D = "Boston–Miami 12", "Dallas–New York 11", "Denver–El Paso 4", "Duluth–Houston 8"


def knows(game, seat):
    """The places of the tickets that a seat knows, by their names."""
    known = game.view(seat).known_tickets
    return {game.notation.ticket_name(t): place for t, place in known.items()}


@pytest.mark.rule("P1")
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_p1_the_table_is_open_to_all(seat):
    game = arrange(
        "europe",
        3,
        hands=[{"red": 2}, {"blue": 3}],
        discards={"green": 4, "loco": 1},
        routes={0: ["Berlin–Wien"], 2: ["Paris–Zürich"]},
        marks={1: ["Wien"]},
        tickets={0: ["Paris–Wien 8"], 1: []},
        score=[4, 0, 4],
    )
    view = game.view(seat)
    assert view.scores == (4, 0, 4)
    assert view.trains == (42, 45, 42)
    assert [game.notation.route_name(r) for r in view.routes_of(2)] == ["Paris–Zürich"]
    assert view.marks_of(1) == (game.notation.city_named("Wien"),)
    assert sum(view.row) == 5
    assert view.discards == tuple(counts({"green": 4, "loco": 1}).tolist())
    assert view.deck_size == 110 - 5 - 5 - 5
    assert view.hand_sizes == (2, 3, 0)
    assert view.tickets_held == (1, 0, 0)
    assert view.ticket_stock == 39
    assert (view.turn, view.phase) == (0, "turn")


@pytest.mark.rule("P1")
def test_p1_what_is_openly_taken_is_remembered():
    game = arrange(row={"red": 2, "blue": 3})
    game.push("take red")
    deal(game, "green")
    game.push("blind")
    deal(game, "black")
    for seat in (1, None):
        assert game.view(seat).seen(0) == tuple(counts({"red": 1}).tolist())
        assert game.view(seat).hand_of(0) == (0,) * 9
    assert hand(game, 0) == {"red": 1, "black": 1}


@pytest.mark.rule("P1")
def test_p1_what_is_paid_is_no_longer_held():
    game = arrange(hands=[{"red": 3}], row={"red": 1, "blue": 4})
    game.push("take red")
    deal(game, "green")
    game.push("take blue")
    deal(game, "green")
    game.state["turn"] = 0
    game._actor = 0
    assert game.view(1).seen(0) == tuple(counts({"red": 1, "blue": 1}).tolist())
    game.push("claim Chicago–Duluth red 3")
    # One red may be left, but that is not certain.
    assert game.view(1).seen(0) == tuple(counts({"blue": 1}).tolist())
    assert hand(game, 0) == {"red": 1, "blue": 1}


@pytest.mark.rule("P1")
def test_p1_cards_taken_back_from_a_tunnel_were_seen():
    game = arrange("europe", hands=[{"red": 3, "loco": 1}])
    game.push("claim Barcelona–Pamplona red 1 loco 1")
    deal(game, "red", "blue", "blue")
    game.push("decline")
    assert game.view(1).seen(0) == tuple(counts({"red": 1, "loco": 1}).tolist())


@pytest.mark.rule("P1")
@pytest.mark.parametrize("stage", range(5))
def test_p1_what_is_unseen_is_the_deck_and_the_other_hands(stage):
    game = arrange("europe", 3, hands=[{"red": 3, "loco": 1}, {"blue": 2}, {"white": 4}])
    if stage:
        game.push("claim Barcelona–Pamplona red 1 loco 1")
        deal(game, *["red", "blue", "blue"][: stage - 1])
    state = game.state[0]
    for seat in range(3):
        others = state["hand"].sum(axis=0) - state["hand"][seat]
        assert game.view(seat).unseen == tuple((state["deck"] + others).tolist())


@pytest.mark.rule("P2")
@pytest.mark.parametrize("name", ["usa-classic", "usa", "europe", "old-west+alvin"])
def test_p2_swapping_what_is_hidden_changes_no_other_view(name):
    def world(mine, theirs, *, held):
        game = arrange(name, 3, hands=[{"red": 2}, mine, theirs], row={"purple": 5})
        for ticket in range(len(game.edition.board.tickets) - 4, len(game.edition.board.tickets)):
            game.state["ticket"][0, ticket] = at.HELD + held
            game.state["known"][0, ticket] = 1 << held
        return game

    one = world({"blue": 3}, {"green": 3}, held=1)
    other = world({"green": 3}, {"blue": 3}, held=1)
    assert one.view(0) == other.view(0)
    assert one.view(None) == other.view(None)
    assert one.view(1) != other.view(1)
    assert bytes(one.view(0)) == bytes(other.view(0))


@pytest.mark.rule("P2")
def test_p2_the_cards_of_the_deck_are_secret():
    one = arrange(hands=[{}, {"red": 4}])
    other = arrange(hands=[{}, {"blue": 4}])
    assert one.view(0) == other.view(0)
    assert not one.view(0).record["deck"].any()
    assert not one.view(None).record["hand"].any()


@pytest.mark.rule("P2")
def test_p2_a_blind_card_is_secret():
    one, other = arrange(), arrange()
    for game, card in ((one, "red"), (other, "loco")):
        game.push("blind")
        deal(game, card)
    assert one.view(1) == other.view(1)
    assert one.view(None) == other.view(None)
    assert one.view(0) != other.view(0)


@pytest.mark.rule("P2")
def test_p2_an_offer_is_secret_its_size_is_not():
    one, other = arrange("usa"), arrange("usa")
    for game, tickets in ((one, [A, B, C]), (other, [B, C, D])):
        game.push("tickets")
        deal_tickets(game, *tickets)
    assert one.view(1) == other.view(1)
    assert one.view(1).tickets_offered == (3, 0)
    assert one.view(1).offer == ()
    assert len(one.view(0).offer) == 3


@pytest.mark.rule("P2")
def test_p2_what_is_returned_and_in_which_order_is_secret():
    one, other = arrange("usa"), arrange("usa")
    for game, last in ((one, A), (other, B)):
        game.push("tickets")
        deal_tickets(game, A, B, C)
        game.push(f"keep {C}")
        game.push(f"return {last}")
    assert one.view(1) == other.view(1)
    assert knows(one, 1) == {}
    assert knows(one, 0) == {C: "seat 0", A: "under 0", B: "under 1"}
    assert knows(other, 0) == {C: "seat 0", B: "under 0", A: "under 1"}


@pytest.mark.rule("P2")
def test_p2_who_returned_a_ticket_knows_who_draws_it_again_as_long_as_all_are_kept():
    def again(keep):
        game = arrange("usa", ticket_deck=[A, B, C])
        game.push("tickets")
        deal_tickets(game, A, B, C)
        game.push(f"keep {C}")
        game.push(f"return {A}")
        game.push("tickets")
        assert knows(game, 0) == {C: "seat 0", A: "offer 1", B: "offer 1"}
        game.push(f"keep {keep}")
        return game

    kept_all = again(f"{A}, {B}")
    assert knows(kept_all, 0) == {C: "seat 0", A: "seat 1", B: "seat 1"}
    one, other = again(A), again(B)
    assert knows(one, 0) == {C: "seat 0"}  # it is not known which of the two was returned
    assert one.view(0) == other.view(0)
    assert knows(one, 1) == {A: "seat 1", B: "under 0"}


@pytest.mark.rule("P2")
def test_p2_a_bundle_is_forgotten_when_another_draws_from_it():
    game = arrange("usa", 3, ticket_deck=[], bundle=[A, B, C, D])
    for ticket, seat in ((A, 0), (B, 0), (C, 1), (D, 2)):
        game.state["known"][0, game.notation.ticket_named(ticket)] = 1 << seat
    assert knows(game, 1) == {C: "bundle"}
    game.push("tickets")
    deal_tickets(game, A, C, D)
    assert knows(game, 0) == {A: "offer 0", B: "bundle", C: "offer 0", D: "offer 0"}
    assert knows(game, 1) == knows(game, 2) == {}


@pytest.mark.rule("P2")
def test_p2_setup_offers_and_the_box_are_secret():
    one, other = begin("europe", 2), begin("europe", 2)
    offer = one.offer(0)
    one.push(Choose(0, offer[:2]))
    other.push(Choose(0, offer[2:]))
    assert one.view(1) == other.view(1)
    assert set(knows(one, 0).values()) == {"seat 0", "returned 0"}
    for game in (one, other):
        game.push(Choose(1, game.offer(1)))
    assert one.view(1) == other.view(1)
    assert sorted(knows(one, 0).values()) == ["box", "box", "seat 0", "seat 0"]


@pytest.mark.rule("P2")
def test_p2_a_view_holds_no_seed_and_no_future():
    one, other = Game("usa", 2, seed=1, first=0, target="plain"), Game("usa", 2, seed=1, first=0)
    assert one.state.tobytes() == other.state.tobytes()
    # Two seeds with the same deals so far look alike: the state does not contain the future.
    swapped = arrange(hands=[{}, {"red": 4}])
    same = arrange(hands=[{}, {"red": 4}])
    swapped.dealer = one.dealer
    assert swapped.view(0) == same.view(0)


@pytest.mark.rule("P2")
def test_p2_everything_is_shown_when_the_game_is_over():
    game = arrange(hands=[{"red": 2}], tickets={0: [A], 1: [B]}, last=1)
    game.push("blind")
    deal(game, "red")
    game.push("blind")
    deal(game, "red")
    fill_row(game)
    assert game.over
    view = game.view(1)
    assert view.hand_of(0) == tuple(counts({"red": 4}).tolist())
    assert view.tickets_of(0) == (game.notation.ticket_named(A),)
    assert np.array_equal(view.record["deck"][0], game.state["deck"][0])


@pytest.mark.rule("P1")
def test_p1_there_is_no_seat_beyond_the_table():
    with pytest.raises(ValueError, match="no seat 2"):
        arrange().view(2)
