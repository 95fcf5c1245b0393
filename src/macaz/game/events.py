"""What happened, as past-tense facts, each with its audience.

The kernel writes an event record for everything that happens in a step; `game_events` reads those
of a game. `narrow` gives an event as a seat or a spectator may see it; who may see which field is
declared in `kernel/layout.py`. `event_words.say` puts an event into words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from macaz.game.outcome import Outcome
from macaz.game.view import Cards
from macaz.kernel.layout import EVENTS, UNKNOWN, WORD_BITS, Audience, dtype_of

if TYPE_CHECKING:
    from macaz.game import Game


def _as(name: str | None) -> dict[str, str | None]:
    """The name of a field in the record of an event, where it is another; None: it has none."""
    return {"record": name}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""


@dataclass(frozen=True, slots=True)
class SeatEvent(Event):
    """Something that a seat did, or that happened to it."""

    seat: int


@dataclass(frozen=True, slots=True)
class PaidEvent(SeatEvent):
    """Something paid with so many cards of a colour (8: none) and so many locomotives."""

    color: int
    cards: int
    locomotives: int = field(metadata=_as("locos"))


@dataclass(frozen=True, slots=True)
class GameBegan(Event):
    """The seat that begins was known."""

    first: int = field(metadata=_as("seat"))


@dataclass(frozen=True, slots=True)
class CardDealt(SeatEvent):
    """A card was dealt to a hand before the game."""

    color: int | None


@dataclass(frozen=True, slots=True)
class CardTaken(SeatEvent):
    """A face-up card was taken."""

    color: int


@dataclass(frozen=True, slots=True)
class BlindDrawn(SeatEvent):
    """The top card of the deck was drawn."""

    color: int | None


@dataclass(frozen=True, slots=True)
class RowFilled(Event):
    """A card was turned face up."""

    color: int


@dataclass(frozen=True, slots=True)
class RowReplaced(Event):
    """The face-up cards, too many locomotives among them, were discarded."""

    cards: Cards = field(metadata=_as("row"))


@dataclass(frozen=True, slots=True)
class DeckShuffled(Event):
    """The discards became the deck, of so many cards."""

    size: int


@dataclass(frozen=True, slots=True)
class TicketsDrawn(SeatEvent):
    """A seat spent its turn on tickets; they follow."""


@dataclass(frozen=True, slots=True)
class TicketsDealt(SeatEvent):
    """Tickets came before a seat to choose from."""

    count: int
    tickets: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class TicketsKept(SeatEvent):
    """Tickets were kept."""

    count: int
    tickets: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class TicketsReturned(SeatEvent):
    """Tickets were given back."""

    count: int
    tickets: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RouteClaimed(PaidEvent):
    """A route was claimed; a tunnel's extra cards are counted in. Points are by seat."""

    route: int = field(metadata=_as("lane"))
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TunnelTried(PaidEvent):
    """Cards were laid down for a tunnel."""

    route: int = field(metadata=_as("lane"))


@dataclass(frozen=True, slots=True)
class TunnelRevealed(SeatEvent):
    """A card was revealed for a tunnel."""

    color: int


@dataclass(frozen=True, slots=True)
class TunnelPaid(PaidEvent):
    """The extra cards for a tunnel were paid."""

    route: int = field(metadata=_as("lane"))


@dataclass(frozen=True, slots=True)
class TunnelDeclined(SeatEvent):
    """A tunnel was given up, and the laid cards went back to the hand."""

    route: int = field(metadata=_as("lane"))


@dataclass(frozen=True, slots=True)
class StationBuilt(PaidEvent):
    """A station was built."""

    city: int


@dataclass(frozen=True, slots=True)
class CityStarted(SeatEvent):
    """A starting city was placed."""

    city: int


@dataclass(frozen=True, slots=True)
class MarkerPlaced(PaidEvent):
    """A city marker was placed."""

    city: int


@dataclass(frozen=True, slots=True)
class MarkerSkipped(SeatEvent):
    """No marker was placed where one could be."""


@dataclass(frozen=True, slots=True)
class AlvinCaptured(SeatEvent):
    """Alvin was caught."""

    city: int
    points: int


@dataclass(frozen=True, slots=True)
class AlvinMoved(SeatEvent):
    """Alvin was moved."""

    city: int


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

    outcome: Outcome = field(metadata=_as(None))


# In the order of their numbers in the layout, from 1 on.
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

# By kind: the fields that a record has too, with their names there.
IN_RECORD: dict[type[Event], dict[str, str]] = {
    kind: {
        f.name: there
        for f in fields(kind)
        if (there := f.metadata.get("record", f.name)) is not None
    }
    for kind in KINDS
}

# What only the seat of an event sees, by kind, as the layout declares it.
HIDDEN: dict[type[Event], tuple[str, ...]] = {
    kind: tuple(
        name
        for name, there in IN_RECORD[kind].items()
        if EVENTS[number].fields.get(there) != Audience.PUBLIC
    )
    for number, kind in enumerate(KINDS, 1)
}

E = TypeVar("E", bound=Event)


def narrow(event: E, seat: int | None) -> E:
    """The event as a seat may see it, or a spectator (None): what is hidden is None."""
    hidden = HIDDEN[type(event)]
    if not hidden or (seat is not None and getattr(event, "seat", None) == seat):
        return event
    return replace(event, **dict.fromkeys(hidden))


# -- from the records of a step ----------------------------------------------------------------


def game_events(game: Game, start: int = 0) -> Iterator[tuple[int, list[Event]]]:
    """The events of a game's history from a ply on, chance included: (ply, events)."""
    for ply in range(start, len(game.history)):
        events = read_events(game, game.history[ply].events)
        if ply == 0 and game.from_start and game.first_fixed is not None:
            events.insert(0, GameBegan(game.first_fixed))
        yield ply, events


def read_events(game: Game, records: bytes) -> list[Event]:
    """The events that the kernel wrote in a step of a game, or narrowed; what is hidden is None."""
    return [_read(game, record) for record in np.frombuffer(records, dtype_of("event"))]


def _read(game: Game, record: np.void) -> Event:
    kind = KINDS[record["kind"] - 1]
    if kind is GameEnded:
        return GameEnded(game.standing())
    values: dict[str, Any] = {
        name: record[there].tolist() for name, there in IN_RECORD[kind].items()
    }
    if "route" in values:
        values["route"] = game.spec.route_of_lane[values["route"]]
    if "tickets" in values:
        values["tickets"] = _members(values["tickets"])
    if kind is RowReplaced:
        values["cards"] = tuple(values["cards"])
    elif kind is RouteClaimed:
        values["points"] = tuple(values["points"][: game.seats])
    elif kind is AlvinCaptured:
        values["points"] = values["points"][values["seat"]]
    for name in HIDDEN[kind]:
        values[name] = None if values[name] in (UNKNOWN, ()) else values[name]
    event: Event = kind(**values)
    return event


def _members(words: list[int]) -> tuple[int, ...]:
    """The numbers in a set of bits."""
    return tuple(
        n * WORD_BITS + bit
        for n, word in enumerate(words)
        for bit in range(word.bit_length())
        if word >> bit & 1
    )
