"""The kernel against `tests/reference.py`, which was written from the rules alone.

Both play the same game, move by move: legal moves, chance with its weights, every pile, hand and
score, and the final count must agree. Some games hoard, some build, some draw tickets, so that
decks run dry and rows jam.
"""

import random
from typing import Any

import numpy as np
import pytest
from tests.perft import CASES, Case, Kind, perft
from tests.reference import Reference

from macaz.edition import Edition, load_edition
from macaz.game import Game
from macaz.game.moves import (
    Blind,
    Choose,
    Claim,
    Decline,
    DrawTickets,
    Keep,
    Mark,
    Move,
    MoveAlvin,
    Pass,
    PayTunnel,
    Return,
    SkipMarker,
    Start,
    Station,
    Take,
)
from macaz.kernel.layout import QUEUE

EDITIONS = ("tiny", "usa-classic", "usa", "europe", "old-west", "old-west+alvin")
TABLES = [
    (name, seats)
    for name in EDITIONS
    for seats in range(load_edition(name).rules.min_seats, load_edition(name).rules.max_seats + 1)
]
# The moves that a kind of player prefers, where they are legal.
TEMPERS = {
    "any": (),
    "hoarder": ("take", "blind"),
    "builder": ("claim", "pay", "mark"),
    "collector": ("tickets", "keep", "return"),
}
_WORDS = {
    Take: "take",
    Blind: "blind",
    DrawTickets: "tickets",
    Pass: "pass",
    Return: "return",
    PayTunnel: "pay",
    Decline: "decline",
    SkipMarker: "skip",
    Start: "start",
    MoveAlvin: "alvin",
    Claim: "claim",
}


def as_tuple(move: Move, game: Game, seat: int) -> tuple[Any, ...]:  # noqa: PLR0911
    """A move in the reference's words."""
    match move:
        case Choose(who, tickets):
            return ("choose", who, frozenset(tickets))
        case Keep(tickets):
            return ("keep", frozenset(tickets))
        case Station(city, 8, _):
            return ("station", city, 8, int((game.state["marks"][0, seat] >= 0).sum()) + 1)
        case Station(city, color, locos):
            return ("station", city, color, locos)
        case Mark(city, 8, _):
            return ("mark", city, 8, game.edition.rules.marker_cards)
        case Mark(city, color, locos):
            return ("mark", city, color, locos)
    fields = [getattr(move, name) for name in move.__dataclass_fields__]
    return (_WORDS[type(move)], *fields)


def compare(game: Game, ref: Reference) -> None:
    """Compare everything that both keep."""
    s = game.state[0]
    count = len(game.edition.board.tickets)
    for name in ("row", "deck", "discards"):
        assert s[name].tolist() == list(getattr(ref, name)), name
    for p in range(game.seats):
        assert s["hand"][p].tolist() == list(ref.hand[p])
        assert s["seen"][p].tolist() == list(ref.seen[p])
        assert s["score"][p] == ref.score[p]
        assert s["trains"][p] == ref.trains[p]
        assert [c for c in s["marks"][p].tolist() if c >= 0] == list(ref.marks[p])
        assert set(np.flatnonzero(s["ticket"][:count] == p).tolist()) == set(ref.tickets[p])
    queue = sorted((place, t) for t, place in enumerate(s["ticket"].tolist()) if place >= QUEUE)
    assert [t for _, t in queue] == list(ref.ticket_queue)
    owners = {route: seat for route, seat in enumerate(game.view(None).owners) if seat is not None}
    assert owners == ref.owner


def play(edition: Edition, seats: int, seed: int, temper: str, target: str) -> None:
    rng = random.Random(f"{edition.qualified_id} {seats} {seed} {temper}")
    game = Game(edition, seats, dealer=None, target=target)
    ref = Reference(edition, seats)
    while (actors := ref.actors()) != "over":
        if actors == "chance":
            outcomes = ref.chance()
            weights = {m: game.engine.chance_weight(game.state, m[1]) for m in outcomes}
            assert weights == outcomes
            assert game.engine.chance_ways(game.state) == sum(outcomes.values())
            outcome = rng.choices(list(outcomes), list(outcomes.values()))[0]
            ref.apply(outcome)
            game.push_chance(outcome[1])
        else:
            assert set(actors) == set(game.deciding)
            seat = rng.choice(sorted(actors))
            moves = {as_tuple(m, game, seat): m for m in game.legal_moves_of(seat)}
            assert set(moves) == ref.legal(seat)
            options = sorted(moves, key=str)
            choice = rng.choice([o for o in options if o[0] in TEMPERS[temper]] or options)
            ref.apply(choice)
            game.push(moves[choice])
        compare(game, ref)
    assert game.over
    compare_outcome(game, ref)


def compare_outcome(game: Game, ref: Reference) -> None:
    outcome, final = game.standing(), ref.final()
    for p, mine in enumerate(outcome.seats):
        theirs = final[p]
        assert mine.routes == theirs["routes"]
        assert mine.ticket_points == theirs["tickets"]
        assert mine.completed == theirs["completed"]
        assert (mine.longest_path, mine.path_length) == (theirs["longest"], theirs["path"])
        assert (mine.stations, mine.globetrotter) == (theirs["stations"], theirs["globetrotter"])
        assert (mine.alvin, mine.total) == (theirs["alvin"], theirs["total"])
    assert set(outcome.winners) == final["winners"]
    assert (outcome.tie_break or "") == final["tie_break"]


@pytest.mark.parametrize("temper", TEMPERS)
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_kernel_and_reference_play_the_same_game(name: str, seats: int, temper: str) -> None:
    for seed in range(20 if name == "tiny" else 1):
        play(load_edition(name), seats, seed, temper, "plain" if (seed + seats) % 2 else "cpu")


class KernelPosition:
    """A position of the kernel, for `perft`."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def kind(self) -> Kind:
        if self.game.over:
            return "over"
        return "chance" if self.game.chance_pending else "decision"

    def moves(self) -> list[int]:
        game = self.game
        if game.chance_pending:
            bound = max(9, len(game.edition.board.tickets))
            return [o for o in range(bound) if game.engine.chance_weight(game.state, o)]
        return list(game.engine.legal(game.state, min(game.deciding)))

    def play(self, move: int) -> "KernelPosition":
        game = self.game
        after = game.copy()
        if game.chance_pending:
            after.push_chance(move)
        else:
            after.push(move)
        return KernelPosition(after)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_perft_counts_of_tiny(case: Case) -> None:
    """The same numbers of chance, decision and final nodes, ply by ply, as the brute force."""
    game = Game(load_edition("tiny"), case.seats, dealer=None, first=0)
    for item in case.script:
        if game.chance_pending:
            game.push_chance(item[1])
        else:
            seat = item[1] if item[0] == "choose" else game.deciding[0]
            moves = {as_tuple(m, game, seat): m for m in game.legal_moves_of(seat)}
            game.push(moves[item])
    assert perft(KernelPosition(game), case.depth) == list(case.counts)
