"""The HTTP interface: what is asked once. What goes on at a table goes through the socket."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Literal, cast

from litestar import Request, Response, Router, delete, get, post, put
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, PathParameter, QueryParameter

from macaz.bots import BOTS
from macaz.server import history, show, wire
from macaz.server.editions import map_of
from macaz.server.limits import Rate
from macaz.server.node import Node, line_of
from macaz.server.people import People, digest, one_line
from macaz.server.refusal import Refusal, not_found
from macaz.server.store.rows import GameRow, LinkRow, PersonRow
from macaz.server.table import Table

Asked = Request[Any, Any, State]
Asker = NamedDependency[PersonRow]
Here = NamedDependency[Node]
TablePath = Annotated[
    str, PathParameter(pattern="^[A-Za-z0-9_-]{1,64}$", description="A table's id.")
]
LinkPath = Annotated[str, PathParameter(pattern="^[A-Za-z0-9_-]{1,64}$", description="An id.")]
SeatPath = Annotated[int, PathParameter(ge=0, le=5, description="A seat, from 0.")]
EditionPath = Annotated[
    str,
    PathParameter(min_length=1, max_length=120, description="An edition, as in old-west+alvin."),
]
Before = Annotated[
    str | None,
    QueryParameter(pattern=r"^\d{1,15}\.[A-Za-z0-9_-]{1,64}$", description="`next`."),
]
Eyes = Annotated[
    Literal["mine", "spectator", "all", "0", "1", "2", "3", "4", "5"],
    QueryParameter(description="Whose: mine, a spectator's; after the end any or all."),
]
AfterVersion = Annotated[int, QueryParameter(ge=0, le=2**31 - 1)]
VersionPath = Annotated[int, PathParameter(ge=0, le=2**31 - 1, description="A version of its log.")]
PAGE = 20
PROBLEMS = {
    status: ResponseSpec(wire.Problem, description=text, generate_examples=False)
    for status, text in {
        400: "It cannot be read.",
        401: "Nobody is known by that cookie or token.",
        403: "It is not for you to do.",
        404: "It is not there, or not for you to see.",
        409: "Not now.",
        413: "Too large.",
        422: "A value is of no use.",
        429: "Too much at once.",
        503: "Try again later.",
    }.items()
}
common: dict[str, Any] = {"responses": PROBLEMS}


async def provide_person(request: Asked) -> PersonRow:
    """Whoever asks; strangers are refused."""
    people: People = request.app.state.people
    found = await people.who(request.headers)
    if found is None:
        raise Refusal("unknown-person", "Nobody is known by that: POST /api/v1/people first.")
    return found


async def provide_node(state: State) -> Node:
    """This server."""
    node: Node = state.node
    if node.draining:
        raise Refusal("closing", "This server is going down. Connect again.")
    return node


async def _table(node: Node, person: PersonRow, name: str) -> Table:
    table = await node.table(name)
    if not await node.may_see(person.id, table):
        raise not_found()
    return table


# -- people ----------------------------------------------------------------------------------------


@post("/people", tags=["people"], summary="Become somebody", **common)
async def become(
    request: Asked, node: Here, state: State, data: JSONBody[wire.NewPerson]
) -> Response[wire.Me]:
    """A new person, with a cookie for browsers and, if asked for, a token for programs."""
    newcomers: Rate = state.newcomers
    newcomers.ask(request.client.host if request.client else "?")
    people: People = state.people
    row = await people.add(data.name, data.color)
    token = (await people.add_token(row.id, data.token))[1] if data.token else None
    me = wire.Me(row.name, data.color, row.created_at, token)
    return Response(me, headers={"set-cookie": people.cookie(row.id)})


@get("/me", tags=["people"], summary="Who am I?", **common)
async def who_am_i(person: Asker, state: State) -> Response[wire.Me]:
    """Whoever the cookie or the token says; the cookie lasts from now on."""
    me = wire.Me(person.name, cast(wire.Color, person.color), person.created_at)
    people: People = state.people
    return Response(me, headers={"set-cookie": people.cookie(person.id)})


@put("/me", tags=["people"], summary="Change my name and colour", **common)
async def change_me(person: Asker, node: Here, data: JSONBody[wire.Profile]) -> wire.Me:
    """At tables where one sits already, the name stays as it was."""
    name = one_line(data.name)
    await node.store.change_person(person.id, name, data.color)
    return wire.Me(name, data.color, person.created_at)


@post("/me/forget", tags=["people"], summary="Leave this browser", status_code=204, **common)
async def forget_me(state: State) -> Response[None]:
    """The browser is nobody again. Seats stay: a seat's link, made before, leads back."""
    people: People = state.people
    return Response(None, headers={"set-cookie": people.no_cookie()})


