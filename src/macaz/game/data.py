"""The JSON form of views, moves and events, for the page, the API, bots and positions.

Events and moves have the fields of the library's classes and a `type` that names the class.
Cities, routes, tickets and colours are numbered as in the edition; an alias such as `RouteNumber`
says what a number refers to, and positions may use the name instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast, get_args, get_type_hints

import msgspec
from msgspec import Meta
from msgspec import inspect as types

from macaz.edition.board import CARDS, Color
from macaz.game import events, moves
from macaz.game.moves import Notation, notation_of
from macaz.game.outcome import Outcome
from macaz.kernel import layout as at
from macaz.kernel.help import Price, prices
from macaz.kernel.views import redacted_state

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View

NAMED = "named"  # the key of the metadata that says what a number refers to
RouteNumber = Annotated[int, Meta(extra={NAMED: "route"})]
CityNumber = Annotated[int, Meta(extra={NAMED: "city"})]
TicketNumber = Annotated[int, Meta(extra={NAMED: "ticket"})]
# Nine counts: eight colours in the order of `board.COLORS`, locomotives.
Cards = Annotated[tuple[int, ...], Meta(extra={NAMED: "cards"})]
Phase = Literal[
    "deal-first",  # the chance phases: which seat has the first turn
    "deal-hands",  # a card to a hand, in the setup
    "deal-row",  # a card to the face-up row
    "deal-setup",  # a ticket to a seat, in the setup
    "deal-blind",  # the top of the deck to the seat that drew it
    "deal-offer",  # a ticket to the seat that draws tickets
    "deal-tunnel",  # a card revealed for a tunnel
    "choose",  # the setup tickets
    "start",  # the starting city
    "turn",
    "second",  # the second card
    "keep",  # which of the tickets drawn
    "return",  # the order in which the others go back
    "tunnel",  # pay the extra cards, or give it up
    "mark",  # place a marker, or none
    "alvin",  # where Alvin moves to
    "over",
    "turn-end",  # only as `after`
]


# -- views -----------------------------------------------------------------------------------------


class SeatView(msgspec.Struct, frozen=True):
    """What is known of a seat. `hand`, `tickets` and `offer` are null where they are hidden."""

    hand_size: int
    seen: Cards  # cards that it is publicly known to hold
    hand: Cards | None
    tickets_held: int
    tickets: tuple[TicketNumber, ...] | None
    tickets_offered: int
    offer: tuple[TicketNumber, ...] | None  # to choose from
    trains: int
    score: int
    routes: tuple[RouteNumber, ...]
    marks: tuple[CityNumber, ...]  # cities with its stations or markers, in order


class Situation(msgspec.Struct, frozen=True):
    """What is to be decided: the part of a view that does not follow from events alone."""

    phase: Phase  # what is to be decided
    after: Phase  # the phase after `deal-row`; `deal-setup`: no seat has had a turn
    turn: int  # the seat whose turn it is
    choosing: tuple[int, ...]  # seats that still choose their setup tickets
    passes: int  # consecutive passes
    last_turns: int  # turns left in the last round; 0 before it
    drawn: int  # cards drawn in this turn so far
    refreshed: int  # consecutive replacements of the row; at 10 it stays as it is
    pool: Cards  # the cards that may be in the deck, from public information
    claiming: RouteNumber | None  # the route of a claim that is not complete
    laid: Cards  # the cards laid for the tunnel being claimed
    revealed: Cards  # the cards revealed for that tunnel
    extra: int  # how many extra cards that tunnel costs
    ticket_stock: int  # tickets that can still be drawn
    tickets_bundled: int  # of `ticket_stock`: returned in the setup, shuffled under the deck
    tickets_under: int  # of `ticket_stock`: returned later, in order under the deck
    known_tickets: dict[TicketNumber, str]
    """The places of the tickets that this seat knows, except those listed in `seats`: "seat 1",
    "offer 1", "returned 0", "under 2" (the third to be drawn), "bundle", "deck", "box", "long deck"
    """
    alvin_captured: bool  # whether Alvin was captured and is still to be moved


class GameView(Situation, frozen=True):
    """What a seat, or a spectator, may see of a game."""

    seat: int | None  # whose view it is; null: a spectator's
    first: int | None  # the seat with the first turn; null until it is determined
    row: Cards
    discards: Cards
    deck_size: int
    alvin_city: CityNumber | None
    alvin_holder: int | None
    seats: tuple[SeatView, ...]
    outcome: Outcome | None
    longest_paths: tuple[tuple[RouteNumber, ...], ...]
    """Once the game is over: the routes of each seat's longest path, in order."""


