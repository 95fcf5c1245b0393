"""Find all games of a host, the finished ones too, without reading all games."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Put an index of all games in the place of that of the open ones."""
    op.drop_index("game_host", "game")
    op.create_index("game_host", "game", ["host", "status"])
