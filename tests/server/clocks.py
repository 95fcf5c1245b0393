"""A clock that a test can advance, instead of waiting."""

from __future__ import annotations

from macaz.server.clock import Clock

DAY_MS = 86_400_000


class Ticking(Clock):
    """A clock that a test can advance."""

    def __init__(self) -> None:
        self.extra = 0
        super().__init__()

    def now(self) -> int:
        """The time, advanced by `extra` milliseconds."""
        return super().now() + self.extra
