"""The simple bots: whole games of every edition, from views alone."""

from __future__ import annotations

import pytest
from tests.editions import MAIN

from macaz.bots import make_bot
from macaz.edition import load_edition
from macaz.game import Game
from macaz.game.moves import Move
from macaz.game.view import View


def tables() -> list[tuple[str, int]]:
    found = []
    for name in MAIN:
        edition = load_edition(name)
        options = ["", *(f"+{o.name}" for o in edition.available_options)]
        seats = range(edition.rules.min_seats, edition.rules.max_seats + 1)
        found += [(name + option, n) for option in options for n in seats]
    return found


def play(edition: str, kinds: list[str], seed: int, first: int | None = None) -> Game:
    game = Game(edition, len(kinds), seed=seed, first=first)
    bots = [make_bot(kind, seed=f"{seed} {seat}") for seat, kind in enumerate(kinds)]
    while not game.over:
        seat = game.deciding[0]
        legal = list(game.legal_moves_of(seat))
        move = bots[seat].choose(game.view(seat), legal)
        assert move in legal
        game.push(move)
        assert len(game.history) < 5000
    return game


@pytest.mark.parametrize(("edition", "seats"), tables())
def test_greedy_plays_whole_games(edition, seats):
    game = play(edition, ["greedy"] * seats, seed=seats)
    assert game.outcome is not None
    if game.edition.id != "tiny":
        assert max(game.outcome.totals) > 30


def test_greedy_copes_with_any_situation():
    """Random opponents cause situations that sensible play never reaches."""
    for edition in ("usa", "europe", "old-west+alvin"):
        for seed in range(2):
            play(edition, ["greedy", "random", "random"], seed)


def test_greedy_beats_random():
    wins = 0
    for seed in range(20):
        for kinds in (["greedy", "random"], ["random", "greedy"]):
            outcome = play("usa-classic", kinds, seed, first=0).outcome
            assert outcome is not None
            wins += outcome.winners == (kinds.index("greedy"),)
    assert wins >= 36


MAP = """
format = 1
id = "toy"
name = "Toy"
base = "europe"
cities = [
  { name = "A", lat = 1, lon = 1 }, { name = "B", lat = 2, lon = 1 },
  { name = "C", lat = 1, lon = 2 }, { name = "D", lat = 2, lon = 2 },
]
routes = [
  { from = "A", to = "B", length = 2, lanes = ["red", "gray"] },
  { from = "B", to = "C", length = 3, lanes = ["gray"], kind = "tunnel" },
  { from = "C", to = "D", length = 2, lanes = ["gray"], kind = "ferry", locomotives = 1 },
  { from = "A", to = "D", length = 1, lanes = ["blue"] },
]
tickets = [
  { from = "A", to = "C", points = 5 }, { from = "B", to = "D", points = 4 },
  { from = "A", to = "D", points = 1 }, { from = "C", to = "D", points = 2 },
  { from = "A", to = "B", points = 2 }, { from = "B", to = "C", points = 3 },
]

[rules]
setup_long = 0
setup_tickets = 2
max_seats = 2
trains = 7
"""


def test_greedy_plays_on_a_map_of_ones_own(tmp_path):
    path = tmp_path / "toy.toml"
    path.write_text(MAP, encoding="utf-8")
    for seed in range(10):
        play(str(path), ["greedy", "greedy"], seed)


class Spy:
    """A bot that records what it is given."""

    def __init__(self) -> None:
        self.given: set[type] = set()

    def choose(self, view: View, legal: list[Move]) -> Move:
        self.given.add(type(view))
        assert view.seat is not None
        assert not any(sum(view.hand_of(p)) for p in range(view.seats) if p != view.seat)
        return legal[0]


def test_a_view_is_all_a_bot_gets_and_all_that_counts():
    """Two games that a seat cannot tell apart get the same decision."""
    game = Game("usa-classic", 2, seed=1)
    for _ in range(20):
        seat = game.deciding[0]
        legal = list(game.legal_moves_of(seat))
        view = game.view(seat)
        other = View(view.spec, view.record.copy())
        assert make_bot("greedy", seed=3).choose(view, legal) == make_bot("greedy", seed=3).choose(
            other, legal
        )
        game.push(Spy().choose(view, legal))
