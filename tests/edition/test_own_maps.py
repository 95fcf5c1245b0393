"""The maps of our own: sound, balanced, drawn, and played by the same rules as the others.

They bring no rule of their own, so they are tested once each instead of everywhere.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from tests.editions import OWN
from tests.game.test_leaks import leaks, observers, stops
from tests.kernel.test_invariants import play

from macaz.bots import Limit, learned
from macaz.edition import check_edition, load_edition
from macaz.game import Game
from macaz.game.record import dump_record, load_record
from macaz.lab.arena.work import Job, Map
from macaz.lab.arena.work import play as play_job
from macaz.lab.maps.balance import balance_of
from macaz.lab.maps.report import report_on

DECISIONS = 60  # in plain Python, which is slow


@pytest.mark.parametrize(
    ("name", "cities", "lanes", "spaces", "kinds", "tickets"),
    [
        (
            "romania",
            37,
            89,
            258,
            {"track": 65, "tunnel": 19, "ferry": 5},
            {"normal": 40, "long": 6},
        ),
        ("ireland", 20, 47, 118, {"track": 47}, {"normal": 26}),
        ("caribbean", 30, 60, 195, {"track": 33, "ferry": 27}, {"normal": 32}),
    ],
)
def test_the_maps_are_these(
    name: str, cities: int, lanes: int, spaces: int, kinds: dict[str, int], tickets: dict[str, int]
) -> None:
    board = load_edition(name).board
    assert (len(board.cities), len(board.routes)) == (cities, lanes)
    assert sum(route.length for route in board.routes) == spaces
    assert Counter(route.kind for route in board.routes) == kinds
    assert Counter(ticket.deck for ticket in board.tickets) == tickets


@pytest.mark.parametrize(
    ("name", "phases", "scorers"),
    [
        ("romania", "tunnel station", "routes tickets longest-path stations"),
        ("ireland", "start-city marker", "controllers tickets globetrotter"),
        ("caribbean", "", "routes tickets globetrotter"),
    ],
)
def test_their_mechanisms_differ(name: str, phases: str, scorers: str) -> None:
    rules = load_edition(name).rules
    assert set(rules.phases) - {"draw", "claim", "tickets"} == set(phases.split())
    assert set(rules.scorers) == set(scorers.split())


@pytest.mark.parametrize("name", OWN)
def test_they_are_sound_and_balanced(name: str) -> None:
    edition = load_edition(name)
    assert check_edition(name) == []
    assert edition.author
    assert set(edition.sentences) == {"en", "ro"}
    assert report_on(edition).remarks == ()
    found = balance_of(edition)
    spaces = [colour.spaces for colour in found.colours if colour.name != "gray"]
    assert max(spaces) - min(spaces) <= 2
    assert {way.worth for way in found.ways} == {1}


def test_romanian_names_have_their_letters() -> None:
    names = {city.name for city in load_edition("romania").board.cities}
    assert {"București", "Iași", "Timișoara", "Râmnicu Vâlcea", "Constanța"} <= names
    assert not any(letter in name for name in names for letter in "şţŞŢ")  # with cedilla


@pytest.mark.parametrize("name", OWN)
def test_plain_python_and_webassembly_play_alike(name: str) -> None:
    seats = load_edition(name).rules.max_seats
    wasm, plain = (Game(name, seats, seed=7, target=target) for target in ("wasm", "plain"))
    rng = random.Random(name)
    for _ in range(DECISIONS):
        seat = wasm.deciding[0]
        legal = wasm.legal_moves_of(seat).actions
        assert legal == plain.legal_moves_of(seat).actions
        action = rng.choice(legal)
        wasm.push(action)
        plain.push(action)
        assert wasm.state.tobytes() == plain.state.tobytes()
    while not wasm.over:
        wasm.push(rng.choice(wasm.legal_moves_of(wasm.deciding[0]).actions))
    # The last decision and what follows, with the scores of the end.
    last = max(number for number, step in enumerate(wasm.history) if step.seat is not None)
    plain = Game.from_state(name, seats, wasm.history[last].state, target="plain")
    for step in wasm.history[last:]:
        (plain.push_chance if step.seat is None else plain.push)(step.number)
    assert plain.over
    assert plain.state.tobytes() == wasm.state.tobytes()
    assert plain.outcome == wasm.outcome


@pytest.mark.parametrize("name", OWN)
def test_bots_play_to_the_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`learned` has no network for them, and searches instead; here with less effort."""
    monkeypatch.setattr(learned, "WITHOUT_NETWORK", Limit(effort=8))
    lineup = ("planner", "search:8", "learned")
    result = play_job(Job(Map.of(load_edition(name)), 1, 0, lineup, record=False, patience=60))
    assert not any(result.failures)
    assert len(result.scores) == 3


@pytest.mark.parametrize("name", OWN)
def test_everything_is_counted_again_in_whole_games(name: str) -> None:
    rules = load_edition(name).rules
    for seats in {rules.min_seats, rules.max_seats}:
        play(Game(name, seats, dealer=None), seats)


@pytest.mark.parametrize("name", OWN)
def test_a_view_does_not_depend_on_what_is_hidden(name: str) -> None:
    rng = np.random.default_rng(1)
    for game in stops(name, 3, 1, 0.01):
        for seat in observers(game):
            assert not leaks(game, seat, rng)


@pytest.mark.parametrize("name", OWN)
def test_a_game_is_recorded_and_read_back(name: str) -> None:
    game = Game(name, 2, seed=3)
    rng = random.Random(name)
    while not game.over:
        game.push(rng.choice(game.legal_moves_of(game.deciding[0]).actions))
    text = dump_record(game)
    assert dump_record(load_record(text)) == text
