"""What a seat may see: one redaction for browsers, bots and learners, derived from the layout."""

from __future__ import annotations

from functools import cache
from math import prod

import numpy as np

from macaz.kernel.layout import (
    HELD,
    IN_BUNDLE,
    OFFERED,
    OVER,
    SEATS,
    STATE,
    UNKNOWN,
    Audience,
    dtype_of,
)

SPECTATOR = -1
# A view begins as a state does: the fields of both are declared in the same order.
_SHARED: int = dtype_of("view").fields["hand_size"][1]  # type: ignore[index]


@cache
def _mask(seat: int) -> np.ndarray:
    """Which bytes of a state a seat sees whatever happens; a field that says nothing is hidden."""
    dtype = dtype_of("state")
    mask = np.zeros(dtype.itemsize, np.uint8)
    for field in STATE:
        offset = dtype.fields[field.name][1]  # type: ignore[index]
        size = int(field.kind[1]) * prod(field.shape)
        if field.audience == Audience.PUBLIC:
            mask[offset : offset + size] = 255
        elif field.audience == Audience.OWNER and seat >= 0:
            row = size // SEATS
            mask[offset + seat * row : offset + (seat + 1) * row] = 255
    return mask


def redact(states: np.ndarray, seat: int) -> np.ndarray:
    """The view of a seat, or of a spectator: an array of one record of dtype "view"."""
    state = states[0]
    views = np.zeros(1, dtype_of("view"))
    seen = states.view(np.uint8)
    over = state["phase"] == OVER
    views.view(np.uint8)[:_SHARED] = (seen if over else seen & _mask(seat))[:_SHARED]
    view = views[0]
    where = state["ticket"]
    if not over:
        bit = 1 << seat if seat >= 0 else 0
        mine = state["known"] & bit
        view["known"] = mine
        view["ticket"] = np.where(mine != 0, where, UNKNOWN)
    view["hand_size"] = state["hand"].sum(axis=1)
    counts = np.bincount(where, minlength=OFFERED + SEATS)
    view["held"] = counts[HELD : HELD + SEATS]
    view["offered"] = counts[OFFERED : OFFERED + SEATS]
    view["bundled"] = np.count_nonzero(where == IN_BUNDLE)
    view["seat"] = seat
    return views


def told(views: np.ndarray) -> np.ndarray:
    """What a view tells, as an array of one state; all that it hides is left out."""
    states = np.zeros(1, dtype_of("state"))
    states.view(np.uint8)[:_SHARED] = views.view(np.uint8)[:_SHARED]
    return states
