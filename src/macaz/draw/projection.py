"""A conformal map projection for the cities of one edition.

It is Lambert's conformal conic projection with two standard parallels chosen by the cities'
latitudes. It becomes Mercator's where the cities lie on both sides of the equator or all around the
Earth, and polar stereographic where they lie all around a pole.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from macaz.draw import exact

Floats = NDArray[np.float64]

EARTH_RADIUS = 6371.0  # kilometres
WIDE = math.radians(170)  # a map wider than this is not drawn as a cone
POLAR = math.radians(60)  # a wide map beyond this latitude is drawn as a disc
FLAT_CONE = 0.02  # a cone constant below this is treated as a cylinder
LAST_LATITUDE = math.radians(88)  # the projections are infinite at a pole


class OnEarth(Protocol):
    """Anything with a latitude and a longitude in degrees, such as a city."""

    @property
    def lat(self) -> float:
        """Degrees north of the equator."""

    @property
    def lon(self) -> float:
        """Degrees east of Greenwich."""


@dataclass(frozen=True, slots=True)
class Projection:
    """A conformal projection: angles in radians, kilometres on the plane, y pointing down.

    The cities' middle is near (0, 0). `cone` is the cone constant: 1 a disc around the north pole,
    0 a cylinder, -1 a disc around the south pole. Scale is true at `true_latitude`.
    """

    cone: float
    true_latitude: float
    middle_lat: float
    middle_lon: float

    @classmethod
    def for_cities(cls, cities: Sequence[OnEarth]) -> Projection:
        """The projection for these cities; at least one is needed."""
        if not cities:
            raise ValueError("a projection needs at least one city")
        lats = np.radians([city.lat for city in cities])
        south, north = _inside(float(lats.min())), _inside(float(lats.max()))
        middle_lat = (south + north) / 2
        middle_lon, width = _shortest_arc(np.radians([city.lon for city in cities]))
        if width > WIDE:
            cone = math.copysign(1.0, middle_lat) if abs(middle_lat) > POLAR else 0.0
            return cls(cone, middle_lat, middle_lat, middle_lon)
        # The usual rule of thumb: standard parallels a sixth of the height inside each edge.
        sixth = (north - south) / 6
        first, second = south + sixth, north - sixth
        cone = _cone_constant(first, second)
        return cls(0.0 if abs(cone) < FLAT_CONE else cone, first, middle_lat, middle_lon)

    def project(self, lat: ArrayLike, lon: ArrayLike) -> tuple[Floats, Floats]:
        """The positions in the plane of points given in degrees."""
        phi = np.clip(np.radians(np.asarray(lat, np.float64)), -LAST_LATITUDE, LAST_LATITUDE)
        along = self.longitude_from_middle(lon)
        if self.cone == 0.0:
            scale = self._scale()
            height = _isometric(phi) - _isometric(np.float64(self.middle_lat))
            return scale * along, -scale * height
        middle = self._radius(np.float64(self.middle_lat))
        radius = self._radius(phi)
        turn = self.cone * along
        return radius * exact.sin(turn), radius * exact.cos(turn) - middle

    def unproject(self, x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
        """The latitudes and longitudes, in degrees, of places in the plane.

        Longitudes are continuous around the middle one, and may be beyond -180 to 180.
        """
        east, down = np.asarray(x, np.float64), np.asarray(y, np.float64)
        if self.cone == 0.0:
            scale = self._scale()
            height = _isometric(np.float64(self.middle_lat)) - down / scale
            along = east / scale
        else:
            side = math.copysign(1.0, self.cone)
            below = down + self._radius(np.float64(self.middle_lat))
            factor = self._radius(np.float64(0.0))
            height = -exact.log(exact.length(east, below) / abs(factor)) / self.cone
            along = exact.atan2(side * east, side * below) / self.cone
        phi = 2 * exact.atan2(exact.exp(height), 1.0) - math.pi / 2
        return np.degrees(phi), np.degrees(self.middle_lon + along)

    def longitude_from_middle(self, lon: ArrayLike) -> Floats:
        """Longitudes in degrees relative to the middle one, in radians from -pi to pi."""
        along = np.radians(np.asarray(lon, np.float64)) - self.middle_lon
        return np.asarray((along + math.pi) % (2 * math.pi) - math.pi, np.float64)

    def _scale(self) -> float:
        """Kilometres per radian of longitude where scale is true."""
        return EARTH_RADIUS * float(exact.cos(self.true_latitude))

    def _radius(self, phi: Floats | np.float64) -> Floats:
        """The distance from the cone's tip, negative for a cone that opens to the north."""
        at_true = _isometric(np.float64(self.true_latitude))
        scale = self._scale() / self.cone
        return np.asarray(scale * exact.exp(self.cone * (at_true - _isometric(phi))), np.float64)


def _inside(latitude: float) -> float:
    """The nearest latitude at which the projections are defined."""
    return min(max(latitude, -LAST_LATITUDE), LAST_LATITUDE)


def _isometric(phi: Floats | np.float64) -> Floats:
    """The isometric latitude: Mercator's height for a globe of radius 1."""
    sine = exact.sin(phi)
    return exact.log((1 + sine) / (1 - sine)) / 2


def _cone_constant(first: float, second: float) -> float:
    """The constant of the cone that cuts the globe at two latitudes, or touches it at one."""
    if second - first < 1e-6:
        return float(exact.sin(first))
    narrowing = float(exact.log(exact.cos(first) / exact.cos(second)))
    return narrowing / float(_isometric(np.float64(second)) - _isometric(np.float64(first)))


def _shortest_arc(lons: Floats) -> tuple[float, float]:
    """The middle and the width of the shortest arc that holds all longitudes."""
    around = np.sort(lons % (2 * math.pi))
    gaps = np.diff(around, append=around[0] + 2 * math.pi)
    widest = int(gaps.argmax())
    start = float(around[(widest + 1) % len(around)])
    width = 2 * math.pi - float(gaps[widest])
    middle = start + width / 2
    return (middle + math.pi) % (2 * math.pi) - math.pi, width
