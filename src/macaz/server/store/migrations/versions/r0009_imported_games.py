"""Mark games that were played in a browser, each sent by a person once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the column and its index."""
    op.add_column("game", sa.Column("imported", sa.Text))
    imported = sa.text("imported IS NOT NULL")
    op.create_index(
        "game_imported",
        "game",
        ["imported"],
        unique=True,
        sqlite_where=imported,
        postgresql_where=imported,
    )
