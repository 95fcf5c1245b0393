"""Players make the same decisions as WebAssembly and as native code."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from tests.bots.test_players import FEW_AND_FULL, STYLES, TABLES, decisions, lineup_of

from macaz.bots import Limit, make_bot, search
from macaz.bots.compiled import layout as of
from macaz.bots.compiled.program import guide_of, players, working_memory
from macaz.bots.styled import known_state
from macaz.bots.styles import style_of
from macaz.game.moves import Move
from macaz.game.view import View
from macaz.kernel import layout as at

TARGETS = ("wasm", "cpu")


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_styles_decide_the_same_with_the_same_in_mind(edition: str, seats: int) -> None:
    names = {"minds": of.dtypes["mind"], "dice": at.dtype_of("dice"), "works": at.dtype_of("work")}
    rooms = [{name: np.zeros(1, kind) for name, kind in names.items()} for _ in TARGETS]
    for room in rooms:
        room["dice"]["word"] = 1
    runs = [players(target) for target in TARGETS]
    compared = 0
    for n, (game, seat) in enumerate(decisions(edition, lineup_of(seats, seats), seed=seats + 10)):
        if n % 3:
            continue
        state = known_state(game.view(seat))
        for style in STYLES:
            fixed = (game.spec.table, guide_of(game.spec), style_of(style, game.spec), state)
            found = {
                int(run.choose_for(*fixed, *room.values(), seat))
                for run, room in zip(runs, rooms, strict=True)
            }
            assert len(found) == 1, f"{style} in {game.view(seat).phase}"
            for name in names:
                assert rooms[0][name].tobytes() == rooms[1][name].tobytes(), (style, name)
            compared += 1
    assert compared > 30


def on_both(monkeypatch: pytest.MonkeyPatch, think: Callable[[], Any]) -> list[tuple[Any, ...]]:
    """The result on each target, and the content of all working arrays afterwards."""
    room = working_memory()  # in the memory of WebAssembly; native code can use it as well
    arrays = {name: array for name, array in vars(room).items() if isinstance(array, np.ndarray)}
    found = []
    for target in TARGETS:
        for array in arrays.values():
            array.view(np.uint8)[...] = 0
        with monkeypatch.context() as patch:
            patch.setenv("MACAZ_TARGET", target)
            assert players() is players(target)
            result = think()
        found.append((result, {name: array.tobytes() for name, array in arrays.items()}))
    return found


def thoughts(view: View, legal: list[Move], seed: int) -> list[Callable[[], Any]]:
    """By effort: a search, and bots that use a network, or a search where there is none."""

    def chosen(text: str) -> Callable[[], Any]:
        return lambda: make_bot(text, seed=seed).choose(view, legal)

    searched = partial(search.think, view, legal, limit=Limit(effort=40), seed=seed)
    return [searched, chosen("expert:24"), chosen("learned")]


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "seats"), FEW_AND_FULL)
def test_thoughts_and_trees_are_the_same(
    edition: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared, every = 0, 5 if edition == "tiny" else 23 * seats
    for n, (game, seat) in enumerate(decisions(edition, lineup_of(seats, 1), seed=seats + 20)):
        legal = list(game.legal_moves_of(seat))
        if n % every or len(legal) == 1:
            continue
        for think in thoughts(game.view(seat), legal, n):
            wasm, native = on_both(monkeypatch, think)
            assert wasm[0] == native[0]
            different = [name for name in wasm[1] if wasm[1][name] != native[1][name]]
            assert different == []
            compared += 1
    assert compared >= 6
