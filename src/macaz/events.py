"""What happened, as past-tense facts, each with its audience.

`step_events` reads the facts of one step from the state before and after it; `game_events` does
so for a whole game. `narrow` gives an event as a seat or a spectator may see it: a field is
hidden from others unless it is declared public. `event_words.say` puts an event into words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from macaz.board import LOCOMOTIVE
from macaz.kernel import layout as at
from macaz.moves import (
    Claim,
    Decline,
    DrawTickets,
    Mark,
    MoveAlvin,
    Pass,
    PayTunnel,
    SkipMarker,
    Start,
    Station,
    Take,
)
from macaz.outcome import Outcome, read_tally
from macaz.view import Cards

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.kernel.engine import Engine
    from macaz.moves import Move, Notation

# A field that everybody sees says so. Any other is shown only to the event's seat.
PUBLIC = {"public": True}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""


@dataclass(frozen=True, slots=True)
class SeatEvent(Event):
    """Something that a seat did, or that happened to it."""

    seat: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class PaidEvent(SeatEvent):
    """Something paid with so many cards of a colour (8: none) and so many locomotives."""

    color: int = field(metadata=PUBLIC)
    cards: int = field(metadata=PUBLIC)
    locomotives: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class GameBegan(Event):
    """The seat that begins was known."""

    first: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class CardDealt(SeatEvent):
    """A card was dealt to a hand before the game."""

    color: int | None


@dataclass(frozen=True, slots=True)
class CardTaken(SeatEvent):
    """A face-up card was taken."""

    color: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class BlindDrawn(SeatEvent):
    """The top card of the deck was drawn."""

    color: int | None


@dataclass(frozen=True, slots=True)
class RowFilled(Event):
    """A card was turned face up."""

    color: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class RowReplaced(Event):
    """The face-up cards, too many locomotives among them, were discarded."""

    cards: Cards = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class DeckShuffled(Event):
    """The discards became the deck, of so many cards."""

    size: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class TicketsDrawn(SeatEvent):
    """A seat spent its turn on tickets; they follow."""


@dataclass(frozen=True, slots=True)
class TicketsDealt(SeatEvent):
    """Tickets came before a seat to choose from."""

    count: int = field(metadata=PUBLIC)
    tickets: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class TicketsKept(SeatEvent):
    """Tickets were kept."""

    count: int = field(metadata=PUBLIC)
    tickets: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class TicketsReturned(SeatEvent):
    """Tickets were given back."""

    count: int = field(metadata=PUBLIC)
    tickets: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RouteClaimed(PaidEvent):
    """A route was claimed; a tunnel's extra cards are counted in. Points are by seat."""

    route: int = field(metadata=PUBLIC)
    points: tuple[int, ...] = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class TunnelTried(PaidEvent):
    """Cards were laid down for a tunnel."""

    route: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class TunnelRevealed(SeatEvent):
    """A card was revealed for a tunnel."""

    color: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class TunnelPaid(PaidEvent):
    """The extra cards for a tunnel were paid."""

    route: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class TunnelDeclined(SeatEvent):
    """A tunnel was given up, and the laid cards went back to the hand."""

    route: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class StationBuilt(PaidEvent):
    """A station was built."""

    city: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class CityStarted(SeatEvent):
    """A starting city was placed."""

    city: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class MarkerPlaced(PaidEvent):
    """A city marker was placed."""

    city: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class MarkerSkipped(SeatEvent):
    """No marker was placed where one could be."""


@dataclass(frozen=True, slots=True)
class AlvinCaptured(SeatEvent):
    """Alvin was caught."""

    city: int = field(metadata=PUBLIC)
    points: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class AlvinMoved(SeatEvent):
    """Alvin was moved."""

    city: int = field(metadata=PUBLIC)


@dataclass(frozen=True, slots=True)
class Passed(SeatEvent):
    """A seat with nothing to do passed."""


@dataclass(frozen=True, slots=True)
class TurnEnded(SeatEvent):
    """A turn was over."""


