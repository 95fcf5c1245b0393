"""Advice and reviews by the expert, on boards with a network, and by the search elsewhere."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.bots.test_network import some_network
from tests.help.test_advice import FEW, advice_to, blunder, finished, moments
from tests.networks import pretend_packaged

from macaz.bots import Limit, network, search
from macaz.bots.expert import think as expert_think
from macaz.bots.learned import evaluate
from macaz.bots.network import network_for, untrained
from macaz.edition import Edition
from macaz.game import Game
from macaz.game.data import MOVES
from macaz.game.moves import Blind, Claim
from macaz.game.view import View
from macaz.game.worlds import sample_world
from macaz.help.advice import Judged, advise, review
from macaz.help.advice.past import Decision, decisions, judge
from macaz.help.advice.thinking import error_of, estimate, think, typical_moves

pytestmark = pytest.mark.portable


def odd(edition: Edition) -> network.Network:
    """A network with random weights."""
    return some_network(edition.id)


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with random networks for two of the boards."""
    return pretend_packaged(monkeypatch, tmp_path, ("tiny", "europe"), odd)


@pytest.fixture
def no_networks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return pretend_packaged(monkeypatch, tmp_path, ())


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails if a network is looked for."""
    monkeypatch.setattr(network, "network_for", partial(pytest.fail, "looked for a network"))


def at_turn(edition: str, seats: int, number: int) -> tuple[Game, int]:
    """A game at a turn, after this many decisions or a few more."""
    for i, game in enumerate(moments(edition, seats, 5)):
        if i >= number and game.view(None).phase == "turn":
            return game, game.deciding[0]
    raise AssertionError("the game is over sooner")


@pytest.mark.parametrize(("edition", "seats", "number"), [("tiny", 2, 6), ("europe", 3, 40)])
def test_the_chances_are_those_that_the_expert_finds(networks, edition, seats, number):
    game, seat = at_turn(edition, seats, number)
    view, legal = game.view(seat), list(game.legal_moves_of(seat))
    told = advise(view, legal, limit=FEW, seed=3)
    assert told == advise(view, legal, limit=FEW, seed=3, thinker="expert")
    found = expert_think(view, legal, limit=FEW, seed=3)
    assert [good.text for good in told.moves] == [game.text(line.move) for line in found.moves[:3]]
    assert (told.chances, told.scores) == (found.chances, found.scores)
    for good, line in zip(told.moves, found.moves, strict=False):
        assert (good.chance, good.margin, good.playouts) == (
            line.chance,
            line.margin,
            line.playouts,
        )
        assert good.error == error_of(line.chance, line.playouts)
        assert good.action in game.legal_moves_of(seat).actions
    # The average of typical moves.
    lines = typical_moves(view, legal, think(view, legal, FEW, 3, "expert"), 3, "expert")
    habit = {line.move: line.prior for line in search.think(view, legal, limit=FEW, seed=3).moves}
    assert sum(line.prior for line in lines) == pytest.approx(sum(habit.values()))
    typical = sum(habit.get(line.move, 0) * line.chance for line in lines) / sum(habit.values())
    for good in told.moves:
        assert good.chance - good.gain == pytest.approx(typical)
    assert told.playouts == found.playouts


def test_a_move_that_the_network_is_sure_of_is_compared_with_typical_ones(monkeypatch, tmp_path):
    sure = partial(untrained, trust=(100.0, 100.0))
    pretend_packaged(monkeypatch, tmp_path, ("europe",), sure)
    game, seat = at_turn("europe", 3, 40)
    view, legal = game.view(seat), list(game.legal_moves_of(seat))
    [only] = expert_think(view, legal, limit=FEW).moves
    told = advise(view, legal, limit=FEW)
    [good] = told.moves  # no move that was tried a few times only, even with good results
    assert good.text == game.text(only.move)
    compared = typical_moves(view, legal, think(view, legal, FEW, 0, "expert"), 0, "expert")
    assert len({line.move for line in compared}) == len(compared) > 3
    assert {line.move for line in compared} <= set(legal)
    assert all(only.playouts > line.playouts > 0 for line in compared[1:])
    assert good.gain != 0


def test_a_board_without_a_network_is_searched(no_networks):
    game, seat = at_turn("tiny", 2, 6)
    view, legal = game.view(seat), list(game.legal_moves_of(seat))
    by_search = advise(view, legal, limit=FEW, thinker="search")
    assert advise(view, legal, limit=FEW, thinker="expert") == by_search
    assert by_search.moves[0].text == game.text(search.think(view, legal, limit=FEW).best)
    game = finished()
    by_search_too = review(game, limit=FEW, thinker="search")
    assert review(game, limit=FEW, thinker="expert") == by_search_too


def test_the_search_is_asked_for_where_a_network_fits_too(without):
    game, seat = at_turn("tiny", 2, 6)
    view, legal = game.view(seat), list(game.legal_moves_of(seat))
    assert advise(view, legal, limit=FEW, thinker="search").moves
    assert review(finished(), limit=FEW, thinker="search").judged


def test_who_waits_and_who_watches_are_told_of_games_played_out(networks):
    game, seat = at_turn("europe", 3, 30)
    for eyes in ((seat + 1) % 3, None):
        view = game.view(eyes)
        assert advice_to(game, eyes).chances == search.chances(view, limit=FEW).chances


def test_what_cannot_be_told_apart_is_advised_and_judged_alike(networks):
    game, seat = at_turn("tiny", 2, 7)
    other = Game.from_state("tiny", 2, sample_world(game.view(seat), np.random.default_rng(4)))
    assert other.state.tobytes() != game.state.tobytes()
    assert advice_to(other, seat) == advice_to(game, seat)
    over = finished()
    for decision in decisions(over)[2::5]:
        states = sample_world(decision.view, np.random.default_rng(1))
        alike = replace(decision, view=View.of(over.spec, states, decision.seat))
        assert judge(alike, FEW, 3) == judge(decision, FEW, 3)


# -- reviews ---------------------------------------------------------------------------------------


def choices(game: Game) -> list[Decision]:
    return [decision for decision in decisions(game) if len(decision.legal) > 2]


def test_both_moves_are_tried_as_often_in_the_same_worlds(networks):
    game = finished()
    for decision in choices(game)[::4]:
        found = judge(decision, FEW, 3)
        assert found is not None
        assert 0 <= found.chance_played <= 1
        assert 0 <= found.cost < 1
        for action in decision.legal[:3]:
            move = decision.move(action)
            once = estimate(decision.view, Limit(effort=70), 3, "expert", after=move)
            again = estimate(decision.view, Limit(effort=70), 3, "expert", after=move)
            assert once == again
            assert once.playouts == 70
        agreed = judge(replace(decision, played=found.best), FEW, 3)
        assert agreed is not None
        assert (agreed.best, agreed.cost) == (found.best, 0)
        assert agreed.chance_best == agreed.chance_played


def test_a_limit_by_the_clock_is_enough_for_some_tries(networks):
    decision = choices(finished())[0]
    limit = Limit(seconds=0.01)
    found = estimate(decision.view, limit, 3, "expert", after=decision.move(decision.played))
    assert found.playouts > 0
    assert 0 <= found.chance <= 1


def test_who_is_not_judged_has_the_chance_that_the_network_sees(networks):
    game = finished()
    met = decisions(game)
    found = review(game, limit=FEW, seats=[1])
    fits = network_for(game.edition)
    assert fits is not None
    seen = 0
    for ply, decision in enumerate(met):
        if decision.seat == 0 and len(decision.legal) > 1:
            win = evaluate(decision.view, fits).win
            assert found.curve[ply][0] == pytest.approx(win)
            seen += 1
    assert seen > 5
    assert {j.seat for j in found.judged} == {1}


def worst_of(record: str) -> Judged:
    return review(record, limit=Limit(effort=100)).mistakes[0]


def test_a_move_that_lost_the_game_is_found_with_its_cost(monkeypatch, tmp_path):
    """An untrained network is enough: the tries reach the end of the game."""
    record, ply, cost = blunder()
    pretend_packaged(monkeypatch, tmp_path, ("tiny",), untrained)
    worst = worst_of(record)
    assert (worst.ply, type(worst.played)) == (ply, MOVES[Blind])
    assert worst.cost == pytest.approx(cost, abs=0.15)
    assert isinstance(worst.best, MOVES[Claim])
    assert worst.margin_best > worst.margin_played
