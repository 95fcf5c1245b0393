"""Edge cases of the kernel that whole games rarely or never reach."""

from dataclasses import replace

import numpy as np
import pytest

from macaz.edition import load_edition
from macaz.edition.check import (
    MAX_CITIES,
    MAX_DEALT,
    MAX_LANES,
    MAX_MULTI_PAIRS,
    MAX_PAYMENTS,
    MAX_TICKETS,
)
from macaz.game import Game
from macaz.game.moves import Keep, Return
from macaz.kernel import dice, layout, pay, table
from macaz.kernel.cpu import play_batch
from macaz.kernel.engine import Engine
from macaz.kernel.layout import CARDS, dtype_of
from macaz.kernel.plain import plain
from macaz.kernel.spec import compile_spec


def test_limits_of_a_map_are_those_of_the_records() -> None:
    assert MAX_CITIES == layout.CITIES
    assert MAX_LANES == layout.LANES
    assert MAX_MULTI_PAIRS == layout.WORD_BITS
    assert MAX_TICKETS == layout.TICKETS
    assert MAX_DEALT == layout.OFFER
    assert MAX_PAYMENTS == layout.CLAIMS


@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_only_the_seat_that_decides_has_legal_actions(target: str) -> None:
    game = Game("tiny", 2, dealer=None, first=0, target=target)
    engine = game.engine
    assert engine.legal(game.state, 0) == []  # chance is to act
    assert not any(engine.is_legal(game.state, a) for a in range(-1, game.spec.actions + 1))
    game = Game("tiny", 2, seed=1, first=0, target=target)
    game.push(game.legal_moves_of(0).actions[0])
    assert engine.legal(game.state, 0) == []  # has chosen already
    assert engine.legal(game.state, 1) != []
    game.push(game.legal_moves_of(1).actions[0])
    assert engine.legal(game.state, 1) == []  # it is the other's turn


@pytest.mark.parametrize("target", ["plain", "cpu"])
def test_chance_knows_what_cannot_come(target: str) -> None:
    game = Game("tiny", 3, dealer=None, target=target)
    weight = game.engine.chance_weight
    assert [weight(game.state, o) for o in (-1, 0, 1, 2, 3)] == [0, 1, 1, 1, 0]
    game.push_chance(1)
    assert [weight(game.state, o) for o in (-1, CARDS)] == [0, 0]
    assert sum(weight(game.state, c) for c in range(CARDS)) == sum(game.edition.rules.cards)
    ended = Game("tiny", 2, seed=1, target=target)
    assert weight(ended.state, 0) == 0  # a seat is to decide


def test_the_first_seat_can_be_fixed_or_drawn() -> None:
    firsts = {Game("tiny", 3, seed=seed, target="plain").view(None).first for seed in range(30)}
    assert firsts == {0, 1, 2}
    assert Game("tiny", 3, seed=1, first=2, target="plain").view(None).first == 2


def test_dice_reject_what_would_favour_low_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """With n = 3 the only rejected product is that of the word 0: the next word is taken."""
    words = iter([0, 1 << 31])
    monkeypatch.setattr(dice, "next_word", lambda _d: next(words))
    assert dice.below(None, 3) == 1
    assert next(words, None) is None


def test_dice_are_even() -> None:
    """All 7 numbers have the same frequency, within six standard deviations."""
    (stream,) = plain(np.zeros(1, dtype_of("dice")))
    dice.seed_dice(stream, 11, 5)
    counts = np.bincount([dice.below(stream, 7) for _ in range(7000)], minlength=7)
    assert abs(counts - 1000).max() < 6 * (1000 * 6 / 7) ** 0.5


def test_seeds_and_games_have_streams_of_their_own() -> None:
    seen = set()
    for seed in (0, 1, 2**32, 2**63 - 1):
        for game in (0, 1, 2**32):
            array = np.zeros(1, dtype_of("dice"))
            dice.seed_dice(plain(array)[0], seed, game)
            seen.add(array.tobytes())
    assert len(seen) == 12


