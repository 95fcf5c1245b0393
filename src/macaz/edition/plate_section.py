"""The `[plate]` section of an edition file: the positions of cities, labels and bends of routes.

It does not affect play. The board of a file without the section is laid out when it is drawn.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from macaz.edition.board import closest
from macaz.edition.plate import COMPASS
from macaz.edition.rules import suggest
from macaz.errors import MacazError

Label = str | tuple[float, float]  # one of COMPASS, or the offset of its centre from the city
Bend = tuple[float, float]

LEAST_SIZE, MOST_SIZE = 100, 10_000
FARTHEST_LABEL = 400
FARTHEST_BEND = 1000

_KEYS = ("width", "height", "borders", "cities", "bends")
_CITY_KEYS = ("x", "y", "label", "fixed")
_HEADER = re.compile(r"[ \t]*\[[ \t]*(?:\[[ \t]*)?(?P<name>[^\].\s]+|\"[^\"]*\")[^\n]*")
_NOTE = "# Where everything lies on the drawn board. Not part of the rules; yours to correct.\n"


class Flaw(NamedTuple):
    """A problem of the section."""

    place: str
    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class CityMark:
    """The position of a city and its label; a new layout does not move a `fixed` one."""

    x: float
    y: float
    label: Label
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class PlateSection:
    """The size of a board, the cities by name, and the bends of routes that are not straight.

    A bend is the distance of the route to the right of the straight line at 1/3 and at 2/3 of the
    way from the first city to the second. `borders` are today's, which a historic map may omit.
    """

    width: float
    height: float
    cities: Mapping[str, CityMark]
    bends: Mapping[tuple[str, str], Bend]
    borders: bool = True


def read_section(
    data: object, names: Collection[str], joined: Collection[frozenset[str]]
) -> tuple[PlateSection | None, list[Flaw]]:
    """The section of a parsed file (None if it has flaws) and its flaws."""
    if not isinstance(data, dict):
        return None, [Flaw("plate", "not a table", "Write it as [plate].")]
    reader = _Reader(names, joined)
    section = reader.read(data)
    return (None if reader.flaws else section), reader.flaws


class _Reader:
    def __init__(self, names: Collection[str], joined: Collection[frozenset[str]]) -> None:
        self.names, self.joined = names, joined
        self.flaws: list[Flaw] = []

    def add(self, place: str, message: str, remedy: str) -> None:
        self.flaws.append(Flaw(place, message, remedy))

    def read(self, data: dict[str, Any]) -> PlateSection:
        for key in data:
            if key not in _KEYS:
                self.add(f"plate.{key}", f'unknown entry "{key}"', suggest(key, _KEYS))
        size = [
            self.number(f"plate.{key}", data.get(key), LEAST_SIZE, MOST_SIZE)
            for key in ("width", "height")
        ]
        cities = dict(self.cities(data.get("cities"), size))
        bends = dict(self.bends(data.get("bends", {})))
        return PlateSection(size[0], size[1], cities, bends, self.borders(data))

    def borders(self, data: dict[str, Any]) -> bool:
        value = data.get("borders", True)
        if not isinstance(value, bool):
            self.add("plate.borders", "neither true nor false", "Write borders = false.")
        return bool(value)

    def cities(self, table: object, size: list[float]) -> Iterator[tuple[str, CityMark]]:
        if not isinstance(table, dict):
            remedy = 'Write [plate.cities], with lines such as "Roma" = { x = 7, y = 9 }.'
            self.add("plate.cities", "the places of the cities are missing", remedy)
            return
        for name in self.names:
            if name not in table:
                remedy = "Add a line for it, or lay the map out again."
                self.add("plate.cities", f'the city "{name}" is missing', remedy)
        for name, entry in table.items():
            place = f"plate.cities.{name}"
            if name not in self.names:
                self.add(place, f'unknown city "{name}"', self.did_you_mean(name))
            elif not isinstance(entry, dict):
                self.add(place, "not a place", "Write { x = ..., y = ..., label = ... }.")
            else:
                yield name, self.city(place, entry, size)

    def city(self, place: str, entry: dict[str, Any], size: list[float]) -> CityMark:
        for key in entry:
            if key not in _CITY_KEYS:
                self.add(place, f'unknown entry "{key}"', suggest(key, _CITY_KEYS))
        x, y = (
            self.number(place, entry.get(key), 0, limit, f"{key} ")
            for key, limit in zip(("x", "y"), size, strict=True)
        )
        fixed = entry.get("fixed", False)
        if not isinstance(fixed, bool):
            self.add(place, "fixed is neither true nor false", "Write fixed = true.")
        return CityMark(x, y, self.label(place, entry.get("label", COMPASS[0])), bool(fixed))

    def label(self, place: str, value: object) -> Label:
        if isinstance(value, str):
            if value in COMPASS:
                return value
            self.add(place, f'unknown place of a label "{value}"', suggest(value, COMPASS))
            return COMPASS[0]
        limit = FARTHEST_LABEL
        offset = self.two_numbers(value, limit)
        if offset is None:
            remedy = f'Write a word such as "ne", or [x, y] from -{limit} to {limit}.'
            self.add(place, "the label has no place", remedy)
        return offset or COMPASS[0]

    def bends(self, table: object) -> Iterator[tuple[tuple[str, str], Bend]]:
        if not isinstance(table, dict):
            self.add("plate.bends", "not a table", "Write it as [plate.bends].")
            return
        seen: set[frozenset[str]] = set()
        for key, value in table.items():
            place = f"plate.bends.{key}"
            ends = tuple(part.strip() for part in key.split("–"))
            if len(ends) != 2:
                self.add(place, f'not a route: "{key}"', 'Write two cities: "Roma – Venezia".')
                continue
            unknown = [name for name in ends if name not in self.names]
            for name in unknown:
                self.add(place, f'unknown city "{name}"', self.did_you_mean(name))
            if not unknown and frozenset(ends) not in self.joined:
                self.add(place, f"there is no route {ends[0]}–{ends[1]}", "Remove the line.")
            if frozenset(ends) in seen:
                self.add(place, f"{ends[0]}–{ends[1]} is there twice", "Remove one of them.")
            seen.add(frozenset(ends))
            limit = FARTHEST_BEND
            bend = self.two_numbers([value, value] if _is_number(value) else value, limit)
            if bend is None:
                remedy = f"Write a number from -{limit} to {limit}, or two: [12, -8]."
                self.add(place, "not a bend", remedy)
                continue
            if _is_number(value):  # one number is the bend in the middle, 9/8 of that at the thirds
                bend = bend[0] * 8 / 9, bend[1] * 8 / 9
            yield (ends[0], ends[1]), bend

    def number(self, place: str, value: Any, low: float, high: float, what: str = "") -> float:
        if _is_number(value) and low <= value <= high:
            return float(value)
        state = "missing" if value is None else f"not right: {value!r}"
        self.add(place, f"{what}is {state}", f"Use a number from {low:g} to {high:g}.")
        return float(high)

    def two_numbers(self, value: object, limit: float) -> tuple[float, float] | None:
        if not isinstance(value, list) or len(value) != 2:
            return None
        if not all(_is_number(part) and abs(part) <= limit for part in value):
            return None
        return float(value[0]), float(value[1])

    def did_you_mean(self, name: str) -> str:
        near = closest(name, self.names)
        return f'Did you mean "{near}"?' if near else "Remove the line."


def _is_number(value: Any) -> bool:
    sort = isinstance(value, int | float) and not isinstance(value, bool)
    return sort and math.isfinite(value)


# --- writing --------------------------------------------------------------------------------


def section_text(section: PlateSection) -> str:
    """The section as TOML text."""
    lines = ["[plate]\n", _NOTE]
    lines += [f"width = {section.width:g}\n", f"height = {section.height:g}\n"]
    lines += [] if section.borders else ["borders = false\n"]
    lines += ["\n[plate.cities]\n"]
    wide = max(map(len, map(_quoted, section.cities)), default=0)
    for name, mark in section.cities.items():
        label = f'"{mark.label}"'
        if not isinstance(mark.label, str):
            label = f"[{mark.label[0]:g}, {mark.label[1]:g}]"
        fixed = ", fixed = true" if mark.fixed else ""
        place = f"x = {f'{mark.x:g},':<6}y = {f'{mark.y:g},':<6}label = {label}{fixed}"
        lines.append(f"{_quoted(name):<{wide}} = {{ {place} }}\n")
    if section.bends:
        lines += ["\n# How far a route bends to the right, seen from its first city.\n"]
        lines += ["[plate.bends]\n"]
    keys = {pair: _quoted(" – ".join(pair)) for pair in section.bends}
    wide = max(map(len, keys.values()), default=0)
    for pair, (first, second) in section.bends.items():
        bend = f"{first * 9 / 8:g}" if first == second else f"[{first:g}, {second:g}]"
        lines.append(f"{keys[pair]:<{wide}} = {bend}\n")
    return "".join(lines)


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def with_section(text: str, section: PlateSection) -> str:
    """The text of a file with its section replaced by this one, or with this one appended.

    Raises MacazError if the old section cannot be removed safely.
    """
    ending = "\r\n" if "\r\n" in text else "\n"
    new = section_text(section).replace("\n", ending)
    start, end = _find(text)
    before, after = text[:start], text[end:]
    if start == end:  # there is none yet
        before += "" if before.endswith("\n") or not before else ending
        before += ending
    changed = before + new + after
    if _without_section(text) != _without_section(changed):
        raise MacazError("the old [plate] cannot be replaced: remove it by hand.")
    return changed


def _without_section(text: str) -> object:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return error
    data.pop("plate", None)
    return data


def _find(text: str) -> tuple[int, int]:
    """The start and end of the old section; both the end of the text if there is none."""
    start: int | None = None
    at = 0
    loose = 0  # the start of the blank lines and comments before the next header
    for line in text.splitlines(keepends=True):
        header = _HEADER.match(line)
        if header and header["name"].strip('"') == "plate":
            start = at if start is None else start
        elif header and start is not None:
            return start, max(loose, start)
        at += len(line)
        if line.strip() and not line.lstrip().startswith("#"):
            loose = at
    return (start, at) if start is not None else (len(text), len(text))
