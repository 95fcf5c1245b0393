"""Reading a position from JSON data: names become numbers, what is left out gets its default.

Whatever cannot be read is reported with its place; `position_check` then judges what could be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from macaz.board import CARDS, LOCOMOTIVE, closest
from macaz.edition import Edition, EditionError, list_editions, load_edition
from macaz.errors import Problem
from macaz.kernel import layout as at
from macaz.kernel.spec import compile_spec
from macaz.kernel.views import SPECTATOR
from macaz.moves import InvalidMove, Notation
from macaz.rules import suggest

if TYPE_CHECKING:
    from macaz.kernel.spec import Spec

FORMAT_KEY = "macaz position"
FORMAT = 1
SPECTATOR_WORD = "spectator"
MOST_POINTS = 2**15 - 1  # what a record of the kernel has room for

_TOP = (
    FORMAT_KEY,
    "edition",
    "fingerprint",
    "seats",
    "view",
    "phase",
    "after",
    "turn",
    "first",
    "passes",
    "last",
    "drawn",
    "refreshed",
    "row",
    "deck",
    "pool",
    "discards",
    "players",
    "tickets",
    "claiming",
    "alvin",
)
_PLAYER = ("hand", "seen", "trains", "score", "routes", "marks", "tickets", "offer", "returned")
_TICKETS = ("deck", "long", "bundle", "under", "box", "known")
_CLAIMING = ("route", "color", "locomotives", "revealed", "extra")
_ALVIN = ("city", "holder", "captured")

# Areas of a position: a check is left out where what it asks about could not be read.
CARD_AREA, ROUTE_AREA, MARK_AREA = "card", "route", "mark"
TICKET_AREA, PHASE_AREA = "ticket", "phase"

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


@dataclass(slots=True)
class Player:
    """A seat of a position; None stands for a ticket, or a hand, that is not known."""

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
    """The route being claimed; `color` is None where it is no tunnel."""

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
    unsound: set[str] = field(default_factory=set)

    @property
    def open(self) -> bool:
        """Whether nothing is hidden: a full position, or a view of a game that is over."""
        return self.viewer is None or self.phase == at.OVER

    @property
    def setting_up(self) -> bool:
        """Whether the first turn has not come."""
        return self.phase in SETUP_PHASES or (
            self.phase == at.DEAL_ROW and self.after == at.DEAL_SETUP
        )

    @property
    def laid(self) -> list[int]:
        """The cards that lie before a tunnel."""
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
        """What the revealed cards cost, once all are revealed (U2, U3)."""
        claiming = self.claiming
        if claiming is None or claiming.color is None or self.phase == at.DEAL_TUNNEL:
            return 0
        extra = claiming.revealed[LOCOMOTIVE]
        return extra + (claiming.revealed[claiming.color] if claiming.color != LOCOMOTIVE else 0)

    @property
    def stock(self) -> int:
        """How many tickets can be drawn."""
        return self.chance_tickets + len(self.under)

    @property
    def left(self) -> int:
        """How many deals are left in the present chance phase."""
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


def default_after(phase: int) -> int:
    """The phase that follows the row, where a position does not say."""
    return _AFTER.get(phase, at.TURN)


def default_pool(spec: Spec, row: Sequence[int], revealed: Sequence[int]) -> list[int]:
    """The deck's last shuffle where nothing is said of it: all cards but those turned up now."""
    cards = zip(spec.edition.rules.cards, row, revealed, strict=True)
    return [total - up - shown for total, up, shown in cards]


def default_refreshed(spec: Spec, phase: int, row: Sequence[int]) -> int:
    """A settled row with many locomotives stays as it is (D7)."""
    stuck = phase != at.DEAL_ROW and row[LOCOMOTIVE] >= spec.edition.rules.row_locomotives
    return at.ROW_REFRESHES if stuck else 0


def default_score(spec: Spec, routes: Sequence[int]) -> int:
    """The points of a seat's routes (C5)."""
    points, board = spec.edition.rules.route_points, spec.edition.board
    return sum(points[board.routes[r].length] for r in routes)


def default_trains(spec: Spec, routes: Sequence[int]) -> int:
    """The trains that are not on the board (C3)."""
    return spec.edition.rules.trains - sum(spec.edition.board.routes[r].length for r in routes)


def read_position(data: object, edition: Edition | None) -> tuple[Draft | None, list[Problem]]:
    """The draft of a position, if there is any, and what could not be read."""
    reader = _Reader()
    draft = reader.read(data, edition)
    return draft, reader.problems


