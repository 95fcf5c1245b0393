"""SVG pictures of a plate: the board alone, or with what lies on it in a game."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape

from macaz.edition.board import Board, color_name
from macaz.edition.plate import Plate

# The palette of Okabe and Ito, which people with colour blindness can tell apart.
SEAT_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_FILL = {
    "purple": "#b07cc6",
    "blue": "#5b8fd0",
    "orange": "#e58e3c",
    "white": "#ffffff",
    "green": "#79b356",
    "yellow": "#ecd04f",
    "black": "#4a4a4a",
    "red": "#cf5148",
    "gray": "#b9b4a9",
}
_EDGE = {"tunnel": ' stroke-dasharray="4 2"', "ferry": ' rx="6"'}
_INK = "#222"
_MARK = "#ffd400"  # what the last move changed
_TRACE = "#ffd84d"  # the longest path
_FONT = 'font-family="Liberation Sans, Arial, sans-serif"'
_FREE = 0.55  # the opacity of lanes that no seat owns, beside trains
_LETTER = 0.52  # the usual width of a letter, in heights of the font


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text below the board, with the token of a seat before it if it has one."""

    text: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Pieces:
    """What lies on a board; cities and routes by number."""

    trains: Mapping[int, int] = field(default_factory=dict)  # the seats that own routes
    tokens: tuple[tuple[int, int], ...] = ()  # (city, seat): stations or markers, in order
    alvin: int | None = None  # a city
    tickets: tuple[tuple[int, int], ...] = ()  # the two cities of each
    marked_routes: frozenset[int] = frozenset()
    marked_cities: frozenset[int] = frozenset()
    path: tuple[int, ...] = ()  # the routes of a longest path
    colors: tuple[str, ...] = SEAT_COLORS  # of the seats
    lines: tuple[Line, ...] = ()


def picture_of(plate: Plate, board: Board, pieces: Pieces | None = None) -> str:
    """The plate as an SVG file: land, tracks in their colours, cities and labels, and pieces."""
    return "\n".join(_Picture(plate, board, pieces).parts()) + "\n"


def board_inside(
    plate: Plate, board: Board, pieces: Pieces, x: float, y: float, width: float, height: float
) -> Iterator[str]:
    """The lines of a board that fills a box within another SVG; `pieces` should have no text."""
    yield (
        f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {plate.width:g} {plate.height:g}">'
    )
    yield from _Picture(plate, board, pieces).board_parts()
    yield "</svg>"


