"""Checking edition files: all problems are reported, each with its place, line and remedy.

It works in two steps. The file is read with what it inherits, and what is valid is kept
(`edition.draft`). Then the valid parts are checked against each other; a check that depends on an
invalid row is skipped, so that one mistake is not reported as several problems.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from macaz.edition.bases import file_of, resolve
from macaz.edition.board import CARDS, LOCOMOTIVE, closest
from macaz.edition.draft import Draft, Found, Reader
from macaz.edition.files import list_editions, read_text
from macaz.edition.lines import Lines
from macaz.edition.rules import BASIC_PHASES, KNOBS
from macaz.errors import Problem

# The sizes of the kernel's records and tables.
MAX_CITIES = 60
MAX_LANES = 180
MAX_MULTI_PAIRS = 60
MAX_TICKETS = 72
MAX_DEALT = 5
MAX_PAYMENTS = 8192


def examine(text: str, file: Path | None = None) -> tuple[Draft, list[Problem]]:
    """Read the text of an edition file; returns its content and all problems.

    `file` is where the text is from: a base may be a file beside it.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also for huge numbers and deep nesting
        return Draft(), [_syntax_problem(text, str(error))]
    whole = resolve(data, file)
    if not isinstance(whole, Problem):
        whole = _check_base(data.get("base"), file) or whole
    if isinstance(whole, Problem):
        return Draft(), [replace(whole, line=Lines(text).of("base"))]
    reader = Reader(whole)
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


def _check_base(name: object, file: Path | None) -> Problem | None:
    """Whether the base is a file that has problems of its own."""
    if name is None or name in list_editions():
        return None
    found = file_of(name, None if file is None else file.parent)
    if isinstance(found, Problem):
        return found
    problems = examine(read_text(found), found if isinstance(found, Path) else None)[1]
    if not problems:
        return None
    count = "a problem" if len(problems) == 1 else f"{len(problems)} problems"
    remedy = f"Correct it first: macaz edition check {found}"
    return Problem("base", f'the base "{name}" has {count} itself', remedy)


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


# --- checking the map -----------------------------------------------------------------------


def _check_map(draft: Draft) -> Iterator[Found]:
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
            yield Found(draft.city_places[name], message, "Add a route to it, or remove it.")
    if any(name not in parts for row in draft.routes for name in (row.start, row.end)):
        return  # connections cannot be checked with unknown cities
    groups = Counter(parts[name] for name in names if name in touched)
    if len(groups) > 1:
        small = min(groups, key=lambda part: (groups[part], part))
        members = ", ".join(name for name in names if parts[name] == small and name in touched)
        message = f"the map falls into {len(groups)} parts; one of them is: {members}"
        yield Found("routes", message, "Join the parts with a route.")
    for ticket in draft.tickets:
        known = ticket.start in parts and ticket.end in parts
        if known and parts[ticket.start] != parts[ticket.end]:
            message = f"no routes join {ticket.start} and {ticket.end}"
            yield Found(ticket.place, message, "Join them with routes, or change the ticket.")


def _components(draft: Draft) -> dict[str, str]:
    """For each city, a representative of its connected component."""
    parts = {city.name: city.name for city in draft.cities}
    for row in draft.routes:
        if row.start in parts and row.end in parts:
            old, new = parts[row.start], parts[row.end]
            parts = {name: new if part == old else part for name, part in parts.items()}
    return parts


def _check_size(draft: Draft) -> Iterator[Found]:
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
            yield Found(place, f"{size} {what} are too many", f"Use at most {limit}.")


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


def check_rules(draft: Draft, options: tuple[str, ...]) -> list[Found]:
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


def _placed(found: Found, setters: Mapping[str, str]) -> Found:
    """Replace a knob's name by its place: in [rules], or in the option that sets it."""
    if found.place not in KNOBS:
        return found
    table = f"options.{setters[found.place]}" if found.place in setters else "rules"
    return found._replace(place=f"{table}.{found.place}")


