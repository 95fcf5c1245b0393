"""Checking edition files: all problems are reported, each with its place, line and remedy.

It works in two steps. The file is read row by row and knob by knob, and what is valid is kept. Then
the valid parts are checked against each other; a check that depends on an invalid row is skipped,
so that one mistake is not reported as several problems.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from macaz.edition.board import (
    CARDS,
    COLORS,
    DECKS,
    KINDS,
    LOCOMOTIVE,
    STATUSES,
    City,
    closest,
    fold,
)
from macaz.edition.lines import Lines
from macaz.edition.plate_section import PlateSection, read_section
from macaz.edition.rules import BASIC_PHASES, KNOBS, MAX_LENGTH, Fault, read_rules, suggest
from macaz.errors import Problem

FORMAT = 1

# The sizes of the kernel's records and tables.
MAX_CITIES = 60
MAX_LANES = 180
MAX_MULTI_PAIRS = 60
MAX_TICKETS = 72
MAX_DEALT = 5
MAX_PAYMENTS = 8192
MAX_LANES_OF_PAIR = 3

SEPARATORS = ",;#–"  # in the notation of moves and records
_TOP_KEYS = ("format", "id", "name", "cities", "routes", "tickets", "rules", "options", "plate")
_CITY_KEYS = ("name", "lat", "lon")
_ROUTE_KEYS = ("from", "to", "length", "kind", "locomotives", "lanes")
_TICKET_KEYS = ("from", "to", "points", "deck", "status")
_LANE_COLORS = (*COLORS, "gray")
_NAME = re.compile(r"(?! ).{1,40}(?<! )")
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
    cities: list[City] = field(default_factory=list)
    city_places: dict[str, str] = field(default_factory=dict)
    routes: list[RouteRow] = field(default_factory=list)
    tickets: list[TicketRow] = field(default_factory=list)
    rules: dict[str, Any] = field(default_factory=dict)
    option_docs: dict[str, str] = field(default_factory=dict)
    option_rules: dict[str, dict[str, Any]] = field(default_factory=dict)
    plate: PlateSection | None = None


class _Found(NamedTuple):
    place: str
    message: str
    remedy: str


def examine(text: str) -> tuple[Draft, list[Problem]]:
    """Read the text of an edition file; returns its content and all problems."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also for huge numbers and deep nesting
        return Draft(), [_syntax_problem(text, str(error))]
    reader = _Reader(data)
    draft = reader.read()
    found = [*reader.found, *_check_map(draft)]
    # Errors in cities or routes would cause further ones in the plate: report only the former.
    if not any(one.place.startswith(("cities", "routes")) for one in found):
        found += reader.plate_found
    found += check_rules(draft, ())
    for option in draft.option_rules:
        found += [one for one in check_rules(draft, (option,)) if one not in found]
    lines = Lines(text)
    problems = [Problem(*one, lines.of(one.place)) for one in dict.fromkeys(found)]
    return draft, sorted(problems, key=lambda problem: problem.line or 0)


def check_options(draft: Draft, options: tuple[str, ...]) -> list[Problem]:
    """The problems of choosing these options of a valid file together."""
    setters: dict[str, str] = {}
    problems = []
    for option in options:
        for knob, value in draft.option_rules[option].items():
            other = setters.setdefault(knob, option)
            if draft.option_rules[other][knob] != value:
                message = f'the options "{other}" and "{option}" set it differently'
                problems.append(
                    Problem(f"options.{option}.{knob}", message, "Choose only one of them.")
                )
    return problems or [Problem(*one) for one in check_rules(draft, options)]


def _syntax_problem(text: str, error: str) -> Problem:
    at = re.search(r"\(at line (\d+), column \d+\)", error)
    # Without a line, tomllib says "at end of document": something was not closed.
    line = int(at[1]) if at else text.rstrip().count("\n") + 1
    remedy = "Look for a missing quote, bracket or comma there or just before."
    return Problem("file", f"not TOML: {error}", remedy, line)