@dataclass(frozen=True, slots=True)
class LastRoundBegan(SeatEvent):
    """A seat ended its turn with few trains: everybody has one more turn."""


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game was over, and everything open."""

    outcome: Outcome = field(metadata=PUBLIC)


KINDS: tuple[type[Event], ...] = (
    GameBegan,
    CardDealt,
    CardTaken,
    BlindDrawn,
    RowFilled,
    RowReplaced,
    DeckShuffled,
    TicketsDrawn,
    TicketsDealt,
    TicketsKept,
    TicketsReturned,
    RouteClaimed,
    TunnelTried,
    TunnelRevealed,
    TunnelPaid,
    TunnelDeclined,
    StationBuilt,
    CityStarted,
    MarkerPlaced,
    MarkerSkipped,
    AlvinCaptured,
    AlvinMoved,
    Passed,
    TurnEnded,
    LastRoundBegan,
    GameEnded,
)

# What only the seat of an event sees, by kind.
HIDDEN: dict[type[Event], tuple[str, ...]] = {
    kind: tuple(f.name for f in fields(kind) if not f.metadata.get("public")) for kind in KINDS
}

E = TypeVar("E", bound=Event)


def narrow(event: E, seat: int | None) -> E:
    """The event as a seat may see it, or a spectator (None): what is hidden is None."""
    hidden = HIDDEN[type(event)]
    if not hidden or (seat is not None and getattr(event, "seat", None) == seat):
        return event
    return replace(event, **dict.fromkeys(hidden))


# -- from a step -----------------------------------------------------------------------------------


def game_events(game: Game, start: int = 0) -> Iterator[tuple[int, list[Event]]]:
    """The events of a game's history from a ply on, chance included: (ply, events)."""
    history = game.history
    for ply in range(start, len(history)):
        step = history[ply]
        before = step.state
        after = history[ply + 1].state if ply + 1 < len(history) else game.state
        events = step_events(game.engine, game.notation, before, step.seat, step.number, after)
        if ply == 0 and game.first_fixed is not None:
            events.insert(0, GameBegan(game.first_fixed))
        yield ply, events


def step_events(
    engine: Engine,
    notation: Notation,
    before: np.ndarray,
    seat: int | None,
    number: int,
    after: np.ndarray,
) -> list[Event]:
    """The events of one step: a seat's action number, or an outcome of chance (seat is None)."""
    old, new = before[0], after[0]
    move: Move | None = None
    if seat is not None:
        move = notation.move(number, engine.offer(before, seat))
        events = _decision(notation, old, seat, move)
    else:
        events = _chance(old, new, number)
    events += _claimed(notation, old, new, move)
    events += _tickets(old, new)
    events += _turn(old, new)
    events += _row(old, new, move, number)
    if new["phase"] == at.OVER:
        events.append(GameEnded(read_tally(engine.spec, after, engine.tally(after))))
    return events


_CARD_PHASES = (at.DEAL_HANDS, at.DEAL_ROW, at.DEAL_BLIND, at.DEAL_TUNNEL)


def _chance(old: np.void, new: np.void, outcome: int) -> list[Event]:
    phase, turn = int(old["phase"]), int(old["turn"])
    if phase == at.DEAL_HANDS:
        turn = int(np.flatnonzero((new["hand"] != old["hand"]).any(axis=1))[0])
    made: dict[int, Callable[[], Event]] = {
        at.DEAL_FIRST: lambda: GameBegan(outcome),
        at.DEAL_HANDS: lambda: CardDealt(turn, outcome),
        at.DEAL_ROW: lambda: RowFilled(outcome),
        at.DEAL_BLIND: lambda: BlindDrawn(turn, outcome),
        at.DEAL_TUNNEL: lambda: TunnelRevealed(turn, outcome),
    }
    return [made[phase]()] if phase in made else []


def _decision(  # noqa: PLR0911  (a table of moves)
    notation: Notation, old: np.void, seat: int, move: Move
) -> list[Event]:
    spec = notation.spec
    match move:
        case Take(color):
            return [CardTaken(seat, color)]
        case DrawTickets():
            return [TicketsDrawn(seat)]
        case Pass():
            return [Passed(seat)]
        case Decline():
            return [TunnelDeclined(seat, spec.route_of_lane[int(old["lane"])])]
        case SkipMarker():
            return [MarkerSkipped(seat)]
        case Start(city):
            return [CityStarted(seat, city)]
        case MoveAlvin(city):
            return [AlvinMoved(seat, city)]
        case Station(city):
            return [StationBuilt(seat, *price(notation, old, seat, move), city)]
        case Mark(city):
            return [MarkerPlaced(seat, *price(notation, old, seat, move), city)]
        case Claim(route):
            if spec.table["lane_tunnel"][0, spec.lane_of_route[route]]:
                return [TunnelTried(seat, *price(notation, old, seat, move), route)]
        case PayTunnel():
            route = spec.route_of_lane[int(old["lane"])]
            return [TunnelPaid(seat, *price(notation, old, seat, move), route)]
    return []


