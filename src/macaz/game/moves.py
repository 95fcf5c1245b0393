"""Typed moves, their action numbers and their notation.

`Notation` translates between the three forms of a move: the kernel's action number, the typed
move, and text such as "claim Los Angeles–El Paso black 4 loco 2".
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sized
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, SupportsIndex

from macaz.edition.board import CARDS, GRAY, LOCOMOTIVE, Color, Route, Ticket, closest, fold
from macaz.errors import MacazError
from macaz.kernel import layout as at

if TYPE_CHECKING:
    from macaz.kernel.spec import Spec

DASH = "–"
CARD_WORDS = (*CARDS[:LOCOMOTIVE], "loco")
_CARD_COLORS = tuple(map(Color, CARDS))


class MoveError(MacazError):
    """A move that cannot be made."""


class InvalidMove(MoveError):  # noqa: N818
    """It cannot be parsed as a move of this edition."""


class IllegalMove(MoveError):  # noqa: N818
    """It is a move of this edition, but not legal now.

    `reason` is the rule that forbids it (`kernel.layout.WhyNot`), and `why` the same as a
    sentence; both are empty for an illegal chance outcome.
    """

    def __init__(self, message: str, reason: at.WhyNot = "", why: str = "") -> None:
        super().__init__(message)
        self.reason, self.why = reason, why


# The moves check their arguments when they are made, as far as that needs no edition: a colour is
# a number or a name, other numbers are not negative. They raise `InvalidMove`.
AnyColor = SupportsIndex | str
_set = object.__setattr__  # the moves are frozen


@dataclass(frozen=True, slots=True, init=False)
class Take:
    """Take a face-up card."""

    color: Color

    def __init__(self, color: AnyColor) -> None:
        _set(self, "color", _color(color))


@dataclass(frozen=True, slots=True)
class Blind:
    """Take the top card of the deck."""


@dataclass(frozen=True, slots=True)
class DrawTickets:
    """Draw tickets."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass, legal only where no other move is."""


@dataclass(frozen=True, slots=True, init=False)
class Keep:
    """Keep these of the tickets drawn; ticket numbers, ascending."""

    tickets: tuple[int, ...]

    def __init__(self, tickets: Iterable[SupportsIndex]) -> None:
        _set(self, "tickets", _tickets(tickets))


@dataclass(frozen=True, slots=True, init=False)
class Return:
    """Put this ticket under the deck next."""

    ticket: int

    def __init__(self, ticket: SupportsIndex) -> None:
        _set(self, "ticket", _number(ticket, "a ticket"))


@dataclass(frozen=True, slots=True, init=False)
class PayTunnel:
    """Pay the extra cards of a tunnel, this many of them with locomotives."""

    locomotives: int

    def __init__(self, locomotives: SupportsIndex) -> None:
        _set(self, "locomotives", _number(locomotives, "a count of locomotives"))


@dataclass(frozen=True, slots=True)
class Decline:
    """Do not pay for a tunnel, and take the cards laid for it back."""


@dataclass(frozen=True, slots=True)
class SkipMarker:
    """Place no marker."""


@dataclass(frozen=True, slots=True, init=False)
class Choose:
    """Keep these of the tickets dealt in the setup; ticket numbers, ascending."""

    seat: int
    tickets: tuple[int, ...]

    def __init__(self, seat: SupportsIndex, tickets: Iterable[SupportsIndex]) -> None:
        _set(self, "seat", _number(seat, "a seat"))
        _set(self, "tickets", _tickets(tickets))


@dataclass(frozen=True, slots=True, init=False)
class Start:
    """Place the starting city."""

    city: int

    def __init__(self, city: SupportsIndex) -> None:
        _set(self, "city", _number(city, "a city"))


@dataclass(frozen=True, slots=True, init=False)
class MoveAlvin:
    """Move Alvin to a city."""

    city: int

    def __init__(self, city: SupportsIndex) -> None:
        _set(self, "city", _number(city, "a city"))


@dataclass(frozen=True, slots=True, init=False)
class Mark:
    """Place a marker on a city; `locomotives` of the cards paid replace the colour."""

    city: int
    color: Color
    locomotives: int

    def __init__(self, city: SupportsIndex, color: AnyColor, locomotives: SupportsIndex) -> None:
        _set(self, "city", _number(city, "a city"))
        _set(self, "color", _color(color))
        _set(self, "locomotives", _number(locomotives, "a count of locomotives"))


