"""Positions as JSON: a game, or a seat's view of it, written down and set up again.

Everything has its name: cards by colour, routes, tickets and cities as in `moves.Notation`. What
a view does not know is a number, or null in a list. Set up again, a position is the same to the
byte; one written by hand may leave out what follows from the rest. `docs/positions.md` has the
format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from macaz.board import CARDS
from macaz.errors import MacazError, Problem
from macaz.fair import Dealer
from macaz.game import Game
from macaz.kernel import layout as at
from macaz.kernel.compile import AUTO
from macaz.kernel.views import SPECTATOR, redact
from macaz.moves import notation_of
from macaz.position_check import judge
from macaz.position_read import (
    FORMAT,
    FORMAT_KEY,
    SPECTATOR_WORD,
    Draft,
    default_after,
    default_pool,
    default_refreshed,
    read_position,
)
from macaz.view import View, routes_of

if TYPE_CHECKING:
    from macaz.edition import Edition
    from macaz.kernel.spec import Spec

__all__ = [
    "InvalidPosition",
    "Problem",
    "check_position",
    "dump_position",
    "export_position",
    "export_view",
    "load_position",
    "setup_position",
    "setup_view",
]


class InvalidPosition(MacazError):  # noqa: N818 - reads as the habit of the house: IllegalMove
    """A position that cannot lie on a table; `problems` lists everything wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        count = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        super().__init__("\n  ".join([f"position: {count}", *map(str, self.problems)]))

    def __reduce__(self) -> tuple[type[InvalidPosition], tuple[tuple[Problem, ...]]]:
        """Exceptions are rebuilt from their arguments when they cross to another process."""
        return InvalidPosition, (self.problems,)


# -- out ---------------------------------------------------------------------------------------


def export_position(game: Game) -> dict[str, Any]:
    """A game as it stands, everything hidden included, ready for JSON."""
    return _export(game.spec, game.state[0], None)


def export_view(view: View) -> dict[str, Any]:
    """What a seat may see, ready for JSON."""
    return _export(view.spec, view.record[0], int(view.record["seat"][0]))


def dump_position(position: Game | View) -> str:
    """A game or a view as JSON text; `load_position` reads it back."""
    data = export_view(position) if isinstance(position, View) else export_position(position)
    lines = []
    for key, value in data.items():
        if key == "players":
            rows = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in value)
            lines.append(f'"players": [\n    {rows}\n  ]')
        else:
            shown = json.dumps(value, ensure_ascii=False)
            lines.append(f"{json.dumps(key)}: {shown}")
    return "{\n  " + ",\n  ".join(lines) + "\n}\n"


def _export(spec: Spec, record: np.void, viewer: int | None) -> dict[str, Any]:
    """A state, or a view where `viewer` says whose."""
    return _Writer(spec, record, viewer).write()


