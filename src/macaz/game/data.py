"""Views, moves and events as JSON, each declared once: for pages, the API, bots and positions.

Events and moves are those of the library; here they only get a `type` to be told apart by.
Numbers of cities, routes, tickets and colours are those of the edition; an alias such as
`RouteNumber` says what a number counts, and positions may spell it by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast, get_args, get_type_hints

import msgspec
from msgspec import Meta
from msgspec import inspect as types

from macaz.edition.board import CARDS
from macaz.game import events, moves
from macaz.game.moves import Notation, notation_of
from macaz.game.outcome import Outcome
from macaz.kernel import layout as at
from macaz.kernel.help import Price, prices
from macaz.kernel.views import redacted_state

if TYPE_CHECKING:
    from macaz.game.moves import Move
    from macaz.game.view import View

NAMED = "named"  # the key under which an alias says what its numbers count
RouteNumber = Annotated[int, Meta(extra={NAMED: "route"})]
CityNumber = Annotated[int, Meta(extra={NAMED: "city"})]
TicketNumber = Annotated[int, Meta(extra={NAMED: "ticket"})]
# Nine counts: eight colours in the order of `board.COLORS`, locomotives.
Cards = Annotated[tuple[int, ...], Meta(extra={NAMED: "cards"})]
Phase = Literal[
    "deal-first",  # the phases of chance: which seat begins
    "deal-hands",  # a card to a hand, before the game
    "deal-row",  # a card to the face-up row
    "deal-setup",  # a ticket to a seat, before the game
    "deal-blind",  # the top of the deck to the seat that drew it
    "deal-offer",  # a ticket to the seat that asked for tickets
    "deal-tunnel",  # a card revealed for a tunnel
    "choose",  # the first tickets
    "start",  # the starting city
    "turn",
    "second",  # the second card
    "keep",  # which of the tickets drawn
    "return",  # the order in which the others go back
    "tunnel",  # pay the extra cards, or give it up
    "mark",  # a marker, or none
    "alvin",  # where he goes
    "over",
    "turn-end",  # only as what follows
]


# -- views -----------------------------------------------------------------------------------------


class SeatView(msgspec.Struct, frozen=True):
    """What is known of a seat. `hand`, `tickets` and `offer` are null where they are hidden."""

    hand_size: int
    seen: Cards  # what everybody knows it to hold
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
    """What is to be decided: the part of a view that follows from the rules, not from events."""

    phase: Phase  # what is to be decided
    after: Phase  # what follows once the row is settled; `deal-setup`: no seat has had a turn
    turn: int  # the seat whose turn it is
    choosing: tuple[int, ...]  # seats that still choose their first tickets
    passes: int  # in succession
    last_turns: int  # turns left in the last round; 0 before it
    drawn: int  # cards drawn in this turn, where it goes on
    refreshed: int  # rows replaced in succession; 10: the row stays as it is
    pool: Cards  # what the deck is drawn from, as far as everybody knows
    claiming: RouteNumber | None  # the route that is being decided about
    laid: Cards  # for the tunnel that is being claimed
    revealed: Cards  # for it
    extra: int  # what they cost
    ticket_stock: int  # tickets that can still be drawn
    tickets_bundled: int  # of these: returned at the start, and shuffled under the deck
    tickets_under: int  # of these: returned under the deck in an order
    known_tickets: dict[TicketNumber, str]
    """Where the tickets lie that this seat knows of, but for those that `seats` tells: "seat 1",
    "offer 1", "returned 0", "under 2" (the third to be drawn), "bundle", "deck", "box", "long deck"
    """
    alvin_captured: bool  # whether he waits to be moved


class GameView(Situation, frozen=True):
    """What a seat, or a spectator, may see of a game."""

    seat: int | None  # whose view it is; null: a spectator's
    first: int | None  # the seat that began; null until that is known
    row: Cards
    discards: Cards
    deck_size: int
    alvin_city: CityNumber | None
    alvin_holder: int | None
    seats: tuple[SeatView, ...]
    outcome: Outcome | None
    longest_paths: tuple[tuple[RouteNumber, ...], ...]
    """At the end: the routes of each seat's, in order."""