@get("/me/tokens", tags=["people"], summary="My tokens", **common)
async def my_tokens(person: Asker, node: Here) -> list[wire.TokenInfo]:
    """Without their secrets."""
    return [
        wire.TokenInfo(t.id, t.label, t.created_at, t.used_at, t.revoked_at is not None)
        for t in await node.store.tokens_of(person.id)
    ]


@post("/me/tokens", tags=["people"], summary="Make a token", **common)
async def make_token(
    person: Asker, node: Here, state: State, data: JSONBody[wire.NewToken]
) -> wire.TokenInfo:
    """For a program that acts as me: `Authorization: Bearer …`."""
    if len(await node.store.tokens_of(person.id)) >= 50:
        raise Refusal("too-many", "You have 50 tokens. Use one of them.")
    people: People = state.people
    name, secret = await people.add_token(person.id, data.label)
    return wire.TokenInfo(name, one_line(data.label), node.clock.now(), None, False, secret)


@delete("/me/tokens/{token_id:str}", tags=["people"], summary="Revoke a token", **common)
async def revoke_token(person: Asker, node: Here, token_id: LinkPath) -> None:
    """From now on it opens nothing."""
    if not await node.store.revoke_token(person.id, token_id):
        raise not_found("You have no such token.")


@get("/me/tables", tags=["people"], summary="My games", **common)
async def my_tables(person: Asker, node: Here, before: Before = None) -> wire.TableList:
    """Those I sit at or sat at, newest first."""
    rows = await node.store.games_of(person.id, PAGE + 1, _cursor(before))
    mine = await node.store.seats_of(person.id, [row.id for row in rows])
    return _list(node, rows, mine)


# -- what can be played ----------------------------------------------------------------------------


@get("/editions", tags=["editions"], summary="What can be played", **common)
async def editions(node: Here) -> list[wire.EditionLine]:
    """All editions of this server."""
    return list(node.editions.shelf())


@get("/editions/{name:str}", tags=["editions"], summary="A map and its rules", **common)
async def edition(node: Here, name: EditionPath) -> wire.Map:
    """Cities, routes, tickets and rules, in the order of their numbers."""
    try:
        return map_of(node.editions.find(name))
    except Refusal as refusal:
        raise not_found(refusal.message) from refusal


@get("/bots", tags=["editions"], summary="Whom to play against", **common)
async def bots() -> list[wire.BotInfo]:
    """All bots of this server."""
    return [wire.BotInfo(name, kind.character) for name, kind in BOTS.items()]


# -- tables ----------------------------------------------------------------------------------------


@get("/tables", tags=["tables"], summary="The lobby", **common)
async def lobby(person: Asker, node: Here, before: Before = None) -> wire.TableList:
    """Open tables, newest first."""
    rows = await node.store.lobby(PAGE + 1, _cursor(before))
    mine = await node.store.seats_of(person.id, [row.id for row in rows])
    return _list(node, rows, mine)


@post("/tables", tags=["tables"], summary="Make a table", **common)
async def make_table(person: Asker, node: Here, data: JSONBody[wire.NewTable]) -> wire.TableInfo:
    """Make a table and sit down; the game begins when every seat is taken."""
    await _room_for_one_more(person, node)
    table = await node.create(person, data)
    return table.info(person.id)


async def _room_for_one_more(person: PersonRow, node: Node) -> None:
    if await node.store.open_games_of(person.id) >= node.settings.tables_per_person:
        raise Refusal("too-many", "You have too many open tables. Finish or close one.")


@get("/tables/{table_id:str}", tags=["tables"], summary="A table", **common)
async def table_info(person: Asker, node: Here, table_id: TablePath) -> wire.TableInfo:
    """What it is like and who sits there."""
    table = await _table(node, person, table_id)
    ended = table.state.status in ("finished", "closed")
    return table.info(person.id, rematch=await node.rematch_of(table_id) if ended else None)


@post("/tables/{table_id:str}/sit", tags=["tables"], summary="Sit down", **common)
async def sit(
    person: Asker, node: Here, table_id: TablePath, data: JSONBody[wire.Sit]
) -> wire.Opened:
    """On an open table, or one that a seat was kept at."""
    table = await _table(node, person, table_id)
    kept = any(seat.kept_for == person.id for seat in table.terms.seats)
    if not (table.row.listed or kept or table.row.host == person.id):
        raise Refusal("not-allowed", "You need a link to sit down here.")
    name = one_line(data.name or person.name)
    return wire.Opened(table.id, await table.sit(person.id, data.seat, name, person.color))


