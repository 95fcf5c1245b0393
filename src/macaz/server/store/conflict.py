"""Inserts that give way to what is there already; both databases can, each with its own words."""

from __future__ import annotations

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_or(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that has `on_conflict_do_nothing` and `on_conflict_do_update`."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)
