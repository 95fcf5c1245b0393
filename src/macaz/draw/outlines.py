"""The outlines below a board: real coasts and borders, distorted to match the layout's cities.

The outlines of the Earth are projected for the edition's cities, distorted (`warp`), clipped to the
board, simplified and written as smooth paths.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from macaz.draw import exact
from macaz.draw.curves import eased, line_path, ring_path, straight_path
from macaz.draw.earth import load_earth
from macaz.draw.projection import Floats, Projection
from macaz.draw.rings import (
    Bounds,
    clip_line,
    clip_ring,
    inside,
    line_length,
    nearest_on_rings,
    ring_area,
    ring_length,
    subdivided,
    thinned,
    without_spikes,
)
from macaz.draw.warp import Warp
from macaz.edition import Edition

# Lengths are in units of the drawing, areas in their squares.
MARGIN = 40.0  # how far outlines extend beyond the board, so that no cut is visible
WINDOW = 0.4  # margin of the part of the Earth used, as a fraction of the longer side
AREA_EDGE = 6.0  # the longest edge of an area before it is distorted
LINE_EDGE = 2.0  # of a line, which is also the precision of its cuts at water
GRID_EDGE = 20.0  # of a meridian or parallel
COAST_DETAIL = 2.0  # the smallest triangle of a coast that is kept
LINE_DETAIL = 1.4
GRID_DETAIL = 8.0
SHARPEST = 24.0  # the smallest angle of a corner, in degrees: sharper ones look like blots
NARROWEST = 2.0  # the shortest edge at the tip of an inlet or a headland
COAST_BEND = 5.0  # how far a corner is rounded
LINE_BEND = 3.0
SMALLEST_ISLAND = 14.0  # by its area
SMALLEST_LAKE = 100.0
THINNEST_ISLAND = 1.2  # by its area over half its outline, which is about its width
THINNEST_LAKE = 4.0
SHORTEST_LINE = 6.0
INLAND = 1.5  # distance from the shore to which a city in the water is moved
FARTHEST_SHORE = 40.0  # a city farther out than this is left in the water
GRID_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30)  # degrees between two meridians or parallels
GRID_SPACE = 250.0  # the distance of meridians or parallels that the step is chosen for


@dataclass(frozen=True, slots=True)
class Outlines:
    """SVG paths, empty where there is nothing: areas (even-odd) and lines, as in `Plate`.

    The graticule has straight edges in absolute coordinates, the others are relative curves.
    """

    land: str
    lakes: str
    borders: str
    provinces: str
    graticule: str


def outlines_of(
    edition: Edition,
    places: Sequence[tuple[float, float]],
    width: float,
    height: float,
    *,
    borders: bool = True,
) -> Outlines:
    """The outlines below an edition's board, whose cities lie at `places`.

    Without `borders` neither those of countries nor of provinces are drawn.
    """
    sheet = _Sheet(edition, np.array(places, np.float64), width, height)
    land = sheet.areas(sheet.land, SMALLEST_ISLAND, THINNEST_ISLAND)
    lakes = sheet.areas(sheet.lakes, SMALLEST_LAKE, THINNEST_LAKE)
    country_lines = sheet.lines(load_earth().borders, land, lakes) if borders else []
    province_lines = sheet.lines(load_earth().provinces, land, lakes) if borders else []
    return Outlines(
        land=_area_paths(land, sheet.coarseness),
        lakes=_area_paths(lakes, sheet.coarseness),
        borders=_line_paths(country_lines, sheet.coarseness),
        provinces=_line_paths(province_lines, sheet.coarseness),
        graticule="".join(map(straight_path, sheet.graticule())),
    )


class _Sheet:
    """The projection and distortion of the Earth for one board."""

    def __init__(self, edition: Edition, places: Floats, width: float, height: float) -> None:
        self.places = places
        self.bounds: Bounds = (-MARGIN, -MARGIN, width + MARGIN, height + MARGIN)
        self.projection = Projection.for_cities(edition.board.cities)
        sources = self.projected(np.array([(city.lon, city.lat) for city in edition.board.cities]))
        rough = Warp.roughly(sources, places)
        self.kilometre = math.sqrt(abs(exact.determinant(rough.matrix)))  # in units
        self.window = self.seen_from(rough, width, height)
        self.land = self.rings_near(load_earth().land)
        self.lakes = self.rings_near(load_earth().lakes)
        self.warp = Warp.onto(self.on_land(sources), places, width, height)

    @property
    def coarseness(self) -> float:
        """The typical length of an edge of the stored outlines on the board, in units."""
        return 4.0 * self.kilometre

    def projected(self, points: Floats) -> Floats:
        """Points given as (longitude, latitude), projected but not distorted."""
        return np.stack(self.projection.project(points[:, 1], points[:, 0]), axis=1)

    def seen_from(self, warp: Warp, width: float, height: float) -> Bounds:
        """A window of longitudes and latitudes that contains the board."""
        edge = WINDOW * max(width, height)
        corners = np.meshgrid(
            np.linspace(-edge, width + edge, 30), np.linspace(-edge, height + edge, 30)
        )
        back = warp.back(np.stack(corners, axis=-1).reshape(-1, 2))
        lats, lons = self.projection.unproject(back[:, 0], back[:, 1])
        middle = math.degrees(self.projection.middle_lon)
        west, east = float(lons.min()), float(lons.max())
        if east - west > 300:  # a pole may be in sight, and with it every longitude
            west, east = middle - 180, middle + 180
        return (
            max(west, middle - 179.999),
            max(float(lats.min()) - 1, -88.0),
            min(east, middle + 179.999),
            min(float(lats.max()) + 1, 88.0),
        )

    def degrees(self, units: float) -> float:
        """Units of the drawing as degrees of latitude."""
        return units / self.kilometre / 111.0

    def rings_near(self, rings: Iterable[Floats]) -> list[Floats]:
        """The projected rings, clipped to the window."""
        edge = self.degrees(AREA_EDGE)
        found = [clip_ring(ring, self.window) for ring in _around(rings, self.window)]
        return [self.projected(subdivided(r, edge, closed=True)) for r in found if len(r)]

    def on_land(self, sources: Floats) -> Floats:
        """The projected cities, those in the water moved to the nearest shore."""
        moved = sources.copy()
        for number in np.flatnonzero(~_dry(sources, self.land, self.lakes)):
            shore = nearest_on_rings(sources[number], [*self.land, *self.lakes])
            if shore is None:
                continue
            away = shore - sources[number]
            far = float(exact.length(*away))
            if far * self.kilometre < FARTHEST_SHORE:
                moved[number] = shore + away * (INLAND / self.kilometre / max(far, 1e-9))
        return moved

    def areas(self, rings: Iterable[Floats], smallest: float, thinnest: float) -> list[Floats]:
        """Projected areas on the board, except small and thin ones without a city."""
        found = []
        for ring in rings:
            on_sheet = clip_ring(self.warp(ring), self.bounds)
            if len(on_sheet) == 0:
                continue
            area = ring_area(on_sheet)
            thin = area < thinnest * ring_length(on_sheet) / 2
            if (area < smallest or thin) and not inside(self.places, [on_sheet]).any():
                continue
            simple = thinned(on_sheet, COAST_DETAIL, closed=True)
            found.append(without_spikes(simple, SHARPEST, NARROWEST))
        return found

    def lines(
        self, lines: Iterable[Floats], land: list[Floats], lakes: list[Floats]
    ) -> list[Floats]:
        """The lines on the board, without their parts over water."""
        edge = self.degrees(LINE_EDGE)
        pieces = [
            piece
            for line in _around(lines, self.window)
            for inner in clip_line(line, self.window)
            for piece in clip_line(
                self.warp(self.projected(subdivided(inner, edge, closed=False))), self.bounds
            )
        ]
        dry = [run for piece in pieces for run in _runs(piece, _dry(piece, land, lakes))]
        return [
            thinned(run, LINE_DETAIL, closed=False)
            for run in dry
            if line_length(run) > SHORTEST_LINE
        ]

    def graticule(self) -> list[Floats]:
        """Meridians and parallels at round degrees."""
        west, south, east, north = self.window
        lat_step = _round_step(self.degrees(GRID_SPACE))
        wider = float(exact.cos(self.projection.middle_lat))
        lon_step = _round_step(self.degrees(GRID_SPACE) / wider)
        edge = self.degrees(GRID_EDGE)
        lines = [
            np.array([(lon, south), (lon, north)])
            for lon in np.arange(math.ceil(west / lon_step), east / lon_step) * lon_step
        ] + [
            np.array([(west, lat), (east, lat)])
            for lat in np.arange(math.ceil(south / lat_step), north / lat_step) * lat_step
        ]
        bent = [self.warp(self.projected(subdivided(line, edge, closed=False))) for line in lines]
        pieces = [piece for line in bent for piece in clip_line(line, self.bounds)]
        return [thinned(piece, GRID_DETAIL, closed=False) for piece in pieces]


def _round_step(degrees: float) -> float:
    """The nearest of the usual steps of a graticule."""
    return min(GRID_STEPS, key=lambda step: max(degrees / step, step / degrees))


def _around(outlines: Iterable[Floats], window: Bounds) -> Iterable[Floats]:
    """The outlines that touch the window, also shifted by 360 degrees."""
    west, south, east, north = window
    for points in outlines:
        low, high = points.min(axis=0), points.max(axis=0)
        if high[1] < south or low[1] > north:
            continue
        for turn in (-360.0, 0.0, 360.0):
            if high[0] + turn >= west and low[0] + turn <= east:
                yield points + np.array((turn, 0.0))


def _dry(points: Floats, land: list[Floats], lakes: list[Floats]) -> NDArray[np.bool_]:
    """Which points lie on land."""
    return np.asarray(inside(points, land) & ~inside(points, lakes))


def _runs(points: Floats, keep: NDArray[np.bool_]) -> list[Floats]:
    """The runs of consecutive points to keep."""
    breaks = np.flatnonzero(np.diff(keep)) + 1
    runs = zip(np.split(points, breaks), np.split(keep, breaks), strict=True)
    return [run for run, kept in runs if kept[0] and len(run) > 1]


def _area_paths(rings: Iterable[Floats], coarseness: float) -> str:
    bend = max(COAST_BEND, coarseness)
    return "".join(ring_path(eased(ring, bend, closed=True)) for ring in rings)


def _line_paths(lines: Iterable[Floats], coarseness: float) -> str:
    bend = max(LINE_BEND, coarseness)
    return "".join(line_path(eased(line, bend, closed=False)) for line in lines)
