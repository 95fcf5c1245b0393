"""Reading a position from JSON data: names become numbers, in the record of a draft.

What cannot be read is reported with its place. `game.compiled` fills in what is left out, and
`position.check` reports what is impossible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec import inspect as types

from macaz.edition import Edition, EditionError, is_known, list_editions, load_edition
from macaz.edition.board import CARDS, LOCOMOTIVE, closest
from macaz.edition.rules import suggest
from macaz.errors import Problem
from macaz.game.compiled.layout import CARD_PART, MARK_PART, PHASE_PART, ROUTE_PART, TICKET_PART
from macaz.game.compiled.program import new_draft, positions
from macaz.game.data import Position, SeatView, name_kind, type_of
from macaz.game.moves import InvalidMove, Notation, notation_of
from macaz.game.view import place_name
from macaz.kernel import layout as at
from macaz.kernel.spec import compile_spec
from macaz.kernel.views import SPECTATOR

if TYPE_CHECKING:
    from macaz.kernel.spec import Spec

FORMAT_KEY = "macaz position"
FORMAT = 2
MOST_POINTS = 2**15 - 1  # the largest score that fits into a state


def _types(struct: type[msgspec.Struct]) -> dict[str, types.Type]:
    """The declared types of a struct's fields, by name."""
    info = type_of(struct)
    assert isinstance(info, types.StructType)
    return {item.name: item.type for item in info.fields}


_TOP, _SEAT = _types(Position), _types(SeatView)
# The entries of a seat that may be hidden, each with the entry that has its count.
COUNTS = {"hand": "hand_size", "tickets": "tickets_held", "offer": "tickets_offered"}
_PLACES = {place_name(place): place for place in range(at.QUEUE + at.TICKETS)}
_PARTS = {"route": ROUTE_PART, "city": MARK_PART, "ticket": TICKET_PART}


@dataclass(slots=True)
class Draft:
    """A position as it was read."""

    spec: Spec
    notation: Notation
    drafts: np.ndarray = field(default_factory=new_draft)  # one record
    # By seat, in the order in which they are written.
    routes: list[list[int]] = field(default_factory=list)
    marks: list[list[int]] = field(default_factory=list)
    unsound: int = 0  # the parts that could not be read

    @property
    def record(self) -> np.void:
        record: np.void = self.drafts[0]
        return record

    @property
    def viewer(self) -> int | None:
        """Whose view it is; None for a whole state."""
        return None if self.record["open"] else int(self.record["seat"])

    @property
    def phase(self) -> int:
        return int(self.record["phase"])

    @property
    def open(self) -> bool:
        """Whether nothing is hidden: a complete position, or a view of a game that is over."""
        return self.viewer is None or self.phase == at.OVER

    def place_of(self, ticket: int) -> str:
        """The entry of a ticket that no seat has."""
        return f"known_tickets.{self.notation.ticket_name(ticket)}"


def read_position(data: object, edition: Edition | None) -> tuple[Draft | None, list[Problem]]:
    """The position, or None if its edition or seats could not be read, and the problems found."""
    reader = _Reader()
    draft = reader.read(data, edition)
    return draft, reader.problems


