"""Keep the sessions of browsers, so that they can be ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table. Cookies that were signed before become sessions when they are next used."""
    op.create_table(
        "session",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person_id", sa.Text, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("digest", sa.Text, nullable=False, unique=True),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
    )
    op.create_index("session_person", "session", ["person_id"])
