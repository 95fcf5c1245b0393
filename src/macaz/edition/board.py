"""The board: cities, routes and tickets, in one canonical order.

All data is immutable, and refers to cities by index. `make_board` sorts, so that the order of the
rows in a file does not change the numbers of routes, the actions and the records of games.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Self


class Color(IntEnum):
    """A colour of cards and routes: its number, which may be given by name, as in `Color("red")`.

    Only routes are gray, which any colour pays for; only cards are locomotives.
    """

    GRAY = -1
    PURPLE = 0
    BLUE = 1
    ORANGE = 2
    WHITE = 3
    GREEN = 4
    YELLOW = 5
    BLACK = 6
    RED = 7
    LOCOMOTIVE = 8

    if TYPE_CHECKING:  # enumerations take the values of their members only, for type checkers

        def __new__(cls, value: int | str) -> Self: ...

    @classmethod
    def _missing_(cls, value: object) -> Color | None:
        """The colour of a name; "loco" is short for "locomotive"."""
        if not isinstance(value, str):
            return None
        word = fold(value.strip())
        return cls.__members__.get("LOCOMOTIVE" if word == "loco" else word.upper())

    def __repr__(self) -> str:
        return f"Color.{self.name}"


GRAY, LOCOMOTIVE = Color.GRAY, Color.LOCOMOTIVE
CARDS = tuple(color.name.lower() for color in Color if color != GRAY)
COLORS = CARDS[:LOCOMOTIVE]
KINDS = ("track", "tunnel", "ferry")
DECKS = ("normal", "long")
STATUSES = ("", "confirmed", "assumed", "guessed")

# Letters that Unicode does not decompose into a base letter and an accent.
_PLAIN = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ð": "d", "ı": "i"})


def fold(name: str) -> str:
    """The name without case and accents, to sort and to compare: "København" -> "kobenhavn"."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c)).translate(_PLAIN)


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word most similar to this one, ignoring case and accents; None if none is."""
    by_fold = {fold(k): k for k in known}
    found = difflib.get_close_matches(fold(word), by_fold, n=1, cutoff=0.65)
    return by_fold[found[0]] if found else None


def color_name(color: int) -> str:
    """The name of a lane's colour or of a card."""
    return "gray" if color == GRAY else CARDS[color]


@dataclass(frozen=True, slots=True)
class City:
    """A city with its coordinates in degrees.

    `name` is part of the fingerprint, records and positions, and never changes; `label` is shown
    to people. They differ in accents and case only, so that both can be typed.
    """

    name: str
    lat: float
    lon: float
    label: str = ""  # the name, unless another text is given

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name)


# The colour of a route is a `Color`, declared as a number because messages contain routes.
@dataclass(frozen=True, slots=True)
class Route:
    """One lane between two cities (`a < b`); a double route has two."""

    a: int
    b: int
    length: int
    color: int
    kind: str
    locomotives: int
    lane: int


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket between two cities (`a < b`).

    `status` says how reliable its data is: "" (certain), "confirmed", "assumed" or "guessed".
    """

    a: int
    b: int
    points: int
    deck: str
    status: str


@dataclass(frozen=True, slots=True)
class Board:
    """A map; `make_board` builds it in canonical order."""

    name: str
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]

    def city(self, name: str) -> City:
        """The city of that name, as `city_index` finds it."""
        return self.cities[self.city_index(name)]

    def city_index(self, name: str) -> int:
        """The index of a city, ignoring case and accents; raises KeyError with a suggestion."""
        wanted = fold(name)
        for index, city in enumerate(self.cities):
            if fold(city.name) == wanted:
                return index
        near = closest(name, (city.name for city in self.cities))
        hint = f"; did you mean {near!r}?" if near else ""
        raise KeyError(f"no city {name!r} on the board {self.name!r}{hint}")

    def pair_lanes(self, route: int) -> tuple[int, ...]:
        """The indexes of all lanes between the two cities of this route, itself included."""
        mine = self.routes[route]
        return tuple(
            index
            for index, other in enumerate(self.routes)
            if (other.a, other.b) == (mine.a, mine.b)
        )


def make_board(
    name: str,
    cities: Iterable[City],
    routes: Iterable[tuple[str, str, int, str, int, tuple[str, ...]]],
    tickets: Iterable[tuple[str, str, int, str, str]],
) -> Board:
    """A board in canonical order, from rows that name their cities.

    A row of routes is (city, city, length, kind, locomotives, colours of the lanes); a row of
    tickets is (city, city, points, deck, status). The rows must be valid: `edition.check` checks
    them.
    """
    ordered = sorted(cities, key=lambda city: (fold(city.name), city.name))
    index = {city.name: i for i, city in enumerate(ordered)}
    lanes = []
    for start, end, length, kind, locomotives, colors in routes:
        a, b = sorted((index[start], index[end]))
        for lane, color in enumerate(colors):
            lanes.append(Route(a, b, length, Color(color), kind, locomotives, lane))
    cards = []
    for start, end, points, deck, status in tickets:
        a, b = sorted((index[start], index[end]))
        cards.append(Ticket(a, b, points, deck, status))
    return Board(
        name=name,
        cities=tuple(ordered),
        routes=tuple(sorted(lanes, key=lambda r: (r.a, r.b, r.lane))),
        tickets=tuple(sorted(cards, key=lambda t: (t.deck != "long", t.a, t.b, t.points))),
    )
