"""The observation: the same from a view and from a state, without hidden information."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.game.test_leaks import shuffle_hidden, steps, stops

from macaz import Game, View
from macaz.edition import load_edition
from macaz.errors import MacazError
from macaz.game.moves import Claim, DrawTickets, Keep, Mark, Station
from macaz.game.worlds import sample_world
from macaz.kernel import layout as at
from macaz.kernel.compile import compiled
from macaz.kernel.layout import dtype_of
from macaz.kernel.observation import (
    OBSERVATION,
    OBSERVATION_SIZE,
    observation_dtype,
    observation_slices,
)
from macaz.kernel.plain import plain
from macaz.lab.env.observation import observe
from macaz.lab.env.program import PROGRAM
from macaz.lab.env.static import static_features

ROOT = Path(__file__).parents[3]
TABLES = [
    ("tiny", 3),
    ("usa-classic", 2),
    ("usa", 4),
    ("europe", 3),
    ("old-west", 4),
    ("old-west+alvin", 3),
]


class Record:
    """A record of an observation, as the kernel's plain functions write it."""

    def __init__(self, row: np.ndarray) -> None:
        vars(self)["fields"] = row.view(observation_dtype())[0]

    def __getattr__(self, name: str) -> Any:
        return self.fields[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self.fields[name] = value


def observe_state(game: Game, states: np.ndarray, seat: int) -> np.ndarray:
    """The result of the compiled function for a state, run as plain Python."""
    run = compiled(PROGRAM, "plain")
    row = np.zeros(OBSERVATION_SIZE, np.int8)
    [spec] = plain(game.spec.table)
    [state] = plain(states)
    [work] = plain(np.zeros(1, dtype_of("work")))
    lanes = run.claimable(spec, state, seat)
    run.observe(spec, state, work, seat, *lanes, Record(row))
    return row


def fields(row: np.ndarray) -> Any:
    return row.view(observation_dtype())[0]


def differing(a: np.ndarray, b: np.ndarray) -> list[str]:
    return [f.name for f in OBSERVATION if not np.array_equal(fields(a)[f.name], fields(b)[f.name])]


def seats_at_stops(edition: str, seats: int, seed: int) -> Iterator[tuple[Game, int]]:
    for game in stops(edition, seats, seed, 0.03):
        yield from ((game, seat) for seat in range(seats))


# -- the declaration ---------------------------------------------------------------------------


def test_a_row_is_its_fields_one_after_another() -> None:
    at_byte = 0
    row = np.arange(OBSERVATION_SIZE).astype(np.int8)
    for field in OBSERVATION:
        part = observation_slices()[field.name]
        assert (part.start, part.stop) == (at_byte, at_byte + prod(field.shape))
        assert np.array_equal(row[part], np.ravel(fields(row)[field.name]))
        at_byte = part.stop
    assert at_byte == OBSERVATION_SIZE == observation_dtype().itemsize
    assert OBSERVATION_SIZE % 64 == 0


def test_the_page_is_up_to_date() -> None:
    tool = "tools/make_observation_page.py"
    page = runpy.run_path(str(ROOT / tool))["page"]()
    text = (ROOT / "docs" / "observation.md").read_text(encoding="utf-8")
    assert text == page, f"stale; run: .venv/bin/python {tool}"


# -- content -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_view_and_its_state_give_the_same_row(edition: str, seats: int) -> None:
    """In every phase, chance's and the end included, for every seat."""
    for game, seat in seats_at_stops(edition, seats, 1):
        a, b = observe(game.view(seat)), observe_state(game, game.state, seat)
        assert a.tobytes() == b.tobytes(), (game.view(seat).phase, differing(a, b))


def leaks(game: Game, seat: int, rng: np.random.Generator, show: Any = observe_state) -> list[str]:
    """The fields that change when hidden information is dealt again."""
    before = show(game, game.state, seat)
    worlds = (
        sample_world(game.view(seat), rng),
        shuffle_hidden(game.state, game.spec, seat, rng),
    )
    return [name for world in worlds for name in differing(before, show(game, world, seat))]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_it_does_not_depend_on_what_is_hidden(edition: str, seats: int) -> None:
    rng = np.random.default_rng(seats)
    for game, seat in seats_at_stops(edition, seats, 2):
        assert not leaks(game, seat, rng), game.view(seat).phase


def test_a_leak_would_be_found() -> None:
    """An observation that forgets to ask who knows a ticket."""

    def forgetful(game: Game, states: np.ndarray, seat: int) -> np.ndarray:
        states = states.copy()
        states["known"] = (1 << at.SEATS) - 1
        return observe_state(game, states, seat)

    rng = np.random.default_rng(3)
    found = [leaks(game, 0, rng, forgetful) for game in stops("europe", 3, 3, 0.02)]
    assert {name for names in found for name in names} == {"theirs", "returned"}


def test_seats_are_counted_from_the_observer() -> None:
    game = next(
        g for g in steps("usa-classic", 3, 4) if g.view(0).phase == "turn" and all(g.view(0).scores)
    )
    view = game.view(0)
    for seat in range(3):
        o = fields(observe(game.view(seat)))
        order = [(seat + i) % 3 for i in range(3)]
        assert o["playing"].tolist() == [1, 1, 1, 0, 0, 0]
        assert o["deciding"][:3].tolist() == [p == view.turn for p in order]
        assert o["trains"][:3].tolist() == [view.trains[p] for p in order]
        assert (o["score"] @ [10, 1])[:3].tolist() == [view.scores[p] for p in order]
        assert o["hand_size"][:3].tolist() == [view.hand_sizes[p] for p in order]
        assert o["hand"].tolist() == list(game.view(seat).hand)
        for i, p in enumerate(order):
            lanes = {game.spec.lane_of_route[route] for route in view.routes_of(p)}
            assert set(np.flatnonzero(o["claimed"][i])) == lanes


def test_tickets_show_where_they_are_and_whether_they_are_done() -> None:
    rng = np.random.default_rng(5)
    game = Game("tiny", 2, seed=5)
    done = 0
    while not game.over:
        seat = game.turn
        assert seat is not None
        view = game.view(seat)
        o = fields(observe(view))
        assert tuple(np.flatnonzero(o["held"])) == view.tickets
        places, tickets = np.nonzero(o["offered"])
        assert tuple(tickets) == view.offer
        assert list(places) == list(range(len(places)))
        moves = game.legal_moves
        if view.phase == "keep":  # the places of the offer are the bits of the action
            features = static_features(game.spec).actions
            for action in moves.actions:
                move = game.move(action, seat)
                assert isinstance(move, Keep)
                chosen = int(features["places"][action])
                assert move.tickets == tuple(t for i, t in enumerate(tickets) if chosen >> i & 1)
        # What is connected now counts as completed if the game ended here.
        tally = game.engine.tally(game.state)
        for t in view.tickets:
            assert o["connected"][t] == tally["done"][t]
            done += int(o["connected"][t])
        claims = [a for a in moves.actions if isinstance(game.move(a, seat), Claim | DrawTickets)]
        game.push(int(rng.choice(claims or moves.actions)))
    assert done


def test_no_seat_sees_that_another_has_chosen() -> None:
    """Setup tickets are chosen at the same time."""
    game = Game("europe", 3, seed=6)
    first, second, _third = [(game.view(0).first + i) % 3 for i in range(3)]
    before = observe(game.view(second))
    game.push(game.legal_moves_of(first).actions[0], first)
    assert observe(game.view(second)).tobytes() == before.tobytes()
    mine = fields(observe(game.view(first)))
    assert mine["deciding"].tolist() == [0, 1, 1, 0, 0, 0]
    assert mine["tickets_offered"].tolist() == [0, 4, 4, 0, 0, 0]
    assert mine["tickets_held"][0] > 0
    assert not mine["tickets_held"][1:].any()


def test_a_spectator_has_none() -> None:
    with pytest.raises(MacazError, match="spectator"):
        observe(Game("tiny", 2, seed=1).view(None))


# -- stability ---------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["usa", "europe", "old-west+alvin"])
def test_actions_mean_what_their_moves_say(edition: str) -> None:
    game = Game(edition, 3, seed=1)
    features = static_features(game.spec)
    assert len(features.actions) == game.spec.actions
    for action in range(game.spec.actions):
        row = features.actions[action]
        kind = int(row["kind"])
        assert kind == game.notation.kind(action)
        if kind in (at.A_KEEP, at.A_RETURN, at.A_CHOOSE):
            continue
        match game.notation.move(action):
            case Claim(route, color, locos):
                assert (row["color"], row["locos"]) == (color, locos)
                lane = features.lanes[row["lane"]]
                assert lane["route"] == route
                told = game.edition.board.routes[route]
                assert (lane["a"], lane["b"], lane["length"]) == (told.a, told.b, told.length)
                assert lane["color"] == (8 if told.color < 0 else told.color)
                assert (lane["locos"], lane["tunnel"]) == (told.locomotives, told.kind == "tunnel")
                assert lane["points"] == game.edition.rules.route_points[told.length]
            case Station(city, color, locos) | Mark(city, color, locos):
                assert (row["city"], row["color"], row["locos"]) == (city, color, locos)


def test_places_without_a_lane_or_ticket_say_so() -> None:
    spec = Game("tiny", 2, seed=1).spec
    features = static_features(spec)
    board = load_edition("tiny").board
    assert np.count_nonzero(features.lanes["route"] >= 0) == len(board.routes)
    for name in ("a", "b"):
        assert np.count_nonzero(features.lanes[name] >= 0) == len(board.routes)
        assert np.count_nonzero(features.tickets[name] >= 0) == len(board.tickets)
    assert [int(p) for p in features.tickets["points"]][: len(board.tickets)] == [
        t.points for t in board.tickets
    ]


def test_a_view_of_a_finished_game_can_be_observed() -> None:
    *_, game = steps("tiny", 2, 3)
    o = fields(observe(View.of(game.spec, game.state, 0)))
    assert o["phase"][at.OVER] == 1
    assert not o["deciding"].any()
