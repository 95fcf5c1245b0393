"""The server's time, which never jumps."""

from __future__ import annotations

import time
from collections.abc import Callable


class Clock:
    """Milliseconds since 1970, read once from the wall and then counted.

    Somebody who sets the machine's clock while we run takes nobody's time away and gives nobody
    more.
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
        """The time in milliseconds."""
        return int((self._count() + self._offset) * 1000)
