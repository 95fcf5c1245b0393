"""The tables of the first release."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "edition",
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name="pk_edition"),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("edition", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("terms", sa.LargeBinary(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.Text()),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("wake_at", sa.BigInteger()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger()),
        sa.Column("previous", sa.Text()),
        sa.Column("summary", sa.Text()),
        sa.ForeignKeyConstraint(["previous"], ["game.id"], name="fk_game_previous"),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
        sa.UniqueConstraint("previous", name="uq_game_previous"),
    )
    op.create_index(
        "game_due",
        "game",
        ["wake_at"],
        sqlite_where=sa.text("wake_at IS NOT NULL"),
        postgresql_where=sa.text("wake_at IS NOT NULL"),
    )
    op.create_index(
        "game_lobby",
        "game",
        ["created_at", "id"],
        sqlite_where=sa.text("listed AND status NOT IN ('finished', 'closed')"),
        postgresql_where=sa.text("listed AND status NOT IN ('finished', 'closed')"),
    )
    op.create_index("game_status", "game", ["status", "finished_at"])
    op.create_table(
        "person",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("color", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
    )
    op.create_table(
        "setting",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_setting"),
    )
    op.create_table(
        "entry",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("nonce", sa.Text()),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_entry_game_id"),
        sa.PrimaryKeyConstraint("game_id", "version", name="pk_entry"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "entry_nonce",
        "entry",
        ["game_id", "nonce"],
        unique=True,
        sqlite_where=sa.text("nonce IS NOT NULL"),
        postgresql_where=sa.text("nonce IS NOT NULL"),
    )
    op.create_table(
        "link",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        sa.Column("revoked_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_link_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_link"),
        sa.UniqueConstraint("digest", name="uq_link_digest"),
    )
    op.create_index("link_game", "link", ["game_id"])
    op.create_table(
        "seat",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.Text()),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_game_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_seat_person_id"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seat"),
    )
    op.create_index("seat_person", "seat", ["person_id"])
    op.create_table(
        "token",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        sa.Column("revoked_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_token_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_token"),
        sa.UniqueConstraint("digest", name="uq_token_digest"),
    )
    op.create_index("token_person", "token", ["person_id"])
    op.create_table(
        "watcher",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("link_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_watcher_game_id"),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name="fk_watcher_link_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_watcher_person_id"),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_watcher"),
    )
    op.create_index("watcher_link", "watcher", ["link_id"])
