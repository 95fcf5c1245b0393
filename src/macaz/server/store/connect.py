"""Connections to the database, configured for durable commits."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event

BUSY_S = 2.0  # how long a statement waits for a lock
STATEMENT_S = 5.0  # how long PostgreSQL may work on one
CONNECT_S = 3  # how long to wait for PostgreSQL to take a connection


def writing_engine(url: URL) -> Engine:
    """The one connection that writes, in transactions that own the right to write from the start.

    A transaction of SQLite that began by reading can fail half-way, when another process wrote.
    """
    return _immediate(_engine(url, pool_size=1))


def reading_engine(url: URL, connections: int) -> Engine:
    """Connections that read, with autocommit."""
    return _engine(url, pool_size=connections, isolation_level="AUTOCOMMIT")


def migrating_engine(url: URL) -> Engine:
    """A connection that changes tables: it takes the time it needs, and may rebuild them.

    SQLite can replace a table that others refer to only while foreign keys are off.
    """
    if url.get_backend_name() == "sqlite":
        return _immediate(_sqlite(url, foreign_keys=False, pool_size=1))
    return create_engine(url, connect_args={"connect_timeout": CONNECT_S})


def _engine(url: URL, **options: Any) -> Engine:
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, **options)
    return _postgres(url, **options)


def _sqlite(url: URL, *, foreign_keys: bool = True, **options: Any) -> Engine:
    engine = create_engine(url, max_overflow=0, connect_args={"timeout": BUSY_S}, **options)
    _stay_with_the_file(engine, Path(url.database or ""))

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        # Python's own idea of when a transaction begins is put aside: see `_immediate`.
        connection.isolation_level = None
        # FULL: with a WAL, every commit is on the disk before it is acknowledged, power cut or not.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA foreign_keys = {int(foreign_keys)}")

    return engine


def _stay_with_the_file(engine: Engine, path: Path) -> None:
    """Refuse to read and write while the file is not at its place.

    SQLite itself would write on, into a file without a name.
    """
    known: list[os.stat_result] = []

    @event.listens_for(engine, "do_connect")
    def before_reconnecting(*_: object) -> None:
        check()

    @event.listens_for(engine, "begin")
    def before_a_transaction(_: Connection) -> None:
        check()

    def check() -> None:
        try:
            now = path.stat()
        except OSError as error:
            if known:
                raise sqlite3.OperationalError(
                    f"{path} is gone. Put it back, or restart the server."
                ) from error
            return  # not made yet
        known[:] = known or [now]
        if not os.path.samestat(known[0], now):
            raise sqlite3.OperationalError(
                f"{path} was replaced while it was in use. Restart the server."
            )


def _immediate(engine: Engine) -> Engine:
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _postgres(url: URL, **options: Any) -> Engine:
    patience: dict[str, Any] = {
        "connect_timeout": CONNECT_S,
        # Notice a host that vanished, whether this side waits for it or the other does.
        "tcp_user_timeout": int(STATEMENT_S * 1000),
        "keepalives_idle": 10,
        "keepalives_interval": 2,
        "keepalives_count": 3,
    }
    engine = create_engine(
        url,
        max_overflow=0,
        pool_pre_ping=True,  # a connection that died while idle is replaced
        connect_args={name: value for name, value in patience.items() if name not in url.query},
        **options,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        # By statement, as a connection pooler in between may refuse them as start options.
        was, connection.autocommit = connection.autocommit, True
        connection.execute(
            f"SET statement_timeout = '{STATEMENT_S}s'; SET lock_timeout = '{BUSY_S}s'; "
            f"SET idle_in_transaction_session_timeout = '{STATEMENT_S * 2}s'"
        )
        connection.autocommit = was

    return engine