class _Writer:
    """Writes one record with names; what follows from the rest is left out."""

    def __init__(self, spec: Spec, record: np.void, viewer: int | None) -> None:
        self.spec = spec
        self.record = record
        self.viewer = viewer
        self.names = notation_of(spec)
        self.phase = int(record["phase"])
        self.open = viewer is None or self.phase == at.OVER
        places = record["ticket"][: len(spec.edition.board.tickets)].tolist()
        self.at_place: dict[int, list[int]] = {}
        for ticket, place in enumerate(places):
            self.at_place.setdefault(place, []).append(ticket)

    def write(self) -> dict[str, Any]:
        """The whole position."""
        record, edition = self.record, self.spec.edition
        data: dict[str, Any] = {
            FORMAT_KEY: FORMAT,
            "edition": edition.qualified_id,
            "fingerprint": edition.fingerprint,
            "seats": self.spec.seats,
        }
        if self.viewer is not None:
            data["view"] = SPECTATOR_WORD if self.viewer == SPECTATOR else self.viewer
        data["phase"] = at.PHASE_NAMES[self.phase]
        if record["after"] != default_after(self.phase):
            data["after"] = at.PHASE_NAMES[record["after"]]
        data["turn"] = int(record["turn"])
        data["first"] = int(record["first"]) if record["first"] >= 0 else None
        data |= {key: int(record[key]) for key in ("passes", "last") if record[key]}
        if record["drawn"] != (record["after"] == at.SECOND):
            data["drawn"] = int(record["drawn"])
        row = record["row"].tolist()
        if record["refreshed"] != default_refreshed(self.spec, self.phase, row):
            data["refreshed"] = int(record["refreshed"])
        data["row"] = _cards(row)
        data["deck"] = _cards(record["deck"].tolist()) if self.open else int(record["deck_size"])
        pool = record["pool"].tolist()
        if pool != default_pool(self.spec, row, record["revealed"].tolist()):
            data["pool"] = _cards(pool)
        data["discards"] = _cards(record["discards"].tolist())
        data["players"] = [self.player(seat) for seat in range(self.spec.seats)]
        data["tickets"] = self.tickets()
        if record["lane"] >= 0:
            data["claiming"] = self.claiming()
        home = int(self.spec.table["alvin_home"][0])
        if home >= 0 and (record["alvin_city"] != home or record["alvin_holder"] >= 0):
            data["alvin"] = self.alvin()
        return data

    def player(self, seat: int) -> dict[str, Any]:
        """A seat; empty things are left out."""
        record, names = self.record, self.names
        mine = self.open or seat == self.viewer
        hand = record["hand"][seat].tolist()
        routes = routes_of(self.spec, record["claimed"][seat])
        marks = [c for c in record["marks"][seat].tolist() if c >= 0]
        row: dict[str, Any] = {
            "hand": _cards(hand) if mine else int(record["hand_size"][seat]),
            "seen": _cards(record["seen"][seat].tolist()),
            "trains": int(record["trains"][seat]),
            "score": int(record["score"][seat]),
            "routes": [names.route_name(r) for r in routes],
            "marks": [names.city_name(c) for c in marks],
            "tickets": self.heap(at.HELD + seat, "held", seat),
            "offer": self.heap(at.OFFERED + seat, "offered", seat),
            "returned": self.known(at.RETURNED + seat),
        }
        always = ("hand", "trains", "score")
        return {key: value for key, value in row.items() if value or key in always}

    def known(self, place: int) -> list[str]:
        """The names of the tickets known to lie in a place."""
        return [self.names.ticket_name(t) for t in self.at_place.get(place, ())]

    def heap(self, place: int, count: str, seat: int) -> list[str | None] | int:
        """Tickets before a seat: their names, null for an unknown one, or just how many."""
        found: list[str | None] = list(self.known(place))
        if self.open:
            return found
        size = int(self.record[count][seat])
        return found + [None] * (size - len(found)) if found else size

    def tickets(self) -> dict[str, Any]:
        """The tickets that no seat has."""
        record = self.record
        under = [next(iter(self.known(at.QUEUE + i)), None) for i in range(record["queue"])]
        deck: Any = self.known(at.IN_DECK)
        bundle: Any = self.known(at.IN_BUNDLE)
        if not self.open:
            size = int(record["bundled"])
            deck = int(record["stock"] - record["queue"]) - size
            bundle = bundle + [None] * (size - len(bundle)) if bundle else size
        heaps: dict[str, Any] = {
            "deck": deck,
            "long": self.known(at.IN_LONG_DECK),
            "bundle": bundle,
            "under": under if any(under) else len(under),
            "box": self.known(at.IN_BOX),
        }
        if self.open:
            known = record["known"].tolist()
            heaps["known"] = {
                self.names.ticket_name(t): [p for p in range(self.spec.seats) if known[t] >> p & 1]
                for place, tickets in self.at_place.items()
                for t in tickets
                if known[t] != _owner_bit(place)
            }
        return {key: value for key, value in heaps.items() if value or key == "deck"}

    def claiming(self) -> dict[str, Any]:
        """The route being claimed, and what lies before a tunnel."""
        record = self.record
        route = self.spec.route_of_lane[int(record["lane"])]
        data: dict[str, Any] = {"route": self.names.route_name(route)}
        if self.spec.edition.board.routes[route].kind == "tunnel":
            data["color"] = CARDS[record["paid_color"]]
            data["locomotives"] = int(record["paid_locos"])
            data["revealed"] = _cards(record["revealed"].tolist())
            if self.phase != at.DEAL_TUNNEL:
                data["extra"] = int(record["extra"])
        return data

    def alvin(self) -> dict[str, Any]:
        """Where Alvin is, who holds him, and whether he waits to be moved."""
        record = self.record
        data: dict[str, Any] = {"city": self.names.city_name(int(record["alvin_city"]))}
        if record["alvin_holder"] >= 0:
            data["holder"] = int(record["alvin_holder"])
        if record["captured"]:
            data["captured"] = True
        return data