def ink_on(color: str) -> str:
    """Black or white: what is readable on a colour of the form `#rrggbb`."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return _INK if 0.3 * red + 0.59 * green + 0.11 * blue > 160 else "#fff"


class _Picture:
    def __init__(self, plate: Plate, board: Board, pieces: Pieces | None) -> None:
        self.plate, self.board = plate, board
        self.pieces = pieces or Pieces()
        self.free = "" if pieces is None else f' fill-opacity="{_FREE}" stroke-opacity="{_FREE}"'
        self.lines = list(self.wrapped())

    @property
    def line_height(self) -> float:
        return 1.5 * self.plate.label_size

    def wrapped(self) -> Iterator[Line]:
        """The lines of text, none longer than the board is wide."""
        size = self.plate.label_size
        letters = max(20, int((self.plate.width - 3 * size) / (_LETTER * size)))
        for line in self.pieces.lines:
            first, *rest = textwrap.wrap(line.text, letters) or [""]
            yield Line(first, line.seat)
            yield from map(Line, rest)

    def parts(self) -> Iterator[str]:
        plate = self.plate
        width = f"{plate.width:g}"
        below = (len(self.lines) + 0.5) * self.line_height if self.lines else 0
        whole = f"{plate.height + below:g}"
        fit = ' style="max-width:100%;height:auto"' if below else ""
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {whole}"'
            f' width="{width}" height="{whole}"{fit}>'
        )
        yield from self.board_parts()
        yield from self.text()
        yield "</svg>"

    def board_parts(self) -> Iterator[str]:
        """The board and the pieces, without the text below it."""
        plate = self.plate
        yield f'<rect width="{plate.width:g}" height="{plate.height:g}" fill="#cfe0e6"/>'
        yield f'<path d="{plate.land}" fill="#f3ecdb" stroke="#8c8676" fill-rule="evenodd"/>'
        yield f'<path d="{plate.lakes}" fill="#cfe0e6" stroke="#8c8676" fill-rule="evenodd"/>'
        yield f'<path d="{plate.borders} {plate.provinces}" fill="none" stroke="#c3b99f"/>'
        yield from self.tickets()
        yield from self.path()
        for route in range(len(self.board.routes)):
            yield from self.lane(route)
        for city in range(len(self.board.cities)):
            yield from self.city(city)
        yield from self.tokens()

    def lane(self, number: int) -> Iterator[str]:
        route, track = self.board.routes[number], self.plate.tracks[number]
        long, wide = self.plate.space_length, self.plate.space_width
        if number in self.pieces.marked_routes:
            yield (
                f'<path d="{self.line(number)}" fill="none" stroke="{_MARK}"'
                f' stroke-linecap="round" stroke-linejoin="round" stroke-width="{wide + 12:g}"'
                f' stroke-opacity="0.8"/>'
            )
        yield f'<path d="{track.path}" fill="none" stroke="#8c8676"/>'
        seat = self.pieces.trains.get(number)
        color = f'fill="{_FILL[color_name(route.color)]}" stroke="#333"'
        color += _EDGE.get(route.kind, "") + (self.free if seat is None else "")
        for space in track.spaces:
            turned = f'transform="translate({space.x:g} {space.y:g}) rotate({space.angle:g})"'
            yield (
                f'<rect x="{-long / 2:g}" y="{-wide / 2:g}" width="{long:g}" height="{wide:g}"'
                f" {color} {turned}/>"
            )
            if seat is not None:
                yield (
                    f'<rect x="{2 - long / 2:g}" y="{-1 - wide / 2:g}" width="{long - 4:g}"'
                    f' height="{wide + 2:g}" rx="3" fill="{self.pieces.colors[seat]}"'
                    f' stroke="{_INK}" stroke-width="1.5" {turned}/>'
                )
        if seat is not None and track.spaces:
            middle = track.spaces[len(track.spaces) // 2]
            yield self.number(middle.x, middle.y, seat, 0.7 * self.plate.label_size)

    def number(self, x: float, y: float, seat: int, size: float) -> str:
        """The number of a seat, from 1, on its colour."""
        color = ink_on(self.pieces.colors[seat])
        return (
            f'<text x="{x:g}" y="{y + 0.36 * size:g}" text-anchor="middle" {_FONT}'
            f' font-size="{size:g}" font-weight="bold" fill="{color}">{seat + 1}</text>'
        )

    def path(self) -> Iterator[str]:
        """The traced routes: a band with dark edges, below the trains."""
        wide = self.plate.space_width
        for color, width in ((_INK, wide + 18), (_TRACE, wide + 13)):
            for route in self.pieces.path:
                yield (
                    f'<path d="{self.line(route)}" fill="none" stroke="{color}"'
                    f' stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"/>'
                )

    def line(self, number: int) -> str:
        """The line of a route between the middles of its cities; outer lanes end beside them."""
        route, track = self.board.routes[number], self.plate.tracks[number]
        a, b = (self.plate.cities[city] for city in (route.a, route.b))
        return f"M{a.x:g} {a.y:g}L{track.path[1:]}L{b.x:g} {b.y:g}"

    def tickets(self) -> Iterator[str]:
        """A dashed line between the cities of each ticket, below the tracks."""
        for pair in self.pieces.tickets:
            a, b = (self.plate.cities[city] for city in pair)
            yield (
                f'<line x1="{a.x:g}" y1="{a.y:g}" x2="{b.x:g}" y2="{b.y:g}" stroke="#7a1fa2"'
                ' stroke-width="4" stroke-dasharray="2 9" stroke-linecap="round"/>'
            )

    def city(self, number: int) -> Iterator[str]:
        place, radius = self.plate.cities[number], self.plate.city_radius
        at = f'cx="{place.x:g}" cy="{place.y:g}"'
        if number in self.pieces.marked_cities:
            yield f'<circle {at} r="{radius + 7:g}" fill="{_MARK}" fill-opacity="0.8"/>'
        wanted = any(number in pair for pair in self.pieces.tickets)
        rim = 'stroke="#7a1fa2" stroke-width="5"' if wanted else 'stroke="#333" stroke-width="2"'
        yield (
            f'<circle {at} r="{radius:g}" fill="#fff" {rim}/>'
            f'<text x="{place.label_x:g}" y="{place.label_y:g}" text-anchor="{place.anchor}"'
            f' {_FONT} font-size="{self.plate.label_size:g}"'
            f' fill="{_INK}">{escape(self.board.cities[number].label)}</text>'
        )

    def tokens(self) -> Iterator[str]:
        """Stations and markers, side by side on their cities, and Alvin."""
        radius = self.plate.city_radius
        placed: dict[int, int] = {}
        for city, seat in self.pieces.tokens:
            place = self.plate.cities[city]
            x = place.x + 1.6 * radius * placed.setdefault(city, 0)
            placed[city] += 1
            yield self.token(x, place.y, seat)
        if self.pieces.alvin is not None:
            place = self.plate.cities[self.pieces.alvin]
            yield (
                f'<circle cx="{place.x:g}" cy="{place.y - 1.5 * radius:g}" r="{0.8 * radius:g}"'
                f' fill="#8ee04e" stroke="{_INK}" stroke-width="1.5"><title>Alvin</title></circle>'
            )

    def token(self, x: float, y: float, seat: int) -> str:
        """A seat's round token with its number."""
        return (
            f'<circle cx="{x:g}" cy="{y:g}" r="{self.plate.city_radius:g}"'
            f' fill="{self.pieces.colors[seat]}" stroke="{_INK}" stroke-width="2"/>'
            + self.number(x, y, seat, 0.7 * self.plate.label_size)
        )

    def text(self) -> Iterator[str]:
        size = self.plate.label_size
        if self.lines:
            below = (len(self.lines) + 0.5) * self.line_height
            yield (
                f'<rect y="{self.plate.height:g}" width="{self.plate.width:g}"'
                f' height="{below:g}" fill="#fff"/>'
            )
        for row, line in enumerate(self.lines, 1):
            y = self.plate.height + row * self.line_height
            if line.seat is not None:
                yield self.token(size, y - 0.35 * size, line.seat)
            yield (
                f'<text x="{2 * size:g}" y="{y:g}" {_FONT} font-size="{size:g}"'
                f' fill="{_INK}">{escape(line.text)}</text>'
            )
