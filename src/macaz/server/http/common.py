"""What the handlers share: who asks, what a path holds, what a refusal looks like."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Literal, TypeVar

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter

from macaz.server import history, wire
from macaz.server.lan import is_loopback, lan_addresses
from macaz.server.limits import KeyedLocks
from macaz.server.logs import name_caller
from macaz.server.node import Node
from macaz.server.people import Identity, People
from macaz.server.refusal import Refusal, not_found
from macaz.server.show import line_of
from macaz.server.store.rows import GameRow, PersonRow
from macaz.server.table import Table

T = TypeVar("T")
Asked = Request[Any, Any, State]
Asker = NamedDependency[PersonRow]
By = NamedDependency[Identity]
Visitor = NamedDependency[PersonRow | None]
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
        401: "No person has that cookie or token.",
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
making = KeyedLocks()  # one after the other, where something is counted before it is made


async def provide_identity(request: Asked) -> Identity:
    """The person, and the session or token, of a request; `unknown-person` if there is none."""
    found = await find_identity(request)
    if found is None:
        raise Refusal(
            "unknown-person", "No person has that cookie or token: POST /api/v1/people first."
        )
    return found


async def find_identity(request: Asked) -> Identity | None:
    """The same, or None; a person's requests are counted."""
    people: People = request.app.state.people
    found = await people.identify(request.headers)
    if found is not None:
        name_caller(request.scope, found.person.id)
        node: Node = request.app.state.node
        node.requests.ask(found.person.id)
    return found


async def provide_visitor(request: Asked) -> PersonRow | None:
    """The person of a request that strangers may make, too; None: a stranger."""
    found = await find_identity(request)
    return None if found is None else found.person


async def address_for_others(node: Node, request: Asked) -> str:
    """The beginning of addresses that others can open, as far as this server can have one.

    The origin that the host has set; or else the address of the caller, with the one of this
    machine in its network instead of localhost where others in it may come.
    """
    if node.settings.origin:
        return node.settings.origin.rstrip("/")
    base = request.base_url
    if not node.settings.lan or not is_loopback(base.hostname or ""):
        return str(base).rstrip("/")
    # In a thread: without a network, to look the own name up can take seconds.
    found = await asyncio.to_thread(lan_addresses)
    port = f":{base.port}" if base.port else ""
    return f"{base.scheme}://{found[0]}{port}" if found else str(base).rstrip("/")


def digest_of_address(request: Asked) -> str:
    """The keyed hash of the caller's address, by which tables are counted."""
    digest: Callable[[str], str] = request.app.state.address_digest
    return digest(request.client.host if request.client else "?")


async def provide_person(identity: By) -> PersonRow:
    return identity.person


async def while_connected(request: Asked, work: Coroutine[Any, Any, T]) -> T:
    """The result of work that is cancelled when the client disconnects."""
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Refusal("stale", "The client has disconnected.")
        return task.result()
    finally:
        for each in (task, gone):
            each.cancel()
        await asyncio.wait({task, gone})


async def _gone(request: Asked) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def provide_node(state: State) -> Node:
    """The node; `closing` while it stops."""
    node: Node = state.node
    if node.draining:
        raise Refusal("closing", "This server is going down. Connect again.")
    return node


async def find_table(node: Node, person: PersonRow, name: str) -> Table:
    """A table that the person may see; `not-found` otherwise."""
    table = await node.table(name)
    if await node.may_see(person.id, table):
        return table
    if node.settings.redis:  # they may have joined through another node a moment ago
        await table.log.catch_up()
        if await node.may_see(person.id, table):
            return table
    raise not_found()


async def info_for(node: Node, person: PersonRow, table: Table) -> wire.TableInfo:
    """A table as a person may know it, who may be a spectator and behind."""
    state = await history.seen_by(table, person.id)
    ended = state.status in ("finished", "closed")
    rematch = await node.rematch_of(table.id) if ended else None
    return table.info(person.id, rematch=rematch, past=state)


def cursor(before: str | None) -> tuple[int, str] | None:
    """The end of the page before, as the store knows it."""
    if before is None:
        return None
    at, _, name = before.partition(".")
    return int(at), name


def table_list(node: Node, rows: list[GameRow], mine: dict[str, tuple[int, ...]]) -> wire.TableList:
    """A page of a list; `rows` may have one more, which shows that there is another page."""
    shown, now = rows[:PAGE], node.clock.now()
    lines = tuple(
        line_of(row, node.editions.title(row.edition), mine.get(row.id, ()), now) for row in shown
    )
    more = len(rows) > PAGE
    return wire.TableList(lines, "{}.{}".format(*shown[-1].cursor) if more else None)
