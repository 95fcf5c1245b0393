"""Events: they tell the whole game, and no seat more than its views."""

from __future__ import annotations

import random
from dataclasses import fields
from functools import cache

import pytest

from macaz.board import LOCOMOTIVE
from macaz.event_words import say
from macaz.events import (
    HIDDEN,
    KINDS,
    AlvinCaptured,
    BlindDrawn,
    CardDealt,
    CardTaken,
    Event,
    GameBegan,
    GameEnded,
    MarkerPlaced,
    PaidEvent,
    RouteClaimed,
    RowFilled,
    RowReplaced,
    StationBuilt,
    TicketsDealt,
    TicketsKept,
    TicketsReturned,
    TunnelPaid,
    TunnelTried,
    TurnEnded,
    game_events,
    narrow,
)
from macaz.game import Game
from macaz.kernel.layout import A_PAY

TABLES = [
    ("tiny", 2),
    ("tiny", 3),
    ("usa-classic", 2),
    ("usa", 3),
    ("europe", 2),
    ("europe", 4),
    ("old-west", 3),
    ("old-west+alvin", 2),
    ("old-west+alvin", 6),
]


def choose(game: Game, rng: random.Random) -> int:
    """At random, but a tunnel is always paid for: every kind of event shall occur."""
    seat = rng.choice(game.deciding)
    actions = game.legal_moves_of(seat).actions
    pays = [a for a in actions if game.notation.kind(a) == A_PAY]
    return pays[0] if pays else rng.choice(actions)


@cache
def played(edition: str, seats: int, seed: int, first: int | None = None) -> Game:
    game = Game(edition, seats, seed=seed, first=first)
    rng = random.Random(f"{edition} {seats} {seed}")
    while not game.over:
        game.push(choose(game, rng))
    return game


def all_events(game: Game) -> list[Event]:
    return [event for _, events in game_events(game) for event in events]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_scores_and_trains_can_be_told_from_the_events(edition, seats):
    for seed in range(3):
        game = played(edition, seats, seed)
        scores = [0] * seats
        trains = [game.edition.rules.trains] * seats
        for event in all_events(game):
            if isinstance(event, RouteClaimed):
                scores = [a + b for a, b in zip(scores, event.points, strict=True)]
                trains[event.seat] -= game.edition.board.routes[event.route].length
            elif isinstance(event, AlvinCaptured):
                scores[event.seat] += event.points
        assert tuple(scores) == game.view(None).scores
        assert tuple(trains) == game.view(None).trains


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_hands_row_and_tickets_can_be_told_from_the_events(edition, seats):
    game = played(edition, seats, 1)
    hands = [[0] * 9 for _ in range(seats)]
    row = [0] * 9
    tickets: list[set[int]] = [set() for _ in range(seats)]
    for event in all_events(game):
        match event:
            case CardDealt(seat, color) | BlindDrawn(seat, color):
                hands[seat][color or 0] += 1
            case CardTaken(seat, color):
                hands[seat][color] += 1
                row[color] -= 1
            case RowFilled(color):
                row[color] += 1
            case RowReplaced(cards):
                assert list(cards) == row
                row = [0] * 9
            case TicketsKept(seat, count, kept):
                assert kept is not None
                assert len(kept) == count
                tickets[seat] |= set(kept)
            case RouteClaimed() | StationBuilt() | MarkerPlaced():
                if event.color != LOCOMOTIVE:
                    hands[event.seat][event.color] -= event.cards
                hands[event.seat][LOCOMOTIVE] -= event.locomotives
    view = game.view(None)
    assert tuple(row) == view.row
    for seat in range(seats):
        assert tuple(hands[seat]) == view.hand_of(seat)
        assert tickets[seat] == set(view.tickets_of(seat))


def test_every_kind_occurs_and_can_be_said():
    seen: set[type[Event]] = set()
    for edition, seats in TABLES:
        for seed in range(40 if edition == "tiny" else 4):
            game = played(edition, seats, seed)
            for event in all_events(game):
                seen.add(type(event))
                for told in (event, narrow(event, None)):
                    text = say(told, game.names, game.edition.board)
                    assert text.endswith(".")
                    assert "None" not in text
                    assert "{" not in text
    assert set(KINDS) - seen == set()


def test_who_begins_is_told_once_however_it_was_decided():
    for first in (None, 1):
        events = all_events(played("tiny", 2, 5, first))
        assert [type(e) for e in events].count(GameBegan) == 1
        assert isinstance(events[0], GameBegan)


def test_a_later_start_tells_the_rest():
    game = played("europe", 2, 0)
    whole = list(game_events(game))
    assert list(game_events(game, 40)) == whole[40:]
    assert [ply for ply, _ in whole] == list(range(len(game.history)))
    assert isinstance(whole[-1][1][-1], GameEnded)
    assert sum(isinstance(e, TurnEnded) for e in all_events(game)) > 20


def test_only_declared_fields_are_public():
    secret = {kind.__name__: names for kind, names in HIDDEN.items() if names}
    assert secret == {
        "CardDealt": ("color",),
        "BlindDrawn": ("color",),
        "TicketsDealt": ("tickets",),
        "TicketsKept": ("tickets",),
        "TicketsReturned": ("tickets",),
    }


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_narrowing_hides_from_all_but_the_seat(edition, seats):
    for event in all_events(played(edition, seats, 2)):
        for viewer in (None, *range(seats)):
            told = narrow(event, viewer)
            own = viewer is not None and getattr(event, "seat", None) == viewer
            for f in fields(event):
                if f.name in HIDDEN[type(event)] and not own:
                    assert getattr(told, f.name) is None
                else:
                    assert getattr(told, f.name) == getattr(event, f.name)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_no_event_tells_a_seat_what_its_views_do_not(edition, seats):
    """A hidden card is in one's own hand; a hidden ticket is one the view knows a place of."""
    game = played(edition, seats, 3)
    replay = Game(edition, seats, seed=3)
    told = dict(game_events(game))
    ply = 0
    rng = random.Random(f"{edition} {seats} 3")
    known: list[set[int]] = [set() for _ in range(seats)]
    while not replay.over:
        views = [replay.view(seat) for seat in range(seats)]
        for seat in range(seats):
            known[seat] |= set(views[seat].known_tickets)
        for at in range(ply, len(replay.history)):
            for event in told[at]:
                for seat in range(seats):
                    seen = narrow(event, seat)
                    if isinstance(seen, TicketsDealt | TicketsKept | TicketsReturned):
                        assert set(seen.tickets or ()) <= known[seat]
                    if isinstance(seen, CardDealt | BlindDrawn) and seen.color is not None:
                        assert views[seat].hand[seen.color] > 0
        ply = len(replay.history)
        replay.push(choose(replay, rng))


def test_what_is_paid_adds_up():
    for seed in range(4):
        game = played("europe", 2, seed)
        built = [0, 0]
        extra = 0
        for event in all_events(game):
            if isinstance(event, StationBuilt):
                built[event.seat] += 1
                assert event.cards + event.locomotives == built[event.seat]
            elif isinstance(event, TunnelTried | TunnelPaid | RouteClaimed):
                length = game.edition.board.routes[event.route].length
                if isinstance(event, TunnelPaid):
                    extra = event.cards + event.locomotives
                    continue
                due = length + (extra if isinstance(event, RouteClaimed) else 0)
                assert event.cards + event.locomotives == due
                extra = 0
            if isinstance(event, PaidEvent) and event.color == LOCOMOTIVE:
                assert event.cards == 0