# --- reading --------------------------------------------------------------------------------


class _Reader:
    """Reads a parsed file, and collects the problems."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.found: list[_Found] = []
        self.plate_found: list[_Found] = []

    def add(self, place: str, message: str, remedy: str) -> None:
        self.found.append(_Found(place, message, remedy))

    def read(self) -> Draft:
        for key in self.data:
            if key not in _TOP_KEYS:
                self.add(key, f'unknown entry "{key}"', suggest(key, _TOP_KEYS))
        if self.data.get("format") != FORMAT:
            self.add("format", "the format is missing or unknown", f"Write format = {FORMAT}.")
        draft = Draft(id=self.read_id(), name=self.read_name("name", self.data.get("name")) or "")
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
                draft.cities.append(City(name, lat, lon))
                draft.city_places[name] = place
                continue
            message = f'the city "{name}" is there twice'
            if other != name:
                message = f'the cities "{other}" and "{name}" differ in accents or case only'
            self.add(place, message, "Rename or remove one of them.")

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
            self.add("rules", "the table [rules] is missing", "Add it, with every knob.")
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
            self.plate_found = [_Found(*flaw) for flaw in flaws]

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


# --- checking the map -----------------------------------------------------------------------


def _check_map(draft: Draft) -> Iterator[_Found]:
    names = [city.name for city in draft.cities]
    parts = _components(draft)
    yield from _check_size(draft)
    # Use the closest known name for a misspelled city, so that it is not reported as unconnected.
    touched = {
        name if name in parts else closest(name, names)
        for row in draft.routes
        for name in (row.start, row.end)
        if row.start != row.end
    }
    for name in names:
        if draft.routes and name not in touched:
            message = f'no route leads to the city "{name}"'
            yield _Found(draft.city_places[name], message, "Add a route to it, or remove it.")
    if any(name not in parts for row in draft.routes for name in (row.start, row.end)):
        return  # connections cannot be checked with unknown cities
    groups = Counter(parts[name] for name in names if name in touched)
    if len(groups) > 1:
        small = min(groups, key=lambda part: (groups[part], part))
        members = ", ".join(name for name in names if parts[name] == small and name in touched)
        message = f"the map falls into {len(groups)} parts; one of them is: {members}"
        yield _Found("routes", message, "Join the parts with a route.")
    for ticket in draft.tickets:
        known = ticket.start in parts and ticket.end in parts
        if known and parts[ticket.start] != parts[ticket.end]:
            message = f"no routes join {ticket.start} and {ticket.end}"
            yield _Found(ticket.place, message, "Join them with routes, or change the ticket.")


def _components(draft: Draft) -> dict[str, str]:
    """For each city, a representative of its connected component."""
    parts = {city.name: city.name for city in draft.cities}
    for row in draft.routes:
        if row.start in parts and row.end in parts:
            old, new = parts[row.start], parts[row.end]
            parts = {name: new if part == old else part for name, part in parts.items()}
    return parts


def _check_size(draft: Draft) -> Iterator[_Found]:
    sizes = (
        ("cities", "cities", len(draft.cities), MAX_CITIES),
        ("routes", "lanes", sum(len(row.lanes or ()) for row in draft.routes), MAX_LANES),
        (
            "routes",
            "pairs of cities with several lanes",
            sum(len(row.lanes or ()) > 1 for row in draft.routes),
            MAX_MULTI_PAIRS,
        ),
        ("tickets", "tickets", len(draft.tickets), MAX_TICKETS),
        ("routes", "ways to pay for all lanes", _payments(draft), MAX_PAYMENTS),
    )
    for place, what, size, limit in sizes:
        if size > limit:
            yield _Found(place, f"{size} {what} are too many", f"Use at most {limit}.")


def _payments(draft: Draft) -> int:
    """An upper bound of the routes' entries in the kernel's table of payments."""
    return sum(
        (8 if color == "gray" else 1) * max(0, (row.length or 0) - (row.locomotives or 0)) + 1
        for row in draft.routes
        for color in row.lanes or ()
    )


# --- checking the rules ---------------------------------------------------------------------


class _UnknownKnobError(Exception):
    """A knob is missing or invalid, which is already reported: the check is skipped."""


class _Knobs(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        raise _UnknownKnobError(name)


def check_rules(draft: Draft, options: tuple[str, ...]) -> list[_Found]:
    """Check the knobs, with these options, against each other and the map."""
    knobs = _Knobs(draft.rules)
    setters: dict[str, str] = {}
    for option in options:
        knobs.update(draft.option_rules[option])
        setters.update(dict.fromkeys(draft.option_rules[option], option))
    found = []
    for check in _CHECKS:
        try:
            answers = list(check(knobs, draft))
        except _UnknownKnobError:
            continue
        found += [_placed(answer, setters) for answer in answers]
    return found


def _placed(found: _Found, setters: Mapping[str, str]) -> _Found:
    """Replace a knob's name by its place: in [rules], or in the option that sets it."""
    if found.place not in KNOBS:
        return found
    table = f"options.{setters[found.place]}" if found.place in setters else "rules"
    return found._replace(place=f"{table}.{found.place}")