class Position(GameView, frozen=True):
    """A whole game: the entries of a view in which nothing is hidden, and what no view has."""

    deck: Cards
    knowers: dict[TicketNumber, tuple[int, ...]]  # the seats that know where a ticket lies


def view_data(
    view: View,
    outcome: Outcome | None = None,
    longest_paths: Sequence[tuple[int, ...]] = (),
    *,
    whole: bool = False,
) -> GameView:
    """A view as it is sent. Of a game that is over it may be told how it ended.

    `whole`: nothing is hidden in this view, though the game is not over.
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
    """What is to be decided."""
    record, shown = view.record[0], _shown(view, whole)
    told = {t for seat in shown for t in (*view.tickets_of(seat), *view.offer_of(seat))}
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
        known_tickets={t: place for t, place in view.known_tickets.items() if t not in told},
        alvin_captured=bool(record["captured"]),
    )


def _shown(view: View, whole: bool) -> Sequence[int]:
    """The seats whose hand and tickets are told."""
    if whole or view.over:
        return range(view.seats)
    return () if view.seat is None else (view.seat,)


def position_data(view: View) -> Position:
    """A whole game, from a view in which nothing is hidden."""
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


def name_kind(kind: types.Type) -> str | None:
    """What the numbers of a type count, as its alias says: "route", "city", "ticket", "cards"."""
    if isinstance(kind, types.UnionType):
        return next(filter(None, map(name_kind, kind.types)), None)
    return (kind.extra or {}).get(NAMED) if isinstance(kind, types.Metadata) else None


def spelled(value: Any, kind: types.Type, names: Notation) -> Any:  # noqa: PLR0911 - by type
    """Data with names for the numbers of routes, cities, tickets and colours."""
    if value is None:
        return None
    match kind:
        case types.StructType():
            return {f.name: spelled(getattr(value, f.name), f.type, names) for f in kind.fields}
        case types.DictType():
            key, item = kind.key_type, kind.value_type
            return {spelled(k, key, names): spelled(v, item, names) for k, v in value.items()}
        case types.VarTupleType():
            return [spelled(part, kind.item_type, names) for part in value]
        case types.UnionType():
            [kind] = [part for part in kind.types if not isinstance(part, types.NoneType)]
            return spelled(value, kind, names)
        case types.Metadata() if (named := name_kind(kind)) is not None:
            return _SPELLING[named](names, value)
    return value


_SPELLING: dict[str, Callable[[Notation, Any], Any]] = {
    "route": Notation.route_name,
    "city": Notation.city_name,
    "ticket": Notation.ticket_name,
    "cards": lambda _, counts: {CARDS[c]: n for c, n in enumerate(counts) if n},
}


# -- moves and events ------------------------------------------------------------------------------


def _tag(name: str) -> str:
    """RouteClaimed: route-claimed."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


def _tagged(kind: type, *more: str) -> type[msgspec.Struct]:
    """A struct of the same name and fields as a dataclass of the library, with a `type`."""
    hints = get_type_hints(kind)
    fields = {name: hints[name] for name in kind.__dataclass_fields__}  # type: ignore[attr-defined]
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
# A move that is paid for says with what, and none of it is left for a client to work out.
PRICE = Price._fields
MOVES = {
    kind: _tagged(kind, "action", *(PRICE if kind in get_args(moves.Payment) else ()))
    for kind in get_args(moves.Move)
}


def event_data(event: events.Event) -> msgspec.Struct:
    """An event, narrowed by the caller, as it is sent."""
    kind = EVENTS[type(event)]
    return kind(*[getattr(event, name) for name in kind.__struct_fields__])


def moves_data(view: View, legal: Iterable[Move]) -> tuple[msgspec.Struct, ...]:
    """Legal moves of the seat of a view, each with its action and, if it has one, its price."""
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
