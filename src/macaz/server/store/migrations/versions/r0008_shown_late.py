"""Show the end of a game late where spectators are behind; tables with a seed are not listed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the columns and their index, and take tables with a seed out of the lobby."""
    op.add_column("game", sa.Column("end_shown_at", sa.BigInteger))
    op.add_column("game", sa.Column("listed_from", sa.BigInteger))
    late = sa.text("end_shown_at IS NOT NULL")
    op.create_index(
        "game_end_shown", "game", ["end_shown_at"], sqlite_where=late, postgresql_where=late
    )
    game = sa.table("game", sa.column("listed", sa.Boolean), sa.column("seed", sa.Text))
    op.execute(game.update().where(game.c.seed.is_not(None)).values(listed=False))
