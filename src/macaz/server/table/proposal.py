"""Entries that are proposed to the log of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from macaz.game.moves import IllegalMove, MoveError
from macaz.server.refusal import Refusal
from macaz.server.state import act

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.server.entries import AnyEntry
    from macaz.server.state import Deal, TableState


class Proposal(NamedTuple):
    """An entry to be committed, with the game after it where it is known."""

    entry: AnyEntry
    game: Game | None = None
    nonce: str | None = None
    person: str | None = None  # the new owner of the entry's seat
    link: str | None = None  # the link to a seat that the entry uses up


# Raises `Refusal` if the entry is not allowed, `NoChange` if there is nothing to do.
Propose = Callable[[], Proposal]


class NoChange(Exception):  # noqa: N818 - it is no error
    """The table is already as the proposal would make it."""


class Conflict(Exception):  # noqa: N818 - it is no error
    """Another node committed that version first."""


def decision(
    deal: Deal,
    state: TableState,
    seat: int,
    action: int,
    *,
    bot: str = "",
    nonce: str | None = None,
) -> Proposal:
    """A decision in a running game; `Refusal` unless the rules allow it."""
    assert state.game is not None, "running tables have a game"
    try:
        game, entry = act(deal.dealer_of(state), state.game, seat, action, bot)
    except IllegalMove as error:
        why = f"The rules do not allow that now: {error.why}."
        raise Refusal("illegal", why, reason=error.reason) from error
    except MoveError as error:
        raise Refusal("illegal", "The rules do not allow that now.") from error
    return Proposal(entry, game, nonce)


def require_running(state: TableState) -> None:
    if state.status != "running":
        raise Refusal("not-now", f"The game is not running: the table is {state.status}.")