@dataclass(frozen=True, slots=True, init=False)
class Station:
    """Build a station in a city; `locomotives` of the cards paid replace the colour."""

    city: int
    color: Color
    locomotives: int

    def __init__(self, city: SupportsIndex, color: AnyColor, locomotives: SupportsIndex) -> None:
        _set(self, "city", _number(city, "a city"))
        _set(self, "color", _color(color))
        _set(self, "locomotives", _number(locomotives, "a count of locomotives"))


@dataclass(frozen=True, slots=True, init=False)
class Claim:
    """Claim a route; `locomotives` of the cards paid replace the colour."""

    route: int
    color: Color
    locomotives: int

    def __init__(self, route: SupportsIndex, color: AnyColor, locomotives: SupportsIndex) -> None:
        _set(self, "route", _number(route, "a route"))
        _set(self, "color", _color(color))
        _set(self, "locomotives", _number(locomotives, "a count of locomotives"))


Move = (
    Take
    | Blind
    | DrawTickets
    | Pass
    | Keep
    | Return
    | PayTunnel
    | Decline
    | SkipMarker
    | Choose
    | Start
    | MoveAlvin
    | Mark
    | Station
    | Claim
)

Payment = Claim | Station | Mark | PayTunnel  # moves that cost cards

_WITHOUT_ARGUMENTS: dict[str, Move] = {
    "blind": Blind(),
    "tickets": DrawTickets(),
    "pass": Pass(),
    "decline": Decline(),
    "skip": SkipMarker(),
}
_WORD_OF = {type(move): word for word, move in _WITHOUT_ARGUMENTS.items()}
WITHOUT_FIELDS: dict[int, Move] = {
    at.A_BLIND: Blind(),
    at.A_TICKETS: DrawTickets(),
    at.A_PASS: Pass(),
    at.A_DECLINE: Decline(),
    at.A_SKIP: SkipMarker(),
}
ONE_FIELD: dict[int, Callable[[int], Move]] = {
    at.A_TAKE: Take,
    at.A_PAY: PayTunnel,
    at.A_START: Start,
    at.A_ALVIN: MoveAlvin,
}
BUILDS: dict[int, Callable[[int, int, int], Move]] = {at.A_STATION: Station, at.A_MARK: Mark}
KIND_OF = {
    Take: at.A_TAKE,
    Blind: at.A_BLIND,
    DrawTickets: at.A_TICKETS,
    Pass: at.A_PASS,
    Keep: at.A_KEEP,
    Return: at.A_RETURN,
    PayTunnel: at.A_PAY,
    Decline: at.A_DECLINE,
    SkipMarker: at.A_SKIP,
    Choose: at.A_CHOOSE,
    Start: at.A_START,
    MoveAlvin: at.A_ALVIN,
    Mark: at.A_MARK,
    Station: at.A_STATION,
    Claim: at.A_CLAIM,
}


@lru_cache(maxsize=64)
def notation_of(spec: Spec) -> Notation:
    """The notation of a table (cached)."""
    return Notation(spec)


