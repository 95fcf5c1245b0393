"""Games, views, editions and outcomes as values: copies, equality, pickles, what `repr` shows."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path

import numpy as np
import pytest

from macaz import Color, Dealer, Game, IllegalMove, View, load_edition, sample_world
from macaz.game.fair import Share, pledge_of
from macaz.game.moves import Take
from macaz.game.position import InvalidPosition, dump_position, export_position
from macaz.game.record import dump_record, save_record

EDITIONS = ("usa-classic", "usa", "europe", "old-west+alvin", "tiny")


def played(edition: str = "tiny", moves: int = 6, seed: int = 3, **more) -> Game:
    """A game after some random moves."""
    game, dice = Game(edition, 2, seed=seed, **more), random.Random(seed)
    for _ in range(moves):
        if not game.over:
            game.push(dice.choice(game.legal_moves))
    return game


def pickled(thing):
    return pickle.loads(pickle.dumps(thing))


# -- games ---------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [Game.copy, copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize("edition", ["tiny", "old-west+alvin"])
def test_a_copy_is_equal_and_independent(way, edition) -> None:
    game = played(edition, names=["Ana", "Bogdan"])
    twin = way(game)
    assert twin == game
    assert twin is not game
    before = dump_record(game)
    move = game.legal_moves[0]
    twin.push(move)
    assert twin != game
    assert dump_record(game) == before
    game.push(move)  # the same dealer gives the same cards
    assert twin == game
    assert dump_record(twin) == dump_record(game)
    twin.pop()
    game.pop()
    assert twin == game


def test_games_differ_in_edition_names_moves_and_dealer() -> None:
    game = played()
    assert game == played()
    assert game != played(names=["Ana", "Bogdan"])
    assert game != played(moves=5)
    assert game != played(seed=4)
    assert game != played("europe")
    assert game != game.copy(dealer=False)
    assert game != Game.from_state("tiny", 2, game.state)  # it has no history
    assert game != dump_record(game)
    assert played(target="plain") == game  # how the rules run is no part of a game
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_games_that_wait_for_chance_can_be_pickled() -> None:
    game = Game("tiny", 2, dealer=None, first=0)
    twin = pickled(game)
    assert twin == game
    assert twin.chance_pending
    twin.push_chance(7)
    assert twin != game


def test_a_dealer_is_a_value_and_does_not_show_its_secret() -> None:
    nonce = bytes(32)
    shares = [Share(pledge_of(nonce), nonce.hex()), Share()]
    for dealer in (Dealer.random(), Dealer.seeded("Friday"), Dealer(bytes(32), shares)):
        twins = (copy.copy(dealer), copy.deepcopy(dealer), pickled(dealer))
        assert [twin.draw(5, 1000) for twin in twins] == [dealer.draw(5, 1000)] * 3
        assert all(twin == dealer and hash(twin) == hash(dealer) for twin in twins)
        assert dealer.secret.hex() not in repr(dealer)
        assert repr(dealer) == f"<Dealer committed to {dealer.commitment[:16]}…>"
    assert Dealer.seeded(1) != Dealer.seeded(2)
    assert Dealer(bytes(32)) != Dealer(bytes(32), shares)
    assert Dealer(bytes(32)) != bytes(32)


def test_repr_of_a_game_is_short_and_reveals_nothing() -> None:
    game = Game("europe", 3, seed=1, names=["Ana", "Bogdan", "Călin"])
    assert repr(game) == f"<Game europe, 3 seats, choose, {game.names[game.turn or 0]} to decide>"
    other = Game.from_state("europe", 3, world_of(game.view(None)), names=game.names)
    assert repr(other) == repr(game)


# -- records and positions -----------------------------------------------------------------


def test_a_record_is_read_as_text_or_from_a_file(tmp_path: Path) -> None:
    game = played("europe", 400)
    assert game.over
    save_record(tmp_path / "game.txt", game, date="2026-01-02")
    assert Game.from_record(dump_record(game)) == game
    assert Game.from_record(dump_record(game).encode()) == game
    assert Game.from_record(tmp_path / "game.txt") == game
    secret = Game("tiny", 2)
    assert Game.from_record(dump_record(secret, disclose=True)) == secret
    assert Game.from_record(dump_record(secret)) != secret  # without the secret


def test_a_position_is_read_as_text_as_data_or_from_a_file(tmp_path: Path) -> None:
    game = played("europe", 40)
    path = tmp_path / "position.json"
    path.write_text(dump_position(game), encoding="utf-8")
    expected = Game.from_state(game.edition, 2, game.state)
    for position in (dump_position(game), export_position(game), path):
        assert Game.from_position(position) == expected
    named = Game.from_position(dump_position(game), names=["Ana", "Bogdan"], seed=1)
    assert named.names == ("Ana", "Bogdan")
    assert named.dealer == Dealer.seeded(1)
    with pytest.raises(InvalidPosition, match="a view, not a complete position"):
        Game.from_position(dump_position(game.view(0)))


# -- moves ---------------------------------------------------------------------------------


def test_peek_is_the_decision_that_pop_takes_back() -> None:
    game = played(moves=0)
    with pytest.raises(IndexError):
        game.peek()
    move = game.legal_moves[-1]
    game.push(move)
    assert game.move(game.peek()) == move
    assert game.text(game.peek()) == game.text(move)
    assert game.peek() == game.pop()
    with pytest.raises(ValueError, match="chance"):
        game.move(game.history[0])


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_view_has_the_legal_moves_of_its_seat(edition) -> None:
    game, dice = Game(edition, 2, seed=5), random.Random(5)
    while not game.over:
        for seat in range(game.seats):
            legal, view = game.legal_moves_of(seat), game.view(seat)
            assert list(view.legal_moves) == list(legal)
            assert view.deciding == game.deciding
        game.push(dice.choice(game.legal_moves))
    for view in (game.view(None), game.view(0)):
        assert not view.legal_moves
        assert view.deciding == ()


def test_legal_moves_are_a_sequence() -> None:
    game = played("usa-classic", 12)
    legal = game.legal_moves
    moves = list(legal)
    assert [legal[i] for i in range(-len(moves), len(moves))] == moves * 2
    assert legal[1:3] == moves[1:3]
    assert legal.index(moves[2]) == 2
    assert random.Random(1).choice(legal) in moves
    with pytest.raises(IndexError, match=f"there are {len(moves)} legal moves"):
        legal[len(moves)]
    game.push(legal[0])
    assert list(legal) == moves  # those of the moment at which they were asked for


def test_whether_a_move_is_legal() -> None:
    game = Game("tiny", 2, seed=7)
    texts = [[game.text(move) for move in game.legal_moves_of(seat)] for seat in (0, 1)]
    assert all(game.is_legal(text, seat) for seat in (0, 1) for text in texts[seat])
    assert not any(game.is_legal(text, 0) for text in set(texts[1]) - set(texts[0]))
    assert all(move in game.view(1).legal_moves for move in game.legal_moves_of(1))
    assert not game.is_legal(Take("red"))
    assert not game.is_legal("nonsense")
    for seat in (0, 1):
        assert game.is_legal(game.legal_moves_of(seat)[0])
        game.push(game.legal_moves_of(seat)[0])
    assert game.is_legal(Take("red"))
    assert game.is_legal("take red", game.turn)
    assert not game.is_legal("take red", 1 - (game.turn or 0))
    with pytest.raises(IllegalMove):
        game.push("take red", 1 - (game.turn or 0))
    with pytest.raises(ValueError, match="no seat 5"):
        game.is_legal("take red", 5)


# -- views, editions, outcomes -------------------------------------------------------------


def world_of(view: View) -> np.ndarray:
    """Another state that the view's seat cannot distinguish."""
    return sample_world(view, np.random.default_rng(8))


