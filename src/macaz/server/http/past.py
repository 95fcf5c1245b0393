"""What happened at a table, as far as one may see it."""

from __future__ import annotations

import asyncio

from litestar import Response, get

from macaz.server import history, show, wire
from macaz.server.http.common import (
    AfterVersion,
    Asked,
    Asker,
    Eyes,
    Here,
    TablePath,
    VersionPath,
    common,
    find_table,
)
from macaz.server.limits import KeyedLocks
from macaz.server.not_modified import COMPRESSED, etag_response
from macaz.server.refusal import Refusal, not_found
from macaz.server.store.rows import PersonRow
from macaz.server.table import Table

drawing = KeyedLocks()  # of editions: to lay out a host's own map may take a thread for seconds


@get("/tables/{table_id:str}/updates", tags=["past"], summary="What happened", **common)
async def updates(
    person: Asker, node: Here, table_id: TablePath, after: AfterVersion = 0, eyes: Eyes = "mine"
) -> wire.Updates:
    """The log after a version, as the socket would have told it."""
    table = await find_table(node, person, table_id)
    node.reads.ask(person.id)
    seen = eyes_of(table, person, eyes)
    upto = await _seen_upto(table, seen)
    pages = await history.pages(table, after, upto)
    return wire.Updates(tuple(show.update(page, seen) for page in pages), upto)


@get("/tables/{table_id:str}/moments/{version:int}", tags=["past"], summary="A moment", **common)
async def moment(
    person: Asker, node: Here, table_id: TablePath, version: VersionPath, eyes: Eyes = "mine"
) -> wire.Moment:
    """The table as it was after an entry of its log."""
    table = await find_table(node, person, table_id)
    node.reads.ask(person.id)
    seen = eyes_of(table, person, eyes)
    if version > await _seen_upto(table, seen):
        raise not_found("The table has no such moment.")
    past = await history.state_at(table, version)
    view = show.game_view(past.game, seen) if past.game else None
    return wire.Moment(version, view, past.deciding)


@get(
    "/tables/{table_id:str}/record",
    tags=["past"],
    summary="The record of a finished game",
    media_type="text/plain",
    **common,
)
async def record(person: Asker, node: Here, table_id: TablePath) -> Response[str]:
    """A file for `macaz replay` and, with the announcement, `macaz verify`."""
    table = await find_table(node, person, table_id)
    node.reads.ask(person.id)
    if not history.is_over_for(table, person.id):
        raise Refusal("not-now", "The record tells every hand: it is there when the game is over.")
    text = await history.record(table)
    name = f"macaz-{table.deal.edition.id}-{table.id}.txt"
    return Response(text, headers={"content-disposition": f'attachment; filename="{name}"'})


@get("/tables/{table_id:str}/log", tags=["past"], summary="The game as its actions", **common)
async def game_log(person: Asker, node: Here, table_id: TablePath) -> wire.GameLog:
    """The decisions and outcomes of a finished game as numbers, for programs with the kernel."""
    table = await find_table(node, person, table_id)
    node.reads.ask(person.id)
    if not history.is_over_for(table, person.id):
        raise Refusal("not-now", "The log tells every hand: it is there when the game is over.")
    return await history.game_log(table)


@get(
    "/tables/{table_id:str}/picture.svg",
    tags=["past"],
    summary="The final picture of a finished game",
    media_type="image/svg+xml",
    middleware=[COMPRESSED],
    **common,
)
async def picture(
    request: Asked, person: Asker, node: Here, table_id: TablePath
) -> Response[bytes]:
    """The board with all trains, the longest path, names and points; SVG, with an `ETag`."""
    table = await find_table(node, person, table_id)
    node.reads.ask(person.id)
    if not history.is_over_for(table, person.id):
        raise Refusal("not-now", "The picture is there when the game is over.")
    async with drawing.of(table.deal.edition.fingerprint):
        drawn = await asyncio.to_thread(history.picture, table.state)
    return etag_response(request, drawn, "image/svg+xml", private=True)


def eyes_of(table: Table, person: PersonRow, wanted: str) -> show.Eyes:
    """The seat from which a person may see the game: their own; after the end any, or all."""
    mine = table.seats.of(person.id)
    if wanted == "mine":
        return mine[0] if mine else None
    if wanted == "spectator":
        return None
    finished = history.is_over_for(table, person.id)
    if wanted == "all":
        if not finished:
            raise Refusal("not-now", "All hands are open when the game is over.")
        return "all"
    seat = int(wanted)
    if seat >= len(table.state.chairs):
        raise Refusal("bad-value", f"There is no seat {seat} at this table.")
    if seat not in mine and not finished:
        raise Refusal("not-allowed", "That seat is not yours.")
    return seat


async def _seen_upto(table: Table, eyes: show.Eyes) -> int:
    """The last version that those eyes have seen."""
    return await history.seen_upto(table) if eyes is None else table.state.version
