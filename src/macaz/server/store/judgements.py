"""What was found about the decisions of finished games."""

from __future__ import annotations

from sqlalchemy import Connection, select

from macaz.server.store.access import Access
from macaz.server.store.conflict import insert_or
from macaz.server.store.schema import judgement


class Judgements(Access):
    """The part of the store about reviews. A judgement's body means nothing to it."""

    async def judgements(self, game_id: str, adviser: str) -> list[tuple[int, bytes]]:
        """What an adviser found about a game: plies, and what was found."""
        query = (
            select(judgement.c.ply, judgement.c.body)
            .where(judgement.c.game_id == game_id, judgement.c.adviser == adviser)
            .order_by(judgement.c.ply)
        )
        return await self._all(query, lambda ply, body: (ply, bytes(body)))

    async def keep_judgement(self, game_id: str, ply: int, adviser: str, body: bytes) -> None:
        """Keep what was found; another node may have found the same."""

        def keep(connection: Connection) -> None:
            connection.execute(
                insert_or(connection, judgement)
                .values(game_id=game_id, ply=ply, adviser=adviser, body=body)
                .on_conflict_do_nothing()
            )

        await self._write(keep)