class Notation:
    """Translates the moves of an edition with a number of seats: numbers, typed moves, text."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.board = spec.edition.board
        table = spec.table[0]
        self._base: list[int] = table["base"].tolist()
        self._deal = int(table["setup_deal"])
        claims = self._base[at.A_CLAIM + 1] - self._base[at.A_CLAIM]
        self._claims = [
            Claim(spec.route_of_lane[lane], color, locos)
            for lane, color, locos in zip(
                table["claim_lane"][:claims].tolist(),
                table["claim_color"][:claims].tolist(),
                table["claim_locos"][:claims].tolist(),
                strict=True,
            )
        ]
        self._claim_numbers = {claim: i for i, claim in enumerate(self._claims)}
        self._moves: dict[int, Move] = {}  # by action number, those that depend on no offer
        self._routes = _number_by_name(self.route_name, self.board.routes)
        self._tickets = _number_by_name(self.ticket_name, self.board.tickets)

    def kind(self, action: int) -> int:
        """The kind of an action number (`A_TAKE`, …)."""
        if not 0 <= action < self._base[-1]:
            raise InvalidMove(f"there is no action {action}; actions are 0 to {self._base[-1] - 1}")
        kind = at.KINDS - 1
        while action < self._base[kind]:
            kind -= 1
        return kind

    def move(self, action: int, offer: tuple[int, ...] = ()) -> Move:
        """The move of an action number; `offer` has the tickets that its seat may choose from."""
        known = self._moves.get(action)
        if known is not None:
            return known
        kind = self.kind(action)
        i = action - self._base[kind]
        if kind == at.A_KEEP:
            return Keep(_chosen(i, offer))
        if kind == at.A_CHOOSE:
            return Choose(i >> self._deal, _chosen(i & ((1 << self._deal) - 1), offer))
        if kind == at.A_RETURN:
            return Return(offer[i])
        move = self._moves[action] = self._fixed_move(kind, i)
        return move

    def _fixed_move(self, kind: int, i: int) -> Move:
        """The i-th move of a kind that depends on no offer."""
        if kind in WITHOUT_FIELDS:
            return WITHOUT_FIELDS[kind]
        if kind == at.A_CLAIM:
            return self._claims[i]
        if kind in (at.A_STATION, at.A_MARK):
            city, pay = divmod(i, at.PAYS)
            color, locos = (LOCOMOTIVE, 0) if pay == at.PAYS - 1 else divmod(pay, at.PAY_LOCOS)
            return BUILDS[kind](city, color, locos)
        return ONE_FIELD[kind](i)

    def place(self, action: int) -> tuple[int | None, int | None]:
        """The route or the city of an action: (route, None), (None, city) or (None, None)."""
        kind = self.kind(action)
        if kind == at.A_CLAIM:
            return self._claims[action - self._base[kind]].route, None
        if kind in (at.A_STATION, at.A_MARK):
            return None, (action - self._base[kind]) // at.PAYS
        if kind in (at.A_START, at.A_ALVIN):
            return None, action - self._base[kind]
        return None, None

    def action(self, move: Move, offer: tuple[int, ...] = ()) -> int:
        """The action number of a move; raises `InvalidMove` if this edition has no such move."""
        kind = KIND_OF[type(move)]
        i = self._index(move, offer)
        if not 0 <= i < self._base[kind + 1] - self._base[kind]:
            raise InvalidMove(f"no such move in {self.spec.edition.title}: {move}")
        return self._base[kind] + i

    def _index(self, move: Move, offer: tuple[int, ...]) -> int:
        """The index of a move among those of its kind; -1 if it does not exist."""
        match move:
            case Claim():
                return self._claim_numbers.get(move, -1)
            case Keep(tickets):
                return _mask(tickets, offer)
            case Choose(seat, tickets):
                mask = _mask(tickets, offer)
                return -1 if mask < 0 or seat < 0 else (seat << self._deal) + mask
            case Return(ticket):
                return offer.index(ticket) if ticket in offer else -1
            case Station(city, color, locos) | Mark(city, color, locos):
                if color == LOCOMOTIVE:
                    return city * at.PAYS + at.PAYS - 1
                valid = 0 <= color < LOCOMOTIVE and 0 <= locos < at.PAY_LOCOS
                return city * at.PAYS + color * at.PAY_LOCOS + locos if valid else -1
            case Take(value) | PayTunnel(value) | Start(value) | MoveAlvin(value):
                return value
        return 0

    # -- names ---------------------------------------------------------------------------------

    def route_name(self, route: int, *, reverse: bool = False) -> str:
        """Its two cities, with #2 or #3 for a parallel lane."""
        r = self.board.routes[route]
        return self._pair(r.a, r.b, reverse) + _lane(r)

    def route_label(self, route: int) -> str:
        """The name of a route as people are shown it."""
        r = self.board.routes[route]
        return f"{self.city_label(r.a)}{DASH}{self.city_label(r.b)}{_lane(r)}"

    def ticket_name(self, ticket: int, *, reverse: bool = False) -> str:
        """Its two cities and points, with "long" for a long ticket."""
        t = self.board.tickets[ticket]
        return self._pair(t.a, t.b, reverse) + _worth(t)

    def ticket_label(self, ticket: int) -> str:
        """The name of a ticket as people are shown it."""
        t = self.board.tickets[ticket]
        return f"{self.city_label(t.a)}{DASH}{self.city_label(t.b)}{_worth(t)}"

    def _pair(self, a: int, b: int, reverse: bool) -> str:
        ends = (b, a) if reverse else (a, b)
        return DASH.join(self.board.cities[city].name for city in ends)

    def city_name(self, city: int) -> str:
        return self.board.cities[city].name

    def city_label(self, city: int) -> str:
        """The name of a city as people are shown it."""
        return self.board.cities[city].label

    def route_named(self, text: str) -> int:
        """The route with this name; the cities may be in either order."""
        return self._named(text, self._routes, "route")

    def ticket_named(self, text: str) -> int:
        """The ticket with this name; the cities may be in either order."""
        return self._named(text, self._tickets, "ticket")

    def city_named(self, text: str) -> int:
        try:
            return self.board.city_index(text)
        except KeyError as error:
            raise InvalidMove(error.args[0]) from None

    def _named(self, text: str, names: dict[str, int], what: str) -> int:
        found = names.get(_normalized(text))
        if found is None:
            name_of = self.route_name if what == "route" else self.ticket_name
            near = closest(_normalized(text), names)
            hint = f"; did you mean {name_of(names[near])}?" if near else ""
            raise InvalidMove(f"there is no {what} {text.strip()!r}{hint}")
        return found

    # -- text ----------------------------------------------------------------------------------

    def text(self, move: Move) -> str:
        match move:
            case Take(color):
                return f"take {CARD_WORDS[color]}"
            case Keep(tickets) | Choose(_, tickets):
                return "keep " + ", ".join(self.ticket_name(t) for t in tickets)
            case Return(ticket):
                return f"return {self.ticket_name(ticket)}"
            case PayTunnel(locos):
                return f"pay loco {locos}" if locos else "pay"
            case Start(city):
                return f"start {self.city_name(city)}"
            case MoveAlvin(city):
                return f"alvin {self.city_name(city)}"
            case Station(city, color, locos):
                return f"station {self.city_name(city)} {_payment(color, 0, locos)}"
            case Mark(city, color, locos):
                return f"mark {self.city_name(city)} {_payment(color, 0, locos)}"
            case Claim(route, color, locos):
                cards = self.board.routes[route].length - locos
                return f"claim {self.route_name(route)} {_payment(color, cards, locos)}"
        return _WORD_OF[type(move)]

    def parse(self, text: str, seat: int = -1) -> Move:
        """Parse text; with `seat`, "keep" is that seat's choice of setup tickets."""
        word, _, rest = text.strip().partition(" ")
        rest = rest.strip()
        if word in _WITHOUT_ARGUMENTS and not rest:
            return _WITHOUT_ARGUMENTS[word]
        match word:
            case "take":
                return Take(_card_word(rest))
            case "keep":
                tickets = tuple(sorted(self.ticket_named(t) for t in rest.split(",")))
                return Keep(tickets) if seat < 0 else Choose(seat, tickets)
            case "return":
                return Return(self.ticket_named(rest))
            case "pay":
                extra = re.fullmatch(r"(?:loco ([0-9]{1,3}))?", rest)
                if extra:
                    return PayTunnel(int(extra[1] or 0))
            case "start":
                return Start(self.city_named(rest))
            case "alvin":
                return MoveAlvin(self.city_named(rest))
            case "station" | "mark":
                name, color, locos = _split_payment(rest, counted=False)
                kind = at.A_STATION if word == "station" else at.A_MARK
                return BUILDS[kind](self.city_named(name), color, locos)
            case "claim":
                name, color, locos = _split_payment(rest, counted=True)
                return self._claim(name, color, locos, rest)
        known = ["take", "keep", "return", "pay", "start", "alvin", "station", "mark", "claim"]
        near = closest(word, [*known, *_WITHOUT_ARGUMENTS])
        raise InvalidMove(f"not a move: {text!r}" + (f"; did you mean {near!r}?" if near else ""))

    def _claim(self, name: str, color: int, locos: int, text: str) -> Claim:
        route = self.route_named(name)
        claim = Claim(route, color, locos)
        # The text has the number of cards for readability, so it must match the route's length.
        if not text.endswith(_payment(color, self.board.routes[route].length - locos, locos)):
            length = self.board.routes[route].length
            raise InvalidMove(f"{self.route_name(route)} takes {length} cards, not as in {text!r}")
        return claim


