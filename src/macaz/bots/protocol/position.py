"""`position`: what a seat sees, and what it may do. Written from a view, and read back as one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from macaz.board import LOCOMOTIVE
from macaz.events import Payment, price
from macaz.kernel import layout as at
from macaz.moves import notation_of
from macaz.view import View, place_name

if TYPE_CHECKING:
    from macaz.bots.protocol.lines import Data
    from macaz.kernel.spec import Spec
    from macaz.moves import Move

# What the record calls as the message does.
_NUMBERS = (
    *("turn", "first", "passes", "refreshed", "deck_size", "extra"),
    *("alvin_city", "alvin_holder"),
)
_CARDS = ("row", "discards", "pool", "revealed")
# The phases whose row was settled for them; the others go on from the row of the turn.
_OWN_ROW = (at.SECOND, at.MARK, at.ALVIN)
_PLACES = {place_name(place): place for place in range(at.QUEUE + at.TICKETS)}


def position_message(view: View, legal: Sequence[Move]) -> Data:
    """All that a seat may know, and the moves it may choose from."""
    record, mine = view.record[0], {*view.tickets, *view.offer}
    return {
        "phase": view.phase,
        "turn": view.turn,
        "first": view.first,
        "choosing": sorted(view.choosing),
        "first_turn": bool(record["after"] == at.DEAL_SETUP),
        "passes": int(record["passes"]),
        "last_turns": view.last_turns,
        "hand": view.hand,
        "tickets": view.tickets,
        "offer": view.offer,
        "row": view.row,
        "refreshed": int(record["refreshed"]),
        "deck_size": view.deck_size,
        "discards": view.discards,
        "pool": view.pool,
        "unseen": view.unseen,
        "ticket_stock": view.ticket_stock,
        "tickets_bundled": view.tickets_bundled,
        "tickets_under": int(record["queue"]),
        "known_tickets": {t: p for t, p in view.known_tickets.items() if t not in mine},
        "claiming": view.claiming,
        "laid": view.laid,
        "revealed": view.revealed,
        "extra": view.extra,
        "alvin_city": view.alvin_city,
        "alvin_holder": view.alvin_holder,
        "alvin_caught": bool(record["captured"]),
        "players": [_player(view, seat) for seat in range(view.seats)],
        "legal": [_move(view, move) for move in legal],
    }


def _player(view: View, seat: int) -> Data:
    """What everybody knows of a seat."""
    return {
        "hand_size": view.hand_sizes[seat],
        "seen": view.seen(seat),
        "tickets_held": view.tickets_held[seat],
        "tickets_offered": view.tickets_offered[seat],
        "trains": view.trains[seat],
        "score": view.scores[seat],
        "routes": view.routes_of(seat),
        "marks": view.marks_of(seat),
    }


def _move(view: View, move: Move) -> Data:
    """A move as text, and what it is about; with its whole price where it has one."""
    notation = notation_of(view.spec)
    data = {"text": notation.text(move), "type": _type_name(type(move)), **asdict(move)}
    data.pop("seat", None)  # of a setup choice: it is one's own
    if isinstance(move, Payment):
        seat = -1 if view.seat is None else view.seat
        paid = price(notation, view.record[0], seat, move)
        data |= zip(("color", "cards", "locomotives"), paid, strict=True)
    return data


def _type_name(kind: type) -> str:
    """DrawTickets: draw-tickets."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def read_moves(spec: Spec, seat: int, data: Data) -> list[Move]:
    """The legal moves of a message, for a bot of ours."""
    notation = notation_of(spec)
    whose = seat if data["phase"] == "choose" else -1
    return [notation.parse(move["text"], whose) for move in data["legal"]]


def read_view(spec: Spec, seat: int, data: Data) -> View:
    """The view of a message, for a bot of ours: equal to that which it was written from."""
    records = np.zeros(1, at.dtype_of("view"))
    record, phase = records[0], at.PHASE_NAMES.index(data["phase"])
    record["seat"] = seat
    record["phase"] = phase
    record["after"] = phase if phase in _OWN_ROW else at.TURN
    if data["first_turn"]:
        record["after"] = at.DEAL_SETUP
    for name in _NUMBERS:
        record[name] = -1 if data[name] is None else data[name]
    for name in _CARDS:
        record[name] = data[name]
    record["row_size"] = sum(data["row"])
    record["choosing"] = sum(1 << p for p in data["choosing"])
    record["drawn"] = phase == at.SECOND
    record["last"] = data["last_turns"]
    record["captured"] = data["alvin_caught"]
    record["hand"][seat] = data["hand"]
    _fill_claiming(spec, record, data)
    _fill_tickets(record, seat, data)
    record["marks"] = -1
    for p, player in enumerate(data["players"]):
        _fill_player(spec, record, p, player)
    return View(spec, records)


def _fill_claiming(spec: Spec, record: np.void, data: Data) -> None:
    """The route being claimed, and what was laid for it."""
    record["lane"] = -1 if data["claiming"] is None else spec.lane_of_route[data["claiming"]]
    laid = data["laid"]
    if any(laid):
        colors = [c for c in range(LOCOMOTIVE) if laid[c]]
        record["paid_color"] = colors[0] if colors else LOCOMOTIVE
        record["paid_locos"] = laid[LOCOMOTIVE]


def _fill_tickets(record: np.void, seat: int, data: Data) -> None:
    """Where the tickets lie that the seat knows of."""
    record["stock"] = data["ticket_stock"]
    record["bundled"] = data["tickets_bundled"]
    record["queue"] = data["tickets_under"]
    places = {int(t): _PLACES[name] for t, name in data["known_tickets"].items()}
    places |= dict.fromkeys(data["tickets"], at.HELD + seat)
    places |= dict.fromkeys(data["offer"], at.OFFERED + seat)
    record["ticket"] = at.UNKNOWN
    for ticket, place in places.items():
        record["ticket"][ticket] = place
        record["known"][ticket] = 1 << seat


def _fill_player(spec: Spec, record: np.void, seat: int, player: Data) -> None:
    """What everybody knows of a seat."""
    record["hand_size"][seat] = player["hand_size"]
    record["seen"][seat] = player["seen"]
    record["held"][seat] = player["tickets_held"]
    record["offered"][seat] = player["tickets_offered"]
    record["trains"][seat] = player["trains"]
    record["score"][seat] = player["score"]
    record["marks"][seat, : len(player["marks"])] = player["marks"]
    for route in player["routes"]:
        word, bit = divmod(spec.lane_of_route[route], at.WORD_BITS)
        record["claimed"][seat, word] |= np.int64(1) << np.int64(bit)
