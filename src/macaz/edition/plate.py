"""The geometry of a drawn board, in units of the drawing; x points right and y down."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from macaz.edition import Edition

SPACE_LENGTH = 40.0  # of one space of a track, along it
SPACE_WIDTH = 13.0
LANE_STEP = 17.0  # between the middles of two lanes of a double route
CITY_RADIUS = 10.0
LABEL_SIZE = 20.0  # the height of a label's letters (the em)

COMPASS = ("e", "w", "n", "s", "ne", "se", "nw", "sw")  # places of a label around its city

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class CityPlace:
    """The position of a city, and of its label: the `anchor` point on the text's baseline."""

    x: float
    y: float
    label_x: float
    label_y: float
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Space:
    """The centre of a space, and its clockwise rotation in degrees."""

    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True)
class Track:
    """One lane from its first city to its second: its centre line as an SVG path, its spaces."""

    path: str
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class Plate:
    """A drawn board: cities and tracks in the order of the edition's cities and routes.

    `land`, `lakes`, `borders`, `provinces` and `graticule` are SVG paths, which may be empty;
    `land` and `lakes` are areas (even-odd), the others are lines.
    """

    width: float
    height: float
    space_length: float
    space_width: float
    lane_step: float
    city_radius: float
    label_size: float
    cities: tuple[CityPlace, ...]
    tracks: tuple[Track, ...]
    land: str
    lakes: str
    borders: str
    provinces: str
    graticule: str


def stored_plate(edition: Edition) -> Plate | None:
    """The plate that the package has of one of its editions; None for any other map."""
    import msgspec

    if edition.source != f"macaz:{edition.id}":
        return None
    stored = files("macaz").joinpath("editions", "plates", f"{edition.id}.json")
    return msgspec.json.decode(stored.read_bytes(), type=Plate) if stored.is_file() else None
