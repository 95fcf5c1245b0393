"""Views, moves and events as JSON, each declared once: for pages, the API, bots and positions.

Events and moves are those of the library; here they only get a `type` to be told apart by.
Numbers of cities, routes, tickets and colours are those of the edition; an alias such as
`RouteNumber` says what a number counts, and positions may spell it by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, cast, get_args, get_type_hints

import msgspec
import numpy as np
from msgspec import Meta

from macaz import events, moves
from macaz.kernel import layout as at
from macaz.moves import notation_of
from macaz.outcome import Outcome
from macaz.view import View, place_name

if TYPE_CHECKING:
    from macaz.kernel.spec import Spec
    from macaz.moves import Move

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
    laid: Cards  # for a tunnel that is being decided about
    revealed: Cards
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


def view_data(
    view: View, outcome: Outcome | None = None, longest_paths: Sequence[tuple[int, ...]] = ()
) -> GameView:
    """A view as it is sent. Of a game that is over it may be told how it ended."""
    return GameView(
        **msgspec.structs.asdict(situation(view)),
        seat=view.seat,
        first=None if view.first < 0 else view.first,
        row=view.row,
        discards=view.discards,
        deck_size=view.deck_size,
        alvin_city=view.alvin_city,
        alvin_holder=view.alvin_holder,
        seats=tuple(_seat_view(view, seat) for seat in range(view.seats)),
        outcome=outcome,
        longest_paths=tuple(longest_paths),
    )


def situation(view: View) -> Situation:
    """What is to be decided."""
    record = view.record[0]
    told = {t for seat in _open_seats(view) for t in (*view.tickets_of(seat), *view.offer_of(seat))}
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
        laid=view.laid,
        revealed=view.revealed,
        extra=view.extra,
        ticket_stock=view.ticket_stock,
        tickets_bundled=view.tickets_bundled,
        tickets_under=int(record["queue"]),
        known_tickets={t: place for t, place in view.known_tickets.items() if t not in told},
        alvin_captured=bool(record["captured"]),
    )


def _open_seats(view: View) -> Iterator[int]:
    """The seats whose hand and tickets the view shows."""
    return (seat for seat in range(view.seats) if view.over or seat == view.seat)


def _seat_view(view: View, seat: int) -> SeatView:
    shown = seat in _open_seats(view)
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


def read_view(spec: Spec, data: GameView) -> View:
    """The view of a game that is not over, equal to that which the data was written from."""
    records = np.zeros(1, at.dtype_of("view"))
    record = records[0]
    for name in ("phase", "after"):
        record[name] = at.PHASE_NAMES.index(getattr(data, name))
    for name in ("turn", "passes", "drawn", "refreshed", "extra", "deck_size"):
        record[name] = getattr(data, name)
    for name in ("seat", "first", "alvin_city", "alvin_holder"):
        value = getattr(data, name)
        record[name] = -1 if value is None else value
    for name in ("pool", "revealed", "row", "discards"):
        record[name] = getattr(data, name)
    record["row_size"] = sum(data.row)
    record["choosing"] = sum(1 << seat for seat in data.choosing)
    record["last"] = data.last_turns
    record["stock"] = data.ticket_stock
    record["bundled"] = data.tickets_bundled
    record["queue"] = data.tickets_under
    record["captured"] = data.alvin_captured
    record["lane"] = -1 if data.claiming is None else spec.lane_of_route[data.claiming]
    if any(data.laid):
        record["paid_color"] = next((c for c in range(at.LOCO) if data.laid[c]), at.LOCO)
        record["paid_locos"] = data.laid[at.LOCO]
    places = {ticket: _PLACES[name] for ticket, name in data.known_tickets.items()}
    record["marks"] = -1
    for seat, told in enumerate(data.seats):
        places |= dict.fromkeys(told.tickets or (), at.HELD + seat)
        places |= dict.fromkeys(told.offer or (), at.OFFERED + seat)
        _fill_seat(spec, record, seat, told)
    record["ticket"] = at.UNKNOWN
    for ticket, place in places.items():
        record["ticket"][ticket] = place
        record["known"][ticket] = 0 if data.seat is None else 1 << data.seat
    return View(spec, records)


_PLACES = {place_name(place): place for place in range(at.QUEUE + at.TICKETS)}


def _fill_seat(spec: Spec, record: np.void, seat: int, told: SeatView) -> None:
    record["hand_size"][seat] = told.hand_size
    record["seen"][seat] = told.seen
    if told.hand is not None:
        record["hand"][seat] = told.hand
    record["held"][seat] = told.tickets_held
    record["offered"][seat] = told.tickets_offered
    record["trains"][seat] = told.trains
    record["score"][seat] = told.score
    record["marks"][seat, : len(told.marks)] = told.marks
    for route in told.routes:
        word, bit = divmod(spec.lane_of_route[route], at.WORD_BITS)
        record["claimed"][seat, word] |= np.int64(1) << np.int64(bit)


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
PRICE = ("color", "cards", "locomotives")
MOVES = {
    kind: _tagged(kind, "action", *(PRICE if kind in get_args(events.Payment) else ()))
    for kind in get_args(moves.Move)
}


def event_data(event: events.Event) -> msgspec.Struct:
    """An event, narrowed by the caller, as it is sent."""
    kind = EVENTS[type(event)]
    return kind(*[getattr(event, name) for name in kind.__struct_fields__])


def moves_data(view: View, legal: Iterable[Move]) -> tuple[msgspec.Struct, ...]:
    """Legal moves of the seat of a view, each with its action and, if it has one, its price."""
    notation, offer, record, seat = notation_of(view.spec), view.offer, view.record[0], view.seat
    assert seat is not None, "a spectator has no moves"

    def data_of(move: Move) -> msgspec.Struct:
        kind, more = MOVES[type(move)], {"action": notation.action(move, offer)}
        if isinstance(move, events.Payment):
            more |= zip(PRICE, events.price(notation, record, seat, move), strict=True)
        return kind(*[more[n] if n in more else getattr(move, n) for n in kind.__struct_fields__])

    return tuple(data_of(move) for move in legal)
