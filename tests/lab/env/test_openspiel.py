"""Macaz as a game of OpenSpiel: its own tests pass, chance is right, and no secret is shown."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

from macaz.game.position import load_position
from macaz.game.view import View
from macaz.lab.env.observation import observe

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("macaz.lab.env.openspiel")

TINY = "python_macaz(edition=tiny)"


def walk(name, seed, stop=lambda state: False):
    """A random game up to a condition, or to its end."""
    rng = random.Random(seed)
    state = pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal() and not stop(state):
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, odds)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


def in_phase(phase):
    return lambda state: state.macaz.view(None).phase == phase


@pytest.mark.parametrize("players", [2, 3])
def test_passes_the_tests_of_openspiel(players):
    game = pyspiel.load_game(f"python_macaz(edition=tiny,players={players})")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize(
    "params",
    [
        "edition=usa-classic",
        "edition=usa,players=3",
        "edition=europe,players=2",
        "edition=old-west+alvin,players=2",
    ],
)
def test_passes_the_tests_of_openspiel_with_every_edition(params):
    game = pyspiel.load_game(f"python_macaz({params})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_a_game_has_its_parameters():
    game = pyspiel.load_game("python_macaz(edition=old-west+alvin,players=5)")
    assert (game.num_players(), game.edition.qualified_id) == (5, "old-west+alvin")
    assert game.num_distinct_actions() == game.spec.actions
    again = pyspiel.load_game(str(game))
    assert again.edition == game.edition
    assert again.num_players() == 5


def test_chance_is_weighted_by_the_deck():
    state = pyspiel.load_game(TINY).new_initial_state()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]  # who begins
    assert state.action_to_string(0) == "first 1"
    state.apply_action(0)
    cards = dict(state.chance_outcomes())  # four of each of three colours, two locomotives
    assert sorted(cards.values()) == pytest.approx([2 / 14, 4 / 14, 4 / 14, 4 / 14])
    assert state.action_to_string(7) == "deal red"


def test_the_winner_takes_what_the_others_lose():
    for seed in range(8):
        state = walk("python_macaz(edition=tiny,players=3)", seed)
        winners = state.macaz.outcome.winners
        shares = [1 / len(winners) if p in winners else 0 for p in range(3)]
        assert state.returns() == pytest.approx([share - 1 / 3 for share in shares])


def test_actions_are_named_as_in_records():
    state = walk(TINY, 1, in_phase("turn"))
    player = state.current_player()
    for action in state.legal_actions():
        text = state.action_to_string(player, action)
        assert state.macaz.parse(text) == action
        assert state.string_to_action(player, text) == action


def test_the_observation_is_the_environments():
    state = walk("python_macaz(edition=europe,players=3)", 5, in_phase("second"))
    observer = state.get_game().make_py_observer()
    for player in range(3):
        expected = observe(state.macaz.view(player))
        observer.set_from(state, player)
        assert (observer.tensor == expected).all()
        assert (np.array(state.observation_tensor(player)) == expected).all()
        assert observer.dict["hand"].tolist() == list(state.macaz.view(player).hand)
        assert load_position(state.observation_string(player)) == state.macaz.view(player)


def test_choices_stay_behind_a_screen_until_all_have_chosen():
    before = walk("python_macaz(edition=tiny,players=3)", 3, in_phase("choose"))
    first, second = before.current_player(), (before.current_player() + 1) % 3
    after = [before.child(action) for action in before.legal_actions()]
    assert len(after) == 3
    for state in after:
        assert state.current_player() == second
        for text in ("observation_string", "information_state_string"):
            assert getattr(state, text)(second) == getattr(before, text)(second)
        assert state.observation_tensor(second) == before.observation_tensor(second)
    assert len({state.information_state_string(first) for state in after}) == 3
    # When all have chosen, every seat learns how many tickets were kept, but not which.
    done = after
    for _ in range(2):
        done = [state.child(state.legal_actions()[0]) for state in done]
    texts = [state.information_state_string(second) for state in done]
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize("phase", ["deal-hands", "deal-setup", "deal-blind", "deal-offer"])
def test_what_chance_brings_to_a_seat_is_told_to_no_other(phase):
    state = walk("python_macaz(edition=usa-classic,players=3)", 11, in_phase(phase))
    after = [state.child(outcome) for outcome, _ in state.chance_outcomes()]
    assert len(after) > 1
    told = [{s.information_state_string(player) for s in after} for player in range(3)]
    assert sorted(map(len, told)) == [1, 1, len(after)]


def test_a_player_cannot_tell_a_resampled_state_from_the_true_one():
    moments = ["choose", "turn", "second", "keep", "deal-row", "deal-blind"]
    for seed, phase in enumerate(moments):
        state = walk("python_macaz(edition=tiny,players=3)", seed + 20, in_phase(phase))
        for player in range(3):
            other = state.resample_from_infostate(player, random.Random(seed).random)
            assert other.current_player() == state.current_player()
            for text in ("observation_string", "information_state_string"):
                assert getattr(other, text)(player) == getattr(state, text)(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            if state.current_player() == player:
                assert other.legal_actions() == state.legal_actions()


def test_a_resampled_state_is_another_and_can_be_played():
    state = walk("python_macaz(edition=europe,players=3)", 9, in_phase("turn"))
    player = state.current_player()
    others = [state.resample_from_infostate(player, random.Random(i).random) for i in range(4)]
    assert len({str(other) for other in others}) == 4
    told = state.information_state_string(player)
    action = state.legal_actions()[0]
    for other in others:
        assert View.of(other.macaz.spec, other.macaz.state, player) == state.macaz.view(player)
        other.apply_action(action)
        assert other.information_state_string(player).startswith(told)
    true = state.child(action).information_state_string(player)
    assert others[0].information_state_string(player) == true


def test_a_state_comes_back_from_its_text():
    state = walk(TINY, 4, in_phase("second"))
    text = pyspiel.serialize_game_and_state(state.get_game(), state)
    _, back = pyspiel.deserialize_game_and_state(text)
    assert back.macaz.state.tobytes() == state.macaz.state.tobytes()
    assert back.information_state_string(1) == state.information_state_string(1)
    resampled = state.resample_from_infostate(0, random.Random(1).random)
    back = pickle.loads(pickle.dumps(resampled))
    assert str(back) == str(resampled)


def test_a_clone_goes_its_own_way():
    state = walk(TINY, 4, in_phase("turn"))
    before = str(state)
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert str(state) == before != str(clone)


def test_mccfr_of_openspiel_runs():
    from open_spiel.python.algorithms import (  # type: ignore[import-untyped]
        outcome_sampling_mccfr,
    )

    np.random.seed(1)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(pyspiel.load_game(TINY))
    solver.iteration()
    policy = solver.average_policy()
    state = walk(TINY, 6, in_phase("choose"))
    chances = policy.action_probabilities(state)
    assert sorted(chances) == state.legal_actions()
    assert sum(chances.values()) == pytest.approx(1)


def test_ismcts_of_openspiel_wins_against_random_moves():
    """A search that draws what is hidden again plays whole games."""
    from open_spiel.python.algorithms import ismcts, mcts

    game, won = pyspiel.load_game(TINY), 0.0
    for seed in range(3):
        chance, random_moves = random.Random(seed), np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=random_moves)
        bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 30, random_state=random_moves)
        worlds = random.Random(seed)  # the sampler of OpenSpiel has no seed

        def resampled(state: Any, seat: int, worlds: random.Random = worlds) -> Any:
            return state.resample_from_infostate(seat, worlds.random)

        bot.set_resampler(resampled)
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, odds)[0])
            elif state.current_player() == seed % 2:
                state.apply_action(bot.step(state))
            else:
                state.apply_action(chance.choice(state.legal_actions()))
        won += state.returns()[seed % 2] + 0.5
    assert won >= 2


def test_an_observer_that_cannot_be_had_says_so():
    game = pyspiel.load_game(TINY)
    with pytest.raises(ValueError, match="parameters"):
        game.make_py_observer(None, {"depth": 3})
    alone = pyspiel.IIGObservationType(public_info=False, perfect_recall=False)
    with pytest.raises(ValueError, match="both"):
        game.make_py_observer(alone)