def test_a_series_is_the_same_in_bulk_and_game_by_game() -> None:
    spec = compile_spec(load_edition("tiny"), 2)
    batch = play_batch(spec, 3, 4, seed=9)
    run = Engine(spec, "plain")._run
    arrays = {name: np.zeros(1, dtype_of(name)) for name in ("state", "work", "tally", "dice")}
    at = {name: plain(array) for name, array in arrays.items()}
    specs = plain(spec.table)
    for i in range(4):
        args = (at["state"], 0, at["work"], at["tally"], at["dice"], 9, 3 + i, -1)
        assert run.random_game(specs, *args) == batch.lengths[i]
        assert arrays["tally"].tobytes() == batch.tallies[i : i + 1].tobytes()
    tallies, lengths = np.zeros(4, dtype_of("tally")), memoryview(np.zeros(4, np.int32).data)
    works, stream = at["work"], at["dice"]
    run.random_games(specs, at["state"], works, plain(tallies), stream, lengths, 9, 3, -1)
    assert tallies.tobytes() == batch.tallies.tobytes()
    assert list(lengths) == batch.lengths.tolist()


def test_chance_is_not_asked_about_the_phase_of_others() -> None:
    game = Game("tiny", 2, dealer=None, first=0, target="plain")
    while game.chance_pending:
        weights = [game.engine.chance_weight(game.state, o) for o in range(9)]
        game.push_chance(next(o for o, weight in enumerate(weights) if weight))
    assert not any(game.engine.chance_weight(game.state, o) for o in range(9))  # seats choose
    took = next(a for a in range(game.spec.actions) if game.text(a) == "blind")
    assert not game.engine.is_legal(game.state, took)  # tickets are chosen first


def test_a_game_without_tickets_in_the_score() -> None:
    """Scorers are optional: without "tickets" they neither count nor break ties."""
    edition = load_edition("tiny")
    rules = replace(edition.rules, scorers=("routes",), tie_breaks=())
    game = Game(replace(edition, rules=rules), 2, seed=1, target="plain")
    while not game.over:
        game.push(game.legal_moves.actions[-1])
    assert all(seat.total == seat.routes for seat in game.standing().seats)


@pytest.mark.rule("K1")
def test_k1_three_tickets_go_back_one_by_one_in_the_chosen_order() -> None:
    edition = load_edition("usa")
    rules = replace(edition.rules, draw_tickets=4)
    game = Game(replace(edition, rules=rules), 2, seed=1, first=0, target="plain")
    for _ in range(2):
        game.push(game.legal_moves.actions[0])
    game.push("tickets")
    offer = game.offer(0)
    game.push(Keep(offer[:1]))
    game.push(Return(offer[3]))
    assert game.turn == 0  # one decision at a time
    game.push(Return(offer[1]))
    assert game.turn == 1  # the last ticket is returned automatically
    places = game.state["ticket"][0]
    under = [t for _, t in sorted((places[t], t) for t in offer[1:])]
    assert under == [offer[3], offer[1], offer[2]]


def test_what_a_lane_costs_and_which_lanes_close_with_it():
    for seats in (2, 4):
        compiled = compile_spec(load_edition("usa-classic"), seats)
        spec = plain(compiled.table)[0]
        for i in range(5):
            lane, color = spec.claim_lane[i] + 0, spec.claim_color[i] + 0
            assert pay.may_cost(spec, lane, color, spec.claim_locos[i] + 0)
            assert not pay.may_cost(spec, lane, color, 9)
        beside = [any(table.lanes_beside(spec, lane)) for lane in compiled.route_of_lane]
        closing = [any(table.lanes_closing(spec, lane)) for lane in compiled.route_of_lane]
        assert any(beside)
        assert closing == (beside if seats == 2 else [False] * len(beside))
