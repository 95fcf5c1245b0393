"""Positions: exporting a game or a seat's view as JSON, and importing it.

The entries are those of `data.Position` for a game and of `data.GameView` for a view, with names
instead of numbers: cards by colour, routes, tickets and cities as in `moves.Notation`. Export and
import are exact inverses; a position written by hand may omit entries that follow from others.
The format is described in docs/positions.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from macaz.errors import MacazError, Problem
from macaz.game import Game
from macaz.game.data import position_data, type_of, view_data, with_names
from macaz.game.fair import Dealer
from macaz.game.moves import notation_of
from macaz.game.position.check import check_draft
from macaz.game.position.read import (
    COUNTS,
    FORMAT,
    FORMAT_KEY,
    Draft,
    default_after,
    default_place,
    default_pool,
    default_refreshed,
    is_dealing,
    read_position,
)
from macaz.game.view import View, place_name
from macaz.kernel import layout as at
from macaz.kernel.compile import AUTO
from macaz.kernel.views import SPECTATOR, redact

if TYPE_CHECKING:
    from macaz.edition import Edition

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


class InvalidPosition(MacazError):  # noqa: N818 - named like IllegalMove
    """A position that cannot occur in a game; `problems` lists everything wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        count = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        super().__init__("\n  ".join([f"position: {count}", *map(str, self.problems)]))

    def __reduce__(self) -> tuple[type[InvalidPosition], tuple[tuple[Problem, ...]]]:
        # Pickle rebuilds an exception from its `args`, which is the message alone.
        return InvalidPosition, (self.problems,)


# -- export ---------------------------------------------------------------------------------------


def export_position(game: Game) -> dict[str, Any]:
    """The current position, hidden information included, as data for JSON."""
    record = redact(game.state, SPECTATOR)
    for name in (f.name for f in at.STATE if f.audience != at.Audience.PUBLIC):
        record[name] = game.state[name]
    return _export(View(game.spec, record), whole=True)


def export_view(view: View) -> dict[str, Any]:
    """A view as data for JSON."""
    return _export(view, whole=False)


def dump_position(position: Game | View) -> str:
    """A game or a view as JSON text; `load_position` reads it back."""
    data = export_view(position) if isinstance(position, View) else export_position(position)
    lines = []
    for key, value in data.items():
        if key == "seats":
            rows = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in value)
            lines.append(f'"seats": [\n    {rows}\n  ]')
        else:
            shown = json.dumps(value, ensure_ascii=False)
            lines.append(f"{json.dumps(key)}: {shown}")
    return "{\n  " + ",\n  ".join(lines) + "\n}\n"


def _export(view: View, *, whole: bool) -> dict[str, Any]:
    """A view with names, without what follows from the rest; `whole`: nothing is hidden in it."""
    edition, names = view.edition, notation_of(view.spec)
    everything = whole or view.over
    exported = position_data(view) if everything else view_data(view)
    data: dict[str, Any] = {
        FORMAT_KEY: FORMAT,
        "edition": edition.qualified_id,
        "fingerprint": edition.fingerprint,
        **with_names(exported, type_of(type(exported)), names),
    }
    left_out = {*_implied(view, data), *(_COUNTS if everything else ())}
    if everything:
        _leave_out_tickets(view, data)
    if whole:
        left_out.add("seat")
    left_out |= {key for key in _IF_ANY if not data.get(key)}
    data["seats"] = [_brief_seat(seat) for seat in data["seats"]]
    return {key: data[key] for key in _ORDER if key in data and key not in left_out}


_COUNTS = ("deck_size", "ticket_stock", "tickets_bundled", "tickets_under")
_IF_ANY = (
    *("passes", "last_turns", "laid", "revealed", "extra"),
    *("tickets_bundled", "tickets_under", "known_tickets", "knowers"),
)
# In the order of the output; other entries always follow from these.
_ORDER = (
    *(FORMAT_KEY, "edition", "fingerprint", "seat", "phase", "after", "turn", "first"),
    *("passes", "last_turns", "drawn", "refreshed", "row", "deck", "deck_size", "pool", "discards"),
    *("seats", "ticket_stock", "tickets_bundled", "tickets_under", "known_tickets", "knowers"),
    *("claiming", "laid", "revealed", "extra", "alvin_city", "alvin_holder", "alvin_captured"),
)


