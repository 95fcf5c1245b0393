"""Colours and moves: names are accepted, and arguments are checked when a move is made."""

import copy
import json
import pickle

import msgspec
import numpy as np
import pytest

from macaz import Color, Game, InvalidMove, load_edition
from macaz.edition.board import CARDS, COLORS
from macaz.game.data import moves_data
from macaz.game.events import CardTaken, game_events
from macaz.game.moves import (
    Blind,
    Choose,
    Claim,
    Keep,
    Mark,
    MoveAlvin,
    Pass,
    PayTunnel,
    Return,
    Start,
    Station,
    Take,
)


def test_a_colour_is_its_number_and_has_a_name() -> None:
    assert Color("red") is Color(" Red ") is Color(7) is Color.RED
    assert Color("loco") is Color("locomotive") is Color(8) is Color.LOCOMOTIVE
    assert Color("gray") is Color(-1) is Color.GRAY
    assert [Color(name) for name in CARDS] == list(range(9))
    assert (*COLORS, "locomotive") == CARDS
    assert repr(Color.RED) == "Color.RED"
    assert hash(Color.RED) == hash(7)
    assert json.dumps(Color.RED) == msgspec.json.encode(Color.RED).decode() == f"{Color.RED}" == "7"
    with pytest.raises(ValueError, match="rod"):
        Color("rod")


def test_moves_take_names_and_numbers_of_any_kind() -> None:
    assert Take("red") == Take(7) == Take(np.int64(7)) == Take(Color.RED)
    assert hash(Take("red")) == hash(Take(7))
    assert Take(7).color is Color.RED
    assert repr(Take("loco")) == "Take(color=Color.LOCOMOTIVE)"
    assert Claim(3, "green", 1) == Claim(np.int16(3), 4, np.uint8(1))
    assert type(Claim(np.int16(3), "green", 1).route) is int
    assert Keep([7, 3]) == Keep((3, 7)) == Keep(np.array([3, 7]))
    assert Choose(1, {7, 3}).tickets == (3, 7)


@pytest.mark.parametrize(
    ("kind", "arguments", "sentence"),
    [
        (Take, ("rde",), "there is no card 'rde'; did you mean red?"),
        (Take, (99,), r"there is no card 99 \(they are purple, .*, red, loco\)"),
        (Take, (-1,), "there is no card -1"),
        (Take, ("gray",), "there is no card 'gray'"),
        (Take, (None,), "there is no card None"),
        (Take, ([1],), r"there is no card \[1\]"),
        (Claim, (3, "grün", 1), "there is no card 'grün'"),
        (Claim, ("Berlin-Wien", "green", 1), "a route is a number from 0 up, not 'Berlin-Wien'; n"),
        (Claim, (3, "green", -1), "a count of locomotives is a number from 0 up, not -1"),
        (Station, (1.5, "green", 0), "a city is a number from 0 up, not 1.5"),
        (Mark, (0, 9, 0), "there is no card 9"),
        (Start, (None,), "a city is a number"),
        (MoveAlvin, (-3,), "a city is a number from 0 up, not -3"),
        (PayTunnel, ("two",), "a count of locomotives is a number"),
        (Return, ((1,),), "a ticket is a number"),
        (Keep, (3,), r"tickets are several numbers, as in \(3, 7\), not 3"),
        (Keep, ("37",), "tickets are several numbers"),
        (Keep, ([3, 3],), "a ticket is given twice"),
        (Keep, ([3, None],), "a ticket is a number from 0 up, not None"),
        (Choose, (-1, ()), "a seat is a number from 0 up, not -1"),
    ],
)
def test_a_wrong_argument_is_refused_with_a_sentence(kind, arguments, sentence) -> None:
    with pytest.raises(InvalidMove, match=f"^{sentence}"):
        kind(*arguments)


@pytest.mark.parametrize(
    "move", [Take("red"), Blind(), Pass(), Keep((1, 2)), Choose(0, (1,)), Claim(3, "green", 1)]
)
def test_moves_can_be_copied_pickled_and_hashed(move) -> None:
    for twin in (copy.copy(move), copy.deepcopy(move), pickle.loads(pickle.dumps(move))):
        assert twin == move
        assert hash(twin) == hash(move)
        assert repr(twin) == repr(move)


def test_a_colour_by_name_is_pushed_and_found() -> None:
    game = Game("tiny", 2, seed=7)
    for seat in (0, 1):
        game.push(game.legal_moves_of(seat).actions[0])
    assert Take("red") in game.legal_moves
    game.push(Take("red"))
    taken = [e for _, events in game_events(game) for e in events if isinstance(e, CardTaken)]
    assert taken[-1].color is Color.RED


def test_json_has_colours_as_numbers() -> None:
    """The types too, since the messages of servers and bots are derived from them."""
    game = Game("tiny", 2, seed=7)
    for seat in (0, 1):
        game.push(game.legal_moves_of(seat).actions[0])
    [data] = moves_data(game.view(game.turn), [Take("red")])
    assert b'"color":7' in msgspec.json.encode(data)
    assert type(data).__annotations__["color"] is int


def test_a_city_is_found_by_its_name() -> None:
    board = load_edition("europe").board
    assert board.city("berlin").name == "Berlin"
    assert board.cities[board.city_index("Zurich")] is board.city("zürich")
    with pytest.raises(KeyError, match="did you mean 'Berlin'"):
        board.city("Berlni")