def _number_by_name(name: Callable[..., str], things: Sized) -> dict[str, int]:
    """The index of each thing by its name, with the cities in either order."""
    return {
        _normalized(name(i, reverse=reverse)): i
        for i in range(len(things))
        for reverse in (False, True)
    }


def _normalized(name: str) -> str:
    """The name without differences of case, accents and kinds of dash."""
    return re.sub(r"\s*[-–—]\s*", DASH, fold(name.strip()))


def _chosen(mask: int, offer: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(t for i, t in enumerate(offer) if mask >> i & 1)


def _mask(tickets: tuple[int, ...], offer: tuple[int, ...]) -> int:
    if not set(tickets) <= set(offer) or len(set(tickets)) != len(tickets):
        return -1
    return sum(1 << offer.index(t) for t in tickets)


def _is_number(word: str) -> bool:
    return re.fullmatch(r"[0-9]{1,3}", word) is not None


def _card_word(word: str) -> Color:
    """The card of a word in the notation, which is stricter than `Color` about case and accents."""
    if word not in (*CARD_WORDS, "locomotive"):
        raise _no_card(word)
    return Color(word)


def _no_card(value: object) -> InvalidMove:
    near = closest(value, CARD_WORDS) if isinstance(value, str) else None
    hint = f"; did you mean {near}?" if near else f" (they are {', '.join(CARD_WORDS)})"
    return InvalidMove(f"there is no card {value!r}{hint}")


def _color(value: object) -> Color:
    """The colour of a card, given as a number or a name."""
    if type(value) is int and 0 <= value <= LOCOMOTIVE:  # quick, for the thousands of claims
        return _CARD_COLORS[value]
    try:
        color = Color(value if isinstance(value, str) else operator.index(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        color = GRAY
    if color is GRAY:
        raise _no_card(value)
    return color


def _number(value: object, what: str) -> int:
    """A number that an argument of a move has."""
    if type(value) is int and value >= 0:
        return value
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # this is the check
    except TypeError:
        number = -1
    if number < 0:
        hint = "; names belong in a move given as text" if isinstance(value, str) else ""
        raise InvalidMove(f"{what} is a number from 0 up, not {value!r}{hint}")
    return number


def _tickets(values: object) -> tuple[int, ...]:
    """The numbers of tickets, ascending."""
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise InvalidMove(f"tickets are several numbers, as in (3, 7), not {values!r}")
    numbers = sorted([_number(value, "a ticket") for value in values])
    if len(set(numbers)) < len(numbers):
        raise InvalidMove(f"a ticket is given twice: {values!r}")
    return tuple(numbers)


def _lane(route: Route) -> str:
    return f"#{route.lane + 1}" if route.lane else ""


def _worth(ticket: Ticket) -> str:
    return f" {ticket.points}" + " long" * (ticket.deck == "long")


def _payment(color: int, cards: int, locos: int) -> str:
    """ "black 4 loco 2", "black loco 1" (`cards` is 0), "loco 6" or "loco"."""
    if color == LOCOMOTIVE:
        return f"loco {locos}" if locos else "loco"
    words = [CARD_WORDS[color]]
    if cards:
        words.append(str(cards))
    if locos:
        words.append(f"loco {locos}")
    return " ".join(words)


def _split_payment(text: str, *, counted: bool) -> tuple[str, int, int]:
    """Parse "Los Angeles–El Paso black 4 loco 2" into name, colour and locomotives."""
    words = text.split()
    locos = 0
    color = LOCOMOTIVE
    end = len(words)
    if end > 1 and words[end - 2] == "loco" and _is_number(words[end - 1]):
        locos = int(words[end - 1])
        end -= 2
    elif end and words[end - 1] == "loco":
        end -= 1
        return " ".join(words[:end]), LOCOMOTIVE, 0
    if counted and end and _is_number(words[end - 1]):
        end -= 1
    if end and words[end - 1] in CARD_WORDS[:LOCOMOTIVE]:
        color = Color(words[end - 1])
        end -= 1
    elif locos == 0:
        raise InvalidMove(f"{text!r} does not say what is paid, as in 'black 4 loco 2'")
    return " ".join(words[:end]), color, locos
