"""Advice in a game, what a browser needs to find it itself, and the review of a finished game."""

from __future__ import annotations

from base64 import b64encode

from litestar import get

from macaz.server import history, wire
from macaz.server.data_files import kernel_sources
from macaz.server.http.aids import AtVersion, SeatAsked, game_asked
from macaz.server.http.common import (
    Asked,
    Asker,
    Here,
    TablePath,
    common,
    find_table,
    while_connected,
)
from macaz.server.http.past import eyes_of
from macaz.server.limits import network
from macaz.server.refusal import Refusal
from macaz.server.table import Table


@get("/tables/{table_id:str}/advice", tags=["tables"], summary="Advice", **common)
async def advice(
    request: Asked, person: Asker, node: Here, table_id: TablePath, seat: SeatAsked
) -> wire.Hint:
    """How the game stands for a seat of mine, and its best moves, if the table allows hints."""
    table = await find_table(node, person, table_id)
    if seat not in table.seats.of(person.id):
        raise Refusal("not-allowed", "That seat is not yours.")
    _require_hints(table)
    if table.state.game is None:
        raise Refusal("not-now", "The game has not begun.")
    address = network(request.client.host if request.client else "?")
    return await while_connected(request, node.hints.hint(person.id, address, table, seat))


@get("/tables/{table_id:str}/packed-view", tags=["tables"], summary="A packed view", **common)
async def packed_view(
    person: Asker, node: Here, table_id: TablePath, seat: SeatAsked, version: AtVersion = None
) -> wire.PackedView:
    """What a seat of mine knows, if the table allows hints; what any seat knew, after the end."""
    table = await find_table(node, person, table_id)
    eyes_of(table, person, str(seat))
    if not history.is_over_for(table, person.id):
        _require_hints(table)
    version, game = await game_asked(node, person, table, version)
    record = b64encode(bytes(game.view(seat))).decode()
    return wire.PackedView(version, seat, record, kernel_sources())


def _require_hints(table: Table) -> None:
    if not table.terms.hints_allowed:
        raise Refusal("not-allowed", "This table plays without hints.")


@get("/tables/{table_id:str}/review", tags=["past"], summary="A review", **common)
async def review(person: Asker, node: Here, table_id: TablePath) -> wire.Reviewing:
    """How a finished game was played, as far as that is known: ask until it is complete."""
    table = await find_table(node, person, table_id)
    if not history.is_over_for(table, person.id):
        raise Refusal("not-now", "A game can be reviewed when it is over.")
    return await node.reviews.review(person.id, table)
