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
from macaz.game.compiled.complete import owner_bit, usual_after
from macaz.game.compiled.program import new_draft, positions
from macaz.game.data import position_data, type_of, view_data, with_names
from macaz.game.fair import Dealer
from macaz.game.moves import notation_of
from macaz.game.position.check import check_draft
from macaz.game.position.read import COUNTS, FORMAT, FORMAT_KEY, Draft, read_position
from macaz.game.view import View
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
    usual = _completed(view, everything)
    left_out = {*_implied(view, usual), *(_COUNTS if everything else ())}
    if everything:
        _leave_out_tickets(view, usual, data)
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


# Fields that may follow from the rest, and the entries that have them.
_MAY_FOLLOW = {
    "drawn": "drawn",
    "refreshed": "refreshed",
    "pool": "pool",
    "alvin_city": "alvin_city",
    "captured": "alvin_captured",
}


def _completed(view: View, everything: bool) -> np.void:
    """The view with all that may follow from the rest as it would follow."""
    drafts = new_draft()
    record, draft = view.record[0], drafts[0]
    for name in {field.name for field in at.VIEW} - {*_MAY_FOLLOW, "ticket", "known"}:
        draft[name] = record[name]
    draft["open"] = everything
    draft["laid"] = any(view.paid)
    shown = record["ticket"] < at.RETURNED if everything else record["ticket"] != at.UNKNOWN
    draft["ticket"] = np.where(shown, record["ticket"], at.UNKNOWN)
    draft["mark_count"] = (record["marks"] >= 0).sum(axis=1)
    positions().complete_draft(view.spec.table, drafts)
    completed: np.void = draft
    return completed


def _implied(view: View, usual: np.void) -> Iterator[str]:
    """The entries that are as they would follow from the rest."""
    record = view.record[0]
    if record["after"] == usual_after(record["phase"]):
        yield "after"
    for name, entry in _MAY_FOLLOW.items():
        if (record[name] == usual[name]).all():
            yield entry
    for entry, name in (("claiming", "lane"), ("alvin_holder", "alvin_holder")):
        if record[name] < 0:
            yield entry


def _leave_out_tickets(view: View, usual: np.void, data: dict[str, Any]) -> None:
    """Remove tickets that are in their deck, or known only to the seat that has them."""
    names, record = notation_of(view.spec), view.record[0]
    for ticket in range(len(view.edition.board.tickets)):
        name = names.ticket_name(ticket)
        if record["ticket"][ticket] == usual["ticket"][ticket]:
            data["known_tickets"].pop(name, None)
        if record["known"][ticket] == owner_bit(int(record["ticket"][ticket])):
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


def _state(draft: Draft) -> np.ndarray:
    """The state of a position in which nothing is hidden."""
    states = np.zeros(1, at.dtype_of("state"))
    positions().take_state(draft.drafts, states)
    return states


def _view(draft: Draft) -> np.ndarray:
    """The view of a position in which something is hidden."""
    views = np.zeros(1, at.dtype_of("view"))
    positions().take_view(draft.drafts, views)
    return views
