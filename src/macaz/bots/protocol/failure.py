"""Why a program could not play on."""

from __future__ import annotations

from typing import Literal

from macaz.errors import MacazError

Reason = Literal["crashed", "timeout", "illegal", "garbled"]


class BotFailed(MacazError):  # noqa: N818 - reads as the habit of the house: IllegalMove
    """A program did not decide; `reason` says why in a word, `log` has its last errors."""

    def __init__(self, reason: Reason, message: str, log: tuple[str, ...] = ()) -> None:
        self.reason, self.message, self.log = reason, message, log
        said = ["its standard error ends with:", *log] if log else []
        super().__init__("\n  ".join([message, *said]))

    def __reduce__(self) -> tuple[type[BotFailed], tuple[Reason, str, tuple[str, ...]]]:
        """Exceptions are rebuilt from their arguments when they cross to another process."""
        return BotFailed, (self.reason, self.message, self.log)
