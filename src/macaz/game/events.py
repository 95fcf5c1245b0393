"""Events: what happened in each step of a game, and who may see it.

The kernel writes event records as it steps; `game_events` reads those of a game. `narrow` removes
what a seat or a spectator may not see, as declared in `kernel/layout.py`. `event_words.say` writes
an event as a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from macaz.edition.board import Color
from macaz.game.outcome import Outcome
from macaz.game.view import Cards
from macaz.kernel.layout import EVENTS, UNKNOWN, WORD_BITS, Audience, dtype_of

if TYPE_CHECKING:
    from macaz.game import Game


def _record_field(name: str | None) -> dict[str, str | None]:
    """The field's name in the kernel's record, where it differs; None: it is not in the record."""
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
    """Something that a seat paid for with cards; the colour is 8 if all are locomotives."""

    color: Color
    cards: int
    locomotives: int = field(metadata=_record_field("locos"))


@dataclass(frozen=True, slots=True)
class GameBegan(Event):
    """The first seat was determined."""

    first: int = field(metadata=_record_field("seat"))


@dataclass(frozen=True, slots=True)
class CardDealt(SeatEvent):
    """A card was dealt to a hand in the setup."""

    color: Color | None


@dataclass(frozen=True, slots=True)
class CardTaken(SeatEvent):
    """A face-up card was taken."""

    color: Color


@dataclass(frozen=True, slots=True)
class BlindDrawn(SeatEvent):
    """The top card of the deck was drawn."""

    color: Color | None


@dataclass(frozen=True, slots=True)
class RowFilled(Event):
    """A card was turned face up."""

    color: Color


@dataclass(frozen=True, slots=True)
class RowReplaced(Event):
    """The face-up cards were discarded because too many of them were locomotives."""

    cards: Cards = field(metadata=_record_field("row"))


@dataclass(frozen=True, slots=True)
class DeckShuffled(Event):
    """The discards were shuffled into a new deck."""

    size: int


@dataclass(frozen=True, slots=True)
class TicketsDrawn(SeatEvent):
    """A seat used its turn to draw tickets; `TicketsDealt` follows."""


@dataclass(frozen=True, slots=True)
class TicketsDealt(SeatEvent):
    """A seat was dealt tickets to choose from."""

    count: int
    tickets: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class TicketsKept(SeatEvent):
    """Tickets were kept."""

    count: int
    tickets: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class TicketsReturned(SeatEvent):
    """Tickets were returned."""

    count: int
    tickets: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RouteClaimed(PaidEvent):
    """A route was claimed; the cards include the extra cards of a tunnel. Points are by seat."""

    route: int = field(metadata=_record_field("lane"))
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TunnelTried(PaidEvent):
    """Cards were laid down for a tunnel."""

    route: int = field(metadata=_record_field("lane"))


@dataclass(frozen=True, slots=True)
class TunnelRevealed(SeatEvent):
    """A card was revealed for a tunnel."""

    color: Color


@dataclass(frozen=True, slots=True)
class TunnelPaid(PaidEvent):
    """The extra cards for a tunnel were paid."""

    route: int = field(metadata=_record_field("lane"))


@dataclass(frozen=True, slots=True)
class TunnelDeclined(SeatEvent):
    """A tunnel was given up, and the cards laid for it returned to the hand."""

    route: int = field(metadata=_record_field("lane"))


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
    """A seat chose not to place a marker."""


@dataclass(frozen=True, slots=True)
class AlvinCaptured(SeatEvent):
    """Alvin was captured."""

    city: int
    points: int  # for the seat


@dataclass(frozen=True, slots=True)
class AlvinMoved(SeatEvent):
    """Alvin was moved."""

    city: int


@dataclass(frozen=True, slots=True)
class Passed(SeatEvent):
    """A seat passed, having no other legal move."""


@dataclass(frozen=True, slots=True)
class TurnEnded(SeatEvent):
    """A turn ended."""


@dataclass(frozen=True, slots=True)
class LastRoundBegan(SeatEvent):
    """A seat ended its turn with few trains left: every seat has one more turn."""


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game ended; nothing is hidden any more."""

    outcome: Outcome = field(metadata=_record_field(None))


# In the order of their numbers in the kernel's layout, which start at 1.
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

# By kind: the fields that are in the kernel's record, with their names there.
IN_RECORD: dict[type[Event], dict[str, str]] = {
    kind: {
        f.name: record_name
        for f in fields(kind)
        if (record_name := f.metadata.get("record", f.name)) is not None
    }
    for kind in KINDS
}

# By kind: the fields that only the seat of the event may see, as the layout declares.
HIDDEN: dict[type[Event], tuple[str, ...]] = {
    kind: tuple(
        name
        for name, record_name in IN_RECORD[kind].items()
        if EVENTS[number].fields.get(record_name) != Audience.PUBLIC
    )
    for number, kind in enumerate(KINDS, 1)
}

E = TypeVar("E", bound=Event)


def narrow(event: E, seat: int | None) -> E:
    """The event as a seat or a spectator (None) may see it; hidden fields are None."""
    hidden = HIDDEN[type(event)]
    if not hidden or (seat is not None and getattr(event, "seat", None) == seat):
        return event
    return replace(event, **dict.fromkeys(hidden))


# -- reading event records ----------------------------------------------------------------


def game_events(game: Game, start: int = 0) -> Iterator[tuple[int, list[Event]]]:
    """Pairs (ply, events) of the game's history from a ply on, chance included."""
    for ply in range(start, len(game.history)):
        events = read_events(game, game.history[ply].events)
        if ply == 0 and game.from_start and game.first_fixed is not None:
            events.insert(0, GameBegan(game.first_fixed))
        yield ply, events


def read_events(game: Game, records: bytes) -> list[Event]:
    """The events in the kernel's records, which may be redacted; hidden fields are None."""
    return [_read(game, record) for record in np.frombuffer(records, dtype_of("event"))]


def _read(game: Game, record: np.void) -> Event:
    kind = KINDS[record["kind"] - 1]
    if kind is GameEnded:
        return GameEnded(game.standing())
    values: dict[str, Any] = {
        name: record[record_name].tolist() for name, record_name in IN_RECORD[kind].items()
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
    if values.get("color") is not None:
        values["color"] = Color(values["color"])
    event: Event = kind(**values)
    return event


def _members(words: list[int]) -> tuple[int, ...]:
    """The members of a bit set."""
    return tuple(
        n * WORD_BITS + bit
        for n, word in enumerate(words)
        for bit in range(word.bit_length())
        if word >> bit & 1
    )
