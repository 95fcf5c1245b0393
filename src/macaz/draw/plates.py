"""The plate of an edition, from its `[plate]` section or a new layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from macaz.draw.check import problems
from macaz.draw.labels import Box, Spot, compass_box, offset_box, place_of
from macaz.draw.layout import Layout, Start, lay_out
from macaz.draw.outlines import Outlines, outlines_of
from macaz.draw.tracks import Bend, tracks_of
from macaz.edition import Edition
from macaz.edition.board import Board
from macaz.edition.plate import (
    CITY_RADIUS,
    LABEL_SIZE,
    LANE_STEP,
    SPACE_LENGTH,
    SPACE_WIDTH,
    Plate,
    stored_plate,
)
from macaz.edition.plate_section import CityMark, Label, PlateSection

NO_LAND = Outlines("", "", "", "", "")
QUICK = 0  # the effort of the layout for a map without a `[plate]` section


def plate_of(edition: Edition) -> Plate:
    """The drawn board of an edition; those of Macaz are stored in the package."""
    return stored_plate(edition) or draw(edition)


def draw(edition: Edition) -> Plate:
    """The drawn board of an edition, from its `[plate]` section or from a quick layout."""
    section = edition.plate or new_section(edition, QUICK)
    places = [(mark.x, mark.y) for mark in _marks(edition.board, section)]
    borders = section.borders
    land = outlines_of(edition, places, section.width, section.height, borders=borders)
    return plate_from(edition.board, section, land)


def new_section(
    edition: Edition,
    effort: int,
    seed: int = 0,
    progress: Callable[[float], None] = lambda _: None,
) -> PlateSection:
    """A new layout of a map; fixed cities of its section keep their positions."""
    board, old = edition.board, edition.plate
    start = None
    fixed: frozenset[int] = frozenset()
    if old and any(mark.fixed for mark in old.cities.values()):
        marks = _marks(board, old)
        fixed = frozenset(index for index, mark in enumerate(marks) if mark.fixed)
        start = Start(
            np.array([[mark.x, mark.y] for mark in marks]),
            np.array([old.width, old.height]),
            fixed,
            {index: _spot(board.cities[index].label, marks[index].label) for index in fixed},
        )

    def count_problems(layout: Layout) -> int:
        plate = plate_from(board, _section_of(board, layout, fixed))
        return len(problems(plate, edition))

    new = _section_of(board, lay_out(board, effort, seed, start, progress, count_problems), fixed)
    return replace(new, borders=old.borders) if old else new


def plate_from(board: Board, section: PlateSection, land: Outlines = NO_LAND) -> Plate:
    """The plate that a section describes."""
    marks = _marks(board, section)
    bends: dict[tuple[int, int], Bend] = {}
    for (one, other), (first, second) in section.bends.items():
        a, b = board.city_index(one), board.city_index(other)
        # From the other end, right becomes left, and the two thirds are swapped.
        bends[min(a, b), max(a, b)] = (first, second) if a < b else (-second, -first)
    return Plate(
        width=section.width,
        height=section.height,
        space_length=SPACE_LENGTH,
        space_width=SPACE_WIDTH,
        lane_step=LANE_STEP,
        city_radius=CITY_RADIUS,
        label_size=LABEL_SIZE,
        cities=tuple(
            place_of(mark.x, mark.y, _box(city.label, mark.label))
            for city, mark in zip(board.cities, marks, strict=True)
        ),
        tracks=tracks_of(board, np.array([[mark.x, mark.y] for mark in marks]), bends),
        land=land.land,
        lakes=land.lakes,
        borders=land.borders,
        provinces=land.provinces,
        graticule=land.graticule,
    )


def _marks(board: Board, section: PlateSection) -> list[CityMark]:
    return [section.cities[city.name] for city in board.cities]


def _box(name: str, label: Label) -> Box:
    return compass_box(name, label) if isinstance(label, str) else offset_box(name, *label)


def _spot(name: str, label: Label) -> Spot:
    return Spot(label if isinstance(label, str) else "", _box(name, label), 0.0)


def _section_of(board: Board, layout: Layout, fixed: frozenset[int]) -> PlateSection:
    cities = {}
    for index, (city, (x, y), spot) in enumerate(
        zip(board.cities, layout.places, layout.spots, strict=True)
    ):
        label: Label = spot.word or (spot.box.dx, spot.box.dy)
        cities[city.name] = CityMark(float(x), float(y), label, index in fixed)
    names = [city.name for city in board.cities]
    bends = {(names[a], names[b]): bend for (a, b), bend in layout.bends.items()}
    return PlateSection(layout.width, layout.height, cities, bends)