@pytest.mark.parametrize("seat", [None, 0])
def test_a_view_is_a_value_without_hidden_state(seat) -> None:
    game = played("europe", 30)
    view = game.view(seat)
    world = world_of(view)
    assert world.tobytes() != game.state.tobytes()
    other = View.of(view.spec, world, seat)
    assert pickle.dumps(other) == pickle.dumps(view)
    for twin in (other, copy.copy(view), copy.deepcopy(view), pickled(view)):
        assert twin == view
        assert hash(twin) == hash(view)
        assert (repr(twin), str(twin)) == (repr(view), str(view))
        assert twin.hand[Color.RED] == view.hand[Color.RED]
    assert view != game.view(1)
    assert view != bytes(view)


def test_repr_of_a_view_says_whose_it_is() -> None:
    game = played("europe", 30)
    phase = game.view(0).phase
    assert repr(game.view(0)) == f"<View of seat 0, europe, 2 seats, {phase}>"
    assert repr(game.view(None)) == f"<View of a spectator, europe, 2 seats, {phase}>"


def test_an_edition_is_a_value_with_a_short_repr() -> None:
    edition = load_edition("old-west+alvin")
    assert repr(edition) == "<Edition old-west+alvin: 41 cities, 139 routes, 50 tickets>"
    assert str(edition) == "Old West + Alvin"
    for twin in (copy.copy(edition), copy.deepcopy(edition), pickled(edition)):
        assert twin == edition
        assert hash(twin) == hash(edition)
        assert twin.fingerprint == edition.fingerprint


def test_an_outcome_is_a_value_that_can_be_read() -> None:
    outcome = played("europe", 400).outcome
    assert outcome is not None
    for twin in (copy.copy(outcome), copy.deepcopy(outcome), pickled(outcome)):
        assert twin == outcome
        assert hash(twin) == hash(outcome)
    assert repr(outcome) == f"<Outcome: totals {outcome.totals}, winners {outcome.winners}>"
    lines = str(outcome).splitlines()
    for seat, (line, score) in enumerate(zip(lines, outcome.seats, strict=True)):
        assert line.startswith(f"Seat {seat + 1}: {score.total} (routes {score.routes}, ")
        assert line.endswith(", won") == (seat in outcome.winners)
