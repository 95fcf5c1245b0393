"""Where a person is signed in: the sessions of browsers and the tokens of programs."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from litestar import Response, delete, get, post
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody

from macaz.server import wire
from macaz.server.http.common import PROBLEMS, Asked, Asker, By, Here, LinkPath, common, making
from macaz.server.logs import name_caller
from macaz.server.people import People, one_line
from macaz.server.refusal import Refusal, not_found

MOST_TOKENS = 50  # of one person
nothing: dict[str, Any] = {
    "status_code": 204,
    "responses": {**PROBLEMS, 204: ResponseSpec(None, description="It has ended.")},
}


@post("/me/forget", tags=["people"], summary="Sign out", **nothing)
async def sign_out(request: Asked, node: Here, state: State) -> Response[None]:
    """End the session of this browser, on all nodes, and remove its cookie.

    There are no accounts: a person without a session or token cannot come back. Their seats stay,
    and a link to a seat, made before, gives it to the person who opens it. A token is not ended.
    """
    people: People = state.people
    identity = await people.identify(request.headers)
    if identity is not None:
        name_caller(request.scope, identity.person.id)
    if identity is not None and not identity.token:
        await node.store.credentials.end_session(identity.person.id, identity.credential)
        await node.close_ended(identity.person.id)
    return Response(None, headers={"set-cookie": people.no_cookie()})


@post("/me/forget-everywhere", tags=["people"], summary="Sign out everywhere", **nothing)
async def sign_out_everywhere(
    identity: By, node: Here, state: State, data: JSONBody[wire.SignOut]
) -> Response[None]:
    """End all my sessions and tokens, on all nodes; by default not the one that asks."""
    people: People = state.people
    keep = identity.credential if data.keep_present else None
    await node.store.credentials.end_all(identity.person.id, keep=keep)
    await node.close_ended(identity.person.id)
    gone = not (data.keep_present or identity.token)
    return Response(None, headers={"set-cookie": people.no_cookie()} if gone else {})


@get("/me/sessions", tags=["people"], summary="My sessions", **common)
async def my_sessions(identity: By, node: Here) -> list[wire.SessionInfo]:
    """The browsers in which I am signed in, oldest first."""
    services = await node.store.subscriptions.of_person(identity.person.id)
    return [
        wire.SessionInfo(
            s.id,
            s.label,
            s.created_at,
            s.used_at,
            s.id == identity.credential,
            urlsplit(services[s.id]).hostname if s.id in services else None,
        )
        for s in await node.store.credentials.sessions_of(identity.person.id)
    ]


@delete("/me/sessions/{session_id:str}", tags=["people"], summary="End a session", **nothing)
async def end_session(
    identity: By, node: Here, state: State, session_id: LinkPath
) -> Response[None]:
    """Its cookie is refused and its sockets are closed from now on, on all nodes."""
    people: People = state.people
    if not await node.store.credentials.end_session(identity.person.id, session_id):
        raise not_found("You have no such session.")
    await node.close_ended(identity.person.id)
    gone = session_id == identity.credential
    return Response(None, headers={"set-cookie": people.no_cookie()} if gone else {})


@get("/me/tokens", tags=["people"], summary="My tokens", **common)
async def my_tokens(identity: By, node: Here) -> list[wire.TokenInfo]:
    """Without their secrets."""
    return [
        wire.TokenInfo(
            t.id,
            t.label,
            t.created_at,
            t.used_at,
            revoked=t.revoked_at is not None,
            present=t.id == identity.credential,
        )
        for t in await node.store.credentials.tokens_of(identity.person.id)
    ]


@post("/me/tokens", tags=["people"], summary="Make a token", **common)
async def make_token(
    identity: By, node: Here, state: State, data: JSONBody[wire.NewToken]
) -> wire.TokenInfo:
    """For a program that acts as me: `Authorization: Bearer …`."""
    people: People = state.people
    person = identity.person.id
    async with making.of(person):
        if len(await node.store.credentials.tokens_of(person)) >= MOST_TOKENS:
            raise Refusal("too-many", f"You have {MOST_TOKENS} tokens. Use one of them.")
        name, secret = await people.add_token(person, data.label, by=identity.credential)
    return wire.TokenInfo(name, one_line(data.label), node.clock.now(), None, False, secret)


@delete("/me/tokens/{token_id:str}", tags=["people"], summary="Revoke a token", **common)
async def revoke_token(person: Asker, node: Here, token_id: LinkPath) -> None:
    """It is refused and its sockets are closed from now on, on all nodes."""
    if not await node.store.credentials.revoke_token(person.id, token_id):
        raise not_found("You have no such token.")
    await node.close_ended(person.id)
