"""Find the open games of a host without reading all games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the index."""
    is_open = sa.text("status NOT IN ('finished', 'closed')")
    op.create_index("game_host", "game", ["host"], sqlite_where=is_open, postgresql_where=is_open)
