"""Many games at once: the kernel's own games, observed and played from outside."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from macaz import View
from macaz.edition import load_edition
from macaz.errors import MacazError
from macaz.game.moves import IllegalMove
from macaz.game.outcome import read_tally
from macaz.kernel import cpu, gpu
from macaz.kernel.engine import engine_of
from macaz.kernel.layout import A_CHOOSE, OVER, dtype_of
from macaz.kernel.spec import compile_spec
from macaz.lab.env.observation import observe
from macaz.lab.env.reward import REWARDS
from macaz.lab.env.vector import VectorEnv

GPU_PROBLEM = gpu.gpu_problem()


def play(env: VectorEnv, games: int, seed: int) -> dict[int, dict[str, Any]]:
    """Random games, by number: their scores, rewards and lengths, until `games` have ended."""
    _, infos = env.reset(seed=seed)
    lengths = np.zeros(env.num_envs, int)
    ended: dict[int, dict[str, Any]] = {}
    while not all(k in ended for k in range(games)):
        numbers = infos["game"].copy()
        _, rewards, terminations, truncations, infos = env.step(env.sample_actions())
        lengths += 1
        for i in np.flatnonzero(terminations):
            ended[int(numbers[i])] = {
                "scores": infos["scores"][i].tolist(),
                "rewards": rewards[i].tolist(),
                "length": int(lengths[i]),
            }
            lengths[i] = 0
        assert not rewards[~terminations].any()
        assert not truncations.any()
    return {k: ended[k] for k in range(games)}


# -- the games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "seats"), [("tiny", 3), ("usa", 2), ("europe", 4), ("old-west+alvin", 5)]
)
def test_they_are_the_games_of_the_kernel(edition: str, seats: int) -> None:
    games = 40
    found = play(VectorEnv(edition, seats, 16), games, seed=7)
    batch = cpu.play_batch(compile_spec(load_edition(edition), seats), 0, games, 7)
    assert [found[k]["scores"] for k in range(games)] == batch.tallies["total"][:, :seats].tolist()
    assert [found[k]["length"] for k in range(games)] == batch.lengths.tolist()


def test_game_k_is_the_same_whatever_the_number_of_places_and_workers() -> None:
    one = play(VectorEnv("tiny", 2, 1), 20, seed=5)
    for places, workers in ((7, 1), (20, 2), (33, 3)):
        env = VectorEnv("tiny", 2, places, workers=workers)
        assert play(env, 20, seed=5) == one
        env.close()
    assert play(VectorEnv("tiny", 2, 1), 20, seed=6) != one


@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_are_those_of_the_outcome(reward: str) -> None:
    spec = compile_spec(load_edition("tiny"), 3)
    games = 400
    found = play(VectorEnv("tiny", 3, 50, reward=reward), games, seed=9)
    states = np.zeros(1, dtype_of("state"))
    shared = 0
    for k, tally in enumerate(cpu.play_batch(spec, 0, games, 9).tallies):
        outcome = read_tally(spec, states, tally)
        assert found[k]["rewards"] == pytest.approx(REWARDS[reward](outcome))
        shared += len(outcome.winners) > 1
    assert shared, "a shared win should be among them"


def test_the_first_seat_can_be_said() -> None:
    env = VectorEnv("tiny", 3, 20, first=2)
    env.reset()
    assert set(env.games.states["first"]) == {2}


# -- observations and masks --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "seats"),
    [("tiny", 2), ("usa-classic", 5), ("usa", 3), ("europe", 3), ("old-west+alvin", 4)],
)
def test_rows_and_masks_are_those_of_the_decider(edition: str, seats: int) -> None:
    env = VectorEnv(edition, seats, 4)
    engine = engine_of(env.table, "cpu")
    rows, infos = env.reset(seed=3)
    phases = set()
    for turn in range(400):
        if turn % 3 == 0:
            states = env.games.states
            for i in range(4):
                state, seat = states[i : i + 1], int(infos["seat"][i])
                phases.add(int(state["phase"][0]))
                assert seat == engine.actor(state)
                assert rows[i].tobytes() == observe(View.of(env.table, state, seat)).tobytes()
                legal = engine.legal(state, seat)
                assert np.flatnonzero(infos["action_mask"][i]).tolist() == list(legal)
        rows, _, _, _, infos = env.step(env.sample_actions())
    assert OVER not in phases  # the next game has begun
    assert len(phases) >= 4


def test_random_actions_are_legal_and_all_come() -> None:
    env = VectorEnv("tiny", 2, 64)
    _, infos = env.reset(seed=1)
    met = set()
    for _ in range(50):
        actions = env.sample_actions()
        assert infos["action_mask"][np.arange(64), actions].all()
        met |= set(actions.tolist())
        infos = env.step(actions)[4]
    assert len(met) > 0.6 * env.table.actions


# -- wrong actions -----------------------------------------------------------------------------


def snapshot(env: VectorEnv) -> bytes:
    games: Any = env.games
    return b"".join(
        a.tobytes() for a in (games.states, games.observations, games.masks, games.deciders)
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_an_illegal_action_moves_nothing(workers: int) -> None:
    env = VectorEnv("tiny", 2, 6, workers=workers)
    _, infos = env.reset(seed=2)
    before = snapshot(env)
    for wrong in (-1, -2, env.table.actions, 30_000, int(np.argmin(infos["action_mask"][4]))):
        actions = env.sample_actions().copy()
        actions[4] = wrong
        with pytest.raises(IllegalMove, match=rf"game 4: seat \d may not take action {wrong};"):
            env.step(actions)
        assert snapshot(env) == before
    env.step(env.sample_actions())
    assert snapshot(env) != before


def test_a_seat_chooses_for_itself_only() -> None:
    env = VectorEnv("tiny", 2, 1)
    _, infos = env.reset()
    size = 1 << int(env.table.table["setup_deal"][0])
    other = 1 - int(infos["seat"][0])
    [all_of_them] = [int(env.table.table["base"][0, A_CHOOSE]) + (other + 1) * size - 1]
    assert engine_of(env.table, "cpu").is_legal(env.games.states, all_of_them)
    with pytest.raises(IllegalMove):
        env.step([all_of_them])


@pytest.mark.parametrize("actions", [[0.0] * 3, [1, 2], [[1, 2, 3]], "abc"])
def test_actions_are_as_many_whole_numbers_as_games(actions: Any) -> None:
    env = VectorEnv("tiny", 2, 3)
    env.reset()
    with pytest.raises(MacazError, match="3 whole numbers"):
        env.step(actions)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"reward": "fame"}, "win, score, margin"),
        ({"target": "tpu"}, "cpu, cuda"),
        ({"games": 0}, "at least 1"),
        ({"workers": 0}, "at least 1"),
        ({"first": 2}, "0 to 1"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_cannot_be_is_said(wrong: dict[str, Any], told: str) -> None:
    arguments: dict[str, Any] = {"edition": "tiny", "seats": 2, "games": 2} | wrong
    with pytest.raises(MacazError, match=told):
        VectorEnv(**arguments)


# -- resets and arrays -------------------------------------------------------------------------


def test_it_wants_a_reset_first() -> None:
    env = VectorEnv("tiny", 2, 2)
    with pytest.raises(MacazError, match="reset"):
        env.step([0, 0])


def test_a_reset_begins_the_games_of_a_seed_or_the_next_ones() -> None:
    env = VectorEnv("tiny", 2, 3, seed=8)
    rows, infos = env.reset()
    begun = rows.copy()
    assert infos["game"].tolist() == [0, 1, 2]
    env.step(env.sample_actions())
    _, infos = env.reset()
    assert infos["game"].tolist() == [3, 4, 5]
    assert not np.array_equal(rows, begun)
    rows, infos = env.reset(seed=8)
    assert infos["game"].tolist() == [0, 1, 2]
    assert np.array_equal(rows, begun)


def test_the_arrays_are_always_the_same_ones() -> None:
    env = VectorEnv("tiny", 2, 3)
    rows, infos = env.reset()
    shared = np.from_dlpack(rows)
    later = env.step(env.sample_actions())
    assert later[0] is rows
    assert later[4]["action_mask"] is infos["action_mask"]
    assert np.shares_memory(shared, later[0])
    assert np.array_equal(shared, later[0])


def test_it_has_the_spaces_of_gymnasium() -> None:
    vector = pytest.importorskip("gymnasium.vector")
    env = VectorEnv("europe", 3, 2)
    rows, infos = env.reset()
    assert env.observation_space.contains(rows)
    assert env.single_observation_space.contains(rows[0])
    assert env.single_action_space.n == infos["action_mask"].shape[1]
    actions = [env.single_action_space.sample(mask) for mask in infos["action_mask"]]
    assert env.action_space.contains(np.array(actions))
    env.step(actions)
    assert env.metadata["autoreset_mode"] == vector.AutoresetMode.SAME_STEP


# -- on a GPU ----------------------------------------------------------------------------------


@pytest.mark.skipif(GPU_PROBLEM is None, reason="there is a GPU")
def test_without_a_gpu_it_says_so() -> None:
    with pytest.raises(gpu.NoGPU, match=r"GPU|numba-cuda"):
        VectorEnv("tiny", 2, 2, target="cuda")


@pytest.mark.gpu
@pytest.mark.skipif(GPU_PROBLEM is not None, reason=str(GPU_PROBLEM))
@pytest.mark.parametrize(("edition", "seats"), [("tiny", 2), ("europe", 3)])
def test_the_gpu_shows_the_same(edition: str, seats: int) -> None:
    here, there = (VectorEnv(edition, seats, 50, target=t) for t in ("cpu", "cuda"))
    ours: tuple[Any, ...] = here.reset(seed=4)
    theirs: tuple[Any, ...] = there.reset(seed=4)
    for _ in range(300):
        assert theirs[0].copy_to_host().tobytes() == ours[0].tobytes()
        for name, array in ours[-1].items():
            assert theirs[-1][name].copy_to_host().tobytes() == array.tobytes(), name
        actions = here.sample_actions()
        assert there.sample_actions().copy_to_host().tobytes() == actions.tobytes()
        ours, theirs = here.step(actions), there.step(actions)
    with pytest.raises(IllegalMove):
        there.step(np.full(50, -1))


# -- the documentation -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("observation", "Observation"),
        ("environments", "Many games at once"),
        ("environments", "Gymnasium"),
    ],
)
def test_the_code_of_the_pages_runs(name: str, part: str) -> None:
    page = Path(__file__).parents[3] / "docs" / f"{name}.md"
    text = re.split(rf"^#+ {part}\n", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1]
    blocks = re.findall(
        r"^```python\n(.*?)^```", text.partition("\n## ")[0], re.MULTILINE | re.DOTALL
    )
    assert blocks
    for block in blocks:
        exec(compile(block, str(page), "exec"), {"__name__": "page"})