class Position(GameView, frozen=True):
    """A complete position: a view in which nothing is hidden, and fields that no view has."""

    deck: Cards
    knowers: dict[TicketNumber, tuple[int, ...]]  # the seats that know where a ticket lies


def view_data(
    view: View,
    outcome: Outcome | None = None,
    longest_paths: Sequence[tuple[int, ...]] = (),
    *,
    whole: bool = False,
) -> GameView:
    """The JSON form of a view; `outcome` and `longest_paths` are for a game that is over.

    `whole`: nothing is hidden in this view, although the game is not over.
    """
    shown = _shown(view, whole)
    return GameView(
        **msgspec.structs.asdict(situation(view, whole=whole)),
        seat=view.seat,
        first=None if view.first < 0 else view.first,
        row=view.row,
        discards=view.discards,
        deck_size=view.deck_size,
        alvin_city=view.alvin_city,
        alvin_holder=view.alvin_holder,
        seats=tuple(_seat_view(view, seat, seat in shown) for seat in range(view.seats)),
        outcome=outcome,
        longest_paths=tuple(longest_paths),
    )


def situation(view: View, *, whole: bool = False) -> Situation:
    record, shown = view.record[0], _shown(view, whole)
    listed = {t for seat in shown for t in (*view.tickets_of(seat), *view.offer_of(seat))}
    return Situation(
        phase=cast(Phase, view.phase),
        after=cast(Phase, at.PHASE_NAMES[record["after"]]),
        turn=view.turn,
        choosing=tuple(sorted(view.choosing)),
        passes=int(record["passes"]),
        last_turns=view.last_turns,
        drawn=int(record["drawn"]),
        refreshed=int(record["refreshed"]),
        pool=view.pool,
        claiming=view.claiming,
        laid=view.paid,
        revealed=view.revealed,
        extra=view.extra,
        ticket_stock=view.ticket_stock,
        tickets_bundled=view.tickets_bundled,
        tickets_under=int(record["queue"]),
        known_tickets={t: place for t, place in view.known_tickets.items() if t not in listed},
        alvin_captured=bool(record["captured"]),
    )


def _shown(view: View, whole: bool) -> Sequence[int]:
    """The seats whose hand and tickets are included."""
    if whole or view.over:
        return range(view.seats)
    return () if view.seat is None else (view.seat,)


def position_data(view: View) -> Position:
    """The complete position, from a view in which nothing is hidden."""
    record = view.record[0]
    known = record["known"][: len(view.edition.board.tickets)].tolist()
    return Position(
        **msgspec.structs.asdict(view_data(view, whole=True)),
        deck=tuple(record["deck"].tolist()),
        knowers={t: tuple(p for p in range(view.seats) if k >> p & 1) for t, k in enumerate(known)},
    )


def _seat_view(view: View, seat: int, shown: bool) -> SeatView:
    return SeatView(
        hand_size=view.hand_sizes[seat],
        seen=view.seen(seat),
        hand=view.hand_of(seat) if shown else None,
        tickets_held=view.tickets_held[seat],
        tickets=view.tickets_of(seat) if shown else None,
        tickets_offered=view.tickets_offered[seat],
        offer=view.offer_of(seat) if shown else None,
        trains=view.trains[seat],
        score=view.scores[seat],
        routes=view.routes_of(seat),
        marks=view.marks_of(seat),
    )