def _cards(counts: Sequence[int]) -> dict[str, int]:
    return {name: n for name, n in zip(CARDS, counts, strict=True) if n}


def _owner_bit(place: int) -> int:
    """The seat before whom a ticket lies, as a bit; 0 for a heap."""
    return 1 << place % at.OFFERED if place < at.IN_DECK else 0


# -- in ----------------------------------------------------------------------------------------


def check_position(data: object, edition: Edition | None = None) -> list[Problem]:
    """Everything wrong with a position or a view."""
    return _read(data, edition)[1]


def setup_position(
    data: object,
    *,
    edition: Edition | None = None,
    dealer: Dealer | Literal["random"] | None = None,
    seed: int | str | None = None,
    names: Sequence[str] | None = None,
    target: str = AUTO,
) -> Game:
    """A game that goes on from a full position; raises `InvalidPosition`.

    Its history is empty and its state exactly the one that was exported; chance waits for
    `push_chance`. With a dealer or a seed chance acts by itself, and at once if it is to. The
    `edition` is for a map of your own: a position names only editions that come with Macaz.
    """
    if seed is not None and dealer is not None:
        raise ValueError("give a seed or a dealer, not both")
    draft = _sound(data, edition)
    if draft.viewer is not None:
        remedy = "Set it up with setup_view, and draw what it hides with worlds.sample_world."
        raise InvalidPosition([Problem("view", "a view, not a whole position", remedy)])
    state = _state(draft)
    if seed is not None:
        dealer = Dealer.seeded(seed)
    spec = draft.spec
    return Game.from_state(
        spec.edition, spec.seats, state, dealer=dealer, names=names, target=target
    )


def setup_view(data: object, *, edition: Edition | None = None) -> View:
    """A view from its data; of a full position, the spectator's. Raises `InvalidPosition`."""
    draft = _sound(data, edition)
    if draft.open:
        viewer = SPECTATOR if draft.viewer is None else draft.viewer
        return View(draft.spec, redact(_state(draft), viewer))
    return View(draft.spec, _view(draft))


def load_position(
    text: str,
    *,
    edition: Edition | None = None,
    dealer: Dealer | Literal["random"] | None = None,
    seed: int | str | None = None,
    names: Sequence[str] | None = None,
    target: str = AUTO,
) -> Game | View:
    """A game or a view from JSON text; all but `edition` is for a game, as in `setup_position`."""
    data = parse_json(text)
    if isinstance(data, dict) and "view" in data:
        return setup_view(data, edition=edition)
    return setup_position(
        data, edition=edition, dealer=dealer, seed=seed, names=names, target=target
    )