@post("/tables/{table_id:str}/seats/{seat:int}/leave", tags=["tables"], summary="Get up", **common)
async def leave(person: Asker, node: Here, table_id: TablePath, seat: SeatPath) -> wire.TableInfo:
    """Before the game the seat is free again; in the game a bot stands in."""
    table = await _table(node, person, table_id)
    await table.leave(person.id, seat)
    return table.info(person.id)


@post(
    "/tables/{table_id:str}/seats/{seat:int}/back",
    tags=["tables"],
    summary="Take a seat back",
    **common,
)
async def come_back(
    person: Asker, node: Here, table_id: TablePath, seat: SeatPath
) -> wire.TableInfo:
    """From the bot that stands in."""
    table = await _table(node, person, table_id)
    await table.come_back(person.id, seat)
    return table.info(person.id)


@post(
    "/tables/{table_id:str}/seats/{seat:int}/stand-in",
    tags=["tables"],
    summary="Call a stand-in",
    **common,
)
async def stand_in(
    person: Asker, node: Here, table_id: TablePath, seat: SeatPath
) -> wire.TableInfo:
    """For somebody who keeps the table waiting for long."""
    table = await _table(node, person, table_id)
    await table.call_stand_in(person.id, seat)
    return table.info(person.id)


@post("/tables/{table_id:str}/close", tags=["tables"], summary="Close a table", **common)
async def close(person: Asker, node: Here, table_id: TablePath) -> wire.TableInfo:
    """Its maker may, while nobody else plays."""
    table = await _table(node, person, table_id)
    await table.close(person.id)
    return table.info(person.id)


@post("/tables/{table_id:str}/rematch", tags=["tables"], summary="Play again", **common)
async def rematch(person: Asker, node: Here, table_id: TablePath) -> wire.TableInfo:
    """At a new table, everybody one seat further. Whoever asks second finds the same table."""
    table = await _table(node, person, table_id)
    return (await node.rematch(person, table)).info(person.id)


# -- the past --------------------------------------------------------------------------------------


@get("/tables/{table_id:str}/updates", tags=["past"], summary="What happened", **common)
async def updates(
    person: Asker, node: Here, table_id: TablePath, after: AfterVersion = 0, eyes: Eyes = "mine"
) -> wire.Updates:
    """The log after a version, as the socket would have told it."""
    table = await _table(node, person, table_id)
    seen = await _eyes(table, person, eyes)
    upto = await _seen_upto(table, seen)
    pages = await history.pages(table, after, upto)
    return wire.Updates(tuple(show.update(page, seen) for page in pages), upto)


@get("/tables/{table_id:str}/moments/{version:int}", tags=["past"], summary="A moment", **common)
async def moment(
    person: Asker, node: Here, table_id: TablePath, version: VersionPath, eyes: Eyes = "mine"
) -> wire.Moment:
    """The table as it was after an entry of its log."""
    table = await _table(node, person, table_id)
    seen = await _eyes(table, person, eyes)
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
    table = await _table(node, person, table_id)
    text = await history.record(table)
    name = f"macaz-{table.deal.edition.id}-{table.id}.txt"
    return Response(text, headers={"content-disposition": f'attachment; filename="{name}"'})


async def _eyes(table: Table, person: PersonRow, wanted: str) -> show.Eyes:
    mine = table.seats_of(person.id)
    if wanted == "mine":
        return mine[0] if mine else None
    if wanted == "spectator":
        return None
    finished = table.state.status == "finished"
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
    """The last version that those eyes have seen; spectators may be behind."""
    if eyes is not None or not table.terms.delay or table.state.status == "finished":
        return table.state.version
    cut = table.node.clock.now() - table.terms.delay * 1000
    rows = await history.read(table, table.state.version)
    return max((row.version for row in rows if row.at <= cut), default=0)


# -- links -----------------------------------------------------------------------------------------


@get("/tables/{table_id:str}/links", tags=["links"], summary="Links to a table", **common)
async def links(person: Asker, node: Here, table_id: TablePath) -> list[wire.LinkInfo]:
    """Those I made, without their addresses."""
    table = await _table(node, person, table_id)
    found = await node.store.links_of(table.id)
    return [_link_info(link) for link in found if link.created_by == person.id]


