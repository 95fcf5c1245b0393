"""Whether a map is even: its colours, its regions, its tickets. No game is played for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from macaz.edition import Edition
from macaz.edition.board import COLORS, Board, color_name
from macaz.lab.maps.roads import shortest_ways


@dataclass(frozen=True, slots=True)
class Colour:
    """The lanes of one colour."""

    name: str
    lanes: int
    spaces: int


@dataclass(frozen=True, slots=True)
class Region:
    """A quarter of the map, by the median latitude and longitude of its cities."""

    name: str
    cities: int
    spaces: float  # half of a route for each of its ends
    ticket_ends: int


@dataclass(frozen=True, slots=True)
class Way:
    """A ticket with the spaces of its shortest way, alone on the map."""

    ticket: int
    spaces: int
    points: int

    @property
    def worth(self) -> float:
        """Its points for each space."""
        return self.points / self.spaces


@dataclass(frozen=True, slots=True)
class Balance:
    """What the map itself shows."""

    colours: tuple[Colour, ...]
    regions: tuple[Region, ...]
    ways: tuple[Way, ...]


def balance_of(edition: Edition) -> Balance:
    board = edition.board
    return Balance(_colours(edition), _regions(board), _ways(board))


def first_lanes(board: Board) -> list[int]:
    """The number of the first lane of each route: of each pair of cities that is joined."""
    return [number for number, route in enumerate(board.routes) if route.lane == 0]


def _colours(edition: Edition) -> tuple[Colour, ...]:
    """The colours that have lanes or cards; gray has no cards."""
    routes = edition.board.routes
    lanes: Counter[int] = Counter(route.color for route in routes)
    spaces: Counter[int] = Counter()
    for route in routes:
        spaces[route.color] += route.length
    with_cards = {color for color in range(len(COLORS)) if edition.rules.cards[color]}
    return tuple(
        Colour(color_name(c), lanes[c], spaces[c]) for c in sorted(lanes.keys() | with_cards)
    )


def _regions(board: Board) -> tuple[Region, ...]:
    lat = median(city.lat for city in board.cities)
    lon = median(city.lon for city in board.cities)
    names = [
        f"{'north' if city.lat >= lat else 'south'}-{'east' if city.lon >= lon else 'west'}"
        for city in board.cities
    ]
    spaces: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for route in board.routes:
        for city in (route.a, route.b):
            spaces[names[city]] += route.length
    for ticket in board.tickets:
        ends.update((names[ticket.a], names[ticket.b]))
    cities = Counter(names)
    return tuple(
        Region(name, cities[name], spaces[name] / 2, ends[name]) for name in sorted(cities)
    )


def _ways(board: Board) -> tuple[Way, ...]:
    lengths: Mapping[tuple[int, int], int] = {(r.a, r.b): r.length for r in board.routes}
    far = shortest_ways(len(board.cities), lengths)
    return tuple(
        Way(number, far[ticket.a][ticket.b], ticket.points)
        for number, ticket in enumerate(board.tickets)
    )