def _implied(view: View, data: dict[str, Any]) -> Iterator[str]:
    """The entries that have their default value."""
    spec, record = view.spec, view.record[0]
    phase, after = int(record["phase"]), int(record["after"])
    row, revealed = record["row"].tolist(), record["revealed"].tolist()
    home = int(spec.table["alvin_home"][0])
    is_default = {
        "after": after == default_after(phase),
        "drawn": record["drawn"] == (after == at.SECOND),
        "refreshed": record["refreshed"] == default_refreshed(spec, phase, row),
        "pool": record["pool"].tolist() == default_pool(spec, row, revealed),
        "claiming": data["claiming"] is None,
        "alvin_city": record["alvin_city"] == home,
        "alvin_holder": data["alvin_holder"] is None,
        "alvin_captured": data["alvin_captured"] == (at.ALVIN in (phase, after)),
    }
    return (key for key, default in is_default.items() if default)


def _leave_out_tickets(view: View, data: dict[str, Any]) -> None:
    """Remove tickets that are in their deck, or known only to the seat that has them."""
    names, record = notation_of(view.spec), view.record[0]
    dealing = is_dealing(int(record["phase"]), int(record["after"]))
    for ticket, row in enumerate(view.edition.board.tickets):
        name, place = names.ticket_name(ticket), int(record["ticket"][ticket])
        if data["known_tickets"].get(name) == place_name(default_place(row.deck, dealing)):
            del data["known_tickets"][name]
        if record["known"][ticket] == _owner_bit(place):
            del data["knowers"][name]


def _brief_seat(seat: dict[str, Any]) -> dict[str, Any]:
    """A seat without empty or hidden entries, and without the lengths of entries it has."""
    for entry, count in COUNTS.items():
        if seat[entry] is not None:
            del seat[count]
    always = ("hand", "hand_size", "trains", "score")
    return {
        key: value for key, value in seat.items() if value is not None and (value or key in always)
    }


def _owner_bit(place: int) -> int:
    """The bit of the seat that has a ticket; 0 if none has."""
    return 1 << place % at.OFFERED if place < at.IN_DECK else 0


# -- import ----------------------------------------------------------------------------------------


def check_position(data: object, edition: Edition | None = None) -> list[Problem]:
    """All problems of a position or a view."""
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
    """A game that continues from a complete position; raises `InvalidPosition`.

    Its history is empty and its state exactly the one that was exported. Without a dealer or
    seed it waits for `push_chance`; with one, a pending chance outcome is drawn at once. The
    `edition` is for a custom map: a position can name only editions that come with Macaz.
    """
    if seed is not None and dealer is not None:
        raise ValueError("give a seed or a dealer, not both")
    draft = _valid_draft(data, edition)
    if draft.viewer is not None:
        remedy = "Import it with setup_view, and sample what it hides with worlds.sample_world."
        raise InvalidPosition([Problem("seat", "a view, not a complete position", remedy)])
    state = _state(draft)
    if seed is not None:
        dealer = Dealer.seeded(seed)
    spec = draft.spec
    return Game.from_state(
        spec.edition, spec.seats, state, dealer=dealer, names=names, target=target
    )


def setup_view(data: object, *, edition: Edition | None = None) -> View:
    """A view from its data; for a complete position the spectator's. Raises `InvalidPosition`."""
    draft = _valid_draft(data, edition)
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
    """A game or a view from JSON text; the other arguments are those of `setup_position`."""
    data = parse_json(text)
    if isinstance(data, dict) and "seat" in data:
        return setup_view(data, edition=edition)
    return setup_position(
        data, edition=edition, dealer=dealer, seed=seed, names=names, target=target
    )


def parse_json(text: str) -> object:
    """Parse JSON; raises `InvalidPosition` if the text is not JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message, remedy = f"not JSON: {error.msg}", "Check commas and quotes."
        problem = Problem("text", message, remedy, error.lineno)
    except RecursionError:
        problem = Problem("text", "nested too deep", "Write it as in docs/positions.md.")
    except ValueError:  # Python limits integers to some thousands of digits
        problem = Problem("text", "a number has too many digits", "Correct it.")
    raise InvalidPosition([problem])


def _read(data: object, edition: Edition | None) -> tuple[Draft | None, list[Problem]]:
    draft, problems = read_position(data, edition)
    return draft, problems + (check_draft(draft) if draft else [])


def _valid_draft(data: object, edition: Edition | None) -> Draft:
    draft, problems = _read(data, edition)
    if problems or draft is None:
        raise InvalidPosition(problems)
    return draft


def _fill_public(draft: Draft, record: np.void) -> None:
    """Fill in the fields that a state and all its views have in common."""
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
    """Fill in the places of the tickets that the position names."""
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
    """The state of a position in which nothing is hidden."""
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
    """The view of a position in which something is hidden."""
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
