"""One game, decision by decision: the same in native code and in the library."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

from macaz.edition import load_edition
from macaz.errors import MacazError
from macaz.game.moves import IllegalMove
from macaz.lab.env.single import NativeGame, SingleGame, single_game
from macaz.lab.env.vector import VectorEnv

NAMES = ("a", "b", "c", "d")


def both(edition: str, seats: int, reward: str = "win") -> tuple[NativeGame, SingleGame]:
    given: Any = (load_edition(edition), seats, reward, NAMES[:seats])
    return NativeGame(*given), SingleGame(*given)


def same(native: SingleGame, library: SingleGame) -> None:
    assert native.seat == library.seat
    assert native.state.tobytes() == library.state.tobytes()
    for seat in range(native.spec.seats):
        assert native.observation(seat).tobytes() == library.observation(seat).tobytes()
        assert native.mask(seat).tobytes() == library.mask(seat).tobytes()


@pytest.mark.parametrize(("edition", "seats"), [("tiny", 3), ("europe", 2), ("old-west+alvin", 2)])
def test_native_code_and_the_library_play_the_same_game(edition: str, seats: int) -> None:
    native, library = both(edition, seats, "margin")
    choose = random.Random(1)
    for game in (native, library):
        game.begin(seed=5, number=3)
    while native.seat is not None:
        if len(native.actions) % 7 == 0:
            same(native, library)
        action = choose.choice(np.flatnonzero(native.mask(native.seat)).tolist())
        native.play(action)
        library.play(action)
    same(native, library)  # at the end, too
    assert native.scores == library.scores
    assert native.rewards == pytest.approx(library.rewards)
    assert native.game == library.game


def test_it_is_the_game_of_the_vector_environment() -> None:
    env = VectorEnv("usa", 2, 1, reward="score")
    seen, infos = env.reset(seed=8)
    game = single_game(load_edition("usa"), 2, "score")
    assert isinstance(game, NativeGame)
    game.begin(8)
    ended, rewards = False, np.zeros((1, 2))
    while not ended:
        assert game.seat is not None
        assert game.seat == infos["seat"][0]
        assert game.observation(game.seat).tobytes() == seen[0].tobytes()
        assert game.mask(game.seat).tobytes() == infos["action_mask"][0].tobytes()
        action = int(env.sample_actions()[0])
        # A sampled action takes a number from the stream of the game, which chance uses as well.
        game._arrays[4][:] = env.games._dice  # type: ignore[attr-defined]
        game.play(action)
        seen, rewards, terminations, _, infos = env.step([action])
        ended = bool(terminations[0])
    assert game.seat is None
    assert game.rewards == rewards[0].tolist()
    assert game.scores == infos["scores"][0].tolist()


def test_without_numba_the_library_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACAZ_TARGET", "wasm")
    game = single_game(load_edition("tiny"), 2, "win")
    assert type(game) is SingleGame
    game.begin(1)
    while game.seat is not None:
        game.play(int(np.flatnonzero(game.mask(game.seat))[0]))
    assert sum(game.rewards) == pytest.approx(0)


def test_what_is_returned_is_not_overwritten() -> None:
    native, _ = both("tiny", 2)
    native.begin(1)
    seat = native.seat
    assert seat is not None
    arrays = [native.observation(0), native.observation(1), native.mask(seat)]
    before = [array.tobytes() for array in arrays]
    for _ in range(5):
        assert native.seat is not None
        native.play(int(np.flatnonzero(native.mask(native.seat))[-1]))
        native.observation(0)
    assert [array.tobytes() for array in arrays] == before


@pytest.mark.parametrize("kind", [0, 1])
def test_wrong_actions_change_nothing(kind: int) -> None:
    game = both("tiny", 2)[kind]
    game.begin(2)
    before = game.state.tobytes()
    assert game.seat is not None
    illegal = int(np.argmin(game.mask(game.seat)))
    for wrong in (-1, -2, game.spec.actions, 2**70, illegal):
        with pytest.raises(MacazError):
            game.play(wrong)
        assert game.state.tobytes() == before
    while game.seat is not None:
        game.play(int(np.flatnonzero(game.mask(game.seat))[0]))
    with pytest.raises(IllegalMove):
        game.play(0)


@pytest.mark.parametrize("kind", [0, 1])
def test_it_can_be_copied_and_pickled(kind: int) -> None:
    game = both("tiny", 2)[kind]
    game.begin(2, 5)
    for _ in range(6):
        assert game.seat is not None
        game.play(int(np.flatnonzero(game.mask(game.seat))[0]))
    for other in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        same(game, other)
        assert other.game == game.game
        assert other.seat is not None
        other.play(int(np.flatnonzero(other.mask(other.seat))[0]))
        assert other.state.tobytes() != game.state.tobytes()