class _Reader:
    """Reads one position, and collects the problems."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.draft: Draft

    def say(self, place: str, message: str, remedy: str, part: int = 0) -> None:
        """Report a problem, and the part that could not be read because of it."""
        self.problems.append(Problem(place, message, remedy))
        if part:
            self.draft.unsound |= part

    # -- values --------------------------------------------------------------------------------

    def table(self, place: str, value: object, keys: Sequence[str]) -> dict[str, Any]:
        """Check that a value is an object with no other keys than these."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.say(place, f"not an object: {_short(value)}", "Write it as {…}.")
            return {}
        for key in value:
            if key not in keys:
                where = f"{place}.{key}" if place else str(key)
                self.say(where, f'unknown entry "{key}"', suggest(str(key), tuple(keys)))
        return value

    def number(
        self, place: str, value: object, low: int, high: int, default: int, part: int
    ) -> int:
        """A whole number in a range."""
        if value is None:
            return default
        remedy = f"Use a whole number from {low} to {high}."
        if not isinstance(value, int) or isinstance(value, bool):
            self.say(place, f"not a whole number: {_short(value)}", remedy, part)
            return default
        if not low <= value <= high:
            self.say(place, f"{_short(value)} is out of range", remedy, part)
            return default
        return value

    def entry(self, kinds: dict[str, types.Type], table: dict[str, Any], place: str) -> Any:
        """An entry, read by its declared type: cards, a name, or a list of names."""
        *_, key = place.split(".")
        kind, value = kinds[key], table.get(key)
        if value is None:
            return None
        named = name_kind(kind)
        if named is not None:
            return self.cards(place, value) if named == "cards" else self.name(place, value, named)
        parts = kind.types if isinstance(kind, types.UnionType) else (kind,)
        [item] = [part.item_type for part in parts if isinstance(part, types.VarTupleType)]
        return self.names(place, value, str(name_kind(item)))

    def cards(self, place: str, value: object) -> list[int]:
        """Counts by colour: an object, or a list of nine."""
        counts = [0] * at.CARDS
        if isinstance(value, list) and len(value) == at.CARDS:
            value = dict(zip(CARDS, value, strict=True))
        if not isinstance(value, dict):
            remedy = 'Write it as {"red": 2, "locomotive": 1}.'
            self.say(place, f"not cards by colour: {_short(value)}", remedy, CARD_PART)
            return counts
        for name, count in value.items():
            color = self.color(f"{place}.{name}", name)
            if color is not None:
                where = f"{place}.{name}"
                most = self.draft.spec.edition.rules.cards[color]
                counts[color] += self.number(where, count, 0, most, 0, CARD_PART)
        return counts

    def color(self, place: str, name: object) -> int | None:
        """The number of a card by its name."""
        if name == "loco":
            return LOCOMOTIVE
        if isinstance(name, str) and name in CARDS:
            return CARDS.index(name)
        self.say(place, f"no such card: {_short(name)}", suggest(_word(name), CARDS), CARD_PART)
        return None

    def name(self, place: str, text: object, named: str) -> int | None:
        """The number of a city, route or ticket, given by its name or number."""
        names, part = self.draft.notation, _PARTS[named]
        find, things = {
            "route": (names.route_named, names.board.routes),
            "city": (names.city_named, names.board.cities),
            "ticket": (names.ticket_named, names.board.tickets),
        }[named]
        if isinstance(text, int) and not isinstance(text, bool):
            if 0 <= text < len(things):
                return text
            self.say(place, f"there is no {named} {_short(text)}", "Correct it.", part)
            return None
        if not isinstance(text, str):
            self.say(place, f"not a name in quotes: {_short(text)}", 'Write it as "name".', part)
            return None
        if text.isdecimal() and text.isascii() and len(text) <= len(str(at.CLAIMS)):
            return self.name(place, int(text), named)  # a key of an object is always a text
        try:
            return find(" ".join(text.split()))
        except InvalidMove as error:
            message, _, near = str(error).partition("; did you mean ")
            self.say(place, message, f"Did you mean {near}" if near else "Correct it.", part)
            return None

    def names(self, place: str, value: object, named: str) -> list[int]:
        """The numbers of a list of names."""
        if not isinstance(value, list):
            remedy = 'Write it as ["name", "name"].'
            self.say(place, f"not a list of names: {_short(value)}", remedy, _PARTS[named])
            return []
        found = (self.name(f"{place}[{i}]", v, named) for i, v in enumerate(value))
        return [number for number in found if number is not None]

    def padded(self, place: str, known: Sequence[int], value: object) -> int:
        """The number of tickets of which some are known."""
        most = len(self.draft.spec.edition.board.tickets)
        size = self.number(place, value, 0, most, len(known), TICKET_PART)
        if size < len(known):
            self.say(place, f"{size}, but {len(known)} are known", "Correct it.", TICKET_PART)
        return max(size, len(known))

    def compare(self, place: str, value: object, follows: object) -> None:
        """Report an optional entry that differs from the value that follows from the rest."""
        if value is not None and value != follows:
            message = f"{_short(value)}, but the rest of the position implies {_short(follows)}"
            self.say(place, message, "Leave it out.")

    def hidden(self, place: str, value: object, instead: str) -> None:
        """Report an entry that a view cannot have."""
        if value is not None:
            self.say(place, "hidden from the seat of this view", f'Write "{instead}" instead.')

    def phase(self, place: str, value: object, default: int) -> int:
        """A phase by its name."""
        if value is None:
            return default
        names = at.PHASE_NAMES if place == "after" else at.PHASE_NAMES[: at.OVER + 1]
        if isinstance(value, str) and value in names:
            return names.index(value)
        remedy = suggest(_word(value), names)
        self.say(place, f"no such phase: {_short(value)}", remedy, PHASE_PART)
        return default

    # -- parts ---------------------------------------------------------------------------------

    def read(self, data: object, edition: Edition | None) -> Draft | None:
        """Read everything; None if the edition or the number of seats cannot be read."""
        if not isinstance(data, dict):
            self.say("position", "not a JSON object", "Write it as {…}.")
            return None
        if data.get(FORMAT_KEY) != FORMAT:
            shown = _short(data.get(FORMAT_KEY))
            self.say(FORMAT_KEY, f"unknown format {shown}", f'Write "{FORMAT_KEY}": {FORMAT}.')
            return None
        spec = self.spec(data, edition)
        if spec is None:
            return None
        draft = self.draft = Draft(spec, notation_of(spec))
        record = draft.record
        self.table("", data, (FORMAT_KEY, "edition", "fingerprint", *_TOP))
        self.turn(data)
        for heap in ("row", "discards", "pool"):
            cards = self.entry(_TOP, data, heap)
            if cards:
                record[heap] = cards
        record["refreshed"] = self.number(
            "refreshed", data.get("refreshed"), 0, at.ROW_REFRESHES, -1, PHASE_PART
        )
        self.claiming(data)
        places = self.known_tickets(data.get("known_tickets"))
        named: list[tuple[int, int, str]] = []
        for seat, row in enumerate(data["seats"]):
            named += self.player(f"seats[{seat}]", seat, row, places)
        self.place_tickets(named, places)
        self.deck(data)
        self.ticket_heaps(data, places)
        self.knowers(data.get("knowers"))
        self.alvin(data)
        positions().complete_draft(spec.table, draft.drafts)
        self.compare_all(data)
        return draft

    def spec(self, data: dict[str, Any], edition: Edition | None) -> Spec | None:
        """The edition and number of seats, compiled; None if they cannot be read."""
        name = data.get("edition")
        if edition is None:
            if not isinstance(name, str):
                self.say("edition", "no edition is named", 'Add it, as in "edition": "europe".')
                return None
            edition = self.shipped(name)
            if edition is None:
                return None
        fingerprint = data.get("fingerprint", edition.fingerprint)
        if fingerprint != edition.fingerprint:
            message = (
                f"the position is of another version of {edition.title}: {_short(fingerprint)}"
            )
            remedy = (
                "Use the file it was made with, or check the position and write "
                f"{edition.fingerprint}."
            )
            self.say("fingerprint", message, remedy)
            return None
        seats = data.get("seats")
        try:
            return compile_spec(edition, len(seats) if isinstance(seats, list) else 0)
        except ValueError as error:
            self.say("seats", str(error), "Write one entry for each seat.")
            return None

    def shipped(self, name: str) -> Edition | None:
        """An edition by its id, never a file: positions are untrusted input."""
        plain, *options = name.split("+")
        if not is_known(plain):
            near = closest(plain, list_editions())
            hint = f"Did you mean {near!r}? " if near else ""
            message = f"no edition {_short(name)} comes with Macaz"
            remedy = f"{hint}For a custom map give its file with `edition=` or `--edition`."
            self.say("edition", message, remedy)
            return None
        try:
            return load_edition(plain, options)
        except EditionError as error:
            self.say("edition", str(error).rstrip("."), "Name it as `macaz edition list` does.")
            return None

    def turn(self, data: dict[str, Any]) -> None:
        """The viewer, the phase, the seat to move and the counters."""
        record, seats = self.draft.record, self.draft.spec.seats
        record["open"] = "seat" not in data
        record["seat"] = self.number("seat", data.get("seat"), 0, seats - 1, SPECTATOR, PHASE_PART)
        record["phase"] = self.phase("phase", data.get("phase"), at.TURN)
        record["after"] = self.phase("after", data.get("after"), -1)
        early = self.draft.phase == at.DEAL_FIRST
        record["first"] = self.seat("first", data.get("first"), -1 if early else 0)
        record["turn"] = self.seat("turn", data.get("turn"), -1)
        record["passes"] = self.number("passes", data.get("passes"), 0, seats, 0, PHASE_PART)
        record["last"] = self.number("last_turns", data.get("last_turns"), 0, seats, 0, PHASE_PART)
        record["drawn"] = self.number("drawn", data.get("drawn"), 0, 1, -1, PHASE_PART)

    def seat(self, place: str, value: object, default: int) -> int:
        """A seat's number."""
        return self.number(place, value, 0, self.draft.spec.seats - 1, default, PHASE_PART)

    def claiming(self, data: dict[str, Any]) -> None:
        """The route being claimed, and the cards laid and revealed for it."""
        draft, record = self.draft, self.draft.record
        route = self.entry(_TOP, data, "claiming")
        laid = self.entry(_TOP, data, "laid") or [0] * at.CARDS
        revealed = self.entry(_TOP, data, "revealed") or [0] * at.CARDS
        extra = data.get("extra")
        if extra is not None:
            extra = self.number("extra", extra, 0, at.OFFER, 0, CARD_PART)
        if route is None:
            if any(laid) or any(revealed) or extra:
                message, remedy = "cards are laid for a route that is not named", "Add the route."
                self.say("claiming", message, remedy, ROUTE_PART)
            return
        colors = [c for c in range(LOCOMOTIVE) if laid[c]]
        length = draft.spec.edition.board.routes[route].length
        record["laid"] = any(laid)
        if record["laid"] and (len(colors) > 1 or sum(laid) != length):
            message = f"{sum(laid)} cards of {len(colors)} colours for a route of {length}"
            self.say("laid", message, "Use one colour and locomotives (C1, C2).", ROUTE_PART)
        record["lane"] = draft.spec.lane_of_route[route]
        record["paid_color"] = colors[0] if colors else LOCOMOTIVE
        record["paid_locos"] = laid[LOCOMOTIVE]
        record["revealed"] = revealed
        record["told_extra"] = -1 if extra is None else extra

    def known_tickets(self, value: object) -> dict[int, int]:
        """The places of the tickets that are not listed in `seats`."""
        places: dict[int, int] = {}
        if value is None:
            return places
        if not isinstance(value, dict):
            remedy = 'Write it as {"ticket": "under 0"}.'
            self.say("known_tickets", f"not an object: {_short(value)}", remedy, TICKET_PART)
            return places
        for name, where in value.items():
            place = f"known_tickets.{name}"
            ticket = self.name(place, name, "ticket")
            found = _PLACES.get(where) if isinstance(where, str) else None
            seats = self.draft.spec.seats
            if found is None or (found < at.IN_DECK and found % at.OFFERED >= seats):
                words = ", ".join(("seat 0", "offer 0", "returned 0", "under 0", *_HEAPS))
                message = f"no such place: {_short(where)}"
                self.say(place, message, f"Use one of: {words}.", TICKET_PART)
            elif ticket in places:
                self.say(place, "it is named already", "Keep it in one place.", TICKET_PART)
            elif ticket is not None:
                places[ticket] = found
        return places

    def player(
        self, place: str, seat: int, value: object, places: dict[int, int]
    ) -> list[tuple[int, int, str]]:
        """A seat; the tickets that it names, each with its place and the entry that names it."""
        draft, spec, record = self.draft, self.draft.spec, self.draft.record
        table = self.table(place, value, tuple(_SEAT))
        named: list[tuple[int, int, str]] = []

        def entry(key: str) -> Any:
            return self.entry(_SEAT, table, f"{place}.{key}")

        def heap(key: str, field: str, where: int) -> None:
            known = [ticket for ticket, found in places.items() if found == where + seat]
            count = COUNTS[key]
            if mine:
                own = entry(key) or []
                named.extend((ticket, where + seat, f"{place}.{key}") for ticket in own)
                size = len(own) + len(known)
                self.compare(f"{place}.{count}", table.get(count), size)
            else:
                self.hidden(f"{place}.{key}", table.get(key), count)
                size = self.padded(f"{place}.{count}", known, table.get(count))
            record[field][seat] = size

        mine = draft.open or seat == draft.viewer
        routes, marks = entry("routes") or [], entry("marks") or []
        for i, route in enumerate(routes):
            if route in routes[:i]:
                name = draft.notation.route_name(route)
                message = f"{name} is claimed already, by seat {seat}"
                self.say(f"{place}.routes[{i}]", message, "Keep it once.")
                continue
            word, bit = divmod(spec.lane_of_route[route], at.WORD_BITS)
            record["claimed"][seat, word] |= 1 << bit
        draft.routes.append(routes)
        draft.marks.append(marks)
        record["mark_count"][seat] = len(marks)
        record["marks"][seat, : len(marks)] = marks[: at.MARKS]
        record["seen"][seat] = entry("seen") or [0] * at.CARDS
        if mine:
            hand = entry("hand") or [0] * at.CARDS
            record["hand"][seat] = hand
            self.compare(f"{place}.hand_size", table.get("hand_size"), sum(hand))
        else:
            self.hidden(f"{place}.hand", table.get("hand"), "hand_size")
            most, given = sum(spec.edition.rules.cards), table.get("hand_size")
            record["hand_size"][seat] = self.number(
                f"{place}.hand_size", given, 0, most, 0, CARD_PART
            )
        most = spec.edition.rules.trains
        for key, limit in (("trains", most), ("score", MOST_POINTS)):
            record[key][seat] = self.number(
                f"{place}.{key}", table.get(key), 0, limit, -1, ROUTE_PART
            )
        heap("tickets", "held", at.HELD)
        heap("offer", "offered", at.OFFERED)
        return named

    def place_tickets(self, named: list[tuple[int, int, str]], places: dict[int, int]) -> None:
        """Put every ticket that is named into its place; none can be in two."""
        where: dict[int, str] = {}
        listed = [(ticket, found, self.draft.place_of(ticket)) for ticket, found in places.items()]
        for ticket, found, entry in (*named, *listed):
            self.draft.record["ticket"][ticket] = found
            if ticket in where:
                message = f"{self.draft.notation.ticket_name(ticket)} is also in {where[ticket]}"
                self.say(entry, message, "Keep it in one place.")
            where.setdefault(ticket, entry)

    def deck(self, data: dict[str, Any]) -> None:
        """The cards of the deck; in a view their number."""
        draft = self.draft
        if draft.open:
            cards = self.entry(_TOP, data, "deck")
            if cards is not None:
                draft.record["deck"] = cards
            return
        self.hidden("deck", data.get("deck"), "deck_size")
        most = sum(draft.spec.edition.rules.cards)
        draft.record["deck_size"] = self.number(
            "deck_size", data.get("deck_size"), 0, most, -1, CARD_PART
        )

    def ticket_heaps(self, data: dict[str, Any], places: dict[int, int]) -> None:
        """In a view: how many tickets there are to be drawn, and where they lie."""
        if self.draft.open:
            return
        record, stock = self.draft.record, data.get("ticket_stock")
        bundle = [ticket for ticket, found in places.items() if found == at.IN_BUNDLE]
        bundled = self.padded("tickets_bundled", bundle, data.get("tickets_bundled"))
        least = max((found - at.QUEUE + 1 for found in places.values()), default=0)
        most = len(self.draft.spec.edition.board.tickets)
        given = data.get("tickets_under")
        under = self.number("tickets_under", given, max(least, 0), most, max(least, 0), TICKET_PART)
        if stock is None:
            remedy = 'Add it, as in "ticket_stock": 20.'
            self.say("ticket_stock", "the number of tickets is missing", remedy, TICKET_PART)
        least = bundled + under
        record["bundled"], record["queue"] = bundled, under
        record["stock"] = self.number("ticket_stock", stock, least, at.TICKETS, least, TICKET_PART)

    def knowers(self, table: object) -> None:
        """The seats that know where a ticket lies, besides the seat that has it."""
        if table is None:
            return
        if not self.draft.open:
            self.say("knowers", "a view has only what its own seat knows", "Remove it.")
            return
        if not isinstance(table, dict):
            remedy = 'Write it as {"ticket": [0]}.'
            self.say("knowers", f"not an object: {_short(table)}", remedy, TICKET_PART)
            return
        for name, seats in table.items():
            place = f"knowers.{name}"
            ticket = self.name(place, name, "ticket")
            if not isinstance(seats, list):
                remedy = "Write it as a list, as in [0, 2]."
                self.say(place, f"not a list of seats: {_short(seats)}", remedy, TICKET_PART)
                continue
            bits = 0
            for seat in seats:
                bits |= 1 << self.seat(place, seat, 0)
            if ticket is not None:
                self.draft.record["known"][ticket] = bits

    def alvin(self, data: dict[str, Any]) -> None:
        """Where Alvin is, and who holds him."""
        draft, record = self.draft, self.draft.record
        home = int(draft.spec.table["alvin_home"][0])
        for key in ("alvin_city", "alvin_holder", "alvin_captured"):
            if home < 0 and not (data.get(key) is None or data[key] is False):
                message = f"there is no Alvin in {draft.spec.edition.title}"
                self.say(key, message, "Remove it.")
                return
        city = self.entry(_TOP, data, "alvin_city")
        record["alvin_city"] = -1 if city is None else city
        record["alvin_holder"] = self.seat("alvin_holder", data.get("alvin_holder"), -1)
        captured = data.get("alvin_captured")
        if captured is None and "alvin_captured" not in data:
            return
        if not isinstance(captured, bool):
            message, remedy = f"not true or false: {_short(captured)}", "Write true or false."
            self.say("alvin_captured", message, remedy, PHASE_PART)
        else:
            record["captured"] = captured

    def compare_all(self, data: dict[str, Any]) -> None:
        """Report entries of the completed position that differ from what follows from the rest."""
        record = self.draft.record
        if self.draft.open:
            for entry, name in (
                ("deck_size", "deck_size"),
                ("tickets_bundled", "bundled"),
                ("tickets_under", "queue"),
                ("ticket_stock", "stock"),
            ):
                self.compare(entry, data.get(entry), int(record[name]))
        bits = int(record["choosing"])
        choosing = [seat for seat in range(self.draft.spec.seats) if bits >> seat & 1]
        self.compare("choosing", data.get("choosing"), choosing)


_HEAPS = ("bundle", "deck", "box", "long deck")


def _word(value: object) -> str:
    """A name to find similar names for; empty if it is no text."""
    return value if isinstance(value, str) else ""


def _short(value: object) -> str:
    """A value for a message, shortened."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits
        return "a value too long to show"
    return text if len(text) <= 40 else f"{text[:39]}…"
