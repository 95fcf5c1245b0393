"""The tables of the database. Times are milliseconds since 1970, ids are texts.

A change here needs a migration: see the package `migrations`.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

# Constraints with names of our own choosing can be changed by a later migration.
metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

person = Table(
    "person",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("color", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("person_created", "created_at", "id"),
)

token = Table(
    "token",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person_id", Text, ForeignKey("person.id"), nullable=False),
    Column("digest", Text, nullable=False, unique=True),  # SHA-256 in hex; the token is not kept
    Column("label", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
    Column("revoked_at", BigInteger),
    Index("token_person", "person_id"),
)

# A browser that is signed in, or was. While a person has a row here, ended or not, no cookie of an
# older version is accepted for them (see `Sessions.adopt_session`).
session = Table(
    "session",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person_id", Text, ForeignKey("person.id"), nullable=False),
    Column("digest", Text, nullable=False, unique=True),  # SHA-256 in hex of the cookie's value
    Column("label", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Index("session_person", "person_id"),
    Index("session_used", "used_at", "id"),
)

# Where the push service of a browser takes notices for a session, and the keys to encrypt them.
subscription = Table(
    "subscription",
    metadata,
    Column("session_id", Text, ForeignKey("session.id"), primary_key=True),
    Column("person_id", Text, ForeignKey("person.id"), nullable=False),
    Column("endpoint", Text, nullable=False, unique=True),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("subscription_person", "person_id"),
)

# The text of each edition that was played, so that a game on a host's own map can be replayed
# when that file is long gone.
edition = Table(
    "edition",
    metadata,
    Column("fingerprint", Text, primary_key=True),
    Column("id", Text, nullable=False),
    Column("text", Text, nullable=False),
)

game = Table(
    "game",
    metadata,
    Column("id", Text, primary_key=True),
    Column("edition", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("terms", LargeBinary, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("seed", Text),
    Column("host", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    Column("wake_at", BigInteger),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("finished_at", BigInteger),
    Column("previous", Text, ForeignKey("game.id"), unique=True),
    Column("summary", Text),
    # When it was last open without a change. It is written only twice a day.
    Column("seen_at", BigInteger),
    Column("end_shown_at", BigInteger),
    Column("listed_from", BigInteger),
    # Of a game that was played in a browser: a digest of what was sent, and of who sent it.
    Column("imported", Text),
    # When the next of its players is to be told of something.
    Column("notice_at", BigInteger),
)

# Literals, as SQLite uses a partial index only for a query that repeats its very words.
# For the same reason NOT IN: by IN it would rather look up each status in `game_status` and sort.
IS_OPEN = text("status NOT IN ('finished', 'closed')")
IN_LOBBY = text("listed AND status NOT IN ('finished', 'closed')")
WAKES = text("wake_at IS NOT NULL")
TELLS = text("notice_at IS NOT NULL")
SHOWN_LATE = text("end_shown_at IS NOT NULL")
IS_IMPORTED = text("imported IS NOT NULL")
HAS_NONCE = text("nonce IS NOT NULL")

Index(
    "game_lobby",
    game.c.created_at,
    game.c.id,
    sqlite_where=IN_LOBBY,
    postgresql_where=IN_LOBBY,
)
Index("game_due", game.c.wake_at, sqlite_where=WAKES, postgresql_where=WAKES)
Index("game_notice", game.c.notice_at, sqlite_where=TELLS, postgresql_where=TELLS)
Index(
    "game_end_shown",
    game.c.end_shown_at,
    sqlite_where=SHOWN_LATE,
    postgresql_where=SHOWN_LATE,
)
Index(
    "game_imported",
    game.c.imported,
    unique=True,
    sqlite_where=IS_IMPORTED,
    postgresql_where=IS_IMPORTED,
)
Index("game_host", game.c.host, game.c.status)
Index("game_status", game.c.status, game.c.finished_at)

entry = Table(
    "entry",
    metadata,
    Column("game_id", Text, ForeignKey("game.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("nonce", Text),
    Column("at", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    sqlite_with_rowid=False,  # the entries of a game lie together, in order
)

Index(
    "entry_nonce",
    entry.c.game_id,
    entry.c.nonce,
    unique=True,
    sqlite_where=HAS_NONCE,
    postgresql_where=HAS_NONCE,
)

seat = Table(
    "seat",
    metadata,
    Column("game_id", Text, ForeignKey("game.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person_id", Text, ForeignKey("person.id")),
    Index("seat_person", "person_id"),
)

link = Table(
    "link",
    metadata,
    Column("id", Text, primary_key=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("game_id", Text, ForeignKey("game.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", Integer),
    Column("created_by", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
    Column("revoked_at", BigInteger),
    Index("link_game", "game_id"),
)

watcher = Table(
    "watcher",
    metadata,
    Column("game_id", Text, ForeignKey("game.id"), primary_key=True),
    Column("person_id", Text, ForeignKey("person.id"), primary_key=True),
    Column("link_id", Text, ForeignKey("link.id"), nullable=False),
    Index("watcher_link", "link_id"),
    Index("watcher_person", "person_id"),
)

# What was found about the decisions of a finished game, by the adviser that found it.
judgement = Table(
    "judgement",
    metadata,
    Column("game_id", Text, ForeignKey("game.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("adviser", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

# The games created within the last day, for the limits per day. Without foreign keys: a game that
# is deleted still counts. The address is a keyed hash.
creation = Table(
    "creation",
    metadata,
    Column("game_id", Text, primary_key=True),
    Column("person_id", Text, nullable=False),
    Column("address", Text),
    Column("at", BigInteger, nullable=False),
    Index("creation_person", "person_id", "at"),
    Index("creation_address", "address", "at"),
    Index("creation_at", "at"),
)

setting = Table(
    "setting",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