# -- names -----------------------------------------------------------------------------------------


@cache
def type_of(struct: type[msgspec.Struct]) -> types.Type:
    """The declared types of a struct and its fields; msgspec takes milliseconds to collect them."""
    return types.type_info(struct)


def name_kind(kind: types.Type) -> str | None:
    """What the numbers of a type refer to: "route", "city", "ticket" or "cards"."""
    if isinstance(kind, types.UnionType):
        return next(filter(None, map(name_kind, kind.types)), None)
    return (kind.extra or {}).get(NAMED) if isinstance(kind, types.Metadata) else None


def with_names(value: Any, kind: types.Type, names: Notation) -> Any:  # noqa: PLR0911 - by type
    """Data with names instead of the numbers of routes, cities, tickets and colours."""
    if value is None:
        return None
    match kind:
        case types.StructType():
            return {f.name: with_names(getattr(value, f.name), f.type, names) for f in kind.fields}
        case types.DictType():
            key, item = kind.key_type, kind.value_type
            return {with_names(k, key, names): with_names(v, item, names) for k, v in value.items()}
        case types.VarTupleType():
            return [with_names(part, kind.item_type, names) for part in value]
        case types.UnionType():
            [kind] = [part for part in kind.types if not isinstance(part, types.NoneType)]
            return with_names(value, kind, names)
        case types.Metadata() if (named := name_kind(kind)) is not None:
            return _NAME_OF[named](names, value)
    return value


_NAME_OF: dict[str, Callable[[Notation, Any], Any]] = {
    "route": Notation.route_name,
    "city": Notation.city_name,
    "ticket": Notation.ticket_name,
    "cards": lambda _, counts: {CARDS[c]: n for c, n in enumerate(counts) if n},
}


# -- moves and events ------------------------------------------------------------------------------


def _tag(name: str) -> str:
    """`RouteClaimed` becomes `route-claimed`."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


_NUMBERS = {Color: int, Color | None: int | None}  # JSON has colours as numbers


def _tagged(kind: type, *more: str) -> type[msgspec.Struct]:
    """A struct with the name and fields of a dataclass, the integers `more`, and a `type`."""
    hints = get_type_hints(kind)
    fields = {
        name: _NUMBERS.get(hints[name], hints[name])
        for name in kind.__dataclass_fields__  # type: ignore[attr-defined]
    }
    made = msgspec.defstruct(
        kind.__name__,
        list((dict.fromkeys(more, int) | fields).items()),
        tag_field="type",
        tag=_tag(kind.__name__),
        frozen=True,
        module=__name__,
    )
    made.__doc__ = kind.__doc__
    return made


EVENTS = {kind: _tagged(kind) for kind in events.KINDS}
# A move that is paid for includes its price, so that a client need not compute it.
PRICE = Price._fields
MOVES = {
    kind: _tagged(kind, "action", *(PRICE if kind in get_args(moves.Payment) else ()))
    for kind in get_args(moves.Move)
}


def event_data(event: events.Event) -> msgspec.Struct:
    """The JSON form of an event, which the caller has narrowed."""
    kind = EVENTS[type(event)]
    return kind(*[getattr(event, name) for name in kind.__struct_fields__])


def moves_data(view: View, legal: Iterable[Move]) -> tuple[msgspec.Struct, ...]:
    """The JSON form of legal moves of the view's seat, with their actions and prices."""
    assert view.seat is not None, "a spectator has no moves"
    notation, offer, legal = notation_of(view.spec), view.offer, tuple(legal)
    actions = [notation.action(move, offer) for move in legal]

    def data_of(move: Move, action: int, price: Price) -> msgspec.Struct:
        kind, more = MOVES[type(move)], {"action": action}
        if isinstance(move, moves.Payment):
            more |= price._asdict()
        return kind(*[more[n] if n in more else getattr(move, n) for n in kind.__struct_fields__])

    costs = prices(view.spec, redacted_state(view.record), actions)
    return tuple(map(data_of, legal, actions, costs))
