"""Intents: every legal intent has an action, and every action its intent."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from macaz.bots.compiled import layout as of
from macaz.bots.compiled.program import PLAYERS, guide_of
from macaz.edition import load_edition
from macaz.kernel.compile import compiled
from macaz.kernel.layout import OVER, WORD_BITS, dtype_of
from macaz.kernel.plain import plain
from macaz.kernel.spec import compile_spec

TABLES = [
    ("tiny", 2),
    ("usa-classic", 2),
    ("usa", 4),
    ("europe", 2),
    ("europe", 5),
    ("old-west", 2),
    ("old-west+alvin", 6),
]


def record(name: str) -> Any:
    """A kernel record of zeros, in plain Python."""
    return plain(np.zeros(1, dtype_of(name)))[0]


def intents_in(words: np.ndarray) -> set[int]:
    """The intents of words of bits."""
    return {i for i in range(of.INTENTS) if int(words[i // WORD_BITS]) >> (i % WORD_BITS) & 1}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_legal_intents_are_those_of_the_legal_actions(name: str, seats: int) -> None:
    run = compiled(PLAYERS, "plain")
    spec = compile_spec(load_edition(name), seats)
    table, guide = plain(spec.table)[0], plain(guide_of(spec))[0]
    work, dice, luck = (record(name) for name in ("work", "dice", "dice"))
    run.seed_dice(luck, 5, 5)
    kinds = set()
    for game in range(2):
        state = record("state")
        run.seed_dice(dice, 9, game)
        run.setup(table, state, 0)
        run.roll(table, state, dice)
        while state.phase != OVER:
            seat = run.actor(table, state)
            count = run.legal_count(table, state, seat, work)
            legal = {run.legal_nth(table, state, seat, n, work) for n in range(count)}
            words = np.zeros(of.INTENT_WORDS, np.int64)
            run.fill_intents(table, state, seat, work, words)
            assert intents_in(words) == {run.intent_of(table, action) for action in legal}
            for intent in intents_in(words):
                colors = run.intent_colors(table, guide, state, seat, intent)
                paid = [c for c in range(of.PAID_WITH) if colors >> c & 1] or [-1]
                for color in paid:
                    action = run.action_of(table, guide, state, seat, intent, color)
                    assert action in legal
                    assert run.intent_of(table, action) == intent
                    assert run.color_of(table, action) == color
            # Every colour that an action pays with can be chosen.
            for action in legal:
                color = run.color_of(table, action)
                if color >= 0:
                    intent = run.intent_of(table, action)
                    assert run.intent_colors(table, guide, state, seat, intent) >> color & 1
            kinds.add(int(state.phase))
            step = sorted(legal)[run.below(luck, len(legal))]
            run.step(table, state, step, None)
            run.roll(table, state, dice)
    assert len(kinds) >= 3
