"""What helps a seat to plan."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from macaz.game import Game
from macaz.help.aids import aids_of
from macaz.server import history, wire
from macaz.server.http.common import Asker, Here, TablePath, common, find_table
from macaz.server.http.past import eyes_of
from macaz.server.node import Node
from macaz.server.refusal import Refusal
from macaz.server.store.rows import PersonRow
from macaz.server.table import Table

SeatAsked = Annotated[int, QueryParameter(ge=0, le=5, description="A seat of mine, from 0.")]
AtVersion = Annotated[
    int | None,
    QueryParameter(ge=0, le=2**31 - 1, description="As it was after this entry; else as it is."),
]


@get("/tables/{table_id:str}/aids", tags=["tables"], summary="Aids for planning", **common)
async def aids(
    person: Asker, node: Here, table_id: TablePath, seat: SeatAsked, version: AtVersion = None
) -> wire.Aids:
    """How tickets stand, what a station completes, what a tunnel may cost, what is not possible."""
    table = await find_table(node, person, table_id)
    eyes_of(table, person, str(seat))
    version, game = await game_asked(node, person, table, version)
    found = await asyncio.to_thread(aids_of, game.view(seat))
    return wire.Aids(
        version,
        seat,
        found.tickets,
        found.stations,
        found.tunnels,
        found.routes,
        found.cities,
    )


async def game_asked(
    node: Node, person: PersonRow, table: Table, version: int | None
) -> tuple[int, Game]:
    """The game after an entry of the log, the last one by default, and the number of the entry."""
    state = table.state
    if version is not None and version != state.version:
        node.reads.ask(person.id)
        state = await history.state_at(table, version)
    if state.game is None:
        raise Refusal("not-now", "The game has not begun.")
    return state.version, state.game