Payment = Claim | Station | Mark | PayTunnel


def price(notation: Notation, state: np.void, seat: int, move: Payment) -> tuple[int, int, int]:
    """What a move costs now: a colour (8: none), so many of its cards, so many locomotives."""
    match move:
        case Claim(route, color, locos):
            return _paid(color, locos, notation.board.routes[route].length)
        case Station(_, color, locos):
            return _paid(color, locos, int((state["marks"][seat] >= 0).sum()) + 1)
        case Mark(_, color, locos):
            return _paid(color, locos, notation.spec.edition.rules.marker_cards)
        case PayTunnel(locos):
            return _paid(int(state["paid_color"]), locos, int(state["extra"]))


def _paid(color: int, locos: int, cost: int) -> tuple[int, int, int]:
    """The colour, its cards and the locomotives of a payment."""
    return (color, 0, cost) if color == LOCOMOTIVE else (color, cost - locos, locos)


def _claimed(notation: Notation, old: np.void, new: np.void, move: Move | None) -> list[Event]:
    """The route that changed hands, whatever led to it, and Alvin."""
    if (old["claimed"] == new["claimed"]).all():
        return []
    seat, rules = int(old["turn"]), notation.spec.edition.rules
    if isinstance(move, Claim):
        route, color, locos, extra = move.route, move.color, move.locomotives, 0
    else:  # a tunnel, for which cards were laid before; its extra cards are paid if there are any
        route = notation.spec.route_of_lane[int(old["lane"])]
        color, locos, extra = int(old["paid_color"]), int(old["paid_locos"]), 0
        if isinstance(move, PayTunnel):
            locos, extra = locos + move.locomotives, int(old["extra"])
    points = (new["score"] - old["score"])[: notation.spec.seats].tolist()
    captured = new["alvin_holder"] != old["alvin_holder"]
    if captured:
        points[seat] -= rules.alvin_points
    paid = _paid(color, locos, notation.board.routes[route].length + extra)
    events: list[Event] = [RouteClaimed(seat, *paid, route, tuple(points))]
    if captured:
        events.append(AlvinCaptured(seat, int(old["alvin_city"]), rules.alvin_points))
    return events


def _tickets(old: np.void, new: np.void) -> list[Event]:
    """Tickets that came before a seat, or left from there."""
    was, now = old["ticket"], new["ticket"]
    moved = np.flatnonzero(was != now).tolist()
    groups: dict[tuple[type[TicketsDealt | TicketsKept | TicketsReturned], int], list[int]] = {}
    for t in moved:
        source, target = int(was[t]), int(now[t])
        if at.OFFERED <= target < at.RETURNED:
            groups.setdefault((TicketsDealt, target - at.OFFERED), []).append(t)
        elif at.OFFERED <= source < at.RETURNED:
            kind = TicketsKept if target < at.OFFERED else TicketsReturned
            groups.setdefault((kind, source - at.OFFERED), []).append(t)
    order = (TicketsDealt, TicketsKept, TicketsReturned)
    found = sorted(groups.items(), key=lambda item: order.index(item[0][0]))
    return [kind(seat, len(tickets), tuple(tickets)) for (kind, seat), tickets in found]


def _row(old: np.void, new: np.void, move: Move | None, number: int) -> list[Event]:
    """The deck made new from the discards, and the row thrown away, in the order they happened."""
    row = old["row"].copy()
    left = int(old["deck_size"])
    if isinstance(move, Take):
        row[move.color] -= 1
    elif move is None and old["phase"] in _CARD_PHASES:
        left -= 1
        row[number] += old["phase"] == at.DEAL_ROW
    events: list[Event] = []
    if new["deck_size"] > left:
        events.append(DeckShuffled(int(new["deck_size"])))
    if (row != new["row"]).any():
        # Where nothing is discarded now, the row itself went into the new deck.
        place = 0 if new["discards"].sum() == 0 else len(events)
        events.insert(place, RowReplaced(tuple(row.tolist())))
    return events


def _turn(old: np.void, new: np.void) -> list[Event]:
    seat = int(old["turn"])
    events: list[Event] = []
    if new["turn"] != seat and old["phase"] not in (at.DEAL_FIRST, at.CHOOSE, at.START):
        events.append(TurnEnded(seat))
    if new["last"] > 0 and old["last"] == 0:
        events.append(LastRoundBegan(seat))
    return events
