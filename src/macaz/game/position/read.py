"""Reading a position from JSON data: names become numbers, missing entries get their defaults.

What cannot be read is reported with its place; `position.check` checks the rest.
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
from macaz.game.data import Position, SeatView, name_kind, type_of
from macaz.game.moves import InvalidMove, Notation, notation_of
from macaz.game.view import place_name
from macaz.kernel import layout as at
from macaz.kernel.help import claim_points, many_locomotives, tunnel_extra
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

# Areas of a position: a check is skipped if an area that it needs could not be read.
CARD_AREA, ROUTE_AREA, MARK_AREA = "card", "route", "mark"
TICKET_AREA, PHASE_AREA = "ticket", "phase"

_AREAS = {"route": ROUTE_AREA, "city": MARK_AREA, "ticket": TICKET_AREA}

SETUP_PHASES = (at.DEAL_FIRST, at.DEAL_HANDS, at.DEAL_SETUP, at.CHOOSE, at.START)
_AFTER = {
    at.DEAL_FIRST: at.DEAL_FIRST,
    at.DEAL_HANDS: at.DEAL_FIRST,
    at.DEAL_SETUP: at.DEAL_SETUP,
    at.CHOOSE: at.DEAL_SETUP,
    at.START: at.DEAL_SETUP,
    at.SECOND: at.SECOND,
    at.MARK: at.MARK,
    at.ALVIN: at.ALVIN,
    at.OVER: at.OVER,
}


_ABSENT = dict.fromkeys(("marks", "lane", "alvin_city", "alvin_holder"), -1)


@dataclass(slots=True)
class Player:
    """A seat of a position; None is an unknown hand or ticket."""

    hand: list[int] | None
    hand_size: int
    seen: list[int]
    trains: int
    score: int
    routes: list[int]
    marks: list[int]
    held: list[int | None]
    offer: list[int | None]
    returned: list[int]


@dataclass(slots=True)
class Claiming:
    """The route being claimed; `color` is None if it is not a tunnel."""

    route: int
    color: int | None
    locomotives: int
    revealed: list[int]
    extra: int | None


@dataclass(slots=True)
class Draft:
    """A position as it was read."""

    spec: Spec
    notation: Notation
    viewer: int | None = None  # None: nothing is hidden; SPECTATOR, or a seat
    phase: int = at.TURN
    after: int = at.TURN
    turn: int = 0
    first: int = 0
    passes: int = 0
    last: int = 0
    drawn: int = 0
    refreshed: int = 0
    row: list[int] = field(default_factory=lambda: [0] * at.CARDS)
    discards: list[int] = field(default_factory=lambda: [0] * at.CARDS)
    deck: list[int] | None = None
    deck_size: int = 0
    pool: list[int] = field(default_factory=lambda: [0] * at.CARDS)
    players: list[Player] = field(default_factory=list)
    ticket_deck: list[int] = field(default_factory=list)
    chance_tickets: int = 0  # tickets that chance deals: the deck and the bundle
    long: list[int] = field(default_factory=list)
    bundle: list[int | None] = field(default_factory=list)
    under: list[int | None] = field(default_factory=list)
    box: list[int] = field(default_factory=list)
    known: dict[int, int] = field(default_factory=dict)
    claiming: Claiming | None = None
    alvin_city: int = -1
    alvin_holder: int = -1
    captured: bool = False
    unsound: set[str] = field(default_factory=set)  # the areas that could not be read

    @property
    def open(self) -> bool:
        """Whether nothing is hidden: a complete position, or a view of a game that is over."""
        return self.viewer is None or self.phase == at.OVER

    @property
    def setting_up(self) -> bool:
        """Whether it is before the first turn."""
        return is_setup(self.phase, self.after)

    @property
    def laid(self) -> list[int]:
        """The cards laid for a tunnel whose claim is undecided."""
        cards = [0] * at.CARDS
        claiming = self.claiming
        if claiming and claiming.color is not None and self.phase in (at.DEAL_TUNNEL, at.TUNNEL):
            length = self.spec.edition.board.routes[claiming.route].length
            cards[LOCOMOTIVE] += claiming.locomotives
            if claiming.color != LOCOMOTIVE:
                cards[claiming.color] += length - claiming.locomotives
        return cards

    @property
    def revealed(self) -> list[int]:
        """The cards revealed for a tunnel."""
        return self.claiming.revealed if self.claiming else [0] * at.CARDS

    @property
    def extra(self) -> int:
        """The number of extra cards, once all cards are revealed (U2, U3)."""
        claiming = self.claiming
        if claiming is None or claiming.color is None or self.phase == at.DEAL_TUNNEL:
            return 0
        return tunnel_extra(blank_state(paid_color=claiming.color, revealed=claiming.revealed))

    @property
    def stock(self) -> int:
        """How many tickets can be drawn."""
        return self.chance_tickets + len(self.under)

    @property
    def left(self) -> int:
        """How many deals are left in the current chance phase."""
        rules, seats = self.spec.edition.rules, self.spec.seats
        setup_deal = rules.setup_tickets + rules.setup_long
        offered = sum(len(p.offer) for p in self.players)
        if self.phase == at.DEAL_HANDS:
            return seats * rules.hand - sum(p.hand_size for p in self.players)
        if self.phase == at.DEAL_ROW and self.after == at.DEAL_SETUP:
            return seats * setup_deal
        if self.phase == at.DEAL_SETUP:
            return seats * setup_deal - offered
        if self.phase == at.DEAL_OFFER:
            return min(rules.draw_tickets, self.stock + offered) - offered
        if self.phase == at.DEAL_TUNNEL:
            return rules.tunnel_cards - sum(self.revealed)
        return 0


def blank_state(**fields: Any) -> np.ndarray:
    """A state with an empty board except for these fields, for queries to the kernel."""
    states = np.zeros(1, at.dtype_of("state"))
    for name, value in {**_ABSENT, **fields}.items():
        states[name][0] = value
    return states


def default_after(phase: int) -> int:
    """The default of `after`."""
    return _AFTER.get(phase, at.TURN)


def is_setup(phase: int, after: int) -> bool:
    """Whether it is before the first turn."""
    return phase in SETUP_PHASES or (phase == at.DEAL_ROW and after == at.DEAL_SETUP)


def is_dealing(phase: int, after: int) -> bool:
    """Whether not all setup tickets are dealt."""
    return is_setup(phase, after) and phase not in (at.CHOOSE, at.START)


def default_place(deck: str, dealing: bool) -> int:
    """The place of a ticket that the position does not name."""
    if deck != "long":
        return at.IN_DECK
    return at.IN_LONG_DECK if dealing else at.IN_BOX


def default_pool(spec: Spec, row: Sequence[int], revealed: Sequence[int]) -> list[int]:
    """The default of `pool`: all cards except those that lie face up now."""
    cards = zip(spec.edition.rules.cards, row, revealed, strict=True)
    return [total - up - shown for total, up, shown in cards]


def default_refreshed(spec: Spec, phase: int, row: Sequence[int]) -> int:
    """The default of `refreshed`: the maximum for a full row with many locomotives (D7)."""
    stuck = phase != at.DEAL_ROW and many_locomotives(spec, blank_state(row=row))
    return at.ROW_REFRESHES if stuck else 0


def default_score(spec: Spec, routes: Sequence[int]) -> int:
    """The points of a seat's routes (C5)."""
    states = blank_state()
    return sum(claim_points(spec, states, 0, route) for route in routes)


