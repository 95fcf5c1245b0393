"""Tables: create, find, sit down, leave."""

from __future__ import annotations

import msgspec
from litestar import MediaType, Response, get, post
from litestar.datastructures import State
from litestar.params import JSONBody

from macaz.server import wire
from macaz.server.editions import map_of
from macaz.server.http.common import (
    PAGE,
    Asked,
    Asker,
    Before,
    Here,
    SeatPath,
    TablePath,
    Visitor,
    common,
    cursor,
    digest_of_address,
    find_table,
    info_for,
    table_list,
)
from macaz.server.local_games import BODY_BYTES
from macaz.server.not_modified import COMPRESSED, etag_response
from macaz.server.people import one_line
from macaz.server.quick import QuickPlay
from macaz.server.refusal import Refusal


@get("/tables", tags=["tables"], summary="The lobby", **common)
async def lobby(visitor: Visitor, node: Here, before: Before = None) -> wire.TableList:
    """Open tables, newest first, for strangers too."""
    rows = await node.store.games.lobby(PAGE + 1, cursor(before))
    names = [row.id for row in rows]
    mine = await node.store.games.seats_of(visitor.id, names) if visitor else {}
    return table_list(node, rows, mine)


@post("/tables", tags=["tables"], summary="Make a table", **common)
async def make_table(
    request: Asked, person: Asker, node: Here, data: JSONBody[wire.NewTable]
) -> wire.TableInfo:
    """Make a table and sit down; the game begins when every seat is taken."""
    # Both are read by others, in records too.
    if data.seed is not None and not data.seed.isprintable():
        raise Refusal("bad-value", "A seed is one line of signs that can be seen.")
    if data.mine is not None:
        data = msgspec.structs.replace(data, mine=tuple(map(one_line, data.mine)))
    table = await node.create(person, digest_of_address(request), data)
    return await info_for(node, person, table)


@post("/tables/quick", tags=["tables"], summary="Quick play", status_code=200, **common)
async def quick_play(
    request: Asked, person: Asker, node: Here, state: State, data: JSONBody[wire.QuickPlay]
) -> wire.Opened:
    """Sit down at an open table that has a free seat, or at a new one, and wait for others.

    Who waits at such a table already gets that one.
    """
    node.seat_changes.ask(person.id)
    quick: QuickPlay = state.quick
    return await quick.join(person, digest_of_address(request), data)


@post(
    "/tables/import",
    tags=["tables"],
    summary="Keep a game that was played in a browser",
    request_max_body_size=BODY_BYTES,
    **common,
)
async def import_game(
    request: Asked, person: Asker, node: Here, data: JSONBody[wire.LocalGame]
) -> wire.TableInfo:
    """Make a table of it, to be watched and replayed, or to go on with it here.

    Every entry of its log is checked. Sent twice, it is the same table.
    """
    table = await node.local_games.add(person, digest_of_address(request), data)
    return await info_for(node, person, table)


@get("/tables/{table_id:str}", tags=["tables"], summary="A table", **common)
async def table_info(person: Asker, node: Here, table_id: TablePath) -> wire.TableInfo:
    """What it is like and who sits there."""
    return await info_for(node, person, await find_table(node, person, table_id))


@get(
    "/tables/{table_id:str}/map",
    tags=["tables"],
    summary="The map of a table",
    middleware=[COMPRESSED],
    **common,
)
async def table_map(
    request: Asked, person: Asker, node: Here, table_id: TablePath
) -> Response[wire.Map]:
    """The edition it was begun with, even if the host has another one of that name now."""
    edition = (await find_table(node, person, table_id)).deal.edition
    return etag_response(request, wire.encode(map_of(edition)), MediaType.JSON, private=True)


@get(
    "/tables/{table_id:str}/plate",
    tags=["tables"],
    summary="Its drawn board",
    middleware=[COMPRESSED],
    **common,
)
async def table_plate(
    request: Asked, person: Asker, node: Here, table_id: TablePath
) -> Response[wire.Plate]:
    """How the map of a table is drawn."""
    edition = (await find_table(node, person, table_id)).deal.edition
    return etag_response(request, await node.plates.of(edition), MediaType.JSON, private=True)


@post("/tables/{table_id:str}/sit", tags=["tables"], summary="Sit down", status_code=200, **common)
async def sit(
    request: Asked, person: Asker, node: Here, table_id: TablePath, data: JSONBody[wire.Sit]
) -> wire.Opened:
    """On an open table, or one that a seat was kept at."""
    table = await find_table(node, person, table_id)
    kept = any(seat.kept_for == person.id for seat in table.terms.seats)
    host = table.row.host == person.id
    if not (table.row.listed or kept or host):
        raise Refusal("not-allowed", "You need a link to sit down here.")
    node.seat_changes.ask(person.id)
    name, address = one_line(data.name or person.name), digest_of_address(request)
    seat = await table.seats.sit(
        person.id,
        data.seat,
        name,
        person.color,
        address=address,
        several=host or kept,
        pledge=data.pledge,
    )
    return wire.Opened(table.id, seat)


@post(
    "/tables/{table_id:str}/seats/{seat:int}/leave",
    tags=["tables"],
    summary="Get up",
    status_code=200,
    **common,
)
async def leave(person: Asker, node: Here, table_id: TablePath, seat: SeatPath) -> wire.TableInfo:
    """Before the game the seat is free again; in the game a bot stands in."""
    table = await find_table(node, person, table_id)
    node.seat_changes.ask(person.id)
    await table.seats.leave(person.id, seat)
    return await info_for(node, person, table)


@post(
    "/tables/{table_id:str}/seats/{seat:int}/back",
    tags=["tables"],
    summary="Take a seat back",
    status_code=200,
    **common,
)
async def come_back(
    person: Asker, node: Here, table_id: TablePath, seat: SeatPath
) -> wire.TableInfo:
    """From the bot that stands in."""
    table = await find_table(node, person, table_id)
    node.seat_changes.ask(person.id)
    await table.seats.come_back(person.id, seat)
    return await info_for(node, person, table)


@post(
    "/tables/{table_id:str}/seats/{seat:int}/stand-in",
    tags=["tables"],
    summary="Call a stand-in",
    status_code=200,
    **common,
)
async def stand_in(
    person: Asker, node: Here, table_id: TablePath, seat: SeatPath
) -> wire.TableInfo:
    """For a person who keeps the table waiting for long."""
    table = await find_table(node, person, table_id)
    node.seat_changes.ask(person.id)
    await table.seats.call_stand_in(person.id, seat)
    return await info_for(node, person, table)


@post(
    "/tables/{table_id:str}/close",
    tags=["tables"],
    summary="Close a table",
    status_code=200,
    **common,
)
async def close(person: Asker, node: Here, table_id: TablePath) -> wire.TableInfo:
    """Its maker may, before the game, or if no other person has a seat in it."""
    table = await find_table(node, person, table_id)
    await table.seats.close(person.id)
    return await info_for(node, person, table)


@post(
    "/tables/{table_id:str}/rematch",
    tags=["tables"],
    summary="Play again",
    status_code=200,
    **common,
)
async def rematch(
    request: Asked,
    person: Asker,
    node: Here,
    table_id: TablePath,
    data: JSONBody[wire.PlayAgain | None] = None,
) -> wire.TableInfo:
    """At a new table, all players one seat further. A second request finds the same table."""
    table = await find_table(node, person, table_id)
    pledge = data.pledge if data is not None else None
    new = await node.rematch(person, digest_of_address(request), table, pledge)
    return await info_for(node, person, new)
