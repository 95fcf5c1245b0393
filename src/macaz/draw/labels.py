"""The places of city labels.

A label is a box with the width of its text in a common typeface, plus a margin. It may be anywhere
around its city; the search chooses places with the least overlap, and among those the usual ones.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from macaz.draw import exact
from macaz.edition.plate import CITY_RADIUS, LABEL_SIZE, Anchor, CityPlace

Floats = NDArray[np.float64]

ASCENT = 0.76  # height of a letter above the baseline, in units of the font size
DESCENT = 0.22  # and below it
GENEROUS = 1.08  # factor of the width, as typefaces differ
CITY_CLEAR = 4.5  # between a city's rim and its label: a token is larger than the city
LEASH = 26.0  # the largest distance between a city's rim and its label
AIR = 3.0  # the desired free space around a label
# Costs of a place in the search:
OUTSIDE = 0.015  # for each unit by which a label enlarges the board
DOUBT = 0.12  # for a label that is hardly nearer to its own city than to another
BEHIND = 8.0  # for a label with a track between it and its city
FAILED = 5.0  # for a place near one where the label overlapped before
FAILED_NEAR = 18.0  # how near, in units of the drawing
STAY = 2.0  # bonus for the present place, so that labels do not oscillate

_WIDTHS = {
    width: letters
    for letters, width in (
        ("ijl'’|", 0.23),
        (" .,tfI!:;/", 0.28),
        ("r()-", 0.34),
        ("sckvxyzJ", 0.50),
        ("abdeghnopquL", 0.556),
        ("FTZ", 0.61),
        ("ABEKPSVXY&", 0.667),
        ("wCDHNRU", 0.722),
        ("GOQ", 0.778),
        ("mM", 0.833),
        ("W", 0.944),
    )
}
_LETTERS = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHER = 0.6
_OTHER_WIDE = 1.0  # East Asian wide characters

# The directions of the usual places, and below their costs.
_TOWARDS = {
    "e": (1, 0),
    "w": (-1, 0),
    "n": (0, -1),
    "s": (0, 1),
    "ne": (1, -1),
    "se": (1, 1),
    "nw": (-1, -1),
    "sw": (-1, 1),
}
_LIKED = {"e": 0.0, "ne": 0.4, "se": 0.6, "n": 0.7, "w": 0.8, "s": 0.9, "nw": 1.1, "sw": 1.2}


@dataclass(frozen=True, slots=True)
class Box:
    """A label's box: the offset of its centre from its city, and half of its width and height."""

    dx: float
    dy: float
    half_width: float
    half_height: float


def text_width(text: str) -> float:
    """The width of a label in units of the drawing."""
    total = 0.0
    for letter in text:
        base = unicodedata.normalize("NFD", letter)[0]
        wide = unicodedata.east_asian_width(base) in "WF"
        total += _LETTERS.get(base, _OTHER_WIDE if wide else _OTHER)
    return total * GENEROUS * LABEL_SIZE


def box_size(text: str) -> tuple[float, float]:
    """Half of the width and the height of a label's box."""
    return text_width(text) / 2, (ASCENT + DESCENT) * LABEL_SIZE / 2


def compass_box(text: str, word: str) -> Box:
    """The box of a label at one of the usual places."""
    half, tall = box_size(text)
    across, down = _TOWARDS[word]
    clear = CITY_RADIUS + CITY_CLEAR
    if across and down:  # so that the corner is as far away as an edge is elsewhere
        clear *= 0.72
    return Box(across * (clear + half), down * (clear + tall), half, tall)


def offset_box(text: str, dx: float, dy: float) -> Box:
    """The box of a label with a given centre."""
    return Box(dx, dy, *box_size(text))


def place_of(x: float, y: float, box: Box) -> CityPlace:
    """The city and its label, anchored at the side nearest to the city."""
    anchor: Anchor = "middle"
    label_x = x + box.dx
    if box.dx >= box.half_width:
        anchor, label_x = "start", label_x - box.half_width
    elif box.dx <= -box.half_width:
        anchor, label_x = "end", label_x + box.half_width
    label_y = y + box.dy + (ASCENT - DESCENT) / 2 * LABEL_SIZE
    return CityPlace(round(x, 2), round(y, 2), round(label_x, 2), round(label_y, 2), anchor)


def label_box(text: str, place: CityPlace) -> tuple[float, float, float, float]:
    """A placed label's left, top, right and bottom."""
    width = text_width(text)
    left = place.label_x - {"start": 0.0, "middle": width / 2, "end": width}[place.anchor]
    top = place.label_y - ASCENT * LABEL_SIZE
    return left, top, left + width, place.label_y + DESCENT * LABEL_SIZE


@dataclass(frozen=True, slots=True)
class Spot:
    """A possible place of a label; `word` is one of COMPASS, or "" for a free offset."""

    word: str
    box: Box
    cost: float


def spots(text: str) -> list[Spot]:
    """All places for a label that the search considers."""
    half, tall = box_size(text)
    found = [Spot(word, compass_box(text, word), _LIKED[word]) for word in _TOWARDS]
    for gap in (CITY_CLEAR + more for more in (0, 5, 11, 17, 23)):
        away = CITY_RADIUS + gap
        far = (gap - CITY_CLEAR) / 4
        for side in (-1, 1):
            for slide in np.linspace(-1, 1, 13):
                dx, dy = round(slide * half), round(side * (away + tall))
                cost = 1.6 + far + 0.8 * abs(slide) + (0.2 if side > 0 else 0.0)
                found.append(Spot("", Box(dx, dy, half, tall), cost))
            for slide in np.linspace(-1, 1, 9):
                dx = round(side * (away + half + 0.5))
                dy = round(slide * (CITY_RADIUS + tall + 4))
                cost = 1.4 + far + 0.8 * abs(slide) + (0.3 if side < 0 else 0.0)
                found.append(Spot("", Box(dx, dy, half, tall), cost))
    return [spot for spot in found if _clears_city(spot.box)]


