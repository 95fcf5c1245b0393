"""The PettingZoo environment conforms, ends with the right rewards, and hides what it must."""

from __future__ import annotations

import itertools
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from macaz import IllegalMove
from macaz.game.record import dump_record, load_record
from macaz.lab.env.observation import observe
from macaz.lab.env.vector import VectorEnv

pytest.importorskip("pettingzoo")
from pettingzoo.test import (  # type: ignore[import-untyped]
    api_test,
    performance_benchmark,
    seed_test,
)

from macaz.lab.env.pettingzoo import env

EDITIONS = [("tiny", 3), ("usa-classic", 2), ("usa", 3), ("europe", 5), ("old-west+alvin", 6)]

# PettingZoo excludes its own card and board games from these warnings by name.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),  # when done
]


def play(table, seed):
    """A random game to its end; returns the last data of each agent."""
    table.reset(seed=seed)
    rng = np.random.default_rng(seed)
    totals = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, terminated, truncated, _ = table.last()
        assert not truncated
        totals[agent] += reward
        table.step(None if terminated else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return list(totals.values())


@pytest.mark.parametrize(("edition", "seats"), EDITIONS)
def test_passes_the_tests_of_pettingzoo(edition, seats, monkeypatch):
    api_test(env(edition, seats), num_cycles=300)
    seed_test(lambda: env(edition, seats), num_cycles=300)
    # The benchmark plays for five seconds; with this clock, that is a hundred rounds.
    clock = itertools.count(step=0.05)
    module = sys.modules["pettingzoo.test.performance_benchmark"]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(clock)))
    performance_benchmark(env(edition, seats))


@pytest.mark.parametrize("reward", ["win", "score", "margin"])
def test_rewards_come_at_the_end(reward):
    table = env("tiny", 3, reward=reward)
    for seed in range(5):
        given = play(table, seed)
        outcome = table.unwrapped.game.outcome
        totals, winners = outcome.totals, outcome.winners
        expected = {
            "win": [(p in winners) / len(winners) - 1 / 3 for p in range(3)],
            "score": list(totals),
            "margin": [
                t - max(o for q, o in enumerate(totals) if q != p) for p, t in enumerate(totals)
            ],
        }
        assert given == pytest.approx(expected[reward])


def test_agents_see_their_views_and_their_legal_actions():
    table = env("europe", 3)
    table.reset(seed=4)
    for step, agent in enumerate(table.agent_iter(60)):
        game = table.unwrapped.game
        assert agent == f"seat_{game.turn}"
        for seat, other in enumerate(table.possible_agents):
            seen = table.observe(other)
            assert (seen["observation"] == observe(game.view(seat))).all()
            legal = game.legal_moves_of(seat).actions if other == agent else []
            assert np.flatnonzero(seen["action_mask"]).tolist() == legal
        legal = np.flatnonzero(table.observe(agent)["action_mask"])
        table.step(int(legal[step % len(legal)]))


def test_a_choice_does_not_show_until_all_have_chosen():
    seen = []
    for choice in (0, -1):
        table = env("usa-classic", 3)
        table.reset(seed=5)
        legal = np.flatnonzero(table.last()[0]["action_mask"])
        table.step(int(legal[choice]))  # two tickets, or all three
        seen.append(table.last()[0])
    assert (seen[0]["observation"] == seen[1]["observation"]).all()
    assert (seen[0]["action_mask"] == seen[1]["action_mask"]).all()


def test_a_seed_fixes_all_the_games_that_follow():
    def deals(seed):
        table = env("tiny")
        table.reset(seed=seed)
        found = [table.unwrapped.game.state.tobytes()]
        for _ in range(3):
            table.reset()
            found.append(table.unwrapped.game.state.tobytes())
        return found

    assert deals(1) == deals(1) != deals(2)
    assert len(set(deals(1))) > 1


def test_an_illegal_action_is_refused_and_changes_nothing():
    table = env("usa-classic")
    table.reset(seed=1)
    before = table.unwrapped.game.state.tobytes()
    illegal = int(np.flatnonzero(table.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove):
        table.step(illegal)
    assert table.unwrapped.game.state.tobytes() == before
    with pytest.raises(ValueError, match="None is no action"):
        table.step(None)


def test_it_is_rendered_as_a_spectator_sees_it(capsys):
    table = env("usa-classic", render_mode="ansi")
    table.reset(seed=2)
    assert "seat_1: 0 points, 45 trains, 4 cards, 0 tickets" in table.render()
    seat = table.unwrapped.game.turn
    table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
    text = table.render()
    assert text.startswith(f"Seat_{seat} kept 2 tickets.\nSeat_{seat} gave back 1 ticket.\n")
    shown = env("usa-classic", render_mode="human")
    shown.reset(seed=2)
    shown.step(int(np.flatnonzero(shown.last()[0]["action_mask"])[0]))
    assert capsys.readouterr().out == f"{text}\n\n"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [({"reward": "fame"}, "win, score, margin"), ({"render_mode": "rgb_array"}, "'ansi', 'human'")],
)
def test_what_is_not_offered_is_said(wrong, says):
    with pytest.raises(ValueError, match=says):
        env("tiny", **wrong)


def test_its_games_are_those_of_the_vector_environment():
    table, many = env("tiny"), VectorEnv("tiny", 2, games=3)
    many.reset(seed=3)
    table.reset(seed=3)
    for start in many.games.states:
        assert table.unwrapped.game.state.tobytes() == start.tobytes()
        table.reset()


def test_the_game_has_its_whole_history():
    table = env("tiny")
    table.reset(seed=3)
    for agent in table.agent_iter(12):
        seen = table.observe(agent)
        if agent == "seat_0":
            assert table.unwrapped.game.turn == 0  # now and then, as a user might look
        table.step(int(np.flatnonzero(seen["action_mask"])[-1]))
    game = table.unwrapped.game
    assert sum(step.seat is not None for step in game.history) == 12
    assert game.names == ("seat_0", "seat_1")
    assert load_record(dump_record(game)).state.tobytes() == table.unwrapped.table.state.tobytes()
