"""The final picture of a game: its board with all trains, the longest path, names and points; SVG.

The page draws its own, with its own board and in the language of the player
(`web/src/poster`); the arrangement is the same.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

from macaz.edition.picture import SEAT_COLORS, Pieces, board_inside, ink_on
from macaz.game.outcome import NotOver, longest_paths
from macaz.game.show import drawn_plate, pieces_of

if TYPE_CHECKING:
    from macaz.edition.plate import Plate
    from macaz.game import Game
    from macaz.game.outcome import SeatScore

# The colours of seats at a table, as in `web/src/style/tokens.css`.
TABLE_COLORS = {
    "blue": "#1f5fa8",
    "red": "#b8261d",
    "green": "#2b7a3d",
    "yellow": "#e3b312",
    "black": "#26231f",
    "purple": "#7a3f97",
}

WIDTH = 1600
_MARGIN = 40
_HEAD = 132  # the title above the board
_GAP = 28
_BOARD_HEIGHT = 1010  # at most
_SIDE = 1.3  # boards of a lower width / height have the seats beside them, not below
_SEAT = 222  # the height of a seat's box below a board
_TALLEST = 280  # beside it, at most
_LOW = 200  # a box of less height has fewer and closer lines
_COLUMN = 440  # the width of the seats beside a board

_PAPER, _RAISED, _INK, _SOFT, _LINE = "#f5eedd", "#fdf9ef", "#2a241c", "#5c5243", "#cbbd9f"
_GOLD = "#8a6210"
_TEXT = "font-family=\"'Alegreya Sans', 'Liberation Sans', Arial, sans-serif\""
_TITLE = "font-family=\"Alegreya, Georgia, 'Liberation Serif', serif\""
_LETTER = 0.66  # the width of a letter in heights of the font, in the widest usual font
_STAR = "M0-15L4.4-4.9L15.4-3.9L7.1 3.4L9.6 14.2L0 8.5L-9.6 14.2L-7.1 3.4L-15.4-3.9L-4.4-4.9Z"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class _Box:
    x: float
    y: float
    width: float
    height: float


def final_picture(game: Game, colors: Sequence[str] | None = None) -> str:
    """The final picture of a game that is over, as an SVG file.

    `colors` has the colour of each seat by its name at a table; without it seats are coloured as in
    other pictures. Raises `NotOver`.
    """
    return "\n".join(_Poster(game, colors).parts()) + "\n"


class _Poster:
    def __init__(self, game: Game, colors: Sequence[str] | None) -> None:
        if game.outcome is None:
            raise NotOver("the game is not over: its picture is there at the end")
        self.game, self.outcome = game, game.outcome
        self.colors = SEAT_COLORS if colors is None else tuple(TABLE_COLORS[c] for c in colors)
        self.plate = drawn_plate(game.edition)
        won, totals = self.outcome.winners, self.outcome.totals  # who resigned may have more points
        self.ranking = sorted(range(game.seats), key=lambda s: (s not in won, -totals[s]))
        self.board, self.boxes, self.height = _arranged(self.plate, game.seats)

    def parts(self) -> Iterator[str]:
        size = f'width="{WIDTH}" height="{self.height:g}"'
        title = _visible(self.game.edition.title)
        seen = f'viewBox="0 0 {WIDTH} {self.height:g}" {size}'
        yield f'<svg xmlns="http://www.w3.org/2000/svg" {seen}>'
        yield f"<title>{escape(f'{title}: {self.verdict()}')}</title>"
        yield f'<rect {size} fill="{_PAPER}"/>'
        yield from self.head(title)
        x, y = self.board.x, self.board.y
        around = f'width="{self.board.width:g}" height="{self.board.height:g}"'
        yield from board_inside(
            self.plate,
            self.game.edition.board,
            self.pieces(),
            x,
            y,
            self.board.width,
            self.board.height,
        )
        yield f'<rect x="{x:g}" y="{y:g}" {around} fill="none" stroke="{_SOFT}" stroke-width="3"/>'
        for seat, box in zip(self.ranking, self.boxes, strict=True):
            yield from self.seat(seat, box)
        yield "</svg>"

    def pieces(self) -> Pieces:
        """What lies on the board, with the path of those who have the bonus for the longest."""
        paths = longest_paths(self.game)
        best = [seat for seat, score in enumerate(self.outcome.seats) if score.longest_path > 0]
        traced = tuple(route for seat in best for route in paths[seat]) if paths else ()
        return replace(pieces_of(self.game.view(None)), path=traced, colors=self.colors)

    def verdict(self) -> str:
        names = [_visible(self.game.names[seat]) for seat in self.outcome.winners]
        return f"{' and '.join(names)} {'share the victory' if len(names) > 1 else 'won'}"

    def head(self, title: str) -> Iterator[str]:
        room = WIDTH - 2 * _MARGIN - 420
        text, size = _fitted(title, 72, room)
        yield _text(text, _MARGIN, 92, size, f'{_TITLE} font-weight="bold" fill="{_INK}"')
        right = WIDTH - _MARGIN
        date = _DATE.match(self.game.date or "")
        small = f'{_TEXT} text-anchor="end" fill="{_SOFT}"'
        yield _text("Macaz", right, 62, 40, small + ' font-weight="bold"')
        if date:
            day = datetime.date.fromisoformat(date.group())
            yield _text(f"{day.day} {day:%B %Y}", right, 104, 36, small)

    def seat(self, seat: int, box: _Box) -> Iterator[str]:
        """The box of a seat: its colour, its name, its points and their reasons."""
        score = self.outcome.seats[seat]
        won = seat in self.outcome.winners
        edge = f'stroke="{_GOLD}" stroke-width="5"' if won else f'stroke="{_LINE}" stroke-width="2"'
        inner = box.width - 56
        yield f'<g transform="translate({box.x:g} {box.y:g})">'
        yield (
            f'<rect width="{box.width:g}" height="{box.height:g}" rx="12" fill="{_RAISED}" {edge}/>'
            f'<rect x="16" y="20" width="12" height="{box.height - 40:g}" rx="6"'
            f' fill="{self.colors[seat]}"/>'
        )
        points = str(score.total)
        yield _text(
            points,
            box.width - 20,
            74,
            72,
            f'{_TITLE} font-weight="bold" text-anchor="end" fill="{_GOLD if won else _INK}"',
        )
        if won:
            yield f'<path d="{_STAR}" fill="{_GOLD}" transform="translate(112 50)"/>'
        name, size = _fitted(_visible(self.game.names[seat]), 44, inner)
        low = box.height < _LOW
        yield _text(
            name, 44, 112 if low else 122, size, f'{_TEXT} font-weight="bold" fill="{_INK}"'
        )
        color = self.colors[seat]
        yield f'<circle cx="68" cy="50" r="24" fill="{color}" stroke="{_INK}" stroke-width="2"/>'
        number = f'{_TEXT} font-weight="bold" text-anchor="middle" fill="{ink_on(color)}"'
        yield _text(str(seat + 1), 68, 61, 32, number)
        for line, words in enumerate(_reasons(score, inner)[: 2 if low else 3]):
            yield _text(words, 44, (138 if low else 153) + 29 * line, 26, f'{_TEXT} fill="{_SOFT}"')
        yield "</g>"


def _arranged(plate: Plate, seats: int) -> tuple[_Box, list[_Box], float]:
    """Where the board and the seats lie, and the height of the picture."""
    shape = plate.width / plate.height
    inner = WIDTH - 2 * _MARGIN
    if shape < _SIDE:
        width = inner - _COLUMN - _GAP
        height = min(_BOARD_HEIGHT, width / shape)
        board = _Box(_MARGIN + (width - height * shape) / 2, _HEAD, height * shape, height)
        step = min(_TALLEST + 16, (height + 16) / seats)
        x = WIDTH - _MARGIN - _COLUMN
        boxes = [_Box(x, _HEAD + step * i, _COLUMN, step - 16) for i in range(seats)]
        return board, boxes, _HEAD + height + _MARGIN
    height = min(_BOARD_HEIGHT, inner / shape)
    board = _Box((WIDTH - height * shape) / 2, _HEAD, height * shape, height)
    step = (inner + 16) / seats
    y = _HEAD + height + _GAP
    boxes = [_Box(_MARGIN + step * i, y, step - 16, _SEAT) for i in range(seats)]
    return board, boxes, y + _SEAT + _MARGIN


def _reasons(score: SeatScore, room: float) -> list[str]:
    """The points by reason, on as few lines as fit."""
    lines: list[str] = []
    for name, points in score.parts.items():
        part = f"{name} {points:+d}".replace("-", "\N{MINUS SIGN}")
        if not points:
            continue
        joined = f"{lines[-1]} · {part}" if lines else part
        if lines and _width(joined, 0.85 * 26) <= room:
            lines[-1] = joined
        else:
            lines.append(part)
    return lines


def _visible(text: str) -> str:
    """The text without what cannot be printed: XML does not allow all of it."""
    return "".join(char if char.isprintable() else " " for char in text)


def _width(text: str, size: float) -> float:
    return sum(size * (1.0 if unicodedata.east_asian_width(c) in "WF" else _LETTER) for c in text)


def _fitted(text: str, size: float, room: float) -> tuple[str, float]:
    """The text in a size at which it fits: a little smaller, or else cut."""
    small = max(0.68 * size, min(size, size * room / max(1.0, _width(text, size))))
    if _width(text, small) <= room + 1:
        return text, small
    while text and _width(text + "…", small) > room:
        text = text[:-1]
    return text.rstrip() + "…", small


def _text(text: str, x: float, y: float, size: float, style: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" {style}>{escape(text)}</text>'