class _Reader:
    """Takes a position apart and keeps what is sound."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.draft: Draft

    def say(self, place: str, message: str, remedy: str, area: str = "") -> None:
        """Note a problem, and the area it makes unsound."""
        self.problems.append(Problem(place, message, remedy))
        if area:
            self.draft.unsound.add(area)

    # -- values --------------------------------------------------------------------------------

    def table(self, place: str, value: object, keys: Sequence[str]) -> dict[str, Any]:
        """An object with some of these keys."""
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

    def cards(self, place: str, value: object) -> list[int]:
        """Counts by colour."""
        counts = [0] * at.CARDS
        if value is None:
            return counts
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

    def name(self, place: str, text: object, find: Callable[[str], int], area: str) -> int | None:
        """The number of a city, route or ticket by its name."""
        if not isinstance(text, str):
            self.say(place, f"not a name in quotes: {_short(text)}", 'Write it as "name".', area)
            return None
        try:
            return find(" ".join(text.split()))
        except InvalidMove as error:
            message, _, near = str(error).partition("; did you mean ")
            self.say(place, message, f"Did you mean {near}" if near else "Correct it.", area)
            return None

    def names(self, place: str, value: object, find: Callable[[str], int], area: str) -> list[int]:
        """The numbers of a list of names."""
        if value is None:
            return []
        if not isinstance(value, list):
            remedy = 'Write it as ["name", "name"].'
            self.say(place, f"not a list of names: {_short(value)}", remedy, area)
            return []
        found = (self.name(f"{place}[{i}]", v, find, area) for i, v in enumerate(value))
        return [number for number in found if number is not None]

    def tickets(self, place: str, value: object, *, hidden: bool) -> list[int | None]:
        """Tickets by name; where some may be unknown, null or a plain number stands for them."""
        find = self.draft.notation.ticket_named
        if hidden and isinstance(value, int) and not isinstance(value, bool):
            return [None] * self.number(place, value, 0, at.TICKETS, 0, TICKET_AREA)
        if hidden and isinstance(value, list):
            return [
                None if v is None else self.name(f"{place}[{i}]", v, find, TICKET_AREA)
                for i, v in enumerate(value)
            ]
        return list(self.names(place, value, find, TICKET_AREA))

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
        """Everything, if the edition and the number of seats can be made out."""
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
        draft = self.draft = Draft(spec, Notation(spec))
        self.table("", data, _TOP)
        self.flow(data)
        draft.row = self.cards("row", data.get("row"))
        draft.discards = self.cards("discards", data.get("discards"))
        refreshed = default_refreshed(spec, draft.phase, draft.row)
        draft.refreshed = self.number(
            "refreshed", data.get("refreshed"), 0, at.ROW_REFRESHES, refreshed, PHASE_AREA
        )
        self.claiming(data.get("claiming"))
        self.players(data.get("players"))
        self.deck(data.get("deck"))
        draft.pool = default_pool(spec, draft.row, draft.revealed)
        if "pool" in data:
            draft.pool = self.cards("pool", data["pool"])
        self.ticket_heaps(data.get("tickets"))
        self.alvin(data.get("alvin"))
        return draft

    def spec(self, data: dict[str, Any], edition: Edition | None) -> Spec | None:
        """The table that the position is of."""
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
            message = f"the position is of another {edition.title}: {_short(fingerprint)}"
            remedy = (
                f"Use the file it was made with, or check it all and write {edition.fingerprint}."
            )
            self.say("fingerprint", message, remedy)
            return None
        players = data.get("players")
        seats = data.get("seats", len(players) if isinstance(players, list) else None)
        try:
            return compile_spec(edition, seats if seats in range(at.SEATS + 2) else 0)
        except ValueError as error:
            self.say("seats", str(error), "Say how many play.")
            return None

    def shipped(self, name: str) -> Edition | None:
        """An edition that comes with Macaz. A position opens no files, whatever it names."""
        plain, *options = name.split("+")
        known = list_editions()
        if plain not in known:
            near = closest(plain, known)
            hint = f"Did you mean {near!r}? " if near else ""
            message = f"no edition {_short(name)} comes with Macaz"
            remedy = f"{hint}For a map of your own give its file: `edition=` or `--edition`."
            self.say("edition", message, remedy)
            return None
        try:
            return load_edition(plain, options)
        except EditionError as error:
            self.say("edition", str(error).rstrip("."), "Name it as `macaz edition list` does.")
            return None

    def flow(self, data: dict[str, Any]) -> None:
        """Whose view it is, and where in the game it is."""
        draft, seats = self.draft, self.draft.spec.seats
        if "view" in data:
            view = data["view"]
            draft.viewer = (
                SPECTATOR
                if view == SPECTATOR_WORD
                else self.number("view", view, 0, seats - 1, SPECTATOR, PHASE_AREA)
            )
        draft.phase = self.phase("phase", data.get("phase"), at.TURN)
        draft.after = self.phase("after", data.get("after"), default_after(draft.phase))
        draft.first = self.seat("first", data.get("first"), 0)
        if draft.phase == at.DEAL_FIRST and data.get("first") is None:
            draft.first = -1
        draft.turn = self.seat("turn", data.get("turn"), max(draft.first, 0))
        draft.passes = self.number("passes", data.get("passes"), 0, seats, 0, PHASE_AREA)
        draft.last = self.number("last", data.get("last"), 0, seats, 0, PHASE_AREA)
        drawn = int(draft.after == at.SECOND)
        draft.drawn = self.number("drawn", data.get("drawn"), 0, 1, drawn, PHASE_AREA)

    def seat(self, place: str, value: object, default: int) -> int:
        """A seat's number."""
        return self.number(place, value, 0, self.draft.spec.seats - 1, default, PHASE_AREA)

    def claiming(self, value: object) -> None:
        """The route being claimed."""
        if value is None:
            return
        draft, area = self.draft, ROUTE_AREA
        table = self.table("claiming", value, _CLAIMING)
        route = self.name("claiming.route", table.get("route"), draft.notation.route_named, area)
        if route is None:
            return
        chosen = table.get("color")
        color = None if chosen is None else self.color("claiming.color", chosen)
        locos = table.get("locomotives")
        length = draft.spec.edition.board.routes[route].length
        extra = table.get("extra")
        draft.claiming = Claiming(
            route=route,
            color=color,
            locomotives=self.number(
                "claiming.locomotives",
                locos,
                0,
                length,
                length if color == LOCOMOTIVE else 0,
                area,
            ),
            revealed=self.cards("claiming.revealed", table.get("revealed")),
            extra=None
            if extra is None
            else self.number("claiming.extra", extra, 0, at.OFFER, 0, CARD_AREA),
        )

    def players(self, value: object) -> None:
        """The seats."""
        seats = self.draft.spec.seats
        rows = value if isinstance(value, list) else []
        if len(rows) != seats:
            self.say("players", f"{len(rows)} players at {seats} seats", "Write one for each seat.")
            self.draft.unsound |= {CARD_AREA, ROUTE_AREA, TICKET_AREA, MARK_AREA}
        for i in range(seats):
            row = rows[i] if i < len(rows) else {}
            self.draft.players.append(self.player(f"players[{i}]", i, row))

    def player(self, place: str, seat: int, value: object) -> Player:
        """One seat."""
        draft, spec, find = self.draft, self.draft.spec, self.draft.notation
        table = self.table(place, value, _PLAYER)
        mine = draft.open or seat == draft.viewer
        routes = self.names(f"{place}.routes", table.get("routes"), find.route_named, ROUTE_AREA)
        hand: list[int] | None = None
        if mine:
            hand = self.cards(f"{place}.hand", table.get("hand"))
            size = sum(hand)
        else:
            most = sum(spec.edition.rules.cards)
            size = self.number(f"{place}.hand", table.get("hand"), 0, most, 0, CARD_AREA)
        score, trains = default_score(spec, routes), default_trains(spec, routes)
        returned = self.tickets(f"{place}.returned", table.get("returned"), hidden=False)
        return Player(
            hand=hand,
            hand_size=size,
            seen=self.cards(f"{place}.seen", table.get("seen")),
            trains=self.number(
                f"{place}.trains",
                table.get("trains"),
                0,
                spec.edition.rules.trains,
                trains,
                ROUTE_AREA,
            ),
            score=self.number(
                f"{place}.score", table.get("score"), 0, MOST_POINTS, score, ROUTE_AREA
            ),
            routes=routes,
            marks=self.names(f"{place}.marks", table.get("marks"), find.city_named, MARK_AREA),
            held=self.tickets(f"{place}.tickets", table.get("tickets"), hidden=not draft.open),
            offer=self.tickets(f"{place}.offer", table.get("offer"), hidden=not draft.open),
            returned=[t for t in returned if t is not None],
        )

    def deck(self, value: object) -> None:
        """The cards of the deck: all that are nowhere else, unless it is said."""
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
        rest = [n - k for n, k in zip(draft.spec.edition.rules.cards, placed, strict=True)]
        if draft.open:
            deck = rest if value is None else self.cards("deck", value)
            draft.deck = [max(n, 0) for n in deck]
            draft.deck_size = sum(draft.deck)
        else:
            size = sum(rest) - sum(p.hand_size for p in draft.players if p.hand is None)
            draft.deck_size = self.number(
                "deck", value, 0, sum(draft.spec.edition.rules.cards), max(size, 0), CARD_AREA
            )

    def ticket_heaps(self, value: object) -> None:
        """The tickets that no seat has, and who knows of them."""
        draft = self.draft
        table = self.table("tickets", value, _TICKETS)
        find = draft.notation.ticket_named
        for heap in ("long", "box"):
            found = self.names(f"tickets.{heap}", table.get(heap), find, TICKET_AREA)
            setattr(draft, heap, found)
        draft.under = self.tickets("tickets.under", table.get("under"), hidden=not draft.open)
        draft.bundle = self.tickets("tickets.bundle", table.get("bundle"), hidden=not draft.open)
        draft.chance_tickets = len(draft.bundle)
        if draft.open:
            draft.ticket_deck = self.names("tickets.deck", table.get("deck"), find, TICKET_AREA)
            self.spread_tickets(table)
            draft.chance_tickets += len(draft.ticket_deck)
        elif "deck" in table:
            draft.chance_tickets += self.number(
                "tickets.deck", table["deck"], 0, at.TICKETS, 0, TICKET_AREA
            )
        else:
            remedy = 'Add it, as in "deck": 20.'
            self.say("tickets.deck", "the number of tickets is missing", remedy, TICKET_AREA)
        known = table.get("known")
        if known is not None and not draft.open:
            self.say("tickets.known", "a view has its own seat's knowledge only", "Remove it.")
        elif known is not None and not isinstance(known, dict):
            remedy = 'Write it as {"ticket": [0]}.'
            self.say("tickets.known", f"not an object: {_short(known)}", remedy, TICKET_AREA)
        else:
            self.knowers(known or {})

    def spread_tickets(self, table: dict[str, Any]) -> None:
        """Tickets that are nowhere lie in the deck; long ones in theirs, or out of the game."""
        draft = self.draft
        placed = {t for t, _ in places_of(draft)}
        dealing = draft.setting_up and draft.phase not in (at.CHOOSE, at.START)
        for ticket, row in enumerate(draft.spec.edition.board.tickets):
            if ticket in placed:
                continue
            if row.deck != "long":
                heap, key = draft.ticket_deck, "deck"
            elif dealing:
                heap, key = draft.long, "long"
            else:
                heap, key = draft.box, "box"
            if key not in table:
                heap.append(ticket)

    def knowers(self, table: dict[str, Any]) -> None:
        """Which seats know where a ticket lies, beyond those before whom it lies."""
        for name, seats in table.items():
            place = f"tickets.known.{name}"
            ticket = self.name(place, name, self.draft.notation.ticket_named, TICKET_AREA)
            if not isinstance(seats, list):
                remedy = "Write it as a list, as in [0, 2]."
                self.say(place, f"not a list of seats: {_short(seats)}", remedy, TICKET_AREA)
                continue
            bits = 0
            for seat in seats:
                bits |= 1 << self.seat(place, seat, 0)
            if ticket is not None:
                self.draft.known[ticket] = bits

    def alvin(self, value: object) -> None:
        """Where Alvin is, and who holds him."""
        draft = self.draft
        home = int(draft.spec.table["alvin_home"][0])
        draft.alvin_city = home
        draft.captured = at.ALVIN in (draft.phase, draft.after)
        if value is None:
            return
        if home < 0:
            self.say("alvin", f"there is no Alvin in {draft.spec.edition.title}", "Remove it.")
            return
        table = self.table("alvin", value, _ALVIN)
        city = table.get("city")
        if city is not None:
            found = self.name("alvin.city", city, draft.notation.city_named, PHASE_AREA)
            draft.alvin_city = home if found is None else found
        if table.get("holder") is not None:
            draft.alvin_holder = self.seat("alvin.holder", table["holder"], 0)
        captured = table.get("captured", draft.captured)
        if not isinstance(captured, bool):
            remedy = "Write true or false."
            self.say("alvin.captured", f"not true or false: {_short(captured)}", remedy, PHASE_AREA)
        else:
            draft.captured = captured


def places_of(draft: Draft) -> list[tuple[int, str]]:
    """Every ticket that is named, and where."""
    found: list[tuple[int, str]] = []
    for i, player in enumerate(draft.players):
        for key, tickets in (
            ("tickets", player.held),
            ("offer", player.offer),
            ("returned", player.returned),
        ):
            found += [(t, f"players[{i}].{key}") for t in tickets if t is not None]
    for key, heap in (
        ("deck", draft.ticket_deck),
        ("long", draft.long),
        ("bundle", draft.bundle),
        ("under", draft.under),
        ("box", draft.box),
    ):
        found += [(t, f"tickets.{key}") for t in heap if t is not None]
    return found


def _word(value: object) -> str:
    """What to look for something similar to."""
    return value if isinstance(value, str) else ""


def _short(value: object) -> str:
    """A value as it may be shown in a message."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits
        return "something too long to show"
    return text if len(text) <= 40 else f"{text[:39]}…"
