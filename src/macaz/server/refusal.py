"""Refusals, with a code for programs and a sentence for people."""

from __future__ import annotations

from macaz.errors import MacazError
from macaz.kernel.layout import WhyNot
from macaz.server.wire import Code


class Refusal(MacazError):  # noqa: N818 - as `IllegalMove`
    """A request that was refused; nothing was changed by it.

    `retry_after` is in how many seconds it may be granted, where that is known; `name` is the name
    at the table that the one given looks like, `reason` the rule that forbids a move.
    """

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        retry_after: int | None = None,
        name: str | None = None,
        reason: WhyNot = "",
    ) -> None:
        super().__init__(message)
        self.code: Code = code
        self.message = message
        self.retry_after = retry_after
        self.name = name
        self.reason: WhyNot = reason


def not_found(what: str = "There is no such table, or it is not for you to see.") -> Refusal:
    """The same answer for what does not exist and what the person may not see."""
    return Refusal("not-found", what)
