"""Quick play: a seat at an open table for a person who does not mind which, or a new table."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING

from macaz.server import wire
from macaz.server.refusal import Refusal
from macaz.server.show import line_of

if TYPE_CHECKING:
    from macaz.server.node import Node
    from macaz.server.store.rows import PersonRow
    from macaz.server.table import Table

SLOWEST = 600  # seconds for each decision: at a table with more, one does not play at once
SECONDS = 120  # for each decision at a table that is opened for it
SEARCHED = 200  # open tables that are looked at, the newest
TRIED = 10  # of them, at most: each is loaded
AWAITED_MS = 60_000  # after the last change, for which a table may have no player at it
LOCK = "quick-play"  # the stored setting that is a lock of all nodes
LOCK_MS = 5000  # for which a node may hold it
# Another person was first, the game began, the table is gone, or has a name like this person's.
_NEXT = ("taken", "not-now", "not-found", "name-taken", "not-allowed")


class QuickPlay:
    """Seats people who ask for any table; they are served one after the other, on all nodes.

    So two people who ask at the same time meet at one table.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._lock = asyncio.Lock()

    async def join(self, person: PersonRow, address: str, wanted: wire.QuickPlay) -> wire.Opened:
        """Sit down; `address` is the digest of the person's address."""
        self._node.editions.find(wanted.edition)  # refused also where it would not be needed
        async with self._lock, self._on_all_nodes():
            return await self._join(person, address, wanted)

    def _on_all_nodes(self) -> AbstractAsyncContextManager[None]:
        if not self._node.settings.redis:
            return nullcontext()
        return self._node.store.settings.hold(LOCK, LOCK_MS)

    async def _join(self, person: PersonRow, address: str, wanted: wire.QuickPlay) -> wire.Opened:
        for line in (await self._fitting(person, wanted.edition))[:TRIED]:
            try:
                table = await self._node.table(line.id)
                if not await self._is_awaited(line, table):
                    continue
                seat = await table.seats.sit(
                    *(person.id, None, person.name, person.color),
                    address=address,
                    pledge=wanted.pledge,
                )
            except Refusal as refusal:
                if refusal.code not in _NEXT:
                    raise
            else:
                return wire.Opened(table.id, seat)
        made = await self._open(person, address, wanted)
        return wire.Opened(made.id, 0)

    async def _fitting(self, person: PersonRow, edition: str) -> list[wire.TableLine]:
        """Where they could sit down, the best first; a table where they wait already is that."""
        rows = await self._node.store.games.open_tables(SEARCHED)
        mine = await self._node.store.games.seats_of(person.id, [row.id for row in rows])
        now = self._node.clock.now()
        lines = [line_of(row, row.edition, mine.get(row.id, ()), now) for row in rows]
        return sorted(
            (line for line in lines if _is_quick(line) and (line.free or line.mine)),
            key=lambda line: (
                not line.mine,
                line.edition != edition,
                not self._is_watched(line.id),
                len(line.free),
                line.created_at,
            ),
        )

    def _is_watched(self, table: str) -> bool:
        found = self._node.tables.get(table)
        return found is not None and bool(found.audience.listeners)

    async def _is_awaited(self, line: wire.TableLine, table: Table) -> bool:
        """Whether a player is there, or just was, to see that the game begins."""
        recent = self._node.clock.now() - line.updated_at < AWAITED_MS
        return bool(line.mine) or recent or await table.presence.any_player()

    async def _open(self, person: PersonRow, address: str, wanted: wire.QuickPlay) -> Table:
        seats = (wire.PersonSeat(), wire.PersonSeat())
        new = wire.NewTable(
            wanted.edition, seats, listed=True, move_seconds=SECONDS, pledge=wanted.pledge
        )
        return await self._node.create(person, address, new)


def _is_quick(line: wire.TableLine) -> bool:
    return line.move_seconds is None or line.move_seconds <= SLOWEST
