"""The message `newgame`: the map and the rules, so that a bot needs no edition files."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from macaz.edition import Edition
from macaz.edition.board import CARDS, Board, City, Route, Ticket
from macaz.edition.rules import Rules
from macaz.kernel.spec import compile_spec

if TYPE_CHECKING:
    from macaz.bots.protocol.lines import Data
    from macaz.kernel.spec import Spec


def table_message(spec: Spec, seat: int, seed: int | str) -> Data:
    """The data of `newgame`. Cities, routes and tickets are numbered by their order here."""
    edition = spec.edition
    board = edition.board
    return {
        "edition": edition.qualified_id,
        "name": edition.name,
        "fingerprint": edition.fingerprint,
        "seats": spec.seats,
        "seat": seat,
        "seed": seed,
        "cards": CARDS,
        "cities": [asdict(city) for city in board.cities],
        "routes": [asdict(route) for route in board.routes],
        "tickets": [asdict(ticket) for ticket in board.tickets],
        "rules": asdict(edition.rules),
    }


def read_table(data: Data) -> Spec:
    """The compiled edition of a message: the inverse of `table_message`."""
    name, *options = data["edition"].split("+")
    board = Board(
        name=data["name"],
        cities=tuple(_read(City, row) for row in data["cities"]),
        routes=tuple(_read(Route, row) for row in data["routes"]),
        tickets=tuple(_read(Ticket, row) for row in data["tickets"]),
    )
    rules = {k: tuple(v) if isinstance(v, list) else v for k, v in data["rules"].items()}
    edition = Edition(
        id=name,
        name=data["name"],
        board=board,
        rules=_read(Rules, rules),
        options=tuple(options),
        available_options=(),
        source="newgame",
    )
    return compile_spec(edition, data["seats"])


def _read(kind: Any, row: Data) -> Any:
    """A value of this kind; entries of later versions are ignored."""
    return kind(**{item.name: row[item.name] for item in fields(kind)})
