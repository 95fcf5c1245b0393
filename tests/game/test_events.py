"""Events: they describe the whole game, and reveal no more than views do."""

from __future__ import annotations

import random
import re
from dataclasses import fields
from functools import cache

import numpy as np
import pytest

from macaz.edition.board import LOCOMOTIVE
from macaz.game import Game
from macaz.game.event_words import say
from macaz.game.events import (
    HIDDEN,
    IN_RECORD,
    KINDS,
    AlvinCaptured,
    AlvinMoved,
    BlindDrawn,
    CardDealt,
    CardTaken,
    CityStarted,
    DeckShuffled,
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
    TunnelDeclined,
    TunnelPaid,
    TunnelRevealed,
    TunnelTried,
    TurnEnded,
    game_events,
    narrow,
    read_events,
)
from macaz.kernel import layout as at
from macaz.kernel.layout import A_PAY
from macaz.kernel.views import SPECTATOR, narrow_events

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
    """At random, but a tunnel is always paid for, so that every kind of event occurs."""
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


class Table:
    """The public part of a table, derived only from the events that a spectator sees."""

    def __init__(self, game: Game) -> None:
        self.routes = game.edition.board.routes
        rules = game.edition.rules
        self.deck = sum(rules.cards)
        self.trains = [rules.trains] * game.seats
        self.row, self.discards, self.revealed, self.laid = ([0] * 9 for _ in range(4))
        self.hands, self.scores, self.held, self.offered = ([0] * game.seats for _ in range(4))
        self.claimed: list[set[int]] = [set() for _ in range(game.seats)]
        self.marks: list[list[int]] = [[] for _ in range(game.seats)]
        self.turns = 0
        self.alvin = int(game.spec.table["alvin_home"][0])
        self.holder = -1

    def pay(self, event: PaidEvent, pile: list[int]) -> None:
        self.hands[event.seat] -= event.cards + event.locomotives
        if event.color != LOCOMOTIVE:
            pile[event.color] += event.cards
        pile[LOCOMOTIVE] += event.locomotives

    def move(self, source: list[int], target: list[int]) -> int:
        """Move all cards of one pile to another; returns their number."""
        for color, n in enumerate(source):
            target[color] += n
        moved = sum(source)
        source[:] = [0] * 9
        return moved

    def follow(self, event: Event) -> None:  # noqa: PLR0912, PLR0915 - a table of events
        match event:
            case CardDealt(seat) | BlindDrawn(seat):
                self.deck -= 1
                self.hands[seat] += 1
            case CardTaken(seat, color):
                self.row[color] -= 1
                self.hands[seat] += 1
            case RowFilled(color):
                self.deck -= 1
                self.row[color] += 1
            case RowReplaced(cards):
                assert list(cards) == self.row
                self.move(self.row, self.discards)
            case DeckShuffled(size):
                assert self.deck == 0
                self.deck = sum(self.discards)
                assert self.deck == size
                self.discards = [0] * 9
            case TunnelTried():
                self.pay(event, self.laid)
            case TunnelRevealed(_, color):
                self.deck -= 1
                self.revealed[color] += 1
            case TunnelDeclined(seat):
                self.hands[seat] += self.move(self.laid, [0] * 9)
            case TunnelPaid() | StationBuilt() | MarkerPlaced():
                self.pay(event, self.discards)
                if not isinstance(event, TunnelPaid):
                    self.marks[event.seat].append(event.city)
            case RouteClaimed():
                if not self.move(self.laid, self.discards):
                    self.pay(event, self.discards)
                self.claimed[event.seat].add(event.route)
                self.trains[event.seat] -= self.routes[event.route].length
                self.scores = [a + b for a, b in zip(self.scores, event.points, strict=True)]
            case CityStarted(seat, city):
                self.marks[seat].append(city)
            case AlvinCaptured(seat, city, points):
                assert city == self.alvin
                self.holder = seat
                self.scores[seat] += points
            case AlvinMoved(_, city):
                self.alvin = city
            case TicketsDealt(seat, count):
                self.offered[seat] += count
            case TicketsKept(seat, count):
                self.offered[seat] -= count
                self.held[seat] += count
            case TicketsReturned(seat, count):
                self.offered[seat] -= count
            case TurnEnded():
                self.move(self.revealed, self.discards)
                self.turns += 1

    def check(self, game: Game, state: np.void) -> None:
        seats = game.seats
        assert self.deck == state["deck_size"]
        assert self.row == state["row"].tolist()
        assert self.discards == state["discards"].tolist()
        assert self.revealed == state["revealed"].tolist()
        assert self.hands == state["hand"].sum(axis=1)[:seats].tolist()
        assert self.scores == state["score"][:seats].tolist()
        assert self.trains == state["trains"][:seats].tolist()
        assert (self.alvin, self.holder) == (state["alvin_city"], state["alvin_holder"])
        for seat in range(seats):
            marks = state["marks"][seat]
            assert self.marks[seat] == marks[marks >= 0].tolist()
            assert self.held[seat] == (state["ticket"] == at.HELD + seat).sum()
            assert self.offered[seat] == (state["ticket"] == at.OFFERED + seat).sum()
            lanes = [game.spec.lane_of_route[route] for route in self.claimed[seat]]
            words = [0] * at.WORDS
            for lane in lanes:
                words[lane // at.WORD_BITS] |= 1 << lane % at.WORD_BITS
            assert words == state["claimed"][seat].tolist()
        if state["phase"] >= at.TURN:
            assert (int(state["first"]) + self.turns) % seats == state["turn"]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_the_open_table_can_be_told_from_the_events_of_every_step(edition, seats):
    """Step by step, as a spectator sees it, so the order of the events of a step is tested too."""
    for seed in range(12 if edition == "tiny" else 2):
        game = played(edition, seats, seed)
        table = Table(game)
        for ply, events in game_events(game):
            for event in events:
                table.follow(narrow(event, None))
            last = ply + 1 == len(game.history)
            table.check(game, (game.state if last else game.history[ply + 1].state)[0])


def test_the_layout_declares_what_the_events_have():
    """Each kind has the same number, name and fields in both."""
    assert len(KINDS) == len(at.EVENTS)
    for number, kind in enumerate(KINDS, 1):
        declared = at.EVENTS[number]
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()
        assert declared.name == name
        assert getattr(at, f"E_{name.upper().replace('-', '_')}") == number
        assert set(IN_RECORD[kind].values()) == set(declared.fields)
        assert set(declared.fields) <= {field.name for field in at.EVENT}
        assert set(declared.fields.values()) <= {at.Audience.PUBLIC, at.Audience.OWNER}
    without = {kind for kind in KINDS if len(IN_RECORD[kind]) != len(fields(kind))}
    assert without == {GameEnded}  # the outcome comes from the tally


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_the_kernel_narrows_as_the_library_does(edition, seats):
    game = played(edition, seats, 2)
    for step in game.history:
        events = read_events(game, step.events)
        assert 0 <= len(events) < at.MOST_EVENTS
        for viewer in (None, *range(seats)):
            records = np.frombuffer(step.events, at.dtype_of("event"))
            shown = narrow_events(records, SPECTATOR if viewer is None else viewer)
            told = read_events(game, shown.tobytes())
            assert told == [narrow(event, viewer) for event in events]


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
    """A hidden card is in the seat's own hand; a hidden ticket is one that the view can place."""
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
        for done in range(ply, len(replay.history)):
            for event in told[done]:
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
