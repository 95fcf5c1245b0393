"""Judgements of decisions in finished games."""

from __future__ import annotations

from sqlalchemy import Connection, select

from macaz.server.store.conflict import insert_or
from macaz.server.store.database import Database
from macaz.server.store.schema import judgement


class Judgements:
    """What advisers found. The bodies mean nothing to the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_game(self, game_id: str, adviser: str) -> list[tuple[int, bytes]]:
        """The judgements of an adviser on a game: plies and bodies."""
        query = (
            select(judgement.c.ply, judgement.c.body)
            .where(judgement.c.game_id == game_id, judgement.c.adviser == adviser)
            .order_by(judgement.c.ply)
        )
        return await self._database.all(query, lambda ply, body: (ply, bytes(body)))

    async def keep(self, game_id: str, ply: int, adviser: str, body: bytes) -> None:
        """Store a judgement, unless another node has done so."""

        def keep(connection: Connection) -> None:
            connection.execute(
                insert_or(connection, judgement)
                .values(game_id=game_id, ply=ply, adviser=adviser, body=body)
                .on_conflict_do_nothing()
            )

        await self._database.write(keep)
