"""The steps of a game's history, and the notes that its record has beside them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from macaz.kernel.layout import E_TICKETS_DEALT, dtype_of


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the history: a seat's decision, or a chance outcome (`seat` is None)."""

    seat: int | None
    number: int
    before: bytes = field(repr=False)
    events: bytes = field(repr=False)  # event records, for `macaz.game.events.read_events`

    @property
    def state(self) -> np.ndarray:
        """The state before this step, read-only."""
        return np.frombuffer(self.before, dtype_of("state"))

    @property
    def reveals(self) -> bool:
        """Whether it showed a card or a ticket that was hidden before.

        Outcomes of chance do, and so does a draw of tickets that were returned under the deck,
        whose order is fixed.
        """
        kinds = np.frombuffer(self.events, dtype_of("event"))["kind"]
        return self.seat is None or E_TICKETS_DEALT in kinds


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Decisions that were made after `ply` steps of the history, and then taken back.

    `notes` are those that were written among these steps.
    """

    ply: int
    steps: tuple[Step, ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Resignation:
    """A seat that resigned after `ply` steps of the history; `ends`: the game ended with it."""

    ply: int
    seat: int
    ends: bool = False


Note = TakenBack | Resignation