def parse_json(text: str) -> object:
    """The data of a text; raises `InvalidPosition` where it is not JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message, remedy = f"not JSON: {error.msg}", "Check commas and quotes."
        problem = Problem("text", message, remedy, error.lineno)
    except RecursionError:
        problem = Problem("text", "nested too deep", "Write it as in docs/positions.md.")
    except ValueError:  # Python reads no number of thousands of digits
        problem = Problem("text", "a number has too many digits", "Correct it.")
    raise InvalidPosition([problem])


def _read(data: object, edition: Edition | None) -> tuple[Draft | None, list[Problem]]:
    draft, problems = read_position(data, edition)
    return draft, problems + (judge(draft) if draft else [])


def _sound(data: object, edition: Edition | None) -> Draft:
    draft, problems = _read(data, edition)
    if problems or draft is None:
        raise InvalidPosition(problems)
    return draft


def _fill_public(draft: Draft, record: np.void) -> None:
    """What is the same in a state and in every view of it."""
    spec = draft.spec
    record["phase"] = draft.phase
    record["after"] = draft.after
    record["turn"] = draft.turn
    record["first"] = draft.first
    record["passes"] = draft.passes
    record["last"] = draft.last
    record["refreshed"] = draft.refreshed
    record["left"] = draft.left
    record["drawn"] = draft.drawn
    record["row"] = draft.row
    record["row_size"] = sum(draft.row)
    record["discards"] = draft.discards
    record["deck_size"] = draft.deck_size
    record["pool"] = draft.pool
    record["stock"] = draft.stock
    record["queue"] = len(draft.under)
    record["alvin_city"] = draft.alvin_city
    record["alvin_holder"] = draft.alvin_holder
    record["captured"] = draft.captured
    record["lane"] = -1
    record["marks"] = -1
    if draft.claiming is not None:
        record["lane"] = spec.lane_of_route[draft.claiming.route]
        record["paid_color"] = draft.claiming.color or 0
        record["paid_locos"] = draft.claiming.locomotives
        record["revealed"] = draft.revealed
        record["extra"] = draft.extra
    for seat, player in enumerate(draft.players):
        if draft.phase == at.CHOOSE and player.offer:
            record["choosing"] |= 1 << seat
        for route in player.routes:
            word, bit = divmod(spec.lane_of_route[route], at.WORD_BITS)
            record["claimed"][seat, word] |= 1 << bit
        record["marks"][seat, : len(player.marks)] = player.marks
        record["seen"][seat] = player.seen
        record["score"][seat] = player.score
        record["trains"][seat] = player.trains
        if player.hand is not None:
            record["hand"][seat] = player.hand


def _fill_tickets(draft: Draft, record: np.void) -> None:
    """Where every ticket lies that the position names."""
    where = record["ticket"]
    for heap, place in (
        (draft.ticket_deck, at.IN_DECK),
        (draft.long, at.IN_LONG_DECK),
        ([t for t in draft.bundle if t is not None], at.IN_BUNDLE),
        (draft.box, at.IN_BOX),
    ):
        where[heap] = place
    for position, ticket in enumerate(draft.under):
        if ticket is not None:
            where[ticket] = at.QUEUE + position
    for seat, player in enumerate(draft.players):
        for tickets, place in (
            (player.held, at.HELD),
            (player.offer, at.OFFERED),
            (player.returned, at.RETURNED),
        ):
            where[[t for t in tickets if t is not None]] = place + seat


def _state(draft: Draft) -> np.ndarray:
    """The state of a position with nothing hidden."""
    states = np.zeros(1, at.dtype_of("state"))
    state = states[0]
    _fill_public(draft, state)
    state["deck"] = draft.deck
    state["ticket"] = at.NO_TICKET
    _fill_tickets(draft, state)
    for ticket in range(len(draft.spec.edition.board.tickets)):
        known = draft.known.get(ticket, _owner_bit(int(state["ticket"][ticket])))
        state["known"][ticket] = known
    return states


def _view(draft: Draft) -> np.ndarray:
    """The view of a position with something hidden."""
    views = np.zeros(1, at.dtype_of("view"))
    view = views[0]
    viewer = SPECTATOR if draft.viewer is None else draft.viewer
    _fill_public(draft, view)
    view["ticket"] = at.UNKNOWN
    _fill_tickets(draft, view)
    if viewer >= 0:
        view["known"] = np.where(view["ticket"] != at.UNKNOWN, 1 << viewer, 0)
    view["seat"] = viewer
    view["bundled"] = len(draft.bundle)
    for seat, player in enumerate(draft.players):
        view["hand_size"][seat] = player.hand_size
        view["held"][seat] = len(player.held)
        view["offered"][seat] = len(player.offer)
    return views