@post("/tables/{table_id:str}/links", tags=["links"], summary="Make a link", **common)
async def make_link(
    request: Asked, person: Asker, node: Here, table_id: TablePath, data: JSONBody[wire.NewLink]
) -> wire.LinkInfo:
    """To join, to watch, or to one seat; a seat's link works once and moves the seat over."""
    table = await _table(node, person, table_id)
    _check_link(table, person, data)
    if len(await node.store.links_of(table.id)) >= 100:
        raise Refusal("too-many", "There are too many links to this table.")
    secret = secrets.token_urlsafe(18)
    row = await node.store.add_link(
        secrets.token_urlsafe(9), digest(secret), table.id, data.kind, data.seat, person.id
    )
    base = node.settings.origin.rstrip("/") or str(request.base_url).rstrip("/")
    # Behind the # it stays in the browser: no log of any server on the way has it.
    return _link_info(row, f"{base}/join#{secret}")


def _check_link(table: Table, person: PersonRow, wanted: wire.NewLink) -> None:
    host = table.row.host == person.id
    if (wanted.seat is None) == (wanted.kind == "seat"):
        raise Refusal("bad-value", "A link to a seat names it; other links name none.")
    if wanted.kind != "seat" and not host:
        raise Refusal("not-allowed", "Only whoever made the table can do that.")
    if wanted.seat is not None:
        if wanted.seat >= len(table.state.chairs):
            raise Refusal("bad-value", f"There is no seat {wanted.seat} at this table.")
        chair = table.state.chairs[wanted.seat]
        if chair.person != person.id and not (host and chair.free):
            raise Refusal("not-allowed", "That seat is not yours to give.")


@delete(
    "/tables/{table_id:str}/links/{link_id:str}", tags=["links"], summary="Revoke a link", **common
)
async def revoke_link(person: Asker, node: Here, table_id: TablePath, link_id: LinkPath) -> None:
    """From now on it opens nothing, and whoever watched by it watches no more."""
    table = await _table(node, person, table_id)
    mine = {link.id for link in await node.store.links_of(table.id) if link.created_by == person.id}
    if link_id not in mine or not await node.store.revoke_link(table.id, link_id):
        raise not_found("You have no such link to revoke.")
    await table.recheck()


@post("/links/open", tags=["links"], summary="Open a link", status_code=200, **common)
async def open_link(person: Asker, node: Here, data: JSONBody[wire.OpenLink]) -> wire.Opened:
    """Sit down, take a seat over, or be allowed to watch."""
    link = await node.store.link_by_digest(digest(data.token))
    if link is None or link.revoked_at is not None or (link.kind == "seat" and link.used_at):
        raise not_found("That link leads nowhere: it was used or taken back.")
    table = await node.table(link.game_id)
    name = one_line(data.name) if data.name else person.name
    mine = table.seats_of(person.id)
    if link.kind == "watch":
        await node.store.add_watcher(table.id, person.id, link.id)
        return wire.Opened(table.id, mine[0] if mine else None)
    if link.kind == "join":
        seat = mine[0] if mine else await table.sit(person.id, None, name, person.color)
        return wire.Opened(table.id, seat)
    assert link.seat is not None, "a link to a seat names it"
    if table.state.status in ("finished", "closed"):
        raise Refusal("not-now", "That game is over.")
    if not await node.store.use_link(link.id):
        raise not_found("That link leads nowhere: it was used or taken back.")
    await table.move_over(link.seat, person.id, name, person.color)
    return wire.Opened(table.id, link.seat)


def _link_info(link: LinkRow, url: str | None = None) -> wire.LinkInfo:
    used, revoked = link.used_at is not None, link.revoked_at is not None
    return wire.LinkInfo(link.id, link.kind, link.seat, link.created_at, used, revoked, url)


# -- lists -----------------------------------------------------------------------------------------


def _cursor(before: str | None) -> tuple[int, str] | None:
    if before is None:
        return None
    at, _, name = before.partition(".")
    return int(at), name


def _list(node: Node, rows: list[GameRow], mine: dict[str, tuple[int, ...]]) -> wire.TableList:
    shown = rows[:PAGE]
    lines = tuple(
        line_of(row, node.editions.title(row.edition), mine.get(row.id, ())) for row in shown
    )
    more = len(rows) > PAGE
    return wire.TableList(lines, "{}.{}".format(*shown[-1].cursor) if more else None)


api = Router(
    "/api/v1",
    route_handlers=[
        become,
        who_am_i,
        change_me,
        forget_me,
        my_tokens,
        make_token,
        revoke_token,
        my_tables,
        editions,
        edition,
        bots,
        lobby,
        make_table,
        table_info,
        sit,
        leave,
        come_back,
        stand_in,
        close,
        rematch,
        updates,
        moment,
        record,
        links,
        make_link,
        revoke_link,
        open_link,
    ],
    dependencies={"person": Provide(provide_person), "node": Provide(provide_node)},
)
