"""Events as sentences, in the language of a `Words`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

from macaz.edition.board import CARDS, LOCOMOTIVE
from macaz.game.events import (
    HIDDEN,
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
    LastRoundBegan,
    MarkerPlaced,
    MarkerSkipped,
    PaidEvent,
    Passed,
    RouteClaimed,
    RowFilled,
    RowReplaced,
    StationBuilt,
    TicketsDealt,
    TicketsDrawn,
    TicketsKept,
    TicketsReturned,
    TunnelDeclined,
    TunnelPaid,
    TunnelRevealed,
    TunnelTried,
    TurnEnded,
)
from macaz.game.moves import DASH

if TYPE_CHECKING:
    from macaz.edition.board import Board


class Words(NamedTuple):
    """The words of one language.

    Where an event has a second sentence, it is for seats from which a part is hidden.
    """

    sentences: dict[type[Event], tuple[str, ...]]
    cards: tuple[str, ...]
    nouns: dict[str, tuple[str, ...]]
    form: Callable[[int], int]  # the index of the plural form for a number
    both: str
    own_points: str
    other_points: str
    no_extra: str


ENGLISH = Words(
    sentences={
        GameBegan: ("{first} went first.",),
        CardDealt: ("{seat} got {color}.", "{seat} got a card."),
        CardTaken: ("{seat} took {color}.",),
        BlindDrawn: ("{seat} drew {color} from the deck.", "{seat} drew a card from the deck."),
        RowFilled: ("{color} was turned up.",),
        RowReplaced: ("Too many locomotives: the face-up cards were replaced.",),
        DeckShuffled: ("The discards were shuffled into a new deck of {size}.",),
        TicketsDrawn: ("{seat} drew tickets.",),
        TicketsDealt: ("{seat} got {tickets} to choose from.", "{seat} got {count} to look at."),
        TicketsKept: ("{seat} kept {tickets}.", "{seat} kept {count}."),
        TicketsReturned: ("{seat} gave back {tickets}.", "{seat} gave back {count}."),
        RouteClaimed: ("{seat} claimed {route} with {payment}{points}.",),
        TunnelTried: ("{seat} laid {payment} for the tunnel {route}.",),
        TunnelRevealed: ("The tunnel revealed {color}.",),
        TunnelPaid: ("{seat} paid {payment} more for the tunnel.",),
        TunnelDeclined: ("{seat} gave up the tunnel {route}.",),
        StationBuilt: ("{seat} built a station in {city} with {payment}.",),
        CityStarted: ("{seat} started from {city}.",),
        MarkerPlaced: ("{seat} put a marker on {city} with {payment}.",),
        MarkerSkipped: ("{seat} placed no marker.",),
        AlvinCaptured: ("{seat} caught Alvin in {city} for {points}.",),
        AlvinMoved: ("{seat} moved Alvin to {city}.",),
        Passed: ("{seat} had nothing to do and passed.",),
        TurnEnded: ("{seat} ended the turn.",),
        LastRoundBegan: ("{seat} had few trains left: every player has one more turn.",),
        GameEnded: ("The game is over. {winners} won.",),
    },
    cards=(*CARDS[:LOCOMOTIVE], "a locomotive"),
    nouns={
        "ticket": ("{n} ticket", "{n} tickets"),
        "point": ("{n} point", "{n} points"),
        "locomotive": ("{n} locomotive", "{n} locomotives"),
    },
    form=lambda n: 0 if n == 1 else 1,
    both="{} and {}",
    own_points=" for {}",
    other_points="; {} scored {}",
    no_extra="nothing",
)


def say(event: Event, names: Sequence[str], board: Board, words: Words = ENGLISH) -> str:
    """The event as a sentence, without what is hidden; `names` are those of the seats."""
    hidden = any(getattr(event, name) is None for name in HIDDEN[type(event)])
    sentence = words.sentences[type(event)][hidden]
    formatter = _Formatter(event, names, board, words)
    parts = {f.name: formatter.part(f.name) for f in fields(event)}
    parts |= {"payment": formatter.payment(), "winners": formatter.winners()}
    text = sentence.format_map(parts)
    return text[:1].upper() + text[1:]


class _Formatter:
    """Formats the fields of one event."""

    def __init__(self, event: Event, names: Sequence[str], board: Board, words: Words) -> None:
        self.event, self.names, self.board, self.words = event, names, board, words

    def part(self, name: str) -> str:
        value = getattr(self.event, name)
        board, names, words = self.board, self.names, self.words
        make: dict[str, Callable[[], str]] = {
            "seat": lambda: names[value],
            "first": lambda: names[value],
            "color": lambda: "" if value is None else words.cards[value],
            "city": lambda: board.cities[value].label,
            "route": lambda: self.between(board.routes[value]),
            "tickets": lambda: self.listed([self.between(board.tickets[t]) for t in value or ()]),
            "count": lambda: self.counted(value, "ticket"),
            "points": lambda: self.points(value),
        }
        return make[name]() if name in make else str(value)

    def between(self, thing: Any) -> str:
        cities = self.board.cities
        return f"{cities[thing.a].label}{DASH}{cities[thing.b].label}"

    def counted(self, n: int, noun: str) -> str:
        return self.words.nouns[noun][self.words.form(n)].format(n=n)

    def listed(self, things: list[str]) -> str:
        if len(things) < 2:
            return "".join(things)
        return self.words.both.format(", ".join(things[:-1]), things[-1])

    def points(self, value: int | tuple[int, ...]) -> str:
        """Alvin's points, or those of a route for the seat that claimed it and for others."""
        if isinstance(value, int):
            return self.counted(value, "point")
        seat = getattr(self.event, "seat", -1)
        own = self.words.own_points.format(self.counted(value[seat], "point"))
        others = (
            self.words.other_points.format(self.names[p], points)
            for p, points in enumerate(value)
            if points and p != seat
        )
        return (own if value[seat] else "") + "".join(others)

    def payment(self) -> str:
        """The cards that were paid: "3 red and 1 locomotive"."""
        event = self.event
        if not isinstance(event, PaidEvent):
            return ""
        parts = [f"{event.cards} {self.words.cards[event.color]}"] if event.cards else []
        if event.locomotives:
            parts.append(self.counted(event.locomotives, "locomotive"))
        return self.listed(parts) or self.words.no_extra

    def winners(self) -> str:
        event = self.event
        if not isinstance(event, GameEnded):
            return ""
        return self.listed([self.names[p] for p in event.outcome.winners])
