"""What a seat may see of states and events, as the kernel says: arrays of records in and out."""

from __future__ import annotations

import threading

import numpy as np

from macaz.kernel.compile import AUTO, Program, compiled, default_target
from macaz.kernel.layout import dtype_of
from macaz.kernel.once import once

SPECTATOR = -1
VIEWS = Program(
    what="views",
    entries=("macaz.kernel.view_entry",),
    modules=tuple(f"macaz.kernel.{name}" for name in ("redact", "view_entry")),
    arrays=(("views", dtype_of("view"), 1), ("shown", dtype_of("event"), 1)),
)


class _Scratch(threading.local):
    """Records that the kernel takes without copying them, one set for each thread."""

    def __init__(self, target: str) -> None:
        self.run = compiled(VIEWS, target)
        self.states = self.run.zeros(1, dtype_of("state"))
        self.views = self.run.zeros(1, dtype_of("view"))
        # NumPy copies records field by field, and bytes at once.
        self.state_bytes = self.states.view(np.uint8)
        self.view_bytes = self.views.view(np.uint8)


@once
def _scratch(target: str) -> _Scratch:
    return _Scratch(target)


def redact(states: np.ndarray, seat: int, target: str = AUTO) -> np.ndarray:
    """The view of a seat, or of a spectator: an array of one record of dtype "view"."""
    room = _scratch(default_target() if target == AUTO else target)
    room.state_bytes[:] = states.view(np.uint8)
    room.run.redact_state(room.states, seat, room.views)
    views: np.ndarray = room.view_bytes.copy().view(dtype_of("view"))
    return views


def redacted_state(views: np.ndarray, target: str = AUTO) -> np.ndarray:
    """What a view says, as an array of one state: what the seat may not see is 0."""
    room = _scratch(default_target() if target == AUTO else target)
    room.view_bytes[:] = views.view(np.uint8)
    room.run.tell_state(room.views, room.states)
    states: np.ndarray = room.state_bytes.copy().view(dtype_of("state"))
    return states


def narrow_events(events: np.ndarray, seat: int, target: str = AUTO) -> np.ndarray:
    """Event records as a seat, or a spectator, may see them."""
    room = _scratch(default_target() if target == AUTO else target)
    shown = np.zeros_like(events)
    room.run.narrow_events(events.copy(), seat, shown)  # native code takes no read-only array
    return shown
