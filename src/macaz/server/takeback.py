"""Which decision of a table can be taken back now, and whose consent that needs.

A decision can be taken back as long as neither it nor a later one revealed a card or a ticket, and
no other person has decided since. Bots that have answered decide anew. Where other people play,
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
            if chair.person is not None:
                return None  # a stand-in decided, whose person may not be there to be asked
            continue
        if chair.person is None or chair.bot or made.version == state.refused:
            return None
        asked = state.asked is not None and state.asked.version == made.version
        waiting = _waiting(state, made.seat)
        return wire.Takeback(made.seat, made.version, back, asked, waiting)
    return None


def _waiting(state: TableState, seat: int) -> tuple[int, ...]:
    """The seats of the other people who play themselves, and have not agreed yet."""
    accepted = state.asked.accepted if state.asked is not None else ()
    agreed = {state.chairs[seat].person, *(state.chairs[i].person for i in accepted)}
    return tuple(
        i
        for i, chair in enumerate(state.chairs)
        if chair.person is not None and not chair.bot and chair.person not in agreed
    )
