"""The server's time, which never jumps."""

from __future__ import annotations

import time
from collections.abc import Callable


class Clock:
    """Milliseconds since 1970: the wall clock at the start, and a monotonic clock from then on.

    Setting the machine's clock while the server runs changes no player's remaining time.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        count: Callable[[], float] = time.monotonic,
    ) -> None:
        self._count = count
        self._offset = wall() - count()
        self.started = self.now()

    def now(self) -> int:
        return int((self._count() + self._offset) * 1000)