def _check_seats(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    if knobs["min_seats"] > knobs["max_seats"]:
        yield Found("min_seats", "more than max_seats", "Exchange the two.")


def _check_cards(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    need = knobs["hand"] * knobs["max_seats"] + knobs["row"]
    have = sum(knobs["cards"])
    if need > have:
        message = f"{have} cards, but hands and face-up row need {need} at the start"
        yield Found("cards", message, "Use more cards, smaller hands or fewer players.")


def _check_trains(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    if knobs["last_trains"] >= knobs["trains"]:
        message = "the last round would start at once"
        yield Found("last_trains", message, 'Use less than "trains".')


def _check_setup(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    normal, long, keep = knobs["setup_tickets"], knobs["setup_long"], knobs["setup_keep"]
    if normal + long > MAX_DEALT:
        message = f"{normal + long} tickets are dealt to each player at the start"
        remedy = f"Deal at most {MAX_DEALT}, normal and long together."
        yield Found("setup_tickets", message, remedy)
    if keep > normal + long:
        message = f"{keep} tickets must be kept of {normal + long} dealt"
        yield Found("setup_keep", message, "Keep at most as many as are dealt.")


def _check_ticket_decks(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    for knob, deck in (("setup_tickets", "normal"), ("setup_long", "long")):
        have = sum(ticket.deck == deck for ticket in draft.tickets)
        need = knobs[knob] * knobs["max_seats"]
        if need > have:
            message = f"{need} {deck} tickets are needed for {knobs['max_seats']} players"
            remedy = f"There are {have}: add tickets, or deal fewer."
            yield Found(knob, message, remedy)


def _check_draw(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    if knobs["draw_keep"] > knobs["draw_tickets"]:
        message = f"{knobs['draw_keep']} tickets must be kept of {knobs['draw_tickets']} drawn"
        yield Found("draw_keep", message, "Keep at most as many as are drawn.")


def _check_lanes(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    """Every lane must score points, and be possible to claim with the cards and trains."""
    cards, points, trains = knobs["cards"], knobs["route_points"], knobs["trains"]
    wild = cards[LOCOMOTIVE]
    for row in draft.routes:
        if row.length is None:
            continue
        if points[row.length] == 0:
            message = f"route_points has nothing for length {row.length}"
            yield Found(row.place, message, "Add that length to [rules.route_points].")
        if row.length > trains:
            message = f"{row.label} needs {row.length} trains, and a player has {trains}"
            yield Found(row.place, message, "Use more trains or a shorter route.")
        if (row.locomotives or 0) > wild:
            message = f"{row.label} needs {row.locomotives} locomotives, and there are {wild}"
            yield Found(row.place, message, "Use more locomotives in [rules.cards].")
        for color in row.lanes or ():
            suit = max(cards[:LOCOMOTIVE]) if color == "gray" else cards[CARDS.index(color)]
            if suit == 0:
                message = f"{row.label} is {color}, and there is no such card"
                yield Found(row.place, message, "Add cards to [rules.cards], or change colour.")
            elif suit + wild < row.length:
                message = f"{row.label} ({color}) can never be paid: too few cards"
                yield Found(row.place, message, "Add cards to [rules.cards], or shorten it.")


def _check_phases(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    for phase in BASIC_PHASES:
        if phase not in knobs["phases"]:
            message = f'the phase "{phase}" is missing'
            yield Found("phases", message, "Add it: there is no game without it.")
    for row in draft.routes:
        if row.kind == "tunnel" and "tunnel" not in knobs["phases"]:
            message = f'{row.label} is a tunnel, without the phase "tunnel"'
            yield Found(row.place, message, 'Add "tunnel" to phases, or remove the kind.')


def _check_pieces(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    for phase, knob in (("station", "stations"), ("start-city", "markers"), ("marker", "markers")):
        if phase in knobs["phases"] and knobs[knob] == 0:
            message = f'the phase "{phase}" needs {knob}, and there are none'
            yield Found(knob, message, f'Use 1 to 3, or remove "{phase}" from phases.')
    if "station" in knobs["phases"] and {"start-city", "marker"} & set(knobs["phases"]):
        message = "stations and markers cannot be in the same game"
        yield Found("phases", message, 'Remove "station", or "start-city" and "marker".')
    if "start-city" in knobs["phases"]:
        free = len(draft.cities) - ("alvin" in knobs["phases"])
        if free < knobs["max_seats"]:
            message = f"{free} cities to start from, for {knobs['max_seats']} players"
            yield Found("max_seats", message, "Use more cities or fewer players.")


def _check_alvin(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    city = knobs["alvin_city"]
    names = tuple(known.name for known in draft.cities)
    if "alvin" in knobs["phases"] and not city:
        yield Found("alvin_city", 'the phase "alvin" needs a city', "Name Alvin's first city.")
    if city and city not in names:
        near = closest(city, names)
        remedy = f'Did you mean "{near}"?' if near else "Name a city of this map."
        yield Found("alvin_city", f'unknown city "{city}"', remedy)
    if "alvin" in knobs["phases"] and "start-city" not in knobs["phases"]:
        # A2 moves Alvin to a city that the seat controls: without a start city there may be none.
        message = 'the phase "alvin" needs the phase "start-city"'
        yield Found("phases", message, 'Add "start-city" to phases.')


def _check_scorers(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    scorers, phases = knobs["scorers"], knobs["phases"]
    if ("routes" in scorers) == ("controllers" in scorers):
        message = 'exactly one of "routes" and "controllers" must score routes'
        yield Found("scorers", message, "Keep one of the two.")
    for scorer, phase in (("controllers", "marker"), ("stations", "station"), ("alvin", "alvin")):
        if scorer in scorers and phase not in phases:
            message = f'the scorer "{scorer}" needs the phase "{phase}"'
            yield Found("scorers", message, f'Add "{phase}" to phases, or remove the scorer.')


def _check_tie_breaks(knobs: _Knobs, draft: Draft) -> Iterator[Found]:
    for word, knob, need in (
        ("stations", "phases", "station"),
        ("longest-path", "scorers", "longest-path"),
        ("tickets", "scorers", "tickets"),
    ):
        if word in knobs["tie_breaks"] and need not in knobs[knob]:
            message = f'the tie-break "{word}" needs "{need}" in {knob}'
            yield Found("tie_breaks", message, "Add it there, or remove the tie-break.")


_CHECKS: tuple[Callable[[_Knobs, Draft], Iterator[Found]], ...] = (
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
