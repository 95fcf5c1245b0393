"""Errors of the store, and which errors of the database mean that it is unavailable."""

from __future__ import annotations

import sqlite3

from sqlalchemy import exc

from macaz.errors import MacazError


class Unavailable(MacazError):  # noqa: N818 - as `IllegalMove`
    """The storage cannot answer now; retry later.

    Whether a write that ended so was committed may be unknown. An `append` is retried with the
    same nonce, and then happens once.
    """


class LinkSpent(MacazError):  # noqa: N818
    """A link that was to be used was used or revoked already; nothing was written."""

    def __init__(self) -> None:
        super().__init__("That link leads nowhere: it was used or taken back.")


# Bugs of the caller: trying again would not help.
_OUR_FAULT = (
    exc.DataError,
    exc.IntegrityError,
    exc.NotSupportedError,
    exc.ProgrammingError,
)


def as_unavailable(error: Exception) -> Exception:
    """`Unavailable` if the database is at fault, else the error itself."""
    at_fault = isinstance(error, exc.DatabaseError | exc.InterfaceError) and not (
        isinstance(error, _OUR_FAULT) and not error.connection_invalidated
    )
    if at_fault or isinstance(error, exc.TimeoutError | sqlite3.OperationalError):
        return unavailable(error)
    return error


def unavailable(error: Exception) -> Unavailable:
    """`Unavailable`, caused by an error."""
    # The driver's message: SQLAlchemy's has the statement with its parameters, which are secret.
    driver = error.orig if isinstance(error, exc.DBAPIError) else error
    lines = str(driver).strip().splitlines() or [type(driver).__name__]
    trouble = Unavailable(f"The database cannot answer now: {lines[0]}")
    trouble.__cause__ = error
    return trouble
