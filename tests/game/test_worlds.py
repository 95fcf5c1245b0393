"""Sampled worlds: the same on every target, and consistent with the view."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from macaz import Game
from macaz.game.view import View
from macaz.game.worlds import NoWorld, sample_world
from macaz.kernel import layout as at
from macaz.kernel.help import draw_world
from macaz.kernel.views import redact

TABLES = [("tiny", 2), ("usa-classic", 3), ("usa", 4), ("europe", 3), ("old-west+alvin", 3)]


def moments(edition: str, seats: int, seed: int, share: float) -> Iterator[Game]:
    """Positions of a random game, chance nodes included; each phase occurs at least once."""
    game, dice = Game(edition, seats, dealer=None), random.Random(seed)
    met = set()
    while not game.over:
        phase = tuple(int(game.state[name][0]) for name in ("phase", "after", "choosing"))
        if phase not in met or dice.random() < share:
            met.add(phase)
            yield game
        if game.chance_pending:
            way = dice.randrange(game.engine.chance_ways(game.state))
            game.push_chance(game.engine.chance_outcome(game.state, way))
        else:
            game.push(dice.choice(game.legal_moves.actions))
    yield game


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_targets_draw_the_same_worlds_and_each_gives_the_view(edition: str, seats: int) -> None:
    rng = np.random.default_rng(1)
    for game in moments(edition, seats, 2, 0.02):
        for seat in (None, *range(seats)):
            view = game.view(seat)
            words = rng.integers(1, 1 << 32, 4)
            found = [draw_world(game.spec, view.record, words, way) for way in ("auto", "plain")]
            assert [reason for _, reason in found] == [0, 0]
            assert found[0][0].tobytes() == found[1][0].tobytes()
            assert redact(found[0][0], -1 if seat is None else seat).tobytes() == (
                view.record.tobytes()
            )


def test_a_seed_draws_the_same_world_again() -> None:
    view = Game("europe", 3, seed=4).view(1)
    worlds = [sample_world(view, np.random.default_rng(seed)).tobytes() for seed in (5, 5, 6)]
    assert worlds[0] == worlds[1] != worlds[2]


def test_long_tickets_are_as_likely_as_there_are_ways() -> None:
    """S5: the long ticket of another seat is any of its unseen tickets, with equal probability."""
    game = Game("europe", 2, seed=9)
    for seat in range(2):
        game.push(game.legal_moves_of(seat).actions[-1])  # all are kept
    view, rng, draws = game.view(0), np.random.default_rng(2), 3000
    count = len(game.edition.board.tickets)
    long = game.spec.table["ticket_long"][0, :count] == 1
    held = np.zeros(count)
    for _ in range(draws):
        held += (sample_world(view, rng)["ticket"][0, :count] == at.HELD + 1) / draws
    unknown = view.record["ticket"][0, :count] == at.UNKNOWN
    # Long ones that are not before seat 1 are out of the game; so seat 1 has 0 or 1 of them, by the
    # ways in which its four tickets can be chosen from the two kinds.
    assert held[unknown].sum() == pytest.approx(4)
    for kind in (long, ~long):
        mine = held[unknown & kind]
        assert np.abs(mine - mine.mean()).max() < 0.05
    assert not held[~unknown].any()


def broken(change: str) -> View:
    game = Game("europe", 3, seed=4)
    view = game.view(0)
    record = view.record[0]
    if change == "deck":
        record["pool"][:] = 0
    elif change == "hands":
        record["hand_size"][1] += 1
    elif change == "seen":
        record["seen"][1, 0] = 5  # in a hand of four
    elif change == "tickets":
        record["offered"][1] += 60
    else:
        # A long ticket of the seat itself becomes unknown, and a normal one takes its place.
        long, where = game.spec.table["ticket_long"][0] == 1, record["ticket"]
        mine = np.flatnonzero(long & (where == at.OFFERED))[0]
        other = np.flatnonzero(~long & (where == at.UNKNOWN))[0]
        where[mine], where[other] = at.UNKNOWN, at.OFFERED
    return view


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("deck", "too few unseen cards for the deck"),
        ("hands", "not as many as the places"),
        ("seen", "not as many as the places"),
        ("tickets", "more places than unknown tickets"),
        ("long", "too few places for the long tickets"),
    ],
)
def test_a_view_that_no_game_has_led_to_has_no_world(change: str, message: str) -> None:
    view = broken(change)
    with pytest.raises(NoWorld, match=message):
        sample_world(view, np.random.default_rng(1))
    words = np.ones(4, np.int64)
    reasons = [draw_world(view.spec, view.record, words, way)[1] for way in ("auto", "plain")]
    assert reasons[0] == reasons[1] > 0
