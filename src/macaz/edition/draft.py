"""Reading edition files, row by row and knob by knob: what is valid is kept, the rest reported."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from macaz.edition.board import COLORS, DECKS, KINDS, STATUSES, City, closest, fold
from macaz.edition.plate_section import PlateSection, read_section
from macaz.edition.rules import MAX_LENGTH, Fault, read_rules, suggest

FORMAT = 1
MAX_LANES_OF_PAIR = 3
SEPARATORS = ",;#–"  # in the notation of moves and records
_TOP_KEYS = (
    "format", "base", "id", "name", "author", "sentence",
    "cities", "routes", "tickets", "rules", "options", "plate",
)  # fmt: skip
_CITY_KEYS = ("name", "label", "lat", "lon")
_ROUTE_KEYS = ("from", "to", "length", "kind", "locomotives", "lanes")
_TICKET_KEYS = ("from", "to", "points", "deck", "status")
_LANE_COLORS = (*COLORS, "gray")
_NAME = re.compile(r"(?! ).{1,40}(?<! )")
_SENTENCE = re.compile(r"(?! ).{1,160}(?<! )")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class RouteRow:
    """A row of `routes`; None stands for a field that could not be read."""

    place: str
    start: str
    end: str
    length: int | None
    kind: str | None
    locomotives: int | None
    lanes: tuple[str, ...] | None

    @property
    def label(self) -> str:
        """The route in messages."""
        return f"{self.start}–{self.end}"


@dataclass(frozen=True, slots=True)
class TicketRow:
    """A row of `tickets`; None stands for a field that could not be read."""

    place: str
    start: str
    end: str
    points: int | None
    deck: str | None
    status: str | None


@dataclass(slots=True)
class Draft:
    """The valid content of a file: complete if `examine` found no problem."""

    id: str = ""
    name: str = ""
    author: str = ""
    sentences: dict[str, str] = field(default_factory=dict)
    cities: list[City] = field(default_factory=list)
    city_places: dict[str, str] = field(default_factory=dict)
    routes: list[RouteRow] = field(default_factory=list)
    tickets: list[TicketRow] = field(default_factory=list)
    rules: dict[str, Any] = field(default_factory=dict)
    option_docs: dict[str, str] = field(default_factory=dict)
    option_rules: dict[str, dict[str, Any]] = field(default_factory=dict)
    plate: PlateSection | None = None


class Found(NamedTuple):
    """A problem, without its line."""

    place: str
    message: str
    remedy: str


class Reader:
    """Reads a parsed file, and collects the problems."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.found: list[Found] = []
        self.plate_found: list[Found] = []

    def add(self, place: str, message: str, remedy: str) -> None:
        self.found.append(Found(place, message, remedy))

    def read(self) -> Draft:
        for key in self.data:
            if key not in _TOP_KEYS:
                self.add(key, f'unknown entry "{key}"', suggest(key, _TOP_KEYS))
        if self.data.get("format") != FORMAT:
            self.add("format", "the format is missing or unknown", f"Write format = {FORMAT}.")
        draft = Draft(id=self.read_id(), name=self.read_name("name", self.data.get("name")) or "")
        if "author" in self.data:
            draft.author = self.read_name("author", self.data["author"]) or ""
        if "sentence" in self.data:
            draft.sentences = self.read_sentences(self.data["sentence"])
        self.read_cities(draft)
        names = {city.name for city in draft.cities}
        self.read_routes(draft, names)
        self.read_tickets(draft, names)
        self.read_all_rules(draft)
        self.read_plate(draft, names)
        return draft

    def read_id(self) -> str:
        value = self.data.get("id")
        if isinstance(value, str) and _ID.fullmatch(value):
            return value
        remedy = 'Write small letters, digits and hyphens, as in id = "old-west".'
        self.add("id", f"the id is {_or_missing(value)}", remedy)
        return ""

    def read_name(self, place: str, value: object) -> str | None:
        if isinstance(value, str) and value.isprintable() and _NAME.fullmatch(value):
            return unicodedata.normalize("NFC", value)
        remedy = "Write 1 to 40 characters in quotes, with no space at either end."
        self.add(place, f"the name is {_or_missing(value)}", remedy)
        return None

    def read_sentences(self, value: object) -> dict[str, str]:
        """The sentence about the map, by language."""
        texts = value if isinstance(value, dict) else {"en": value}
        if "en" not in texts:
            self.add("sentence", "the English sentence is missing", 'Add en = "...".')
        for language, text in texts.items():
            place = f"sentence.{language}" if texts is value else "sentence"
            if not _LANGUAGE.fullmatch(language):
                self.add(place, f'not a language: "{language}"', 'Use its code, as in "en", "ro".')
            if not isinstance(text, str) or not text.isprintable() or not _SENTENCE.fullmatch(text):
                remedy = "Write 1 to 160 characters in quotes, with no space at either end."
                self.add(place, f"the sentence is {text!r}", remedy)
        return {language: str(text) for language, text in texts.items()}

    def rows(self, key: str, known: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
        """The rows of a list with their places; reports entries that are not rows."""
        rows = self.data.get(key)
        if not isinstance(rows, list) or not rows:
            self.add(key, f'the list "{key}" is missing or empty', f"Write {key} = [ ... ].")
            return
        for index, row in enumerate(rows):
            place = f"{key}[{index}]"
            if not isinstance(row, dict):
                self.add(place, f"not a row: {row!r}", "Write it as { ... }.")
                continue
            for entry in row:
                if entry not in known:
                    self.add(place, f'unknown entry "{entry}"', suggest(entry, known))
            yield place, row

    def whole(self, place: str, row: dict[str, Any], key: str, low: int, high: int) -> int | None:
        value = row.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.add(
            place, f"{key} is {_or_missing(value)}", f"Use a whole number from {low} to {high}."
        )
        return None

    def word(self, place: str, row: dict[str, Any], key: str, known: tuple[str, ...]) -> str | None:
        value = row.get(key, known[0])
        if isinstance(value, str) and value in known:
            return value
        shown = tuple(word for word in known if word)
        self.add(place, f"unknown {key} {_show(value)}", suggest(str(value), shown))
        return None

    def degrees(self, place: str, row: dict[str, Any], key: str, limit: int) -> float:
        value = row.get(key)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is not None and number and -limit <= value <= limit:
            return float(value)
        self.add(place, f"{key} is {_or_missing(value)}", f"Use degrees from -{limit} to {limit}.")
        return 0.0

    def read_cities(self, draft: Draft) -> None:
        seen: dict[str, str] = {}
        for place, row in self.rows("cities", _CITY_KEYS):
            lat = self.degrees(place, row, "lat", 90)
            lon = self.degrees(place, row, "lon", 180)
            name = self.read_name(place, row.get("name"))
            if name is None:
                continue
            if any(sign in name for sign in SEPARATORS):
                message = f'the city "{name}" contains a separator of the notation'
                self.add(place, message, f"Write it without {' '.join(SEPARATORS)}")
            other = seen.get(fold(name))
            if other is None:
                seen[fold(name)] = name
                draft.cities.append(City(name, lat, lon, self.label(place, row, name)))
                draft.city_places[name] = place
                continue
            message = f'the city "{name}" is there twice'
            if other != name:
                message = f'the cities "{other}" and "{name}" differ in accents or case only'
            self.add(place, message, "Rename or remove one of them.")

    def label(self, place: str, row: dict[str, Any], name: str) -> str:
        """The text to show instead of the name; empty if there is none."""
        label = self.read_name(place, row["label"]) if "label" in row else None
        if label is not None and fold(label) != fold(name):
            message = f'the label "{label}" differs from the name "{name}" in more than accents'
            self.add(place, message, "Correct one of them, or remove the label.")
        return label or ""

    def ends(self, place: str, row: dict[str, Any], names: set[str]) -> tuple[str, str]:
        """The two cities of a row; an unknown one is reported, and returned as written."""
        ends = []
        for key in ("from", "to"):
            value = row.get(key)
            if not isinstance(value, str):
                what = _or_missing(value)
                self.add(place, f'"{key}" is {what}', "Write the name of a city in quotes.")
                value = ""
            value = unicodedata.normalize("NFC", value)
            if value and value not in names:
                near = closest(value, names)
                remedy = f'Did you mean "{near}"?' if near else "Add it to cities."
                self.add(place, f'unknown city "{value}"', remedy)
            ends.append(value)
        if ends[0] and ends[0] == ends[1]:
            self.add(place, f'from "{ends[0]}" to itself', "Name two different cities.")
        return ends[0], ends[1]

    def read_routes(self, draft: Draft, names: set[str]) -> None:
        seen: dict[frozenset[str], str] = {}
        for place, row in self.rows("routes", _ROUTE_KEYS):
            start, end = self.ends(place, row, names)
            length = self.whole(place, row, "length", 1, MAX_LENGTH)
            kind = self.word(place, row, "kind", KINDS)
            symbols = {"locomotives": 0} | row
            locomotives = self.whole(place, symbols, "locomotives", 0, MAX_LENGTH)
            lanes = self.read_lanes(place, row.get("lanes"))
            route = RouteRow(place, start, end, length, kind, locomotives, lanes)
            draft.routes.append(route)
            self.check_ferry(route)
            other = seen.setdefault(frozenset((start, end)), place)
            if start and end and start != end and other != place:
                message = f"{start}–{end} is there already, as {other}"
                self.add(place, message, "Put all lanes of a pair of cities in one row.")

    def read_lanes(self, place: str, value: object) -> tuple[str, ...] | None:
        if not isinstance(value, list) or not 1 <= len(value) <= MAX_LANES_OF_PAIR:
            remedy = f'Write 1 to {MAX_LANES_OF_PAIR} colours, as in lanes = ["red", "gray"].'
            self.add(place, f"lanes is {_or_missing(value)}", remedy)
            return None
        valid = True
        for color in value:
            if not isinstance(color, str) or color not in _LANE_COLORS:
                valid = False
                remedy = suggest(str(color), _LANE_COLORS)
                self.add(place, f"unknown colour {_show(color)}", remedy)
        for color in COLORS:
            if value.count(color) > 1:
                remedy = "Give the lanes of a pair different colours, or gray."
                self.add(place, f"two lanes are {color}", remedy)
        return tuple(value) if valid else None

    def check_ferry(self, row: RouteRow) -> None:
        """F1: a ferry is gray and has locomotive symbols; other routes have none."""
        if row.length and row.locomotives and row.locomotives > row.length:
            message = f"{row.locomotives} locomotives on a route of length {row.length}"
            self.add(row.place, message, "Use at most as many locomotives as spaces.")
        if row.kind in ("track", "tunnel") and row.locomotives:
            message = f"a {row.kind} has no locomotive symbols"
            self.add(row.place, message, 'Remove "locomotives", or write kind = "ferry".')
        if row.kind == "ferry" and row.locomotives == 0:
            remedy = 'Write locomotives = 1 or more, or remove kind = "ferry".'
            self.add(row.place, "a ferry needs a locomotive symbol", remedy)
        if row.kind == "ferry" and row.lanes and set(row.lanes) != {"gray"}:
            self.add(row.place, "a ferry must be gray", 'Write "gray" for each of its lanes.')

    def read_tickets(self, draft: Draft, names: set[str]) -> None:
        seen: dict[tuple[frozenset[str], str | None], str] = {}
        for place, row in self.rows("tickets", _TICKET_KEYS):
            start, end = self.ends(place, row, names)
            points = self.whole(place, row, "points", 1, 99)
            deck = self.word(place, row, "deck", DECKS)
            status = self.word(place, row, "status", STATUSES)
            draft.tickets.append(TicketRow(place, start, end, points, deck, status))
            other = seen.setdefault((frozenset((start, end)), deck), place)
            if start and end and other != place:
                message = f"the ticket {start}–{end} is there already, as {other}"
                self.add(place, message, "Remove one of them.")

    def read_all_rules(self, draft: Draft) -> None:
        table = self.data.get("rules")
        if not isinstance(table, dict):
            self.add(
                "rules",
                "the table [rules] is missing",
                'Add it, or a base = "usa-classic" to inherit it.',
            )
        else:
            draft.rules, faults = read_rules(table)
            self.add_faults("rules", faults)
        options = self.data.get("options", {})
        if not isinstance(options, dict):
            self.add("options", "not a table", "Write each option as [options.its-name].")
            return
        for name, option in options.items():
            self.read_option(draft, name, option)

    def read_plate(self, draft: Draft, names: set[str]) -> None:
        if "plate" in self.data:
            joined = {frozenset((row.start, row.end)) for row in draft.routes}
            draft.plate, flaws = read_section(self.data["plate"], sorted(names), joined)
            self.plate_found = [Found(*flaw) for flaw in flaws]

    def read_option(self, draft: Draft, name: str, option: object) -> None:
        place = f"options.{name}"
        if not isinstance(option, dict):
            self.add(place, "not a table", f"Write it as [{place}].")
            return
        if not _ID.fullmatch(name):
            remedy = "Use small letters, digits and hyphens."
            self.add(place, f'not an option\'s name: "{name}"', remedy)
        doc = option.get("doc")
        if not isinstance(doc, str) or not doc.strip():
            self.add(place, "the option has no description", 'Write doc = "...".')
            doc = ""
        draft.option_docs[name] = doc
        knobs = {key: value for key, value in option.items() if key != "doc"}
        draft.option_rules[name], faults = read_rules(knobs, partial=True)
        self.add_faults(place, faults)

    def add_faults(self, place: str, faults: Iterable[Fault]) -> None:
        for fault in faults:
            self.add(f"{place}.{fault.knob}", fault.message, fault.remedy)


def _or_missing(value: object) -> str:
    return "missing" if value is None else repr(value)


def _show(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
