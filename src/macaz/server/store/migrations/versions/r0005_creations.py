"""Count the games that were created within a day, by person and by address."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table and its indexes."""
    op.create_table(
        "creation",
        sa.Column("game_id", sa.Text, primary_key=True),
        sa.Column("person_id", sa.Text, nullable=False),
        sa.Column("address", sa.Text),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("creation_person", "creation", ["person_id", "at"])
    op.create_index("creation_address", "creation", ["address", "at"])
    op.create_index("creation_at", "creation", ["at"])
