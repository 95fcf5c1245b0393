"""The error of an external bot."""

from __future__ import annotations

from typing import Literal

from macaz.errors import MacazError

Reason = Literal["crashed", "timeout", "illegal", "garbled"]


class BotFailed(MacazError):  # noqa: N818 - named like IllegalMove
    """A program made no decision; `log` has the last lines of its standard error."""

    def __init__(self, reason: Reason, message: str, log: tuple[str, ...] = ()) -> None:
        self.reason, self.message, self.log = reason, message, log
        said = ["its standard error ends with:", *log] if log else []
        super().__init__("\n  ".join([message, *said]))

    def __reduce__(self) -> tuple[type[BotFailed], tuple[Reason, str, tuple[str, ...]]]:
        # Pickle rebuilds an exception from its `args`, which is the message alone.
        return BotFailed, (self.reason, self.message, self.log)
