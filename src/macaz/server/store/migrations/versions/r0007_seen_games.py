"""Know which games are in use, and find people, sessions and watchers by an index."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the column and the indexes."""
    op.add_column("game", sa.Column("seen_at", sa.BigInteger))
    op.create_index("person_created", "person", ["created_at", "id"])
    op.create_index("watcher_person", "watcher", ["person_id"])
    op.create_index("session_used", "session", ["used_at", "id"])
