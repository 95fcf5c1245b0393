"""One live table: a log that all changes go through, an audience, seats, bots and clocks."""

from macaz.server.table.table import Table

__all__ = ["Table"]
