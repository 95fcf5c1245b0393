"""Links to give away, and what they open."""

from __future__ import annotations

import asyncio
import secrets

from litestar import delete, get, post
from litestar.params import JSONBody

from macaz.server import history, show, wire
from macaz.server.http.common import (
    Asked,
    Asker,
    Here,
    LinkPath,
    TablePath,
    Visitor,
    address_for_others,
    common,
    digest_of_address,
    find_table,
    making,
)
from macaz.server.node import Node
from macaz.server.people import digest, one_line
from macaz.server.qr import qr_code
from macaz.server.refusal import Refusal, not_found
from macaz.server.state import TableState
from macaz.server.store.rows import LinkRow, PersonRow
from macaz.server.table import Table

MOST_LINKS = 20  # of one person to one table, that still lead somewhere
NOWHERE = "That link leads nowhere: it was used or taken back."


@get("/tables/{table_id:str}/links", tags=["links"], summary="Links to a table", **common)
async def links(person: Asker, node: Here, table_id: TablePath) -> list[wire.LinkInfo]:
    """Those I made, without their addresses; of those that lead nowhere any more, the latest."""
    table = await find_table(node, person, table_id)
    return [_link_info(link) for link in await node.store.links.of_person(table.id, person.id)]


@post("/tables/{table_id:str}/links", tags=["links"], summary="Make a link", **common)
async def make_link(
    request: Asked, person: Asker, node: Here, table_id: TablePath, data: JSONBody[wire.NewLink]
) -> wire.LinkInfo:
    """To join, to watch, or to one seat; a seat's link works once and moves the seat over."""
    table = await find_table(node, person, table_id)
    _check_link(table, person, data)
    secret = secrets.token_urlsafe(18)
    async with making.of(person.id):
        mine = await node.store.links.of_person(table.id, person.id)
        if sum(not link.used_at and not link.revoked_at for link in mine) >= MOST_LINKS:
            raise Refusal("too-many", "You have too many links to this table. Take some back.")
        row = await node.store.links.add(
            secrets.token_urlsafe(9), digest(secret), table.id, data.kind, data.seat, person.id
        )
    # Behind the # it stays in the browser: no log of any server on the way has it.
    url = f"{await address_for_others(node, request)}/join#{secret}"
    return _link_info(row, url, await asyncio.to_thread(qr_code, url))


def _check_link(table: Table, person: PersonRow, wanted: wire.NewLink) -> None:
    host = table.row.host == person.id
    if table.deal.in_browser and wanted.kind != "watch":
        raise Refusal(
            "not-allowed",
            "This game was begun in a browser, whose player can know every card: others can "
            "watch it, but not sit down.",
        )
    if (wanted.seat is None) == (wanted.kind == "seat"):
        raise Refusal("bad-value", "A link to a seat names it; other links name none.")
    if wanted.kind != "seat" and not host:
        raise Refusal("not-allowed", "Only the person who made the table can do that.")
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
    """From now on it opens nothing, and those who watched by it are disconnected."""
    table = await find_table(node, person, table_id)
    mine = {link.id for link in await node.store.links.of_person(table.id, person.id)}
    if link_id not in mine or not await node.store.links.revoke(table.id, link_id):
        raise not_found("You have no such link to revoke.")
    await table.recheck()


@post("/links/look", tags=["links"], summary="Where a link leads", status_code=200, **common)
async def look_at_link(
    visitor: Visitor, node: Here, data: JSONBody[wire.LookAtLink]
) -> wire.Invitation:
    """Who invites to what, for strangers too; nothing is done by it."""
    link, table = await _find(node, data.token)
    asker = visitor.id if visitor else ""
    if link.used_at is not None and link.seat not in table.seats.of(asker):
        raise not_found(NOWHERE)
    state, terms = await history.seen_by(table, asker), table.terms
    return wire.Invitation(
        kind=link.kind,
        seat=link.seat,
        by=await _name_of(node, table, link.created_by),
        edition=table.deal.edition.qualified_id,
        title=table.deal.edition.title,
        status=state.status,
        seats=show.seat_infos(state, terms, asker or None),
        move_seconds=terms.move_seconds,
        delay=terms.delay,
        hints=terms.hints_allowed,
        seeded=table.row.seed is not None,
        may_sit=_may_sit(table, link, asker, state),
        may_watch=state.status != "closed" and _may_watch(node, table, link),
    )


