"""Which decision of a table can be taken back now, and whose consent that needs.

A decision can be taken back as long as neither it nor a later one revealed a card or a ticket, and
no other person has decided since. Bots that have answered decide again. Where other people play,
each of them must agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from macaz.server import wire

if TYPE_CHECKING:
    from macaz.server.state import TableState


def takeback(state: TableState) -> wire.Takeback | None:
    """The decision that its player may take back now, or may ask for; None if there is none."""
    if state.status != "running":
        return None
    for back, made in enumerate(reversed(state.undoable), 1):
        chair = state.chairs[made.seat]
        if made.bot:
            if chair.person is not None and not chair.resigned:
                return None  # a stand-in decided, whose person may not be there to be asked
            continue
        if chair.person is None or chair.bot or made.version == state.refused:
            return None
        request = state.asked
        asked = request is not None and request.version == made.version
        accepted = request.accepted if request is not None and asked else ()
        waiting = _waiting(state, (made.seat, *accepted))
        return wire.Takeback(made.seat, made.version, back, asked, waiting)
    return None


def _waiting(state: TableState, agreeing: tuple[int, ...]) -> tuple[int, ...]:
    """The seats of the people who play themselves, other than those of the agreeing seats."""
    agreed = {state.chairs[i].person for i in agreeing}
    return tuple(
        i
        for i, chair in enumerate(state.chairs)
        if chair.person is not None and not chair.bot and chair.person not in agreed
    )
