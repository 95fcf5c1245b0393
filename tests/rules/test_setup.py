"""S1 to S7: the setup before the first turn."""

# mypy: check-untyped-defs=False

from itertools import permutations

import numpy as np
import pytest
from tests.arrange import (
    all_cards,
    auto,
    begin,
    choose,
    deal,
    deal_tickets,
    field,
    hand,
    legal,
    make_edition,
    phase,
    pile,
    tickets_at,
    under,
)

from macaz.edition import load_edition
from macaz.edition.board import COLORS
from macaz.game import Game
from macaz.game.moves import Choose, IllegalMove
from macaz.kernel import layout as at

PRINTED = ["usa-classic", "usa", "europe", "old-west", "old-west+alvin"]


def offers(game):
    return [[game.notation.ticket_name(t) for t in game.offer(s)] for s in range(game.seats)]


@pytest.mark.rule("S1")
@pytest.mark.parametrize("name", PRINTED)
def test_s1_110_train_cards(name):
    game = Game(name, 2, dealer=None, target="plain")
    assert all_cards(game) == {**dict.fromkeys(COLORS, 12), "loco": 14}
    assert all_cards(game).total() == 110
    assert field(game, "deck_size") == 110


@pytest.mark.rule("S2")
@pytest.mark.parametrize("name", PRINTED)
def test_s2_four_cards_each_and_five_face_up(name):
    game = begin(name, 3)
    assert game.view(None).hand_sizes == (4, 4, 4)
    assert sum(pile(game, "row").values()) == field(game, "row_size") == 5
    assert field(game, "deck_size") == 110 - 12 - 5


@pytest.mark.rule("S2")
def test_s2_cards_are_dealt_seat_by_seat_from_the_first_player():
    game = Game("usa-classic", 3, dealer=None, first=1, target="plain")
    deal(game, *["red"] * 4, *["blue"] * 4, *["green"] * 4)
    assert [hand(game, s) for s in range(3)] == [{"green": 4}, {"red": 4}, {"blue": 4}]


@pytest.mark.rule("S2")
def test_s2_a_deck_that_only_serves_the_hands_leaves_the_row_empty():
    edition = make_edition([("A", "B", 1)], [("A", "B", 1)] * 6, cards=(8, 0, 0, 0, 0, 0, 0, 0, 0))
    game = Game(edition, 2, dealer=None, first=0, target="plain")
    deal(game, *["purple"] * 8)
    assert phase(game) == "deal-setup"
    assert pile(game, "row") == {}


@pytest.mark.rule("S3")
def test_s3_three_locomotives_replace_the_first_row():
    game = Game("usa-classic", 2, dealer=None, first=0, target="plain")
    deal(game, *["red"] * 4, *["blue"] * 4)
    deal(game, "loco", "green", "loco", "white", "loco")
    assert pile(game, "row") == {}
    assert pile(game, "discards") == {"loco": 3, "green": 1, "white": 1}
    deal(game, "loco", "loco", "green", "white", "black")
    assert phase(game) == "deal-setup"
    assert pile(game, "row") == {"loco": 2, "green": 1, "white": 1, "black": 1}


@pytest.mark.rule("S3")
def test_s3_only_a_full_row_is_judged_and_it_may_go_again():
    game = Game("usa-classic", 2, dealer=None, first=0, target="plain")
    deal(game, *["red"] * 4, *["blue"] * 4, "loco", "loco", "loco")
    assert pile(game, "row") == {"loco": 3}
    deal(game, "loco", "loco", "loco", "loco", "loco", "green", "white")
    assert pile(game, "discards") == {"loco": 8, "green": 1, "white": 1}
    deal(game, "red", "red", "red", "red", "red")
    assert phase(game) == "deal-setup"


@pytest.mark.rule("S3")
def test_s3_ends_where_nothing_but_locomotives_is_left():
    edition = make_edition([("A", "B", 1)], [("A", "B", 1)] * 6, cards=(8, 0, 0, 0, 0, 0, 0, 0, 4))
    game = Game(edition, 2, dealer=None, first=0, target="plain")
    deal(game, *["purple"] * 8, *["loco"] * 4)
    assert phase(game) == "deal-setup"
    assert pile(game, "row") == {"loco": 4}


@pytest.mark.rule("S4")
@pytest.mark.parametrize(
    ("name", "dealt", "least"),
    [("usa-classic", 3, 2), ("usa", 4, 2), ("europe", 4, 2), ("old-west", 5, 3)],
)
def test_s4_tickets_are_dealt_and_a_minimum_is_kept(name, dealt, least):
    game = begin(name, 2)
    assert [len(offer) for offer in offers(game)] == [dealt, dealt]
    kept = {len(move.tickets) for move in game.legal_moves_of(0)}
    assert kept == set(range(least, dealt + 1))
    with pytest.raises(IllegalMove):
        choose(game, 0, *offers(game)[0][: least - 1])


@pytest.mark.rule("S4")
@pytest.mark.parametrize("target", ["plain", "cpu"])
@pytest.mark.parametrize("name", ["usa-classic", "usa", "europe", "old-west+alvin"])
def test_s4_seats_choose_in_any_order_with_the_same_bytes(name, target):
    ends = set()
    for order in permutations(range(3)):
        game = begin(name, 3, first=1, target=target)
        assert game.deciding == (0, 1, 2)
        for seat in order:
            offer = game.offer(seat)
            game.push(Choose(seat, offer[seat % 2 :]))
        ends.add(game.state.tobytes())
    assert len(ends) == 1


