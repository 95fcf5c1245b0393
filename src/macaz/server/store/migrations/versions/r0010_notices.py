"""Where browsers are told of turns, and when the next of a game is due."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the table of subscriptions; add the column and its index."""
    op.create_table(
        "subscription",
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("person_id", sa.Text, nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="pk_subscription"),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name="fk_subscription_session_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_subscription_person_id"),
        sa.UniqueConstraint("endpoint", name="uq_subscription_endpoint"),
    )
    op.create_index("subscription_person", "subscription", ["person_id"])
    op.add_column("game", sa.Column("notice_at", sa.BigInteger))
    tells = sa.text("notice_at IS NOT NULL")
    op.create_index(
        "game_notice", "game", ["notice_at"], sqlite_where=tells, postgresql_where=tells
    )
