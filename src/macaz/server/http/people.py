"""The person of a request, and that person's games."""

from __future__ import annotations

import asyncio
from typing import cast

from litestar import Response, get, post, put
from litestar.datastructures import State
from litestar.params import JSONBody

from macaz.server import wire
from macaz.server.http.common import (
    PAGE,
    Asked,
    Asker,
    Before,
    By,
    Here,
    common,
    cursor,
    find_identity,
    table_list,
)
from macaz.server.limits import RateLimit, network
from macaz.server.logs import name_caller
from macaz.server.people import Identity, People, one_line
from macaz.server.statistics import statistics
from macaz.server.store.rows import PersonRow

MOST_PLAYED = 10_000  # seats in finished games that statistics look at, the newest


@post("/people", tags=["people"], summary="Create a person", **common)
async def become(
    request: Asked, node: Here, state: State, data: JSONBody[wire.NewPerson]
) -> Response[wire.Me]:
    """A new person, with a cookie for browsers and, if asked for, a token for programs."""
    newcomers: RateLimit = state.newcomers
    newcomers.ask(network(request.client.host if request.client else "?"))
    people: People = state.people
    row = await people.add(data.name, data.color)
    name_caller(request.scope, row.id)
    token = (await people.add_token(row.id, data.token))[1] if data.token else None
    me = wire.Me(row.name, data.color, row.created_at, token)
    cookie = await people.sign_in(row.id, request.headers)
    return Response(me, headers={"set-cookie": cookie})


@get("/me", tags=["people"], summary="Who am I?", **common)
async def who_am_i(request: Asked, identity: By, state: State) -> Response[wire.Me]:
    """The person of the cookie or the token; the cookie is renewed."""
    return Response(_me(identity.person), headers=_lasting(request, state.people, identity))


def _me(person: PersonRow) -> wire.Me:
    return wire.Me(person.name, cast(wire.Color, person.color), person.created_at)


def _lasting(request: Asked, people: People, identity: Identity) -> dict[str, str]:
    """The cookie once more, to last from now on."""
    return {} if identity.token else {"set-cookie": people.renewed_cookie(request.headers)}


@get("/whoami", tags=["people"], summary="Does the server know me?", **common)
async def whoami(request: Asked, node: Here, state: State) -> Response[wire.Whoami]:
    """As `/me`, but to be a stranger is no error."""
    identity = await find_identity(request)
    if identity is None:
        return Response(wire.Whoami(None))
    me = wire.Whoami(_me(identity.person))
    return Response(me, headers=_lasting(request, state.people, identity))


@put("/me", tags=["people"], summary="Change my name and colour", **common)
async def change_me(person: Asker, node: Here, data: JSONBody[wire.Profile]) -> wire.Me:
    """At tables where one sits already, the name stays as it was."""
    name = one_line(data.name)
    await node.store.people.change(person.id, name, data.color)
    return wire.Me(name, data.color, person.created_at)


@get("/me/tables", tags=["people"], summary="My games", **common)
async def my_tables(person: Asker, node: Here, before: Before = None) -> wire.TableList:
    """Those I made or sit at, newest first."""
    rows = await node.store.games.of_person(person.id, PAGE + 1, cursor(before))
    mine = await node.store.games.seats_of(person.id, [row.id for row in rows])
    return table_list(node, rows, mine)


@get("/me/statistics", tags=["people"], summary="How I did", **common)
async def my_statistics(person: Asker, node: Here) -> wire.Statistics:
    """In all games that I finished; of several seats on one screen, mine is under my name."""
    node.reads.ask(person.id)
    rows = await node.store.games.played_by(person.id, MOST_PLAYED)
    titles = {row.edition: node.editions.title(row.edition) for row in rows}
    return await asyncio.to_thread(statistics, rows, person.name, titles)
