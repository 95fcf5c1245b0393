"""The Gymnasium environment: a seat against bots, as Gymnasium's own checks want it."""

from __future__ import annotations

import subprocess
import sys
from itertools import takewhile
from typing import Any

import numpy as np
import pytest

from macaz.bots import make_bot
from macaz.errors import MacazError
from macaz.game import Game
from macaz.game.moves import IllegalMove
from macaz.lab.env.observation import observe

pytest.importorskip("gymnasium")
import gymnasium
from gymnasium.utils.env_checker import check_env

from macaz.lab.env.gymnasium import ID, MacazEnv


def play(env: Any, seed: int | None = None, **options: Any) -> dict[str, Any]:
    """A game with random actions: what was seen, and the end."""
    seen, info = env.reset(seed=seed, options=options)
    if seed is not None:
        env.action_space.seed(seed)
    rows, over, reward = [seen.tobytes()], False, 0.0
    while not over:
        assert reward == 0
        assert info["action_mask"].any()
        seen, reward, over, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        assert not truncated
        rows.append(seen.tobytes())
    return {"rows": rows, "reward": reward, "scores": info["scores"].tolist()}


@pytest.mark.parametrize(
    ("edition", "seats", "opponents"),
    [("tiny", 2, "greedy"), ("usa", 2, "random"), ("old-west+alvin", 3, ["planner", "random"])],
)
def test_passes_the_checks_of_gymnasium(edition: str, seats: int, opponents: Any) -> None:
    table = {"edition": edition, "seats": seats, "opponents": opponents}
    # The check takes an action of one position in another, where it may be illegal.
    env = gymnasium.make(ID, **table, illegal="random", render_mode="ansi")
    check_env(env.unwrapped)


def test_it_is_registered_by_the_name_of_its_module() -> None:
    """In a new process: this one has imported the module."""
    code = (
        "import gymnasium\n"
        "env = gymnasium.make('macaz.lab.env.gymnasium:macaz/Game-v0', edition='tiny')\n"
        "print(env.unwrapped.table.spec.edition.id, env.spec.id)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "tiny macaz/Game-v0\n"


def test_a_seed_fixes_the_games_and_the_bots() -> None:
    first, second = (MacazEnv("tiny", opponents="random", reward="margin") for _ in range(2))
    games = [play(first, 7), play(first), play(first)]
    assert games[0] != games[1]
    assert [play(second, 7), play(second), play(second)] == games
    assert play(second, 8) != games[0]


def test_the_learner_sees_its_seat_and_the_bots_play_the_others() -> None:
    """The same game, played by hand with the library."""
    env = MacazEnv("tiny", 3, opponents=["greedy", "random"], seat=1, reward="score")
    seen, info = env.reset(seed=3)
    assert info["seat"] == 1
    over, reward = False, 0.0
    while not over:
        game = env.game
        assert game.turn == 1
        assert seen.tobytes() == observe(game.view(1)).tobytes()
        assert np.flatnonzero(info["action_mask"]).tolist() == game.legal_moves_of(1).actions
        assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
        action = int(np.flatnonzero(info["action_mask"])[0])
        seen, reward, over, _, info = env.step(action)
    game = env.game
    assert game.outcome is not None
    assert reward == game.outcome.totals[1]
    assert info["scores"].tolist() == list(game.outcome.totals)
    assert not info["action_mask"].any()
    assert {step.seat for step in game.history} == {None, 0, 1, 2}
    # Each decision of the greedy bot, in seat 2, is one that it takes in that position.
    deal = env.table._series[0]
    bot, again = make_bot("greedy", seed=f"{deal} 1"), Game("tiny", 3, dealer=None)
    for step in game.history:
        if step.seat is None:
            again.push_chance(step.number)
            continue
        if step.seat == 2:
            move = bot.choose(again.view(2), list(again.legal_moves_of(2)))
            assert again.parse(move, 2) == step.number
        again.push(step.number)


def test_the_seat_can_be_drawn_or_said_for_one_game() -> None:
    env = MacazEnv("tiny", seat=None, opponents="random")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1}
    fixed = MacazEnv("tiny", opponents="random")
    starts = []
    for seat in (0, 1):
        _, info = fixed.reset(seed=4, options={"seat": seat})
        assert info["seat"] == seat
        dealt = takewhile(lambda step: step.seat is None, fixed.game.history)
        starts.append([step.number for step in dealt])
    assert starts[0] == starts[1]
    assert len(starts[0]) > 5
    assert fixed.reset()[1]["seat"] == 0


def test_an_illegal_action_can_be_replaced_by_a_random_one() -> None:
    found = []
    for _ in range(2):
        env = MacazEnv("tiny", opponents="random", illegal="random")
        _, info = env.reset(seed=2)
        legal, illegal = int(np.argmax(info["action_mask"])), int(np.argmin(info["action_mask"]))
        assert env.step(illegal)[4]["illegal"]
        found.append(env.game)
        env.reset(seed=2)
        assert not env.step(legal)[4]["illegal"]
    assert found[0] == found[1]


def test_a_replaced_action_changes_no_later_deal() -> None:
    env = MacazEnv("tiny", opponents="random", illegal="random")
    deals = []
    for wrong in (False, True):
        env.reset(seed=2)
        for action in (-1, env.table.spec.actions) if wrong else ():
            assert env.step(action)[4]["illegal"]
        deals.append(env.reset()[0].tobytes())
    assert deals[0] == deals[1]


def test_rendering_shows_what_the_bots_did(capsys: pytest.CaptureFixture[str]) -> None:
    env = MacazEnv("tiny", opponents="random", render_mode="human")
    _, info = env.reset(seed=1)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    shown = capsys.readouterr().out
    assert "kept" in shown
    assert "face up:" in shown


def test_what_is_wrong_is_said() -> None:
    for wrong, told in (
        ({"opponents": ["greedy", "greedy"]}, "1 opponents, not 2"),
        ({"opponents": "gredy"}, "Did you mean 'greedy'"),
        ({"reward": "fame"}, "win, score, margin"),
        ({"seat": 2}, "0 to 1"),
        ({"illegal": "ignore"}, "'raise' or 'random'"),
        ({"render_mode": "rgb_array"}, "'ansi', 'human'"),
    ):
        with pytest.raises(MacazError, match=told):
            MacazEnv("tiny", **wrong)
    env = MacazEnv("tiny", opponents="random")
    with pytest.raises(MacazError, match="reset"):
        env.step(0)
    _, info = env.reset(seed=1)
    with pytest.raises(IllegalMove):
        env.step(int(np.argmin(info["action_mask"])))
    play(env, 1)
    with pytest.raises(MacazError, match="reset"):
        env.step(0)