def default_trains(spec: Spec, routes: Sequence[int]) -> int:
    """The trains of a seat that are not on the board (C3)."""
    return spec.edition.rules.trains - sum(spec.edition.board.routes[r].length for r in routes)


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

    def say(self, place: str, message: str, remedy: str, area: str = "") -> None:
        """Report a problem, and the area that could not be read because of it."""
        self.problems.append(Problem(place, message, remedy))
        if area:
            self.draft.unsound.add(area)

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
        self, place: str, value: object, low: int, high: int, default: int, area: str
    ) -> int:
        """A whole number in a range."""
        if value is None:
            return default
        remedy = f"Use a whole number from {low} to {high}."
        if not isinstance(value, int) or isinstance(value, bool):
            self.say(place, f"not a whole number: {_short(value)}", remedy, area)
            return default
        if not low <= value <= high:
            self.say(place, f"{_short(value)} is out of range", remedy, area)
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
            self.say(place, f"not cards by colour: {_short(value)}", remedy, CARD_AREA)
            return counts
        for name, count in value.items():
            color = self.color(f"{place}.{name}", name)
            if color is not None:
                where = f"{place}.{name}"
                most = self.draft.spec.edition.rules.cards[color]
                counts[color] += self.number(where, count, 0, most, 0, CARD_AREA)
        return counts

    def color(self, place: str, name: object) -> int | None:
        """The number of a card by its name."""
        if name == "loco":
            return LOCOMOTIVE
        if isinstance(name, str) and name in CARDS:
            return CARDS.index(name)
        self.say(place, f"no such card: {_short(name)}", suggest(_word(name), CARDS), CARD_AREA)
        return None

    def name(self, place: str, text: object, named: str) -> int | None:
        """The number of a city, route or ticket, given by its name or number."""
        names, area = self.draft.notation, _AREAS[named]
        find, things = {
            "route": (names.route_named, names.board.routes),
            "city": (names.city_named, names.board.cities),
            "ticket": (names.ticket_named, names.board.tickets),
        }[named]
        if isinstance(text, int) and not isinstance(text, bool):
            if 0 <= text < len(things):
                return text
            self.say(place, f"there is no {named} {_short(text)}", "Correct it.", area)
            return None
        if not isinstance(text, str):
            self.say(place, f"not a name in quotes: {_short(text)}", 'Write it as "name".', area)
            return None
        if text.isdecimal() and text.isascii() and len(text) <= len(str(at.CLAIMS)):
            return self.name(place, int(text), named)  # a key of an object is always a text
        try:
            return find(" ".join(text.split()))
        except InvalidMove as error:
            message, _, near = str(error).partition("; did you mean ")
            self.say(place, message, f"Did you mean {near}" if near else "Correct it.", area)
            return None

    def names(self, place: str, value: object, named: str) -> list[int]:
        """The numbers of a list of names."""
        if not isinstance(value, list):
            remedy = 'Write it as ["name", "name"].'
            self.say(place, f"not a list of names: {_short(value)}", remedy, _AREAS[named])
            return []
        found = (self.name(f"{place}[{i}]", v, named) for i, v in enumerate(value))
        return [number for number in found if number is not None]

    def padded(
        self, place: str, known: Sequence[int], value: object, area: str
    ) -> list[int | None]:
        """The known tickets, and None for the others up to the number given."""
        most = len(self.draft.spec.edition.board.tickets)
        size = self.number(place, value, 0, most, len(known), area)
        if size < len(known):
            self.say(place, f"{size}, but {len(known)} are known", "Correct it.", area)
        return [*known, *[None] * (size - len(known))]

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
        self.say(place, f"no such phase: {_short(value)}", remedy, PHASE_AREA)
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
        self.table("", data, (FORMAT_KEY, "edition", "fingerprint", *_TOP))
        self.turn(data)
        draft.row = self.entry(_TOP, data, "row") or draft.row
        draft.discards = self.entry(_TOP, data, "discards") or draft.discards
        refreshed = default_refreshed(spec, draft.phase, draft.row)
        draft.refreshed = self.number(
            "refreshed", data.get("refreshed"), 0, at.ROW_REFRESHES, refreshed, PHASE_AREA
        )
        self.claiming(data)
        places = self.known_tickets(data.get("known_tickets"))
        for seat, row in enumerate(data["seats"]):
            draft.players.append(self.player(f"seats[{seat}]", seat, row, places))
        self.deck(data)
        draft.pool = default_pool(spec, draft.row, draft.revealed)
        draft.pool = self.entry(_TOP, data, "pool") or draft.pool
        self.ticket_heaps(data, places)
        self.knowers(data.get("knowers"))
        self.alvin(data)
        choosing = [seat for seat, player in enumerate(draft.players) if player.offer]
        self.compare("choosing", data.get("choosing"), choosing if draft.phase == at.CHOOSE else [])
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
        draft, seats = self.draft, self.draft.spec.seats
        if "seat" in data:
            draft.viewer = self.number("seat", data["seat"], 0, seats - 1, SPECTATOR, PHASE_AREA)
        draft.phase = self.phase("phase", data.get("phase"), at.TURN)
        draft.after = self.phase("after", data.get("after"), default_after(draft.phase))
        draft.first = self.seat("first", data.get("first"), 0)
        if draft.phase == at.DEAL_FIRST and data.get("first") is None:
            draft.first = -1
        draft.turn = self.seat("turn", data.get("turn"), max(draft.first, 0))
        draft.passes = self.number("passes", data.get("passes"), 0, seats, 0, PHASE_AREA)
        draft.last = self.number("last_turns", data.get("last_turns"), 0, seats, 0, PHASE_AREA)
        drawn = int(draft.after == at.SECOND)
        draft.drawn = self.number("drawn", data.get("drawn"), 0, 1, drawn, PHASE_AREA)

    def seat(self, place: str, value: object, default: int) -> int:
        """A seat's number."""
        return self.number(place, value, 0, self.draft.spec.seats - 1, default, PHASE_AREA)

    def claiming(self, data: dict[str, Any]) -> None:
        """The route being claimed, and the cards laid and revealed for it."""
        draft = self.draft
        route = self.entry(_TOP, data, "claiming")
        laid = self.entry(_TOP, data, "laid") or [0] * at.CARDS
        revealed = self.entry(_TOP, data, "revealed") or [0] * at.CARDS
        extra = data.get("extra")
        if extra is not None:
            extra = self.number("extra", extra, 0, at.OFFER, 0, CARD_AREA)
        if route is None:
            if any(laid) or any(revealed) or extra:
                message, remedy = "cards are laid for a route that is not named", "Add the route."
                self.say("claiming", message, remedy, ROUTE_AREA)
            return
        colors = [c for c in range(LOCOMOTIVE) if laid[c]]
        color = colors[0] if colors else LOCOMOTIVE if laid[LOCOMOTIVE] else None
        length = draft.spec.edition.board.routes[route].length
        if color is not None and (len(colors) > 1 or sum(laid) != length):
            message = f"{sum(laid)} cards of {len(colors)} colours for a route of {length}"
            self.say("laid", message, "Use one colour and locomotives (C1, C2).", ROUTE_AREA)
        draft.claiming = Claiming(route, color, laid[LOCOMOTIVE], revealed, extra)

    def known_tickets(self, value: object) -> dict[int, int]:
        """The places of the tickets that are not listed in `seats`."""
        places: dict[int, int] = {}
        if value is None:
            return places
        if not isinstance(value, dict):
            remedy = 'Write it as {"ticket": "under 0"}.'
            self.say("known_tickets", f"not an object: {_short(value)}", remedy, TICKET_AREA)
            return places
        for name, where in value.items():
            place = f"known_tickets.{name}"
            ticket = self.name(place, name, "ticket")
            found = _PLACES.get(where) if isinstance(where, str) else None
            if found is None or (found < at.IN_DECK and found % at.OFFERED >= len(self.seats)):
                words = ", ".join(("seat 0", "offer 0", "returned 0", "under 0", *_HEAPS))
                message = f"no such place: {_short(where)}"
                self.say(place, message, f"Use one of: {words}.", TICKET_AREA)
            elif ticket in places:
                self.say(place, "it is named already", "Keep it in one place.", TICKET_AREA)
            elif ticket is not None:
                places[ticket] = found
        return places

    @property
    def seats(self) -> range:
        return range(self.draft.spec.seats)

    def player(self, place: str, seat: int, value: object, places: dict[int, int]) -> Player:
        draft, spec = self.draft, self.draft.spec
        table = self.table(place, value, tuple(_SEAT))

        def entry(key: str) -> Any:
            return self.entry(_SEAT, table, f"{place}.{key}")

        def at_place(where: int) -> list[int]:
            return [ticket for ticket, found in places.items() if found == where + seat]

        def heap(key: str, where: int) -> list[int | None]:
            known, count = at_place(where), COUNTS[key]
            if not mine:
                self.hidden(f"{place}.{key}", table.get(key), count)
                return self.padded(f"{place}.{count}", known, table.get(count), TICKET_AREA)
            found = [*(entry(key) or []), *known]
            self.compare(f"{place}.{count}", table.get(count), len(found))
            return list(found)

        mine = draft.open or seat == draft.viewer
        routes = entry("routes") or []
        hand: list[int] | None = None
        if mine:
            hand = entry("hand") or [0] * at.CARDS
            size = sum(hand)
            self.compare(f"{place}.hand_size", table.get("hand_size"), size)
        else:
            self.hidden(f"{place}.hand", table.get("hand"), "hand_size")
            most = sum(spec.edition.rules.cards)
            given = table.get("hand_size")
            size = self.number(f"{place}.hand_size", given, 0, most, 0, CARD_AREA)
        score, trains = default_score(spec, routes), default_trains(spec, routes)
        most = spec.edition.rules.trains
        return Player(
            hand=hand,
            hand_size=size,
            seen=entry("seen") or [0] * at.CARDS,
            trains=self.number(f"{place}.trains", table.get("trains"), 0, most, trains, ROUTE_AREA),
            score=self.number(
                f"{place}.score", table.get("score"), 0, MOST_POINTS, score, ROUTE_AREA
            ),
            routes=routes,
            marks=entry("marks") or [],
            held=heap("tickets", at.HELD),
            offer=heap("offer", at.OFFERED),
            returned=at_place(at.RETURNED),
        )

    def deck(self, data: dict[str, Any]) -> None:
        """The cards of the deck; the default is all cards that are in no other place."""
        draft = self.draft
        placed = [
            sum(counts)
            for counts in zip(
                draft.row,
                draft.discards,
                draft.revealed,
                draft.laid,
                *(p.hand for p in draft.players if p.hand),
                strict=True,
            )
        ]
        total = draft.spec.edition.rules.cards
        rest = [n - k for n, k in zip(total, placed, strict=True)]
        if draft.open:
            draft.deck = [max(n, 0) for n in self.entry(_TOP, data, "deck") or rest]
            draft.deck_size = sum(draft.deck)
            self.compare("deck_size", data.get("deck_size"), draft.deck_size)
            return
        self.hidden("deck", data.get("deck"), "deck_size")
        size = sum(rest) - sum(p.hand_size for p in draft.players if p.hand is None)
        draft.deck_size = self.number(
            "deck_size", data.get("deck_size"), 0, sum(total), max(size, 0), CARD_AREA
        )

    def ticket_heaps(self, data: dict[str, Any], places: dict[int, int]) -> None:
        """The tickets in the decks, under the deck and out of the game."""
        draft = self.draft
        if draft.open:
            self.add_default_places(places)
        heaps = {
            place: [ticket for ticket, found in places.items() if found == place]
            for place in (at.IN_DECK, at.IN_LONG_DECK, at.IN_BUNDLE, at.IN_BOX)
        }
        draft.ticket_deck, draft.long = heaps[at.IN_DECK], heaps[at.IN_LONG_DECK]
        draft.box = heaps[at.IN_BOX]
        bundled, stock = data.get("tickets_bundled"), data.get("ticket_stock")
        self.under(data, places)
        if draft.open:
            draft.bundle = list(heaps[at.IN_BUNDLE])
            draft.chance_tickets = len(draft.bundle) + len(draft.ticket_deck)
            self.compare("tickets_bundled", bundled, len(draft.bundle))
            self.compare("ticket_stock", stock, draft.stock)
            return
        bundle = heaps[at.IN_BUNDLE]
        draft.bundle = self.padded("tickets_bundled", bundle, bundled, TICKET_AREA)
        if stock is None:
            remedy = 'Add it, as in "ticket_stock": 20.'
            self.say("ticket_stock", "the number of tickets is missing", remedy, TICKET_AREA)
        least = len(draft.bundle) + len(draft.under)
        stock = self.number("ticket_stock", stock, least, at.TICKETS, least, TICKET_AREA)
        draft.chance_tickets = stock - len(draft.under)

    def under(self, data: dict[str, Any], places: dict[int, int]) -> None:
        """The tickets under the deck, in order."""
        draft, given = self.draft, data.get("tickets_under")
        at_depth: dict[int, int] = {}
        for ticket, found in places.items():
            if found >= at.QUEUE and at_depth.setdefault(found - at.QUEUE, ticket) != ticket:
                where = f"known_tickets.{draft.notation.ticket_name(ticket)}"
                message = f"another ticket is {place_name(found)}"
                self.say(where, message, "Put it elsewhere.", TICKET_AREA)
        least = max(at_depth, default=-1) + 1
        most = len(draft.spec.edition.board.tickets)
        size = self.number("tickets_under", given, least, most, least, TICKET_AREA)
        draft.under = [at_depth.get(depth) for depth in range(size)]
        if draft.open and None in draft.under:
            message = f"no ticket is {place_name(at.QUEUE + draft.under.index(None))}"
            self.say("known_tickets", message, "Name it, or correct the others.", TICKET_AREA)

    def add_default_places(self, places: dict[int, int]) -> None:
        """Put each ticket that is not named into its default place."""
        draft = self.draft
        placed = {t for t, _ in places_of(draft)} | set(places)
        dealing = is_dealing(draft.phase, draft.after)
        for ticket, row in enumerate(draft.spec.edition.board.tickets):
            if ticket not in placed:
                places[ticket] = default_place(row.deck, dealing)

    def knowers(self, table: object) -> None:
        """The seats that know where a ticket lies, besides the seat that has it."""
        if table is None:
            return
        if not self.draft.open:
            self.say("knowers", "a view has only what its own seat knows", "Remove it.")
            return
        if not isinstance(table, dict):
            remedy = 'Write it as {"ticket": [0]}.'
            self.say("knowers", f"not an object: {_short(table)}", remedy, TICKET_AREA)
            return
        for name, seats in table.items():
            place = f"knowers.{name}"
            ticket = self.name(place, name, "ticket")
            if not isinstance(seats, list):
                remedy = "Write it as a list, as in [0, 2]."
                self.say(place, f"not a list of seats: {_short(seats)}", remedy, TICKET_AREA)
                continue
            bits = 0
            for seat in seats:
                bits |= 1 << self.seat(place, seat, 0)
            if ticket is not None:
                self.draft.known[ticket] = bits

    def alvin(self, data: dict[str, Any]) -> None:
        """Where Alvin is, and who holds him."""
        draft = self.draft
        home = int(draft.spec.table["alvin_home"][0])
        draft.alvin_city = home
        draft.captured = home >= 0 and at.ALVIN in (draft.phase, draft.after)
        for key in ("alvin_city", "alvin_holder", "alvin_captured"):
            if home < 0 and not (data.get(key) is None or data[key] is False):
                message = f"there is no Alvin in {draft.spec.edition.title}"
                self.say(key, message, "Remove it.")
                return
        city = self.entry(_TOP, data, "alvin_city")
        draft.alvin_city = home if city is None else city
        holder = data.get("alvin_holder")
        if holder is not None:
            draft.alvin_holder = self.seat("alvin_holder", holder, 0)
        captured = data.get("alvin_captured", draft.captured)
        if not isinstance(captured, bool):
            message, remedy = f"not true or false: {_short(captured)}", "Write true or false."
            self.say("alvin_captured", message, remedy, PHASE_AREA)
        else:
            draft.captured = captured


_HEAPS = ("bundle", "deck", "box", "long deck")


def places_of(draft: Draft) -> list[tuple[int, str]]:
    """Every ticket that is named, with the entry that names it."""
    found: list[tuple[int, str]] = []
    for i, player in enumerate(draft.players):
        for key, tickets in (("tickets", player.held), ("offer", player.offer)):
            found += [(t, f"seats[{i}].{key}") for t in tickets if t is not None]
        found += [(t, place_of(draft, t)) for t in player.returned]
    for heap in (draft.ticket_deck, draft.long, draft.bundle, draft.under, draft.box):
        found += [(t, place_of(draft, t)) for t in heap if t is not None]
    return found


def place_of(draft: Draft, ticket: int) -> str:
    """The entry of a ticket that no seat has."""
    return f"known_tickets.{draft.notation.ticket_name(ticket)}"


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
