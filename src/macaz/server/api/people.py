"""Who one is, one's tokens and one's games."""

from __future__ import annotations

import asyncio
from typing import cast

from litestar import Response, delete, get, post, put
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody

from macaz.server import wire
from macaz.server.api.common import (
    PAGE,
    PROBLEMS,
    Asked,
    Asker,
    Before,
    Here,
    LinkPath,
    common,
    cursor,
    making,
    table_list,
)
from macaz.server.limits import Rate, network
from macaz.server.logs import name_caller
from macaz.server.people import People, one_line
from macaz.server.refusal import Refusal, not_found
from macaz.server.statistics import statistics
from macaz.server.store.rows import PersonRow

MOST_PLAYED = 10_000  # seats in finished games that statistics look at, the newest


@post("/people", tags=["people"], summary="Become somebody", **common)
async def become(
    request: Asked, node: Here, state: State, data: JSONBody[wire.NewPerson]
) -> Response[wire.Me]:
    """A new person, with a cookie for browsers and, if asked for, a token for programs."""
    newcomers: Rate = state.newcomers
    newcomers.ask(network(request.client.host if request.client else "?"))
    people: People = state.people
    row = await people.add(data.name, data.color)
    token = (await people.add_token(row.id, data.token))[1] if data.token else None
    me = wire.Me(row.name, data.color, row.created_at, token)
    return Response(me, headers={"set-cookie": people.cookie(row.id)})


@get("/me", tags=["people"], summary="Who am I?", **common)
async def who_am_i(request: Asked, person: Asker, state: State) -> Response[wire.Me]:
    """Whoever the cookie or the token says; the cookie lasts from now on."""
    return Response(_me(person), headers=_lasting(request, state.people, person))


def _me(person: PersonRow) -> wire.Me:
    return wire.Me(person.name, cast(wire.Color, person.color), person.created_at)


def _lasting(request: Asked, people: People, person: PersonRow) -> dict[str, str]:
    """The cookie once more, to last from now on."""
    # A token must not buy a cookie: that would outlive it.
    return {} if "authorization" in request.headers else {"set-cookie": people.cookie(person.id)}


@get("/whoami", tags=["people"], summary="Does the server know me?", **common)
async def whoami(request: Asked, node: Here, state: State) -> Response[wire.Whoami]:
    """As `/me`, but to be a stranger is no error."""
    people: People = state.people
    person = await people.who(request.headers)
    if person is None:
        return Response(wire.Whoami(None))
    name_caller(request.scope, person.id)
    node.requests.ask(person.id)
    return Response(wire.Whoami(_me(person)), headers=_lasting(request, people, person))


@put("/me", tags=["people"], summary="Change my name and colour", **common)
async def change_me(person: Asker, node: Here, data: JSONBody[wire.Profile]) -> wire.Me:
    """At tables where one sits already, the name stays as it was."""
    name = one_line(data.name)
    await node.store.change_person(person.id, name, data.color)
    return wire.Me(name, data.color, person.created_at)


@post(
    "/me/forget",
    tags=["people"],
    summary="Leave this browser",
    status_code=204,
    responses={**PROBLEMS, 204: ResponseSpec(None, description="The browser is nobody.")},
)
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
    people: People = state.people
    async with making.turn(person.id):
        if len(await node.store.tokens_of(person.id)) >= 50:
            raise Refusal("too-many", "You have 50 tokens. Use one of them.")
        name, secret = await people.add_token(person.id, data.label)
    return wire.TokenInfo(name, one_line(data.label), node.clock.now(), None, False, secret)


@delete("/me/tokens/{token_id:str}", tags=["people"], summary="Revoke a token", **common)
async def revoke_token(person: Asker, node: Here, token_id: LinkPath) -> None:
    """From now on it opens nothing."""
    if not await node.store.revoke_token(person.id, token_id):
        raise not_found("You have no such token.")
    node.disconnect(person.id)


@get("/me/tables", tags=["people"], summary="My games", **common)
async def my_tables(person: Asker, node: Here, before: Before = None) -> wire.TableList:
    """Those I made or sit at, newest first."""
    rows = await node.store.games_of(person.id, PAGE + 1, cursor(before))
    mine = await node.store.seats_of(person.id, [row.id for row in rows])
    return table_list(node, rows, mine)


@get("/me/statistics", tags=["people"], summary="How I did", **common)
async def my_statistics(person: Asker, node: Here) -> wire.Statistics:
    """In all games that I finished; of several seats on one screen, mine is under my name."""
    node.reads.ask(person.id)
    rows = await node.store.played_by(person.id, MOST_PLAYED)
    titles = {row.edition: node.editions.title(row.edition) for row in rows}
    return await asyncio.to_thread(statistics, rows, person.name, titles)