def _check_seats(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    if knobs["min_seats"] > knobs["max_seats"]:
        yield _Found("min_seats", "more than max_seats", "Exchange the two.")


def _check_cards(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    need = knobs["hand"] * knobs["max_seats"] + knobs["row"]
    have = sum(knobs["cards"])
    if need > have:
        message = f"{have} cards, but hands and face-up row need {need} at the start"
        yield _Found("cards", message, "Use more cards, smaller hands or fewer players.")


def _check_trains(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    if knobs["last_trains"] >= knobs["trains"]:
        message = "the last round would start at once"
        yield _Found("last_trains", message, 'Use less than "trains".')


def _check_setup(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    normal, long, keep = knobs["setup_tickets"], knobs["setup_long"], knobs["setup_keep"]
    if normal + long > MAX_DEALT:
        message = f"{normal + long} tickets are dealt to each player at the start"
        remedy = f"Deal at most {MAX_DEALT}, normal and long together."
        yield _Found("setup_tickets", message, remedy)
    if keep > normal + long:
        message = f"{keep} tickets must be kept of {normal + long} dealt"
        yield _Found("setup_keep", message, "Keep at most as many as are dealt.")


def _check_ticket_decks(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    for knob, deck in (("setup_tickets", "normal"), ("setup_long", "long")):
        have = sum(ticket.deck == deck for ticket in draft.tickets)
        need = knobs[knob] * knobs["max_seats"]
        if need > have:
            message = f"{need} {deck} tickets are needed for {knobs['max_seats']} players"
            remedy = f"There are {have}: add tickets, or deal fewer."
            yield _Found(knob, message, remedy)


def _check_draw(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    if knobs["draw_keep"] > knobs["draw_tickets"]:
        message = f"{knobs['draw_keep']} tickets must be kept of {knobs['draw_tickets']} drawn"
        yield _Found("draw_keep", message, "Keep at most as many as are drawn.")


def _check_lanes(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    """Every lane must score points, and be possible to claim with the cards and trains."""
    cards, points, trains = knobs["cards"], knobs["route_points"], knobs["trains"]
    wild = cards[LOCOMOTIVE]
    for row in draft.routes:
        if row.length is None:
            continue
        if points[row.length] == 0:
            message = f"route_points has nothing for length {row.length}"
            yield _Found(row.place, message, "Add that length to [rules.route_points].")
        if row.length > trains:
            message = f"{row.label} needs {row.length} trains, and a player has {trains}"
            yield _Found(row.place, message, "Use more trains or a shorter route.")
        if (row.locomotives or 0) > wild:
            message = f"{row.label} needs {row.locomotives} locomotives, and there are {wild}"
            yield _Found(row.place, message, "Use more locomotives in [rules.cards].")
        for color in row.lanes or ():
            suit = max(cards[:LOCOMOTIVE]) if color == "gray" else cards[CARDS.index(color)]
            if suit == 0:
                message = f"{row.label} is {color}, and there is no such card"
                yield _Found(row.place, message, "Add cards to [rules.cards], or change colour.")
            elif suit + wild < row.length:
                message = f"{row.label} ({color}) can never be paid: too few cards"
                yield _Found(row.place, message, "Add cards to [rules.cards], or shorten it.")


def _check_phases(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    for phase in BASIC_PHASES:
        if phase not in knobs["phases"]:
            message = f'the phase "{phase}" is missing'
            yield _Found("phases", message, "Add it: there is no game without it.")
    for row in draft.routes:
        if row.kind == "tunnel" and "tunnel" not in knobs["phases"]:
            message = f'{row.label} is a tunnel, without the phase "tunnel"'
            yield _Found(row.place, message, 'Add "tunnel" to phases, or remove the kind.')


def _check_pieces(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    for phase, knob in (("station", "stations"), ("start-city", "markers"), ("marker", "markers")):
        if phase in knobs["phases"] and knobs[knob] == 0:
            message = f'the phase "{phase}" needs {knob}, and there are none'
            yield _Found(knob, message, f'Use 1 to 3, or remove "{phase}" from phases.')
    if "station" in knobs["phases"] and {"start-city", "marker"} & set(knobs["phases"]):
        message = "stations and markers cannot be in the same game"
        yield _Found("phases", message, 'Remove "station", or "start-city" and "marker".')
    if "start-city" in knobs["phases"]:
        free = len(draft.cities) - ("alvin" in knobs["phases"])
        if free < knobs["max_seats"]:
            message = f"{free} cities to start from, for {knobs['max_seats']} players"
            yield _Found("max_seats", message, "Use more cities or fewer players.")


def _check_alvin(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    city = knobs["alvin_city"]
    names = tuple(known.name for known in draft.cities)
    if "alvin" in knobs["phases"] and not city:
        yield _Found("alvin_city", 'the phase "alvin" needs a city', "Name Alvin's first city.")
    if city and city not in names:
        near = closest(city, names)
        remedy = f'Did you mean "{near}"?' if near else "Name a city of this map."
        yield _Found("alvin_city", f'unknown city "{city}"', remedy)
    if "alvin" in knobs["phases"] and "start-city" not in knobs["phases"]:
        # A2 moves Alvin to a city that the seat controls: without a start city there may be none.
        message = 'the phase "alvin" needs the phase "start-city"'
        yield _Found("phases", message, 'Add "start-city" to phases.')


def _check_scorers(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    scorers, phases = knobs["scorers"], knobs["phases"]
    if ("routes" in scorers) == ("controllers" in scorers):
        message = 'exactly one of "routes" and "controllers" must score routes'
        yield _Found("scorers", message, "Keep one of the two.")
    for scorer, phase in (("controllers", "marker"), ("stations", "station"), ("alvin", "alvin")):
        if scorer in scorers and phase not in phases:
            message = f'the scorer "{scorer}" needs the phase "{phase}"'
            yield _Found("scorers", message, f'Add "{phase}" to phases, or remove the scorer.')


def _check_tie_breaks(knobs: _Knobs, draft: Draft) -> Iterator[_Found]:
    for word, knob, need in (
        ("stations", "phases", "station"),
        ("longest-path", "scorers", "longest-path"),
        ("tickets", "scorers", "tickets"),
    ):
        if word in knobs["tie_breaks"] and need not in knobs[knob]:
            message = f'the tie-break "{word}" needs "{need}" in {knob}'
            yield _Found("tie_breaks", message, "Add it there, or remove the tie-break.")


_CHECKS: tuple[Callable[[_Knobs, Draft], Iterator[_Found]], ...] = (
    _check_seats,
    _check_cards,
    _check_trains,
    _check_setup,
    _check_ticket_decks,
    _check_draw,
    _check_lanes,
    _check_phases,
    _check_pieces,
    _check_alvin,
    _check_scorers,
    _check_tie_breaks,
)