@pytest.mark.rule("S4")
def test_s4_a_choice_is_secret_but_its_size_is_not():
    one, other = begin("usa", 3), begin("usa", 3)
    offer = one.offer(0)
    one.push(Choose(0, offer[:3]))
    other.push(Choose(0, offer[1:]))
    assert one.view(0) != other.view(0)
    for seat in (1, 2, None):
        assert one.view(seat) == other.view(seat)
        assert one.view(seat).tickets_held == (3, 0, 0)
        assert one.view(seat).choosing == {1, 2}


@pytest.mark.rule("S4")
def test_s4_a_seat_chooses_once():
    game = begin("usa", 2)
    kept = game.offer(0)
    game.push(Choose(0, kept))
    assert game.deciding == (1,)
    with pytest.raises(ValueError, match=r"no such move|may not"):
        game.push(Choose(0, kept))


@pytest.mark.rule("S4")
def test_s4_usa_classic_returns_lie_under_the_deck_from_the_first_player_on():
    game = begin("usa-classic", 3, first=1)
    dealt = offers(game)
    for seat in (2, 0, 1):
        choose(game, seat, *dealt[seat][1:])
    assert under(game) == [dealt[1][0], dealt[2][0], dealt[0][0]]
    assert field(game, "stock") == 30 - 9 + 3


@pytest.mark.rule("S4")
@pytest.mark.parametrize(("name", "tickets"), [("usa", 33), ("old-west", 50)])
def test_s4_shuffled_returns_are_a_bundle_under_the_deck(name, tickets):
    game = begin(name, 2)
    dealt = offers(game)
    for seat in (0, 1):
        choose(game, seat, *dealt[seat][1:])
    assert sorted(tickets_at(game, at.IN_BUNDLE)) == sorted([dealt[0][0], dealt[1][0]])
    assert under(game) == []
    assert field(game, "stock") == tickets - 2 * len(dealt[0]) + 2


@pytest.mark.rule("S5")
def test_s5_one_long_ticket_each_the_others_leave_unseen():
    game = begin("europe", 4)
    long = {t for t, ticket in enumerate(game.edition.board.tickets) if ticket.deck == "long"}
    assert len(long) == 6
    for seat in range(4):
        assert len(long & set(game.offer(seat))) == 1
        assert len(game.offer(seat)) == 4
    rest = [t for t in long if game.state["ticket"][0, t] == at.IN_BOX]
    assert len(rest) == 2
    for seat in (0, 1, 2, 3, None):
        assert not set(rest) & set(game.view(seat).known_tickets)


@pytest.mark.rule("S5")
def test_s5_returned_tickets_leave_the_game_long_or_not():
    game = begin("europe", 2)
    dealt = offers(game)
    stock = field(game, "stock")
    choose(game, 0, *dealt[0][2:])
    choose(game, 1, *dealt[1][:2])
    assert "long" in dealt[0][0]
    assert set(dealt[0][:2]) | set(dealt[1][2:]) <= set(tickets_at(game, at.IN_BOX))
    assert field(game, "stock") == stock == 40 - 6
    assert under(game) == tickets_at(game, at.IN_BUNDLE) == []


@pytest.mark.rule("S6")
def test_s6_chance_names_the_first_player_and_all_are_alike():
    game = Game("usa-classic", 5, dealer=None, target="plain")
    assert game.engine.chance_ways(game.state) == 5
    assert [game.engine.chance_weight(game.state, o) for o in range(-1, 7)] == [0, *[1] * 5, 0, 0]
    game.push_chance(3)
    auto(game)
    assert game.view(None).first == 3


@pytest.mark.rule("S6")
def test_s6_a_host_may_fix_the_first_player_and_play_goes_clockwise():
    game = begin("usa-classic", 3, first=2)
    for seat in range(3):
        game.push(Choose(seat, game.offer(seat)))
    turns = []
    for _ in range(4):
        turns.append(game.turn)
        game.push("blind")
        deal(game, "red")
        game.push("blind")
        deal(game, "black")
    assert turns == [2, 0, 1, 2]


@pytest.mark.rule("S7")
@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_s7_starting_cities_from_the_last_player_back(first):
    game = begin("old-west", 4, first=first)
    for seat in range(4):
        game.push(Choose(seat, game.offer(seat)))
    order = []
    for city in ("Denver", "Boise", "Phoenix", "Seattle"):
        assert phase(game) == "start"
        assert f"start {city}" in legal(game)
        order.append(game.turn)
        game.push(f"start {city}")
        assert f"start {city}" not in legal(game)
        assert game.notation.city_named(city) == game.state["marks"][0, order[-1], 0]
    assert order == [(first + i) % 4 for i in (3, 2, 1, 0)]
    assert phase(game) == "turn"
    assert game.turn == first


@pytest.mark.rule("S7")
def test_s7_every_free_city_may_be_the_start():
    game = begin("old-west", 2)
    for seat in range(2):
        game.push(Choose(seat, game.offer(seat)))
    assert len(legal(game)) == 41
    game.push("start Roswell")
    assert len(legal(game)) == 40


def test_tickets_come_by_hand_too():
    game = Game("usa-classic", 2, dealer=None, first=0, target="plain")
    while phase(game) != "deal-setup":
        game.push_chance(int(np.argmax(game.state["deck"][0][: at.LOCO])))
    deal_tickets(game, "Boston–Miami 12", "Denver–El Paso 4", "Dallas–New York 11")
    assert offers(game)[0] == ["Boston–Miami 12", "Dallas–New York 11", "Denver–El Paso 4"]
    assert len(load_edition("usa-classic").board.tickets) == 30