async def _find(node: Node, token: str) -> tuple[LinkRow, Table]:
    """The link of a secret, and its table; `not-found` if it was taken back."""
    link = await node.store.links.by_digest(digest(token))
    if link is None or link.revoked_at is not None:
        raise not_found(NOWHERE)
    table = await node.table(link.game_id)
    if node.settings.redis:  # seats may have been taken or left on another node a moment ago
        await table.log.catch_up()
    return link, table


async def _name_of(node: Node, table: Table, person: str) -> str | None:
    """The name of a person at a table where they may sit."""
    if seats := table.seats.of(person):
        return table.state.chairs[seats[0]].name
    row = await node.store.people.get(person)
    return None if row is None else row.name


def _may_sit(table: Table, link: LinkRow, person: str, seen: TableState) -> bool:
    """Whether a link leads a person to a seat now, or to the one they have.

    `seen` is the table as they may know it: a delay hides that a game is over.
    """
    if link.kind == "watch":
        return False
    mine, chairs, terms = table.seats.of(person), table.state.chairs, table.terms.seats
    if link.seat is not None:
        chair = chairs[link.seat]
        over = seen.chairs[link.seat].resigned or seen.status in ("finished", "closed")
        return link.seat in mine or (not over and chair.person in (None, link.created_by))
    free = any(
        chair.free and seat.kept_for in (None, person)
        for chair, seat in zip(chairs, terms, strict=True)
    )
    return bool(mine) or (free and table.state.status == "waiting")


def _may_watch(node: Node, table: Table, link: LinkRow) -> bool:
    """A link to join lets its holder watch: as a player they would have seen more."""
    return link.kind != "seat" or node.is_listed(table)


@post("/links/open", tags=["links"], summary="Open a link", status_code=200, **common)
async def open_link(
    request: Asked, person: Asker, node: Here, data: JSONBody[wire.OpenLink]
) -> wire.Opened:
    """Sit down, take a seat over, or be allowed to watch. Opened twice it leads to the same."""
    link, table = await _find(node, data.token)
    name = one_line(data.name) if data.name else person.name
    mine, address = table.seats.of(person.id), digest_of_address(request)
    if data.watch or link.kind == "watch":
        if not _may_watch(node, table, link):
            raise Refusal("not-allowed", "That link leads to a seat, not to watch.")
        await node.store.links.add_watcher(table.id, person.id, link.id)
        return wire.Opened(table.id, mine[0] if mine else None)
    if link.kind == "seat":
        assert link.seat is not None, "a link to a seat names it"
        if link.seat not in mine:
            await _take_over(person, address, table, link, name, data.pledge)
        return wire.Opened(table.id, link.seat)
    seat = await table.seats.sit(
        person.id, None, name, person.color, address=address, pledge=data.pledge
    )
    return wire.Opened(table.id, seat)


async def _take_over(
    person: PersonRow, address: str, table: Table, link: LinkRow, name: str, pledge: str | None
) -> None:
    """Use a link to a seat, which works once; a refusal does not use it up."""
    assert link.seat is not None, "a link to a seat names it"
    if link.used_at is None:
        try:
            await table.seats.transfer(
                link.seat,
                person.id,
                name,
                person.color,
                link.created_by,
                link.id,
                pledge,
                address=address,
            )
            return
        except Refusal as refusal:
            if refusal.code != "not-found":
                raise
    await table.log.catch_up()  # it may be theirs already, through another node
    if link.seat not in table.seats.of(person.id):
        raise not_found(NOWHERE)


def _link_info(
    link: LinkRow, url: str | None = None, qr: wire.QrCode | None = None
) -> wire.LinkInfo:
    used, revoked = link.used_at is not None, link.revoked_at is not None
    return wire.LinkInfo(link.id, link.kind, link.seat, link.created_at, used, revoked, url, qr)