def moved(spot: Spot, dx: float, dy: float) -> Spot:
    """The spot with a new offset; unchanged if it moved by less than one unit."""
    box = spot.box
    if exact.length(dx - box.dx, dy - box.dy) < 1:
        return spot
    return Spot("", Box(round(dx), round(dy), box.half_width, box.half_height), spot.cost)


def _clears_city(box: Box) -> bool:
    nearest = exact.length(
        max(abs(box.dx) - box.half_width, 0.0), max(abs(box.dy) - box.half_height, 0.0)
    )
    return bool(nearest >= CITY_RADIUS + CITY_CLEAR - 0.7)


def box_distance(points: Floats, middles: Floats, halves: Floats) -> Floats:
    """The distance of points from boxes, negative inside; the arrays are broadcast."""
    beyond = np.abs(points - middles) - halves
    outside = np.maximum(beyond, 0.0)
    inside = np.minimum(beyond.max(axis=-1), 0.0)
    return np.asarray(exact.length(outside[..., 0], outside[..., 1]) + inside)


def choose_spots(
    names: Sequence[str],
    places: Floats,
    points: Floats,
    radii: Floats,
    rng: np.random.Generator,
    fixed: dict[int, Spot] | None = None,
    before: Sequence[Spot] = (),
    failed: Sequence[tuple[int, Box]] = (),
) -> list[Spot]:
    """A place for each label, away from round obstacles, other cities and other labels.

    `before` has the present places, `failed` boxes of labels that overlapped before.
    """
    fixed = fixed or {}
    options = [[fixed[i]] if i in fixed else spots(name) for i, name in enumerate(names)]
    for number, spot in enumerate(before):
        options[number].append(spot)
    boxes = [
        np.array([[s.box.dx, s.box.dy, s.box.half_width, s.box.half_height] for s in some])
        for some in options
    ]
    costs = []
    low, high = points.min(axis=0), points.max(axis=0)
    for city, (some, box) in enumerate(zip(options, boxes, strict=True)):
        cost = np.array([spot.cost for spot in some])
        if before:
            cost[-1] -= STAY
        for number, where in failed:
            if number == city:
                near = exact.length(box[:, 0] - where.dx, box[:, 1] - where.dy) < FAILED_NEAR
                cost += FAILED * near
        middles, halves = places[city] + box[:, None, :2], box[:, None, 2:]
        beyond = np.maximum(low - middles + halves, middles + halves - high)[:, 0]
        cost += OUTSIDE * np.maximum(beyond, 0.0).sum(axis=1)
        near = exact.length(*(points - places[city]).T) < 60 + 2 * halves[0, 0, 0]
        room = box_distance(points[near], middles, halves) - radii[near]
        cost = cost + _touch(room).sum(axis=1)
        others = np.delete(places, city, axis=0)
        cost += BEHIND * _behind_tracks(places[city], box, points[near])
        away = box_distance(others, middles, halves)
        cost += 2 * _touch(away - CITY_RADIUS - 3).sum(axis=1)
        own = box_distance(places[city], middles[:, 0], halves[:, 0])
        cost += DOUBT * np.maximum(1.7 * own - away.min(axis=1), 0.0)
        costs.append(cost)
    chosen = [int(cost.argmin()) for cost in costs]
    for _ in range(12):
        changed = False
        for city in rng.permutation(len(names)):
            cost = costs[city].copy()
            box = boxes[city]
            for other in range(len(names)):
                if other != city:
                    theirs = boxes[other][chosen[other]]
                    apart = np.abs(places[city] + box[:, :2] - places[other] - theirs[:2])
                    cost += 3 * _touch((apart - box[:, 2:] - theirs[2:]).max(axis=1))
            best = int(cost.argmin())
            changed |= best != chosen[city]
            chosen[city] = best
        if not changed:
            break
    return [some[index] for some, index in zip(options, chosen, strict=True)]


def _behind_tracks(city: Floats, boxes: Floats, points: Floats) -> Floats:
    """For each possible box of a label: whether a track runs between it and the city."""
    beyond = np.maximum(np.abs(boxes[:, :2]) - boxes[:, 2:], 0.0) * np.sign(boxes[:, :2])
    behind = np.zeros(len(boxes))
    for part in (0.55, 0.7, 0.85, 1.0):
        way = city + part * beyond
        apart = way[:, None] - points[None]
        behind = np.maximum(behind, (exact.length(apart[..., 0], apart[..., 1]) < 6).any(axis=1))
    return behind


def crowded(
    places: Floats, chosen: Sequence[Spot], points: Floats, radii: Floats
) -> list[tuple[int, Box]]:
    """The labels that touch obstacles or each other, with their boxes."""
    boxes = [spot.box for spot in chosen]
    middles = places + np.array([[box.dx, box.dy] for box in boxes])
    halves = np.array([[box.half_width, box.half_height] for box in boxes])
    found = []
    for city, box in enumerate(boxes):
        room = box_distance(points, middles[city], halves[city]) - radii
        apart = (np.abs(middles - middles[city]) - halves - halves[city]).max(axis=1)
        apart[city] = np.inf
        if room.min() < 0.5 or apart.min() < 0.5:
            found.append((city, box))
    return found


def _touch(room: Floats) -> Floats:
    """The cost of a distance between a label and something else: large below 0, none from `AIR`."""
    near = 0.04 * np.square(AIR - room) + np.where(room < 0, 4 - room, 0.0)
    return np.where(room < AIR, near, 0.0)
