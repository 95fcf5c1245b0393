"""Advice in a game, and the review of a finished one."""

from __future__ import annotations

from litestar import get

from macaz.server import history, wire
from macaz.server.http.aids import SeatAsked
from macaz.server.http.common import (
    Asked,
    Asker,
    Here,
    TablePath,
    common,
    find_table,
    while_connected,
)
from macaz.server.limits import network
from macaz.server.refusal import Refusal


@get("/tables/{table_id:str}/advice", tags=["tables"], summary="Advice", **common)
async def advice(
    request: Asked, person: Asker, node: Here, table_id: TablePath, seat: SeatAsked
) -> wire.Hint:
    """How the game stands for a seat of mine, and its best moves, if the table allows hints."""
    table = await find_table(node, person, table_id)
    if seat not in table.seats.of(person.id):
        raise Refusal("not-allowed", "That seat is not yours.")
    if not table.terms.hints_allowed:
        raise Refusal("not-allowed", "This table plays without hints.")
    if table.state.game is None:
        raise Refusal("not-now", "The game has not begun.")
    address = network(request.client.host if request.client else "?")
    return await while_connected(request, node.hints.hint(person.id, address, table, seat))


@get("/tables/{table_id:str}/review", tags=["past"], summary="A review", **common)
async def review(person: Asker, node: Here, table_id: TablePath) -> wire.Reviewing:
    """How a finished game was played, as far as that is known: ask until it is complete."""
    table = await find_table(node, person, table_id)
    if not history.is_over_for(table, person.id):
        raise Refusal("not-now", "A game can be reviewed when it is over.")
    return await node.reviews.review(person.id, table)
